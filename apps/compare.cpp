// trompo compare: one model, many schemes.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>
#include <optional>

#include "apps/account.hpp"
#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "apps/study.hpp"
#include "trompo/model/json_text.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/page.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/summary.hpp"
#include "trompo/output/svg.hpp"
#include "trompo/run/segment.hpp"
#include "trompo/run/study.hpp"

namespace trompo {

namespace {

std::string outcome(const Comparison& c) {
  if (!c.refused.empty()) return "does not fit: " + c.refused;
  if (c.result.status == Status::interrupted) return "interrupted";
  if (!c.failed_at) return "";
  return fmt::format("{} at t = {:.4g} s", c.result.status == Status::unstable ? "unstable" : "Newton gave up", *c.failed_at);
}

struct CompareArguments {
  ModelArguments model;
  std::vector<std::string> schemes;
  std::string svg, html;
  bool json = false;
};

// Of one contender among many: a page holds them all.
PageBudget share_of(std::size_t contenders) {
  const auto at_least = [contenders](std::size_t all, std::size_t least) { return std::max(all / contenders, least); };
  return {.points = std::min<std::size_t>(2000, at_least(8000, 300)),
          .frames = std::min<std::size_t>(1500, at_least(3000, 60)),
          .frame_numbers = at_least(480000, 1),
          .folded = contenders == 1};
}

// The runs laid over each other: how Newton fared, and where the last part of the model went.
class Overlay {
 public:
  void add(const Comparison& run) {
    iterations_.curves.push_back({run.label, run.times, run.iterations});
    if (path_.curves.empty() && !run.path.empty()) choose_axes(run);
    Curve curve{run.label, {}, {}};
    for (std::size_t i = 0; i < run.path.size(); ++i) {
      curve.xs.push_back(path_.map ? run.path[i][across_] : run.times[i]);
      curve.ys.push_back(run.path[i][up_]);
    }
    path_.curves.push_back(std::move(curve));
  }
  void add_to(PageData& page) {
    page.figures.push_back({std::move(path_), "Trajectories"});
    page.figures.push_back({std::move(iterations_), "Iterations"});
  }

 private:
  // The two along which it moves most; a generalised coordinate has one.
  void choose_axes(const Comparison& run) {
    std::array<double, 3> low = run.path.front(), high = low;
    for (const auto& place : run.path)
      for (std::size_t i = 0; i < 3; ++i) low[i] = std::min(low[i], place[i]), high[i] = std::max(high[i], place[i]);
    std::array<std::size_t, 3> axes{0, 1, 2};
    std::stable_sort(axes.begin(), axes.end(),
                     [&](std::size_t a, std::size_t b) { return high[a] - low[a] > high[b] - low[b]; });
    path_.map = high[axes[1]] > low[axes[1]];
    across_ = std::min(axes[0], axes[1]);
    up_ = path_.map ? std::max(axes[0], axes[1]) : axes[0];
    path_.title = "Path of " + run.traced;
    path_.x_label = path_.map ? fmt::format("{} [m]", "xyz"[across_]) : "time [s]";
    path_.y_label = path_.map ? fmt::format("{} [m]", "xyz"[up_]) : run.traced;
  }
  Plot iterations_{.title = "Newton's iterations", .x_label = "time [s]", .y_label = "iterations per step"}, path_;
  std::size_t across_ = 0, up_ = 1;
};

int compare_schemes(const CompareArguments& arguments) {
  if (!arguments.html.empty()) require_page(arguments.html);
  for (const std::string& output : {arguments.svg, arguments.html}) arguments.model.keep_from(output);
  PageData page{.kind = "compare", .title = ""};
  std::vector<Diagnostic> found;
  const Model model = arguments.model.read(&found);
  const System system(model);
  std::vector<Contender> contenders;
  if (arguments.schemes.empty())
    for (const Row& row : catalogue())  // when asked for: explicit rows, which may not be stable at steps of the others, and
                                        // those that force their energy, for study
      if (row.balance != Balance::index_one && row.balance != Balance::forced && refusal(row, system).empty())
        contenders.push_back(contender(std::string(row.name)));
  for (const std::string& text : arguments.schemes) contenders.push_back(contender(text));
  Progress progress(true);
  const ReferenceSolution reference = watched_reference(model, system, progress);
  catch_interrupts();

  page.title = page_title(model);
  page.remarks = remarks_of(found);
  page.remarks.push_back({Diagnostic::Severity::note, fmt::format("Reference: {}; energies are relative to {:.6g} J.",
                                                                  text_of(reference), reference.energy_scale)});
  PageTable table{"Schemes", {"scheme", "energy error", "end error", "iterations per step", "wall [s]", "outcome"}};
  table.note =
      "Energy error: worst |E - E0| less the work done. End error: distance from the reference at the end, the largest of "
      "places [m], orientations [rad] and generalised coordinates.";
  PageBudget budget = share_of(contenders.size());

  auto rows = nlohmann::ordered_json::array();
  Plot picture;
  Overlay overlay;
  picture.title = (model.title.empty() ? model.file : model.title) + fmt::format(", step {:g} s", model.time.step);
  picture.x_label = "time [s]";
  picture.y_label = "change of energy / scale";
  if (!arguments.json) {
    print("{}, step {:g} s to t = {:g} s\n", shown_title(model), model.time.step, end_time(model));
    print("reference: {}; energies relative to {:.6g} J\n", text_of(reference), reference.energy_scale);
    print(
        "energy error: worst |E - E0| less the work done; end error: distance from the reference at the end, the largest of\n"
        "places [m], orientations [rad] and generalised coordinates\n\n");
    print("{:<34}{:>14}{:>14}{:>12}{:>12}\n", "scheme", "energy error", "end error", "iterations", "wall [s]");
  }
  StudyExit exit;
  progress.expect(static_cast<long>(contenders.size()) * Segments(model, system).planned_steps());
  for (const Contender& c : contenders) {
    std::optional<PageRecorder> recorder;
    if (!arguments.html.empty()) recorder.emplace(std::vector<Remark>(), budget);
    std::vector<Observer*> watchers{&progress};
    if (recorder) watchers.push_back(&*recorder);
    progress.name(c.label);
    Comparison row = compare(model, system, c, reference, {.stop = &interrupted()}, watchers);
    exit.add(!row.refused.empty(), row.refused.empty() && row.result.status == Status::done);
    if (!row.refused.empty()) {
      const std::string remark = outcome(row);
      page.remarks.push_back({Diagnostic::Severity::warning, row.label + ": " + remark});
      table.rows.push_back({row.label, std::nan(""), std::nan(""), std::nan(""), std::nan(""), remark});
      table.verdicts.emplace_back("bad");
      if (arguments.json)
        rows.push_back({{"scheme", row.label},
                        {"parameters", c.scheme.parameters},
                        {"status", "refused"},
                        {"reason", row.refused},
                        {"remedy", remedy(*c.scheme.row, system)}});
      else
        print("{:<34}{:>14}{:>14}{:>12}{:>12}  {}; {}\n", row.label, "-", "-", "-", "-", remark, remedy(*c.scheme.row, system));
      continue;
    }
    overlay.add(row);
    picture.curves.push_back({row.label, std::move(row.times), std::move(row.energy_changes)});
    const RunResult& r = row.result;
    const double mean = r.solves > 0 ? static_cast<double>(r.iterations) / static_cast<double>(r.solves) : 0.0;
    const std::string remark = outcome(row);
    if (recorder) {
      page.runs.push_back(recorder->run_json(summary_json(model, system, c.scheme, r), row.label));
      budget.model = false;  // the same for all of them
      if (!remark.empty()) page.remarks.push_back({Diagnostic::Severity::warning, row.label + ": " + remark, row.failed_at});
      table.rows.push_back({row.label, row.energy_error, row.end_error, mean, r.wall_seconds, remark});
      table.verdicts.emplace_back(remark.empty() ? "none" : "bad");
    }
    if (arguments.json) {
      rows.push_back({{"scheme", row.label},
                      {"parameters", c.scheme.parameters},
                      {"status", word(r.status)},
                      {"energy_error", finite_number(row.energy_error)},
                      {"end_error", finite_number(row.end_error)},
                      {"balance_residual", finite_number(r.ledger.worst_residual() / reference.energy_scale)},
                      {"iterations_mean", mean},
                      {"retries", r.retries},
                      {"wall_seconds", r.wall_seconds},
                      {"failed_at", row.failed_at ? finite_number(*row.failed_at) : nullptr}});
    } else {
      print("{:<34}{:>14.2e}{:>14}{:>12.2f}{:>12.4f}{}{}\n", row.label, row.energy_error,
            std::isfinite(row.end_error) ? fmt::format("{:.2e}", row.end_error) : "-", mean, r.wall_seconds,
            remark.empty() ? "" : "  ", remark);
    }
    if (interrupted()) return exit_interrupted;
  }
  if (arguments.json) print("{}\n", json_text({{"reference", to_json(reference)}, {"schemes", rows}}, 2));
  if (!arguments.svg.empty()) {
    write_text_file(arguments.svg, svg(std::span(&picture, 1), 1));
    complain("picture in {}\n", arguments.svg);
  }
  if (!arguments.html.empty()) {
    page.tables.push_back(std::move(table));
    page.figures.push_back({std::move(picture), "Energy"});
    overlay.add_to(page);
    write_page(arguments.html, page.json());
    complain("page in {}\n", arguments.html);
  }
  return exit.code();
}

}  // namespace

void add_compare(CLI::App& app, int& exit_code) {
  Command command(app, "compare", "run one model with many schemes: energy, accuracy, cost, and which ones blow up");
  auto arguments = std::make_shared<CompareArguments>();
  arguments->model.add_to(command);
  command.option("--schemes", arguments->schemes, "names, comma-separated; parameters as gem:rho_infinity=0.6 (default: all)")
      .commas();
  command.option("--svg", arguments->svg, "draw the energies over time").of_type("FILE");
  command.option("--html", arguments->html, "show all runs as a page").of_type("FILE");
  command.flag("--json", arguments->json, "for programs");
  command.does([arguments, &exit_code] { exit_code = compare_schemes(*arguments); });
}

}  // namespace trompo
