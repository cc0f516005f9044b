// What compare and converge share: the reference solution with its progress, numbers for JSON, the exit code.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>

#include "apps/commands.hpp"
#include "apps/progress.hpp"
#include "trompo/run/reference.hpp"

namespace trompo {

// With its progress on a terminal: it may take a while.
[[nodiscard]] ReferenceSolution watched_reference(const Model& model, const System& system, Progress& progress);
[[nodiscard]] std::string text_of(const ReferenceSolution& reference);
[[nodiscard]] nlohmann::ordered_json to_json(const ReferenceSolution& reference);
[[nodiscard]] nlohmann::ordered_json finite_number(double x);  // null for what is none

// A study is done if one scheme was: what became of the others is among its results.
class StudyExit {
 public:
  void add(bool refused, bool done) {
    tried_ = tried_ || !refused;
    done_ = done_ || done;
  }
  [[nodiscard]] int code() const { return done_ ? exit_done : tried_ ? exit_not_converged : exit_model; }

 private:
  bool tried_ = false, done_ = false;
};

}  // namespace trompo
