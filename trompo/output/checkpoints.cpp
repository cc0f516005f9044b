#include "trompo/output/checkpoints.hpp"

#include <algorithm>

#include "trompo/model/reader.hpp"

namespace trompo {

Checkpoints::~Checkpoints() {
  if (!begun_ || finished_ || file_.at.steps <= written_) return;
  try {
    finish(true);
  } catch (const FileError&) {  // the reason that led here has been thrown; the checkpoint before stands
  }
}

void Checkpoints::begin(const RunPlan& plan) {
  file_.model_hash = checksum(model_json(plan.model));
  begun_ = true;
  due_at_ = rule_.steps;
  next_ = Clock_::now() + std::chrono::duration_cast<Clock_::duration>(std::chrono::duration<double>(rule_.seconds));
}

void Checkpoints::resume(const Checkpoint& at) {
  written_ = at.steps;
  due_at_ = at.steps + rule_.steps;
}

void Checkpoints::step(long done) {
  constexpr long now_and_then = 16;  // a look at the clock is not free where steps are small
  if (file_.at.steps <= written_ || (rule_.steps == 0 && done % now_and_then != 0)) return;
  if (rule_.steps > 0 ? done >= due_at_ : Clock_::now() >= next_) keep();
}

// What cannot be kept is no reason to end a run: the one before it stands.
void Checkpoints::keep() {
  const auto begin = Clock_::now();
  try {
    if (recorder_.make_lasting_up_to(file_.at.samples)) {
      write_checkpoint(file_, hidden_, true);
      written_ = file_.at.steps;
    }
  } catch (const FileError&) {
  }
  const auto now = Clock_::now();
  const auto interval = std::chrono::duration_cast<Clock_::duration>(std::chrono::duration<double>(rule_.seconds));
  next_ = now + std::max(interval, 200 * (now - begin));
  due_at_ += std::max(1L, rule_.steps);
}

void Checkpoints::finish(bool lasting) {
  finished_ = true;
  if (rule_.wanted) write_checkpoint(file_, hidden_, lasting);
}

}  // namespace trompo
