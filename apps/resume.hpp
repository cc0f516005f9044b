// What an earlier run has left to go on from.
#pragma once

#include <functional>
#include <memory>
#include <string>
#include <vector>

#include "apps/commands.hpp"
#include "trompo/output/checkpoint_file.hpp"
#include "trompo/output/results.hpp"

namespace trompo {

struct Earlier {
  std::string directory;
  CheckpointFile file;
  std::unique_ptr<ResultsFile> samples;  // none where the checkpoint is the start of the run
  std::string model;                     // as it was, JSON; empty where no results stand
  [[nodiscard]] std::string model_file() const;
};

// The newest checkpoint that is whole and has its samples. Says of newer ones why not. Throws FileError where there is none.
enum class Complain { yes, no };
[[nodiscard]] Earlier earlier_run(const std::string& directory, Complain complains = Complain::yes);

// The model, checked; that of the earlier run if there is one, then to another end if `until` is given, and entered there among
// the overrides. ModelError where it is no longer the same, with what differs.
[[nodiscard]] Model read_as_started(ModelArguments& arguments, const Earlier* earlier, double until,
                                    std::vector<Diagnostic>& found);
// Calls run; what its checkpoint lacks is a FileError.
[[nodiscard]] RunResult going_on(const Earlier& earlier, const std::function<RunResult()>& run);

// "DIR@12.5": the state of a recorded sample as the start of the model. Says what could not be carried over.
[[nodiscard]] State start_from(const std::string& sample, const Model& model, const System& system);

[[nodiscard]] CheckpointFile started_as(const ModelArguments& arguments, bool report, bool keep_going);

}  // namespace trompo
