#include "trompo/run/static_record.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trompo/run/finite.hpp"

namespace trompo {

namespace {

const Scheme& placeholder() {  // of what records; nothing of it is used
  static const Scheme scheme = make_scheme(catalogue().front().name);
  return scheme;
}

}  // namespace

StaticRecord::StaticRecord(const Model& model, const System& system, std::span<Observer* const> observers, StaticResult& result)
    : model_(model), system_(system), observers_(observers), result_(result), sensors_(model, system), bending_(model) {
  result.run.sensor_names = sensors_.names();
  result.run.acceleration.setZero(system.coordinates());
  values_.resize(sensors_.names().size());
  reaction_.setZero(system.coordinates());
}

void StaticRecord::begin(long planned, const State& from) {
  result_.run.not_unique = joints_not_unique(system_, from);
  for (Observer* observer : observers_)
    observer->begin(
        {model_, system_, placeholder(), result_.run.sensor_names, planned, axis_of(model_.statics), result_.run.not_unique});
}

std::string StaticRecord::add(long step, int iterations, int unstable, const StaticBalance& balance) {
  point_.factor = balance.factor();
  point_.unstable = unstable;
  point_.potentials = system_.potentials(balance.state().q);
  point_.potentials.gravity *= point_.factor;
  point_.potentials.loads *= point_.factor;
  for (int c = 0; c < system_.coordinates(); ++c) reaction_[c] = system_.equation()[c] >= 0 ? 0.0 : balance.frame_residual()[c];
  sensors_.read({balance.state(), reaction_, balance.multipliers(), balance.multipliers(), result_.run.acceleration}, values_);
  RunResult& run = result_.run;
  const double axis = model_.statics.method == "arc-length" ? static_cast<double>(step) : point_.factor;
  const Sample now{step,
                   axis,
                   system_,
                   balance.state(),
                   run.acceleration,
                   reaction_,
                   balance.multipliers(),
                   balance.multipliers(),
                   balance.constraint_errors(),
                   none_,
                   none_,
                   run.ledger,
                   run.momentum,
                   values_,
                   iterations,
                   balance.largest_error(),
                   0,
                   &point_};
  if (std::string what = not_finite(now, sensors_.names()); !what.empty()) return what;

  run.steps = step;
  run.state = balance.state();
  run.constraint_error_max = std::max(run.constraint_error_max, balance.largest_error());
  run.sensors.resize(values_.size());
  for (std::size_t i = 0; i < values_.size(); ++i) step == 0 ? run.sensors[i].open(values_[i]) : run.sensors[i].add(values_[i]);
  result_.found = true;
  result_.factor = point_.factor;
  result_.multipliers = balance.multipliers();
  result_.potentials = point_.potentials;
  result_.unstable = unstable;
  bending_.see(balance.state().rotations);
  for (Observer* observer : observers_) {
    if (step > 0) observer->step(step);
    observer->sample(now);
  }
  return {};
}

void StaticRecord::stability_changes(int before, int after, double from, double to, bool branches,
                                     std::optional<double> bifurcation) {
  if (bifurcation) result_.bifurcation_points.push_back(*bifurcation);
  result_.remarks.push_back(
      fmt::format("the equilibrium {} stability between load factors {:.6g} and {:.6g}{}{}", after > before ? "loses" : "gains",
                  from, to, bifurcation ? fmt::format(": bifurcation point at load factor {:.9g}", *bifurcation) : "",
                  branches ? "; another path branches off there, which is not followed" : ""));
}

void StaticRecord::moved_freely(const std::string& what, double factor) {
  result_.remarks.push_back(fmt::format("at load factor {:.6g} nothing resists {}: it moved to where it comes to rest", factor,
                                        what.empty() ? "the load" : what));
}

void StaticRecord::limit_point(double factor, bool largest) {
  result_.limit_points.push_back(factor);
  result_.remarks.push_back(
      fmt::format("limit point at load factor {:.9g}: the load cannot {} further here", factor, largest ? "grow" : "fall"));
}

}  // namespace trompo
