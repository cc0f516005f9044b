#include "trompo/model/rod_wing.hpp"

#include <cmath>

#include "trompo/model/aircraft.hpp"

namespace trompo {

double stretch_of(const AircraftInput& a, std::size_t hinge) {
  if (a.wings < 2) return of(a.wing.span, 0);
  return 0.5 * (of(a.wing.span, hinge) + of(a.wing.span, hinge + 1));
}

RodWing rod_wing(const AircraftInput& a, const std::vector<double>& angles) {
  const auto panels = static_cast<std::size_t>(a.wings), per_panel = static_cast<std::size_t>(a.wing.elements);
  const std::size_t half = per_panel / 2, count = panels * per_panel;
  RodWing wing;
  wing.per_panel = per_panel;
  std::vector<double> bend(count, 0.0);
  for (std::size_t e = 0; e < count; ++e) {
    const std::size_t panel = e / per_panel;
    const bool left = e % per_panel >= half;  // of the middle of its panel, towards +y
    const bool tip = left ? panel + 1 == panels : panel == 0;
    // The outer half of a tip panel has no hinge of its own: it goes on as the inner half.
    const std::size_t hinge = panels == 1 ? 0 : left != tip ? panel : panel - 1;
    const double stretch = stretch_of(a, hinge), EI = of(a.hinge_stiffness, hinge) * stretch, stiff = a.wing.stiffening * EI;
    if (!tip) bend[e] = angles[hinge] / static_cast<double>(per_panel);
    const double across = a.wing.GA.value_or(stiff / (stretch * stretch));
    wing.elements.push_back({of(a.wing.span, panel) / static_cast<double>(per_panel),
                             {a.wing.EA.value_or(stiff / (stretch * stretch)), std::vector<double>{across, across},
                              a.wing.GJ.value_or(stiff), std::vector<double>{a.wing.EI_chord.value_or(stiff), EI}},
                             hinge});
  }

  // Each node carries half of the elements beside it.
  wing.nodes.resize(count + 1);
  for (std::size_t i = 0; i <= count; ++i) {
    RodWing::Node& node = wing.nodes[i];
    double square = 0;
    for (const std::size_t e : {i - 1, i}) {
      if (e >= count) continue;  // i - 1 of the first node too
      const std::size_t panel = e / per_panel;
      const double mass = 0.5 * of(a.wing.mass, panel) / static_cast<double>(per_panel), chord = of(a.wing.chord, panel);
      node.mass += mass;
      node.span += 0.5 * wing.elements[e].length;
      square += mass * chord * chord;
    }
    node.chord = std::sqrt(square / node.mass);
  }

  // Outwards from the middle. An element that bends by an angle is drawn so long that it is neither stretched nor sheared.
  const std::size_t centre = wing.middle(static_cast<std::size_t>(centre_panel(a)) - 1);
  const auto go = [&](std::size_t from, std::size_t to, std::size_t e, int side) {
    const double middle = wing.nodes[from].roll + 0.5 * side * bend[e];
    const double chord = wing.elements[e].length / std::cos(0.5 * bend[e]);
    wing.nodes[to].roll = wing.nodes[from].roll + side * bend[e];
    wing.nodes[to].place = wing.nodes[from].place + side * chord * Vec3(0, std::cos(middle), std::sin(middle));
  };
  wing.nodes[centre].place = Vec3::Zero();
  for (std::size_t i = centre; i < count; ++i) go(i, i + 1, i, 1);
  for (std::size_t i = centre; i > 0; --i) go(i, i - 1, i - 1, -1);
  return wing;
}

}  // namespace trompo
