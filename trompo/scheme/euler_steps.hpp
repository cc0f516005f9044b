// Bodies that turn by Euler parameters p over a step from end to end: four unknowns a body, and p.p = 1 with a multiplier mu.
//
//   i1 M(p1) p1'' + i0 M(p0) p0'' + (1-w) g1 + w g0 = 0,    g = D^T f - Q_v + 2 p mu
//
// f is what acts on the axes d = A(p) e, and D(p) = d(A e)/dp brings it to p: d' = D(p) p', d'' = D(p) p'' + D(p') p'. Mass and
// levers depend on p, so each end keeps its own. The balance gives the shares i1, i0, w and how p1' and p1'' follow from p1.
// About a fixed point x = x_f + A(p) centre is one more axis.
#pragma once

#include "trompo/scheme/body_steps.hpp"
#include "trompo/space/euler_parameters.hpp"

namespace trompo {

class EulerSteps final : public BodySteps {
 public:
  EulerSteps(const System& system, const Rule& rule, FrameReduction& unknowns);

  void restart(const State& state, const VecX& acceleration) override;
  void take(const State& state) override;
  void memory(const Memory& memory) override;
  void keep_old(const VecX& load, VecX& force) override;
  void open(const State& state, double t1, const BodyMotion& motion) override;
  void write(const VecX& q0, const VecX& lead, VecX& q1, VecX& shift) override;
  void match_velocities(VecX& v1) override;
  void close(const FrameStep& step) override;

  [[nodiscard]] bool axes_have_masses() const override { return false; }
  void reduce_residual(const FrameStep& step, VecX& residual, VecX& size) const override;
  void place_levers(const VecX& q0, const VecX& q1) override;
  [[nodiscard]] bool place_rate_slopes() override;
  void add_tangent(const FrameStep& step, double factor, double* tangent) const override;
  [[nodiscard]] double update(const VecX& increment, double constraint_scale) override;
  [[nodiscard]] double inner_size(int multiplier) const override { return std::abs(bodies_[multiplier].now.mu); }
  [[nodiscard]] double largest_angle() const override;
  void add_energy(const FrameStep& step, StepEnergy& energy) const override;
  void write_accelerations(VecX& a) const override;

 private:
  using Vec4 = euler::Vec4;
  struct End {
    Vec4 p = Vec4::UnitX(), rate = Vec4::Zero(), acceleration = Vec4::Zero();
    double mu = 0;
  };
  struct Body {
    End old, now;
    Vec4 a = Vec4::Zero();  // of the recursion, at the old end
    Vec4 origin, rate_rest, acceleration_rest;
    Vec4 shift = Vec4::Zero();      // the unknown itself: what is taken from it does not see the rounding of p, eps/h^2
    Vec4 old_force = Vec4::Zero();  // w g0
    Vec4 old_share;                 // i0 M(p0) p0'' + w g0
  };
  void follow(Body& body) const;  // the new end to where the unknown is
  [[nodiscard]] Vec4 gather(const RigidBody& body, const Vec4& p, const VecX& frame_force) const;  // D^T f
  void place_slopes(const RigidBody& body, const Vec4& p);

  std::vector<Body> bodies_;
  Recursion recursion_;
  bool norms_known_ = true;  // are the multipliers of the norms?
  VecX old_force_;           // f of the old end on axes, loads among them
};

}  // namespace trompo
