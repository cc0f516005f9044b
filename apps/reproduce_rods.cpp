// Motions of rods after J. C. Simo and L. Vu-Quoc (1986, 1988): the right-angle cantilever, the spin-up manoeuvre and rods in
// free flight; and equilibria that everybody computes. The problems stand in verification/rods.
#include "apps/reproduce_rods.hpp"
#include "apps/kept.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/model/reader.hpp"

namespace trompo {

RodMotion::RodMotion(const Model& model) {
  Observer* observers[] = {this};
  result = run(model, System(model), scheme_of(model), observers, {.keep_going = true});
  if (!result.reached_end) throw std::runtime_error(model.title + ": " + result.failure.dossier());
}

namespace {
std::vector<Vec3> places_of(const Sample& now) {
  std::vector<Vec3> all;
  for (const RigidBody& body : now.system.bodies()) all.emplace_back(now.state.q.segment<3>(body.first));
  return all;
}
std::vector<double> named(const std::string& name, const std::vector<std::string>& names,
                          const std::vector<std::vector<double>>& values) {
  const auto found = std::find(names.begin(), names.end(), name);
  if (found == names.end()) throw std::logic_error("no sensor '" + name + "'");
  return values[static_cast<std::size_t>(found - names.begin())];
}
void keep(const std::vector<double>& sensors, std::vector<std::vector<double>>& values) {
  values.resize(sensors.size());
  for (std::size_t i = 0; i < values.size(); ++i) values[i].push_back(sensors[i]);
}
}  // namespace

void RodMotion::sample(const Sample& now) {
  times.push_back(now.time);
  energies.push_back(now.ledger.total());
  momenta.push_back(now.momentum);
  places.push_back(places_of(now));
  keep(now.sensors, values_);
}
std::vector<double> RodMotion::sensor(const std::string& name) const { return named(name, names_, values_); }

RodPath::RodPath(const Model& model) {
  Observer* observers[] = {this};
  result = solve_statics(model, System(model), observers);
  if (!result.done()) throw std::runtime_error(model.title + ": " + result.run.failure.dossier());
}
void RodPath::sample(const Sample& now) {
  factors.push_back(now.equilibrium->factor);
  places.push_back(places_of(now));
  keep(now.sensors, values_);
}
std::vector<double> RodPath::sensor(const std::string& name) const { return named(name, names_, values_); }

std::size_t RodMotion::at(double time) const {
  return static_cast<std::size_t>(std::lower_bound(times.begin(), times.end(), time - 1e-9) - times.begin());
}

namespace {
template <class Values, class Distance>
double drift(const Values& values, std::size_t from, const Distance& distance) {
  double most = 0;
  for (std::size_t i = from; i < values.size(); ++i) most = std::max(most, distance(values[i], values[from]));
  return most;
}
}  // namespace

double RodMotion::energy_drift(double from) const {
  return drift(energies, at(from), [](double a, double b) { return std::abs(a - b); }) / result.ledger.scale();
}
double RodMotion::linear_drift(double from) const {
  return drift(momenta, at(from), [](const Momentum& a, const Momentum& b) { return (a.linear - b.linear).norm(); }) /
         result.linear_scale;
}
double RodMotion::angular_drift(double from) const {
  return drift(momenta, at(from), [](const Momentum& a, const Momentum& b) { return (a.angular - b.angular).norm(); }) /
         result.angular_scale;
}

namespace {
template <class Value>
const Value& kept(const Model& model) {
  static Kept<Value> all;
  return all.of(model_toml(model), [&model] { return Value(model); });
}
}  // namespace

const RodMotion& rod_motion(const Model& model) { return kept<RodMotion>(model); }
const RodPath& rod_path(const Model& model) { return kept<RodPath>(model); }

namespace {

// The largest value of a sensor between two times, or the smallest.
std::size_t peak(const RodMotion& m, const std::vector<double>& values, double from, double to, double sign = 1) {
  std::size_t best = m.at(from);
  for (std::size_t i = best; i < values.size() && m.times[i] <= to; ++i)
    if (sign * values[i] > sign * values[best]) best = i;
  return best;
}
double highest(const Model& model, const char* sensor, double from, double to, double sign = 1) {
  const RodMotion& m = rod_motion(model);
  const std::vector<double> values = m.sensor(sensor);
  return values[peak(m, values, from, to, sign)];
}

double steady_extension(const Model& model) {
  const RodMotion& m = rod_motion(model);
  const std::vector<double> values = m.sensor("extension");
  double sum = 0;
  for (std::size_t i = m.at(15); i < values.size(); ++i) sum += values[i];
  return sum / static_cast<double>(values.size() - m.at(15));
}

// Where the end that is pushed has got to while it is pushed.
Vec3 pushed_end(long elements, double step) {
  const std::string overrides[] = {"rod.rod.elements=" + std::to_string(elements), "time.step=" + std::to_string(step),
                                   "time.end=2.5"};
  return rod_motion(published_model("rods/flying_3d.toml", overrides)).places.back().front();
}
double order(const Vec3& coarse, const Vec3& middle, const Vec3& fine) {
  return std::log2((coarse - middle).norm() / (middle - fine).norm());
}

// How far the ends of the rolled-up rod are apart, over its length.
double opening(const Model& model) {
  const RodPath& path = rod_path(model);
  return (path.places.back().back() - path.places.back().front()).norm() /
         (path.places.front().back() - path.places.front().front()).norm();
}
double limit(const Model& model, std::size_t which) {
  return std::abs(model.loads.front().force[1].value(0)) * rod_path(model).result.limit_points.at(which);
}
double at_last(const Model& model, const char* sensor) { return rod_path(model).sensor(sensor).back(); }

const Quantities& quantities() {
  static const Quantities all{
      {"elbow_first_peak", [](const Model& m) { return highest(m, "elbow", 0, 6); }},
      {"elbow_least", [](const Model& m) { return highest(m, "elbow", 8, 14, -1); }},
      {"elbow_last_peak", [](const Model& m) { return highest(m, "elbow", 22, 28); }},
      {"tip_first_peak", [](const Model& m) { return highest(m, "tip", 0, 12); }},
      {"tip_first_peak_time",
       [](const Model& m) {
         const RodMotion& motion = rod_motion(m);
         return motion.times[peak(motion, motion.sensor("tip"), 0, 12)];
       }},
      {"tip_least", [](const Model& m) { return highest(m, "tip", 12, 20, -1); }},
      {"tip_last_peak", [](const Model& m) { return highest(m, "tip", 24.5, 28); }},
      {"steady_extension", steady_extension},
      {"largest_lag", [](const Model& m) { return -highest(m, "deflection", 0, 20, -1); }},
      {"momentum", [](const Model& m) { return rod_motion(m).momenta.back().linear.norm(); }},
      {"energy_drift_from_2", [](const Model& m) { return rod_motion(m).energy_drift(2); }},
      {"energy_drift_from_5", [](const Model& m) { return rod_motion(m).energy_drift(5); }},
      {"linear_drift_from_5", [](const Model& m) { return rod_motion(m).linear_drift(5); }},
      {"angular_drift_from_5", [](const Model& m) { return rod_motion(m).angular_drift(5); }},
      {"ledger_residual",
       [](const Model& m) {
         const Ledger& ledger = rod_motion(m).result.ledger;
         return ledger.worst_residual() / ledger.scale();
       }},
      {"order_in_time",
       [](const Model&) { return order(pushed_end(20, 0.05), pushed_end(20, 0.025), pushed_end(20, 0.0125)); }},
      {"order_in_space", [](const Model&) { return order(pushed_end(20, 0.01), pushed_end(40, 0.01), pushed_end(80, 0.01)); }},
      {"tip_x", [](const Model& m) { return at_last(m, "tip x"); }},
      {"tip_y", [](const Model& m) { return at_last(m, "tip y"); }},
      {"tip_z", [](const Model& m) { return at_last(m, "tip z"); }},
      {"roll_up_opening", opening},
      {"first_limit", [](const Model& m) { return limit(m, 0); }},
      {"second_limit", [](const Model& m) { return limit(m, 1); }},
      {"across", [](const Model& m) { return -at_last(m, "across the short edge"); }},
  };
  return all;
}

Answer answer(const Statement& s) { return answer_by(quantities(), s); }

}  // namespace

Study rods_study() { return {"rods", {{"ours", "ours"}}, answer, rods_figures, rods_tables}; }

}  // namespace trompo
