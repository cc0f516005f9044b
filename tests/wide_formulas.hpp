// Formulas of thirty coordinates: ten nodes held together by one typed energy, led by one constraint, pushed by one load.
#pragma once

#include <fmt/format.h>

#include <string>

namespace trompo::wide {

struct Parts {
  int nodes = 10;
  bool constraint = true;
  bool load = false;
};

// Squares of neighbours' distances, and a product that couples all with all.
inline std::string potential(int nodes = 10) {
  std::string text = "0";
  for (int i = 0; i + 1 < nodes; ++i)
    text += fmt::format(" + 5*((n{1}.x-n{0}.x)^2 + (n{1}.y-n{0}.y)^2 + (n{1}.z-n{0}.z)^2 - 1)^2", i, i + 1);
  text += " + 2*cos(0.1*(0";
  for (int i = 0; i < nodes; ++i) text += fmt::format(" + {}*n{}.x*n{}.y", 1 + 0.1 * i, i, (i + 3) % nodes);
  return text + "))";
}
inline std::string constraint(int nodes = 10) {
  std::string text = "0";
  for (int i = 0; i < nodes; ++i)
    text += fmt::format(" + n{0}.x^2 + {1}*n{0}.y^2 + n{0}.z^2*cos(0.01*n{0}.x)", i, 1 + 0.05 * i);
  return text + fmt::format(" - {}", 2 * nodes);
}
inline std::string load(int nodes = 10) {
  std::string text = "0.1*sin(3*t)*(1";
  for (int i = 0; i < nodes; ++i) text += fmt::format(" + n{0}.x - 0.3*n{0}.y*n{0}.z", i);
  return text + ")";
}

inline std::string model(const Parts& parts = {}, const char* scheme = "energy-momentum-exact") {
  std::string text;
  for (int i = 0; i < parts.nodes; ++i)
    text += fmt::format("[[node]]\nname = \"n{}\"\nposition = [{}, {}, {}]\nvelocity = [{}, {}, 0.1]\nmass = {}\n", i,
                        0.4 * i - 2, 0.8 * (i % 2), 0.3 * (i % 3), 0.1 * (i % 10) - 0.5, 0.5 - 0.2 * (i % 4), 1 + 0.1 * i);
  text += "[[potential]]\nname = \"wide\"\npotential = \"" + potential(parts.nodes) + "\"\n";
  if (parts.constraint) text += "[[constraint]]\nname = \"shell\"\nconstraint = \"" + constraint(parts.nodes) + "\"\n";
  if (parts.load)
    text += "[[load]]\nname = \"push\"\nnode = \"n3\"\nforce = [\"" + load(parts.nodes) + "\", 0, \"0.5*n7.z\"]\n";
  text += fmt::format("[time]\nstep = 0.01\nsteps = 300\nscheme = \"{}\"\ninitial_projection = true\n", scheme);
  return text;
}

}  // namespace trompo::wide
