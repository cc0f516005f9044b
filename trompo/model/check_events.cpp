#include "trompo/model/check_events.hpp"

#include <algorithm>
#include <cmath>
#include <set>
#include <utility>

#include "trompo/model/body.hpp"
#include "trompo/model/event.hpp"
#include "trompo/model/findings.hpp"
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/range.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

class EventInspection : Findings {
 public:
  explicit EventInspection(const Model& model) : Findings(model), now_(model) {}

  std::vector<Diagnostic> all() {
    std::vector<const EventInput*> order;
    for (const EventInput& e : m.events) order.push_back(&e);
    std::stable_sort(order.begin(), order.end(), [](const EventInput* a, const EventInput* b) { return a->at < b->at; });
    for (const EventInput* e : order) {
      const std::size_t before = found_.size();
      event(*e);
      const auto error = [](const Diagnostic& d) { return d.severity == Diagnostic::Severity::error; };
      if (std::none_of(found_.begin() + static_cast<std::ptrdiff_t>(before), found_.end(), error)) apply(*e, now_);
    }
    for (const MarkInput& mark : m.marks)
      if (mark.until && *mark.until <= mark.at)
        wrong(mark.source, "until", "mark " + in_quotes(mark.text) + " ends before it begins",
              "let `until` be later than `at`");
    return std::move(found_);
  }

 private:
  // A word of `set`, whether it is given, and the kinds of parts that have it.
  struct Word {
    const char* name;
    bool given;
    std::vector<std::string_view> parts;
  };
  static std::vector<Word> words(const EventInput& e) {
    const std::vector<std::string_view> prescribed{"node", "coordinate", "joint"};
    return {{"stiffness", e.stiffness.has_value(), {"joint", "spring"}},
            {"damping", e.damping.has_value(), {"joint", "spring"}},
            {"EA", e.EA.has_value(), {"bar", "rod_element"}},
            {"EI", e.EI.has_value(), {"rod_element"}},
            {"scale", e.scale.has_value(), {"load"}},
            {"mass", e.mass.has_value(), {"node", "body"}},
            {"motion", moves(e.motion), {"node"}},
            {"drive", e.drive.has_value(), {"coordinate", "joint"}},
            {"stop", e.stop, prescribed},
            {"free", e.free, prescribed},
            {"release", e.release, {"joint"}}};
  }

  static std::string any_of(const std::vector<std::string>& words) {
    std::string text;
    for (std::size_t i = 0; i < words.size(); ++i) text += (i == 0 ? "" : i + 1 == words.size() ? " or " : ", ") + words[i];
    return text;
  }

  void event(const EventInput& e) {
    const std::string who = "the event at t = " + number_text(e.at);
    if (e.what.empty())
      return wrong(e.source, "set", who + " changes nothing", "say set = { joint = \"...\", stiffness = ... }");
    if (!named(e, who)) return;
    const std::string what = e.what == "rod_element" ? "rod element" : e.what, part = what + " " + in_quotes(e.name);
    std::vector<std::string> has;
    bool any = false;
    for (const Word& word : words(e)) {
      const bool fits = std::find(word.parts.begin(), word.parts.end(), e.what) != word.parts.end();
      if (fits) has.emplace_back(word.name);
      any = any || word.given;
      if (word.given && !fits) wrong(e.source, "set", who + ": a " + what + " has no `" + word.name + "`", "remove it");
    }
    if (!any) wrong(e.source, "set", who + " gives " + part + " nothing new", "add " + any_of(has));
    if (e.EI && e.EI->size() > 2)
      wrong(e.source, "set", who + ": EI has " + std::to_string(e.EI->size()) + " numbers",
            "give one for both axes of the section, or two");
    if (e.what == "joint") joint(e, who);
    if (e.what == "spring" && find(m.springs, e.name)->along_axes())
      wrong(e.source, "set", who + ": spring " + in_quotes(e.name) + " acts along the global axes, and has no `stiffness`",
            "an event changes springs that act along their line");
    if (e.what == "load" && e.scale == find(now_.loads, e.name)->scale) nothing_new(e, who, part + " has that `scale` already");
    if (e.what == "node" && e.mass) mass(e, who, find(now_.nodes, e.name)->mass, part);
    if (e.what == "body" && e.mass) mass(e, who, resolve_body(*find(now_.bodies, e.name)).mass, part);
    if (e.changes_motion()) motion(e, who, part);
    if (m.time.given()) when(e, who, what);
  }

  [[nodiscard]] bool named(const EventInput& e, const std::string& who) {
    const auto there = [&](std::string_view what, const char* kind, const auto& items) {
      if (e.what != what) return false;
      if (find(items, e.name) != nullptr) return true;
      unknown(e.source, "set", who, kind, e.name, items);
      return false;
    };
    return there("joint", "joint", m.joints) || there("spring", "spring", m.springs) || there("bar", "bar", m.bars) ||
           there("rod_element", "rod element", m.rod_elements) || there("load", "load", m.loads) ||
           there("node", "node", m.nodes) || there("body", "body", m.bodies) ||
           there("coordinate", "coordinate", m.coordinates);
  }

  void nothing_new(const EventInput& e, const std::string& who, const std::string& why) {
    wrong(e.source, "set", who + " changes nothing: " + why, "give it another number, or remove the event");
  }
  void mass(const EventInput& e, const std::string& who, double before, const std::string& part) {
    if (!Range::positive.contains(*e.mass))
      wrong(e.source, "set",
            who + ": `mass` of " + part + " is " + number_text(*e.mass) + ", but must " + Range::positive.demand(*e.mass),
            "a part without mass cannot move: let it be small");
    else if (*e.mass == before)
      nothing_new(e, who, part + " has that `mass` already");
  }
  void joint(const EventInput& e, const std::string& who) {
    const std::string part = "joint " + in_quotes(e.name);
    if (find(now_.joints, e.name)->released)
      return wrong(e.source, "set", who + ": " + part + " was released before", "a joint that has let go does not come back");
    const JointKind* kind = find_joint_kind(find(m.joints, e.name)->kind);
    if ((e.stiffness || e.damping) && kind && !kind->sprung()) {
      std::string names;
      for (const JointKind& k : joint_kinds())
        if (k.sprung()) names += (names.empty() ? "" : ", ") + std::string(k.name);
      wrong(e.source, "set", who + ": " + part + " is a " + find(m.joints, e.name)->kind + " and has no stiffness",
            "name one of " + names);
    }
    if (e.release && (e.stiffness || e.damping || e.changes_motion()))
      wrong(e.source, "set", who + " releases " + part + " and gives it something new", "keep one of the two");
  }

  // What is prescribed of the part at that time, with the name of each entry.
  [[nodiscard]] std::vector<std::pair<std::string, const TimeFunction*>> prescribed(const EventInput& e) const {
    std::vector<std::pair<std::string, const TimeFunction*>> all;
    const auto add = [&all](const std::string& name, const std::optional<TimeFunction>& motion) {
      if (motion) all.emplace_back(name, &*motion);
    };
    if (e.what == "node")
      for (std::size_t i = 0; i < 3; ++i) add(std::string(word_lists::axes[i]), find(now_.nodes, e.name)->motion[i]);
    if (e.what == "coordinate") add("", find(now_.coordinates, e.name)->motion);
    if (e.what == "joint") {
      add("", find(now_.joints, e.name)->motion);
      add("travel", find(now_.joints, e.name)->travel_motion);
    }
    return all;
  }
  void motion(const EventInput& e, const std::string& who, const std::string& part) {
    if (static_cast<int>(e.stop) + static_cast<int>(e.free) + static_cast<int>(e.drive || moves(e.motion)) > 1)
      return wrong(e.source, "set", who + " says more than one thing of the motion of " + part,
                   "keep one of `stop`, `free`, `motion` and `drive`");
    const auto before = prescribed(e);
    if (before.empty())
      return wrong(e.source, "set", who + ": nothing is prescribed of " + part + (m.time.given() ? " then" : ""),
                   "an event stops, frees or replaces a `motion` that is there");
    if (e.stop && std::all_of(before.begin(), before.end(), [](const auto& f) { return f.second->constant(); }))
      return nothing_new(e, who, part + " stands still already");
    const auto replace = [&](const std::string& name, const TimeFunction& given) {
      const auto found = std::find_if(before.begin(), before.end(), [&](const auto& f) { return f.first == name; });
      if (found == before.end())
        return wrong(e.source, "set",
                     who + ": nothing is prescribed of " + part + (name.empty() ? "" : " along " + name) + " then",
                     "an event replaces a `motion` that is there");
      const Jet is = found->second->at(e.at), starts = given.at(e.at);
      if (!std::isfinite(starts.value) || !std::isfinite(starts.rate) || !std::isfinite(starts.curvature))
        return wrong(e.source, "set", who + ": the new motion of " + part + ", its rate or its acceleration is not finite then",
                     "write a motion that starts smoothly");
      constexpr double same = 1e-9;
      if (std::abs(is.value - starts.value) > same * (1 + std::abs(is.value)))
        wrong(e.source, "set",
              who + ": " + part + " is at " + (name.empty() ? "" : name + " = ") + number_text(is.value) +
                  ", but its new motion begins at " + number_text(starts.value),
              "`t` is the time of the run: add " + number_text(is.value - starts.value) + " to the formula");
    };
    if (e.drive) replace("", *e.drive);
    for (std::size_t i = 0; i < 3; ++i)
      if (e.motion[i]) replace(std::string(word_lists::axes[i]), *e.motion[i]);
    if (e.free && e.what == "node" && !(find(now_.nodes, e.name)->mass > 0) && !heavy(e.name))
      wrong(e.source, "set", who + " frees " + part + ", which has no mass", "give it `mass`, or a bar with `density`");
    if (e.free && e.what == "coordinate" && !(find(now_.coordinates, e.name)->inertia > 0) && !swings(e.name))
      wrong(e.source, "set", who + " frees " + part + ", which has no inertia", "give it `inertia` or a [[pendulum]]");
  }
  [[nodiscard]] bool heavy(const std::string& node) const {
    return std::any_of(m.bars.begin(), m.bars.end(),
                       [&](const BarInput& b) { return b.density > 0 && (b.nodes[0] == node || b.nodes[1] == node); });
  }
  [[nodiscard]] bool swings(const std::string& coordinate) const {
    return std::any_of(m.pendulums.begin(), m.pendulums.end(),
                       [&](const PendulumInput& p) { return p.coordinate == coordinate; });
  }

  // Once for all events that one place of the file makes, such as the damage of a wing; an aircraft says itself what comes too
  // late.
  void when(const EventInput& e, const std::string& who, const std::string& what) {
    if (!said_.emplace(e.source.line, e.at).second) return;
    if (!before_end(e, m) && m.aircraft) {
      for (const DamageInput& d : m.aircraft->damages)
        if (d.source.line == e.source.line) return;
    }
    if (!before_end(e, m))
      say(Severity::note, e.source, "at", who + " does not happen: the run ends at t = " + number_text(end_time(m)),
          "let the run end later, or remove the event");
    else if (e.at <= time_rounding(m))
      say(Severity::note, e.source, "at",
          who + " happens at once: the start, an equilibrium, modes and statics are those before it",
          "where that is not meant, give the " + what + " the new number itself and remove the event");
  }

  Model now_;                              // as the events before have left it
  std::set<std::pair<int, double>> said_;  // line and time of events that were spoken of
};

}  // namespace

std::vector<Diagnostic> check_events(const Model& model) {
  if (model.events.empty() && model.marks.empty()) return {};
  return EventInspection(model).all();
}

}  // namespace trompo
