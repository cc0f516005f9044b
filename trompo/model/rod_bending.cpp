#include "trompo/model/rod_bending.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <numbers>
#include <unordered_map>

#include "trompo/model/body.hpp"
#include "trompo/model/lookup.hpp"

namespace trompo {

namespace {

constexpr double degree = std::numbers::pi / 180;

// From one orientation to another, in axes of the first: as a vector, and its sine along the same axis.
struct Turn {
  Vec3 vector, sine;
};
Turn turn_of(double angle, const Vec3& axis) { return {angle * axis, std::sin(angle) * axis}; }
Turn turn_between(const Quaternion& a, const Quaternion& b) {
  const Quaternion turn = a.conjugate() * b;
  const double size = turn.vec().norm();
  if (size == 0) return {Vec3::Zero(), Vec3::Zero()};
  const double angle = 2 * std::atan2(size, std::abs(turn.w()));
  return turn_of(angle, (turn.w() < 0 ? -1 : 1) / size * turn.vec());
}

double limit_of(const RodElementInput& e) { return !e.middle.empty() ? 62 : e.helix() ? 112 : 45; }

}  // namespace

std::string rod_of(const std::string& part) { return part.substr(0, part.rfind('.')); }

RodBending::RodBending(const Model& model) : m(model) {
  if (m.rod_elements.empty()) return;
  std::unordered_map<std::string, std::size_t> number;
  for (std::size_t b = 0; b < m.bodies.size(); ++b) number.emplace(m.bodies[b].name, b);
  std::map<std::string, std::size_t> rods;
  for (const RodElementInput& e : m.rod_elements) {
    const Lookup ask(m, e.source, "bodies", "rod element " + in_quotes(e.name));
    std::vector<std::string> names(e.bodies.begin(), e.bodies.end());
    if (!e.middle.empty()) names.insert(names.begin() + 1, e.middle);
    const auto [rod, added] = rods.emplace(rod_of(e.name), rods_.size());
    if (added) {
      rods_.emplace_back().name = rod->first;
      rods_.back().line = e.source.line;
    }
    ++rods_[rod->second].elements;
    Element element;
    element.rod = rod->second;
    element.limit = limit_of(e);
    element.soft = e.middle.empty() && !e.helix();
    for (const std::string& name : names) element.bodies.push_back(ask.entry(number, "body", name));
    const ResolvedBody a = resolve_body(m.bodies[element.bodies.front()]), b = resolve_body(m.bodies[element.bodies.back()]);
    Turn rest = turn_between(a.orientation, b.orientation);
    if (e.precurvature) {
      const double angle = e.precurvature->norm() * e.length.value_or((b.position - a.position).norm());
      rest = turn_of(angle, angle > 0 ? Vec3(e.precurvature->normalized()) : Vec3(Vec3::UnitZ()));
    }
    element.rest = rest.vector;
    element.rest_sine = rest.sine;
    elements_.push_back(std::move(element));
  }
  turns_.resize(m.bodies.size());
}

void RodBending::see_turns() {
  for (Rod& rod : rods_) rod.bend = rod.excess = rod.turn = 0;
  for (Element& e : elements_) {
    for (std::size_t i = 1; i < e.bodies.size(); ++i) {
      const Turn turn = turn_between(turns_[e.bodies[i - 1]], turns_[e.bodies[i]]);
      const double angle = turn.vector.norm();
      if (e.soft) {
        const double bend = (turn.vector - e.rest).norm();
        Rod& rod = rods_[e.rod];
        rod.bend += bend;
        rod.excess += std::max(0.0, bend - (turn.sine - e.rest_sine).norm() * std::cos(angle));
        rod.turn = std::max({rod.turn, angle, bend});
      }
      if (angle / degree <= e.angle) continue;
      e.angle = angle / degree;
      e.twists = std::abs(turn.vector.z()) > 0.7 * angle;
    }
  }
  for (Rod& rod : rods_) {
    // Less than this is rounding: a rod at rest has no error.
    if (!(rod.bend > 1e-6) || rod.excess <= rod.error * rod.bend) continue;
    rod.error = rod.excess / rod.bend;
    rod.angle = rod.turn;
  }
}

std::vector<Diagnostic> RodBending::warnings(About about) const {
  constexpr double warns_from = 2. / 3;  // of the limit
  std::vector<Diagnostic> found;
  for (std::size_t r = 0; r < rods_.size(); ++r) {
    const Rod& rod = rods_[r];
    const Element* worst = nullptr;
    std::size_t near = 0;
    const auto share = [](const Element& e) { return e.angle / e.limit; };
    for (const Element& e : elements_) {
      if (e.rod != r || share(e) <= warns_from) continue;
      ++near;
      if (worst == nullptr || share(e) > share(*worst)) worst = &e;
    }
    std::string text, remedy = "use more elements";
    if (rod.error > allowed) {
      // E is of second order; it grows faster where it is large, so that this is enough.
      const double more = std::sqrt(rod.error / allowed) * static_cast<double>(rod.elements);
      text = "its elements turn by up to " + number_text(rod.angle / degree, 3) + " degrees, which bends it by up to " +
             number_text(100 * rod.error, 2) + " % too far";
      remedy = number_text(std::ceil(more)) + " elements keep 1 %, or as many as there are with strain = \"helix\"";
    }
    if (worst != nullptr) {
      const auto index = static_cast<std::size_t>(worst - elements_.data());
      const bool two = worst->bodies.size() == 2;
      text = "element " + m.rod_elements[index].name + (worst->twists ? " twists by " : " bends by ") +
             number_text(worst->angle, 3) + " degrees" + (two ? "" : " from node to node") + "; beyond " +
             number_text(worst->limit) + " it carries no more moment";
      if (near > 1) text += ", and " + std::to_string(near - 1) + " more of its elements are near that";
      if (rod.error > allowed) remedy = "use more elements: " + remedy;
    }
    if (!text.empty() && (about == About::all || worst != nullptr))
      found.push_back({Diagnostic::Severity::warning, m.file, rod.line, "rod " + in_quotes(rod.name) + ": " + text, remedy});
  }
  return found;
}

}  // namespace trompo
