// Records a run into DIR/results.csv: a heading with names (RFC 4180 quoting, lines end with \n), then a line for every sample,
// 17 significant digits. The columns are those of channels.hpp; a number that is not finite leaves its cell empty.
#pragma once

#include <cstdio>
#include <memory>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/output/channels.hpp"
#include "trompo/output/results.hpp"

namespace trompo {

// Quoted if it has to be. A text that a spreadsheet would take for a formula (one that begins with = + - @, a tab or a carriage
// return) gets an apostrophe before it, by which spreadsheets know a text.
[[nodiscard]] std::string csv_cell(std::string_view text);

class CsvRecorder final : public Observer {
 public:
  explicit CsvRecorder(const std::string& directory) : path_(directory + "/results.csv") {}
  ~CsvRecorder() override;  // a run that ended in an exception: keeps the lines so far
  CsvRecorder(const CsvRecorder&) = delete;
  CsvRecorder& operator=(const CsvRecorder&) = delete;

  // Each throws FileError when the file cannot be written.
  void begin(const RunPlan& plan) override;
  void sample(const Sample& now) override;
  void resume(const Checkpoint& at) override;  // takes the samples before from where `after` says
  void end(const RunResult& result) override;
  void after(const ResultsFile& earlier) { earlier_ = &earlier; }

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  void add(const double* numbers, std::size_t count);
  void end_line();
  void write();
  [[noreturn]] void fail() const;

  std::string path_;
  const ResultsFile* earlier_ = nullptr;
  std::unique_ptr<std::FILE, int (*)(std::FILE*)> file_{nullptr, std::fclose};
  std::vector<Channel> channels_;
  std::vector<double> row_;
  std::string text_;  // not yet in the file
};

}  // namespace trompo
