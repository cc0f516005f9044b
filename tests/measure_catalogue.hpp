// Every measure there is, with random states in its domain. Properties of measures and of rules go through it while they run.
#pragma once

#include <memory>
#include <ostream>
#include <span>
#include <string>
#include <vector>

#include "trompo/measure/kernel.hpp"

namespace trompo::property {

struct DrawnMeasure {
  std::shared_ptr<const void> owner;
  MeasureView view;
  double L = 1;  // natural length
};

struct MeasureKind {
  const char* name;
  DrawnMeasure (*draw)();  // inside a property
  // A bar between a third and three times its natural length; any place for what has no length.
  VecX (*state)(const DrawnMeasure&);
  double (*length)(const DrawnMeasure&, const VecX& c);  // over which it bends
  bool two_points = false;                               // a function of the distance of two points
  // A difference quotient is as good as the rounding of its values, and is left out beneath it, where a measure written by hand
  // has a closed form. Gonzalez' correction also depends on the direction of the step however short it is, so that a finite
  // difference must be much shorter than the step.
  bool quotients = false;
  int time = -1;  // the coordinate that is time: it has no equation, and the secant's slope in it is nobody's business
};

[[nodiscard]] std::span<const MeasureKind> measure_kinds();
[[nodiscard]] std::vector<MeasureKind> two_point_kinds();
[[nodiscard]] const MeasureKind& measure_kind(const std::string& name);

inline void PrintTo(const MeasureKind& kind, std::ostream* out) { *out << kind.name; }

[[nodiscard]] VecX near(const VecX& c, double distance);

}  // namespace trompo::property
