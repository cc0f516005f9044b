#include "trompo/output/csv.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cerrno>
#include <cmath>
#include <iterator>
#include <system_error>

#include "trompo/run/run.hpp"

namespace trompo {

namespace {

constexpr std::size_t buffer_bytes = 1 << 18;
constexpr std::size_t cell_bytes = 26;  // sign, 17 digits, point, exponent, comma

}  // namespace

std::string csv_cell(std::string_view text) {
  const bool formula = !text.empty() && std::string_view("=+-@\t\r").find(text.front()) != std::string_view::npos;
  if (text.find_first_of(",\"\r\n") == std::string_view::npos) return (formula ? "'" : "") + std::string(text);
  std::string quoted = formula ? "\"'" : "\"";
  for (const char c : text) quoted.append(c == '"' ? 2 : 1, c);
  return quoted + '"';
}

void CsvRecorder::begin(const RunPlan& plan) {
  channels_ = channels(plan).all;
  file_.reset(std::fopen(path_.c_str(), "wb"));
  if (!file_) fail();
  std::size_t columns = 0, widest = 0;
  for (const Channel& channel : channels_) {
    for (const std::string& name : channel.columns) text_ += csv_cell(name) + ',';
    columns += channel.size();
    widest = std::max(widest, channel.size());
  }
  text_.back() = '\n';
  write();
  row_.resize(widest);
  text_.reserve(buffer_bytes + columns * cell_bytes);
}

void CsvRecorder::sample(const Sample& now) {
  for (const Channel& channel : channels_) {
    channel.read(now, row_.data());
    add(row_.data(), channel.size());
  }
  end_line();
}

void CsvRecorder::resume(const Checkpoint& at) {
  if (earlier_ == nullptr) return;
  std::vector<const Channel*> all;
  std::size_t columns = 0;
  for (const Channel& channel : channels_) {
    all.push_back(&channel);
    columns += channel.size();
  }
  earlier_->each_row(all, 0, static_cast<std::size_t>(at.samples), [this, columns](const double* row) {
    add(row, columns);
    end_line();
  });
}

void CsvRecorder::add(const double* numbers, std::size_t count) {
  for (std::size_t i = 0; i < count; ++i) {
    if (std::isfinite(numbers[i])) fmt::format_to(std::back_inserter(text_), "{:.17g}", numbers[i]);
    text_ += ',';
  }
}

void CsvRecorder::end_line() {
  text_.back() = '\n';
  if (text_.size() >= buffer_bytes) write();
}

void CsvRecorder::end(const RunResult& /*result*/) {
  write();
  if (std::fclose(file_.release()) != 0) fail();
}

void CsvRecorder::write() {
  const bool written = std::fwrite(text_.data(), 1, text_.size(), file_.get()) == text_.size();
  text_.clear();
  if (!written) fail();
}

void CsvRecorder::fail() const { throw FileError(path_ + ": cannot write: " + std::generic_category().message(errno)); }

CsvRecorder::~CsvRecorder() {
  if (file_) std::fwrite(text_.data(), 1, text_.size(), file_.get());
}

}  // namespace trompo
