#include "trompo/scheme/verdict.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/math/so3.hpp"
#include "trompo/scheme/contradiction.hpp"

namespace trompo {

namespace {

bool failed(StepReport& report, NewtonEnd end, std::string culprit) {
  report.newton.end = end;
  report.culprit = std::move(culprit);
  return false;
}

Mat3 axes_of(const RigidBody& body, const VecX& q) { return Eigen::Map<const Mat3>(q.data() + body.first + 3); }

// Is the turn from one frame to the other beyond a right angle? 1 + 2 cos(turn) is the trace of what lies between.
bool far_apart(const Mat3& a, const Mat3& b) { return !(a.cwiseProduct(b).sum() >= 1); }

}  // namespace

std::string named(const System& system, int body) { return "body " + in_quotes(system.body_name(body)); }

OffRotation off_rotation(const System& system, const VecX& q, const VecX& v, const VecX& a) {
  double off = 0, size = 0, most = 0;
  OffRotation found;
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const RigidBody& body = system.bodies()[b];
    const Mat3 d = axes_of(body, q), rates = axes_of(body, v), bend = axes_of(body, a);
    const Mat3 pull = bend.transpose() * d, turn = 2 * rates.transpose() * rates;
    const double own = (pull + pull.transpose() + turn).squaredNorm();
    off += own;
    size += (pull.cwiseAbs() + pull.transpose().cwiseAbs() + turn.cwiseAbs()).squaredNorm();
    if (own > most) {
      most = own;
      found.body = static_cast<int>(b);
    }
  }
  if (size > 0) found.share = std::sqrt(off / size);
  return found;
}

bool accepted(StepReport& report, const System& system, const VecX& q0, const VecX& q1) {
  // Equations that close where energies do not exist: a step that ends with a bar of no length between held nodes.
  if (!report.energy.finite()) return failed(report, NewtonEnd::not_finite, {});
  if (std::string joint = contradiction_at(system, q1); !joint.empty())
    return failed(report, NewtonEnd::constraint_open, std::move(joint));
  // Both ends may be fine with a pole between them, which no motion passes.
  if (const std::string* part = system.undefined_between(q0, q1)) return failed(report, NewtonEnd::outside_domain, *part);
  return report.done();
}

bool accepted(StepReport& report, const System& system, const VecX& q0, const VecX& q1, const VecX& v0, double h) {
  if (!accepted(report, system, q0, q1)) return false;
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const RigidBody& body = system.bodies()[b];
    const Mat3 old = axes_of(body, q0), rates = axes_of(body, v0);
    Vec3 spin = Vec3::Zero();  // in space: half the sum of d x d'
    for (int k = 0; k < 3; ++k) spin += 0.5 * old.col(k).cross(rates.col(k));
    if (far_apart(exponential(Vec3(h * spin)) * old, axes_of(body, q1)))
      return failed(report, NewtonEnd::turned_away, named(system, static_cast<int>(b)));
  }
  return true;
}

}  // namespace trompo
