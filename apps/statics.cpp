// trompo statics: equilibria under loads that grow from nothing.
#include <fmt/format.h>

#include "apps/account.hpp"
#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "apps/progress.hpp"
#include "trompo/output/csv.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/page.hpp"
#include "trompo/output/recorder.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/summary.hpp"
#include "trompo/run/statics.hpp"

namespace trompo {

namespace {

struct StaticsArguments {
  ModelArguments model;
  OutputArguments output;
};

// What the page shows beside the time line: the load factor over each sensor, whichever way it goes.
class LoadCurves final : public Observer {
 public:
  void begin(const RunPlan& plan) override {
    for (std::size_t i = 0; i < std::min<std::size_t>(plan.sensor_names.size(), most); ++i) {
      Plot plot;
      plot.title = "Load factor over " + plan.sensor_names[i];
      plot.x_label = plan.sensor_names[i];
      plot.y_label = "load factor";
      plot.curves.push_back({plan.sensor_names[i], {}, {}});
      plots_.push_back(std::move(plot));
    }
  }
  void sample(const Sample& now) override {
    for (std::size_t i = 0; i < plots_.size(); ++i) {
      plots_[i].curves.front().xs.push_back(now.sensors[i]);
      plots_[i].curves.front().ys.push_back(now.equilibrium->factor);
    }
  }
  void add_to(PageData& page) const {
    for (const Plot& plot : plots_) page.figures.push_back({plot, "Load"});
  }

 private:
  static constexpr std::size_t most = 24;
  std::vector<Plot> plots_;
};

void print_account(const Model& model, const StaticResult& result, const std::string& directory, bool report) {
  const RunResult& r = result.run;
  const char* steps = model.statics.method == "arc-length" ? "steps along the path" : "load steps";
  if (result.done())
    print("{}: {} {} to load factor {:g} in {:.3g} s\n", shown_title(model), r.steps, steps, result.factor, r.wall_seconds);
  else
    print("{}: stopped before load factor {:g}, after {} {} in {:.3g} s\n", shown_title(model), model.statics.factor, r.steps,
          steps, r.wall_seconds);
  // Of a path that was not followed to its end the last equilibrium is worth knowing, if there is one under load.
  if (result.loaded()) {
    if (!result.done()) print("  reached   load factor {:.9g}; what follows is of the equilibrium there\n", result.factor);
    print("  energy    elastic {:.9g} J, of gravity {:.9g} J, of loads {:.9g} J\n", result.potentials.elastic,
          result.potentials.gravity, result.potentials.loads);
    if (result.done())
      print("  stability {}\n", result.unstable < 0                           ? "not judged: loads follow the motion"
                                : result.unstable == 0 && result.free.empty() ? "stable"
                                : result.unstable == 0                        ? "neutral: nothing resists " + result.free
                                                       : fmt::format("unstable in {} direction{}", result.unstable,
                                                                     result.unstable == 1 ? "" : "s"));
  }
  for (const std::string& remark : result.remarks) print("  note      {}\n", remark);
  if (result.loaded())
    for (std::size_t i = 0; i < r.sensors.size(); ++i)
      print("  sensor    {} = {:.9g}\n", r.sensor_names[i], r.sensors[i].final);
  print_ending(model, r, directory, report);
}

int solve_model(const StaticsArguments& arguments) {
  std::vector<Diagnostic> found;
  Model model = arguments.model.read(&found, ModelArguments::Needs::nothing);
  model.output.csv = model.output.csv || arguments.output.csv;
  const System system(model);
  ResultsFolder folder = arguments.output.folder(arguments.model.file);
  Hdf5Recorder recorder(folder, remarks_of(found));
  Progress progress(!arguments.output.quiet && !arguments.output.json);
  LoadCurves curves;
  std::vector<Observer*> observers{&recorder, &progress, &curves};
  std::optional<CsvRecorder> csv;
  if (model.output.csv) observers.push_back(&csv.emplace(folder.drafts()));
  std::optional<PageRecorder> report;
  if (!arguments.output.no_report && has_page()) observers.push_back(&report.emplace(remarks_of(found)));

  catch_interrupts();
  const StaticResult result = solve_statics(model, system, observers, {.stop = &interrupted()});
  const std::string summary = summary_json(model, system, result);
  write_text_file(folder.drafts() + "/summary.json", summary);
  if (report) {
    PageData page = report->page(summary);
    for (const std::string& remark : result.remarks) page.remarks.push_back({Diagnostic::Severity::note, remark});
    curves.add_to(page);
    write_page(folder.drafts() + "/report.html", page.json());
  }
  folder.publish();
  if (arguments.output.json)
    print("{}", summary);
  else if (!arguments.output.quiet)
    print_account(model, result, folder.path(), !arguments.output.no_report);
  if (result.run.status == Status::not_converged) complain("{}: {}\n", arguments.model.file, result.run.failure.dossier());
  if (result.run.status == Status::interrupted)
    complain("interrupted at load factor {:g}; results so far are kept\n", result.factor);
  return result.done() ? exit_done : result.run.status == Status::interrupted ? exit_interrupted : exit_not_converged;
}

}  // namespace

void add_statics(CLI::App& app, int& exit_code) {
  Command command(app, "statics", "equilibria while loads grow; results go to <model>.statics/");
  auto arguments = std::make_shared<StaticsArguments>();
  arguments->model.add_to(command);
  arguments->output.add_to(command, "statics");
  command.does([arguments, &exit_code] { exit_code = solve_model(*arguments); });
}

}  // namespace trompo
