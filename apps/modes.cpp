// trompo modes: vibration modes about a state at rest or a steady motion, and over its spin.
#include <fmt/format.h>

#include <array>
#include <charconv>
#include <cmath>
#include <span>

#include "apps/account.hpp"
#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "trompo/output/campbell_report.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/modes_report.hpp"
#include "trompo/output/page.hpp"

namespace trompo {

namespace {

struct ModesArguments {
  ModelArguments model;
  OutputArguments output;
  int count = 10;
  std::string about = "start";
  std::string campbell, svg;
};

void print_table(const Model& model, const ModesResult& result, const std::string& about) {
  print("{}: {} modes about the {} in {:.3g} s\n", shown_title(model), result.modes.size(), about, result.wall_seconds);
  const std::string damping = result.complex ? fmt::format("{:>14}", "damping ratio") : "";
  print("{:>6}{:>14}{:>14}{:>14}{}  {}\n", "mode", "[Hz]", "[rad/s]", "period [s]", damping, "dominant motion");
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const Mode& m = result.modes[i];
    const std::string period = m.frequency > 0 ? fmt::format("{:.6g}", 1 / m.hertz()) : "-";
    std::string kind = m.free()           ? " (moves freely)"
                       : m.growth > 0     ? fmt::format(" (unstable: grows as exp({:.6g} t))", m.growth)
                       : m.frequency == 0 ? fmt::format(" (decays as exp({:.6g} t))", m.growth)
                                          : "";
    if (!m.whirl.empty()) kind += " (" + m.whirl + ")";
    const std::string ratio = result.complex ? fmt::format("{:>14.6g}", m.damping_ratio()) : "";
    print("{:>6}{:>14.6g}{:>14.6g}{:>14}{}  {}{}\n", i + 1, m.hertz(), m.frequency, period, ratio, m.moves, kind);
  }
  for (const std::string& remark : result.remarks) print("  note      {}\n", remark);
}

SpinRange spin_range(const std::string& text) {
  SpinRange range;
  std::array<double*, 3> to{&range.from, &range.to, &range.step};
  const char *at = text.data(), *const end = at + text.size();
  for (std::size_t i = 0; i < to.size(); ++i) {
    const auto [next, error] = std::from_chars(at, end, *to[i]);
    const bool last = i + 1 == to.size();
    if (error != std::errc() || (last ? next != end : next == end || *next != ':'))
      refuse_option("--campbell", "'" + text + "' is not FROM:TO:STEP, three numbers in rad/s such as 0:50:0.5");
    at = last ? next : next + 1;
  }
  if (!(range.step > 0 && range.to >= range.from && range.from >= 0 && std::isfinite(range.to) && std::isfinite(range.step)))
    refuse_option("--campbell", "'" + text + "' needs 0 <= FROM <= TO and a STEP above 0");
  if ((range.to - range.from) / range.step >= SpinRange::most)
    refuse_option("--campbell", fmt::format("'{}' has more than {} speeds: take a longer step", text, SpinRange::most));
  return range;
}

int show_campbell(const ModesArguments& arguments) {
  const SpinRange range = spin_range(arguments.campbell);
  arguments.model.keep_from(arguments.svg);
  const Model model = arguments.model.read(nullptr, ModelArguments::Needs::nothing);
  ResultsFolder folder = arguments.output.folder(arguments.model.file);
  const Campbell diagram =
      campbell(model, arguments.count, arguments.about == "start" ? About::start : About::equilibrium, range);
  const std::string summary = campbell_json(model, diagram);
  write_text_file(folder.drafts() + "/summary.json", summary);
  write_text_file(folder.drafts() + "/results.csv", campbell_csv(diagram));
  const bool report = !arguments.output.no_report && has_page();
  if (report) write_page(folder.drafts() + "/report.html", campbell_page(model, diagram).json());
  folder.publish();
  if (!arguments.svg.empty()) {
    const Plot picture = campbell_plot(model, diagram);
    write_text_file(arguments.svg, svg(std::span(&picture, 1), 1));
    complain("picture in {}\n", arguments.svg);
  }
  if (arguments.output.json) {
    print("{}", summary);
  } else if (!arguments.output.quiet) {
    print("{}: modes at {} speeds in {:.3g} s\n", shown_title(model), diagram.speeds.size(), diagram.wall_seconds);
    print("{:>14}  {}\n", "spin [rad/s]", "frequencies [rad/s]; * unstable");
    for (const Campbell::Speed& s : diagram.speeds) {
      std::string line;
      for (const Mode& m : s.modes) line += fmt::format("{:>12.6g}{}", m.frequency, m.growth > 0 ? "*" : " ");
      print("{:>14.6g}  {}\n", s.spin, line);
    }
    for (const Campbell::Critical& c : diagram.critical)
      print("  critical  {:.6g} rad/s{}: {}\n", c.spin, c.whirl.empty() ? "" : ", " + c.whirl, c.moves);
    for (const std::string& remark : diagram.remarks) print("  note      {}\n", remark);
    print("  results   {}/summary.json, results.csv\n", folder.path());
    if (!arguments.output.no_report)
      print("  report    {}\n", report ? folder.path() + "/report.html" : "left out: " + std::string(how_to_get_page()));
  }
  return exit_done;
}

int show_modes(const ModesArguments& arguments) {
  if (!arguments.campbell.empty()) return show_campbell(arguments);
  if (!arguments.svg.empty()) refuse_option("--svg", "draws a Campbell diagram: say --campbell FROM:TO:STEP too");
  const Model model = arguments.model.read(nullptr, ModelArguments::Needs::nothing);
  const System system(model);
  ResultsFolder folder = arguments.output.folder(arguments.model.file);
  const ModesResult result =
      find_modes(model, system, arguments.count, arguments.about == "start" ? About::start : About::equilibrium);
  const std::string summary = modes_json(model, system, result);
  write_text_file(folder.drafts() + "/summary.json", summary);
  const bool report = !arguments.output.no_report && has_page();
  if (report) write_page(folder.drafts() + "/report.html", modes_page(model, system, result).json());
  folder.publish();
  if (arguments.output.json) {
    print("{}", summary);
  } else if (!arguments.output.quiet) {
    print_table(model, result, arguments.about);
    print("  results   {}/summary.json\n", folder.path());
    if (!arguments.output.no_report)
      print("  report    {}\n", report ? folder.path() + "/report.html" : "left out: " + std::string(how_to_get_page()));
  }
  return exit_done;
}

}  // namespace

void add_modes(CLI::App& app, int& exit_code) {
  Command command(app, "modes", "frequencies and shapes of vibration modes; results go to <model>.modes/");
  auto arguments = std::make_shared<ModesArguments>();
  arguments->model.add_to(command);
  command.option("-n,--number", arguments->count, "how many, lowest first").positive().shows_default();
  command.option("--about", arguments->about, "start: as drawn; equilibrium: where all forces of t = 0 balance")
      .one_of({"start", "equilibrium"})
      .shows_default();
  command.option("--campbell", arguments->campbell, "over the spin of what turns fastest, in rad/s: 0:50:0.5")
      .of_type("FROM:TO:STEP");
  command.option("--svg", arguments->svg, "draw the Campbell diagram").of_type("FILE");
  arguments->output.add_to(command, "modes", false);
  command.does([arguments, &exit_code] { exit_code = show_modes(*arguments); });
}

}  // namespace trompo
