// What is recorded of an aircraft: place and turn of the fuselage, angles of hinges, the base of its mount.
#pragma once

#include <string>
#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

// Parts that the builder has made.
struct AircraftNames {
  std::vector<std::string> carriers;  // bodies in the middle of each panel
  std::size_t rod_nodes = 0;          // of a wing that is a rod
  std::string first_anchor;           // of a mount that moves, with its place at rest
  Vec3 first_rest = Vec3::Zero();
};

void add_sensors(const AircraftInput& aircraft, const AircraftNames& parts, Model& model);

}  // namespace trompo
