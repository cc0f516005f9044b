#include <algorithm>
#include <cmath>

#include "apps/reproduce_pendulum.hpp"

namespace trompo {

PendulumRun::PendulumRun(Model model) {
  model.output.every = 1;
  in_angle = model.nodes.empty();
  if (!in_angle) length = (model.nodes[1].position - model.nodes[0].position).norm();
  Observer* observers[] = {this};
  result = run(model, System(model), scheme_of(model), observers, {.keep_going = true});
}

void PendulumRun::sample(const Sample& now) {
  if (times.empty()) zero = now.ledger.potentials().sum();
  times.push_back(now.time);
  q.push_back(now.state.q);
  v.push_back(now.state.v);
  a.push_back(now.acceleration);
  energies.push_back(now.ledger.total() - zero);
  kinetic.push_back(now.ledger.kinetic());
  iterations.push_back(now.iterations);
}

std::vector<double> PendulumRun::angles() const {
  std::vector<double> all{0};
  for (std::size_t i = 1; i < q.size(); ++i) {
    double turned = 0;
    if (in_angle) {
      turned = q[i][0] - q[i - 1][0];
    } else {
      const Vec3 before = rod(i - 1), now = rod(i);
      turned = std::atan2(before.cross(now).z(), before.dot(now));
    }
    all.push_back(all.back() + turned);
  }
  return all;
}

double PendulumRun::largest_elongation() const {
  double largest = 0;
  for (std::size_t i = 0; i < q.size(); ++i) largest = std::max(largest, std::abs(elongation(i)));
  return largest;
}

double PendulumRun::vibration(double from, double to) const {
  double largest = 0;
  for (std::size_t i = 1; i + 1 < times.size(); ++i)
    if (times[i] >= from && times[i] <= to)
      largest = std::max(largest, std::abs(elongation(i) - 0.5 * (elongation(i - 1) + elongation(i + 1))));
  return largest;
}

Model pendulum_bar(const std::string& file, const std::string& scheme, double rho, double xi, double gravity) {
  Model model = published_model("pendulum/" + file + ".toml");
  model.time.scheme = scheme;
  if (rho < 1 || scheme != "midpoint") model.time.parameters["rho_infinity"] = rho;
  if (xi > 0) model.time.parameters["xi"] = xi;
  model.gravity *= gravity;
  return model;
}

}  // namespace trompo
