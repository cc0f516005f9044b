// Keeps the last barrier of a run on the disk: as often as `checkpoint` in [output] says, and when the run ends.
//
// A checkpoint goes with the samples in results.partial.h5, which hold at least what came before its barrier: it is written
// after them. By the clock it never takes more than a two-hundredth of the time, however long writing takes.
#pragma once

#include <chrono>

#include "trompo/model/checkpoint_rule.hpp"
#include "trompo/output/checkpoint_file.hpp"
#include "trompo/output/recorder.hpp"

namespace trompo {

class Checkpoints final : public Observer {
 public:
  // `file` says how the run was started; the rest is found here.
  Checkpoints(const ResultsFolder& folder, Hdf5Recorder& recorder, CheckpointFile file, const CheckpointRule& rule)
      : hidden_(folder.drafts()), recorder_(recorder), file_(std::move(file)), rule_(rule) {}
  ~Checkpoints() override;  // a run that ended in an exception, such as a full disk: keeps the last barrier if it can
  Checkpoints(const Checkpoints&) = delete;
  Checkpoints& operator=(const Checkpoints&) = delete;

  [[nodiscard]] Checkpoint* last() { return rule_.wanted ? &file_.at : nullptr; }  // for RunOptions
  void begin(const RunPlan& plan) override;
  void resume(const Checkpoint& at) override;
  void step(long done) override;
  void finish(bool lasting);  // when the results are in their places. Throws FileError

 private:
  using Clock_ = std::chrono::steady_clock;
  void keep();

  std::string hidden_;
  Hdf5Recorder& recorder_;
  CheckpointFile file_;
  CheckpointRule rule_;
  bool begun_ = false, finished_ = false;
  long written_ = 0, due_at_ = 0;  // steps of the barrier on the disk; the step from which on a new one is due
  Clock_::time_point next_{};
};

}  // namespace trompo
