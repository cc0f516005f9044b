#include "trompo/model/rod_section.hpp"

#include <cmath>
#include <numbers>
#include <utility>

#include "trompo/math/known.hpp"

namespace trompo {

namespace {

using std::numbers::pi;

// G. R. Cowper, The shear coefficient in Timoshenko's beam theory, J. Appl. Mech. 33 (1966).
double shear_coefficient(const SectionInput& s, double nu) {
  if (s.rectangle) return 10 * (1 + nu) / (12 + 11 * nu);
  const double m = s.tube ? (*s.tube)[1] / (*s.tube)[0] : 0, a = (1 + m * m) * (1 + m * m);
  return 6 * (1 + nu) * a / ((7 + 6 * nu) * a + (20 + 12 * nu) * m * m);
}

// Saint-Venant's series for a rectangle, a >= b: J = a b^3/3 (1 - 192/pi^5 b/a sum tanh(n pi a/(2b))/n^5), and the largest
// shear stress T b/J (1 - 8/pi^2 sum 1/(n^2 cosh(n pi a/(2b)))) in the middle of the long edge; n odd.
void twist_rectangle(double a, double b, SectionShape& out) {
  if (a < b) std::swap(a, b);
  double stiff = 0, surface = 0;
  for (int n = 1; n < 400; n += 2) {
    stiff += std::tanh(n * pi * a / (2 * b)) / std::pow(n, 5);
    surface += 1 / (n * n * std::cosh(n * pi * a / (2 * b)));
  }
  out.J = a * b * b * b / 3 * (1 - 192 / std::pow(pi, 5) * b / a * stiff);
  out.torsion_modulus = out.J / (b * (1 - 8 / (pi * pi) * surface));
}

}  // namespace

std::array<double, 2> both(const std::vector<double>& values) { return {values.front(), values.back()}; }

SectionShape shape_of(const SectionInput& s) {
  SectionShape out;
  if (s.rectangle) {
    const double a = (*s.rectangle)[0], b = (*s.rectangle)[1];
    out.area = a * b;
    out.I1 = a * b * b * b / 12;
    out.I2 = b * a * a * a / 12;
    out.reach1 = 0.5 * a;
    out.reach2 = 0.5 * b;
    twist_rectangle(a, b, out);
    return out;
  }
  const double outer = s.tube ? (*s.tube)[0] : known(s.circle), inner = s.tube ? (*s.tube)[1] : 0;
  out.round = true;
  out.area = pi * (outer * outer - inner * inner);
  out.I1 = out.I2 = pi / 4 * (std::pow(outer, 4) - std::pow(inner, 4));
  out.J = out.I1 + out.I2;
  out.reach1 = out.reach2 = outer;
  out.torsion_modulus = out.J / outer;
  return out;
}

RodSection section_of(const RodInput& rod) {
  RodSection out;
  if (!rod.material.given()) {
    out.stiffness = rod.stiffness;
    out.mass = rod.density.value_or(0);
    const auto EI = both(known(rod.stiffness.EI));
    for (std::size_t i = 0; i < 2; ++i)
      out.rotary[i] = rod.rotary_inertia ? both(*rod.rotary_inertia)[i] : out.mass * EI[i] / known(rod.stiffness.EA);
    return out;
  }
  const MaterialInput& m = rod.material;
  const double E = known(m.E), nu = m.nu ? *m.nu : E / (2 * known(m.G)) - 1, G = m.G ? *m.G : E / (2 * (1 + nu));
  const SectionShape s = shape_of(rod.section);
  const double kGA = shear_coefficient(rod.section, nu) * G * s.area;
  out.stiffness = {E * s.area, std::vector<double>{kGA, kGA}, G * s.J, std::vector<double>{E * s.I1, E * s.I2}};
  const double density = known(m.density);
  out.mass = density * s.area;
  out.rotary = {density * s.I1, density * s.I2};
  return out;
}

}  // namespace trompo
