#include "trompo/model/check_joints.hpp"

#include <algorithm>
#include <cmath>
#include <utility>

#include "trompo/math/known.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/check_bodies.hpp"
#include "trompo/model/findings.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/range.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

using Severity = Diagnostic::Severity;

// The names of the kinds that are so, for a remedy: "hinge, prismatic".
std::string kinds_that(bool (*are)(const JointKind&)) {
  std::string names;
  for (const JointKind& kind : joint_kinds())
    if (are(kind)) names += (names.empty() ? "" : ", ") + std::string(kind.name);
  return names;
}
bool any_kind(const JointKind& /*kind*/) { return true; }
bool sprung(const JointKind& kind) { return kind.sprung(); }
bool driven(const JointKind& kind) { return kind.driven(); }
bool turns(const JointKind& kind) { return kind.freedom == JointFreedom::angle; }
bool rests(const JointKind& kind) { return turns(kind) || kind.freedom == JointFreedom::turn; }
bool travels(const JointKind& kind) { return kind.travels(); }
bool crosses(const JointKind& kind) { return kind.freedom == JointFreedom::cross; }
bool bushing(const JointKind& kind) { return kind.bushing; }

class JointInspection : Findings {
 public:
  explicit JointInspection(const Model& model) : Findings(model) {}

  std::vector<Diagnostic> all() {
    for (const JointInput& j : m.joints) joint(j);
    return std::move(found_);
  }

 private:
  // ---- joints ----
  void joint(const JointInput& j) {
    const std::string who = "joint " + in_quotes(j.name);
    if (!bodies(j, who)) return;
    if (j.kind.empty())
      return wrong(j.source, "", who + " does not say what it is",
                   "add one of " + kinds_that(any_kind) + ", as in hinge = { axis = [1, 0, 0], at = [0, 0, 0] }");
    if (j.kinds_given > 1)
      return wrong(j.source, j.kind, who + " is more than one kind of joint", "write one [[joint]] for each");
    const JointKind* const kind = find_joint_kind(j.kind);
    if (kind == nullptr) {
      const auto names = joint_names();
      return wrong(j.source, "", who + ": there is no kind of joint " + in_quotes(j.kind),
                   suggestion(j.kind, {names.begin(), names.end()}));
    }
    if (!form(j, who, *kind)) return;
    forces(j, who, *kind);
    if (j.motion) motion(j, "motion", *j.motion, who, kind->freedom);
    if (j.travel_motion) motion(j, "travel_motion", *j.travel_motion, who, JointFreedom::slide);
    if (moves(j.ground_motion)) ground(j, who);
  }
  void ground(const JointInput& j, const std::string& who) {
    if (j.bodies[0] != "ground" && j.bodies[1] != "ground")
      return wrong(j.source, "ground_motion", who + " has a `ground_motion` but no \"ground\" among its bodies",
                   "join one of them to the ground, or leave it out");
    const Vec3& at = known(j.form.at);
    if (const auto axis = starts_elsewhere(j.ground_motion, at))
      wrong(j.source, "ground_motion",
            who + ": the motion of the ground along " + "xyz"[*axis] + " starts at " +
                number_text(known(j.ground_motion[*axis]).value(0)) + ", but `at` is " + number_text(at[*axis]),
            "motion is the coordinate itself: let it start where the joint is");
  }
  bool bodies(const JointInput& j, const std::string& who) {
    bool all = true;
    for (const std::string& name : j.bodies)
      if (name != "ground" && find(m.bodies, name) == nullptr) {
        if (find(m.nodes, name) != nullptr)
          wrong(j.source, "bodies", who + ": " + in_quotes(name) + " is a node",
                "joints join bodies; tie a node by a [[constraint]]");
        else
          unknown(j.source, "bodies", who, "body", name, m.bodies, {"ground"});
        all = false;
      }
    if (all && j.bodies[0] == j.bodies[1]) {
      wrong(j.source, "bodies",
            who + " joins " + (j.bodies[0] == "ground" ? "the ground" : "body " + in_quotes(j.bodies[0])) + " to itself",
            "name two different ones");
      all = false;
    }
    return all;
  }
  bool form(const JointInput& j, const std::string& who, const JointKind& needs) {
    const JointForm& f = j.form;
    const std::string kind(needs.name);
    const auto missing = [&](const char* key, const std::string& example) {
      wrong(j.source, kind, who + ": " + kind + " has no `" + key + "`", "add " + example + ", in global axes at t = 0");
      return false;
    };
    const auto unused = [&](bool given, bool wanted, const char* key) {
      if (given && !wanted)
        say(Severity::warning, j.source, kind, "`" + std::string(key) + "` of " + who + " is not used",
            "remove it: " + kind + " has none");
    };
    if (!f.at) return missing("at", "at = [x, y, z]");
    if (needs.axis && !f.axis) return missing("axis", "axis = [1, 0, 0]");
    if (needs.other_axis && !f.other_axis) return missing("other_axis", "other_axis = [0, 1, 0]");
    if (needs.from && !f.from) return missing("from", "from = [x, y, z], the point of the first body");
    unused(f.axis.has_value(), needs.axis, "axis");
    unused(f.other_axis.has_value(), needs.other_axis, "other_axis");
    for (const auto& [axis, key] : {std::pair{f.axis, "axis"}, {f.other_axis, "other_axis"}})
      if (axis && !(axis->norm() >= Range::positive.least)) {
        wrong(j.source, kind, who + " has an `" + key + "` of length zero", "an axis needs a direction, as [1, 0, 0]");
        return false;
      }
    const bool touching = !needs.from && f.from;
    if (touching && (*f.from - *f.at).norm() > 1e-9 * (1 + f.at->norm()) && !m.time.initial_projection) {
      wrong(
          j.source, kind,
          who + ": its points do not coincide at the start, they are " + number_text((*f.from - *f.at).norm(), 6) + " m apart",
          "move the bodies, leave out `from`, or let [time] initial_projection = true close it");
      return false;
    }
    if (needs.from && (*f.from - *f.at).norm() <= 1e-12 * (f.from->norm() + f.at->norm())) {
      wrong(j.source, kind, who + ": `from` and `at` are the same place: a distance of zero has no direction",
            needs.freedom == JointFreedom::distance ? "use a ball joint" : "move one of them");
      return false;
    }
    if (needs.other_axis && std::abs(known(f.axis).normalized().dot(known(f.other_axis).normalized())) > 1e-9 &&
        !m.time.initial_projection) {
      wrong(j.source, kind, who + ": `axis` and `other_axis` are not at right angles",
            "a universal joint keeps them so: turn one of them");
      return false;
    }
    return true;
  }
  void forces(const JointInput& j, const std::string& who, const JointKind& needs) {
    const auto only = [&](const char* key, bool (*those)(const JointKind&), const char* others = "") {
      if (j.source.keys.contains(key) && !those(needs))
        wrong(j.source, key, "`" + std::string(key) + "` of " + who + ": a " + j.kind + " joint has none",
              "it belongs to " + kinds_that(those) + others);
    };
    only("stiffness", sprung, "; a bushing has stiffness_along and stiffness_about");
    only("damping", sprung, "; a bushing has damping_along and damping_about");
    only("rest_angle", turns);
    only("rest", rests);
    only("motion", driven);
    for (const char* key : {"travel_stiffness", "travel_damping", "travel_motion"}) only(key, travels);
    for (const char* key : {"other_stiffness", "other_damping"}) only(key, crosses);
    for (const char* key : {"stiffness_along", "stiffness_about", "damping_along", "damping_about", "law"}) only(key, bushing);
    if (!j.law.empty() &&
        std::find(word_lists::bushing_laws.begin(), word_lists::bushing_laws.end(), j.law) == word_lists::bushing_laws.end())
      wrong(j.source, "law", who + ": there is no law " + in_quotes(j.law),
            suggestion(j.law, {word_lists::bushing_laws.begin(), word_lists::bushing_laws.end()}));
    if (!j.rest.empty() && j.rest != "as drawn")
      wrong(j.source, "rest", "`rest` of " + who + " is " + in_quotes(j.rest) + ", but can only be \"as drawn\"",
            "or give rest_angle in radians");
    if (!j.rest.empty() && j.rest_angle) wrong(j.source, "rest", who + " has both `rest` and `rest_angle`", "keep one");
    if ((!j.rest.empty() || j.rest_angle) && j.stiffness == 0)
      say(Severity::warning, j.source, j.rest_angle ? "rest_angle" : "rest", who + " has a rest angle but no stiffness",
          "add `stiffness`, or remove it");
    if (!needs.bushing) return;
    bool any = false;
    for (const auto& given : {j.stiffness_along, j.stiffness_about, j.damping_along, j.damping_about}) {
      if (!given) continue;
      any = true;
      if (!(given->minCoeff() >= 0))
        wrong(j.source, j.kind, who + " has a negative stiffness or damping", "make it zero or positive");
    }
    if (!any)
      wrong(j.source, j.kind, who + " has no stiffness and no damping",
            "add stiffness_along = [k, k, k], stiffness_about, damping_along or damping_about");
    if (!j.law.empty() || !(j.stiffness_about || j.damping_about) || std::exchange(law_said_, true)) return;
    say(Severity::note, j.source, j.stiffness_about ? "stiffness_about" : "damping_about",
        who + ": what is about the axes acts on the rotation vector and its spin; up to version 0.1 it was the sines of angles",
        "write law = \"rotation-vector\" in bushings to say it is meant, or law = \"sine\" for what it was");
  }
  // What is driven starts where it is drawn.
  void motion(const JointInput& j, std::string_view key, const TimeFunction& drive, const std::string& who,
              JointFreedom freedom) {
    const double start = drive.value(0);
    if (!std::isfinite(start))
      return wrong(j.source, key, "`" + std::string(key) + "` of " + who + " is not finite at t = 0", "check the formula");
    double drawn = 0;
    if (freedom == JointFreedom::distance) drawn = (known(j.form.at) - known(j.form.from)).norm();
    if (freedom == JointFreedom::angle) {
      const auto turn = [this](const std::string& name) {
        for (const BodyInput& b : m.bodies)
          if (b.name == name) return resolve_body(b).orientation;
        return Quaternion::Identity();
      };
      const Quaternion relative = turn(j.bodies[0]).conjugate() * turn(j.bodies[1]);
      const Vec3 axis = known(j.form.axis).normalized(), n = to_body(turn(j.bodies[0]), axis);
      if ((n - to_body(turn(j.bodies[1]), axis)).norm() < 1e-9) drawn = 2 * std::atan2(relative.vec().dot(n), relative.w());
    }
    const double off = freedom == JointFreedom::angle ? std::remainder(start - drawn, 2 * std::acos(-1.0)) : start - drawn;
    if (std::abs(off) > 1e-9 * (1 + std::abs(drawn)))
      wrong(j.source, key, who + " is driven from " + number_text(start) + " at t = 0, but drawn at " + number_text(drawn),
            "add " + number_text(drawn - start) + " to the formula, or move the bodies");
  }

  bool law_said_ = false;  // that bushings have another law than they had
};

}  // namespace

std::vector<Diagnostic> check_joints(const Model& model) { return JointInspection(model).all(); }

}  // namespace trompo
