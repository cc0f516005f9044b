// trompo info: what a result is. trompo diff: where two part. trompo rerun: the same again, and the difference.
#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <limits>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "apps/resume.hpp"
#include "apps/run.hpp"
#include "trompo/model/json_text.hpp"
#include "trompo/model/printable.hpp"
#include "trompo/output/difference.hpp"
#include "trompo/output/results.hpp"
#include "trompo/output/results_folder.hpp"

namespace trompo {

namespace {

namespace fs = std::filesystem;
using Json = nlohmann::ordered_json;

std::string results_at(const std::string& path) {
  std::error_code ignored;
  return fs::is_directory(path, ignored) ? results_in(path) : path;
}

// How a run is gone on with, or why it cannot be.
std::string how_to_resume(const std::string& directory, double& time) {
  if (run_under_way(directory)) return "it is under way";
  try {
    const Earlier earlier = earlier_run(directory, Complain::no);
    time = earlier.file.at.time;
    return fmt::format("trompo run --resume {}", directory);
  } catch (const FileError& why) {
    return why.what();
  }
}

// What the model says of its end, in s; no number of statics.
double planned_end(const ResultsFile& file) {
  constexpr double none = std::numeric_limits<double>::quiet_NaN();
  const std::string text = file.text("model_json");
  if (file.has("axis") || !is_json(text)) return none;
  const Json time = Json::parse(text).value("time", Json::object());
  const auto number = [&time](const char* key) { return time.contains(key) && time.at(key).is_number(); };
  if (number("end")) return time.at("end").get<double>();
  if (number("steps") && number("step")) return time.at("steps").get<double>() * time.at("step").get<double>();
  return none;
}

void print_info(const std::string& path, bool json) {
  const ResultsFile file(results_at(path));
  std::error_code ignored;
  const bool folder = fs::is_directory(path, ignored);
  const std::vector<double> times = file.read("/time"), steps = file.read("/step");
  const std::string axis = file.has("axis") ? file.text("axis") : "t [s]";
  double from = std::numeric_limits<double>::quiet_NaN();  // no number: not at all
  const std::string resume = !folder || file.has("axis") ? "" : how_to_resume(path, from);
  const double end = planned_end(file);
  if (json) {
    Json out{{"file", file.path()},
             {"title", file.text("title")},
             {"trompo_version", file.text("trompo_version")},
             {"scheme", file.text("scheme")},
             {"status", file.text("status")},
             {"samples", file.rows()},
             {"steps", steps.back()},
             {"time", times.back()},
             {"end", std::isfinite(end) ? Json(end) : Json(nullptr)},
             {"resume", std::isfinite(from) ? Json{{"time", from}, {"command", resume}} : Json(nullptr)}};
    print("{}\n", json_text(out, 2));
    return;
  }
  const std::string title = file.text("title");
  print("{}{}{}\n", file.path(), title.empty() ? "" : ": ", printable(title, false));
  print("  written by  trompo {}\n", printable(file.text("trompo_version"), false));
  print("  scheme      {}\n", printable(file.text("scheme"), false));
  print("  status      {}\n", printable(file.text("status"), false));
  print("  reached     step {:.0f}, {} = {:.9g}{}; {} samples\n", steps.back(), printable(axis, false), times.back(),
        std::isfinite(end) ? fmt::format(" of {:.9g}", end) : "", file.rows());
  std::size_t numbers = 0;
  for (const Channel& channel : file.channels().all) numbers += channel.size();
  print("  channels    {}, {} numbers a sample\n", file.channels().all.size(), numbers);
  if (std::isfinite(from))
    print("  resume      {} (from t = {:.9g} s)\n", resume, from);
  else if (!resume.empty())
    print("  resume      {}\n", printable(resume, false));
}

struct DiffArguments {
  std::string a, b;
  Tolerance tolerance;
  bool json = false;
};

int print_difference(const DiffArguments& arguments) {
  const ResultsFile a(results_at(arguments.a)), b(results_at(arguments.b));
  const Difference found = difference(a, b, arguments.tolerance);
  if (arguments.json) {
    Json out{{"same", !found.parted()}, {"apart", found.apart}, {"channels", Json::array()}};
    for (const ChannelDifference& c : found.channels) {
      Json entry{{"channel", c.channel}, {"largest", c.largest},   {"scale", c.scale},
                 {"in", c.largest_in},   {"time", c.largest_time}, {"parted", c.parted}};
      if (c.parted) entry["first"] = {{"time", c.first_time}, {"in", c.first_in}};
      out["channels"].push_back(std::move(entry));
    }
    print("{}\n", json_text(out, 2));
    return found.parted() ? exit_differs : exit_done;
  }
  for (const std::string& text : found.apart) print("{}\n", printable(text, false));
  const ChannelDifference* first = nullptr;
  for (const ChannelDifference& c : found.channels) {
    print("{:<26} {:.3e} of {:.3e} in {} at {:.9g}{}\n", c.channel, c.largest, c.scale, printable(c.largest_in, false),
          c.largest_time, c.parted ? fmt::format("; parts at {:.9g} in {}", c.first_time, printable(c.first_in, false)) : "");
    if (c.parted && (first == nullptr || c.first_time < first->first_time)) first = &c;
  }
  if (first != nullptr)
    print("they part at {:.9g}: {} in {}\n", first->first_time, first->channel, printable(first->first_in, false));
  else if (found.apart.empty())
    print("the same{}: {} samples of {} channels\n", found.channels.empty() ? "" : ", within the tolerances", a.rows(),
          a.channels().all.size());
  return found.parted() ? exit_differs : exit_done;
}

struct RerunArguments {
  std::string directory, output;
  Tolerance tolerance;
};

int rerun(const RerunArguments& arguments) {
  const ResultsFile file(results_at(arguments.directory));
  const std::string status = file.text("status");
  if (status == "interrupted" || status == "running")
    throw FileError(
        fmt::format("{}: did not come to its end: trompo run --resume {}", arguments.directory, arguments.directory));
  const std::string again =
      arguments.output.empty() ? fs::path(arguments.directory).lexically_normal().string() + ".rerun" : arguments.output;
  const int code = run_again(arguments.directory, again);
  if (code != exit_done && code != exit_not_converged) return code;
  return print_difference({arguments.directory, again, arguments.tolerance, false});
}

void add_tolerances(Command& command, Tolerance& tolerance) {
  command.option("--relative", tolerance.relative, "allowed, relative to the largest number of a channel (default: 0)");
  command.option("--absolute", tolerance.absolute, "allowed, in the unit of a channel (default: 0)");
}

}  // namespace

void add_info(CLI::App& app, int& exit_code) {
  Command command(app, "info", "say what a result is, how far it came and how to go on");
  auto path = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command.option("DIR", *path, "folder of a run, or a results file").required();
  command.flag("--json", *json, "for programs");
  command.does([path, json, &exit_code] {
    print_info(*path, *json);
    exit_code = exit_done;
  });
}

void add_diff(CLI::App& app, int& exit_code) {
  Command command(app, "diff", "compare two results channel by channel; code 5 where they differ");
  auto arguments = std::make_shared<DiffArguments>();
  command.option("A", arguments->a, "folder of a run, or a results file").required();
  command.option("B", arguments->b, "likewise").required();
  add_tolerances(command, arguments->tolerance);
  command.flag("--json", arguments->json, "for programs");
  command.does([arguments, &exit_code] { exit_code = print_difference(*arguments); });
}

void add_rerun(CLI::App& app, int& exit_code) {
  Command command(app, "rerun", "run again what stands in a folder, and compare");
  auto arguments = std::make_shared<RerunArguments>();
  command.option("DIR", arguments->directory, "folder of a run").required();
  command.option("-o,--output", arguments->output, "directory for the new results (default: DIR.rerun)").of_type("DIR");
  add_tolerances(command, arguments->tolerance);
  command.does([arguments, &exit_code] { exit_code = rerun(*arguments); });
}

}  // namespace trompo
