#include "trompo/scheme/static_search.hpp"

#include "trompo/scheme/contradiction.hpp"

namespace trompo {

StaticSearch::StaticSearch(StaticBalance& balance, const NewtonOptions& options) : balance_(balance), options_(options) {
  const int n = balance.reduction().unknowns();
  for (VecX* x : {&weight_, &increment_, &by_load_, &done_, &direction_}) x->setZero(n);
  balance.rows().tolerance = options.tolerance;
  const int turns = balance.reduction().of_body(0);
  for (int u = 0; u < balance.moving(); ++u) {
    const double scale = u < turns ? balance.system().coordinate_scale(balance.reduction().coordinate(u)) : 1;
    weight_[u] = 1 / (scale * scale * balance.moving());
  }
}

double StaticSearch::residual_ratio() const { return balance_.rows().worst_ratio(); }

bool StaticSearch::at_round_off(double noise) {
  ResidualRows& rows = balance_.rows();
  for (int u = 0; u < rows.rows(); ++u) rows.unknown_size[u] = balance_.unknown_size(u);
  return rows.at_round_off(balance_.tangent(), noise);
}

// A body that joints alone hold has no stiffness of its own. Their forces are what the rest of the model leaves them, and as
// uncertain as the stiffest of its equations, however small they are.
bool StaticSearch::residual_at_round_off() {
  if (at_round_off(0)) return true;
  return balance_.system().multipliers() > 0 && at_round_off(balance_.rows().largest_round_off());
}

bool StaticSearch::balanced() {
  balance_.evaluate(true);
  return residual_ratio() <= 1 || at_round_off(0);
}

bool StaticSearch::factorise() {
  constexpr double rounding = 1e-14;
  LinearSolver& tangent = balance_.tangent();
  free_ = {};
  if (tangent.factorise() && tangent.pivot_ratio() > rounding) return true;
  free_ = free_motions(balance_);
  if (!free_.any()) return false;
  const Pattern& pattern = balance_.reduction().pattern();
  for (int u = 0; u < balance_.moving(); ++u) tangent.values()[pattern.slot(u, u)] += FreeMotions::nothing * free_.size[u];
  return tangent.factorise();
}

void StaticSearch::solve(VecX& b) {
  if (free_.any()) (void)free_.take_work(b);
  balance_.tangent().solve(b);
  if (free_.any()) free_.take_motion(b);
}

double StaticSearch::solve_and_update() {
  constexpr double no_number = std::numeric_limits<double>::quiet_NaN();
  if (!factorise()) return no_number;
  increment_ = balance_.residual();
  solve(increment_);
  balance_.rows().unreachable = balance_.tangent().unreachable();
  double change = 0;  // of the factor
  if (on_path_) {
    by_load_ = balance_.load_slope();
    solve(by_load_);
    change = (product(direction_, done_ - increment_) - arc_) / product(direction_, by_load_);
    increment_ += change * by_load_;
  }
  if (!increment_.allFinite()) return no_number;
  const int turns = balance_.reduction().of_body(0), moving = balance_.moving();
  double worst = 0, largest_turn = 0;
  for (int u = 0; u < moving; ++u) {
    worst = std::max(worst, std::abs(increment_[u]) / balance_.unknown_size(u));
    if (u >= turns) largest_turn = std::max(largest_turn, std::abs(increment_[u]));
  }
  // Far away the tangent says little: nothing turns by more than this at once.
  constexpr double far = 0.5;
  if (!on_path_ && largest_turn > far) increment_ *= far / largest_turn;
  balance_.move(increment_);
  done_ -= increment_;
  if (on_path_) {
    balance_.load(balance_.factor() + change, time_);
    worst = std::max(worst, std::abs(change) / std::max(1.0, std::abs(balance_.factor())));
  }
  return worst;
}

NewtonReport StaticSearch::search(int iterations) {
  NewtonOptions options = options_;
  options.max_iterations = iterations;
  NewtonReport report = newton(*this, options);
  culprit_ = report.converged() ? contradiction_at(balance_.system(), balance_.state().q) : "";
  if (!culprit_.empty()) report.end = NewtonEnd::constraint_open;
  if (!report.converged()) return report;
  // An equilibrium with a pole on the way to it is on no path from here.
  if (const std::string* part = balance_.system().undefined_between(before_, balance_.state().q)) {
    culprit_ = *part;
    report.end = NewtonEnd::outside_domain;
  }
  return report;
}

NewtonReport StaticSearch::at_load(int iterations) {
  on_path_ = false;
  done_.setZero();
  before_ = balance_.state().q;
  return search(iterations);
}

// Against the largest terms of the equations.
bool StaticSearch::works(VecX force) const {
  const double all = std::sqrt(force.head(balance_.moving()).cwiseAbs2().cwiseQuotient(free_.size).sum());
  return free_.take_work(force) > 1e-9 * all;
}

bool StaticSearch::find_direction(VecX& direction, double& length) {
  balance_.evaluate(true);
  if (!factorise()) return false;
  direction = -balance_.load_slope();
  if (free_.any() && works(direction)) return false;
  solve(direction);
  length = std::sqrt(product(direction, direction));
  return direction.allFinite() && length > 0;
}

double StaticSearch::least_stiffness() {
  constexpr int times = 12;
  const int n = balance_.moving();
  balance_.evaluate(true);
  if (!factorise()) return 0;
  const VecX size = balance_.stiffness_sizes();
  VecX x = VecX::Zero(balance_.reduction().unknowns());
  for (int u = 0; u < n; ++u) x[u] = std::sin(1.0 + 7.0 * u) / std::sqrt(size[u]);
  double least = 0;
  for (int i = 0; i < times; ++i) {
    x /= std::sqrt(x.head(n).cwiseAbs2().dot(size));
    VecX y = VecX::Zero(x.size());
    y.head(n) = size.cwiseProduct(x.head(n));
    solve(y);
    least = 1 / x.head(n).dot(size.cwiseProduct(y.head(n)));
    x = y;
    if (!x.allFinite()) return 0;
  }
  return least;
}

bool StaticSearch::predict(double factor, double time, VecX& way) {
  const double here = balance_.factor(), now = balance_.state().time;
  balance_.evaluate(true);
  if (!factorise()) return false;
  way = balance_.residual();
  balance_.load(factor, time);
  balance_.evaluate(false);
  way -= balance_.residual();
  balance_.load(here, now);
  balance_.evaluate(false);
  if (free_.any() && works(way)) return false;
  solve(way);
  return way.allFinite();
}

NewtonReport StaticSearch::along_path(const VecX& direction, double slope, double arc, double time) {
  on_path_ = true;
  direction_ = direction;
  arc_ = arc;
  time_ = time;
  done_ = arc * direction;
  increment_ = -done_;
  before_ = balance_.state().q;
  balance_.move(increment_);
  balance_.load(balance_.factor() + arc * slope, time);
  return search(options_.max_iterations);
}

std::vector<Imbalance> StaticSearch::imbalances(std::size_t most) const {
  // Rows of a plane that nothing leaves hold rounding alone.
  const ResidualRows& rows = balance_.rows();
  return rows.worst(
      most, balance_.constraint_scale(), [this](int unknown) { return balance_.reduction().name(unknown); },
      1e-6 * rows.tolerance * rows.size.maxCoeff());
}

}  // namespace trompo
