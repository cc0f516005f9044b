#include "trompo/scheme/static_relaxation.hpp"

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>

namespace trompo {

namespace {

constexpr double far = 0.5;    // [rad], or of the size of the model: nothing moves by more in one iteration
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

bool StaticRelaxation::step(double mu) {
  constexpr int iterations = 8;
  done_.setZero(balance_.reduction().unknowns());
  const State from = balance_.state();
  double previous = std::numeric_limits<double>::infinity();
  for (int i = 0; i < iterations && used_ < most; ++i) {
    if (!solve(mu)) return false;
    double largest = 0;
    for (int u = 0; u < balance_.moving(); ++u) largest = std::max(largest, std::abs(increment_[u]) / search_.size_of(u));
    if (largest > far) increment_ *= far / largest;
    balance_.move(increment_);
    done_ -= increment_;
    const double now = search_.length(increment_), all = search_.length(done_);
    if (getenv("TR")) printf("    mu %.3g it %d inc %.3g done %.3g dE %.6g\n", mu, i, now, all, balance_.energy_change(from));
    if (largest <= far && now <= std::max(0.03 * all, 1e-12)) return !(balance_.energy_change(from) > 0);
    if (i > 2 && now > previous) return false;
    previous = now;
  }
  return false;
}

bool StaticRelaxation::newton_rests(NewtonReport& last) {
  constexpr int few = 10;
  const State here = balance_.state();
  const VecX forces = balance_.multipliers();
  last = search_.at_load(std::min(few, most - used_));
  used_ += last.iterations;
  if (getenv("TR")) printf("  newton end %d its %d dist %.3g\n", (int)last.end, last.iterations, search_.distance());
  if (last.converged() && search_.distance() <= 2 * near) return true;
  balance_.take(here, forces);
  return false;
}

StaticRelaxation::Flow StaticRelaxation::flow(int allowed, NewtonReport& last) {
  const int begin = used_;
  (void)balance_.guess_multipliers();
  balance_.evaluate(false);
  const double first = pull() / near;
  double mu = first;
  bool pushed = false;
  while (used_ < most) {
    const State from = balance_.state();
    const VecX multipliers = balance_.multipliers();
    const int before = used_;
    if (!step(mu)) {
      balance_.take(from, multipliers);
      mu *= 10;
    } else {
      const int iterations = used_ - before;
      const double way = search_.length(done_);
      if (getenv("TR")) printf("  taken mu %.3g k %d way %.3g used %d\n", mu, iterations, way, used_);
      if (way <= near && newton_rests(last)) {
        balance_.evaluate(true);
        const VecX off = pushed ? VecX() : balance_.unstable_motion();
        if (off.size() == 0) return balance_.unstable_directions() <= 0 ? Flow::rests : Flow::fails;
        pushed = true;
        balance_.move(near / search_.length(off) * off);
        mu = first;
        continue;
      }
      mu *= iterations <= 2 ? 0.02 : iterations <= 5 ? 0.1 : 0.5;
    }
    if (used_ - begin >= allowed && mu >= first) return Flow::too_stiff;
  }
  return Flow::fails;
}

// Under which things stretch by something like a tenth.
double StaticRelaxation::heavy_load() const {
  const Pattern& pattern = balance_.reduction().pattern();
  double stiffest = 0;
  for (int u = 0; u < balance_.reduction().of_body(0); ++u)
    stiffest = std::max(stiffest, std::abs(balance_.tangent().values()[pattern.slot(u, u)]) * std::pow(search_.size_of(u), 2));
  const double force = pull();
  return force > 0 ? 0.15 * stiffest / force : 0;
}

// In parts that become longer: what stretches by e under a load strays by e^2 from a straight path.
bool StaticRelaxation::lower_load(double factor, NewtonReport& last) {
  double share = 0.3;
  VecX way;
  while (used_ < most) {
    const State here = balance_.state();
    const VecX forces = balance_.multipliers();
    const double now = balance_.factor(), time = here.time;
    const double next = std::abs(share * now) > std::abs(factor) ? share * now : factor;
    ++used_;
    if (!search_.predict(next, time, way)) return false;
    balance_.move(-way);
    balance_.load(next, time);
    last = search_.at_load(std::min(8, most - used_));
    used_ += last.iterations;
    if (getenv("TR")) printf("  lower %g -> %g end %d its %d\n", now, next, (int)last.end, last.iterations);
    if (last.converged()) {
      if (next == factor) return true;
      share *= share;
    } else {
      balance_.take(here, forces);
      balance_.load(now, time);
      share = std::sqrt(share);
    }
  }
  return false;
}

NewtonReport StaticRelaxation::to_rest() {
  used_ = 0;
  NewtonReport last;
  const State from = balance_.state();
  const VecX multipliers = balance_.multipliers();
  const double factor = balance_.factor();
  balance_.evaluate(true);
  const double heavy = heavy_load();
  if (getenv("TR")) printf(" heavy %g\n", heavy);
  Flow end = flow(heavy > 10 && factor != 0 ? 10 : most, last);
  if (end == Flow::too_stiff) {
    balance_.take(from, multipliers);
    balance_.load(heavy * factor, from.time);
    end = flow(most, last);
    if (end == Flow::rests && !lower_load(factor, last)) end = Flow::fails;
    if (end == Flow::rests) {
      balance_.evaluate(true);
      if (balance_.unstable_directions() > 0) end = Flow::fails;
    }
  }
  if (end != Flow::rests) last.end = NewtonEnd::too_many_iterations;
  last.iterations = used_;
  return last;
}

}  // namespace trompo
