// How something is turned at t = 0.
#pragma once

#include <optional>

#include "trompo/math/vector.hpp"
#include "trompo/model/source.hpp"

namespace trompo {

struct OrientationInput {  // turns body axes into global axes: one of the three, or none if the axes agree
  Source source;
  std::optional<Vec3> axis;          // of any length, with
  std::optional<double> degrees;     // the angle about it, by the right hand
  std::optional<Vec<4>> quaternion;  // w, x, y, z
  std::optional<Mat3> matrix;        // its columns are the body axes

  [[nodiscard]] bool given() const { return axis || degrees || quaternion || matrix || source.line > 0; }
};

}  // namespace trompo
