#include "trompo/run/run_record.hpp"

#include <algorithm>
#include <string_view>
#include <unordered_map>
#include <utility>

#include "trompo/run/finite.hpp"

namespace trompo {

RunRecord::RunRecord(const Model& model, const System& system, Sensors& sensors, std::span<Observer* const> observers,
                     RunResult& result)
    : model_(model), system_(&system), sensors_(&sensors), observers_(observers), result_(result) {
  reaction_.setZero(system.coordinates());
  load_.setZero(system.coordinates());
  for (VecX* x : {&error_, &error_rate_, &constraint_size_, &rate_size_, &rate_scale_}) x->setZero(system.multipliers());
  for (int k = 0; k < system.multipliers(); ++k) given_rows_.push_back(system.constraint_name(k));
  values_.resize(sensors.names().size());
  look_at_end();
}

void RunRecord::open_ledger() {
  const Potentials p = system_->potentials(result_.state.q);
  const double kinetic = system_->kinetic(result_.state.q, result_.state.v);
  result_.ledger.open(kinetic, p);
  result_.total.open(result_.ledger.total());
  result_.kinetic.open(kinetic);
  result_.potential.open(p.sum());
}

void RunRecord::open(const Stepper& stepper) {
  result_.total.add(result_.ledger.total());
  result_.potential.add(result_.ledger.potentials().sum());
  if (const std::string what = read(stepper, !observers_.empty()); !what.empty())
    throw ModelError({{Diagnostic::Severity::error, model_.file, model_.source.line, what + " is not finite at t = 0",
                       "check sizes, velocities and formulas; units are SI"}});
  result_.momentum_initial = result_.momentum;
  result_.linear_scale = result_.momentum.linear_scale;
  result_.angular_scale = result_.momentum.angular_scale;
  note_constraint_errors();
  for (std::size_t i = 0; i < values_.size(); ++i) result_.sensors[i].open(values_[i]);
}

void RunRecord::show_start(const Stepper& stepper) {
  if (!observers_.empty()) show(stepper, 0, 0);
}

void RunRecord::change(const System& system, Sensors& sensors, double kinetic_jump) {
  look_at(system, sensors);
  result_.ledger.change(kinetic_jump, system.potentials(result_.state.q));
}

void RunRecord::look_at(const System& system, Sensors& sensors) {
  system_ = &system;
  sensors_ = &sensors;
  if (error_.size() != system.multipliers()) look_for_rows();
  look_at_end();
}

// Rows of the joints that an event has released are gone; where the others stand now goes by their names.
void RunRecord::look_for_rows() {
  for (VecX* x : {&error_, &error_rate_, &constraint_size_, &rate_size_, &rate_scale_}) x->setZero(system_->multipliers());
  std::unordered_map<std::string_view, int> now;
  for (int k = 0; k < system_->multipliers(); ++k) now[system_->constraint_name(k)] = k;
  rows_.clear();
  for (const std::string& name : given_rows_) rows_.push_back(now.contains(name) ? now[name] : -1);
}

void RunRecord::memory(const Memory& memory) {
  memory("size of constraint rates", rate_scale_);
  memory.numbers("samples", samples_, shown_);
}

void RunRecord::add(const StepReport& report) {
  result_.ledger.add(report.energy.kinetic, report.energy);
  result_.iterations += report.newton.iterations;
  ++result_.solves;
  result_.iterations_max = std::max(result_.iterations_max, report.newton.iterations);
}

std::string RunRecord::close_step(const Stepper& stepper, long step, bool last, int iterations) {
  const bool shown = !observers_.empty() && (step % model_.output.every == 0 || last);
  if (std::string what = read(stepper, shown); !what.empty()) return what;
  const Ledger& ledger = result_.ledger;
  result_.total.add(ledger.total());
  result_.kinetic.add(ledger.kinetic());
  result_.potential.add(ledger.potentials().sum());
  result_.linear_drift = std::max(result_.linear_drift, (result_.momentum.linear - result_.momentum_initial.linear).norm());
  result_.angular_drift = std::max(result_.angular_drift, (result_.momentum.angular - result_.momentum_initial.angular).norm());
  result_.linear_scale = std::max(result_.linear_scale, result_.momentum.linear_scale);
  result_.angular_scale = std::max(result_.angular_scale, result_.momentum.angular_scale);
  note_constraint_errors();
  for (std::size_t i = 0; i < values_.size(); ++i) result_.sensors[i].add(values_[i]);
  for (Observer* observer : observers_) observer->step(step);
  if (shown) show(stepper, step, iterations);
  return {};
}

void RunRecord::close(const Stepper& stepper, long step, int iterations) {
  if (iterations > 0)
    (void)close_step(stepper, step, true, iterations);  // stopped between two halves
  else if (!observers_.empty() && shown_ != step && read(stepper, true).empty())
    show(stepper, step, 0);
}

// Everything about the state as it is; what of it is not finite, by name.
std::string RunRecord::read(const Stepper& stepper, bool reactions) {
  const Momentum before = std::exchange(result_.momentum, system_->momentum(result_.state, model_.momentum_point));
  read_constraint_errors();
  if (reactions || sensors_->want_reactions() || sensors_->want_accelerations()) read_reactions(stepper);
  if (!values_.empty())
    sensors_->read({result_.state, reaction_, stepper.multipliers(), end_multiplier_, end_acceleration_}, values_);
  std::string what = not_finite(sample(stepper, 0, 0), sensors_->names());
  if (!what.empty()) result_.momentum = before;
  return what;
}

// A solver of its own, anew: it remembers pivots.
void RunRecord::look_at_end() {
  end_.reset();
  end_multiplier_.setZero(system_->multipliers());
  end_acceleration_.setZero(system_->coordinates());
  if (system_->multipliers() > 0 || sensors_->want_accelerations()) end_.emplace(*system_);
}

// Multipliers of a step belong to its middle, to its end, or alternate about what they should be: a matter of the scheme.
// Those of reactions are those of the motion at its end, with its velocities brought into the tangent of the constraints.
void RunRecord::read_reactions(const Stepper& stepper) {
  end_multiplier_ = stepper.multipliers();
  end_acceleration_ = stepper.acceleration();
  if (end_) {
    tangential_ = result_.state;
    if (end_->solve_tangential(tangential_)) {
      end_multiplier_ = end_->multipliers();
      end_acceleration_ = end_->acceleration();
    }
  }
  system_->internal_force_at(result_.state.q, result_.state.v, end_multiplier_, reaction_);
  system_->load_at(result_.state.time, result_.state.q, result_.state.v, load_);
  for (int c = 0; c < system_->coordinates(); ++c)
    reaction_[c] = system_->equation()[c] >= 0 ? 0.0 : system_->mass()[c] * stepper.acceleration()[c] + reaction_[c] - load_[c];
}

void RunRecord::read_constraint_errors() {
  error_largest_ = error_rate_largest_ = 0;
  if (system_->multipliers() == 0) return;  // an event may have released the last
  system_->constraint_errors(result_.state.q, error_, constraint_size_);
  system_->constraint_error_rates(result_.state.q, result_.state.v, error_rate_, rate_size_);
  const auto largest = [](const VecX& x, const VecX& size) {
    double most = 0;
    for (Eigen::Index k = 0; k < x.size(); ++k)
      if (x[k] != 0) most = std::max(most, std::abs(x[k]) / size[k]);
    return most;
  };
  error_largest_ = largest(error_, constraint_size_);
  // At rest a rate is noise, and so is its size: what it was before and what other rows have stand in.
  rate_scale_ = rate_scale_.cwiseMax(rate_size_);
  rate_scale_ = rate_scale_.cwiseMax(1e-3 * rate_scale_.maxCoeff());
  error_rate_largest_ = largest(error_rate_, rate_scale_);
}

void RunRecord::note_constraint_errors() {
  result_.constraint_error_max = std::max(result_.constraint_error_max, error_largest_);
  result_.constraint_rate_max = std::max(result_.constraint_rate_max, error_rate_largest_);
}

Sample RunRecord::sample(const Stepper& stepper, long step, int iterations) const {
  return {step,
          result_.state.time,
          *system_,
          result_.state,
          stepper.acceleration(),
          reaction_,
          stepper.multipliers(),
          end_multiplier_,
          error_,
          error_rate_,
          stepper.gradient_points(),
          result_.ledger,
          result_.momentum,
          values_,
          iterations,
          error_largest_,
          error_rate_largest_,
          nullptr,
          rows_};
}

void RunRecord::show(const Stepper& stepper, long step, int iterations) {  // what was read last
  shown_ = step;
  ++samples_;
  const Sample now = sample(stepper, step, iterations);
  for (Observer* observer : observers_) observer->sample(now);
}

}  // namespace trompo
