#include "trompo/model/rod.hpp"

#include <algorithm>
#include <cmath>
#include <iterator>
#include <optional>
#include <utility>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/model/rod_axis.hpp"

namespace trompo {

namespace {

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

TimeFunction scaled(const TimeFunction& f, double by, const Model& model) {
  if (const auto* table = std::get_if<TimeFunction::Table>(&f.form())) {
    TimeFunction::Table rows = *table;
    for (auto& row : rows) row.second *= by;
    return TimeFunction(std::move(rows));
  }
  if (const auto* formula = std::get_if<Formula>(&f.form()))
    return TimeFunction::parse(number_text(by) + " * (" + formula->text() + ")", model.parameters);
  return f.value(0) * by;
}

bool acts(const RodLoadInput& load) {
  for (std::size_t i = 0; i < 3; ++i)
    if (!load.formula[i].empty() || !load.value[i].constant() || load.value[i].value(0) != 0) return true;
  return false;
}

// The parts of one rod, added in the order of the file format.
class RodBuilder {
 public:
  RodBuilder(const RodInput& rod, Model& model)
      : r(rod),
        m(model),
        places_(known(places_of(rod, model))),
        axis_(rod.points ? RodAxis(*rod.points) : RodAxis(places_.front(), places_.back(), rod.via)),
        section_(section_of(rod)),
        halves_(rod.nodes_per_element - 1),
        last_(rod.elements * halves_),
        element_(axis_.length() / static_cast<double>(rod.elements)) {
    source_.line = rod.source.line;
  }
  void build() {
    nodes();
    elements();
    welds();
    loads();
    sensors();
  }

 private:
  [[nodiscard]] std::string node(long i) const { return r.name + "." + std::to_string(i); }
  [[nodiscard]] std::string element(long i) const { return node(i * halves_) + "-" + std::to_string((i + 1) * halves_); }
  // The length that a node stands for: the integral of its shape function.
  [[nodiscard]] double lump(long i) const {
    const bool end = i == 0 || i == last_;
    if (halves_ == 1) return end ? 0.5 * element_ : element_;
    return (i % 2 == 1 ? 4 : end ? 1 : 2) * element_ / 6;
  }

  void nodes() {
    // As one with the body it hangs on, unless said otherwise.
    Vec3 velocity = Vec3::Zero(), spin = Vec3::Zero();
    for (const RodEndInput* end : {&r.to, &r.from})
      if (!end->body.empty()) {
        const ResolvedBody body = resolve_body(*body_named(m, end->body));
        spin = to_space(body.orientation, body.angular_velocity);
        velocity = body.velocity + spin.cross(places_.front() - body.position);
      }
    if (r.velocity) velocity = *r.velocity;
    if (r.angular_velocity) spin = *r.angular_velocity;

    const auto stations = axis_.stations(last_, r.orientation, r.twist);
    for (long i = 0; i <= last_; ++i) {
      const auto& [place, frame] = stations[static_cast<std::size_t>(i)];
      const Quaternion turn = to_quaternion(frame);
      BodyInput b;
      b.source = source_;
      b.name = node(i);
      b.mass = lump(i) * section_.mass;
      const auto& rotary = section_.rotary;
      const Vec3 J(lump(i) * rotary[0], lump(i) * rotary[1], lump(i) * (rotary[0] + rotary[1]));
      b.inertia = Mat3(J.asDiagonal());
      b.position = place;
      b.orientation.quaternion = Vec<4>(turn.w(), turn.x(), turn.y(), turn.z());
      const double s = axis_.length() * static_cast<double>(i) / static_cast<double>(last_);
      b.velocity = velocity + spin.cross(place - places_.front()) + along(r.velocity_along, s, m);
      b.angular_velocity = to_body(turn, spin + along(r.angular_velocity_along, s, m));
      m.bodies.push_back(std::move(b));
    }
  }
  void elements() {
    for (long i = 0; i < r.elements; ++i) {
      RodElementInput e;
      e.source = source_;
      e.name = element(i);
      e.bodies = {node(i * halves_), node((i + 1) * halves_)};
      if (halves_ == 2) e.middle = node(2 * i + 1);
      e.strain = r.strain;
      e.length = element_;
      e.stiffness = section_.stiffness;
      e.precurvature = r.precurvature;
      if (r.mass == "consistent") {
        e.density = section_.mass;
        e.rotary_inertia = std::vector<double>{section_.rotary[0], section_.rotary[1]};
      }
      e.section = r.section;
      e.section.source = {};
      m.rod_elements.push_back(std::move(e));
    }
  }
  void weld(const char* key, const std::string& to, long i, const Vec3& at) {
    JointInput j;
    j.source = source_;
    j.name = r.name + "." + key;
    j.bodies = {to, node(i)};
    j.kind = "weld";
    j.kinds_given = 1;
    j.form.at = at;
    m.joints.push_back(std::move(j));
  }
  void welds() {
    const bool all = r.clamped == "both";
    if (!r.from.body.empty() || all || r.clamped == "from")
      weld("from", r.from.body.empty() ? "ground" : r.from.body, 0, places_.front());
    if (!r.to.body.empty() || all || r.clamped == "to")
      weld("to", r.to.body.empty() ? "ground" : r.to.body, last_, places_.back());
  }
  void spread(const char* key, const RodLoadInput& given, bool turns, bool moment) {
    if (!acts(given)) return;
    for (long i = 0; i <= last_; ++i) {
      LoadInput l;
      l.source = source_;
      l.source.keys = {{"body", source_.line}, {moment ? "torque" : "force", source_.line}};
      l.name = r.name + "." + key + "." + std::to_string(i);
      l.on = node(i);
      auto& values = moment ? l.torque : l.force;
      auto& texts = moment ? l.torque_formula : l.formula;
      for (std::size_t k = 0; k < 3; ++k) {
        values[k] = scaled(given.value[k], lump(i), m);
        if (!given.formula[k].empty()) texts[k] = number_text(lump(i)) + " * (" + given.formula[k] + ")";
      }
      l.follower = turns;
      l.potential = r.potential && !turns && !moment;
      m.loads.push_back(std::move(l));
    }
  }
  void loads() {
    spread("load", r.load, false, false);
    spread("follower", r.follower_load, true, false);
    spread("moment", r.moment_load, false, true);
  }
  // A sensor of the rod looks at one of its elements.
  void sensors() {
    for (SensorInput& s : m.sensors) {
      if (s.of[0] != r.name || (!s.kind.starts_with("section_") && s.kind != "stress")) continue;
      const double at = s.at.value_or(0.5);
      if (!(at >= 0 && at <= 1))
        throw ModelError({{Diagnostic::Severity::error, s.source.place_of("at", m.file), s.source.of("at"),
                           "sensor " + in_quotes(s.name) + ": `at` is " + number_text(at),
                           "it is a share of the length of rod " + in_quotes(r.name) + ": from 0 to 1"}});
      s.of[0] = element(std::min(static_cast<long>(at * static_cast<double>(r.elements)), r.elements - 1));
      s.at.reset();
    }
  }

  const RodInput& r;
  Model& m;
  std::vector<Vec3> places_;
  RodAxis axis_;
  RodSection section_;
  long halves_, last_;
  double element_;
  Source source_;
};

}  // namespace

// Elements are called ROD.0-1, ROD.1-2, ... by RodBuilder::element.
bool belongs_to_rod(std::string_view element, std::string_view rod) {
  if (element == rod) return true;
  if (!element.starts_with(rod) || element.substr(rod.size(), 1) != ".") return false;
  return element.find_first_not_of("0123456789-", rod.size() + 1) == std::string_view::npos;
}

std::optional<std::vector<Vec3>> places_of(const RodInput& rod, const Model& model) {
  if (rod.points) return rod.points;
  const auto a = place_of(rod.from, model), b = place_of(rod.to, model);
  if (!a || !b) return {};
  return std::vector<Vec3>{*a, *b};
}

Vec3 along(const AlongRod& given, double s, const Model& model) {
  static constexpr std::array<std::string_view, 1> variable{"s"};
  Vec3 out;
  for (std::size_t i = 0; i < 3; ++i)
    out[static_cast<Eigen::Index>(i)] = given.formula[i].empty()
                                            ? given.number[i].value(0)
                                            : Formula(given.formula[i], variable, model.parameters).evaluate({&s, 1});
  return out;
}

void expand(const RodInput& rod, Model& model) {
  const Lookup ask(model, rod.source, "clamped", "rod " + in_quotes(rod.name));
  if (!rod.clamped.empty()) (void)ask.word(word_lists::clamps, "way to be clamped", rod.clamped);
  if (!rod.strain.empty())
    (void)Lookup(model, rod.source, "strain", "rod " + in_quotes(rod.name)).word(word_lists::rod_strains, "strain", rod.strain);
  std::vector<Diagnostic> wrong = check_rod(rod, model);
  if (!wrong.empty()) throw ModelError(std::move(wrong));
  RodBuilder(rod, model).build();
}

void expand_rods(Model& model) {
  std::vector<RodInput> rods = std::exchange(model.rods, {});
  const auto can_hang = [&](const RodInput& rod) {
    const auto there = [&](const RodEndInput& end) { return end.body.empty() || body_named(model, end.body) != nullptr; };
    return there(rod.from) && there(rod.to);
  };
  std::vector<Diagnostic> wrong;
  while (!rods.empty()) {
    auto next = std::find_if(rods.begin(), rods.end(), can_hang);
    if (next == rods.end()) next = rods.begin();  // on a body that is not there: says so
    try {
      expand(*next, model);
    } catch (ModelError& error) {
      std::move(error.diagnostics.begin(), error.diagnostics.end(), std::back_inserter(wrong));
    }
    rods.erase(next);
  }
  if (!wrong.empty()) throw ModelError(std::move(wrong));
}

}  // namespace trompo
