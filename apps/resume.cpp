#include "apps/resume.hpp"

#include <fmt/format.h>

#include <charconv>
#include <cmath>
#include <filesystem>
#include <stdexcept>

#include "apps/print.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/carried_state.hpp"
#include "trompo/output/results_folder.hpp"
#include "trompo/scheme/consistent_start.hpp"

namespace trompo {

namespace fs = std::filesystem;

namespace {

std::string from_the_root(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(path, error);
  return error ? path : full.string();
}

// The results of that run with all samples before the checkpoint.
bool take_samples(Earlier& earlier, std::vector<std::string>& troubles) {
  for (const std::string_view name : {partial_name, result_names.front()}) {
    const std::string path = earlier.directory + "/" + std::string(name);
    std::error_code ignored;
    if (!fs::exists(path, ignored)) continue;
    try {
      auto file = std::make_unique<ResultsFile>(path);
      std::string model = file->text("model_json");
      if (checksum(model) != earlier.file.model_hash) continue;  // of another run
      earlier.model = std::move(model);
      if (earlier.file.at.samples == 0) return true;
      if (file->rows() >= static_cast<std::size_t>(earlier.file.at.samples)) {
        earlier.samples = std::move(file);
        return true;
      }
      troubles.push_back(fmt::format("{}: has {} samples of {}", path, file->rows(), earlier.file.at.samples));
    } catch (const FileError& trouble) {
      troubles.emplace_back(trouble.what());
    }
  }
  return earlier.file.at.samples == 0;
}

}  // namespace

std::string Earlier::model_file() const {
  return from_the_root(file.model_file) == file.model_path ? file.model_file : file.model_path;
}

Earlier earlier_run(const std::string& directory, Complain complains) {
  std::vector<std::string> troubles;
  std::error_code ignored;
  if (!fs::is_directory(directory, ignored)) throw FileError(directory + ": there is no such folder to go on from");
  for (CheckpointFile& file : read_checkpoints(hidden_folder(directory), troubles)) {
    Earlier earlier{directory, std::move(file), nullptr, ""};
    const std::size_t before = troubles.size();
    if (!take_samples(earlier, troubles)) {
      if (troubles.size() == before)
        troubles.push_back(fmt::format("{}: no results of the run that the checkpoint belongs to", directory));
      continue;
    }
    for (const std::string& trouble : troubles)
      if (complains == Complain::yes) complain("note: {}; going on from the checkpoint before\n", trouble);
    return earlier;
  }
  throw FileError(fmt::format("{}: there is nothing to go on from: {}; run the model again", directory,
                              troubles.empty() ? "it has no checkpoint" : fmt::format("{}", fmt::join(troubles, "; "))));
}

Model read_as_started(ModelArguments& arguments, const Earlier* earlier, double until, std::vector<Diagnostic>& found) {
  if (earlier == nullptr) return arguments.read(&found);
  Model model = read_model(arguments.file, arguments.overrides);
  const std::string now = model_json(model);
  if (checksum(now) != earlier->file.model_hash)
    throw ModelError({{Diagnostic::Severity::error, model.file, model.source.line,
                       "is not the model of the run in " + in_quotes(earlier->directory) + " any more" +
                           (earlier->model.empty() ? "" : ": " + what_differs(earlier->model, now)),
                       "undo that, or run the model again"}});
  if (until > 0) {
    if (until <= earlier->file.at.time)
      refuse_option("--until",
                    fmt::format("--until {:g} is not after the last checkpoint, at t = {:g} s", until, earlier->file.at.time));
    const double steps = std::round(until / model.time.step);
    if (model.time.steps && std::abs(steps * model.time.step - until) > 1e-9 * until)
      refuse_option("--until", fmt::format("--until {:g} is no multiple of the step, and the model counts steps", until));
    arguments.overrides.push_back(model.time.steps ? fmt::format("time.steps={:.0f}", steps)
                                                   : fmt::format("time.end={}", until));
  }
  return arguments.read(&found);
}

RunResult going_on(const Earlier& earlier, const std::function<RunResult()>& run) {
  try {
    return run();
  } catch (const std::invalid_argument& why) {
    throw FileError(
        fmt::format("{}: cannot go on from its checkpoint: {}; run the model again", earlier.directory, why.what()));
  }
}

State start_from(const std::string& sample, const Model& model, const System& system) {
  const auto at = sample.rfind('@');
  double time = 0;
  const char* end = sample.data() + sample.size();
  const auto number = std::from_chars(at == std::string::npos ? end : sample.data() + at + 1, end, time);
  if (number.ec != std::errc() || number.ptr != end || !std::isfinite(time))
    refuse_option("--from", "--from " + sample + " is not of the form DIR@12.5: a folder of results and a time in s");
  const std::string path = sample.substr(0, at);
  std::error_code ignored;
  const ResultsFile file(fs::is_directory(path, ignored) ? results_in(path) : path);
  if (file.has("axis")) throw FileError(file.path() + ": holds equilibria, and a run starts from a motion");
  CarriedState carried = carried_state(file, sample_at(file, time), model, system);
  for (const std::string& text : carried.left_out) complain("note: not carried over: {}\n", text);
  // Velocities at the end of a step need not be tangential: they are brought there by the least change.
  if (system.multipliers() > 0) (void)ConsistentStart(system).solve_tangential(carried.state);
  return as_start(model, system, carried.state);
}

CheckpointFile started_as(const ModelArguments& arguments, bool report, bool keep_going) {
  CheckpointFile file;
  file.model_file = arguments.file;
  file.model_path = from_the_root(arguments.file);
  file.overrides = arguments.overrides;
  file.report = report;
  file.keep_going = keep_going;
  return file;
}

}  // namespace trompo
