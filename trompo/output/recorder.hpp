// Records a run into DIR/results.h5. In a results folder it also lets readers see what there is so far: a copy of the file,
// whole and never written again, is put there as results.partial.h5 at the start and then every half second, or less often
// where a copy takes long. docs: the root attribute `format` is "trompo results", the datasets are those of channels.hpp, each
// with its `unit`; names stand in /nodes/names and so on, in the order of the rows.
#pragma once

#include <chrono>
#include <memory>
#include <string>
#include <vector>

#include "trompo/output/channels.hpp"
#include "trompo/output/hdf5.hpp"
#include "trompo/output/page_data.hpp"
#include "trompo/output/results.hpp"
#include "trompo/output/results_folder.hpp"

namespace trompo {

class Hdf5Recorder final : public Observer {
 public:
  // `remarks` are for the page that can be made from the file: page_of_results.
  explicit Hdf5Recorder(const std::string& directory, std::vector<Remark> remarks = {})
      : path_(directory + "/results.h5"), remarks_(std::move(remarks)) {}
  explicit Hdf5Recorder(ResultsFolder& folder, std::vector<Remark> remarks = {})
      : Hdf5Recorder(folder.drafts(), std::move(remarks)) {
    folder_ = &folder;
  }
  ~Hdf5Recorder() override;  // a run that ended in an exception: keeps the rows so far, `status` stays "running"
  Hdf5Recorder(const Hdf5Recorder&) = delete;
  Hdf5Recorder& operator=(const Hdf5Recorder&) = delete;

  // Each throws FileError when the file cannot be written.
  void begin(const RunPlan& plan) override;
  void sample(const Sample& now) override;     // allocates nothing until the buffers are full
  void resume(const Checkpoint& at) override;  // takes the samples before from where `after` says
  void end(const RunResult& result) override;

  void after(const ResultsFile& earlier) { earlier_ = &earlier; }
  // So many samples stand in results.partial.h5, and on the disk. False where no such file can be made.
  [[nodiscard]] bool make_lasting_up_to(long samples);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  struct Table {
    Channel channel;
    h5::Dataset dataset;
    std::vector<double> rows;  // not yet in the file
  };
  void add_row();  // that stands at the end of the tables
  void write_rows();
  void make_room(std::size_t bytes);
  void take_snapshot();
  void copy_so_far(const std::string& path) const;

  std::string path_;
  std::vector<Remark> remarks_;
  ResultsFolder* folder_ = nullptr;
  const ResultsFile* earlier_ = nullptr;
  std::chrono::steady_clock::time_point next_snapshot_{};
  std::unique_ptr<h5::File> file_;
  std::vector<Table> tables_;
  std::size_t row_size_ = 0;               // numbers in a row of all tables
  std::size_t capacity_ = 1, filled_ = 0;  // rows
  long samples_ = 0, copied_ = 0;          // so far; those that stand in the last copy
};

}  // namespace trompo
