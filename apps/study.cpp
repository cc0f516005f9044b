#include "apps/study.hpp"

#include <fmt/format.h>

#include <cmath>
#include <nlohmann/json.hpp>

namespace trompo {

ReferenceSolution watched_reference(const Model& model, const System& system, Progress& progress) {
  progress.name("reference");
  ReferenceSolution reference = reference_solution(model, system, [&progress](double share) { progress.share(share); });
  progress.clear();
  return reference;
}

std::string text_of(const ReferenceSolution& r) {
  return r.found() ? fmt::format("{}, own error about {:.1e}", r.method, r.error) : r.method;
}

nlohmann::ordered_json finite_number(double x) {
  return std::isfinite(x) ? nlohmann::ordered_json(x) : nlohmann::ordered_json(nullptr);
}

nlohmann::ordered_json to_json(const ReferenceSolution& reference) {
  return {{"method", reference.method},
          {"error_estimate", reference.found() ? finite_number(reference.error) : nullptr},
          {"energy_scale", finite_number(reference.energy_scale)}};
}

}  // namespace trompo
