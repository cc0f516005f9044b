// What a step asks of the bodies in it: unknowns of their own in place of the axes of their frames.
//
// Forces and constraints know frames alone. A formulation says how frames follow from its unknowns, how a residual over frames
// comes to them, what inertia it has itself, and what it adds to the energy balance: rotation_steps.hpp, euler_steps.hpp.
#pragma once

#include <memory>
#include <vector>

#include "trompo/scheme/frame_reduction.hpp"
#include "trompo/scheme/stepper.hpp"

namespace trompo {

// Where the search for the end of a step begins: where the trend of the last step leads, where the old velocity does, or where
// the step began.
enum class Search { by_trend, by_velocity, from_rest };

// How the balance moves what has coordinates y of its own, of a rate v, an acceleration a of the recursion and y'' of the
// equations at the old end:
//   y1 = y0 + h v + lead a + shift,  y1' = slope shift + v + rate a,  y1'' = bend shift + blend_a a + blend_b y''
struct Recursion {
  double lead = 0, slope = 0, rate = 0, bend = 0, blend_a = 0, blend_b = 0;
  double per_acceleration = 1;              // a1 = shift / per_acceleration
  double new_inertia = 1, old_inertia = 0;  // shares of M y'' of both ends
};

struct BodyMotion {
  Search search = Search::by_velocity;
  double rate = 0, kappa = 1;  // in the interval: rate = 2/(kappa h)
  Recursion recursion = {};    // at the ends
};

// A step over frames as it stands. The residual is without the inertia of bodies, unless axes have masses.
struct FrameStep {
  const VecX &q0, &q1, &v0, &v1, &residual, &size;
  double constraint_scale;
};

class BodySteps {
 public:
  virtual ~BodySteps() = default;

  virtual void restart(const State& state, const VecX& acceleration) = 0;  // nothing is known of earlier steps
  virtual void take(const State& state) = 0;                               // as the old end, with what is remembered of it
  virtual void memory(const Memory& memory) = 0;
  // The force of the old end, of which the step keeps a share, as of its load: what it is on bodies is theirs to say.
  virtual void keep_old(const VecX& load, VecX& force) = 0;
  virtual void open(const State& state, double t1, const BodyMotion& motion) = 0;
  // The frames of the current unknowns, and how far they are from q0 + lead where axes have masses.
  virtual void write(const VecX& q0, const VecX& lead, VecX& q1, VecX& shift) = 0;
  virtual void match_velocities(VecX& v1) = 0;  // of frames to those of the bodies, or the other way
  virtual void close(const FrameStep& step) = 0;

  [[nodiscard]] virtual bool axes_have_masses() const = 0;  // and move by the formulas of the balance
  virtual void reduce_residual(const FrameStep& step, VecX& residual, VecX& size) const = 0;
  virtual void place_levers(const VecX& q0, const VecX& q1) = 0;  // and slopes, for a tangent
  // Slopes of the velocities of frames in the unknowns, beside those by the rates; false where there are none.
  [[nodiscard]] virtual bool place_rate_slopes() { return false; }
  // Torques in body axes and moments in space that feel rates, in the interval: those of the whole step; and what brings a
  // moment to the equations.
  virtual void push(const VecX& /*q0*/, const std::vector<Vec3>& /*torque*/, const std::vector<Vec3>& /*moment*/) {}
  virtual void bring_moments(const VecX& /*q0*/, std::vector<Mat3>& /*from_space*/) const {}
  // What terms do not know of: inertia (that of axes times a factor), and the turning of the levers themselves.
  virtual void add_tangent(const FrameStep& step, double factor, double* tangent) const = 0;
  // By how much the worst changes, relative to what it is judged by.
  [[nodiscard]] virtual double update(const VecX& increment, double constraint_scale) = 0;
  [[nodiscard]] virtual double inner_size(int /*multiplier*/) const { return 1; }  // of one of their own
  [[nodiscard]] virtual double largest_angle() const = 0;                          // of this step

  virtual void add_energy(const FrameStep& step, StepEnergy& energy) const = 0;
  [[nodiscard]] virtual double damped(double /*alpha*/) const { return 0; }  // alpha/2 dOm.J dOm, summed
  virtual void write_accelerations(VecX& /*a*/) const {}                     // of what has some of its own, at the new end
  [[nodiscard]] const std::vector<Rotation>& new_rotations() const { return new_; }

 protected:
  BodySteps(const System& system, const Rule& rule, FrameReduction& unknowns)
      : system_(&system),
        unknowns_(&unknowns),
        old_weight_(rule.kind == Rule::Kind::endpoint_average && rule.tense == Rule::Tense::ends ? rule.old_weight : 0),
        old_(system.bodies().size()),
        new_(system.bodies().size()) {}

  const System* system_;
  FrameReduction* unknowns_;
  double old_weight_;  // of the forces of the old end
  std::vector<Rotation> old_, new_;
};

}  // namespace trompo
