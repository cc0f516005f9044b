#include "trompo/output/modes_report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <numbers>

#include "trompo/model/json_text.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/run_data.hpp"
#include "trompo/output/scene.hpp"
#include "trompo/output/version.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view axis = "phase";
constexpr int frames = 48;  // of a period

Json vector(const Vec3& x) { return {x[0], x[1], x[2]}; }

std::string heading(const Model& model) {
  const Json about{{"name", "modes"},
                   {"parameters", Json::object()},
                   {"claims", {"A period of each mode, enlarged; the axis is its phase, whatever it lasts."}}};
  return fmt::format(R"({{"scheme":{},"scene":{},"events":[],"axis":"{}","label":""}})", json_text(about), scene_json(model),
                     axis);
}

// Places, and what bars and rods carry by them: nothing else changes with a shape.
Channels places(const RunPlan& plan) {
  Channels all = channels(plan);
  std::erase_if(all.all, [](const Channel& c) {
    const bool place = c.name == "position" || c.name == "quaternion" || c.name == "value";
    const bool carried = c.path() == "/bars/force" || c.path() == "/rods/force" || c.path() == "/rods/moment";
    return !(c.path() == "/time" || carried || (place && c.group != "sensors"));
  });
  std::erase_if(all.names,
                [](const NameList& n) { return n.group == "sensors" || n.group == "joints" || n.group == "constraints"; });
  return all;
}

Json shape_json(const Model& model, const System& system, const VecX& of, const std::vector<Vec3>& turns) {
  Json shape = Json::object();
  for (std::size_t n = 0; n < model.nodes.size(); ++n)
    shape[model.nodes[n].name] = {{"displacement", vector(of.segment<3>(system.nodes()[n]))}};
  for (std::size_t b = 0; b < model.bodies.size(); ++b)
    shape[model.bodies[b].name] = {{"displacement", vector(of.segment<3>(system.bodies()[b].first))},
                                   {"rotation", vector(turns[b])}};
  for (std::size_t c = 0; c < model.coordinates.size(); ++c)
    shape[model.coordinates[c].name] = {{"value", of[system.scalars()[c]]}};
  return shape;
}

}  // namespace

std::string mode_label(const ModesResult& result, std::size_t mode) {
  const Mode& m = result.modes[mode];
  const std::string what = m.free()       ? "moves freely"
                           : m.growth > 0 ? fmt::format("unstable, grows by {:.4g} 1/s", m.growth)
                                          : fmt::format("{:.5g} Hz", m.hertz());
  return fmt::format("mode {}: {}", mode + 1, what);
}

PageTable modes_table(const ModesResult& result) {
  PageTable table{"Modes", {"mode", "frequency [Hz]", "[rad/s]", "period [s]", "growth [1/s]", "dominant motion"}};
  if (result.complex) table.headings.insert(table.headings.end() - 1, {"damping ratio", "whirl"});
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const Mode& m = result.modes[i];
    table.rows.push_back(
        {static_cast<double>(i + 1), m.hertz(), m.frequency, m.frequency > 0 ? 1 / m.hertz() : std::nan(""), m.growth});
    if (result.complex) table.rows.back().insert(table.rows.back().end(), {m.damping_ratio(), m.whirl});
    table.rows.back().push_back(m.moves);
    table.verdicts.emplace_back(m.growth > 0 ? "bad" : "none");
  }
  table.note = "What moves freely has the frequency 0; what is unstable grows by its rate.";
  if (result.complex)
    table.note += " What is damped decays, with a growth below 0; from a damping ratio of 1 on it does not swing.";
  return table;
}

std::string modes_json(const Model& model, const System& system, const ModesResult& result) {
  Json out;
  out["status"] = "done";
  out["trompo_version"] = version();
  out["model"] = {{"title", model.title}, {"file", std::filesystem::path(model.file).filename().string()}};
  out["time"] = {{"wall_seconds", result.wall_seconds}};
  out["remarks"] = result.remarks;
  out["modes"] = Json::array();
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const Mode& m = result.modes[i];
    Json& entry = out["modes"].emplace_back();
    entry = {{"mode", i + 1},
             {"frequency_hz", m.hertz()},
             {"angular_frequency", m.frequency},
             {"growth", m.growth},
             {"moves", m.moves}};
    if (result.complex) {
      entry["damping_ratio"] = m.damping_ratio();
      if (!m.whirl.empty()) entry["whirl"] = m.whirl;
    }
    entry["shape"] = shape_json(model, system, m.shape, m.turns);  // of unit mass
    if (m.ahead.size() > 0) entry["shape_ahead"] = shape_json(model, system, m.ahead, m.turns_ahead);
  }
  return json_text(out, 2) + '\n';
}

PageData modes_page(const Model& model, const System& system, const ModesResult& result) {
  PageData page{.kind = "modes", .title = page_title(model) + ": modes"};
  for (const std::string& remark : result.remarks) page.remarks.push_back({Diagnostic::Severity::note, remark});
  page.tables.push_back(modes_table(result));
  const Scheme scheme = make_scheme(catalogue().front().name);
  const std::vector<std::string> no_names;
  const std::vector<double> no_values;
  const RunPlan plan{model, system, scheme, no_names, frames, axis};
  const Channels what = places(plan);
  const VecX zero = VecX::Zero(system.coordinates()), none = VecX::Zero(system.multipliers());
  const Ledger ledger;
  const Momentum momentum;
  const StaticPoint point;
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const Mode& mode = result.modes[i];
    RunData data(heading(model), i == 0 ? model_json(model) : "null", what, {.folded = false});
    std::vector<double> row(data.row_size());
    const double amplitude = visible_amplitude(system, mode);
    for (int k = 0; k <= frames; ++k) {
      const double phase = static_cast<double>(k) / frames;
      const State state = displaced(system, result.state, mode, amplitude, 2 * std::numbers::pi * phase);
      const Sample now{k,    phase, system, state,    zero,      zero, none, none, none,
                       none, none,  ledger, momentum, no_values, 0,    0,    0,    &point};
      double* to = row.data();
      for (const Channel& channel : data.channels()) {
        channel.read(now, to);
        to += channel.size();
      }
      data.add(row.data());
    }
    page.runs.push_back(data.json("", mode_label(result, i)));
  }
  return page;
}

}  // namespace trompo
