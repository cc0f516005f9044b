// The equations of one step of a top, as problems for Newton: three unknowns, residual and its exact tangent.
//
// All are written in the body axes of the old end. Two habits keep rounding from drifting: q = 2/h is the only form in which h
// enters, and the momentum of the new end is J times the velocity that will be stored, the one the next step begins with. With
// q J e for the mean momentum the energy of a free body fell by 1e-16 in every step, without fail.
#pragma once

#include "trompo/math/so3.hpp"
#include "trompo/scheme/top_schemes.hpp"

namespace trompo {

// What is known of the old end.
struct TopStart {
  TopStart(const Mat3& inertia, const AxialPotential& potential, const Rotation& state, double h)
      : J(inertia),
        V(potential),
        Om0(state.angular_velocity),
        P0(inertia * Om0),
        G(to_body(state.orientation, potential.gamma)),
        z0(G.dot(potential.E)),
        q(2 / h) {}
  Mat3 J;
  AxialPotential V;
  Vec3 Om0, P0;  // P = J Om
  Vec3 G;        // gamma in body axes
  double z0, q;
};

class TopProblem {
 public:
  // Worst of what the tolerance allows, by length: the components of a body's equation depend on axes somebody chose.
  [[nodiscard]] double residual_ratio() const;
  [[nodiscard]] bool residual_at_round_off() const;

  Vec3 unknown;
  [[nodiscard]] const Vec3& residual() const { return residual_; }
  [[nodiscard]] const Mat3& tangent() const { return tangent_; }

 protected:
  TopProblem(const TopStart& start, double tolerance) : start_(start), tolerance_(tolerance) {}
  // tangent^-1 residual; not finite if there is none
  [[nodiscard]] Vec3 increment() const;

  TopStart start_;
  double tolerance_;
  Vec3 residual_ = Vec3::Zero();
  Mat3 tangent_ = Mat3::Identity();
  double size_ = 0;  // sum of the lengths of the terms
};

// Simo's three: Lam1 = Lam0 exp(Th~), Om1 = q Th - Om0, unknown Th.
//   exp(Th~) J Om1 - J Om0 + (2/q) mu e x G = 0,  e = exp(alpha Th~) E
// with mu = V'(z_alpha), and for the projection alpha = 1/2, mu = kappa (V1 - V0)/(z1 - z0). Since z1 - z0 = kappa Th . (e x G)
// exactly, the work of that torque is -(V1 - V0) for every V; for V = M g l z it is the published mu = kappa M g l.
class ExponentialProblem : public TopProblem {
 public:
  enum class Torque { fixed_point, found_point, projected };
  ExponentialProblem(const TopStart& start, double tolerance, Torque torque, double simo_alpha);
  void predict(const Vec3& rotation) { unknown = rotation; }
  // Of the points where the torque keeps the energy the nearest to 1/2 is taken, and it jumps from one side to the other where
  // both are as near, twice in every nutation. A search that goes back and forth over the jump ends if the point stays on its
  // side: with this it moves from its present place.
  void follow(double alpha) {
    follows_ = true;
    alpha_ = alpha;
  }
  void evaluate(bool tangent);
  [[nodiscard]] double solve_and_update();
  [[nodiscard]] Quaternion rotation() const { return exponential_quaternion(unknown); }
  [[nodiscard]] Vec3 velocity() const { return start_.q * unknown - start_.Om0; }
  [[nodiscard]] double alpha() const { return alpha_; }
  [[nodiscard]] double kappa() const { return RotationFactors::of_square(0.25 * unknown.squaredNorm()).a; }

 private:
  void projected_torque(const RotationFactors& half, bool tangent);
  void torque_at(double alpha, const RotationFactors& part, const RotationFactors& whole, bool tangent);

  Torque torque_;
  double alpha_;
  bool follows_ = false;
};

// Half rotations, Lam1 = Lam0 F^2: e = n sin(theta/2) is the vector of F and, with e0, the quaternion of F^2. Om1 = 2q e - Om0.
//   in body axes   q J e - J Om0 + q e x J e + (1/q) mu E x F^T G = 0
//   in space       F J Om1 - F^T J Om0 + (2/q) mu E x F^T G = 0
// with mu = (V1 - V0)/(z1 - z0): Lam1 - Lam0 = Lam_mid (F - F^T) = 2 Lam_mid e~ exactly, so z1 - z0 = 2 F^T G . (e x E) and
// energy is kept. There is no solution with |e| > 1.
class HalfRotationProblem : public TopProblem {
 public:
  enum class Balance { body, space };
  HalfRotationProblem(const TopStart& start, double tolerance, Balance balance)
      : TopProblem(start, tolerance), balance_(balance) {}
  void predict(const Vec3& rotation);
  void evaluate(bool tangent);
  [[nodiscard]] double solve_and_update();
  [[nodiscard]] Quaternion rotation() const;
  [[nodiscard]] Vec3 velocity() const { return 2 * start_.q * unknown - start_.Om0; }
  [[nodiscard]] bool beyond_reach() const { return outside_ > 0; }

 private:
  [[nodiscard]] double e0() const { return std::sqrt(std::max(0.0, 1 - unknown.squaredNorm())); }

  Balance balance_;
  int outside_ = 0;  // times in a row that Newton wanted |e| >= 1
};

// Mid-point rule on the equations of Euler and Poisson: Lam1 = Lam0 cay(c), c = Om_mid/q, Om1 = 2q c - Om0.
//   q J c - J Om0 + q c x J c + (1/q) mu E x (I + c~)^-1 G = 0,  mu = (V1 - V0)/(z1 - z0)
class CayleyProblem : public TopProblem {
 public:
  CayleyProblem(const TopStart& start, double tolerance) : TopProblem(start, tolerance) {}
  void predict(const Vec3& rotation) { unknown = 0.5 * rotation; }
  void evaluate(bool tangent);
  [[nodiscard]] double solve_and_update();
  [[nodiscard]] Quaternion rotation() const { return cayley_quaternion(unknown); }
  [[nodiscard]] Vec3 velocity() const { return 2 * start_.q * unknown - start_.Om0; }
};

// The point of the step at which the torque does the work -(V1 - V0): the root alpha nearest the one wanted of
// V'(z_alpha) dz_alpha/dalpha = V1 - V0. The mean value theorem has one in 0..1.
[[nodiscard]] double collocation_point(const AxialPotential& potential, const Vec3& G, const Vec3& theta, double wanted);

}  // namespace trompo
