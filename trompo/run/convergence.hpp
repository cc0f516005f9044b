// The order of accuracy that a scheme shows on a model: errors at the end beside a reference solution while the step is halved,
// and whether they say what the catalogue claims or why they cannot.
#pragma once

#include "trompo/run/study.hpp"

namespace trompo {

struct ConvergencePoint {
  double step;
  double error;  // `distance` to the reference; NaN if the end was not reached
  double order;  // from this halving; NaN for the first
  Status status;
  long retries;  // steps that had to be halved on the way
  [[nodiscard]] bool done() const { return status == Status::done; }
};

struct Convergence {
  std::string label;
  std::string refused{};       // why the scheme does not fit the model, then there are no points
  std::optional<int> claim{};  // of the catalogue
  std::vector<ConvergencePoint> points{};
  std::optional<double> order{};  // of the finest halving whose errors are larger than those of the reference
  enum class Verdict {
    confirmed,    // within 0.1 of the claim
    no_claim,     // there is nothing to confirm
    not_judged,   // something stands between the scheme and its order: `reason`
    contradicted  // nothing known does
  };
  Verdict verdict = Verdict::not_judged;
  std::string reason{};  // for whatever is not confirmed
};
[[nodiscard]] std::string_view word(Convergence::Verdict);

[[nodiscard]] Convergence converge(const Model& model, const System& system, const Contender& contender,
                                   const ReferenceSolution& reference, int halvings, const RunOptions& options = {},
                                   Observer* watcher = nullptr);

}  // namespace trompo
