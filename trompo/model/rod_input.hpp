// Flexible rods as the user describes them, and the elements they stand for. rod.hpp turns the first into the second.
#pragma once

#include <array>
#include <optional>
#include <string>
#include <vector>

#include "trompo/math/time_function.hpp"
#include "trompo/math/vector.hpp"
#include "trompo/model/source.hpp"

namespace trompo {

// Of a section about its own axes d1 and d2; d3 is the axis of the rod.
struct SectionStiffness {
  std::optional<double> EA;               // [N]
  std::optional<std::vector<double>> GA;  // shear along d1 and d2 [N]: one number for both, or two
  std::optional<double> GJ;               // [N m^2]
  std::optional<std::vector<double>> EI;  // bending about d1 and d2 [N m^2], likewise

  [[nodiscard]] bool given() const { return EA || GA || GJ || EI; }
};

struct RodEndInput {  // a place, or a point of a body, to which the rod is then welded
  Source source;
  std::optional<Vec3> place;  // at t = 0
  std::string body;
  std::optional<Vec3> point;  // of the body, in its axes, from the centre of mass; default: the centre
};

struct MaterialInput {
  Source source;
  std::optional<double> E, G, nu;  // G or nu
  std::optional<double> density;   // [kg/m^3]

  [[nodiscard]] bool given() const { return E || G || nu || density || source.line > 0; }
};

struct SectionInput {  // one of these
  Source source;
  std::optional<double> circle;     // radius
  std::optional<Vec<2>> rectangle;  // edges along d1 and d2
  std::optional<Vec<2>> tube;       // outer and inner radius

  [[nodiscard]] bool given() const { return circle || rectangle || tube || source.line > 0; }
};

// Three numbers along a rod, each a number or a formula of s, the distance from the first end along the axis.
struct AlongRod {
  std::array<TimeFunction, 3> number{};
  std::array<std::string, 3> formula{};
};

struct RodLoadInput {  // per length; constant, or a function of time
  std::array<TimeFunction, 3> value{};
  std::array<std::string, 3> formula{};  // entries that depend on coordinates: texts, in place of the function of time
};

struct RodInput {
  Source source;
  std::string name;
  RodEndInput from, to;
  std::optional<Vec3> via;                  // the rod is the arc of a circle through this place; or
  std::optional<std::vector<Vec3>> points;  // a smooth curve through these places, ends among them; else straight
  double twist = 0;                         // of the section along the whole length, as drawn [rad]
  std::optional<Vec3> precurvature;         // of the rod without stress, about d1, d2, d3 [1/m]; default: as drawn
  long elements = 0;
  long nodes_per_element = 2;
  std::string strain;                                 // of its elements: see word_lists::rod_strains; default: by their nodes
  std::optional<Vec3> orientation;                    // d1 lies in the plane of this and the axis
  SectionStiffness stiffness;                         // and
  std::optional<double> density;                      // mass per length [kg/m], and
  std::optional<std::vector<double>> rotary_inertia;  // per length about d1 and d2 [kg m]: one number for both, or two; or
  MaterialInput material;
  SectionInput section;
  std::string mass = "lumped";           // or consistent
  RodLoadInput load;                     // [N/m], global axes
  bool potential = false;                // `load` is counted as potential
  RodLoadInput follower_load;            // [N/m], along d1, d2, d3
  RodLoadInput moment_load;              // [N m/m], about d1, d2, d3
  std::string clamped;                   // "", from, to, both: welded to the ground
  std::optional<Vec3> velocity;          // of the first end at t = 0, global axes; default: that of the body at an end
  std::optional<Vec3> angular_velocity;  // of the whole as one at t = 0, global axes; likewise
  AlongRod velocity_along, angular_velocity_along;  // of its places and sections beside that
};

// One element, between two bodies whose axes are those of the section, or three. It is unstrained as drawn, unless said
// otherwise.
struct RodElementInput {
  Source source;
  std::string name;
  std::array<std::string, 2> bodies;
  std::string middle;            // the body half-way, of an element with three nodes
  std::string strain;            // as in RodInput
  std::optional<double> length;  // along the axis of the unstrained rod; default: distance of the bodies
  SectionStiffness stiffness;
  std::optional<Vec3> precurvature;  // as in RodInput
  // Mass and rotary inertia per length that stand at the bodies as lumps: given, they are spread along the element.
  std::optional<double> density;
  std::optional<std::vector<double>> rotary_inertia;
  SectionInput section;  // for stresses

  // Of constant strain: what it says of itself, or what two nodes are unless they say otherwise.
  [[nodiscard]] bool helix() const { return strain == "helix" || (strain.empty() && middle.empty()); }
};

}  // namespace trompo
