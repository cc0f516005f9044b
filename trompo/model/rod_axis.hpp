// The axis of a rod at t = 0: a line, the arc of a circle, or a smooth curve through places; with the frames along it.
#pragma once

#include <memory>
#include <optional>
#include <vector>

#include "trompo/math/vector.hpp"

namespace trompo {

class RodAxis {
 public:
  struct Curve;  // place and derivative at u = 0 .. 1
  struct Station {
    Vec3 place;
    Mat3 frame;  // d1, d2, d3
  };

  RodAxis(const Vec3& from, const Vec3& to, const std::optional<Vec3>& via);
  explicit RodAxis(const std::vector<Vec3>& points);  // two of them are a line

  [[nodiscard]] double length() const { return length_; }
  [[nodiscard]] bool curved() const { return curved_; }
  [[nodiscard]] const Vec3& tangent() const { return tangent_; }      // at the first end
  [[nodiscard]] const Vec3& preferred() const { return preferred_; }  // d1 lies in the plane of this and the tangent
  // Evenly along the axis, ends included. The frames turn no more than the axis makes them (parallel transport), and by the
  // twist about it.
  [[nodiscard]] std::vector<Station> stations(long intervals, const std::optional<Vec3>& orientation, double twist) const;

 private:
  double length_ = 0;
  bool curved_ = false;
  Vec3 tangent_ = Vec3::UnitX(), preferred_ = Vec3::UnitZ();
  std::shared_ptr<const Curve> curve_;
};

}  // namespace trompo
