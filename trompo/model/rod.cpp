#include "trompo/model/rod.hpp"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <optional>

#include "trompo/model/body.hpp"

namespace trompo {

namespace {

using std::numbers::pi;

const BodyInput* body_named(const Model& model, const std::string& name) {
  const auto found = std::find_if(model.bodies.begin(), model.bodies.end(), [&](const BodyInput& b) { return b.name == name; });
  return found == model.bodies.end() ? nullptr : &*found;
}

// Where an end is at t = 0; nothing if it hangs on a body that is not there.
std::optional<Vec3> place_of(const RodEndInput& end, const Model& model) {
  if (end.body.empty()) return end.place;
  const BodyInput* body = body_named(model, end.body);
  if (body == nullptr) return {};
  return resolve_body(*body).place_of(end.point.value_or(Vec3::Zero()));
}

// The axis at t = 0: a line, or the arc of a circle from its first place by `angle` about `normal`.
struct Axis {
  Vec3 from, to;
  double length = 0;
  double angle = 0;
  Vec3 normal = Vec3::Zero(), centre = Vec3::Zero();

  Axis(const Vec3& a, const Vec3& b, const std::optional<Vec3>& via) : from(a), to(b), length((b - a).norm()) {
    if (!via) return;
    const Vec3 u = *via - a, w = b - a, n = u.cross(w);
    if (n.norm() <= 1e-9 * u.norm() * w.norm()) return;  // a line after all
    normal = n.normalized();
    const Vec3 lever = (u.squaredNorm() * w - w.squaredNorm() * u).cross(n) / (2 * n.squaredNorm());
    centre = a + lever;
    const Vec3 e1 = (a - centre).normalized(), e2 = normal.cross(e1), last = b - centre;
    angle = std::atan2(last.dot(e2), last.dot(e1));
    if (angle < 0) angle += 2 * pi;
    length = angle * last.norm();
  }
  [[nodiscard]] Vec3 tangent() const {  // at the first end
    return angle > 0 ? Vec3(normal.cross(from - centre).normalized()) : Vec3((to - from) / length);
  }
  [[nodiscard]] Quaternion turn(double share) const {
    return angle > 0 ? axis_angle(normal, share * angle) : Quaternion::Identity();
  }
  [[nodiscard]] Vec3 at(double share) const {
    return angle > 0 ? Vec3(centre + to_space(turn(share), from - centre)) : Vec3(from + share * (to - from));
  }
  [[nodiscard]] Vec3 preferred() const {  // d1 lies in the plane of this and the tangent
    if (angle > 0) return normal;
    return std::abs(tangent().z()) < 0.9 ? Vec3::UnitZ() : Vec3::UnitX();
  }
};

// G. R. Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33 (1966).
double shear_coefficient(const SectionInput& s, double nu) {
  if (s.rectangle) return 10 * (1 + nu) / (12 + 11 * nu);
  const double m = s.tube ? (*s.tube)[1] / (*s.tube)[0] : 0, a = (1 + m * m) * (1 + m * m);
  return 6 * (1 + nu) * a / ((7 + 6 * nu) * a + (20 + 12 * nu) * m * m);
}

// Saint-Venant's series for a rectangle, a >= b: a b^3/3 (1 - 192/pi^5 b/a sum tanh(n pi a/(2b))/n^5), n odd.
double torsion_constant(double a, double b) {
  if (a < b) std::swap(a, b);
  double sum = 0;
  for (int n = 1; n < 400; n += 2) sum += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
  return a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * sum);
}

// The three numbers at a place of the rod; throws FormulaError.
Vec3 along(const AlongRod& given, double s, const Model& model) {
  static constexpr std::array<std::string_view, 1> variable{"s"};
  Vec3 out;
  for (std::size_t i = 0; i < 3; ++i)
    out[static_cast<Eigen::Index>(i)] = given.formula[i].empty()
                                            ? given.number[i].value(0)
                                            : Formula(given.formula[i], variable, model.parameters).evaluate({&s, 1});
  return out;
}

}  // namespace

std::array<double, 2> both(const std::vector<double>& values) { return {values.front(), values.back()}; }

RodSection section_of(const RodInput& rod) {
  RodSection out;
  if (!rod.material.given()) {
    out.stiffness = rod.stiffness;
    out.mass = rod.density.value_or(0);
    const auto EI = both(*rod.stiffness.EI);
    for (std::size_t i = 0; i < 2; ++i)
      out.rotary[i] = rod.rotary_inertia ? both(*rod.rotary_inertia)[i] : out.mass * EI[i] / *rod.stiffness.EA;
    return out;
  }
  const MaterialInput& m = rod.material;
  const SectionInput& s = rod.section;
  const double E = *m.E, nu = m.nu ? *m.nu : E / (2 * *m.G) - 1, G = m.G ? *m.G : E / (2 * (1 + nu));
  double A = 0, I1 = 0, I2 = 0, J = 0;
  if (s.rectangle) {
    const double a = (*s.rectangle)[0], b = (*s.rectangle)[1];
    A = a * b;
    I1 = a * b * b * b / 12;
    I2 = b * a * a * a / 12;
    J = torsion_constant(a, b);
  } else {
    const double outer = s.tube ? (*s.tube)[0] : *s.circle, inner = s.tube ? (*s.tube)[1] : 0;
    A = pi * (outer * outer - inner * inner);
    I1 = I2 = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
    J = I1 + I2;
  }
  const double kGA = shear_coefficient(s, nu) * G * A;
  out.stiffness = {E * A, std::vector<double>{kGA, kGA}, G * J, std::vector<double>{E * I1, E * I2}};
  out.mass = *m.density * A;
  out.rotary = {*m.density * I1, *m.density * I2};
  return out;
}

void expand(const RodInput& rod, Model& model) {
  std::vector<Diagnostic> wrong = check_rod(rod, model);
  if (!wrong.empty()) throw ModelError(std::move(wrong));
  Source source;
  source.line = rod.source.line;
  const Axis axis(*place_of(rod.from, model), *place_of(rod.to, model), rod.via);
  const RodSection section = section_of(rod);

  Mat3 first;  // d1, d2, d3 at the first end
  first.col(2) = axis.tangent();
  const Vec3 towards = rod.orientation.value_or(axis.preferred());
  first.col(0) = (towards - towards.dot(first.col(2)) * first.col(2)).normalized();
  first.col(1) = first.col(2).cross(first.col(0));

  // As one with the body it hangs on, unless said otherwise.
  Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
  for (const RodEndInput* end : {&rod.to, &rod.from})
    if (!end->body.empty()) {
      const ResolvedBody body = resolve_body(*body_named(model, end->body));
      spin = to_space(body.orientation, body.angular_velocity);
      velocity = body.velocity + spin.cross(axis.from - body.position);
    }
  if (rod.velocity) velocity = *rod.velocity;
  if (rod.angular_velocity) spin = *rod.angular_velocity;

  const double element = axis.length / static_cast<double>(rod.elements);
  const auto node = [&](long i) { return rod.name + "." + std::to_string(i); };
  for (long i = 0; i <= rod.elements; ++i) {
    const double share = static_cast<double>(i) / static_cast<double>(rod.elements);
    const double lump = i == 0 || i == rod.elements ? 0.5 * element : element;
    const Quaternion turn = to_quaternion(Mat3(to_matrix(axis.turn(share)) * first));
    BodyInput b;
    b.source = source;
    b.name = node(i);
    b.mass = lump * section.mass;
    const Vec3 J(lump * section.rotary[0], lump * section.rotary[1], lump * (section.rotary[0] + section.rotary[1]));
    b.inertia = Mat3(J.asDiagonal());
    b.position = i == rod.elements ? axis.to : axis.at(share);
    b.orientation.quaternion = Vec<4>(turn.w(), turn.x(), turn.y(), turn.z());
    b.velocity = velocity + spin.cross(*b.position - axis.from) + along(rod.velocity_along, share * axis.length, model);
    b.angular_velocity = to_body(turn, spin + along(rod.angular_velocity_along, share * axis.length, model));
    model.bodies.push_back(std::move(b));
  }
  for (long i = 0; i < rod.elements; ++i) {
    RodElementInput e;
    e.source = source;
    e.name = node(i) + "-" + std::to_string(i + 1);
    e.bodies = {node(i), node(i + 1)};
    e.length = element;
    e.stiffness = section.stiffness;
    model.rod_elements.push_back(std::move(e));
  }
  const auto weld = [&](const char* key, const std::string& to, long i, const Vec3& at) {
    JointInput j;
    j.source = source;
    j.name = rod.name + "." + key;
    j.bodies = {to, node(i)};
    j.kind = "weld";
    j.kinds_given = 1;
    j.form.at = at;
    model.joints.push_back(std::move(j));
  };
  const bool all = rod.clamped == "both";
  if (!rod.from.body.empty() || all || rod.clamped == "from")
    weld("from", rod.from.body.empty() ? "ground" : rod.from.body, 0, axis.from);
  if (!rod.to.body.empty() || all || rod.clamped == "to")
    weld("to", rod.to.body.empty() ? "ground" : rod.to.body, rod.elements, axis.to);
}

// ---- what is wrong ----

namespace {

class RodInspection {
 public:
  RodInspection(const Model& model, const Source& source, std::string who) : m(model), s(source), who_(std::move(who)) {}

  void rod(const RodInput& r) {
    if (r.elements < 1) wrong("elements", " has no elements", "give elements = 10, say");
    end("from", r.from);
    end("to", r.to);
    clamps(r);
    material(r);
    const auto a = place_of(r.from, m), b = place_of(r.to, m);
    if (a && b) shape(r, *a, *b);
    wave("velocity_along", r.velocity_along);
    wave("angular_velocity_along", r.angular_velocity_along);
  }
  void stiffness(const SectionStiffness& k) {
    if (!k.EA || !k.GA || !k.GJ || !k.EI) {
      const char* missing = !k.EA ? "EA" : !k.GA ? "GA" : !k.GJ ? "GJ" : "EI";
      return wrong("", std::string(" has no ") + missing, "give EA, GA, GJ and EI: a rod stretches, shears, twists and bends");
    }
    pair("GA", *k.GA);
    pair("EI", *k.EI);
    for (const auto& [key, value] : {std::pair{"EA", *k.EA}, std::pair{"GJ", *k.GJ}}) positive(key, value);
  }
  void element(const RodElementInput& e) {
    for (const std::string& name : e.bodies)
      if (body_named(m, name) == nullptr) unknown("bodies", name);
    if (!found.empty()) return;
    if (e.bodies[0] == e.bodies[1]) return wrong("bodies", " joins a body to itself", "name two bodies");
    const Vec3 gap = resolve_body(*body_named(m, e.bodies[1])).position - resolve_body(*body_named(m, e.bodies[0])).position;
    if (!e.length && gap.norm() == 0) wrong("bodies", " has zero length", "move one of the bodies, or give `length`");
    if (e.length) positive("length", *e.length);
    stiffness(e.stiffness);
  }
  std::vector<Diagnostic> found;

 private:
  void wrong(std::string_view key, const std::string& message, std::string remedy) {
    found.push_back({Diagnostic::Severity::error, s.place_of(key, m.file), s.of(key), who_ + message, std::move(remedy)});
  }
  void unknown(std::string_view key, const std::string& name) {
    std::vector<std::string> names;
    for (const BodyInput& b : m.bodies) names.push_back(b.name);
    wrong(key, ": there is no body " + in_quotes(name), suggestion(name, names));
  }
  void positive(const char* key, double value) {  // from C++: the reader has looked at what is in a file
    if (!(value > 0) || !std::isfinite(value))
      wrong(key, std::string(": ") + key + " is " + number_text(value), "it must be positive");
  }
  void pair(const char* key, const std::vector<double>& values) {
    if (values.empty() || values.size() > 2)
      return wrong(key, std::string(": ") + key + " has " + std::to_string(values.size()) + " numbers",
                   "give one for both axes of the section, or two");
    for (const double value : values) positive(key, value);
  }
  void end(const char* key, const RodEndInput& e) {
    if (!e.body.empty() && body_named(m, e.body) == nullptr) return unknown(key, e.body);
    if (e.body.empty() && !e.place)
      wrong(key, std::string(" does not say where it ") + (key[0] == 'f' ? "begins" : "ends"),
            std::string("give ") + key + " = [x, y, z] or { body = \"...\", point = [...] }");
  }
  void wave(const char* key, const AlongRod& given) {
    for (const TimeFunction& number : given.number)
      if (!number.constant())
        return wrong(key, std::string(": `") + key + "` is a formula of t", "give formulas of s, the distance along the rod");
    try {
      for (const double place : {0.0, 1.0})
        if (!along(given, place, m).allFinite()) return wrong(key, std::string(": `") + key + "` is not finite", "change it");
    } catch (const FormulaError& e) {
      wrong(key, std::string(": `") + key + "`: " + e.what(), "give numbers or formulas of s, the distance along the rod [m]");
    }
  }
  void clamps(const RodInput& r) {
    for (const auto& [key, end] : {std::pair{"from", &r.from}, std::pair{"to", &r.to}})
      if ((r.clamped == key || r.clamped == "both") && !end->body.empty())
        wrong("clamped", std::string(": its end `") + key + "` is both clamped and on body " + in_quotes(end->body),
              "keep one");
    if (r.clamped.empty()) return;
    for (const auto& [key, value] : {std::pair{"velocity", r.velocity}, std::pair{"angular_velocity", r.angular_velocity}})
      if (value && !value->isZero(0))
        wrong(key, std::string(" is clamped but has the ") + key + " of a rigid motion", "leave it out");
  }
  void material(const RodInput& r) {
    if (!r.material.given() && !r.section.given()) {
      stiffness(r.stiffness);
      if (!r.density) return wrong("density", " has no mass", "give `density`, the mass per length [kg/m]");
      positive("density", *r.density);
      if (r.rotary_inertia) pair("rotary_inertia", *r.rotary_inertia);
      return;
    }
    if (r.stiffness.given() || r.density || r.rotary_inertia)
      return wrong("material", " has both a material and stiffnesses or densities by hand", "keep one way");
    const MaterialInput& k = r.material;
    if (!k.E || !k.density || !r.section.given())
      return wrong("", " needs both `material` and `section`",
                   "give material = { E, nu, density } and section = { circle = .. }");
    positive("E", *k.E);
    positive("density", *k.density);
    if (k.G.has_value() == k.nu.has_value()) return wrong("material", " needs G or nu", "give one of the two");
    if (k.G) positive("G", *k.G);
    if (k.nu && !(*k.nu > -1 && *k.nu <= 0.5))
      wrong("material", ": nu is " + number_text(*k.nu), "Poisson's ratio lies between -1 and 1/2");
    const SectionInput& c = r.section;
    if (c.circle.has_value() + c.rectangle.has_value() + c.tube.has_value() != 1)
      return wrong("section", " needs one shape of its section", "give circle, rectangle or tube");
    if (c.tube && !((*c.tube)[1] < (*c.tube)[0]))
      wrong("section", ": the inner radius of the tube is not smaller than the outer one", "give [outer, inner]");
  }
  void shape(const RodInput& r, const Vec3& a, const Vec3& b) {
    if ((b - a).norm() <= 1e-12 * (a.norm() + b.norm()))
      return wrong("to", " has zero length", "move one of its ends; a closed ring is two arcs");
    const Axis axis(a, b, r.via);
    if (r.via && axis.angle == 0)
      return wrong("via", ": its places `from`, `via` and `to` lie on one line", "leave `via` out, or move it aside");
    if (r.orientation && r.orientation->cross(axis.tangent()).norm() <= 1e-6 * r.orientation->norm())
      wrong("orientation", ": `orientation` is along its axis and gives d1 no direction", "choose a vector across the axis");
  }
  const Model& m;
  const Source& s;
  std::string who_;
};

}  // namespace

std::vector<Diagnostic> check_rod(const RodInput& rod, const Model& model) {
  RodInspection inspection(model, rod.source, "rod " + in_quotes(rod.name));
  inspection.rod(rod);
  return std::move(inspection.found);
}

std::vector<Diagnostic> check_rod_elements(const Model& model) {
  std::vector<Diagnostic> found;
  for (const RodElementInput& e : model.rod_elements) {
    RodInspection inspection(model, e.source, "rod element " + in_quotes(e.name));
    inspection.element(e);
    found.insert(found.end(), inspection.found.begin(), inspection.found.end());
  }
  return found;
}

}  // namespace trompo
