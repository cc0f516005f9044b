// Looks on while a run goes its way and keeps what a page shows of it.
#pragma once

#include <chrono>
#include <optional>
#include <string>
#include <vector>

#include "trompo/math/known.hpp"
#include "trompo/output/page_data.hpp"
#include "trompo/output/run_data.hpp"

namespace trompo {

struct RunResult;
class ResultsFile;

class PageRecorder final : public Observer {
 public:
  // With a directory, DIR/live.json holds the page data so far while the run is under way: written anew about once a second,
  // gone at the end. `remarks` come before those that the run itself gives rise to.
  explicit PageRecorder(std::vector<Remark> remarks = {}, PageBudget budget = {}, const std::string& live_directory = "");
  ~PageRecorder() override;
  PageRecorder(const PageRecorder&) = delete;
  PageRecorder& operator=(const PageRecorder&) = delete;

  void begin(const RunPlan& plan) override;
  void sample(const Sample& now) override;     // allocates nothing, but where it writes live.json
  void resume(const Checkpoint& at) override;  // takes the samples before from where `after` says
  void end(const RunResult& result) override;
  void after(const ResultsFile& earlier) { earlier_ = &earlier; }

  // After the run. `summary` is summary.json; `label` stands in place of the model's title.
  [[nodiscard]] std::string run_json(std::string_view summary, const std::string& label = "") const {
    return known(data_).json(summary, label);
  }
  [[nodiscard]] PageData page(std::string_view summary) const;

 private:
  using Time = std::chrono::steady_clock::time_point;
  void write_live();
  void remove_live() const;

  std::vector<Remark> remarks_;
  PageBudget budget_;
  std::string live_path_;
  std::string title_;
  const ResultsFile* earlier_ = nullptr;
  std::optional<RunData> data_;
  std::vector<double> row_;
  Time next_live_{};
};

[[nodiscard]] std::string page_title(const Model& model);  // its title, or the name of its file
// What a run that stopped has to say, at the time it stopped.
[[nodiscard]] std::vector<Remark> remarks_of(const RunResult& result);

// The page of a run from its results (results_in), with DIR/summary.json if the run came to an end. Throws FileError.
[[nodiscard]] PageData page_of_results(const std::string& directory);
// One plot of it (TimePlot) between two times, with all samples up to 20000; empty if there is no plot of this id.
[[nodiscard]] std::string curves_of_results(const std::string& directory, const std::string& plot, double from, double to);

}  // namespace trompo
