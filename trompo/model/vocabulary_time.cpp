// Words of the model file: loads, sensors, events; how a model is run.
#include <array>

#include "trompo/model/vocabulary_parts.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

constexpr std::array<Key, 12> parameters{{
    {"rho_infinity", "spectral radius at infinite frequency: 1 keeps, 0 annihilates the highest frequencies"},
    {"alpha_m", "weight of the old acceleration, by hand"},
    {"alpha_f", "weight of the old force, by hand"},
    {"newmark_beta", "Newmark's beta, by hand"},
    {"newmark_gamma", "Newmark's gamma, by hand"},
    {"xi", "dissipation of Armero and Petocz, proportional to the change of strain"},
    {"damping", "Krenk's algorithmic damping alpha"},
    {"secant_threshold", "of Krenk's published secant correction: cosine at or below which it is left out (eps_g)"},
    {"points", "Gauss' points of the mean-value discrete gradient"},
    {"simo_alpha", "where in the step simo-wong takes the torque"},
    {"beta", "of energy-decay: vibrations lose energy from omega h = 1/|beta| on"},
    {"tolerance", "error of each step of its own that dormand-prince takes, relative and absolute"},
}};
constexpr std::array<Key, 8> options{{
    {"form",
     "of the discrete gradient: equivariant, gonzalez, mean-value or itoh-abe; of central-difference: position or velocity"},
    {"start", "of hamming: rk4 or published"},
    {"secant", "Krenk's secant correction: robust or published"},
    {"direction", "of Krenk's secant correction: force or displacement; of energy-momentum: middle or mean"},
    {"energy_target", "of Krenk's secant correction: step or initial"},
    {"constraint_gradient",
     "what constraint forces go along in conserving schemes: secant, mean-value, gonzalez, midpoint or end"},
    {"momenta", "what constraint-energy-momentum forces beside energy: all or linear"},
    {"blend", "of alpha schemes on Euler parameters: all (inertia and forces averaged) or recursion (accelerations alone)"},
}};

}  // namespace

std::span<const Key> scheme_parameters() { return parameters; }

void describe(Fields& f, MarkInput& mark) {
  f.source(mark.source);
  f.number({"at", "time [s]", true, Range::not_negative}, mark.at);
  f.number({"until", "time [s], of what lasts", false, Range::positive}, mark.until);
  f.text({"text", "what to read there", true}, mark.text);
}

void describe(Fields& f, EventInput& e) {
  f.source(e.source);
  f.number({"at", "time [s]; at 0 it happens at once", true, Range::not_negative}, e.at);
  f.section(
      {"set", "what changes: { joint, spring, bar, rod_element, load, node, body or coordinate = name } and what it gets",
       true},
      [&e](Fields& g) {
        for (const Key& key : {Key{"joint", "a joint"}, Key{"spring", "a spring"}, Key{"bar", "a bar"},
                               Key{"rod_element", "an element of a rod"}, Key{"load", "a load"}, Key{"node", "a node"},
                               Key{"body", "a body"}, Key{"coordinate", "a generalised coordinate"}}) {
          std::string name = e.what == key.name ? e.name : std::string();
          g.text(key, name);
          if (!name.empty()) e.what = key.name, e.name = name;
        }
        g.number({"stiffness", "of a joint or a spring", false, Range::not_negative}, e.stiffness);
        g.number({"damping", "of a joint or a spring", false, Range::not_negative}, e.damping);
        g.number({"EA", "of a bar or a rod element [N]", false, Range::positive}, e.EA);
        g.one_or_each({"EI", "of a rod element, about d1 and d2 [N m^2]: one number, or two", false, Range::positive}, e.EI);
        g.number({"scale", "of a load, times what the file says of it: 0 switches it off, 1 on"}, e.scale);
        g.number({"mass", "of a node or a body, whose inertia changes in proportion [kg]", false, Range::positive}, e.mass);
        motions(g, {"motion", "of a node: x, y, z as functions of time, in the place of those it has"}, e.motion);
        g.function({"drive", "of a coordinate or a joint: its `motion` from then on, as a function of time"}, e.drive);
        const auto flag = [&g](const Key& key, bool& said) {
          if (said || !g.writes()) g.flag(key, said);
        };
        flag({"stop", "of a node, a coordinate or a driven joint: what is prescribed stays where it is"}, e.stop);
        flag({"free", "of a node, a coordinate or a driven joint: nothing is prescribed any more"}, e.free);
        flag({"release", "of a joint: it lets go, with all that is in it"}, e.release);
      });
}

void describe(Fields& f, LoadInput& l) {
  f.source(l.source);
  f.text({"name", "unique over the whole file", true}, l.name);
  f.text({"node", "the node it acts on (or `body`, or `coordinate`)"}, l.on);
  f.text({"body", "the body it acts on (or `node`, or `coordinate`)"}, l.on);
  f.text({"coordinate", "the generalised coordinate it acts on (or `node`, or `body`)"}, l.on);
  f.functions({"force", "[N], global axes; each entry a number or a formula of t, coordinates, rates and parameters"}, l.force,
              l.formula);
  f.table_of_vectors({"table", "rows [t, x, y, z], linear between them, held at the ends"}, l.force);
  f.vector({"point", "where the force acts on a body [m], in its axes, from the centre of mass; default: the centre"}, l.point);
  f.functions({"torque", "on a body [N m], in its axes; entries as those of `force`"}, l.torque, l.torque_formula);
  f.functions({"moment", "on a body [N m], global axes; entries as those of `force`"}, l.moment, l.moment_formula);
  f.flag({"follower", "the force on a body is in its axes and turns with it"}, l.follower);
  f.flag({"potential", "a constant load counted as potential V = -F.x instead of work"}, l.potential);
  f.number({"scale", "times all of the load; an event may change it; default: 1"}, l.scale);
}

void describe(Fields& f, SensorInput& s) {
  f.source(s.source);
  f.text({"name", "unique over the whole file", true}, s.name);
  static constexpr std::array<Key, 21> kinds{
      {{"position", "node, or centre of mass of a body; with `axis`"},
       {"velocity", "node, or centre of mass of a body; with `axis`"},
       {"acceleration", "node, or centre of mass of a body; with `axis` [m/s^2]"},
       {"angular_velocity", "body; with `axis` of the body [rad/s]"},
       {"tilt", "body: angle between its `axis` and the same global axis [rad]"},
       {"reaction", "fixed or prescribed node, or joint (on its second body); with `axis` [N]"},
       {"torque", "joint: on its second body, at the joint; with `axis` [N m]"},
       {"angle", "hinge or cylindrical joint: angle of the second body against the first; universal joint: about `axis` [rad]"},
       {"other_angle", "universal joint: about `other_axis` [rad]"},
       {"travel", "prismatic, cylindrical or line joint: how far the second body has slid along the axis [m]"},
       {"force", "bar, or spring with its damper: axial force [N], tension positive; of a spring along axes with `axis`"},
       {"strain", "bar: its strain"},
       {"energy", "node, body, bar, spring, joint, rod or rod element: its energy, or a `part` of it [J]"},
       {"section_force", "rod with `at`, or rod element; with `axis`: along d1, d2 (shear) or d3 (normal force) [N]"},
       {"section_moment", "likewise: about d1, d2 (bending) or d3 (torsion) [N m]"},
       {"section_strain", "likewise: shear, shear, stretch"},
       {"section_curvature", "likewise: bending, bending, torsion [1/m]"},
       {"stress", "rod with `at`, or rod element, given by its section: von Mises' stress at the surface [N/m^2]"},
       {"value", "generalised coordinate"},
       {"multiplier", "constraint: its multiplier, J^T lambda being its force"},
       {"formula", "a formula over coordinates, invariants, parameters and t"}}};
  for (const Key& kind : kinds) {
    std::string of = s.kind == kind.name ? s.of[0] : std::string();
    f.text(kind, of);
    if (!of.empty()) s.kind = kind.name, s.of[0] = of;
  }
  std::array<std::string, 2> pair = s.kind == "distance" ? s.of : std::array<std::string, 2>{};
  f.names({"distance", "two nodes: how far apart [m]"}, pair);
  if (!pair[0].empty()) s.kind = "distance", s.of = pair;
  f.choice({"axis", "x, y or z; of a rod's section d1, d2 or d3"}, s.axis, word_lists::axes);
  f.choice({"part",
            "of the force or torque of a joint: all, or what its constraint, spring or damper does; of an energy: all, kinetic "
            "or potential; default: all"},
           s.part, word_lists::sensor_parts);
  f.number({"at", "where on a rod, as a share of its length from 0 to 1; default: 0.5", false, Range::not_negative}, s.at);
}

void describe(Fields& f, TimeInput& t) {
  f.source(t.source);
  f.number({"step", "time step [s]", true, Range::positive}, t.step);
  f.number({"end", "end of the run [s]; or `steps`", false, Range::positive}, t.end);
  f.count({"steps", "number of steps; or `end`", false, steps}, t.steps);
  f.text({"scheme", "name from `trompo schemes`", true}, t.scheme);
  for (const Key& key : scheme_parameters()) {
    std::optional<double> given;
    if (const auto found = t.parameters.find(std::string(key.name)); found != t.parameters.end()) given = found->second;
    f.number(key, given);
    if (given) t.parameters[std::string(key.name)] = *given;
  }
  for (const Key& key : options) {
    std::string word;
    if (const auto found = t.options.find(std::string(key.name)); found != t.options.end()) word = found->second;
    f.text(key, word);
    if (!word.empty()) t.options[std::string(key.name)] = word;
  }
  const bool standard = !t.options.contains("constraint_rates");
  bool rates = standard || t.options.at("constraint_rates") != "false";
  f.flag({"constraint_rates", "of energy-decay: the rates of constraints lose energy too; default: true"}, rates);
  // Said of another scheme it is a mistake, whatever it says.
  if (!standard || !rates || t.source.keys.contains("constraint_rates"))
    t.options["constraint_rates"] = rates ? "true" : "false";
  f.choice({"initial_acceleration", "consistent: from the equations; given: from the nodes"}, t.initial_acceleration,
           word_lists::starts);
  f.flag({"initial_projection", "move the start onto the constraints, by least change weighed with the masses"},
         t.initial_projection);
  f.choice({"initial_state", "given: as written; equilibrium: positions where all forces at t = 0 balance, found by statics"},
           t.initial_state, word_lists::states);
  f.number({"max_rotation_per_step", "[rad]: a step that turns a body by more is halved", false, Range::positive},
           t.max_rotation_per_step);
  f.section({"stabilisation", "of the constraints, for schemes that integrate accelerations: baumgarte or projection"},
            [&s = t.stabilisation](Fields& g) {
              g.source(s.source);
              g.section({"baumgarte", "phi'' + 2 a phi' + b^2 phi = 0"}, [&s](Fields& h) {
                h.number({"a", "[1/s]", true, Range::not_negative}, s.a);
                h.number({"b", "[1/s]", true, Range::not_negative}, s.b);
              });
              g.choice({"projection", "at the end of a step; s-both-m goes by the masses, s-pos and s-vel move one of the two"},
                       s.projection, word_lists::projections);
              g.count({"times", "the projection is repeated; default 2", false, few}, s.times);
              g.number({"gamma", "the share of the change that a projection makes, below 2; default 1", false, Range::positive},
                       s.gamma);
            });
}

void describe(Fields& f, StaticsInput& s) {
  f.source(s.source);
  f.choice({"method", "load: the factor is given; arc-length: the path is followed past limit points"}, s.method,
           word_lists::load_methods);
  f.count({"steps", "load steps from 0 to `factor`; arc-length: the first step is one of them", false, steps}, s.steps);
  f.number({"factor", "load factor at the end, on gravity and all loads"}, s.factor);
  f.number({"arc", "arc-length: first step, as the mean turn [rad] and displacement over the size of the model", false,
            Range::positive},
           s.arc);
  f.count({"max_steps", "arc-length: the end, if `factor` is not reached before", false, steps}, s.max_steps);
  f.number({"time", "motions and loads that are functions of t run from t = 0 to this one [s], with the factor", false,
            Range::not_negative},
           s.time);
}

}  // namespace trompo
