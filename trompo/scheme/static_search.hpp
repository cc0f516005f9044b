// Newton's search for an equilibrium: at a given load factor, or at a given distance along the path.
//
// Along the path the factor is an unknown too, and the increment stays in a plane across the direction t of the path:
// W t . D = s, D the increment since the last equilibrium (E. Riks, J. Appl. Mech. 39, 1972). W weighs displacements by the
// size of the model and turns by one, and multipliers not at all; the factor has no part in it, so that a limit point is passed
// like any other.
#pragma once

#include "trompo/math/newton.hpp"
#include "trompo/scheme/free_motions.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

class StaticSearch {
 public:
  StaticSearch(StaticBalance& balance, const NewtonOptions& options);

  [[nodiscard]] bool balanced();                                                     // as it stands
  [[nodiscard]] NewtonReport at_load() { return at_load(options_.max_iterations); }  // at the factor of the balance
  [[nodiscard]] NewtonReport at_load(int iterations);

  // The direction of the path at an equilibrium, du/dp, and its length by W; false where the tangent is singular.
  [[nodiscard]] bool find_direction(VecX& direction, double& length);
  // The way from this equilibrium to that at another load, by the tangent here; false where it is singular, and
  // where the load works along a motion that nothing resists.
  [[nodiscard]] bool predict(double factor, double time, VecX& way);
  // From an equilibrium, where the direction has unit length and the factor grows by `slope` along it.
  [[nodiscard]] NewtonReport along_path(const VecX& direction, double slope, double arc, double time);
  [[nodiscard]] double product(const VecX& a, const VecX& b) const { return a.dot(weight_.cwiseProduct(b)); }
  [[nodiscard]] const VecX& increment() const { return done_; }  // D of the last search
  [[nodiscard]] double length(const VecX& a) const { return std::sqrt(product(a, a)); }
  [[nodiscard]] double distance() const { return length(done_); }

  // The stiffness nearest to zero on the constraints, motions that nothing resists left out: it is zero in a bifurcation.
  [[nodiscard]] double least_stiffness();
  [[nodiscard]] Eigen::Index free_motion_count() const { return free_.motions.cols(); }  // of the last tangent
  [[nodiscard]] StaticBalance& balance() { return balance_; }
  [[nodiscard]] const VecX& weight() const { return weight_; }  // W
  [[nodiscard]] double size_of(int u) const {
    return u < balance_.reduction().of_body(0) ? balance_.system().coordinate_scale(balance_.reduction().coordinate(u)) : 1;
  }
  [[nodiscard]] std::vector<Imbalance> imbalances(std::size_t most) const;
  // After a search that failed, where one part is to blame: its name.
  [[nodiscard]] const std::string& culprit() const { return culprit_; }

  // --- for newton() ---
  void evaluate(bool tangent) { balance_.evaluate(tangent); }
  [[nodiscard]] double residual_ratio() const;
  [[nodiscard]] bool residual_at_round_off();
  [[nodiscard]] double solve_and_update();

 private:
  // Motions that nothing resists are left out: Newton does not move along them, and what works along them stays.
  [[nodiscard]] bool factorise();
  void solve(VecX& b);
  [[nodiscard]] bool works(VecX force) const;     // along a motion that nothing resists
  [[nodiscard]] bool at_round_off(double noise);  // in rows that are no constraints, beside that of their own unknowns
  [[nodiscard]] NewtonReport search(int iterations);
  StaticBalance& balance_;
  NewtonOptions options_;
  VecX weight_, increment_, by_load_, done_, direction_;
  VecX before_;  // places where the search began
  FreeMotions free_;
  double arc_ = 0, time_ = 0;
  bool on_path_ = false;
  std::string culprit_;
};

}  // namespace trompo
