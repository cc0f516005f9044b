#include "trompo/model/event.hpp"

#include <algorithm>

#include "trompo/model/body.hpp"
#include "trompo/model/lookup.hpp"

namespace trompo {

double end_time(const Model& model) {
  return model.time.steps ? static_cast<double>(*model.time.steps) * model.time.step : model.time.end.value_or(0);
}

double time_rounding(const Model& model) { return 1e-9 * std::min(model.time.step, end_time(model)); }

bool before_end(const EventInput& event, const Model& model) { return event.at < end_time(model) - time_rounding(model); }

std::size_t part_of(const EventInput& event, const Model& model) {
  const Lookup ask(model, event.source, "set", "event at " + number_text(event.at) + " s");
  switch (ask.word(word_lists::events, "kind of part", event.what)) {
    case 0: return ask.item(model.joints, "joint", event.name);
    case 1: return ask.item(model.springs, "spring", event.name);
    case 2: return ask.item(model.bars, "bar", event.name);
    case 3: return ask.item(model.rod_elements, "rod element", event.name);
    case 4: return ask.item(model.loads, "load", event.name);
    case 5: return ask.item(model.nodes, "node", event.name);
    case 6: return ask.item(model.bodies, "body", event.name);
    default: return ask.item(model.coordinates, "coordinate", event.name);
  }
}

namespace {

// What is prescribed by `motion`, from the time of the event on.
void change_motion(const EventInput& event, std::optional<TimeFunction>& motion, const std::optional<TimeFunction>& given) {
  if (!motion) return;
  if (given) motion = given;
  if (event.stop) motion = TimeFunction(motion->value(event.at));
  if (event.free) motion.reset();
}

// Its inertia in proportion: another density of the same shape.
void change_mass(BodyInput& body, double mass) {
  const double factor = mass / resolve_body(body).mass;
  if (body.inertia) *body.inertia *= factor;
  for (PartInput& part : body.parts) {
    part.mass *= factor;
    if (part.inertia) *part.inertia *= factor;
  }
  if (body.mass) body.mass = mass;
}

}  // namespace

void apply(const EventInput& event, Model& model) {
  const std::size_t k = part_of(event, model);
  const auto set = [](const std::optional<double>& given, double& value) { value = given.value_or(value); };
  if (event.what == "joint") {
    JointInput& joint = model.joints[k];
    set(event.stiffness, joint.stiffness), set(event.damping, joint.damping);
    change_motion(event, joint.motion, event.drive);
    change_motion(event, joint.travel_motion, {});
    joint.released = joint.released || event.release;
  }
  if (event.what == "spring") set(event.stiffness, model.springs[k].stiffness), set(event.damping, model.springs[k].damping);
  if (event.what == "bar") set(event.EA, model.bars[k].EA);
  if (event.what == "rod_element") {
    if (event.EA) model.rod_elements[k].stiffness.EA = event.EA;
    if (event.EI) model.rod_elements[k].stiffness.EI = event.EI;
  }
  if (event.what == "load") set(event.scale, model.loads[k].scale);
  if (event.what == "node") {
    set(event.mass, model.nodes[k].mass);
    for (std::size_t i = 0; i < 3; ++i) change_motion(event, model.nodes[k].motion[i], event.motion[i]);
  }
  if (event.what == "body" && event.mass) change_mass(model.bodies[k], *event.mass);
  if (event.what == "coordinate") change_motion(event, model.coordinates[k].motion, event.drive);
}

}  // namespace trompo
