#include "trompo/scheme/static_relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

namespace trompo {

namespace {

constexpr double far = 1;      // [rad], or of the size of the model: nothing moves by more in one iteration
constexpr double near = 0.05;  // from here Newton is tried

}  // namespace

double StaticRelaxation::pull() const {
  double sum = 0;
  for (int u = 0; u < balance_.moving(); ++u) sum += std::pow(balance_.residual()[u], 2) / search_.weight()[u];
  return std::sqrt(sum);
}

bool StaticRelaxation::solve(double mu) {
  const Pattern& pattern = balance_.reduction().pattern();
  const int n = balance_.moving();
  balance_.evaluate(true);
  const VecX fluid = mu * search_.weight().head(n);
  increment_ = balance_.residual();
  increment_.head(n) += fluid.cwiseProduct(done_.head(n));
  if (!increment_.allFinite()) return false;
  for (int u = 0; u < n; ++u) balance_.tangent().values()[pattern.slot(u, u)] += fluid[u];
  ++used_;
  if (!balance_.tangent().factorise()) return false;
  balance_.tangent().solve(increment_);
  return increment_.allFinite();
}

// Newton towards the end of a step, which it has reached when an increment is below this share of the way, or this length. One
// that does not gain is not worth its factorisations.
bool StaticRelaxation::step(double mu, double share, double length) {
  constexpr int iterations = 8;
  const int n = balance_.moving();
  done_.setZero(balance_.reduction().unknowns());
  double previous = std::numeric_limits<double>::infinity();
  for (int i = 0; i < iterations && used_ < most; ++i) {
    if (!solve(mu)) return false;
    // Too long a step from the top of a hill would lead up.
    if (i == 0 && mu > 0 && balance_.residual().head(n).dot(increment_.head(n)) < 0) return false;
    double largest = 0;
    for (int u = 0; u < n; ++u) largest = std::max(largest, std::abs(increment_[u]) / search_.size_of(u));
    if (largest > far) increment_ *= far / largest;
    balance_.move(increment_);
    done_ -= increment_;
    const double now = search_.length(increment_), all = search_.length(done_);
    if (largest <= far && now <= std::max(share * all, length)) return true;
    if (i > 2 && largest <= far && now > 0.9 * previous) return false;
    previous = now;
  }
  return false;
}

// Newton may come to rest a little farther away, if the energy falls on the way.
bool StaticRelaxation::newton_rests(NewtonReport& last) {
  constexpr int few = 8;
  const State here = balance_.state();
  const VecX forces = balance_.multipliers();
  last = search_.at_load(std::min(few, most - used_));
  used_ += last.iterations;
  const double way = search_.distance();
  if (last.converged() && (way <= near || (way <= 5 * near && !(balance_.energy_change(here) > 0)))) return true;
  balance_.take(here, forces);
  return false;
}

bool StaticRelaxation::flow(int patience, NewtonReport* last) {
  const int begin = used_;
  (void)balance_.guess_multipliers();
  balance_.evaluate(false);
  const double first = pull() / near;
  double mu = first, last_try = std::numeric_limits<double>::infinity();
  bool failed = false, pushed = false;
  while (used_ < most) {
    const State from = balance_.state();
    const VecX multipliers = balance_.multipliers();
    const int before = used_;
    balance_.evaluate(false);
    const double force = pull();
    if (step(mu, 0.03, 1e-12) && !(balance_.energy_change(from) > 0)) {
      const int iterations = used_ - before;
      const double way = search_.length(done_);
      // Something resists, and it is not far: Newton is tried, and again when the fluid has become much thinner.
      if (way <= near && mu * way <= 0.3 * force && mu <= 0.01 * last_try) {
        if (last == nullptr) return true;
        last_try = mu;
        if (search_.balanced() || newton_rests(*last)) {
          last->end = NewtonEnd::converged;
          balance_.evaluate(true);
          const VecX off = balance_.unstable_motion();
          if (off.size() == 0) return true;
          if (pushed) return false;
          pushed = true;
          balance_.move(near / search_.length(off) * off);
          balance_.evaluate(false);
          mu = pull() / near;
          last_try = std::numeric_limits<double>::infinity();
          continue;
        }
      }
      mu *= failed ? 0.4 : iterations <= 2 ? 0.02 : iterations <= 5 ? 0.3 : 0.5;
      failed = false;
    } else {
      balance_.take(from, multipliers);
      mu *= 5;
      failed = true;
    }
    if (used_ - begin >= patience && mu >= first) return false;
  }
  return false;
}

// Under which things stretch by something like a tenth.
double StaticRelaxation::heavy_load() const {
  const Pattern& pattern = balance_.reduction().pattern();
  double stiffest = 0;
  for (int u = 0; u < balance_.reduction().of_body(0); ++u)
    stiffest = std::max(stiffest, std::abs(balance_.tangent().values()[pattern.slot(u, u)]) * std::pow(search_.size_of(u), 2));
  const double force = pull();
  return force > 0 ? 0.02 * stiffest / force : 0;
}

// In parts that become longer: what stretches by e under a load strays by e^2 from a straight path.
bool StaticRelaxation::lower_load(double factor) {
  double share = 0.2;
  VecX way;
  constexpr double shortest = 0.95;
  while (share < shortest && balance_.factor() != factor) {
    const State here = balance_.state();
    const VecX forces = balance_.multipliers();
    const double now = balance_.factor(), time = here.time;
    const double next = std::abs(share * now) > std::abs(factor) ? share * now : factor;
    close_load();
    ++used_;
    if (!search_.predict(next, time, way)) return false;
    balance_.move(-way);
    balance_.load(next, time);
    const bool found = step(0, 0, 1e-3 * near);
    if (!found) {
      balance_.take(here, forces);
      balance_.load(now, time);
    }
    share = found ? share * share : std::sqrt(share);
  }
  return balance_.factor() == factor;
}

void StaticRelaxation::close_load() {
  used_at_loads_.push_back(used_);
  used_ = 0;
}

NewtonReport StaticRelaxation::to_rest() {
  used_ = 0;
  used_at_loads_.clear();
  NewtonReport last;
  const State from = balance_.state();
  const VecX multipliers = balance_.multipliers();
  const double factor = balance_.factor();
  balance_.evaluate(true);
  const double heavy = heavy_load();
  const int patience = factor == 0 || heavy < 10 ? most : heavy < 1e3 ? 8 : 1;
  bool rests = flow(patience, &last);
  if (!rests && patience < most) {
    balance_.take(from, multipliers);
    close_load();
    balance_.load(heavy * factor, from.time);
    rests = flow(most, nullptr) && lower_load(factor) && newton_rests(last);
    if (rests) {
      balance_.evaluate(true);
      rests = balance_.unstable_directions() <= 0;
    }
  }
  if (!rests) last.end = NewtonEnd::too_many_iterations;
  close_load();
  last.iterations = std::accumulate(used_at_loads_.begin(), used_at_loads_.end(), 0);
  return last;
}

}  // namespace trompo
