#include "trompo/run/campbell.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>

#include "trompo/math/known.hpp"
#include "trompo/model/joint_kinds.hpp"

namespace trompo {

namespace {

ModelError refusal(const Model& model, const std::string& message, const std::string& remedy) {
  return ModelError({{Diagnostic::Severity::error, model.file, model.source.line, message, remedy}});
}

bool drives_round(const JointInput& joint) {
  return find_joint_kind(joint.kind)->freedom == JointFreedom::angle && joint.motion && joint.motion->at(0).rate != 0;
}

double fastest(const Model& model) {
  double most = 0;
  for (const BodyInput& body : model.bodies) most = std::max(most, body.angular_velocity.norm());
  for (const JointInput& joint : model.joints)
    if (drives_round(joint)) most = std::max(most, std::abs(known(joint.motion).at(0).rate));
  return most;
}

Model with_spin(Model model, double ratio) {
  for (NodeInput& node : model.nodes) node.velocity *= ratio;
  for (BodyInput& body : model.bodies) {
    body.angular_velocity *= ratio;
    if (body.velocity) *body.velocity *= ratio;
  }
  for (JointInput& joint : model.joints)
    if (drives_round(joint)) {
      const Jet start = known(joint.motion).at(0);
      for (const double t : {0.0, 1.0, 2.718281828459045})
        if (const Jet later = known(joint.motion).at(t); std::abs(later.rate - start.rate) > 1e-12 * std::abs(start.rate))
          throw refusal(model, "joint " + in_quotes(joint.name) + " is driven at a rate that changes",
                        "a Campbell diagram needs a steady drive, such as motion = \"100*t\"");
      joint.motion = TimeFunction::parse(fmt::format("{:.17g}+{:.17g}*t", start.value, ratio * start.rate));
    }
  return model;
}

}  // namespace

int SpinRange::speeds() const { return 1 + static_cast<int>(std::floor((to - from) / step + 1e-9)); }

Campbell campbell(const Model& model, int count, About about, const SpinRange& range) {
  const auto begin = std::chrono::steady_clock::now();
  const double given = fastest(model);
  if (given == 0)
    throw refusal(model, "no body turns at the start, and no joint is driven round: there is no spin to go through",
                  "give the bodies that spin an angular_velocity, in the ratio in which they are to turn");
  Campbell out;
  const auto at = [&](double spin) {
    const Model turning = with_spin(model, spin / given);
    const System system(turning);
    ModesResult found = find_modes(turning, system, count, about);
    out.frame_turns = out.frame_turns || found.frame_turns;
    out.remarks = std::move(found.remarks);
    std::stable_sort(found.modes.begin(), found.modes.end(),
                     [](const Mode& a, const Mode& b) { return a.frequency < b.frequency; });
    return std::move(found.modes);
  };
  for (int i = 0; i < range.speeds(); ++i) {
    const double spin = range.from + i * range.step;
    out.speeds.push_back({spin, at(spin)});
  }
  // The k-th frequency is a continuous function of the spin, whichever mode it belongs to.
  const auto refined = [&](std::size_t k, double low, double high, double at_low, double at_high) {
    Campbell::Critical found;
    for (int i = 0; i < 60; ++i) {
      const double spin = low - at_low * (high - low) / (at_high - at_low);
      const std::vector<Mode> modes = at(spin);
      if (k >= modes.size()) break;
      const double off = modes[k].frequency - spin;
      found = {spin, modes[k].whirl, modes[k].moves};
      if (std::abs(off) <= 1e-9 * spin) break;
      if ((off > 0) == (at_low > 0))
        low = spin, at_low = off, at_high /= 2;  // Illinois: neither end stays for long
      else
        high = spin, at_high = off, at_low /= 2;
    }
    return found;
  };
  const std::vector<std::string> remarks = out.remarks;
  for (std::size_t i = 0; i + 1 < out.speeds.size() && !out.frame_turns; ++i) {
    const Campbell::Speed &a = out.speeds[i], &b = out.speeds[i + 1];
    for (std::size_t k = 0; k < std::min(a.modes.size(), b.modes.size()); ++k) {
      const double before = a.modes[k].frequency - a.spin, after = b.modes[k].frequency - b.spin;
      if (before > 0 && after <= 0) out.critical.push_back(refined(k, a.spin, b.spin, before, after));
      if (before < 0 && after > 0) out.critical.push_back(refined(k, a.spin, b.spin, before, after));
    }
  }
  out.remarks = remarks;
  out.wall_seconds = std::chrono::duration<double>(std::chrono::steady_clock::now() - begin).count();
  return out;
}

}  // namespace trompo
