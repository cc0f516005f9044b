// Equilibria under loads that grow from nothing, and the equilibrium at the start of a run.
#pragma once

#include "trompo/run/run.hpp"

namespace trompo {

struct StaticResult {
  RunResult run;  // status, steps, state, sensors, Newton's counts; its energy balance and momenta are empty
  // Of the last equilibrium, as are state and sensors: at the factor asked for if `done`, on the way there otherwise.
  bool found = false;  // one without loads is the first
  double factor = 0;
  VecX multipliers;
  Potentials potentials;                   // of gravity and loads with the factor
  int unstable = -1;                       // directions; -1: not judged, since loads follow the motion
  std::string free;                        // motions that nothing resists there, in words; empty if there are none
  std::vector<double> limit_points;        // factors at which the path turned back, in order
  std::vector<double> bifurcation_points;  // factors at which another path branches off
  std::vector<std::string> remarks;        // what to look at: elements that bend too far, a change of stability
  [[nodiscard]] bool done() const { return run.status == Status::done; }
  [[nodiscard]] bool loaded() const { return done() || run.steps > 0; }  // an equilibrium under load was found
};

// As `statics` of the model says. Motions and loads that are functions of time are taken at t = factor * statics.time, which is
// 0 unless said otherwise. Throws ModelError for what cannot be asked; one that finds no equilibrium is a status.
[[nodiscard]] StaticResult solve_statics(const Model& model, const System& system, std::span<Observer* const> observers = {},
                                         const RunOptions& options = {});
[[nodiscard]] StaticResult solve_statics(const Model& model);  // builds the system itself

// The equilibrium under all loads of t = 0 that load steps lead to from this state, with its velocities. Throws ModelError.
[[nodiscard]] State equilibrium(const Model& model, const System& system, const State& from);

// What stands in the place of time in the results.
[[nodiscard]] std::string_view axis_of(const StaticsInput& statics);

}  // namespace trompo
