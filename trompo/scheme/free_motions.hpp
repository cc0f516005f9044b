// Motions that nothing resists: K x + J^T l = 0 and J x = 0, with the tangent of a balance. A mechanism has them, and what
// flies.
#pragma once

#include "trompo/scheme/static_balance.hpp"

namespace trompo {

struct FreeMotions {
  Eigen::MatrixXd motions;  // in columns, multipliers below; x^T S x = 1, and 0 between two
  VecX size;                // S, of stiffness: what an unknown that moves counts
  static constexpr int most = 64;
  static constexpr double nothing = 1e-13;  // of S: what resists by less resists nothing

  [[nodiscard]] bool any() const { return motions.cols() > 0; }
  [[nodiscard]] Eigen::Index moving() const { return size.size(); }
  // Of a force, its share that works along them; taken away from the rest.
  [[nodiscard]] double take_work(VecX& force) const;
  void take_motion(VecX& increment) const;
};

// With the tangent that was evaluated last, what is resisted by less than `softest` of S. Empty where there are more than
// `most`, as where every node is loose.
[[nodiscard]] FreeMotions free_motions(const StaticBalance& balance, double softest = FreeMotions::nothing);

// "racket along x, y and z and about x, y and z": motions of the whole first, then what moves most in each other; empty if
// there are none.
[[nodiscard]] std::string in_words(const StaticBalance& balance, const FreeMotions& free);

}  // namespace trompo
