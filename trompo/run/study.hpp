// Studies of one model under many schemes: how well is energy kept, how near is the solution?
#pragma once

#include <array>
#include <optional>

#include "trompo/run/reference.hpp"

namespace trompo {

struct Contender {
  std::string label;
  Scheme scheme;
};
// "gem" or "gem:rho_infinity=0.6:xi=0.1". Throws SchemeError.
[[nodiscard]] Contender contender(const std::string& text);

struct Comparison {
  std::string label;
  std::string refused;  // why the scheme does not fit the model, then nothing was run
  RunResult result;
  double energy_error = 0;          // max |E - E0 - work of loads, supports and events| / scale
  double end_error = 0;             // `distance` from the reference at the end; NaN if the end was not reached
  std::optional<double> failed_at;  // from when on it is no answer: unstable, or Newton gave up
  // Along the run, thinned to what a picture can show.
  std::vector<double> times, energy_changes;  // (E - E0 - work) / scale
  std::vector<double> iterations;             // Newton's
  std::string traced;                         // the last body, node that can move, or coordinate
  std::vector<std::array<double, 3>> path;    // its place; of a coordinate the first number
};
[[nodiscard]] Comparison compare(const Model& model, const System& system, const Contender& contender,
                                 const ReferenceSolution& reference, RunOptions options = {},
                                 std::span<Observer* const> watchers = {});

}  // namespace trompo
