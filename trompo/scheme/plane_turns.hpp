// Plane problems: of the three unknowns of a body's turn two are held, since the plane holds what they would move (System).
// Their rows and columns are those of the identity.
#pragma once

#include <array>
#include <vector>

#include "trompo/scheme/frame_reduction.hpp"

namespace trompo {

class PlaneTurns {
 public:
  enum class Axes { body, space };  // that the unknowns turn about
  PlaneTurns(const System& system, const FrameReduction& unknowns, Axes axes);

  [[nodiscard]] bool any() const { return !held_.empty(); }
  void hold(VecX& rows) const {
    for (const int u : held_) rows[u] = 0;
  }
  void hold(double* values) const { write(values, true); }
  // Of three numbers of a body: the rounding that would lead it out of the plane is left out.
  [[nodiscard]] Vec3 kept(std::size_t body, const Vec3& x) const {
    return normal_[body] < 0 ? x : Vec3(x[normal_[body]] * Vec3::Unit(normal_[body]));
  }
  void take_out(double* values) const { write(values, false); }  // rows and columns of zeros: of a mass

 private:
  void write(double* values, bool identity) const;
  struct Block {
    std::array<int, 9> place;  // column by column
    int normal;
  };
  std::vector<int> normal_;  // of each body; -1: it moves in space
  std::vector<int> held_;
  std::vector<Block> blocks_;
};

// The own axis of a body that the plane holds across it, of 0, 1, 2; -1: it moves in space. Likewise that of space.
[[nodiscard]] int normal_axis(const System& system, int body, PlaneTurns::Axes axes);

}  // namespace trompo
