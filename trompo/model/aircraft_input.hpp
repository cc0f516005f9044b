// A flexible aircraft as the user describes it: rigid wing panels hinged by torsion springs, on a mount. The defaults are the
// sixteen bodies of L. M. Nitardi (2018). aircraft.hpp turns it into bodies, joints and springs.
#pragma once

#include <algorithm>
#include <array>
#include <optional>
#include <string>
#include <vector>

#include "trompo/math/time_function.hpp"
#include "trompo/math/vector.hpp"
#include "trompo/model/orientation_input.hpp"
#include "trompo/model/source.hpp"

namespace trompo {

using PerPart = std::vector<double>;  // one number for all parts of a kind, or one for each
inline double of(const PerPart& values, std::size_t part) { return values.size() == 1 ? values[0] : values[part]; }

// A gust moves the base of the mount along one axis, between start and end.
struct GustInput {
  Source source;
  std::string shape = "1-cosine";  // sine, pulse (a power of a sine), 1-cosine, table
  std::string axis = "z";
  std::optional<double> amplitude;  // of the displacement [m]
  std::optional<double> frequency;  // of sine and pulse [Hz]
  std::optional<long> exponent;     // of the pulse
  double start = 0;
  std::optional<double> end;          // default: the gust goes on
  std::optional<TimeFunction> table;  // rows (t, displacement), linear between them, held at the ends
};

struct DamageInput {  // a hinge, or the stretch of a rod in its place, loses stiffness at once
  Source source;
  std::string hinge;  // "1-2": between panels 1 and 2
  double at = 0;      // [s]
  double stiffness = 0;
};

struct AircraftInput {
  Source source;
  long wings = 7;              // panels, numbered from -y to +y
  std::optional<long> centre;  // the panel on the fuselage; default: the middle one

  struct Fuselage {  // a cube
    Source source;
    double side = 1, mass = 0.1;
  } fuselage;
  struct Wing {  // thin plates
    Source source;
    PerPart chord{1}, span{1}, mass{1};  // along x, along y
    Vec3 offset = Vec3::Zero();          // of the middle of the centre panel from the top of the fuselage, its axes [m]
    std::string kind = "panels";         // or "rod": one over all panels, in place of plates and hinges
    // Of a rod:
    long elements = 4;                           // in each panel, even
    double stiffening = 1000;                    // what is rigid in a panel is so many times as stiff as its bending
    std::optional<double> EA, GA, GJ, EI_chord;  // in place of that
  } wing;
  struct Gear {  // thin plates below a panel, upright along x
    Source source;
    std::optional<PerPart> on;  // panels; default: the odd ones
    PerPart chord{1}, height{0.5}, mass{1};
    PerPart x{0}, y{0};  // of the middle of its upper edge, from the middle of the panel, along its axes [m]
  } gear;
  struct Motor {  // cylinders along x on a panel; one panel may carry several
    Source source;
    std::optional<PerPart> on;
    PerPart diameter{0.1}, length{1}, mass{0.1};
    PerPart x{0}, y{0};  // of its middle, likewise
  } motor;

  PerPart dihedral_degrees{5};        // of each hinge at t = 0: panel k + 1 against panel k, about x
  std::string pattern = "symmetric";  // of one angle for all hinges; antisymmetric: the left ones have the other sign
  PerPart hinge_stiffness{200};       // [N m/rad]
  PerPart hinge_damping{0};           // [N m s/rad]

  struct Mount {
    Source source;
    std::string kind = "springs";  // springs, rigid, free
    // For all springs, or one for each: front left, front right, rear left, rear right, of each those along x, y, z.
    PerPart stiffness{100}, length{2.5}, damping{0.1};
    std::array<bool, 3> axes{};  // along which the lower vertices are held; default: all
    [[nodiscard]] bool holds(std::size_t axis) const {
      return axes[axis] || std::none_of(axes.begin(), axes.end(), [](bool b) { return b; });
    }
    [[nodiscard]] long springs() const { return 4 * (static_cast<long>(holds(0)) + holds(1) + holds(2)); }
  } mount;

  // The fuselage at t = 0. The mount stays where it is, with unstrained springs when the fuselage is in the origin, unturned.
  Vec3 position = Vec3::Zero(), velocity = Vec3::Zero();
  Vec3 angular_velocity = Vec3::Zero();  // of the whole as one, fuselage axes [rad/s]
  OrientationInput orientation;          // of the fuselage; the panels follow it

  std::vector<GustInput> gusts;
  std::string gust_form = "base";  // base: the anchors move; fuselage: -m u'' on the fuselage alone, as published
  std::vector<DamageInput> damages;
  bool sensors = true;
  bool panel_angles = false;  // pitch and yaw of every panel too
};

}  // namespace trompo
