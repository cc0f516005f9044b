#include "trompo/output/channels.hpp"

#include <algorithm>
#include <memory>

#include "trompo/model/event.hpp"
#include "trompo/system/rod_element.hpp"

namespace trompo {

namespace {

using Read = std::function<void(const Sample&, double*)>;

constexpr const char* axes[] = {".x", ".y", ".z"};

template <class Items>
std::vector<std::string> names_of(const Items& items) {
  std::vector<std::string> names;
  for (const auto& item : items) names.push_back(item.name);
  return names;
}

std::vector<std::string> with(std::vector<std::string> names, const std::string& ending) {
  for (std::string& name : names) name += ending;
  return names;
}

std::vector<std::string> by_axis(const std::vector<std::string>& names) {
  std::vector<std::string> columns;
  for (const std::string& name : names)
    for (const char* axis : axes) columns.push_back(name + axis);
  return columns;
}

class List {
 public:
  void number(const std::string& group, const std::string& name, const std::string& unit, bool integer, Read read) {
    out.all.push_back({group, name, unit, integer, {}, {group.empty() ? name : group + "." + name}, std::move(read)});
  }
  void vector(const std::string& group, const std::string& name, const std::string& unit, Vec3 Momentum::*part) {
    out.all.push_back({group, name, unit, false, {3}, by_axis({group + "." + name}), [part](const Sample& now, double* row) {
                         std::copy_n((now.momentum.*part).data(), 3, row);
                       }});
  }
  void energy(const std::string& name, std::function<double(const Ledger&)> of) {
    number("energy", name, "J", false, [of = std::move(of)](const Sample& now, double* row) { *row = of(now.ledger); });
  }
  // Entries of a vector over all coordinates of the system: `first` of each item, `each` of them from there on.
  void entries(const Channel& form, std::vector<int> first, int each, std::function<const VecX&(const Sample&)> of) {
    out.all.push_back(form);
    out.all.back().read = [first = std::move(first), each, of = std::move(of)](const Sample& now, double* row) {
      const VecX& x = of(now);
      for (const int coordinate : first) row = std::copy_n(x.data() + coordinate, each, row);
    };
  }

  Channels out;
};

void add_nodes(const RunPlan& plan, List& list) {
  const std::vector<std::string> names = names_of(plan.model.nodes);
  list.out.names.push_back({"nodes", "names", names});
  const auto add = [&](const char* name, const char* unit, const char* ending, std::function<const VecX&(const Sample&)> of) {
    const Channel form{"nodes", name, unit, false, {names.size(), 3}, by_axis(with(names, ending)), {}};
    list.entries(form, plan.system.nodes(), 3, std::move(of));
  };
  add("position", "m", "", [](const Sample& now) -> const VecX& { return now.state.q; });
  if (!plan.statics()) {
    add("velocity", "m/s", ".velocity", [](const Sample& now) -> const VecX& { return now.state.v; });
    add("acceleration", "m/s^2", ".acceleration", [](const Sample& now) -> const VecX& { return now.acceleration; });
  }
  add("reaction", "N", ".reaction", [](const Sample& now) -> const VecX& { return now.reaction; });
}

void add_anchors(const RunPlan& plan, List& list) {
  const std::vector<std::string> names = names_of(plan.system.anchors());
  list.out.names.push_back({"anchors", "names", names});
  std::vector<int> first;
  for (const System::Anchor& a : plan.system.anchors()) first.push_back(a.first);
  list.entries({"anchors", "position", "m", false, {names.size(), 3}, by_axis(names), {}}, std::move(first), 3,
               [](const Sample& now) -> const VecX& { return now.state.q; });
}

void add_bodies(const RunPlan& plan, List& list) {
  const std::vector<std::string> names = names_of(plan.model.bodies);
  list.out.names.push_back({"bodies", "names", names});
  std::vector<int> centres;
  for (const RigidBody& body : plan.system.bodies()) centres.push_back(body.first);
  const auto add = [&](const char* name, const char* unit, const char* ending, std::function<const VecX&(const Sample&)> of) {
    list.entries({"bodies", name, unit, false, {names.size(), 3}, by_axis(with(names, ending)), {}}, centres, 3, std::move(of));
  };
  add("position", "m", "", [](const Sample& now) -> const VecX& { return now.state.q; });
  if (!plan.statics()) add("velocity", "m/s", ".velocity", [](const Sample& now) -> const VecX& { return now.state.v; });
  std::vector<std::string> quaternions;
  for (const std::string& name : names)
    for (const char* part : {".w", ".i", ".j", ".k"}) quaternions.push_back(name + part);
  list.out.all.push_back({"bodies",
                          "quaternion",
                          "1, w x y z, body to space",
                          false,
                          {names.size(), 4},
                          quaternions,
                          [](const Sample& now, double* row) {
                            for (const Rotation& r : now.state.rotations) {
                              const Quaternion& o = r.orientation;
                              for (const double part : {o.w(), o.x(), o.y(), o.z()}) *row++ = part;
                            }
                          }});
  if (plan.statics()) return;
  list.out.all.push_back({"bodies",
                          "angular_velocity",
                          "rad/s, body axes",
                          false,
                          {names.size(), 3},
                          by_axis(with(names, ".angular_velocity")),
                          [](const Sample& now, double* row) {
                            for (const Rotation& r : now.state.rotations) row = std::copy_n(r.angular_velocity.data(), 3, row);
                          }});
}

void add_coordinates(const RunPlan& plan, List& list) {
  const std::vector<std::string> names = names_of(plan.model.coordinates);
  list.out.names.push_back({"coordinates", "names", names});
  const auto add = [&](const char* name, const char* unit, const char* ending, std::function<const VecX&(const Sample&)> of) {
    const Channel form{"coordinates", name, unit, false, {names.size()}, with(names, ending), {}};
    list.entries(form, plan.system.scalars(), 1, std::move(of));
  };
  // Metre or radian: only the model's author knows.
  add("value", "of the coordinate", "", [](const Sample& now) -> const VecX& { return now.state.q; });
  if (plan.statics()) return;
  add("rate", "of the coordinate, per s", ".rate", [](const Sample& now) -> const VecX& { return now.state.v; });
  add("acceleration", "of the coordinate, per s^2", ".acceleration",
      [](const Sample& now) -> const VecX& { return now.acceleration; });
}

void add_bars(const RunPlan& plan, List& list) {
  const std::vector<std::string> names = names_of(plan.model.bars);
  list.out.names.push_back({"bars", "names", names});
  // One evaluation of a bar gives all three: the first channel does it, the others look it up.
  const auto states = std::make_shared<std::vector<TermState>>(names.size());
  const auto add = [&](const char* name, const char* unit, double TermState::*part, bool evaluate) {
    list.out.all.push_back({"bars",
                            name,
                            unit,
                            false,
                            {names.size()},
                            with(names, std::string(".") + name),
                            [states, part, evaluate](const Sample& now, double* row) {
                              for (std::size_t i = 0; i < states->size(); ++i) {
                                TermState& bar = (*states)[i];
                                if (evaluate) bar = now.system.bar(static_cast<int>(i), now.state.q);
                                row[i] = bar.*part;
                              }
                            }});
  };
  add("force", "N", &TermState::force, true);
  add("strain", "1", &TermState::strain, false);
  add("energy", "J", &TermState::energy, false);
}

void add_rods(const RunPlan& plan, List& list) {
  const std::vector<std::string> names = names_of(plan.model.rod_elements);
  list.out.names.push_back({"rods", "names", names});
  // As with bars: the first channel evaluates, the others look it up.
  // The elements from the start on, and as each event leaves them.
  struct Stage {
    double from;
    std::vector<RodElement> elements;
  };
  Model model = plan.model;
  std::stable_sort(model.events.begin(), model.events.end(),
                   [](const EventInput& a, const EventInput& b) { return a.at < b.at; });
  const auto stages = std::make_shared<std::vector<Stage>>();
  stages->push_back({-1, rod_elements(model, plan.system.bodies())});
  for (const EventInput& event : std::vector(model.events))
    if (event.what == "rod_element") {
      apply(event, model);
      stages->push_back({event.at, rod_elements(model, plan.system.bodies())});
    }
  const auto states = std::make_shared<std::vector<SectionState>>(names.size());
  const auto add = [&](const char* name, const char* unit, Vec3 SectionState::*part, bool evaluate) {
    list.out.all.push_back({"rods",
                            name,
                            unit,
                            false,
                            {names.size(), 3},
                            by_axis(with(names, std::string(".") + name)),
                            [stages, states, part, evaluate](const Sample& now, double* row) {
                              auto stage = stages->rbegin();
                              while (evaluate && stage->from >= now.time) ++stage;
                              for (std::size_t i = 0; i < states->size(); ++i) {
                                SectionState& section = (*states)[i];
                                if (evaluate) section = stage->elements[i].state(now.state.q);
                                row = std::copy_n((section.*part).data(), 3, row);
                              }
                            }});
  };
  add("force", "N, along d1 d2 d3 of the section", &SectionState::force, true);
  add("moment", "N m, about d1 d2 d3", &SectionState::moment, false);
  add("strain", "1, shear, shear, stretch", &SectionState::strain, false);
  add("curvature", "1/m, bending, bending, torsion", &SectionState::curvature, false);
  // Stresses where the section is known.
  std::vector<std::pair<std::size_t, SectionShape>> known;
  std::vector<std::string> stressed, columns;
  for (std::size_t i = 0; i < names.size(); ++i)
    if (const auto& shape = stages->front().elements[i].shape) {
      known.emplace_back(i, *shape);
      stressed.push_back(names[i]);
      for (const char* part : {".stress.highest", ".stress.lowest", ".stress.mises"}) columns.push_back(names[i] + part);
    }
  if (known.empty()) return;
  list.out.names.push_back({"rods", "stressed", stressed});
  list.out.all.push_back({"rods",
                          "stress",
                          "N/m^2, highest and lowest along the axis, von Mises; at the surface",
                          false,
                          {stressed.size(), 3},
                          columns,
                          [states, known](const Sample&, double* row) {
                            for (const auto& [i, shape] : known) {
                              const SectionStress s = stress_of(shape, (*states)[i]);
                              *row++ = s.highest;
                              *row++ = s.lowest;
                              *row++ = s.mises;
                            }
                          }});
}

void add_constraints(const RunPlan& plan, List& list) {
  std::vector<std::string> names;
  for (int k = 0; k < plan.system.multipliers(); ++k) names.push_back(plan.system.constraint_name(k));
  list.out.names.push_back({"constraints", "names", names});
  const auto add = [&](const char* name, const char* unit, std::function<const VecX&(const Sample&)> of) {
    Channel channel{"constraints", name, unit, false, {names.size()}, with(names, std::string(".") + name), {}};
    channel.read = [of = std::move(of), count = names.size()](const Sample& now, double* row) {
      const VecX& x = of(now);
      for (std::size_t k = 0; k < count; ++k) {
        const int at = now.rows.empty() ? static_cast<int>(k) : now.rows[k];
        *row++ = at >= 0 ? x[at] : 0;
      }
    };
    list.out.all.push_back(std::move(channel));
  };
  add("multiplier", "J per unit of the constraint", [](const Sample& now) -> const VecX& { return now.multiplier; });
  add("error", "of the constraint", [](const Sample& now) -> const VecX& { return now.constraint_error; });
  const char* relative = "1, relative to the sum of absolute terms";
  list.number("constraints", "largest_error", relative, false,
              [](const Sample& now, double* row) { *row = now.error_largest; });
  if (plan.statics()) return;
  add("error_rate", "of the constraint, per s", [](const Sample& now) -> const VecX& { return now.error_rate; });
  list.number("constraints", "largest_error_rate", relative, false,
              [](const Sample& now, double* row) { *row = now.error_rate_largest; });
  if (plan.scheme.rule.constraint_gradient == Rule::ConstraintGradient::mean_value)
    add("beta", "of the step", [](const Sample& now) -> const VecX& { return now.gradient_point; });
}

void add_joints(const RunPlan& plan, List& list) {
  std::vector<std::string> names;
  std::vector<std::string> determined;
  for (const Joint& joint : plan.system.joints()) {
    names.push_back(joint.name);
    const bool repeats = std::find(plan.not_unique.begin(), plan.not_unique.end(), joint.name) != plan.not_unique.end();
    determined.push_back(repeats ? "not unique: the least that fit, weighed by the masses" : "yes");
  }
  list.out.names.push_back({"joints", "names", names});
  list.out.names.push_back({"joints", "reactions_determined", determined});
  // One evaluation gives both: the first channel does it, the second looks it up.
  const auto reactions = std::make_shared<std::vector<Reaction>>(names.size());
  const auto scratch = std::make_shared<VecX>(VecX::Zero(plan.system.coordinates()));
  const auto add = [&](const char* name, const char* unit, Vec3 Reaction::*part, bool evaluate) {
    list.out.all.push_back({"joints",
                            name,
                            unit,
                            false,
                            {names.size(), 3},
                            by_axis(with(names, std::string(".") + name)),
                            [reactions, scratch, part, evaluate](const Sample& now, double* row) {
                              for (std::size_t j = 0; j < reactions->size(); ++j) {
                                Reaction& r = (*reactions)[j];
                                if (evaluate)
                                  r = now.system.reaction(static_cast<int>(j), now.state.q, now.state.v, now.end_multiplier,
                                                          *scratch);
                                row = std::copy_n((r.*part).data(), 3, row);
                              }
                            }});
  };
  add("force", "N, on the second body, global axes", &Reaction::force, true);
  add("torque", "N m, at the joint, likewise", &Reaction::torque, false);
  std::vector<std::string> hinges;
  std::vector<int> angles;
  for (const Joint& joint : plan.system.joints()) {
    if (joint.angle < 0) continue;
    hinges.push_back(joint.name);
    angles.push_back(joint.angle);
  }
  if (hinges.empty()) return;
  list.out.names.push_back({"joints", "hinges", hinges});
  list.entries({"joints", "angle", "rad", false, {hinges.size()}, with(hinges, ".angle"), {}}, angles, 1,
               [](const Sample& now) -> const VecX& { return now.state.q; });
}

void add_sensors(const RunPlan& plan, List& list) {
  std::vector<std::string> units;
  for (const SensorInput& sensor : plan.model.sensors) {
    const std::string& kind = sensor.kind;
    units.push_back(kind == "angular_velocity"                                     ? "rad/s"
                    : kind == "angle" || kind == "other_angle"                     ? "rad"
                    : kind == "torque"                                             ? "N m"
                    : kind == "tilt"                                               ? "rad"
                    : kind == "velocity"                                           ? "m/s"
                    : kind == "acceleration"                                       ? "m/s^2"
                    : kind == "reaction" || kind == "force"                        ? "N"
                    : kind == "section_force"                                      ? "N"
                    : kind == "section_moment"                                     ? "N m"
                    : kind == "section_curvature"                                  ? "1/m"
                    : kind == "stress"                                             ? "N/m^2"
                    : kind == "strain" || kind == "section_strain"                 ? "1"
                    : kind == "position" || kind == "distance" || kind == "travel" ? "m"
                    : kind == "energy"                                             ? "J"
                    : kind == "multiplier"                                         ? "J per unit of the constraint"
                    : kind == "formula"                                            ? "of the formula"
                                                                                   : "of the coordinate");
  }
  list.out.names.push_back({"sensors", "names", plan.sensor_names});
  list.out.names.push_back({"sensors", "units", units});
  list.out.all.push_back({"sensors",
                          "value",
                          "see /sensors/units",
                          false,
                          {plan.sensor_names.size()},
                          plan.sensor_names,
                          [](const Sample& now, double* row) { std::copy(now.sensors.begin(), now.sensors.end(), row); }});
}

void add_equilibrium(List& list) {
  list.number("statics", "factor", "1, on gravity and all loads", false,
              [](const Sample& now, double* row) { *row = now.equilibrium->factor; });
  list.number("statics", "unstable", "directions; -1: not judged", true,
              [](const Sample& now, double* row) { *row = now.equilibrium->unstable; });
  const auto energy = [&list](const char* name, double Potentials::*part) {
    list.number("energy", name, "J", false,
                [part](const Sample& now, double* row) { *row = now.equilibrium->potentials.*part; });
  };
  energy("elastic", &Potentials::elastic);
  energy("gravity", &Potentials::gravity);
  energy("loads", &Potentials::loads);
}

void add_energies(const RunPlan& plan, List& list) {
  list.energy("kinetic", &Ledger::kinetic);
  list.energy("elastic", [](const Ledger& ledger) { return ledger.potentials().elastic; });
  list.energy("gravity", [](const Ledger& ledger) { return ledger.potentials().gravity; });
  list.energy("loads", [](const Ledger& ledger) { return ledger.potentials().loads; });
  list.energy("total", &Ledger::total);
  list.energy("load_work", &Ledger::load_work);
  list.energy("support_work", &Ledger::support_work);
  list.energy("heat", &Ledger::heat);
  list.energy("numerical", &Ledger::numerical);
  if (!plan.model.events.empty()) list.energy("events", &Ledger::events);
  list.energy("residual", &Ledger::residual);
  if (plan.scheme.correction.wanted()) list.energy("uncorrected", &Ledger::uncorrected);
  list.vector("momentum", "linear", "kg m/s", &Momentum::linear);
  list.vector("momentum", "angular", "kg m^2/s", &Momentum::angular);
}

}  // namespace

Channels channels(const RunPlan& plan) {
  List list;
  const std::string unit = plan.statics() ? "1, " + std::string(plan.axis) : "s";
  list.number("", "time", unit, false, [](const Sample& now, double* row) { *row = now.time; });
  if (plan.statics()) list.out.all.back().columns = {std::string(plan.axis)};
  list.number("", "step", "1", true, [](const Sample& now, double* row) { *row = static_cast<double>(now.step); });
  list.number("newton", "iterations", "1", true, [](const Sample& now, double* row) { *row = now.iterations; });
  plan.statics() ? add_equilibrium(list) : add_energies(plan, list);
  if (!plan.model.nodes.empty()) add_nodes(plan, list);
  if (!plan.system.anchors().empty()) add_anchors(plan, list);
  if (!plan.model.bodies.empty()) add_bodies(plan, list);
  if (!plan.model.coordinates.empty()) add_coordinates(plan, list);
  if (!plan.model.bars.empty()) add_bars(plan, list);
  if (!plan.model.rod_elements.empty()) add_rods(plan, list);
  if (plan.system.multipliers() > 0) add_constraints(plan, list);
  if (!plan.system.joints().empty()) add_joints(plan, list);
  if (!plan.sensor_names.empty()) add_sensors(plan, list);
  return list.out;
}

}  // namespace trompo
