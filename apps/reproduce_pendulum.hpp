// W. T. Matias Silva, Publicacion CIMNE 259 (2004): the runs that its statements, tables and figures share.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "apps/reproduce.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

// A pendulum, step by step: a bar, or a mass in its angle. It may blow up, and may not reach its end.
struct PendulumRun final : Observer {
  explicit PendulumRun(Model model);
  void sample(const Sample& now) override;
  [[nodiscard]] Vec3 rod(std::size_t i) const { return q[i].segment<3>(3) - q[i].segment<3>(0); }  // from pivot to bob
  [[nodiscard]] double elongation(std::size_t i) const { return rod(i).norm() - length; }
  [[nodiscard]] std::vector<double> angles() const;  // turned since the start, full turns counted
  [[nodiscard]] double initial_energy() const { return energies.front(); }
  [[nodiscard]] double largest_elongation() const;
  // Of the elongation, between two times: how far it lies from the mean of the steps before and after. What changes slowly, as
  // the pull of the weight, has next to no part in it.
  [[nodiscard]] double vibration(double from, double to) const;

  bool in_angle = false;
  double length = 0, zero = 0;
  std::vector<double> times, energies, kinetic, iterations;  // potentials from the start on, as the paper has them
  std::vector<VecX> q, v, a;
  RunResult result;
};

// The schemes of section 6 in the order of its figures (GEM: generalised energy-momentum), each with spectral radii 1, 0.8,
// 0.6; figures 10 to 24 of the rigid bar, 27 to 41 of the elastic one.
struct PendulumScheme {
  const char *name, *scheme;
};
inline constexpr std::array pendulum_schemes{
    PendulumScheme{"Newmark", "newmark"}, PendulumScheme{"Bossak", "bossak"}, PendulumScheme{"Hilber", "hht-1"},
    PendulumScheme{"generalised-α", "generalized-alpha-1"}, PendulumScheme{"GEM", "gem"}};
inline constexpr std::array pendulum_radii{1.0, 0.8, 0.6};
inline constexpr std::array pendulum_dissipations{0.01, 0.05, 0.1};  // ξ: the paper says "several values"

// How much of the printed gravity: the figures may have been made with a weight of 9.8 N, which is g where m g should stand
// (docs/verification.md).
inline constexpr double computed_gravity = 0.1, printed_gravity = 1;

// A bar of section 6, "rigid" or "elastic", moved by a scheme.
[[nodiscard]] Model pendulum_bar(const std::string& file, const std::string& scheme, double rho, double xi = 0,
                                 double gravity = computed_gravity);

[[nodiscard]] std::vector<Figure> pendulum_figures();
[[nodiscard]] std::vector<Table> pendulum_tables();
[[nodiscard]] Table forced_energy_table();  // beyond the paper: what its conclusions ask for
[[nodiscard]] Figure decay_figure();        // likewise

}  // namespace trompo
