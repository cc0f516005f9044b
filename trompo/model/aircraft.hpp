// The builder of the flexible aircraft: from what the user says of it to ordinary bodies, joints, springs, loads, events and
// sensors. After that nothing in the program knows that there was an aircraft.
#pragma once

#include <string>
#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

// Adds the parts of the aircraft to the model. Throws ModelError if it cannot be built.
void expand(const AircraftInput& aircraft, Model& model);

// What is wrong or odd with an aircraft, errors and warnings. `model` gives the file and the time of the run.
[[nodiscard]] std::vector<Diagnostic> check_aircraft(const AircraftInput& aircraft, const Model& model);

// The panel on the fuselage, counted from 1; 0 if there is none.
[[nodiscard]] long centre_panel(const AircraftInput& aircraft);
// The panels that carry a gear or a motor: as given, or the odd ones.
[[nodiscard]] std::vector<double> panels_of(const std::optional<PerPart>& on, const AircraftInput& aircraft);
// "1-2" for the first hinge, which has the index 0.
[[nodiscard]] std::string hinge_name(long index);

// The displacement that a gust gives the base, as a formula of t without its window, and its second derivative.
[[nodiscard]] std::string displacement_text(const GustInput& gust);
[[nodiscard]] std::string acceleration_text(const GustInput& gust);

}  // namespace trompo
