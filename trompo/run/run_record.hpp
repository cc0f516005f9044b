// The energy balance and the samples of a run, kept step by step.
#pragma once

#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trompo/run/run.hpp"
#include "trompo/scheme/consistent_start.hpp"

namespace trompo {

class RunRecord {
 public:
  RunRecord(const Model& model, const System& system, Sensors& sensors, std::span<Observer* const> observers,
            RunResult& result);

  void open_ledger();                 // the energies of the model as it is given; an event at t = 0 comes after
  void open(const Stepper& stepper);  // throws ModelError where something is no number at the start
  void show_start(const Stepper& stepper);
  // After an event, which has changed the kinetic energy by so much: forces, sensors and potentials are those of the new
  // system.
  void change(const System& system, Sensors& sensors, double kinetic_jump);
  // The same without entering it: it has been passed before the run was resumed.
  void look_at(const System& system, Sensors& sensors);
  void add(const StepReport& report);  // after every converged step or part of one: the ledger misses nothing
  // After every full step. What is not finite then, by name, goes into no result; "" if all is well.
  [[nodiscard]] std::string close_step(const Stepper& stepper, long step, bool last, int iterations);
  // A run that ends early shows the state it ended in.
  void close(const Stepper& stepper, long step, int iterations);

  void memory(const Memory& memory);
  void forget_pivots() { look_at_end(); }
  [[nodiscard]] long samples() const { return samples_; }  // shown so far

 private:
  [[nodiscard]] std::string read(const Stepper& stepper, bool reactions);
  void look_for_rows();
  void look_at_end();
  void read_reactions(const Stepper& stepper);
  void read_constraint_errors();
  void note_constraint_errors();
  [[nodiscard]] Sample sample(const Stepper& stepper, long step, int iterations) const;
  void show(const Stepper& stepper, long step, int iterations);

  const Model& model_;
  const System* system_;
  Sensors* sensors_;
  std::span<Observer* const> observers_;
  RunResult& result_;
  std::optional<ConsistentStart> end_;
  State tangential_;
  VecX reaction_, load_, end_multiplier_, end_acceleration_, error_, error_rate_, constraint_size_, rate_size_, rate_scale_;
  double error_largest_ = 0, error_rate_largest_ = 0;
  std::vector<double> values_;
  std::vector<std::string> given_rows_;  // of constraints, as the run began
  std::vector<int> rows_;                // where they stand now; empty: as then
  long shown_ = -1, samples_ = 0;
};

}  // namespace trompo
