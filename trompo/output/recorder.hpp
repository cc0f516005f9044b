// Records a run into DIR/results.h5. docs: the root attribute `format` is "trompo results", the datasets are those of
// channels.hpp, each with its `unit`; names stand in /nodes/names and so on, in the order of the rows.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include "trompo/output/channels.hpp"
#include "trompo/output/hdf5.hpp"
#include "trompo/output/page_data.hpp"

namespace trompo {

class Hdf5Recorder final : public Observer {
 public:
  // `remarks` are for the page that can be made from the file: page_of_results.
  explicit Hdf5Recorder(const std::string& directory, std::vector<Remark> remarks = {})
      : path_(directory + "/results.h5"), remarks_(std::move(remarks)) {}
  ~Hdf5Recorder() override;  // a run that ended in an exception: keeps the rows so far, `status` stays "running"
  Hdf5Recorder(const Hdf5Recorder&) = delete;
  Hdf5Recorder& operator=(const Hdf5Recorder&) = delete;

  // Each throws FileError when the file cannot be written.
  void begin(const RunPlan& plan) override;
  void sample(const Sample& now) override;  // allocates nothing until the buffers are full
  void end(const RunResult& result) override;

  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  struct Table {
    Channel channel;
    h5::Dataset dataset;
    std::vector<double> rows;  // not yet in the file
  };
  void write_rows();

  std::string path_;
  std::vector<Remark> remarks_;
  std::optional<h5::File> file_;
  std::vector<Table> tables_;
  std::size_t row_size_ = 0;               // numbers in a row of all tables
  std::size_t capacity_ = 1, filled_ = 0;  // rows
};

}  // namespace trompo
