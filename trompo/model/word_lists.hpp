// The words of the model file that have a meaning of their own, said once: for the reader and for those who look them up.
#pragma once

#include <array>
#include <string_view>

namespace trompo::word_lists {

inline constexpr std::array<std::string_view, 4> strains{"engineering", "green", "logarithmic", "almansi"};
inline constexpr std::array<std::string_view, 3> planes{"xy", "xz", "yz"};
inline constexpr std::array<std::string_view, 3> axes{"x", "y", "z"};
// Of what acts through a joint, the first four in the order of JointPart; of an energy the first and the last two.
inline constexpr std::array<std::string_view, 6> sensor_parts{"all", "constraint", "spring", "damper", "kinetic", "potential"};
inline constexpr std::array<std::string_view, 2> starts{"consistent", "given"};
inline constexpr std::array<std::string_view, 2> states{"given", "equilibrium"};
inline constexpr std::array<std::string_view, 2> load_methods{"load", "arc-length"};
inline constexpr std::array<std::string_view, 4> tangents{"exact", "published", "sixth", "modified"};
inline constexpr std::array<std::string_view, 6> projections{"none", "s-both", "s-both-m", "s-pos", "s-vel", "s-full"};
inline constexpr std::array<std::string_view, 1> rests{"as drawn"};
inline constexpr std::array<std::string_view, 2> bushing_laws{"rotation-vector", "sine"};

inline constexpr std::array<std::string_view, 22> sensors{"position",
                                                          "velocity",
                                                          "acceleration",
                                                          "angular_velocity",
                                                          "tilt",
                                                          "reaction",
                                                          "distance",
                                                          "force",
                                                          "strain",
                                                          "energy",
                                                          "value",
                                                          "multiplier",
                                                          "formula",
                                                          "angle",
                                                          "other_angle",
                                                          "travel",
                                                          "torque",
                                                          "section_force",
                                                          "section_moment",
                                                          "section_strain",
                                                          "section_curvature",
                                                          "stress"};
inline constexpr std::array<std::string_view, 8> events{"joint", "spring", "bar",  "rod_element",
                                                        "load",  "node",   "body", "coordinate"};

inline constexpr std::array<std::string_view, 3> clamps{"from", "to", "both"};
inline constexpr std::array<std::string_view, 2> rod_strains{"helix", "quadratic"};
inline constexpr std::array<std::string_view, 2> rod_masses{"lumped", "consistent"};

inline constexpr std::array<std::string_view, 4> gust_shapes{"sine", "pulse", "1-cosine", "table"};
inline constexpr std::array<std::string_view, 2> gust_forms{"base", "fuselage"};
inline constexpr std::array<std::string_view, 2> patterns{"symmetric", "antisymmetric"};
inline constexpr std::array<std::string_view, 2> wing_kinds{"panels", "rod"};
inline constexpr std::array<std::string_view, 3> mounts{"springs", "rigid", "free"};

}  // namespace trompo::word_lists
