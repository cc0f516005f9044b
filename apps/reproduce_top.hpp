// What the tables, the statements and the figures of the top have in common.
#pragma once

#include <array>
#include <string>
#include <vector>

#include "apps/reproduce.hpp"
#include "trompo/run/top_motion.hpp"

namespace trompo {

inline constexpr std::array top_schemes{"simo-wong",
                                        "simo-collocation",
                                        "simo-projection",
                                        "geradin-bauchau",
                                        "geradin-bauchau-momentum",
                                        "euler-poisson-midpoint",
                                        "energy-momentum-exact"};

// A run of one body, step by step in memory. No step is halved unless that is asked for: it has a solution or it has none.
class TopRun final : public Observer {
 public:
  explicit TopRun(Model model, int halvings = 0);
  void sample(const Sample& now) override;
  [[nodiscard]] bool solved() const { return result.reached_end; }

  // The largest of the run. Energy is over M g l, or over the initial one if the body has no weight; momenta are over their
  // initial size.
  [[nodiscard]] double energy_error(std::size_t i) const { return std::abs(energies[i] - energies[0]) / unit; }
  [[nodiscard]] double vertical_error(std::size_t i) const;  // of the momentum about gravity
  [[nodiscard]] double spin_error(std::size_t i) const;      // of the momentum about the axis of the body
  [[nodiscard]] double momentum_error(std::size_t i) const;  // of the vector of momentum
  [[nodiscard]] double momentum_size_error(std::size_t i) const;
  [[nodiscard]] double tilt(std::size_t i) const;
  using Error = double (TopRun::*)(std::size_t) const;
  [[nodiscard]] double largest(Error error) const;

  HeavyTop top;
  RunResult result;
  double unit = 0;  // of energy
  std::vector<double> times, energies;
  std::vector<Rotation> states;
};

[[nodiscard]] Rotation start_of(const Model& model);
[[nodiscard]] double turn_of(const Model& model);  // |Om| h at the start [rad]
[[nodiscard]] Model with_turn(Model model, double turn);
// As many steps as make periods measurable: twenty exact ones, and where the scheme's are much longer still some dozens.
[[nodiscard]] Model long_enough(Model model);

// Measured over exact, less one; NaN where the motion does not come back.
[[nodiscard]] double nutation_error(const TopRun& run);
[[nodiscard]] double precession_error(const TopRun& run);
[[nodiscard]] double flip_error(const TopRun& run);     // of the middle axis, y
[[nodiscard]] double nutation_size(const TopRun& run);  // range of the cosine over the exact one

// The upright top: how the tilt grows between a hundred and a thousand times its start [1/s], and below which spin it does.
[[nodiscard]] double measured_growth(const TopRun& run);
[[nodiscard]] double measured_critical_spin(const Model& model);

// The first group of the introduction, made for linear problems. On bodies it needs a formulation of its own.
struct GroupOne {
  const char *label, *scheme, *formulation;
  double rho;  // its spectral radius at infinite frequency
  bool drawn;
};
inline constexpr std::array group_one{
    GroupOne{"trapezoidal", "trapezoidal", "directors", 1, true},
    GroupOne{"mid-point", "midpoint", "directors", 1, true},
    GroupOne{"Newmark 0.8", "newmark", "directors", 0.8, true},
    GroupOne{"Bossak 0.8", "bossak", "directors", 0.8, false},
    GroupOne{"Hilber 0.8", "hht-1", "directors", 0.8, false},
    GroupOne{"generalised alpha 1", "generalized-alpha-1", "directors", 1, false},
    GroupOne{"generalised alpha 0.8", "generalized-alpha-1", "directors", 0.8, true},
    GroupOne{"generalised alpha 0.5", "generalized-alpha-1", "directors", 0.5, true},
    GroupOne{"trapezoidal, Euler parameters", "trapezoidal", "euler-parameters", 1, true},
    GroupOne{"generalised alpha 0.8, Euler parameters", "generalized-alpha-1", "euler-parameters", 0.8, true},
};
[[nodiscard]] Model with_group_one(Model model, const GroupOne& scheme);
inline constexpr int group_one_halvings = 10;  // as `trompo run` has it: a blow-up is not to end for want of a solution

[[nodiscard]] Quantities top_theory();
[[nodiscard]] std::vector<Table> top_tables();
[[nodiscard]] std::vector<Figure> top_figures();

}  // namespace trompo
