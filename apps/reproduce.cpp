// trompo reproduce: published problems, run anew; paper value, ours, verdict. The statements stand in verification/.
#include <fmt/format.h>
#include <toml++/toml.h>

#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/commands.hpp"
#include "apps/embedded_files.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {

std::string_view embedded(const std::string& path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.text;
  throw std::logic_error("no file '" + path + "' in the tool");
}

// When energy passes 1.02, 2 and 30 times its initial value, potentials counted from the start.
class OnsetWatch final : public Observer {
 public:
  void sample(const Sample& now) override {
    if (now.step == 0) zero_ = now.ledger.potentials().sum(), initial_ = now.ledger.kinetic();
    const double energy = now.ledger.total() - zero_;
    for (std::size_t i = 0; i < factors.size(); ++i)
      if (!at[i] && energy > factors[i] * initial_) at[i] = now.time;
  }
  [[nodiscard]] double zero() const { return zero_; }
  static constexpr std::array<double, 3> factors{1.02, 2, 30};
  std::array<std::optional<double>, 3> at;

 private:
  double zero_ = 0, initial_ = 0;
};

struct Outcome {
  double value = 0;
  std::optional<double> window_end;  // of an onset: E = 30 E0
  std::string text;
};

Outcome measure(const std::string& quantity, Model model, const Scheme& scheme) {
  model.output.every = 1;
  const System system(model);
  OnsetWatch watch;
  Observer* observers[] = {&watch};
  const RunResult result = run(model, system, scheme, observers);
  const double length = model.nodes.size() == 2 ? (model.nodes[1].position - model.nodes[0].position).norm() : 0;
  const auto plain = [](double x, const char* format) { return Outcome{x, {}, fmt::format(fmt::runtime(format), x)}; };
  if (quantity == "onset") {
    if (!watch.at[1]) return {std::nan(""), {}, "no growth"};
    const double end = watch.at[2].value_or(*watch.at[1]);
    return {*watch.at[1], end, fmt::format("{:.1f}/{:.1f}/{:.1f}", watch.at[0].value_or(0), *watch.at[1], end)};
  }
  if (quantity.starts_with("energy_end") || quantity == "energy_below")
    return plain(result.total.final - watch.zero(), "{:.3f}");
  if (quantity == "energy_band") return plain((result.total.max - result.total.min) / result.ledger.scale(), "{:.2e}");
  if (quantity.starts_with("elongation"))
    return plain(std::max(std::abs(result.sensors[0].min), std::abs(result.sensors[0].max)) * length, "{:.4g}");
  if (quantity == "retries") return plain(static_cast<double>(result.retries), "{:.0f}");
  throw std::logic_error("unknown quantity '" + quantity + "'");
}

bool agrees(const std::string& quantity, double paper, const Outcome& ours) {
  if (quantity == "onset") return std::isfinite(ours.value) && paper >= ours.value - 0.5 && paper <= *ours.window_end + 0.5;
  if (quantity == "energy_end") return std::abs(ours.value - paper) <= 1;
  if (quantity == "energy_below" || quantity == "elongation_below") return ours.value < paper;
  if (quantity == "energy_band") return ours.value <= 1e-12;
  if (quantity == "elongation") return std::abs(ours.value - paper) <= 0.1 * paper;
  if (quantity == "elongation_order") return ours.value < 2 * paper && ours.value > 0.5 * paper;
  return ours.value == paper;
}

int reproduce(const std::string& problem, bool json) {
  const std::string statements = problem + "/statements.toml";
  const toml::table all = toml::parse(embedded(statements), statements);
  auto rows = nlohmann::ordered_json::array();
  if (!json)
    fmt::print("{:<5}{:<74}{:>10}{:>18}{:>18}  verdict\n", "sec.", "statement", "paper", "ours, g = 0", "ours, as printed");
  int surprises = 0, reproduced = 0, count = 0;
  for (const toml::node& node : *all["statement"].as_array()) {
    const toml::table& s = *node.as_table();
    const auto text = [&s](const char* key) { return s[key].value_or(std::string()); };
    const std::string quantity = text("quantity"), file = problem + "/" + text("model");
    const double paper = s["paper"].value_or(0.0);
    std::map<std::string, double> parameters;
    if (const toml::table* given = s["parameters"].as_table())
      for (const auto& [key, value] : *given) parameters[std::string(key.str())] = value.value_or(0.0);
    const Scheme scheme = make_scheme(text("scheme"), parameters);
    Model model = parse_model(embedded(file), file);
    const Outcome printed = measure(quantity, model, scheme);
    const bool has_nodes = !model.nodes.empty();
    if (has_nodes) model.gravity.setZero();
    const Outcome ours = has_nodes ? measure(quantity, model, scheme) : printed;

    const std::string verdict = agrees(quantity, paper, ours) ? "reproduced" : "not reproduced";
    ++count;
    reproduced += verdict == "reproduced";
    surprises += verdict != text("expected");
    const std::string note = text("note");
    if (json)
      rows.push_back({{"section", text("section")},
                      {"statement", text("says")},
                      {"scheme", text("scheme")},
                      {"parameters", parameters},
                      {"quantity", quantity},
                      {"paper", paper},
                      {"ours", std::isfinite(ours.value) ? nlohmann::ordered_json(ours.value) : nullptr},
                      {"as_printed", std::isfinite(printed.value) ? nlohmann::ordered_json(printed.value) : nullptr},
                      {"verdict", verdict},
                      {"expected", text("expected")},
                      {"note", note}});
    else
      fmt::print("{:<5}{:<74}{:>10g}{:>18}{:>18}  {}{}\n", text("section"), text("says"), paper, has_nodes ? ours.text : "",
                 printed.text, verdict, note.empty() ? "" : ": " + note);
  }
  if (json)
    fmt::print("{}\n", nlohmann::ordered_json{{"problem", problem}, {"statements", rows}, {"surprises", surprises}}.dump(2));
  else
    fmt::print(
        "\n{} statements, {} reproduced; {} verdicts differ from those on file. An onset gives the times at which E passes "
        "1.02, 2 and 30 E0.\n",
        count, reproduced, surprises);
  return surprises == 0 ? exit_done : exit_internal;
}

}  // namespace

void add_reproduce(CLI::App& app, int& exit_code) {
  CLI::App* command = app.add_subcommand("reproduce", "run published problems again and say how close they come");
  auto problem = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  std::vector<std::string> known;
  for (const EmbeddedFile& file : embedded_files())
    if (file.path.ends_with("/statements.toml")) known.emplace_back(file.path.substr(0, file.path.find('/')));
  command->add_option("PROBLEM", *problem, "which")->required()->check(CLI::IsMember(known));
  command->add_flag("--json", *json, "for programs");
  command->callback([problem, json, &exit_code] { exit_code = reproduce(*problem, *json); });
}

}  // namespace trompo
