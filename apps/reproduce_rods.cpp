// Motions of rods after J. C. Simo and L. Vu-Quoc (1986, 1988): the right-angle cantilever, the spin-up manoeuvre and rods in
// free flight. The problems stand in verification/rods.
#include "apps/reproduce_rods.hpp"

#include <algorithm>
#include <cmath>
#include <list>

#include "trompo/model/reader.hpp"

namespace trompo {

RodMotion::RodMotion(const Model& model) {
  Observer* observers[] = {this};
  result = run(model, System(model), scheme_of(model), observers);
  if (result.status != Status::done) throw std::runtime_error(model.title + ": " + result.failure.dossier());
}

void RodMotion::sample(const Sample& now) {
  times.push_back(now.time);
  energies.push_back(now.ledger.total());
  momenta.push_back(now.momentum);
  values_.resize(now.sensors.size());
  for (std::size_t i = 0; i < values_.size(); ++i) values_[i].push_back(now.sensors[i]);
  places.emplace_back();
  for (const RigidBody& body : now.system.bodies()) places.back().emplace_back(now.state.q.segment<3>(body.first));
}

std::vector<double> RodMotion::sensor(const std::string& name) const {
  const auto found = std::find(names_.begin(), names_.end(), name);
  if (found == names_.end()) throw std::logic_error("no sensor '" + name + "'");
  return values_[static_cast<std::size_t>(found - names_.begin())];
}

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

const RodMotion& rod_motion(const Model& model) {
  static std::list<std::pair<std::string, RodMotion>> kept;
  const std::string key = model_toml(model);
  for (const auto& [text, motion] : kept)
    if (text == key) return motion;
  return kept.emplace_back(key, model).second;
}

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
      {"order_in_time", [](const Model&) { return order(pushed_end(10, 0.02), pushed_end(10, 0.01), pushed_end(10, 0.005)); }},
      {"order_in_space", [](const Model&) { return order(pushed_end(10, 0.01), pushed_end(20, 0.01), pushed_end(40, 0.01)); }},
  };
  return all;
}

Answer answer(const Statement& s) { return answer_by(quantities(), s); }

}  // namespace

Study rods_study() {
  return {"rods",
          {{"ours", "ours"}},
          answer,
          draw_rods,
          "SV86, SV88: Simo and Vu-Quoc, see verification/rods/statements.toml. Curves are compared by their peaks.",
          rods_tables};
}

}  // namespace trompo
