// trompo converge: the measured order of accuracy, and whether it is the claimed one.
#include "trompo/run/convergence.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "apps/study.hpp"
#include "trompo/model/json_text.hpp"
#include "trompo/run/segment.hpp"

namespace trompo {

namespace {

struct ConvergeArguments {
  ModelArguments model;
  std::vector<std::string> schemes;
  int halvings = 5;
  bool json = false;
};

nlohmann::ordered_json to_json(const Convergence& c) {
  auto points = nlohmann::ordered_json::array();
  for (const ConvergencePoint& p : c.points)
    points.push_back({{"step", p.step},
                      {"error", finite_number(p.error)},
                      {"order", finite_number(p.order)},
                      {"done", p.done()},
                      {"status", word(p.status)},
                      {"retries", p.retries}});
  return {{"scheme", c.label},
          {"status", c.refused.empty() ? "run" : "refused"},
          {"claimed_order", c.claim ? nlohmann::ordered_json(*c.claim) : nullptr},
          {"measured_order", c.order ? finite_number(*c.order) : nullptr},
          {"verdict", word(c.verdict)},
          {"reason", c.reason},
          {"points", points}};
}

void print_convergence(const Convergence& c) {
  print("\n{}{}\n", c.label, c.claim ? fmt::format(", claimed order {}", *c.claim) : "");
  if (!c.points.empty()) print("{:>14}{:>14}{:>8}\n", "step [s]", "error", "order");
  for (const ConvergencePoint& p : c.points)
    print("{:>14.6g}{:>14}{:>8}{}\n", p.step, std::isfinite(p.error) ? fmt::format("{:.3e}", p.error) : "-",
          std::isfinite(p.order) ? fmt::format("{:.2f}", p.order) : "",
          !p.done()       ? fmt::format("  {}", word(p.status))
          : p.retries > 0 ? fmt::format("  {} steps halved", p.retries)
                          : "");
  const std::string measured = c.order ? fmt::format("measured order {:.2f}", *c.order) : "no order measured";
  if (!c.refused.empty())
    print("  does not fit: {}\n", c.refused);
  else if (c.verdict == Convergence::Verdict::confirmed)
    print("  {}, as claimed\n", measured);
  else
    print("  {}; {}: {}\n", measured, word(c.verdict), c.reason);
}

int converge_schemes(const ConvergeArguments& arguments) {
  const Model model = arguments.model.read();
  std::vector<Contender> contenders;
  for (const std::string& text : arguments.schemes) contenders.push_back(contender(text));
  if (contenders.empty()) contenders.push_back({model.time.scheme, scheme_of(model)});
  const System system(model);
  Progress progress(true);
  const ReferenceSolution reference = watched_reference(model, system, progress);
  catch_interrupts();
  auto all = nlohmann::ordered_json::array();
  if (!arguments.json)
    print(
        "reference: {}\nerror: distance from it at the end, the largest of places [m], orientations [rad] and generalised "
        "coordinates\n",
        text_of(reference));
  StudyExit exit;
  const long steps = Segments(model, system).planned_steps();  // and twice as many after each halving
  progress.expect(static_cast<long>(contenders.size()) * steps * ((2L << arguments.halvings) - 1));
  for (const Contender& c : contenders) {
    progress.name(c.label);
    const Convergence found = converge(model, system, c, reference, arguments.halvings, {.stop = &interrupted()}, &progress);
    exit.add(!found.refused.empty(),
             found.refused.empty() && reference.found() &&
                 std::any_of(found.points.begin(), found.points.end(), [](const ConvergencePoint& p) { return p.done(); }));
    if (arguments.json)
      all.push_back(to_json(found));
    else
      print_convergence(found);
    if (interrupted()) return exit_interrupted;
  }
  if (arguments.json) print("{}\n", json_text({{"reference", to_json(reference)}, {"schemes", all}}, 2));
  return exit.code();
}

}  // namespace

void add_converge(CLI::App& app, int& exit_code) {
  Command command(app, "converge", "measure the order of accuracy by halving the step");
  auto arguments = std::make_shared<ConvergeArguments>();
  arguments->model.add_to(command);
  command.option("--schemes", arguments->schemes, "names, comma-separated (default: the model's own)").commas();
  command.option("--halvings", arguments->halvings, "how often the step is halved").between(1, 20).shows_default();
  command.flag("--json", arguments->json, "for programs");
  command.does([arguments, &exit_code] { exit_code = converge_schemes(*arguments); });
}

}  // namespace trompo
