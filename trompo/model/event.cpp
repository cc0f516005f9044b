#include "trompo/model/event.hpp"

#include <algorithm>

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
    default: return ask.item(model.rod_elements, "rod element", event.name);
  }
}

void apply(const EventInput& event, Model& model) {
  const std::size_t k = part_of(event, model);
  const auto set = [](const std::optional<double>& given, double& value) { value = given.value_or(value); };
  if (event.what == "joint") set(event.stiffness, model.joints[k].stiffness), set(event.damping, model.joints[k].damping);
  if (event.what == "spring") set(event.stiffness, model.springs[k].stiffness), set(event.damping, model.springs[k].damping);
  if (event.what == "bar") set(event.EA, model.bars[k].EA);
  if (event.what == "rod_element") {
    if (event.EA) model.rod_elements[k].stiffness.EA = event.EA;
    if (event.EI) model.rod_elements[k].stiffness.EI = event.EI;
  }
}

}  // namespace trompo
