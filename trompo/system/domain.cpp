// Where the parts of a model are defined: formulas with poles, functions of time that have some, bars that shrink to a point,
// springs of a whole turn, which is less than half a turn.
#include <algorithm>

#include "trompo/measure/rotation_vector.hpp"
#include "trompo/model/formula_scope.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

void System::add_domains(const Model& model) {
  const FormulaScope scope(model);
  const auto watch = [&](const std::string& text, const std::string& name) {
    if (text.empty()) return;
    ScopedFormula f = scope.expanded(text);
    if (!FormulaDomain::everywhere(f.formula))
      domains_.push_back({FormulaDomain(std::move(f.formula), std::move(f.coordinates)), name});
  };
  for (const CoordinateInput& c : model.coordinates) watch(c.potential, "potential of " + in_quotes(c.name));
  for (const PotentialInput& p : model.potentials) watch(p.potential, "potential " + in_quotes(p.name));
  for (const ConstraintInput& c : model.constraints) watch(c.constraint, "constraint " + in_quotes(c.name));
  for (const LoadInput& load : model.loads)
    for (const std::string& text : load.formula) try {
        if (load.scale != 0) watch(text, "load " + in_quotes(load.name));
      } catch (const FormulaError&) {  // it feels rates: where these have poles the steps end
      }

  // Functions of time alone can be judged beforehand; those that fail in the time of the run are watched in every step.
  const double end = model.time.end.value_or(static_cast<double>(model.time.steps.value_or(0)) * model.time.step);
  const auto watch_time = [&](const TimeFunction& f, const std::string& name) {
    const auto* formula = std::get_if<Formula>(&f.form());
    if (formula == nullptr || FormulaDomain::everywhere(*formula)) return;
    const double begin = 0;
    if (!FormulaDomain(*formula, {0}).holds_between(&begin, &end))
      domains_.push_back({FormulaDomain(*formula, {scope.time()}), name});
  };
  const auto watch_motion = [&](const auto& motion, const std::string& name) {
    for (const auto& f : motion)
      if (f) watch_time(*f, "motion of " + name);
  };
  for (const NodeInput& n : model.nodes) watch_motion(n.motion, "node " + in_quotes(n.name));
  for (const CoordinateInput& c : model.coordinates) watch_motion(std::array{c.motion}, "coordinate " + in_quotes(c.name));
  for (const SpringInput& s : model.springs)
    for (const EndInput& e : s.ends()) watch_motion(e.motion, "spring " + in_quotes(s.name));
  for (const JointInput& j : model.joints) {
    watch_motion(std::array{j.motion, j.travel_motion}, "joint " + in_quotes(j.name));
    watch_motion(j.ground_motion, "joint " + in_quotes(j.name));
  }
  for (const LoadInput& load : model.loads)
    for (const auto& of : {load.force, load.torque, load.moment})
      for (const TimeFunction& f : of)
        if (load.scale != 0) watch_time(f, "load " + in_quotes(load.name));
}

const std::string* System::undefined_between(const VecX& q0, const VecX& q1) const {
  for (const Domain& d : domains_)
    if (!d.formula.holds_between(q0.data(), q1.data())) return &d.name;
  constexpr double nothing = 1e-12;  // of the length that the bar has at the ends
  for (const Link& link : links_) {
    const Vec3 r0 = q0.segment<3>(link.b) - q0.segment<3>(link.a), r1 = q1.segment<3>(link.b) - q1.segment<3>(link.a);
    const Vec3 d = r1 - r0;
    const double square = d.squaredNorm(), s = square > 0 ? std::clamp(-r0.dot(d) / square, 0.0, 1.0) : 0;
    if ((r0 + s * d).squaredNorm() <= nothing * nothing * std::max(r0.squaredNorm(), r1.squaredNorm())) return &link.name;
  }
  for (std::size_t k = 0; k < turned_names_.size(); ++k) {
    TurnedAxes::C c0, c1;
    turned_.gather(static_cast<int>(k), q0, c0.data());
    turned_.gather(static_cast<int>(k), q1, c1.data());
    if (RotationVector::jumps(c0, c1)) return &turned_names_[k];
  }
  return nullptr;
}

}  // namespace trompo
