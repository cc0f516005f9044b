// How far the elements of rods bend and twist: the worst of all that was seen, in words.
//
// A helix is exact where an element is; beyond 112 degrees from end to end it carries no more moment.
//
// An element of two nodes with quadratic strains that turns by theta from end to end has the moment EI sin(2 theta)/(2 L) = EI
// theta/L (1 - 2/3 theta^2 ...): it is too soft, and beyond 45 degrees carries no more moment. Drawn with theta0, it has EI
// (sin theta - sin theta0) cos theta / L. The share of the bend that is due to this,
//
//   E = sum(|theta - theta0| - |sin theta - sin theta0| cos theta) / sum |theta - theta0|  over the elements of a rod,
//
// is what comes out too much where a moment is given, in angles and displacements alike; forces that turn with the bend leave
// less of it. It goes by 1/n^2. With a third node the limit is 62 degrees from node to node and E of fourth order.
#pragma once

#include <cstddef>
#include <string>
#include <vector>

#include "trompo/math/vector.hpp"
#include "trompo/model/model.hpp"

namespace trompo {

// The rod that a node or an element belongs to, all by name.
[[nodiscard]] std::string rod_of(const std::string& part);

class RodBending {
 public:
  static constexpr double allowed = 0.01;  // E without a warning

  explicit RodBending(const Model& model);
  // One that has an `orientation` for every body of the model, in its order. Allocates nothing.
  template <class Bodies>
  void see(const Bodies& bodies) {
    if (elements_.empty()) return;
    for (std::size_t b = 0; b < turns_.size(); ++b) turns_[b] = bodies[b].orientation;
    see_turns();
  }
  // Passes over the worst that was seen (scheme/history.hpp).
  template <class Memory>
  void memory(const Memory& memory) {
    VecX seen(static_cast<Eigen::Index>(2 * (elements_.size() + rods_.size())));
    const auto pass = [&](auto&& use) {
      Eigen::Index i = 0;
      for (Element& e : elements_) use(seen[i++], e.angle), use(seen[i++], e.twists);
      for (Rod& rod : rods_) use(seen[i++], rod.error), use(seen[i++], rod.angle);
    };
    pass([](double& to, const auto& from) { to = static_cast<double>(from); });
    memory("bending of rods", seen);
    pass([]<class X>(const double& from, X& to) { to = static_cast<X>(from); });
  }
  // One at most of each rod; all, or those alone whose elements come near the moment they can carry.
  enum class About { all, limit };
  [[nodiscard]] std::vector<Diagnostic> warnings(About about = About::all) const;

 private:
  struct Element {
    std::vector<std::size_t> bodies;  // in the order of its axis
    Vec3 rest, rest_sine;             // the turn from end to end without stress, and what quadratic strains see of it
    double limit = 0;                 // where it carries no more moment, from node to node [degrees]
    bool soft = false;                // two nodes with quadratic strains
    std::size_t rod = 0;
    double angle = 0;  // from node to node, the largest [degrees]
    bool twists = false;
  };
  struct Rod {
    std::string name;
    int line = 0;
    std::size_t elements = 0;
    double bend = 0, excess = 0, turn = 0;  // as last seen: the two sums of E, and the largest turn of an element [rad]
    double error = 0, angle = 0;            // E at its largest, and that angle then
  };
  void see_turns();

  const Model& m;
  std::vector<Element> elements_;
  std::vector<Rod> rods_;
  std::vector<Quaternion> turns_;
};

}  // namespace trompo
