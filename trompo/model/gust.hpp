// Gusts as formulas of t.
#pragma once

#include <string>
#include <vector>

#include "trompo/model/aircraft_input.hpp"

namespace trompo {

// The displacement that a gust gives the base, without its window, and its second derivative.
[[nodiscard]] std::string displacement_text(const GustInput& gust);
[[nodiscard]] std::string acceleration_text(const GustInput& gust);

[[nodiscard]] std::vector<const GustInput*> gusts_along(const AircraftInput& aircraft, std::size_t axis);
[[nodiscard]] const TimeFunction::Table& rows_of(const GustInput& gust);           // of one that is a table
[[nodiscard]] std::string displacement_in_window(const GustInput& gust);           // zero outside
[[nodiscard]] std::string inertia_force_text(const GustInput& gust, double mass);  // -m u'', likewise

}  // namespace trompo
