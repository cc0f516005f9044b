// A model file taken the way the tool takes it, in this process. A model that is refused with its reasons is an answer, and so
// is a run that stops; whatever else is thrown is a finding.
#pragma once

#include <limits>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>

#include "trompo/model/model.hpp"

namespace trompo {

// Something the library said or did that it must not.
struct Finding : std::logic_error {
  using std::logic_error::logic_error;
};

enum class Answer { refused, too_large, valid, done, stopped };
[[nodiscard]] std::string_view word(Answer);

struct TrialLimits {
  std::size_t parts = 400;  // nodes and bodies: a large model that is valid takes its time by right
  long steps = 20;
  // Largest energy balance error of a run by a scheme that claims to keep energy, relative to the energy scale.
  double energy_balance = std::numeric_limits<double>::infinity();
};

// Read and checked.
Answer try_read(std::string_view text, std::span<const std::string> overrides = {});
// `trompo check`: read, checked, assembled, its start found.
Answer try_check(std::string_view text, std::span<const std::string> overrides = {}, const TrialLimits& limits = {});
// `trompo run`, shortened. A Finding if a number that is recorded is not finite, or if energy is lost that should be kept.
Answer try_run(std::string_view text, std::span<const std::string> overrides = {}, const TrialLimits& limits = {});

}  // namespace trompo
