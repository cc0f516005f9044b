#include "trompo/run/finite.hpp"

#include <cmath>

namespace trompo {

namespace {

// The first entry that is none; -1 if all are finite.
template <class Numbers>
int first_not_finite(const Numbers& numbers) {
  for (int i = 0; const double x : numbers) {
    if (!std::isfinite(x)) return i;
    ++i;
  }
  return -1;
}

// A sum with a part that is no number is none either. The other way round it may be too large where its parts are not.
bool sum_is_finite(const Sample& now) {
  const Momentum& m = now.momentum;
  double sum = now.acceleration.sum() + now.multiplier.sum() + now.reaction.sum() + now.error_largest + now.error_rate_largest +
               m.linear.squaredNorm() + m.angular.squaredNorm() + m.linear_scale + m.angular_scale + now.ledger.residual() +
               now.ledger.scale();
  if (now.equilibrium != nullptr) sum += now.equilibrium->potentials.sum();
  for (const double x : now.sensors) sum += x;
  return std::isfinite(sum);
}

}  // namespace

// Asked after every step: names are looked for only where there is one to be found.
std::string not_finite(const Sample& now, std::span<const std::string> sensor_names) {
  if (sum_is_finite(now)) return "";
  const System& system = now.system;
  if (const int c = first_not_finite(now.acceleration); c >= 0) return "the acceleration of " + system.coordinate_name(c);
  if (const int k = first_not_finite(now.multiplier); k >= 0) return "the force of " + system.constraint_name(k);
  if (const int c = first_not_finite(now.reaction); c >= 0) return "the reaction of " + system.coordinate_name(c);
  if (!std::isfinite(now.error_largest + now.error_rate_largest)) return "the constraint error";
  const Momentum& m = now.momentum;
  // Its drift is a length: squares must be numbers too.
  if (!std::isfinite(m.linear.squaredNorm() + m.angular.squaredNorm() + m.linear_scale + m.angular_scale))
    return "the momentum";
  if (!std::isfinite(now.ledger.residual() + now.ledger.scale())) return "the energy balance";
  if (now.equilibrium != nullptr && !std::isfinite(now.equilibrium->potentials.sum())) return "the energy";
  if (const int s = first_not_finite(now.sensors); s >= 0) return "sensor '" + sensor_names[static_cast<std::size_t>(s)] + "'";
  return "";
}

std::string not_finite(const System& system, const State& state) {
  const Potentials p = system.potentials(state.q);
  if (!std::isfinite(p.elastic)) return "the elastic energy";
  if (!std::isfinite(p.gravity)) return "the energy of gravity";
  if (!std::isfinite(p.loads)) return "the energy of the loads";
  if (!std::isfinite(system.kinetic(state.v))) return "the kinetic energy";
  return "";
}

}  // namespace trompo
