#include "trompo/model/checkpoint_rule.hpp"

#include <algorithm>
#include <charconv>
#include <cmath>

namespace trompo {

std::optional<CheckpointRule> checkpoint_rule(std::string_view text) {
  CheckpointRule rule;
  if (text == "never") {
    rule.wanted = false;
    return rule;
  }
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc() || !(number > 0)) return std::nullopt;
  std::string_view unit = text.substr(static_cast<std::size_t>(end - text.data()));
  while (unit.starts_with(' ')) unit.remove_prefix(1);
  constexpr double most = 1e9;  // of either: no run is longer
  if (unit == "steps" || unit == "step") {
    if (number != std::floor(number) || number > most) return std::nullopt;
    rule.steps = static_cast<long>(number);
    rule.barrier_steps = std::min(rule.barrier_steps, rule.steps);
    return rule;
  }
  const double factor = unit == "s" ? 1 : unit == "min" ? 60 : unit == "h" ? 3600 : 0;
  rule.seconds = number * factor;
  if (!(rule.seconds > 0 && rule.seconds <= most)) return std::nullopt;
  return rule;
}

CheckpointRule checkpoint_rule(const Model& model) {
  if (const auto rule = checkpoint_rule(model.output.checkpoint)) return *rule;
  const Source& source = model.output.source;
  throw ModelError({{Diagnostic::Severity::error, source.place_of("checkpoint", model.file), source.of("checkpoint"),
                     "`checkpoint` = " + in_quotes(model.output.checkpoint) + " is no time and no number of steps",
                     "write checkpoint = \"10 min\", \"30 s\", \"2 h\", \"500 steps\" or \"never\""}});
}

}  // namespace trompo
