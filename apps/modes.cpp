// trompo modes: vibration modes about a state at rest.
#include <fmt/format.h>

#include "apps/account.hpp"
#include "apps/commands.hpp"
#include "apps/print.hpp"
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
};

void print_table(const Model& model, const ModesResult& result, const std::string& about) {
  print("{}: {} modes about the {} in {:.3g} s\n", shown_title(model), result.modes.size(), about, result.wall_seconds);
  print("{:>6}{:>14}{:>14}{:>14}  {}\n", "mode", "[Hz]", "[rad/s]", "period [s]", "dominant motion");
  for (std::size_t i = 0; i < result.modes.size(); ++i) {
    const Mode& m = result.modes[i];
    const std::string period = m.frequency > 0 ? fmt::format("{:.6g}", 1 / m.hertz()) : "-";
    const std::string kind = m.free()       ? " (moves freely)"
                             : m.growth > 0 ? fmt::format(" (unstable: grows as exp({:.6g} t))", m.growth)
                                            : "";
    print("{:>6}{:>14.6g}{:>14.6g}{:>14}  {}{}\n", i + 1, m.hertz(), m.frequency, period, m.moves, kind);
  }
  for (const std::string& remark : result.remarks) print("  note      {}\n", remark);
}

int show_modes(const ModesArguments& arguments) {
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
  arguments->output.add_to(command, "modes", false);
  command.does([arguments, &exit_code] { exit_code = show_modes(*arguments); });
}

}  // namespace trompo
