#include "trompo/output/report.hpp"

#include <fmt/format.h>

#include <cmath>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "trompo/model/json_text.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/results.hpp"
#include "trompo/output/results_folder.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

namespace {

using namespace std::chrono_literals;
using Clock_ = std::chrono::steady_clock;
using Severity = Diagnostic::Severity;

void add_notes(const RunData& data, std::vector<Remark>& remarks) {
  for (const std::string& note : data.notes()) remarks.push_back({Severity::note, note});
}

Remark interrupted_at(double time) {
  return {Severity::warning, fmt::format("The run was interrupted at t = {:g} s.", time), time};
}

}  // namespace

std::string page_title(const Model& model) {
  return model.title.empty() ? std::filesystem::path(model.file).filename().string() : model.title;
}

std::vector<Remark> remarks_of(const RunResult& result) {
  if (failed(result.status)) return {{Severity::error, result.failure.dossier(), result.failure.time}};
  std::vector<Remark> remarks;
  if (result.status == Status::interrupted) remarks.push_back(interrupted_at(result.state.time));
  for (const Diagnostic& d : result.warnings) remarks.push_back(remark_of(d));
  return remarks;
}

PageRecorder::PageRecorder(std::vector<Remark> remarks, PageBudget budget, const std::string& live_directory)
    : remarks_(std::move(remarks)),
      budget_(std::move(budget)),
      live_path_(live_directory.empty() ? "" : live_directory + "/live.json") {}

PageRecorder::~PageRecorder() { remove_live(); }

void PageRecorder::begin(const RunPlan& plan) {
  remove_live();  // of a run that was killed
  title_ = page_title(plan.model);
  data_.emplace(run_heading(plan), budget_.model ? model_json(plan.model) : "null", channels(plan), budget_);
  add_notes(*data_, remarks_);
  row_.resize(data_->row_size());
  next_live_ = Clock_::now() + 500ms;
}

void PageRecorder::sample(const Sample& now) {
  if (!data_) return;
  double* to = row_.data();
  for (const Channel& channel : data_->channels()) {
    channel.read(now, to);
    to += channel.size();
  }
  data_->add(row_.data());
  if (!live_path_.empty() && Clock_::now() >= next_live_) write_live();
}

void PageRecorder::end(const RunResult& result) {
  for (Remark& remark : remarks_of(result)) remarks_.push_back(std::move(remark));
  remove_live();
}

PageData PageRecorder::page(std::string_view summary) const {
  return {.kind = "run", .title = title_, .remarks = remarks_, .runs = {run_json(summary)}};
}

// A page that cannot be looked at is no reason to end a run.
void PageRecorder::write_live() {
  const auto begin = Clock_::now();
  PageData page_so_far = page("");
  page_so_far.live = true;
  std::string text = page_so_far.json();
  try {
    write_text_file(live_path_, text);
  } catch (const FileError&) {
  }
  const auto spent = Clock_::now() - begin;
  next_live_ = Clock_::now() + std::max<Clock_::duration>(1s, 30 * spent);
}

void PageRecorder::remove_live() const {
  if (live_path_.empty()) return;
  std::error_code ignored;
  std::filesystem::remove(live_path_, ignored);
}

// ---- from results ----

namespace {

using Json = nlohmann::ordered_json;

// What `read` returns; what it finds wrong with the texts of the file is said with the file's name.
template <class Read>
auto from_texts(const std::string& path, const Read& read) {
  const auto refuse = [&path](const std::exception& why) {
    return FileError(fmt::format("{}: the file is damaged: {}", path, why.what()));
  };
  try {
    return read();
  } catch (const std::invalid_argument& why) {
    throw refuse(why);
  } catch (const Json::exception& why) {
    throw refuse(why);
  }
}

// A text of summary.json, or nothing.
std::string text_at(const Json& summary, const char* place) {
  const Json::json_pointer pointer(place);
  return summary.contains(pointer) && summary.at(pointer).is_string() ? summary.at(pointer).get<std::string>() : "";
}

double number_at(const Json& summary, const char* place, double otherwise) {
  const Json::json_pointer pointer(place);
  return summary.contains(pointer) && summary.at(pointer).is_number() ? summary.at(pointer).get<double>() : otherwise;
}

RunData run_data_of(const ResultsFile& file, const std::string& path, const PageBudget& budget) {
  if (!file.has("page_json"))
    throw FileError(fmt::format("{}: was written by trompo {}, which did not keep what a page needs; run the model again", path,
                                file.text("trompo_version")));
  return from_texts(path, [&] { return RunData(file.text("page_json"), file.text("model_json"), file.channels(), budget); });
}

std::vector<const Channel*> pointers(const std::vector<Channel>& channels) {
  std::vector<const Channel*> all;
  for (const Channel& channel : channels) all.push_back(&channel);
  return all;
}

// Rows [first, last) of the file.
void feed(const ResultsFile& file, std::size_t first, std::size_t last, RunData& data) {
  file.each_row(pointers(data.channels()), first, last, [&](const double* row) {
    if (!std::isfinite(row[0]))
      throw FileError(fmt::format("{}: the file is damaged: sample {} has no time", file.path(), first + 1));
    data.add(row);
    ++first;
  });
}

}  // namespace

void PageRecorder::resume(const Checkpoint& at) {
  if (data_ && earlier_ != nullptr) feed(*earlier_, 0, static_cast<std::size_t>(at.samples), *data_);
}

PageData page_of_results(const std::string& directory) {
  const std::string path = results_in(directory);
  const ResultsFile file(path);
  RunData data = run_data_of(file, path, {});
  feed(file, 0, file.rows(), data);

  PageData page{.kind = "run", .title = file.text("title")};
  page.remarks = from_texts(path, [&] { return remarks_from_json(file.text("remarks_json")); });
  add_notes(data, page.remarks);
  const std::string summary = is_partial(path) ? "" : read_text_file(directory + "/summary.json"), status = file.text("status");
  const Json parsed = is_json(summary) ? Json::parse(summary) : Json();
  if (page.title.empty()) page.title = text_at(parsed, "/model/file");
  page.live = run_under_way(directory);
  if (status == "running" && !page.live)
    page.remarks.push_back({Severity::warning, "The run did not come to its end in good order.", data.last_time()});
  if (status == word(Status::interrupted)) page.remarks.push_back(interrupted_at(data.last_time()));
  if (parsed.is_object() && parsed.contains("failure"))
    page.remarks.push_back(
        {Severity::error, text_at(parsed, "/failure/dossier"), number_at(parsed, "/failure/time", data.last_time())});
  else if (parsed.is_object() && parsed.contains("warnings"))
    for (const Json& text : parsed.at("warnings"))
      if (text.is_string()) page.remarks.push_back({Severity::warning, text.get<std::string>()});
  if (!is_partial(path) && !page.live && holds_partial(directory))
    page.remarks.push_back(
        {Severity::warning, "A later run did not come to its end: what it had recorded is in results.partial.h5."});
  page.runs.push_back(data.json(parsed.is_object() ? summary : ""));
  return page;
}

std::string curves_of_results(const std::string& directory, const std::string& plot, double from, double to) {
  const std::string path = results_in(directory);
  const ResultsFile file(path);
  RunData data = run_data_of(file, path, {.points = 20000, .only = plot});
  const std::vector<double> times = file.read("/time");
  const auto first = std::lower_bound(times.begin(), times.end(), from), last = std::upper_bound(first, times.end(), to);
  feed(file, static_cast<std::size_t>(first - times.begin()), static_cast<std::size_t>(last - times.begin()), data);
  return data.plot_json(plot);
}

}  // namespace trompo
