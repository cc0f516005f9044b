#include "trompo/run/load_path.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <functional>

namespace trompo {

namespace {

// Where a function changes its sign between `low` and `high`, at which it is `at_low` and `at_high`: false position, with the
// value at an end that stays halved (the Illinois rule). What it cannot say ends the search.
double zero_between(double low, double high, double at_low, double at_high, double close,
                    const std::function<std::optional<double>(double)>& at) {
  constexpr int times = 40;
  double x = low;
  int stays = 0;
  for (int i = 0; i < times && std::abs(high - low) > close; ++i) {
    x = at_high != at_low ? (low * at_high - high * at_low) / (at_high - at_low) : 0.5 * (low + high);
    if (!((x - low) * (x - high) < 0)) x = 0.5 * (low + high);
    const std::optional<double> value = at(x);
    if (!value || *value == 0) break;
    const bool below = *value * at_low > 0;
    const double moved = std::abs(x - (below ? low : high));
    (below ? low : high) = x;
    (below ? at_low : at_high) = *value;
    const int now = below ? 1 : -1;
    if (now == stays) (below ? at_high : at_low) *= 0.5;
    stays = now;
    if (moved < close) break;
  }
  return x;
}

}  // namespace

LoadPath::LoadPath(const Model& model, const System& system, std::span<Observer* const> observers, const RunOptions& options)
    : model_(model),
      options_(options),
      record_(model, system, observers, result),
      balance_(system),
      search_(balance_, newton_options(model)),
      check_{search_},
      relaxation_(search_) {}

void LoadPath::go(const State& from) {
  record_.begin(along_path() ? model_.statics.max_steps : model_.statics.steps, from);
  balance_.take(from, {});
  result.run.state = balance_.state();
  if (begin() && close_step(0, 0)) along_path() ? follow_path() : raise_load();
  if (result.done()) {
    balance_.evaluate(true);
    result.free = in_words(balance_, free_motions(balance_));
  }
  for (const Diagnostic& bent : record_.bending().warnings()) result.remarks.push_back(bent.message + ": " + bent.remedy);
}

// Without loads: what is prestressed comes to rest.
bool LoadPath::begin() {
  balance_.load(0, 0);
  (void)balance_.guess_multipliers();
  if (!search_.balanced()) {
    const NewtonReport report = relaxation_.to_rest();
    count_relaxation();
    if (!report.converged()) {
      explain_relaxation();
      return fail(report, 0);
    }
    balance_.settle();
  }
  balance_.evaluate(true);
  unstable_ = balance_.unstable_directions();
  return true;
}

LoadPath::Verdict LoadPath::judge_load_step(const Place& from, const VecX& ahead, bool shortest) {
  const VecX way = search_.increment();
  VecX behind;
  const bool known_here = search_.predict(from.factor, time_at(from.factor), behind);
  unstable_ = balance_.unstable_directions();
  const bool same = same_count(from.unstable, unstable_);
  const bool smooth = known_here ? check_.smooth(way, ahead, -behind) : check_.agrees(way, ahead, 2.5);
  if (smooth && same) return Verdict::good;
  if (!shortest) return Verdict::other_path;
  if (smooth) return Verdict::branch_point;
  return same && known_here && check_.corner(way, ahead, -behind) ? Verdict::good : Verdict::other_path;
}

bool LoadPath::come_to_rest(double factor, int& iterations) {
  const Place from = place();
  balance_.evaluate(true);
  const std::string loose = in_words(balance_, free_motions(balance_));
  balance_.load(factor, time_at(factor));
  const NewtonReport report = relaxation_.to_rest();
  count_relaxation();
  if (!report.converged()) {
    explain_relaxation();
    go_back(from);
    return fail(report, 0);
  }
  balance_.evaluate(true);
  unstable_ = balance_.unstable_directions();
  balance_.settle();
  iterations += report.iterations;
  record_.moved_freely(loose, from.factor);
  return true;
}

bool LoadPath::take_part(Clock& clock, double factor, int& iterations) {
  const Place from = place();
  const bool shortest = clock.level() >= options_.max_halvings;
  VecX ahead;
  if (!search_.predict(factor, time_at(factor), ahead)) return come_to_rest(factor, iterations);
  balance_.load(factor, time_at(factor));
  // Where joints alone carry, nothing resists until their forces are known.
  if (from.multipliers.isZero(0)) (void)balance_.guess_multipliers();
  NewtonReport report = search_.at_load();
  count(report.iterations);
  Verdict verdict = Verdict::other_path;
  if (report.converged()) {
    verdict = judge_load_step(from, ahead, shortest);
    if (verdict == Verdict::other_path) report.end = NewtonEnd::beyond_reach;
  }
  if (report.converged()) {
    take_over(from, verdict);
    iterations += report.iterations;
    return true;
  }
  if (shortest) explain(report, clock.part_size());
  go_back(from);
  if (shortest) {
    (void)fail(report, clock.part_size());
  } else {
    clock.halve();
    ++result.run.retries;
  }
  return false;
}

void LoadPath::raise_load() {
  const StaticsInput& s = model_.statics;
  Clock clock(s.factor / static_cast<double>(s.steps), s.steps);
  int iterations = 0;
  while (!clock.over() && !interrupted() && result.done()) {
    if (!take_part(clock, clock.next(), iterations) || !clock.advance()) continue;
    if (!close_step(clock.step(), iterations)) return;
    iterations = 0;
  }
}

// The direction of the path where it stands: that of the two which agrees with the way it came, or with the load it is to
// reach.
LoadPath::Direction LoadPath::direction_after(const VecX* way) {
  Direction out;
  double length = 0;
  out.known = search_.find_direction(out.along, length);
  if (!out.known) return out;
  out.slope = std::copysign(1 / length, way != nullptr ? search_.product(*way, out.along) : model_.statics.factor);
  out.along *= out.slope;
  return out;
}

// Along the path the load turns back at a limit point, and one direction gains or loses stability there. Any other change of
// their number is a branch point, or another path. And the load that the arc brought is what the slopes at its ends say.
LoadPath::Verdict LoadPath::judge_arc(const Place& from, const Direction& direction, double arc, bool shortest) {
  const VecX way = search_.increment();
  way_ = search_.length(way);
  onward_ = direction_after(&way);
  unstable_ = balance_.unstable_directions();
  const double s0 = direction.slope, s1 = onward_.known ? onward_.slope : s0;
  const bool follows = way_ <= 2 * arc && (!onward_.known || search_.product(way, onward_.along) >= 0.5 * way_);
  const bool foreseen = PathCheck::foreseen(balance_.factor() - from.factor, way_, s0, s1);
  const int turns = s0 * s1 < 0 ? 1 : 0;
  const bool regular = from.unstable < 0 || unstable_ < 0 || std::abs(unstable_ - from.unstable) == turns;
  if (follows && foreseen && regular) return Verdict::good;
  if (!shortest || way_ > 2 * arc) return Verdict::other_path;
  if (regular) return way_ <= PathCheck::short_way ? Verdict::good : Verdict::other_path;  // a corner
  return follows && foreseen ? Verdict::branch_point : Verdict::other_path;
}

// The end is wanted at the factor itself, between the two ends of the last arc.
NewtonReport LoadPath::land(const Place& from) {
  const int beyond = unstable_;
  balance_.load(model_.statics.factor, 0);
  NewtonReport report = search_.at_load();
  count(report.iterations);
  if (!report.converged()) return report;
  balance_.evaluate(true);
  unstable_ = balance_.unstable_directions();
  if (search_.distance() > way_ + PathCheck::rounding ||
      !(same_count(from.unstable, unstable_) || same_count(beyond, unstable_)))
    report.end = NewtonEnd::beyond_reach;
  return report;
}

NewtonReport LoadPath::one_arc(const Place& from, const Direction& direction, double arc, bool shortest) {
  NewtonReport report = search_.along_path(direction.along, direction.slope, arc, 0);
  count(report.iterations);
  if (!report.converged()) return report;
  const Verdict verdict = judge_arc(from, direction, arc, shortest);
  const auto past = [wanted = model_.statics.factor](double factor) { return (factor - wanted) * wanted >= 0; };
  const bool turns = onward_.known && onward_.slope * direction.slope < 0;
  const double limit = turns ? limit_after(from, direction, arc) : balance_.factor();
  // Where the factor was passed twice, the first time is the one that is wanted.
  if (verdict == Verdict::other_path || (turns && past(limit) && !shortest)) {
    report.end = NewtonEnd::beyond_reach;
    return report;
  }
  if (past(balance_.factor())) {
    const NewtonReport landing = land(from);
    report.iterations += landing.iterations;
    report.end = landing.end;
    if (!report.converged()) return report;
  }
  take_over(from, verdict, &direction, arc);
  if (turns && !past(limit)) record_.limit_point(limit, direction.slope > 0);
  return report;
}

void LoadPath::follow_path() {
  const StaticsInput& s = model_.statics;
  constexpr double far = 0.1;  // of an arc, unless one is given
  onward_ = direction_after(nullptr);
  double arc = 0, longest = 0;
  for (long step = 1; step <= s.max_steps; ++step) {
    if (interrupted()) return;
    const Place from = place();
    const Direction direction = onward_;
    // From where nothing resists no path leads on: with the first part of the load it comes to rest.
    VecX ahead;
    const double first = s.factor / static_cast<double>(s.steps);
    if (!direction.known && from.factor == 0 && !search_.predict(first, 0, ahead)) {
      int iterations = 0;
      if (!come_to_rest(first, iterations) || !close_step(step, iterations)) return;
      if (balance_.factor() == s.factor) return;
      onward_ = direction_after(nullptr);
      continue;
    }
    if (!direction.known) {
      NewtonReport singular;
      singular.end = NewtonEnd::singular;
      if (search_.predict(balance_.factor() + first, 0, ahead))
        account_ = "nothing moves along the path, which has no length then: method = \"load\" follows it\n";
      else
        explain(singular, 0);
      (void)fail(singular, 0);
      return;
    }
    // As long as a load step. Where it becomes softer, as a column that begins to bend, the path is longer than its beginning
    // foretold.
    const double usual = s.arc.value_or(std::min(far, std::abs(s.factor / direction.slope) / static_cast<double>(s.steps)));
    longest = std::max(longest, s.arc ? 4 * usual : std::min(far, 4 * usual));
    arc = std::min(arc == 0 ? usual : arc, longest);
    NewtonReport report;
    while (true) {
      const bool shortest = arc <= std::ldexp(0.25 * longest, -options_.max_halvings);
      report = one_arc(from, direction, arc, shortest);
      if (report.converged()) break;
      if (shortest) explain(report, arc);
      go_back(from);
      if (shortest) {
        (void)fail(report, arc);
        return;
      }
      ++result.run.retries;
      arc *= 0.5;
    }
    if (!close_step(step, report.iterations) || balance_.factor() == s.factor) return;
    constexpr double wanted = 6;  // iterations
    arc *= std::clamp(std::sqrt(wanted / report.iterations), 0.5, 1.5);
  }
  NewtonReport early;
  early.end = NewtonEnd::beyond_reach;
  account_ =
      fmt::format("the path did not reach load factor {:g} in max_steps = {} steps: it ends at {:.6g}{}\n", s.factor,
                  s.max_steps, balance_.factor(), result.limit_points.empty() ? "" : ", having turned back at a limit point");
  (void)fail(early, 0);
}

void LoadPath::go_back(const Place& place) {
  balance_.take(place.state, place.multipliers);
  balance_.load(place.factor, time_at(place.factor));
  unstable_ = place.unstable;
}

void LoadPath::take_over(const Place& from, Verdict verdict, const Direction* direction, double arc) {
  balance_.settle();
  if (!result.found || same_count(from.unstable, unstable_)) return;
  std::optional<double> bifurcation;
  if (verdict == Verdict::branch_point) bifurcation = bifurcation_after(from, direction, arc);
  record_.stability_changes(from.unstable, unstable_, from.factor, balance_.factor(), verdict == Verdict::branch_point,
                            bifurcation);
}

// The stiffness nearest to zero passes it there.
std::optional<double> LoadPath::bifurcation_after(const Place& from, const Direction* direction, double arc) {
  const Place here = place();
  double behind = search_.least_stiffness();
  const auto loose_here = search_.free_motion_count();
  go_back(from);
  double ahead = search_.least_stiffness();
  const auto loose = std::min(loose_here, search_.free_motion_count());
  // So near to zero that nothing resists: an end is the point itself.
  if (search_.free_motion_count() > loose) ahead = 0;
  if (loose_here > loose) behind = 0;
  const double load = here.factor - from.factor;
  std::optional<double> factor;
  const auto at = [&](double share) -> std::optional<double> {
    go_back(from);
    const double wanted = from.factor + share * load;
    if (direction == nullptr) balance_.load(wanted, time_at(wanted));
    const NewtonReport report =
        direction == nullptr ? search_.at_load() : search_.along_path(direction->along, direction->slope, share * arc, 0);
    count(report.iterations);
    if (!report.converged()) return std::nullopt;
    factor = balance_.factor();
    const double least = search_.least_stiffness();
    return search_.free_motion_count() > loose ? 0 : least;
  };
  constexpr double close = 1e-8;
  const double size = std::max(std::abs(from.factor), std::abs(here.factor));
  // The number of unstable directions, which found the two ends, may be late by its rounding: then it lies just before them.
  const double share = ahead != behind ? ahead / (ahead - behind) : 1;
  if (ahead * behind < 0)
    (void)zero_between(0, 1, ahead, behind, close * size / std::abs(load), at);
  else if (std::abs(share) <= 1)
    factor = from.factor + share * load;
  go_back(here);
  balance_.evaluate(true);
  return factor;
}

// The slope of the load along the path passes zero there.
double LoadPath::limit_after(const Place& from, const Direction& direction, double arc) {
  const Place here = place();
  const Direction onward = onward_;
  double factor = balance_.factor();
  const auto at = [&](double length) -> std::optional<double> {
    go_back(from);
    const NewtonReport report = search_.along_path(direction.along, direction.slope, length, 0);
    count(report.iterations);
    if (!report.converged()) return std::nullopt;
    const VecX way = search_.increment();
    const Direction there = direction_after(&way);
    if (!there.known) return std::nullopt;
    factor = balance_.factor();
    return there.slope;
  };
  // The load is flat there: a thousandth of the way is a millionth of what it brought.
  (void)zero_between(0, arc, direction.slope, onward.slope, 1e-5 * arc, at);
  go_back(here);
  balance_.evaluate(true);
  onward_ = onward;
  return factor;
}

// Each load at which an equilibrium was looked for is a search of its own.
void LoadPath::count_relaxation() {
  for (const int used : relaxation_.used_at_loads()) count(used);
}

void LoadPath::count(int iterations) {
  result.run.iterations += iterations;
  ++result.run.solves;
  result.run.iterations_max = std::max(result.run.iterations_max, iterations);
}

bool LoadPath::interrupted() {
  if (options_.stop == nullptr || !options_.stop->load(std::memory_order_relaxed)) return false;
  result.run.status = Status::interrupted;
  return true;
}

bool LoadPath::close_step(long step, int iterations) {
  balance_.evaluate(false);
  const std::string what = record_.add(step, iterations, unstable_, balance_);
  if (what.empty()) return true;
  account_ = what + " is not finite there\n";
  NewtonReport report;
  report.end = NewtonEnd::not_finite;
  return fail(report, 0);
}

}  // namespace trompo
