// Complex modes: about a steady motion, and about rest with dampers.
#pragma once

#include <optional>
#include <string>

#include "trompo/run/modes.hpp"
#include "trompo/scheme/static_balance.hpp"

namespace trompo {

[[nodiscard]] ModelError not_finite_stiffness(const Model& model);

// Why there are no modes about a motion, and what can be done.
struct NotSteady {
  std::string why, remedy;
};
// About the motion that `given` begins; nothing but the reason where that is not steady. The balance lends its unknowns, and is
// left at the place of the modes.
[[nodiscard]] std::optional<NotSteady> find_steady_modes(ModesResult& result, const Model& model, StaticBalance& balance,
                                                         const State& given, int count, About about);

// About the place of the balance. False, and nothing is done, where no damper resists.
[[nodiscard]] bool find_damped_modes(ModesResult& result, const Model& model, const StaticBalance& balance, int count);

}  // namespace trompo
