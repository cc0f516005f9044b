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
// Names of panels, of nodes of a wing that is a rod; all indices begin with 0.
[[nodiscard]] std::string wing_name(std::size_t index);
[[nodiscard]] std::string wing_node(std::size_t index);
// "1-2" for the first hinge, which has the index 0.
[[nodiscard]] std::string hinge_name(long index);

}  // namespace trompo
