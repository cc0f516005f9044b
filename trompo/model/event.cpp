#include "trompo/model/event.hpp"

#include <algorithm>

namespace trompo {

double end_time(const Model& model) {
  return model.time.steps ? static_cast<double>(*model.time.steps) * model.time.step : model.time.end.value_or(0);
}

double time_rounding(const Model& model) { return 1e-9 * std::min(model.time.step, end_time(model)); }

bool before_end(const EventInput& event, const Model& model) { return event.at < end_time(model) - time_rounding(model); }

void apply(const EventInput& event, Model& model) {
  const auto set = [](const std::optional<double>& given, double& value) { value = given.value_or(value); };
  for (JointInput& j : model.joints)
    if (event.what == "joint" && j.name == event.name) set(event.stiffness, j.stiffness), set(event.damping, j.damping);
  for (SpringInput& s : model.springs)
    if (event.what == "spring" && s.name == event.name) set(event.stiffness, s.stiffness), set(event.damping, s.damping);
  for (BarInput& b : model.bars)
    if (event.what == "bar" && b.name == event.name) set(event.EA, b.EA);
  for (RodElementInput& e : model.rod_elements)
    if (event.what == "rod_element" && e.name == event.name) {
      if (event.EA) e.stiffness.EA = event.EA;
      if (event.EI) e.stiffness.EI = event.EI;
    }
}

}  // namespace trompo
