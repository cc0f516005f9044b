#include "trompo/run/part_energy.hpp"

#include <algorithm>
#include <string>

#include "trompo/model/rod.hpp"

namespace trompo {

namespace {

template <class Item>
int place_of(const std::vector<Item>& items, const std::string& name) {
  const auto found = std::find_if(items.begin(), items.end(), [&](const Item& item) { return item.name == name; });
  return found == items.end() ? -1 : static_cast<int>(found - items.begin());
}

}  // namespace

PartEnergy::PartEnergy(const Model& model, const System& system, const SensorInput& input, const Lookup& ask) {
  const std::string& name = input.of[0];
  const auto is = [&](Part part, const auto& items) {
    const int place = place_of(items, name);
    if (place < 0) return false;
    part_ = part;
    number_ = place;
    return true;
  };
  const bool massive = is(Part::node, model.nodes) || is(Part::body, model.bodies);
  if (!massive && !is(Part::bar, model.bars) && !is(Part::spring, model.springs) && !is(Part::joint, model.joints)) {
    part_ = Part::rod;
    const std::vector<RodElement> all = rod_elements(model, system.bodies());
    for (std::size_t e = 0; e < all.size(); ++e)
      if (belongs_to_rod(model.rod_elements[e].name, name)) elements_.push_back(all[e]);
    if (elements_.empty()) {
      std::vector<std::string> known;
      const auto add = [&](const auto& items) {
        for (const auto& item : items) known.push_back(item.name);
      };
      add(model.nodes), add(model.bodies), add(model.bars), add(model.springs), add(model.joints), add(model.rod_elements);
      ask.unknown("part with an energy", name, known);
    }
  }
  if (input.part.empty() || input.part == "all") return;
  const std::size_t part = ask.word(word_lists::sensor_parts, "part", input.part);
  kinetic_ = word_lists::sensor_parts[part] == "kinetic";
  potential_ = word_lists::sensor_parts[part] == "potential";
  if (!potential_ && !(kinetic_ && massive))
    ask.refuse(in_quotes(name) + " has no " + input.part + " energy", "name a node or a body, or part = \"potential\"");
}

double PartEnergy::at(const System& system, const State& state) const {
  return (kinetic_ ? kinetic(system, state) : 0) + (potential_ ? potential(system, state.q) : 0);
}

double PartEnergy::kinetic(const System& system, const State& state) const {
  if (part_ == Part::body) return system.body_kinetic(number_, state.q, state.v);
  if (part_ != Part::node) return 0;
  const int first = system.nodes()[static_cast<std::size_t>(number_)];
  return 0.5 * system.mass()[static_cast<std::size_t>(first)] * state.v.segment<3>(first).squaredNorm();
}

double PartEnergy::potential(const System& system, const VecX& q) const {
  const auto weight = [&](int first) { return -system.gravity().segment<3>(first).dot(q.segment<3>(first)); };
  switch (part_) {
    case Part::node: return weight(system.nodes()[static_cast<std::size_t>(number_)]);
    case Part::body: return weight(system.bodies()[static_cast<std::size_t>(number_)].first);
    case Part::bar: return system.bar(number_, q).energy;
    case Part::spring: return system.spring_energy(number_, q);
    case Part::joint: return system.joint_energy(number_, q);
    case Part::rod: break;
  }
  double sum = 0;
  for (const RodElement& e : elements_) sum += e.energy(q);
  return sum;
}

}  // namespace trompo
