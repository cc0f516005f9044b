// What a run keeps to go on after a kill: DIR/.trompo/checkpoint, and the one before it. Samples are not in it: the first of
// them, as many as it says, stand in DIR/results.partial.h5 or results.h5.
#pragma once

#include <cstdint>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/run/run.hpp"

namespace trompo {

struct CheckpointFile {
  // How the run was started.
  std::string model_file, model_path;  // as it was typed; the same from the root
  std::vector<std::string> overrides;
  bool report = true, keep_going = false;
  std::uint64_t model_hash = 0;  // of the resolved model
  Checkpoint at;
};

// Its bytes: a line that says what it is, the length of a JSON text, the text with all but the arrays, these one after another,
// and a checksum of it all.
[[nodiscard]] std::string bytes_of(const CheckpointFile& file);
[[nodiscard]] CheckpointFile checkpoint_of(const std::string& bytes, const std::string& path);  // throws FileError

[[nodiscard]] std::uint64_t checksum(std::string_view bytes);  // FNV-1a over words of eight bytes

// The new one takes the place of the last, which takes that of the one before it; whenever this is killed there is a whole one.
// `lasting`: on the disk before it returns, as far as the disk says so. Throws FileError.
void write_checkpoint(const CheckpointFile& file, const std::string& hidden, bool lasting);
// Those that can be read, the newer one first. What is wrong with the others is added to `troubles`.
[[nodiscard]] std::vector<CheckpointFile> read_checkpoints(const std::string& hidden, std::vector<std::string>& troubles);
void remove_checkpoints(const std::string& hidden);

// What of two resolved models (JSON) is not the same: "bar.rod.EA is 10000 in the first and 20000 here", a few of all.
[[nodiscard]] std::string what_differs(const std::string& before, const std::string& now);

}  // namespace trompo
