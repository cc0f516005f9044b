// The wing of an aircraft as one rod in place of hinged panels. A torsion spring k between the middles of two panels, b apart,
// is the bending stiffness EI = k b of the stretch between them: n panels with k n approach the rod as n grows.
#pragma once

#include <vector>

#include "trompo/math/vector.hpp"
#include "trompo/model/aircraft_input.hpp"
#include "trompo/model/rod_input.hpp"

namespace trompo {

struct RodWing {
  struct Node {                            // lies in the plane of symmetry's axes: x forward, y along the span, z up
    Vec3 place;                            // from the middle of the centre panel, axes of the fuselage
    double roll = 0;                       // about x [rad]
    double mass = 0, chord = 0, span = 0;  // of the piece of the wing that it carries
  };
  struct Element {
    double length = 0;
    SectionStiffness stiffness;
    std::size_t hinge = 0;  // in whose place it is
  };
  std::vector<Node> nodes;        // from -y to +y
  std::vector<Element> elements;  // between them
  std::size_t per_panel = 0;

  // The node in the middle of a panel, which are counted from 0.
  [[nodiscard]] std::size_t middle(std::size_t panel) const { return per_panel * panel + per_panel / 2; }
};

// `angles` are those of the hinges at t = 0 [rad]; the rod has them as curvature, and is straight at rest.
[[nodiscard]] RodWing rod_wing(const AircraftInput& aircraft, const std::vector<double>& angles);

// Between the middles of two panels, over a hinge; of a single panel its span.
[[nodiscard]] double stretch_of(const AircraftInput& aircraft, std::size_t hinge);
// d1, d2, d3 of the rod in the axes of a panel: up, forward, along the span.
[[nodiscard]] inline Mat3 section_axes() { return Mat3{{0, 1, 0}, {0, 0, 1}, {1, 0, 0}}; }

}  // namespace trompo
