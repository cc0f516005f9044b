// What the statements, the tables and the figures of Ferreira and Doblare have in common.
#pragma once

#include <string>
#include <vector>

#include "apps/reproduce.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

// A run with its constraint in view: the first one of the model, called phi.
class ConstrainedRun final : public Observer {
 public:
  explicit ConstrainedRun(const Model& model);  // throws if the end is not reached
  void sample(const Sample& now) override;

  System system;
  RunResult result;
  std::vector<double> times, energies, kinetic, betas, multipliers;  // of beta and multiplier the first is of no step
  std::vector<VecX> q;
  std::vector<Momentum> momenta;
  [[nodiscard]] double energy_drift() const { return (result.total.max - result.total.min) / result.ledger.scale(); }
  [[nodiscard]] double iterations() const {
    return static_cast<double>(result.iterations) / static_cast<double>(result.solves);
  }
};

// The constraint along the way from q0 to q1; of nodes and coordinates alone, all of them free.
class Chord {
 public:
  Chord(const System& system, const VecX& q0, const VecX& q1);
  [[nodiscard]] VecX gradient(double beta) const;  // over all coordinates
  [[nodiscard]] double psi(double beta) const;     // equation (16)
  [[nodiscard]] double slope(double beta) const;   // its derivative, by a central difference
  struct Root {
    double beta;
    int iterations;  // -1: it divided by zero, or did not end
  };
  [[nodiscard]] Root newton() const;  // equation (17), as printed
  [[nodiscard]] int roots() const;    // changes of sign in (0, 1)

 private:
  [[nodiscard]] double phi(const VecX& q) const;
  const System* system_;
  VecX q0_, d_;
  double change_;
};

// Newton's iteration of one step: the increments of all solves, relative, and residuals over their tolerance before each of
// them and after the last.
struct StepIterations {
  std::vector<double> residuals, increments;
};
[[nodiscard]] StepIterations iterations_of_step(const Model& model, long step);
// From three terms of a sequence of errors, the last ones that rounding has not reached; nothing if there are no three.
[[nodiscard]] double order_of_convergence(const std::vector<double>& errors, double noise);

// Change of the angular momentum in a step, as the mean-value gradient makes it.
[[nodiscard]] Vec3 predicted_moment(const ConstrainedRun& run, std::size_t step);

[[nodiscard]] Model constraint_model(const std::string& name);  // of verification/constraints
[[nodiscard]] Model with_step(Model model, double step);        // to the same end
[[nodiscard]] Model with_scheme(Model model, const std::string& scheme, const std::string& constraint_gradient);
[[nodiscard]] double distance(const ConstrainedRun& a, const ConstrainedRun& b);  // of the coordinates, the largest of the run

// Appendix A, first example: one iteration of projection and return, number by number.
class Appendix {
 public:
  explicit Appendix(const Model& model);
  [[nodiscard]] double theta(const VecX& u) const;
  [[nodiscard]] VecX gradient(const VecX& u) const;
  [[nodiscard]] VecX f(const VecX& u) const;
  [[nodiscard]] Eigen::MatrixXd jacobian(const VecX& u) const;
  [[nodiscard]] Eigen::MatrixXd whole_matrix() const;  // of the problem with multipliers, at the minimum
  // Distances from the minimum, iteration by iteration; with the curvature of the constraints in the matrix, or without as
  // printed.
  [[nodiscard]] std::vector<double> outer_errors(bool curved, int iterations) const;
  [[nodiscard]] VecX minimum() const { return minimum_from(start); }
  [[nodiscard]] int minima() const;  // that the start and its mirror images lead to

  VecX start, step, predicted;
  Eigen::MatrixXd A, tangent;
  int independent = -1;
  Eigen::MatrixXd J;  // of the return, at its start
  struct Iterate {
    VecX alpha, u, f;
  };
  std::vector<Iterate> returned;

 private:
  [[nodiscard]] Eigen::MatrixXd hessian(const VecX& u) const;
  [[nodiscard]] Eigen::MatrixXd curvature(const VecX& u, const VecX& lambda) const;
  [[nodiscard]] VecX multipliers(const VecX& u) const;
  [[nodiscard]] VecX iterated(const VecX& u, bool curved) const;
  [[nodiscard]] VecX minimum_from(VecX u) const;
  System system_;
};

[[nodiscard]] std::vector<Table> constraints_tables();
[[nodiscard]] std::vector<Figure> constraints_figures();

}  // namespace trompo
