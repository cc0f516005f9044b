#include "trompo/model/body.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "trompo/math/dense.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/range.hpp"

namespace trompo {

namespace {

using Severity = Diagnostic::Severity;

constexpr double tolerance = 1e-12;      // of a tensor, relative to its size: a thin plate is at the edge of the possible
constexpr double unit_tolerance = 1e-9;  // of what must be a rotation: round-off of typed numbers, not an angle

std::string text(double value) { return number_text(value, 12); }  // without the round-off of eigenvalues

template <class Vector>
std::string listed(const Vector& v) {
  std::string all;
  for (const double entry : v) all += (all.empty() ? "" : ", ") + number_text(entry);
  return "[" + all + "]";
}

// Why a tensor belongs to no body, or "" if it may: mass gives no negative inertia, and the largest principal value is at most
// the sum of the others, as x^2 + y^2 <= (y^2 + z^2) + (z^2 + x^2). Values below `size` times the tolerance count as zero.
std::string impossible(const Mat3& inertia, double size) {
  const Vec3 p = principal_values(inertia);
  if (p[0] < -tolerance * size) return "it has the eigenvalue " + text(p[0]);
  if (p[2] - p[1] - p[0] > tolerance * size)
    return "its principal values break the triangle inequality, " + text(p[2]) + " > " + text(p[0]) + " + " + text(p[1]);
  return "";
}

class BodyReading {
 public:
  explicit BodyReading(const BodyInput& input) : b(input), who_("body " + in_quotes(input.name)) {
    turn_ = orientation(b.orientation, {"orientation", b.orientation.source, "", who_});
    held();
    masses();
    start();
  }
  ResolvedBody body;
  std::vector<BodyRemark> remarks;

 private:
  // What a remark is about: a key of the body, and inside of it a table with a key of its own.
  struct Place {
    std::string key;
    const Source& source;
    std::string inner;
    std::string who;
    [[nodiscard]] Place in(std::string_view word) const { return {key, source, std::string(word), who}; }
  };
  void say(Severity severity, const Place& at, std::string message, std::string remedy) {
    const int line = at.source.line > 0 ? at.source.of(at.inner) : b.source.of(at.key);
    remarks.push_back({severity, at.key, line, std::move(message), std::move(remedy)});
  }
  void wrong(const Place& at, std::string message, std::string remedy) {
    say(Severity::error, at, std::move(message), std::move(remedy));
  }
  [[nodiscard]] Place key(const std::string& word) const { return {word, b.source, word, who_}; }

  // ---- how it is turned ----
  Quaternion orientation(const OrientationInput& o, const Place& at) {
    const bool by_axis = o.axis || o.degrees;
    const std::string what = "the orientation of " + at.who;
    const auto none = Quaternion::Identity();
    if (by_axis + o.quaternion.has_value() + o.matrix.has_value() > 1) {
      wrong(at, what + " is given twice", "keep one of `axis` with `degrees`, `quaternion` and `matrix`");
      return none;
    }
    if (by_axis) return axis_and_degrees(o, at, what);
    if (o.quaternion) return quaternion(*o.quaternion, at.in("quaternion"), what);
    if (o.matrix) return matrix(*o.matrix, at.in("matrix"), what);
    if (o.given()) wrong(at, what + " is empty", "give `axis` and `degrees`, `quaternion` or `matrix`, or leave it out");
    return none;
  }
  Quaternion axis_and_degrees(const OrientationInput& o, const Place& at, const std::string& what) {
    if (!o.axis || !o.degrees) {
      wrong(at, what + " has " + (o.axis ? "an `axis` but no `degrees`" : "`degrees` but no `axis`"), "give both");
      return Quaternion::Identity();
    }
    const double length = o.axis->stableNorm();
    if (length > 0) return axis_angle(*o.axis / length, *o.degrees * std::numbers::pi / 180);
    wrong(at.in("axis"), what + " turns about an axis of length zero", "give a direction, such as axis = [0, 0, 1]");
    return Quaternion::Identity();
  }
  Quaternion quaternion(const Vec<4>& q, const Place& at, const std::string& what) {
    const double length = q.stableNorm();
    if (!(length > 0)) {
      wrong(at, what + " is a quaternion of length zero", "no rotation at all is quaternion = [1, 0, 0, 0]");
      return Quaternion::Identity();
    }
    const Vec<4> unit = q / length;
    if (std::abs(length - 1) > unit_tolerance)
      wrong(at, what + " is a quaternion of length " + number_text(length) + ", not 1",
            "the unit one is quaternion = " + listed(unit));
    return {unit[0], unit[1], unit[2], unit[3]};
  }
  Quaternion matrix(const Mat3& r, const Place& at, const std::string& what) {
    const std::string instead = "give it to 10 digits, or as `axis` and `degrees`";
    const double stretch = (r.transpose() * r - Mat3::Identity()).cwiseAbs().maxCoeff<Eigen::PropagateNaN>();
    if (!(stretch <= unit_tolerance))
      wrong(at, what + " is no rotation: its columns miss being orthonormal by " + text(stretch), instead);
    else if (r.determinant() < 0)
      wrong(at, what + " is a reflection: its determinant is -1", "right-handed axes need 1: turn one column round");
    else
      return to_quaternion(r);
    return Quaternion::Identity();
  }

  // ---- where it is held ----
  void held() {
    const auto not_with_fixed_point = [this](const char* word, const char* instead) {
      wrong(key(word), who_ + " has both `fixed_point` and `" + word + "`", instead);
    };
    if (!b.fixed_point) {
      if (b.centre)
        wrong(key("centre"), who_ + " has a `centre` but no fixed point to count it from",
              "add `fixed_point`, or leave it out: body axes begin in the centre of mass");
      return;
    }
    if (b.position) not_with_fixed_point("position", "keep the fixed point: `centre` says where the centre of mass is");
    if (b.velocity) not_with_fixed_point("velocity", "keep the fixed point: `angular_velocity` says how the body moves");
  }

  // ---- what it weighs ----
  void masses() {
    const bool parts = !b.parts.empty() || b.source.keys.contains("parts");
    std::vector<std::string> given;
    if (b.inertia) given.emplace_back("inertia");
    if (b.shape.given()) given.emplace_back("shape");
    if (parts) given.emplace_back("parts");
    if (given.size() > 1) wrong(key(given[1]), who_ + " has both `" + given[0] + "` and `" + given[1] + "`", "keep one");
    if (given.empty()) wrong(key(""), who_ + " has no inertia", "give it `inertia`, `shape` or `parts`");
    if (parts) {
      if (b.mass) wrong(key("mass"), who_ + " has both `mass` and `parts`", "leave out `mass`: it is the sum of the parts");
    } else if (!b.mass) {
      wrong(key(""), who_ + " has no mass", "give it `mass` [kg]");
    } else if (!(*b.mass > 0)) {
      wrong(key("mass"), "the mass of " + who_ + " is " + number_text(*b.mass), "it must be positive");
    }
    if (!remarks.empty() && std::any_of(remarks.begin(), remarks.end(), [](const BodyRemark& r) {
          return r.key.empty() || r.key == "mass" || r.key == "inertia" || r.key == "shape" || r.key == "parts";
        }))
      return;  // a tensor without a mass means nothing

    body.mass = b.mass.value_or(0);
    if (b.fixed_point && b.centre) body.centre = *b.centre;
    if (b.inertia)
      inertia(*b.inertia);
    else if (parts)
      sum_of_parts();
    else
      body.inertia = shape(b.shape, body.mass, {"shape", b.shape.source, "", who_});
    if (!b.inertia && b.fixed_point) body.inertia += parallel_axes(body.mass, body.centre);
    if (!b.inertia) thin();
  }
  void inertia(const Mat3& given) {
    const Place at = key("inertia");
    body.inertia = symmetric(given, at);
    if (!possible(body.inertia, at)) return;
    const double size = body.inertia.cwiseAbs().maxCoeff(), least = principal_values(body.inertia)[0];
    if (!in_range(at)) return;
    if (!(least > tolerance * size))
      return wrong(
          at, "the inertia of " + who_ + " is not positive definite: it has the eigenvalue " + text(least),
          "nothing would determine its spin about that axis; give a thin rod its thickness, as shape = { cylinder = [radius, "
          "length] }");
    if (!b.fixed_point) return;
    // Impossible about the centre of mass only: the equations about the fixed point never see that tensor.
    const std::string why = impossible(body.inertia - parallel_axes(body.mass, body.centre), size);
    if (!why.empty())
      say(Severity::warning, at, "the inertia of " + who_ + " about its centre of mass is that of no possible body: " + why,
          "with a shorter `centre` and more `mass`, their product kept, it moves the same and can be possible");
  }
  Mat3 symmetric(const Mat3& inertia, const Place& at) {
    Eigen::Index i = 0, j = 0;
    const double asymmetry = (inertia - inertia.transpose()).cwiseAbs().maxCoeff(&i, &j);
    if (i > j) std::swap(i, j);
    const auto entry = [&inertia](Eigen::Index row, Eigen::Index column) {
      return "row " + std::to_string(row + 1) + ", column " + std::to_string(column + 1) + " is " +
             number_text(inertia(row, column));
    };
    if (!(asymmetry <= tolerance * inertia.cwiseAbs().maxCoeff()))
      wrong(at, "the inertia of " + at.who + " is not symmetric: " + entry(i, j) + ", but " + entry(j, i),
            "write the same number in both places");
    return 0.5 * inertia + 0.5 * inertia.transpose();
  }
  bool possible(const Mat3& inertia, const Place& at) {
    const std::string why = impossible(inertia, inertia.cwiseAbs().maxCoeff());
    if (why.empty()) return true;
    if (why.starts_with("it has"))
      wrong(at, "the inertia of " + at.who + " is not positive definite: " + why,
            "principal values are positive; check the numbers off the diagonal");
    else if (b.allow_impossible)
      say(Severity::warning, at, "the inertia of " + at.who + " is that of no possible body: " + why,
          "taken as it stands, as allow_impossible = true says");
    else
      wrong(at, "the inertia of " + at.who + " is that of no possible body: " + why,
            "the largest may be at most the sum of the others; check the numbers and the point they are about, or insist with "
            "allow_impossible = true");
    return b.allow_impossible && !why.starts_with("it has");
  }
  Mat3 shape(const ShapeInput& s, double mass, const Place& at) {
    const int given =
        s.box.has_value() + s.plate.has_value() + s.cylinder.has_value() + s.sphere.has_value() + s.rod.has_value();
    const std::string one = "give one of box, plate, cylinder, sphere, rod";
    if (given == 0) wrong(at, "the shape of " + at.who + " is empty", one);
    if (given > 1) wrong(at, at.who + " has more than one shape", one + "; several bodies in one are `parts`");
    const double least = std::min({s.box ? s.box->minCoeff() : 1, s.plate ? s.plate->minCoeff() : 1,
                                   s.cylinder ? s.cylinder->minCoeff() : 1, s.sphere.value_or(1), s.rod.value_or(1)});
    if (!(least > 0)) wrong(at, "a size of the shape of " + at.who + " is " + number_text(least), "sizes must be positive");
    return given == 1 ? shape_inertia(s, mass) : Mat3(Mat3::Zero());
  }
  void sum_of_parts() {
    if (b.parts.empty()) return wrong(key("parts"), who_ + " has a list of parts without a part", "give it one");
    std::vector<Mat3> inertias;
    Vec3 moment = Vec3::Zero();
    for (std::size_t i = 0; i < b.parts.size(); ++i) {
      const PartInput& p = b.parts[i];
      const std::string who = "part " + std::to_string(i + 1) + " of " + who_;
      const Place at{"parts", p.source, "", who};
      if (!(p.mass > 0)) wrong(at.in("mass"), "the mass of " + who + " is " + number_text(p.mass), "it must be positive");
      if (p.inertia && p.shape.given()) wrong(at.in("shape"), who + " has both `inertia` and `shape`", "keep one");
      if (!p.inertia && !p.shape.given())
        wrong(at, who + " has no inertia", "give it `inertia` or `shape`; a point mass has inertia = [0, 0, 0]");
      Mat3 own = Mat3::Zero();
      if (p.inertia) {
        own = symmetric(*p.inertia, at.in("inertia"));
        (void)possible(own, at.in("inertia"));
      } else if (p.shape.given()) {
        own = shape(p.shape, p.mass, at.in("shape"));
      }
      const bool own_lines = p.orientation.source.line > 0;
      const Mat3 turn = to_matrix(
          orientation(p.orientation, own_lines ? Place{"parts", p.orientation.source, "", who} : at.in("orientation")));
      inertias.emplace_back(turn * own * turn.transpose());
      body.mass += p.mass;
      moment += p.mass * p.position;
    }
    const Vec3 centre = moment / body.mass;
    for (std::size_t i = 0; i < b.parts.size(); ++i)
      body.inertia += inertias[i] + parallel_axes(b.parts[i].mass, b.parts[i].position - centre);
    body.inertia = (0.5 * (body.inertia + body.inertia.transpose())).eval();
    // A part turned by a right angle has no products of inertia: rounding must not couple the axes.
    const double rounding = 1e-15 * body.inertia.trace();
    body.inertia = body.inertia.unaryExpr([rounding](double x) { return std::abs(x) < rounding ? 0.0 : x; }).eval();
    if (b.fixed_point && !b.centre) body.centre = centre;
  }
  // What sizes and parts come to may be beyond any number that may be written. Zero is another matter.
  bool in_range(const Place& at) {
    const Vec3 p = body.inertia.allFinite() ? principal_values(body.inertia) : Vec3(Vec3::Constant(body.inertia.sum()));
    for (const double value : {p[0], p[2], body.mass}) {
      if (value <= tolerance * p[2] || Range::positive.contains(value)) continue;
      wrong(at, "the mass or the inertia of " + who_ + " comes to " + text(value),
            "it must " + Range::positive.demand(value) + "; check the sizes; units are SI");
      return false;
    }
    return true;
  }
  // Shapes and parts cannot be impossible, but they can be thin, or too large for a number.
  void thin() {
    if (std::any_of(remarks.begin(), remarks.end(), [](const BodyRemark& r) { return r.key == "shape" || r.key == "parts"; }))
      return;
    const Place at = key(b.parts.empty() ? "shape" : "parts");
    if (!in_range(at)) return;
    if (principal_values(body.inertia)[0] > tolerance * body.inertia.cwiseAbs().maxCoeff()) return;
    const bool point = body.inertia.isZero(0);
    wrong(at,
          who_ + " is thin: it has no inertia about " + (point ? "any axis" : "its own axis") +
              ", and nothing would determine its spin about it",
          point ? "use a [[node]]" : "give it a thickness: shape = { cylinder = [radius, length] }, whose axis is body z");
  }

  // ---- how it starts ----
  void start() {
    body.orientation = turn_;
    body.angular_velocity = b.angular_velocity;
    if (b.fixed_point) {
      body.position = *b.fixed_point + to_space(turn_, body.centre);
      body.velocity = to_space(turn_, b.angular_velocity.cross(body.centre));
    } else {
      body.position = b.position.value_or(Vec3::Zero());
      body.velocity = b.velocity.value_or(Vec3::Zero());
    }
  }

  const BodyInput& b;
  std::string who_;
  Quaternion turn_;
};

}  // namespace

Vec3 ResolvedBody::place_of(const Vec3& point) const { return position + to_space(orientation, point); }

ResolvedBody resolve_body(const BodyInput& body) { return BodyReading(body).body; }
std::vector<BodyRemark> inspect_body(const BodyInput& body) { return BodyReading(body).remarks; }

// The formulas of any textbook, such as H. Goldstein, "Classical mechanics", chapter 5.
Mat3 shape_inertia(const ShapeInput& s, double mass) {
  Vec3 squares = Vec3::Zero();
  if (s.box) {
    const Vec3 a = s.box->cwiseAbs2() / 12;
    squares = {a.y() + a.z(), a.z() + a.x(), a.x() + a.y()};
  } else if (s.plate) {
    const Vec<2> a = s.plate->cwiseAbs2() / 12;
    squares = {a.y(), a.x(), a.x() + a.y()};
  } else if (s.cylinder) {
    const double r = (*s.cylinder)[0], l = (*s.cylinder)[1], across = r * r / 4 + l * l / 12;
    squares = {across, across, r * r / 2};
  } else if (s.sphere) {
    squares.setConstant(0.4 * *s.sphere * *s.sphere);
  } else if (s.rod) {
    const double across = *s.rod * *s.rod / 12;
    squares = {0, across, across};
  }
  return (mass * squares).asDiagonal();
}

Mat3 parallel_axes(double mass, const Vec3& c) { return mass * (c.squaredNorm() * Mat3::Identity() - c * c.transpose()); }

Vec3 principal_values(const Mat3& inertia) {
  if (!inertia.isDiagonal(0)) return symmetric_eigenvalues(inertia);
  Vec3 values = inertia.diagonal();
  std::sort(values.begin(), values.end());
  return values;
}

}  // namespace trompo
