// Coordinates y of a system whose bodies turn by Euler parameters: the free coordinates that follow no rotation, centres of
// mass among them, then four numbers p for each body.
//
//   axes         d = A(p) e: quadratic in p, so that d' = D(p) p' and d'' = D(p) p'' + D(p') p', with D(p) = d(A e)/dp
//   forces       a force f on an axis is D(p)^T f on p
//   inertia      M(p) p'' - Q_v, space/euler_parameters.hpp
//
// About a fixed point x = x_f + A(p) centre is one more axis.
#pragma once

#include <vector>

#include "trompo/scheme/frame_reduction.hpp"
#include "trompo/space/euler_parameters.hpp"

namespace trompo {

class EulerCoordinates {
 public:
  using Numbers = Eigen::Ref<const VecX>;
  using Result = Eigen::Ref<VecX>;

  explicit EulerCoordinates(const System& system);

  [[nodiscard]] int size() const { return size_; }  // of y: the unknowns that are no multiplier
  [[nodiscard]] int bodies() const { return static_cast<int>(system_->bodies().size()); }
  [[nodiscard]] const RigidBody& body(int b) const { return system_->bodies()[b]; }
  [[nodiscard]] FrameReduction& reduction() { return reduction_; }
  [[nodiscard]] const FrameReduction& reduction() const { return reduction_; }
  [[nodiscard]] int coordinate(int unknown) const { return coordinate_[unknown]; }  // that follows no rotation; -1: one of a p
  [[nodiscard]] int plain() const { return static_cast<int>(coordinate_.size()) - 4 * bodies(); }  // how many of these
  [[nodiscard]] euler::Vec4 p(int b, const Numbers& y) const { return y.segment<4>(reduction_.of_body(b)); }

  // Between frames and y.
  void read(const State& state, Result y, Result rate) const;
  void write(const Numbers& y, const Numbers& rate, VecX& q, VecX& v) const;
  void write_acceleration(const Numbers& y, const Numbers& rate, const Numbers& acceleration, VecX& a) const;
  void write_rotations(const Numbers& y, const Numbers& rate, std::vector<Rotation>& rotations) const;

  // Levers are D(p), and so are slopes, unless something else than p is said to be the unknown's own slope: D(p').
  void place_levers(const Numbers& y);
  void place_slopes(const Numbers& y);
  void gather(const VecX& frame_force, Result force) const;                       // by the levers
  void multiply_mass(const Numbers& y, const Numbers& x, Result out) const;       // M(y) x
  void velocity_force(const Numbers& y, const Numbers& rate, Result out) const;   // Q_v; zero but for bodies
  [[nodiscard]] double largest_turn(const Numbers& y0, const Numbers& y1) const;  // [rad]

  // use(first coordinate, e) for every axis A e that follows the body
  template <class Use>
  static void each_axis(const RigidBody& body, const Use& use) {
    for (int k = 0; k < 3; ++k) use(body.first + 3 + 3 * k, Vec3(Vec3::Unit(k)));
    if (body.fixed_point) use(body.first, body.centre);
  }

 private:
  const System* system_;
  FrameReduction reduction_;
  int size_;
  std::vector<int> coordinate_;
};

}  // namespace trompo
