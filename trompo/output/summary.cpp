#include "trompo/output/summary.hpp"

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "trompo/model/json_text.hpp"
#include "trompo/output/version.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

Json number(double x) { return std::isfinite(x) ? Json(x) : Json(nullptr); }
Json numbers(const Vec3& x) { return {number(x[0]), number(x[1]), number(x[2])}; }

Json extremes(const Extremes& e) {
  return {{"initial", number(e.initial)}, {"final", number(e.final)}, {"min", number(e.min)}, {"max", number(e.max)}};
}

Json scheme_entry(const Scheme& scheme) {
  Json parameters = Json::object();
  for (const auto& [name, value] : scheme.parameters) parameters[name] = number(value);
  for (const auto& [name, word] : scheme.options) parameters[name] = word;
  return {{"name", scheme.row->name}, {"parameters", parameters}};
}

Json energy(const RunResult& r) {
  const double worst = r.ledger.worst_residual(), scale = r.ledger.scale();
  return {{"scale", number(scale)},
          {"total", extremes(r.total)},
          {"kinetic", extremes(r.kinetic)},
          {"potential", extremes(r.potential)},
          {"balance_residual_max", number(worst)},  // J, of the sum since the start
          {"balance_residual_relative", scale > 0 ? number(worst / scale) : number(worst)},
          {"uncorrected_defect_max", number(r.ledger.worst_uncorrected())},  // J in a step, before a global correction
          {"accounts",
           {{"load_work", number(r.ledger.load_work())},
            {"support_work", number(r.ledger.support_work())},
            {"heat", number(r.ledger.heat())},
            {"numerical", number(r.ledger.numerical())},
            {"events", number(r.ledger.events())}}}};
}

Json momentum(const Vec3& initial, const Vec3& final, double drift, double scale) {
  return {{"initial", numbers(initial)}, {"final", numbers(final)}, {"drift_max", number(drift)}, {"scale", number(scale)}};
}

// Places alone: what is at rest has nothing else.
Json final_places(const Model& model, const System& system, const State& state) {
  Json all = Json::object();
  auto& entries = all.get_ref<Json::object_t&>();
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    entries.emplace_back(model.nodes[i].name, Json{{"position", numbers(state.q.segment<3>(system.nodes()[i]))}});
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const Quaternion& o = state.rotations[b].orientation;
    entries.emplace_back(model.bodies[b].name,
                         Json{{"position", numbers(state.q.segment<3>(system.bodies()[b].first))},
                              {"quaternion", {number(o.w()), number(o.x()), number(o.y()), number(o.z())}}});
  }
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    entries.emplace_back(model.coordinates[i].name, Json{{"value", number(state.q[system.scalars()[i]])}});
  return all;
}

Json failure(const Failure& f) {
  Json out = {{"step", f.step},
              {"time", number(f.time)},
              {"step_size", number(f.step_size)},
              {"worst", Json::array()},
              {"dossier", f.dossier()}};
  for (const Failure::Equation& e : f.worst)
    out["worst"].push_back({{"name", e.name}, {"residual", number(e.residual)}, {"allowed", number(e.allowed)}});
  return out;
}

Json newton(const RunResult& r) {
  const double mean = r.solves > 0 ? static_cast<double>(r.iterations) / static_cast<double>(r.solves) : 0.0;
  return {{"iterations_mean", number(mean)}, {"iterations_max", r.iterations_max}, {"retries", r.retries}};
}

Json final_state(const Model& model, const System& system, const RunResult& r) {
  Json all = Json::object();
  // Straight into the list of entries: names are unique, and looking for each among the others takes long for a large model.
  auto& entries = all.get_ref<Json::object_t&>();
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    const auto at = [first = system.nodes()[i]](const VecX& x) { return numbers(x.segment<3>(first)); };
    entries.emplace_back(model.nodes[i].name,
                         Json{{"position", at(r.state.q)}, {"velocity", at(r.state.v)}, {"acceleration", at(r.acceleration)}});
  }
  for (std::size_t b = 0; b < model.bodies.size(); ++b) {
    const int first = system.bodies()[b].first;
    const Quaternion& o = r.state.rotations[b].orientation;
    entries.emplace_back(model.bodies[b].name,
                         Json{{"position", numbers(r.state.q.segment<3>(first))},
                              {"velocity", numbers(r.state.v.segment<3>(first))},
                              {"quaternion", {number(o.w()), number(o.x()), number(o.y()), number(o.z())}},
                              {"angular_velocity", numbers(r.state.rotations[b].angular_velocity)}});
  }
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    const auto at = [c = system.scalars()[i]](const VecX& x) { return number(x[c]); };
    entries.emplace_back(model.coordinates[i].name,
                         Json{{"value", at(r.state.q)}, {"rate", at(r.state.v)}, {"acceleration", at(r.acceleration)}});
  }
  return all;
}

}  // namespace

std::string summary_json(const Model& model, const System& system, const Scheme& scheme, const RunResult& r) {
  Json out;
  out["status"] = word(r.status);
  out["trompo_version"] = version();
  out["model"] = {{"title", model.title}, {"file", std::filesystem::path(model.file).filename().string()}};
  out["steps"] = r.steps;
  out["time"] = {{"end", number(r.state.time)}, {"wall_seconds", number(r.wall_seconds)}};
  out["scheme"] = scheme_entry(scheme);
  out["energy"] = energy(r);
  out["momentum"]["linear"] = momentum(r.momentum_initial.linear, r.momentum.linear, r.linear_drift, r.linear_scale);
  out["momentum"]["angular"] = momentum(r.momentum_initial.angular, r.momentum.angular, r.angular_drift, r.angular_scale);
  out["newton"] = newton(r);
  // Relative to the sums of their absolute terms. Supports are held exactly and not among them.
  out["constraints"] = {{"position_max", number(r.constraint_error_max)}, {"velocity_max", number(r.constraint_rate_max)}};
  if (!r.not_unique.empty()) out["constraints"]["reactions_not_unique"] = r.not_unique;
  out["final"] = final_state(model, system, r);
  out["sensors"] = Json::object();
  for (std::size_t i = 0; i < r.sensors.size(); ++i) out["sensors"][r.sensor_names[i]] = extremes(r.sensors[i]);
  if (failed(r.status)) out["failure"] = failure(r.failure);
  for (const Diagnostic& d : r.warnings) out["warnings"].push_back(d.text());
  return json_text(out, 2) + '\n';
}

std::string summary_json(const Model& model, const System& system, const StaticResult& result) {
  const RunResult& r = result.run;
  Json out;
  out["status"] = word(r.status);
  out["trompo_version"] = version();
  out["model"] = {{"title", model.title}, {"file", std::filesystem::path(model.file).filename().string()}};
  out["steps"] = r.steps;
  out["time"] = {{"wall_seconds", number(r.wall_seconds)}};
  // Nothing is said of an equilibrium that was not found: on a path that ended early what is there is of the last one, and
  // whether the end would be stable is not known.
  const bool judged = result.done() && result.unstable >= 0;
  out["statics"] = {{"method", model.statics.method},
                    {"load_factor", result.found ? number(result.factor) : Json(nullptr)},
                    {"load_factor_asked", number(model.statics.factor)},
                    {"stable", judged ? Json(result.unstable == 0 && result.free.empty()) : Json(nullptr)},
                    {"unstable_directions", judged ? Json(result.unstable) : Json(nullptr)},
                    {"free_motions", result.done() ? Json(result.free) : Json(nullptr)},
                    {"limit_points", result.limit_points},
                    {"bifurcation_points", result.bifurcation_points},
                    {"remarks", result.remarks}};
  if (result.loaded())
    out["energy"] = {{"elastic", number(result.potentials.elastic)},
                     {"gravity", number(result.potentials.gravity)},  // with the load factor, as are loads
                     {"loads", number(result.potentials.loads)}};
  out["newton"] = newton(r);
  if (result.loaded()) {
    out["constraints"] = {{"position_max", number(r.constraint_error_max)}};
    if (!r.not_unique.empty()) out["constraints"]["reactions_not_unique"] = r.not_unique;
    out["final"] = final_places(model, system, r.state);
  }
  out["sensors"] = Json::object();
  if (result.loaded())
    for (std::size_t i = 0; i < r.sensors.size(); ++i) out["sensors"][r.sensor_names[i]] = extremes(r.sensors[i]);
  if (r.status == Status::not_converged) out["failure"] = failure(r.failure);
  return json_text(out, 2) + '\n';
}

}  // namespace trompo
