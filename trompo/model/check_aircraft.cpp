#include <algorithm>
#include <cmath>
#include <limits>
#include <map>

#include "trompo/model/aircraft.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/gust.hpp"

namespace trompo {

namespace {

using Severity = Diagnostic::Severity;

std::string counted(long n, const std::string& what) { return std::to_string(n) + " " + what + (n == 1 ? "" : "s"); }

class AircraftInspection {
 public:
  AircraftInspection(const AircraftInput& aircraft, const Model& model) : a(aircraft), m(model) {
    const TimeInput& t = m.time;
    end_ = t.end ? *t.end : t.steps ? t.step * static_cast<double>(*t.steps) : std::numeric_limits<double>::infinity();
  }

  std::vector<Diagnostic> all() {
    panels();
    if (!found_.empty()) return std::move(found_);  // the rest counts by panels
    parts();
    hinges();
    rod();
    mount();
    attitude();
    for (std::size_t i = 0; i < a.gusts.size(); ++i) gust(i);
    overlaps();
    damage();
    return std::move(found_);
  }

 private:
  void say(Severity severity, const Source& source, std::string_view key, std::string message, std::string remedy) {
    const Source& place = source.line > 0 || !source.keys.empty() ? source : a.source;
    found_.push_back({severity, place.place_of(key, m.file), place.of(key), std::move(message), std::move(remedy)});
  }
  void wrong(const Source& source, std::string_view key, std::string message, std::string remedy) {
    say(Severity::error, source, key, std::move(message), std::move(remedy));
  }
  [[nodiscard]] long hinge_count() const { return std::max(0L, a.wings - 1); }

  // ---- what it is made of ----
  void panels() {
    constexpr long most = 10000;
    if (a.wings < 0 || a.wings > most)
      return wrong(
          a.source, "wings",
          "the aircraft has " + std::to_string(a.wings) + " wing panels; " + std::to_string(most) + " are the most it can have",
          "give fewer, such as wings = 7, or describe a wing that bends everywhere by wing = { kind = \"rod\" }");
    if (a.wings == 0) {
      if (a.centre) wrong(a.source, "centre", "there is no wing panel to be the centre", "give wings, or leave out `centre`");
      if (!a.gear.on || !a.motor.on || !a.gear.on->empty() || !a.motor.on->empty())
        wrong(a.source, "wings", "an aircraft without wing panels has nowhere to hang gears and motors",
              "give an odd number of wings; the fuselage alone says gear = { on = [] } and motor = { on = [] }");
      return;
    }
    if (a.centre && (*a.centre < 1 || *a.centre > a.wings))
      return wrong(a.source, "centre",
                   "the centre panel is number " + std::to_string(*a.centre) + ", but there are " + counted(a.wings, "panel"),
                   "panels are numbered from 1, at the end of -y, to " + std::to_string(a.wings));
    if (!a.centre && a.wings % 2 == 0)
      wrong(a.source, "wings", counted(a.wings, "wing panel") + " have no centre panel to sit on the fuselage",
            "give an odd number, or say which panel: centre = " + std::to_string(a.wings / 2));
  }
  void sizes(const Source& source, std::string_view key, const PerPart& values, long parts, const std::string& what) {
    if (values.size() != 1 && static_cast<long>(values.size()) != parts)
      wrong(source, key,
            "`" + std::string(key) + "` has " + std::to_string(values.size()) +
                " entries"
                ", but there are " +
                counted(parts, what),
            "give one number for all, or a list with one for each");
    for (const double value : values)
      if (!(value > 0) || !std::isfinite(value))
        wrong(source, key, "`" + std::string(key) + "` has the entry " + number_text(value), "it must be positive");
  }
  void parts() {
    if (!(a.fuselage.side > 0) || !(a.fuselage.mass > 0))
      wrong(a.fuselage.source, "", "the fuselage has no size or no mass", "make `side` and `mass` positive");
    if (a.wings > 0) {
      sizes(a.wing.source, "chord", a.wing.chord, a.wings, "wing panel");
      sizes(a.wing.source, "span", a.wing.span, a.wings, "wing panel");
      sizes(a.wing.source, "mass", a.wing.mass, a.wings, "wing panel");
    }
    hung(a.gear.on, a.gear.source, "gear");
    hung(a.motor.on, a.motor.source, "motor");
    if (const long gears = static_cast<long>(panels_of(a.gear.on, a).size()); gears > 0) {
      sizes(a.gear.source, "chord", a.gear.chord, gears, "gear");
      sizes(a.gear.source, "height", a.gear.height, gears, "gear");
      sizes(a.gear.source, "mass", a.gear.mass, gears, "gear");
      places(a.gear.source, "gear", panels_of(a.gear.on, a), a.gear.x, a.gear.y);
    }
    if (const long motors = static_cast<long>(panels_of(a.motor.on, a).size()); motors > 0) {
      sizes(a.motor.source, "diameter", a.motor.diameter, motors, "motor");
      sizes(a.motor.source, "length", a.motor.length, motors, "motor");
      sizes(a.motor.source, "mass", a.motor.mass, motors, "motor");
      places(a.motor.source, "motor", panels_of(a.motor.on, a), a.motor.x, a.motor.y);
    }
  }
  void counts(const Source& source, std::string_view key, const PerPart& values, long parts, const std::string& what) {
    if (values.size() != 1 && static_cast<long>(values.size()) != parts)
      wrong(
          source, key,
          "`" + std::string(key) + "` has " + std::to_string(values.size()) + " entries, but there are " + counted(parts, what),
          "give one number for all, or a list with one for each");
  }
  // Within their panels, and no two in one place.
  void places(const Source& source, const std::string& kind, const PerPart& on, const PerPart& x, const PerPart& y) {
    const std::size_t before = found_.size();
    counts(source, "x", x, static_cast<long>(on.size()), kind);
    counts(source, "y", y, static_cast<long>(on.size()), kind);
    if (found_.size() > before) return;
    for (std::size_t i = 0; i < on.size(); ++i) {
      if (on[i] != std::floor(on[i]) || on[i] < 1 || on[i] > static_cast<double>(a.wings)) continue;  // said elsewhere
      const auto panel = static_cast<std::size_t>(on[i]) - 1;
      const auto within = [&](std::string_view key, double value, const PerPart& size) {
        if (size.size() != 1 && size.size() != static_cast<std::size_t>(a.wings)) return;  // likewise
        if (!(std::abs(value) <= 0.5 * of(size, panel)))
          wrong(source, key,
                "a " + kind + " sits at " + std::string(key) + " = " + number_text(value) + " of panel " + number_text(on[i]) +
                    ", which ends at " + number_text(0.5 * of(size, panel)),
                "count from the middle of the panel");
      };
      within("x", of(x, i), a.wing.chord);
      within("y", of(y, i), a.wing.span);
      for (std::size_t j = 0; j < i; ++j)
        if (kind == "motor" && on[i] == on[j] && of(x, i) == of(x, j) && of(y, i) == of(y, j)) {
          wrong(source, "on", "two motors hang on panel " + number_text(on[i]) + " in one place",
                "give them an `x` or `y` each, or name the panel once and add their masses");
          break;
        }
    }
    if (a.wing.kind == "rod" && (std::ranges::any_of(y, [](double v) { return v != 0; })))
      wrong(source, "y", "a " + kind + " sits beside the middle of its panel, where the wing is a rod that bends",
            "a rod carries what stands in the middles of its panels: leave out `y`");
  }
  void hung(const std::optional<PerPart>& on, const Source& source, const std::string& kind) {
    if (!on) return;
    std::vector<double> seen;
    for (const double panel : *on) {
      if (panel != std::floor(panel) || panel < 1 || panel > static_cast<double>(a.wings))
        wrong(source, "on", "a " + kind + " hangs on panel " + number_text(panel) + ", which does not exist",
              a.wings == 0 ? "there are no panels: write on = []" : "panels are numbered from 1 to " + std::to_string(a.wings));
      else if (kind != "motor" && std::find(seen.begin(), seen.end(), panel) != seen.end())
        wrong(source, "on", "two " + kind + "s hang on panel " + number_text(panel), "name each panel once; add their masses");
      seen.push_back(panel);
    }
  }
  void hinges() {
    const auto fits = [this](std::string_view key, const PerPart& values) {
      if (values.size() == 1 || static_cast<long>(values.size()) == hinge_count()) return;
      wrong(a.source, key,
            "`" + std::string(key) + "` has " + std::to_string(values.size()) + " entries, but " +
                counted(a.wings, "wing panel") + " have " + counted(hinge_count(), "hinge"),
            "give one number for all, or a list with one for each");
    };
    fits("dihedral_degrees", a.dihedral_degrees);
    fits("hinge_stiffness", a.hinge_stiffness);
    fits("hinge_damping", a.hinge_damping);
    for (const double angle : a.dihedral_degrees)
      if (!(std::abs(angle) < 180))
        wrong(a.source, "dihedral_degrees", "a dihedral angle is " + number_text(angle) + " degrees",
              "panels fold between -180 and 180");
    if (a.dihedral_degrees.size() > 1 && a.source.keys.contains("pattern"))
      say(Severity::warning, a.source, "pattern", "`pattern` is not used: every hinge has its own dihedral angle", "remove it");
    for (const auto& [key, values] : {std::pair{"hinge_stiffness", &a.hinge_stiffness}, {"hinge_damping", &a.hinge_damping}})
      for (const double value : *values)
        if (!(value >= 0) || !std::isfinite(value))
          wrong(a.source, key, "`" + std::string(key) + "` has the entry " + number_text(value), "it must not be negative");
  }
  void rod() {
    const AircraftInput::Wing& w = a.wing;
    if (w.kind != "rod") {
      for (const char* key : {"elements", "stiffening", "EA", "GA", "GJ", "EI_chord"})
        if (w.source.keys.contains(key))
          say(Severity::warning, w.source, key, "`" + std::string(key) + "` of the wing is not used: its panels are rigid",
              "write kind = \"rod\" or remove it");
      return;
    }
    if (a.wings == 0)
      return wrong(w.source, "kind", "the wing is a rod, but there are no panels that it could run over",
                   "give wings = 7, or remove `kind`");
    if (w.elements < 2 || w.elements % 2 != 0)
      wrong(w.source, "elements", "the rod has " + counted(w.elements, "element") + " in each panel",
            "give an even number: gears, motors and the fuselage hold it in the middle of a panel");
    if (!(w.stiffening > 0))
      wrong(w.source, "stiffening", "`stiffening` is " + number_text(w.stiffening), "it must be positive");
    for (const double k : a.hinge_stiffness)
      if (k == 0)
        wrong(a.source, "hinge_stiffness", "a stretch of the rod has no stiffness", "make `hinge_stiffness` positive");
    for (const double c : a.hinge_damping)
      if (c != 0)
        return wrong(a.source, "hinge_damping", "a wing that is a rod has no hinges to damp",
                     "damp by its strain rate: [rayleigh] with stiffness = " +
                         (a.hinge_stiffness.size() == 1 && a.hinge_stiffness[0] > 0 ? number_text(c / a.hinge_stiffness[0], 6)
                                                                                    : "damping/stiffness"));
  }
  void mount() {
    const AircraftInput::Mount& mount = a.mount;
    if (mount.kind != "springs") {
      for (const char* key : {"stiffness", "length", "damping", "axes"})
        if (mount.source.keys.contains(key))
          say(Severity::warning, mount.source, key, "`" + std::string(key) + "` of the mount is not used",
              "a " + mount.kind + " mount has no springs; write kind = \"springs\" or remove it");
      return;
    }
    for (const auto& [key, values] :
         {std::pair{"stiffness", &mount.stiffness}, {"length", &mount.length}, {"damping", &mount.damping}}) {
      counts(mount.source, key, *values, mount.springs(), "spring");
      for (const double value : *values)
        if (!(value >= 0) || !std::isfinite(value))
          wrong(mount.source, key, "`" + std::string(key) + "` of the mount has the entry " + number_text(value),
                "it must not be negative");
    }
    const auto some = [](const PerPart& values) { return std::ranges::any_of(values, [](double v) { return v > 0; }); };
    if (!some(mount.stiffness) && !some(mount.damping))
      wrong(mount.source, "stiffness", "the mount has neither stiffness nor damping",
            "give it one, or write mount = { kind = \"free\" }");
    for (const double length : mount.length)
      if (!(length > 0))
        wrong(mount.source, "length", "the springs of the mount have the length " + number_text(length), "it must be positive");
  }
  void attitude() {
    BodyInput probe;
    probe.name = "fuselage";
    probe.mass = 1;
    probe.inertia = Mat3::Identity();
    probe.source = a.source;
    probe.orientation = a.orientation;
    for (const BodyRemark& r : inspect_body(probe))
      found_.push_back({r.severity, a.source.place_of(r.key, m.file), r.line, r.message, r.remedy});
  }

  // ---- gusts ----
  static std::string name_of(std::size_t index) { return "gust " + std::to_string(index + 1); }
  void gust(std::size_t index) {
    const GustInput& g = a.gusts[index];
    const std::string who = name_of(index);
    const std::size_t before = found_.size();
    const bool base = a.gust_form == "base";
    if (base && a.mount.kind != "springs")
      wrong(g.source, "", who + " has no springs to act through: the mount is " + a.mount.kind,
            "write mount = { kind = \"springs\" }; gust_form = \"fuselage\" is a force and needs no mount");
    const bool table = g.shape == "table", wave = g.shape == "sine" || g.shape == "pulse";
    const auto belongs = [&](const char* key, bool given, bool wanted, const std::string& remedy) {
      if (wanted && !given) wrong(g.source, "", who + " has no `" + key + "`", remedy);
      if (!wanted && given)
        wrong(g.source, key, "`" + std::string(key) + "` of " + who + ": the shape " + in_quotes(g.shape) + " has none",
              "remove it");
    };
    belongs("amplitude", g.amplitude.has_value(), !table, "give it: the displacement of the base [m]");
    belongs("frequency", g.frequency.has_value(), wave, "give it [Hz]");
    belongs("exponent", g.exponent.has_value(), g.shape == "pulse", "give it: the pulse is a sine to this power");
    belongs("table", g.table.has_value(), table, "give it: rows [t, displacement]");
    if (table) {
      for (const char* key : {"start", "end"})
        if (g.source.keys.contains(key))
          wrong(g.source, key, "`" + std::string(key) + "` of " + who + ": a table has its own times", "remove it");
      if (g.table && !std::holds_alternative<TimeFunction::Table>(g.table->form()))
        wrong(g.source, "table", "the table of " + who + " is no list of rows", "write table = [[0, 0], [1, 0.2], [2, 0]]");
      if (!base)
        wrong(g.source, "table", who + " is a table: its acceleration is a row of blows, which no force can hold",
              "choose another shape, or gust_form = \"base\"");
      return;
    }
    if (g.start < 0) wrong(g.source, "start", who + " starts before the run, at t = " + number_text(g.start), "start at 0");
    if (g.shape == "1-cosine" && !g.end)
      wrong(g.source, "", who + " has no `end`", "give it: the shape 1-cosine rises and falls once between start and end");
    if (g.end && !(*g.end > g.start))
      wrong(g.source, "end", who + " ends at t = " + number_text(*g.end) + " but starts at t = " + number_text(g.start),
            "make `end` later than `start`");
    if (g.exponent && *g.exponent < 1) wrong(g.source, "exponent", who + " has an exponent below 1", "give 1 or more");
    if (g.frequency && !(*g.frequency > 0)) wrong(g.source, "frequency", who + " has no frequency", "make it positive");
    if (found_.size() > before) return;
    if (g.start >= end_)
      say(Severity::warning, g.source, "start", who + " never blows: it starts when the run is over", "start it earlier");
    jumps(g, who);
  }
  void jumps(const GustInput& g, const std::string& who) {
    const double amplitude = std::abs(*g.amplitude);
    const TimeFunction u = TimeFunction::parse(displacement_text(g));
    if (g.end && *g.end < end_ && std::abs(u.value(*g.end)) > 1e-6 * amplitude) {
      const double half = 0.5 / *g.frequency;
      const double halves = std::max(1.0, std::round((*g.end - g.start) / half));
      return wrong(g.source, "end",
                   who + " ends with the base displaced by " + number_text(u.value(*g.end), 6) + " m: it would jump back",
                   "end it after whole half waves, such as end = " + number_text(g.start + halves * half));
    }
    if (a.gust_form == "base") return;
    for (const double t : {g.start, g.end.value_or(end_)})
      if (t > 0 && t < end_ && std::abs(u.at(t).rate) > 1e-6 * amplitude)
        say(Severity::warning, g.source, "",
            who + ": the base gets a velocity at once at t = " + number_text(t) +
                ", a blow that the force -m u'' does not hold",
            "use gust_form = \"base\", or a shape that starts and ends smoothly");
  }
  void overlaps() {
    const auto begin = [](const GustInput& g) { return g.shape == "table" ? -1 : g.start; };
    const auto end = [this](const GustInput& g) { return std::min(end_, g.end.value_or(end_)); };
    for (std::size_t i = 0; i < a.gusts.size(); ++i)
      for (std::size_t j = i + 1; j < a.gusts.size(); ++j) {
        const GustInput &g = a.gusts[i], &other = a.gusts[j];
        if (g.axis != other.axis || g.shape == "table" || other.shape == "table") continue;
        const double from = std::max(begin(g), begin(other)), to = std::min(end(g), end(other));
        if (from < to)
          say(Severity::warning, other.source, "start",
              name_of(i) + " and " + name_of(j) + " overlap along " + g.axis + " from t = " + number_text(from) + " to " +
                  number_text(to) + ": their displacements add",
              "end one before the other starts, if that is not meant");
      }
  }

  // ---- damage ----
  void damage() {
    std::map<std::string, double> stiffness;
    std::vector<std::string> names;
    for (long k = 0; k < hinge_count(); ++k) {
      names.push_back(hinge_name(k));
      const auto index = static_cast<std::size_t>(k);
      if (a.hinge_stiffness.size() == 1 || index < a.hinge_stiffness.size())
        stiffness[names.back()] = a.hinge_stiffness.size() == 1 ? a.hinge_stiffness[0] : a.hinge_stiffness[index];
    }
    std::vector<const DamageInput*> in_time;
    for (const DamageInput& d : a.damages) in_time.push_back(&d);
    std::stable_sort(in_time.begin(), in_time.end(), [](const DamageInput* x, const DamageInput* y) { return x->at < y->at; });
    for (const DamageInput* d : in_time) {
      const std::string who = "the damage at t = " + number_text(d->at);
      const auto found = stiffness.find(d->hinge);
      if (found == stiffness.end()) {
        wrong(d->source, "hinge", who + ": there is no hinge " + in_quotes(d->hinge),
              names.empty() ? "the aircraft has none" : "its hinges are " + names.front() + " to " + names.back());
        continue;
      }
      if (!(d->at >= 0)) wrong(d->source, "at", who + " comes before the run", "give the time 0 or a later one");
      if (!(d->stiffness >= 0))
        wrong(d->source, "stiffness", who + " leaves the stiffness " + number_text(d->stiffness), "it must not be negative");
      if (d->stiffness == 0 && a.wing.kind == "rod")
        wrong(d->source, "stiffness", who + " cuts the rod: no stiffness is left in hinge " + in_quotes(d->hinge),
              "leave some, such as stiffness = " + number_text(0.01 * found->second));
      if (d->stiffness > found->second)
        wrong(d->source, "stiffness",
              who + " makes hinge " + in_quotes(d->hinge) + " stiffer: from " + number_text(found->second) + " to " +
                  number_text(d->stiffness) + " N m/rad",
              "damage takes stiffness away; a repair is an [[event]] with set = { joint = \"hinge " + d->hinge + "\", ... }");
      if (d->at >= end_)
        say(Severity::warning, d->source, "at", who + " never happens: the run ends at t = " + number_text(end_),
            "let it happen earlier");
      found->second = d->stiffness;
    }
  }

  const AircraftInput& a;
  const Model& m;
  double end_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_aircraft(const AircraftInput& aircraft, const Model& model) {
  return AircraftInspection(aircraft, model).all();
}

}  // namespace trompo
