// What of a sample is not a finite number. Such a sample is never shown: the run ends there, as not converged.
#pragma once

#include <span>
#include <string>

#include "trompo/run/observer.hpp"

namespace trompo {

// "the acceleration of bob.x", "sensor 'tip'", or "" if all is well.
[[nodiscard]] std::string not_finite(const Sample& now, std::span<const std::string> sensor_names);

// The same of what a run begins with: "the kinetic energy", "the elastic energy", ...
[[nodiscard]] std::string not_finite(const System& system, const State& state);

}  // namespace trompo
