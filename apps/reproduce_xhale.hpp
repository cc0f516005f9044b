// What statements, tables and figures of the aircraft have in common: the ways of the thesis to integrate, and their flights.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <string>
#include <vector>

#include "apps/reproduce.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

// The rows of a hinge: the point along x, y, z, and two of the axis.
inline constexpr std::size_t hinge_rows = 5;
using HingeMost = std::array<double, hinge_rows>;
using HingeIndices = std::array<int, hinge_rows>;  // among the constraints of the system; -1: there is none

// A run with its sensors, step by step in memory. No step is halved: a scheme reaches the end by its own steps or it does not.
class Flight final : public Observer {
 public:
  struct Drift {  // of a hinge, over time: constraint errors and their rates, by rows
    std::string hinge;
    std::array<std::vector<double>, hinge_rows> error, rate;
    HingeIndices rows{};
  };

  explicit Flight(const Model& model);
  void begin(const RunPlan& plan) override;
  void sample(const Sample& now) override;
  [[nodiscard]] bool arrived() const { return result.reached_end; }
  [[nodiscard]] double reached() const { return result.state.time; }

  [[nodiscard]] const std::vector<double>& sensor(const std::string& name) const;
  [[nodiscard]] std::vector<const std::vector<double>*> hinges() const;  // relative angles, from -y to +y
  [[nodiscard]] const Drift& drift_of(const std::string& hinge) const;   // of the hinges beside the centre panel
  [[nodiscard]] const std::vector<Drift>& drifts() const { return drifts_; }
  [[nodiscard]] double energy_percent() const;  // gain from the start to the end
  [[nodiscard]] double lateral() const;         // the largest |x| or |y| of the fuselage
  [[nodiscard]] double asymmetry() const;       // of hinge angles, left against right
  [[nodiscard]] double largest_angle() const;   // of the hinges [degrees]

  RunResult result;
  std::vector<double> times, energies;
  HingeMost drift{}, drift_rate{};  // of hinge 1-2, the largest of the run

 private:
  std::vector<std::string> names_;
  std::vector<int> kept_;                    // among the sensors of the model: those that somebody looks at
  std::vector<std::vector<double>> values_;  // of each over time
  std::vector<Drift> drifts_;                // of flights that are projected onto their constraints: the others nobody draws
  HingeIndices outer_{};                     // those of hinge 1-2
};

// The flight of a model. Many statements, tables and figures look at the same one: they are kept.
[[nodiscard]] const Flight& flown(const Model& model);
// Of several. What another thread has begun is left to it until the end.
[[nodiscard]] std::vector<const Flight*> flown(const std::vector<Model>& models);

struct Way {  // to integrate
  std::string label, formulation, scheme;
  std::map<std::string, double> parameters{};
  std::map<std::string, std::string> options{};
  StabilisationInput stabilisation{};
};
[[nodiscard]] StabilisationInput no_stabilisation();
[[nodiscard]] StabilisationInput baumgarte();         // 10, 10
[[nodiscard]] StabilisationInput s_both(long times);  // projection of positions and velocities
[[nodiscard]] Way ode45(double tolerance = 1e-10);    // with Baumgarte's stabilisation
[[nodiscard]] Way hamming();                          // this and the two below with s-both twice
[[nodiscard]] Way central_difference();
[[nodiscard]] Way rk4();
[[nodiscard]] Way newmark(double alpha);
[[nodiscard]] Way hht(double alpha_f);
[[nodiscard]] Way generalized(double alpha_f, double alpha_m);
[[nodiscard]] Way tight();  // a reference: its steps are as small as they have to be
[[nodiscard]] Model by(Model model, const Way& way);
[[nodiscard]] Way stabilised(Way way, const StabilisationInput& stabilisation);

[[nodiscard]] Model xhale_model(const std::string& file, const std::vector<std::string>& set = {});
// The same with another aircraft: without gust or damage, by another pattern.
[[nodiscard]] Model changed(const Model& model, const std::function<void(AircraftInput&)>& change);

[[nodiscard]] double largest(const std::vector<double>& values);
[[nodiscard]] double half_range(const std::vector<double>& values);
[[nodiscard]] std::vector<double> minus(std::vector<double> a, const std::vector<double>& b);
// The largest difference of a hinge angle between two runs, at the times of the first [rad].
[[nodiscard]] double distance(const Flight& a, const Flight& b);
// Of the place of the fuselage [m].
[[nodiscard]] double place_distance(const Flight& a, const Flight& b);

[[nodiscard]] std::vector<Table> xhale_tables();
[[nodiscard]] std::vector<Figure> xhale_case_figures();      // sections 4.2
[[nodiscard]] std::vector<Figure> xhale_aircraft_figures();  // section 4.3
// A number of a flight by words: "swing 1-2 over swing 1-2 reference".
[[nodiscard]] double flight_number(const Model& model, const std::string& words);

}  // namespace trompo
