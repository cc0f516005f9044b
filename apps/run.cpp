// trompo run: simulate a model and leave the results. trompo check: lint it. trompo expand: print it in plain parts.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <nlohmann/json.hpp>

#include "apps/account.hpp"
#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "apps/progress.hpp"
#include "apps/resume.hpp"
#include "apps/run.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/checkpoint_rule.hpp"
#include "trompo/model/json_text.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/model/rod.hpp"
#include "trompo/output/checkpoints.hpp"
#include "trompo/output/csv.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/page.hpp"
#include "trompo/output/recorder.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/summary.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {

// As many as there are independent coordinates and multipliers of joints and constraints.
int equations_of(const System& system) { return system.freedoms() + system.multipliers(); }

struct RunArguments {
  ModelArguments model;
  OutputArguments output;
  bool keep_going = false;
  std::string resume, from;
  double until = 0;
};

int exit_code_of(Status status) {
  return status == Status::done ? exit_done : status == Status::interrupted ? exit_interrupted : exit_not_converged;
}

// The interval balance satisfies the constraints at both ends of a step, not their rates: those are as exact as the velocities.
bool falls_with_step_squared(const Scheme& scheme, const System& system) {
  return scheme.row->balance == Balance::interval && claimed_order(scheme, system.formulation()) == 2;
}

void print_account(const Model& model, const System& system, const Scheme& scheme, const RunResult& r,
                   const std::string& directory, bool report) {
  const double scale = std::max(r.ledger.scale(), 1e-300);
  print("{}: {} steps of {:g} s by {} in {:.3g} s\n", shown_title(model), r.steps, model.time.step, scheme.row->name,
        r.wall_seconds);
  print(
      "  energy    {:.9g} J -> {:.9g} J; work of loads {:.3g} J, of supports {:.3g} J, heat {:.3g} J, numerical dissipation "
      "{:.3g} J{}\n",
      r.total.initial, r.total.final, r.ledger.load_work(), r.ledger.support_work(), r.ledger.heat(), r.ledger.numerical(),
      model.events.empty() ? "" : fmt::format(", events {:.3g} J", r.ledger.events()));
  if (system.multipliers() > 0)
    print("  errors    largest constraint error {:.2g}; velocity-level error {:.2g}{}\n", r.constraint_error_max,
          r.constraint_rate_max, falls_with_step_squared(scheme, system) ? ", O(h²) for this scheme" : "");
  if (r.ledger.worst_uncorrected() > 0)
    print("  secant    without its correction a step would have changed energy by {:.2e} J at most\n",
          r.ledger.worst_uncorrected());
  print("  balance   energy balance error {:.2e} J, {:.1e} of {:.6g} J\n", r.ledger.worst_residual(),
        r.ledger.worst_residual() / scale, r.ledger.scale());
  print_ending(model, r, directory, report);
}

// How an earlier run was started stands in its checkpoint, and nothing else can be said.
void take_from(const Earlier& earlier, RunArguments& arguments) {
  if (arguments.model.file.empty()) arguments.model.file = earlier.model_file();
  arguments.model.overrides = earlier.file.overrides;
  arguments.output.no_report = !earlier.file.report;
  arguments.keep_going = earlier.file.keep_going;
}

int run_model(RunArguments arguments, const std::optional<Earlier>& earlier) {
  if (arguments.output.csv) arguments.model.overrides.emplace_back("output.csv=true");
  std::vector<Diagnostic> found;
  const Model model = read_as_started(arguments.model, earlier ? &*earlier : nullptr, arguments.until, found);
  const Scheme scheme = scheme_of(model);
  const System system(model);

  const auto warn = [&found](const std::vector<Diagnostic>& all) {
    for (const Diagnostic& d : all) {
      complain("{}\n", d.text());
      found.push_back(d);
    }
  };
  warn(check_scheme(model, system, scheme));
  warn(warn_of_repetitions(model, system));

  std::optional<State> start;
  if (!arguments.from.empty()) start = start_from(arguments.from, model, system);
  ResultsFolder folder = arguments.output.folder(arguments.model.file);  // only a model that can be run gets one
  Hdf5Recorder recorder(folder, remarks_of(found));
  Progress progress(!arguments.output.quiet && !arguments.output.json);
  Checkpoints checkpoints(folder, recorder, started_as(arguments.model, !arguments.output.no_report, arguments.keep_going),
                          checkpoint_rule(model));
  std::vector<Observer*> observers{&recorder, &progress, &checkpoints};
  std::optional<CsvRecorder> csv;
  if (model.output.csv) observers.push_back(&csv.emplace(folder.drafts()));
  std::optional<PageRecorder> report;
  if (!arguments.output.no_report && has_page())
    observers.push_back(&report.emplace(remarks_of(found), PageBudget{}, folder.drafts()));
  if (earlier && earlier->samples) {
    recorder.after(*earlier->samples);
    if (csv) csv->after(*earlier->samples);
    if (report) report->after(*earlier->samples);
  }

  catch_interrupts();
  const RunOptions options{.stop = &interrupted(),
                           .keep_going = arguments.keep_going,
                           .start = start ? &*start : nullptr,
                           .from = earlier ? &earlier->file.at : nullptr,
                           .last = checkpoints.last()};
  const RunResult result = earlier ? going_on(*earlier, [&] { return run(model, system, scheme, observers, options); })
                                   : run(model, system, scheme, observers, options);
  const std::string summary = summary_json(model, system, scheme, result);
  write_text_file(folder.drafts() + "/summary.json", summary);
  if (report) write_page(folder.drafts() + "/report.html", report->page(summary).json());
  folder.publish();
  try {
    if (result.status == Status::interrupted) make_lasting(folder.path() + "/" + std::string(result_names.front()));
    checkpoints.finish(result.status == Status::interrupted);
  } catch (const FileError& why) {
    complain("warning: {}; these results cannot be resumed\n", why.what());
  }

  if (arguments.output.json)
    print("{}", summary);
  else if (!arguments.output.quiet)
    print_account(model, system, scheme, result, folder.path(), !arguments.output.no_report);
  if (failed(result.status))
    complain("{}: {}\n", arguments.model.file, result.failure.dossier());
  else
    for (const Diagnostic& d : result.warnings) complain("{}\n", d.text());
  if (result.status == Status::interrupted)
    complain("interrupted at t = {:g} s; results so far are kept{}\n", result.state.time,
             checkpoints.last() == nullptr ? "" : "; to go on: trompo run --resume " + folder.path());
  return exit_code_of(result.status);
}

int run_or_resume(RunArguments arguments) {
  if (arguments.resume.empty()) {
    if (arguments.model.file.empty()) refuse_option("FILE", "FILE is required, or --resume DIR");
    return run_model(std::move(arguments), std::nullopt);
  }
  const std::optional<Earlier> earlier = earlier_run(arguments.resume);
  take_from(*earlier, arguments);
  arguments.output.directory = arguments.resume;
  arguments.output.force = arguments.output.resume = true;
  return run_model(std::move(arguments), earlier);
}

struct CheckArguments {
  ModelArguments model;
  std::string html;
  bool json = false;
};

std::string counted(std::size_t n, std::string_view what) { return fmt::format("{} {}{}", n, what, n == 1 ? "" : "s"); }

std::string inventory(const Model& model, int equations) {
  std::string text = counted(model.nodes.size(), "node");
  const auto add = [&text](std::size_t n, std::string_view what) {
    if (n > 0) text += ", " + counted(n, what);
  };
  if (!model.bodies.empty()) text += model.bodies.size() == 1 ? ", 1 body" : fmt::format(", {} bodies", model.bodies.size());
  add(model.bars.size(), "bar");
  if (!model.rod_elements.empty())
    text += ", " + counted(count_rods(model), "rod") + " of " + counted(model.rod_elements.size(), "element");
  add(model.springs.size(), "spring");
  add(model.coordinates.size(), "generalised coordinate");
  add(model.potentials.size(), "potential");
  add(model.constraints.size(), "constraint");
  add(model.loads.size(), "load");
  add(model.sensors.size(), "sensor");
  return fmt::format("{}; {}; {}", text, counted(static_cast<std::size_t>(equations), "equation"),
                     model.time.given() ? model.time.scheme : "statics");
}

nlohmann::ordered_json to_json(const Diagnostic& d) {
  static constexpr std::string_view words[] = {"error", "warning", "note"};
  return {{"severity", words[static_cast<int>(d.severity)]},
          {"file", d.file},
          {"line", d.line},
          {"message", d.message},
          {"remedy", d.remedy}};
}

// The page of a model before it moves: a run that is stopped before its first step.
void write_model_page(const std::string& path, const Model& model, const System& system, const std::vector<Diagnostic>& found) {
  PageRecorder recorder;
  Observer* const observers[] = {&recorder};
  const std::atomic<bool> stop = true;
  (void)run(model, system, scheme_of(model), observers, {.stop = &stop});
  const PageData page{
      .kind = "model", .title = page_title(model), .remarks = remarks_of(found), .runs = {recorder.run_json("")}};
  write_page(path, page.json());
  complain("page in {}\n", path);
}

int check_model(const CheckArguments& arguments) {
  if (!arguments.html.empty()) require_page(arguments.html);
  arguments.model.keep_from(arguments.html);
  std::vector<Diagnostic> all;
  nlohmann::ordered_json report{{"valid", true}, {"diagnostics", nlohmann::ordered_json::array()}};
  try {
    const Model model = read_model(arguments.model.file, arguments.model.overrides);
    all = check(model);
    const System system(model);
    if (model.time.given()) {
      for (const Diagnostic& d : check_scheme(model, system, scheme_of(model))) all.push_back(d);
      for (const Diagnostic& d : warn_of_repetitions(model, system)) all.push_back(d);
      (void)initial_balance(model, system, initial_state(model, system));  // refuse what cannot be started
    }
    if (!arguments.html.empty()) write_model_page(arguments.html, model, system, all);
    report["equations"] = equations_of(system);
    if (!arguments.json) print("{}: valid: {}\n", arguments.model.file, inventory(model, equations_of(system)));
  } catch (const ModelError& invalid) {
    report["valid"] = false;
    all.insert(all.end(), invalid.diagnostics.begin(), invalid.diagnostics.end());
  }
  for (const Diagnostic& d : all) {
    if (arguments.json)
      report["diagnostics"].push_back(to_json(d));
    else
      complain("{}\n", d.text());
  }
  if (arguments.json) print("{}\n", json_text(report, 2));
  return report["valid"] ? exit_done : exit_model;
}

}  // namespace

int run_again(const std::string& directory, const std::string& into) {
  std::optional<Earlier> earlier = earlier_run(directory);
  earlier->samples.reset();
  earlier->file.at = {.start = earlier->file.at.start};
  RunArguments arguments;
  take_from(*earlier, arguments);
  arguments.output.directory = into;
  arguments.output.quiet = true;
  return run_model(std::move(arguments), earlier);
}

void add_run(CLI::App& app, int& exit_code) {
  Command command(app, "run", "simulate a model; results go to <model>.out/");
  auto arguments = std::make_shared<RunArguments>();
  arguments->model.add_to(command, ModelArguments::File::optional);
  arguments->output.add_to(command, "out");
  command.flag("--keep-going", arguments->keep_going, "run on when the run has become unstable");
  command.option("--from", arguments->from, "start in the state of a recorded sample, by names").of_type("DIR@TIME");
  command.option("--resume", arguments->resume, "go on with the run whose results stand in DIR, as it was started")
      .of_type("DIR")
      .excludes({"--set", "--from", "--output", "--csv", "--force", "--no-report", "--keep-going"});
  command.option("--until", arguments->until, "with --resume: to this time, also beyond the end").positive().needs("--resume");
  command.does([arguments, &exit_code] { exit_code = run_or_resume(*arguments); });
}

void add_check(CLI::App& app, int& exit_code) {
  Command command(app, "check", "look for mistakes in a model without running it");
  auto arguments = std::make_shared<CheckArguments>();
  arguments->model.add_to(command);
  command.option("--html", arguments->html, "show the model, before it moves, as a page").of_type("FILE");
  command.flag("--json", arguments->json, "for programs");
  command.does([arguments, &exit_code] { exit_code = check_model(*arguments); });
}

void add_expand(CLI::App& app, int& exit_code) {
  Command command(app, "expand", "print a model with its [aircraft] as plain bodies, joints and springs");
  auto arguments = std::make_shared<ModelArguments>();
  arguments->add_to(command);
  command.does([arguments, &exit_code] {
    print("{}", model_toml(arguments->read(nullptr, ModelArguments::Needs::nothing)));
    exit_code = exit_done;
  });
}

}  // namespace trompo
