#include "trompo/run/statics.hpp"

#include <chrono>

#include "trompo/model/lookup.hpp"
#include "trompo/run/load_path.hpp"

namespace trompo {

namespace {

void refuse(const Model& model, const char* key, std::string message, std::string remedy) {
  const Source& source = model.statics.source;
  throw ModelError(
      {{Diagnostic::Severity::error, source.place_of(key, model.file), source.of(key), std::move(message), std::move(remedy)}});
}

void check_statics(const Model& model) {
  (void)Lookup(model, model.statics.source, "method", "statics").word(word_lists::load_methods, "method", model.statics.method);
  if (model.statics.method == "arc-length" && model.statics.time != 0)
    refuse(model, "time", "arc-length cannot go through `time`: along the path the load factor falls too",
           "leave `time` out, or take method = \"load\"");
  if (model.statics.method == "arc-length" && model.statics.factor == 0)
    refuse(model, "factor", "arc-length needs a load to follow, and `factor` is 0", "give the load factor at the end");
}

}  // namespace

std::string_view axis_of(const StaticsInput& statics) { return statics.method == "arc-length" ? "path step" : "load factor"; }

StaticResult solve_statics(const Model& model, const System& system, std::span<Observer* const> observers,
                           const RunOptions& options) {
  const auto begin = std::chrono::steady_clock::now();
  check_statics(model);
  LoadPath path(model, system, observers, options);
  path.go(given_state(model, system));
  StaticResult& result = path.result;
  result.run.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  for (Observer* observer : observers) observer->end(result.run);
  return std::move(result);
}

StaticResult solve_statics(const Model& model) { return solve_statics(model, System(model)); }

State equilibrium(const Model& model, const System& system, const State& from) {
  Model at_start = model;
  at_start.statics.method = "load";
  at_start.statics.factor = 1;
  at_start.statics.time = 0;
  LoadPath path(at_start, system, {}, {});
  path.go(from);
  if (!path.result.done())
    throw ModelError({{Diagnostic::Severity::error, model.time.source.place_of("initial_state", model.file),
                       model.time.source.of("initial_state"),
                       "the start has no equilibrium that statics could find: " + path.result.run.failure.account,
                       "draw it nearer to its equilibrium, or leave initial_state out"}});
  State state = path.result.run.state;
  state.v = from.v;
  for (std::size_t b = 0; b < state.rotations.size(); ++b) {
    state.rotations[b].angular_velocity = from.rotations[b].angular_velocity;
    state.rotations[b].parameter_rate = from.rotations[b].parameter_rate;
  }
  system.write_frames(state);
  return state;
}

}  // namespace trompo
