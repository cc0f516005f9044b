#include "trompo/model/rod_axis.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <unsupported/Eigen/Splines>

#include "trompo/math/so3.hpp"

namespace trompo {

struct RodAxis::Curve {
  virtual ~Curve() = default;
  [[nodiscard]] virtual Vec3 place(double u) const = 0;
  [[nodiscard]] virtual Vec3 slope(double u) const = 0;
  [[nodiscard]] virtual bool even() const { return true; }  // u is the share of the length
  [[nodiscard]] virtual Mat3 turn(double) const { return Mat3::Identity(); }
  [[nodiscard]] virtual std::vector<double> breaks() const { return {0, 1}; }
};

namespace {

struct Line final : RodAxis::Curve {
  Line(const Vec3& a, const Vec3& b) : from(a), to(b) {}
  [[nodiscard]] Vec3 place(double u) const override { return u == 1 ? to : Vec3(from + u * (to - from)); }
  [[nodiscard]] Vec3 slope(double) const override { return to - from; }
  Vec3 from, to;
};

struct Arc final : RodAxis::Curve {
  Arc(const Vec3& a, const Vec3& via, const Vec3& b) : from(a), to(b) {
    const Vec3 u = via - a, w = b - a, n = u.cross(w);
    normal = n.normalized();
    centre = a + (u.squaredNorm() * w - w.squaredNorm() * u).cross(n) / (2 * n.squaredNorm());
    const Vec3 e1 = (a - centre).normalized(), e2 = normal.cross(e1), last = b - centre;
    angle = std::atan2(last.dot(e2), last.dot(e1));
    if (angle < 0) angle += 2 * std::numbers::pi;
  }
  [[nodiscard]] Vec3 place(double u) const override { return u == 1 ? to : Vec3(centre + turn(u) * (from - centre)); }
  [[nodiscard]] Vec3 slope(double u) const override { return angle * normal.cross(turn(u) * (from - centre)); }
  [[nodiscard]] Mat3 turn(double u) const override { return to_matrix(axis_angle(normal, u * angle)); }
  Vec3 from, to, normal, centre;
  double angle = 0;
};

// Cubic, twice smooth, by the lengths of its chords.
struct Smooth final : RodAxis::Curve {
  using Spline = Eigen::Spline<double, 3, Eigen::Dynamic>;
  explicit Smooth(const std::vector<Vec3>& points) : last(points.back()) {
    Eigen::Matrix3Xd columns(3, points.size());
    for (std::size_t i = 0; i < points.size(); ++i) columns.col(static_cast<Eigen::Index>(i)) = points[i];
    const auto degree = std::min<Eigen::Index>(3, columns.cols() - 1);
    spline = Eigen::SplineFitting<Spline>::Interpolate(columns, degree);
    knots_ = {spline.knots().begin(), spline.knots().end()};
    knots_.erase(std::unique(knots_.begin(), knots_.end()), knots_.end());
    for (std::size_t i = 1; i < knots_.size(); ++i) {
      const auto at = [&](double share) -> Vec3 {
        return spline.derivatives(knots_[i - 1] + share * (knots_[i] - knots_[i - 1]), 1).col(1);
      };
      const Vec3 begin = at(0), middle = at(0.5), end = at(1);
      slopes_.push_back({begin, -3 * begin + 4 * middle - end, 2 * begin - 4 * middle + 2 * end});
    }
  }
  [[nodiscard]] Vec3 place(double u) const override { return u == 1 ? last : Vec3(spline(u)); }
  // Asked for hundreds of times a node, and by the spline itself thirty times as long.
  [[nodiscard]] Vec3 slope(double u) const override {
    const auto next = std::upper_bound(knots_.begin() + 1, knots_.end() - 1, u);
    const double share = (u - next[-1]) / (next[0] - next[-1]);
    const auto& [c0, c1, c2] = slopes_[static_cast<std::size_t>(next - knots_.begin()) - 1];
    return c0 + share * (c1 + share * c2);
  }
  [[nodiscard]] bool even() const override { return false; }
  [[nodiscard]] std::vector<double> breaks() const override { return knots_; }
  Vec3 last;
  Spline spline;
  std::vector<double> knots_;
  std::vector<std::array<Vec3, 3>> slopes_;  // of each piece, by powers of the share of it
};

// The length between two places by Gauss' five points.
double arc_length(const auto& curve, double u0, double u1) {
  static constexpr std::array<double, 3> x{0, 0.53846931010568309, 0.90617984593866399};
  static constexpr std::array<double, 3> w{128. / 225, 0.47862867049936647, 0.23692688505618909};
  const double middle = 0.5 * (u0 + u1), half = 0.5 * (u1 - u0);
  double sum = w[0] * curve.slope(middle).norm();
  for (std::size_t i = 1; i < 3; ++i)
    sum += w[i] * (curve.slope(middle - half * x[i]).norm() + curve.slope(middle + half * x[i]).norm());
  return half * sum;
}

// A frame taken along by two reflections: no turn about the tangent, to fourth order. W. Wang, B. Juettler, D. Zheng, Y. Liu,
// Computation of rotation minimizing frames, ACM Trans. Graphics 27 (2008).
Vec3 transported(const Vec3& d1, const Vec3& x0, const Vec3& t0, const Vec3& x1, const Vec3& t1) {
  const auto reflected = [](const Vec3& a, const Vec3& n) -> Vec3 {
    const double square = n.squaredNorm();
    return square > 0 ? Vec3(a - 2 * n.dot(a) / square * n) : a;
  };
  const Vec3 n = x1 - x0, across = reflected(d1, n), t = reflected(t0, n);
  const Vec3 moved = reflected(across, t1 - t);
  return (moved - moved.dot(t1) * t1).normalized();
}

Mat3 frame_of(const Vec3& d1, const Vec3& d3) {
  Mat3 frame;
  frame << d1, d3.cross(d1), d3;
  return frame;
}

Vec3 across(const Vec3& tangent) { return std::abs(tangent.z()) < 0.9 ? Vec3::UnitZ() : Vec3::UnitX(); }

}  // namespace

RodAxis::RodAxis(const Vec3& from, const Vec3& to, const std::optional<Vec3>& via) {
  const Vec3 u = via.value_or(from) - from, w = to - from, n = u.cross(w);
  curved_ = via && n.norm() > 1e-9 * u.norm() * w.norm();
  if (curved_) {
    const auto arc = std::make_shared<Arc>(from, *via, to);
    length_ = arc->angle * (to - arc->centre).norm();
    preferred_ = arc->normal;
    curve_ = arc;
  } else {
    length_ = w.norm();
    curve_ = std::make_shared<Line>(from, to);
  }
  tangent_ = curve_->slope(0).normalized();
  if (!curved_) preferred_ = across(tangent_);
}

RodAxis::RodAxis(const std::vector<Vec3>& points) {
  if (points.size() == 2) {
    *this = RodAxis(points[0], points[1], std::nullopt);
    return;
  }
  const auto smooth = std::make_shared<Smooth>(points);
  constexpr int parts = 32;
  const std::vector<double> breaks = smooth->breaks();
  for (std::size_t i = 1; i < breaks.size(); ++i)
    for (int k = 0; k < parts; ++k) {
      const double step = (breaks[i] - breaks[i - 1]) / parts;
      length_ += arc_length(*smooth, breaks[i - 1] + k * step, breaks[i - 1] + (k + 1) * step);
    }
  curved_ = true;
  curve_ = smooth;
  tangent_ = smooth->slope(0).normalized();
  preferred_ = across(tangent_);
}

std::vector<RodAxis::Station> RodAxis::stations(long intervals, const std::optional<Vec3>& orientation, double twist) const {
  const Vec3 towards = orientation.value_or(preferred_);
  Vec3 d1 = (towards - towards.dot(tangent_) * tangent_).normalized();
  const Mat3 first = frame_of(d1, tangent_);
  std::vector<Station> out;
  const auto add = [&](long i, double u, const Mat3& frame) {
    const double angle = twist * static_cast<double>(i) / static_cast<double>(intervals);
    const Mat3 turned = angle == 0 ? frame : Mat3(to_matrix(axis_angle(frame.col(2), angle)) * frame);
    out.push_back({curve_->place(u), turned});
  };
  if (curve_->even()) {
    for (long i = 0; i <= intervals; ++i) {
      const double share = static_cast<double>(i) / static_cast<double>(intervals);
      add(i, share, curve_->turn(share) * first);
    }
    return out;
  }
  const long parts = std::max(4L, 2000 / intervals);  // between two stations: the transport is exact to about 1e-12
  const double step = length_ / static_cast<double>(intervals * parts);
  double u = 0;
  Vec3 x = curve_->place(0), t = tangent_;
  add(0, 0, first);
  for (long i = 1; i <= intervals; ++i) {
    for (long k = 1; k <= parts; ++k) {
      double next = std::min(1.0, u + step / curve_->slope(u).norm());
      for (int turn = 0; turn < 4; ++turn) {
        const double missing = step - arc_length(*curve_, u, next);
        next = std::min(1.0, next + missing / curve_->slope(next).norm());
      }
      if (i == intervals && k == parts) next = 1;
      const Vec3 y = curve_->place(next), s = curve_->slope(next).normalized();
      d1 = transported(d1, x, t, y, s);
      u = next;
      x = y;
      t = s;
    }
    add(i, u, frame_of(d1, t));
  }
  return out;
}

}  // namespace trompo
