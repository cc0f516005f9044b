#include "trompo/model/vocabulary.hpp"

#include <array>

namespace trompo {

namespace {

constexpr std::array<std::string_view, 3> strains{"engineering", "green", "logarithmic"};
constexpr std::array<std::string_view, 3> planes{"xy", "xz", "yz"};
constexpr std::array<std::string_view, 3> axis_names{"x", "y", "z"};
constexpr std::array<std::string_view, 2> starts{"consistent", "given"};
constexpr std::array<std::string_view, 4> tangents{"exact", "published", "sixth", "modified"};

constexpr std::array<Key, 8> parameters{{
    {"rho_infinity", "spectral radius at infinite frequency: 1 keeps, 0 annihilates the highest frequencies"},
    {"alpha_m", "weight of the old acceleration, by hand"},
    {"alpha_f", "weight of the old force, by hand"},
    {"newmark_beta", "Newmark's beta, by hand"},
    {"newmark_gamma", "Newmark's gamma, by hand"},
    {"xi", "dissipation of Armero and Petocz, proportional to the change of strain"},
    {"damping", "Krenk's algorithmic damping alpha"},
    {"points", "Gauss' points of the mean-value discrete gradient"},
}};
constexpr std::array<Key, 4> choices{{
    {"form", "of the discrete gradient: equivariant, gonzalez, mean-value or itoh-abe"},
    {"secant", "Krenk's secant correction: robust or published"},
    {"direction", "of Krenk's secant correction: force or displacement"},
    {"energy_target", "of Krenk's secant correction: step or initial"},
}};

void describe(Fields& f, NodeInput& n) {
  f.source(n.source);
  f.text({"name", "unique over the whole file", true}, n.name);
  f.vector({"position", "position at t = 0 [m]", true}, n.position);
  f.vector({"reference", "position of the unstrained model [m]; default: position"}, n.reference);
  f.vector({"velocity", "velocity at t = 0 [m/s]"}, n.velocity);
  f.vector({"acceleration", "acceleration at t = 0 [m/s^2], with time.initial_acceleration = \"given\""}, n.acceleration);
  f.number({"mass", "point mass [kg]", false, Range::not_negative}, n.mass);
  f.flag({"fixed", "all coordinates are held"}, n.fixed);
  f.axes({"fixed_axes", "the axes along which the node is held"}, n.fixed_axes);
  f.section({"motion", "prescribed coordinates: x, y, z as functions of time, in global axes"}, [&](Fields& g) {
    for (int i = 0; i < 3; ++i) g.function({axis_names[i], "coordinate [m] as a function of time"}, n.motion[i]);
  });
}

void describe(Fields& f, CoordinateInput& c) {
  f.source(c.source);
  f.text({"name", "unique over the whole file", true}, c.name);
  f.number({"inertia", "constant inertia of the coordinate", false, Range::not_negative}, c.inertia);
  f.number({"value", "value at t = 0"}, c.value);
  f.number({"rate", "rate at t = 0"}, c.rate);
  f.number({"acceleration", "second derivative at t = 0, with time.initial_acceleration = \"given\""}, c.acceleration);
  f.function({"motion", "prescribed: the coordinate itself as a function of time"}, c.motion);
  f.number({"damping", "viscous damping of its rate", false, Range::not_negative}, c.damping);
  f.text({"potential", "energy [J] as a formula over coordinates, invariants, parameters and t"}, c.potential);
}

void describe(Fields& f, InvariantInput& i) {
  f.source(i.source);
  f.text({"name", "unique over the whole file", true}, i.name);
  f.text({"formula", "of coordinates; quadratic in them, such as the square of a distance, it keeps momenta", true}, i.formula);
}

void describe(Fields& f, ConstraintInput& c) {
  f.source(c.source);
  f.text({"name", "unique over the whole file", true}, c.name);
  f.text({"constraint", "a formula over coordinates, invariants, parameters and t that stays zero", true}, c.constraint);
}

void describe(Fields& f, SpringInput& s) {
  f.source(s.source);
  f.text({"name", "unique over the whole file", true}, s.name);
  f.names({"nodes", "the two nodes it joins", true}, s.nodes);
  f.number({"stiffness", "k [N/m]: force k (l - length)", false, Range::not_negative}, s.stiffness);
  f.number({"length", "natural length [m]; default: as drawn", false, Range::not_negative}, s.length);
  f.number({"damping", "c [N s/m]: force -c dl/dt; without stiffness a pure damper", false, Range::not_negative}, s.damping);
}

void describe(Fields& f, PotentialInput& p) {
  f.source(p.source);
  f.text({"name", "unique over the whole file", true}, p.name);
  f.text({"potential", "energy [J] as a formula over coordinates (u, or bob.x), invariants, parameters and t", true},
         p.potential);
}

void describe(Fields& f, PendulumInput& p) {
  f.source(p.source);
  f.text({"name", "unique over the whole file", true}, p.name);
  f.text({"coordinate", "the coordinate that is the angle from the vertical [rad]", true}, p.coordinate);
  f.number({"mass", "mass of the bob [kg]", true, Range::positive}, p.mass);
  f.number({"length", "length of the massless rigid rod [m]", true, Range::positive}, p.length);
}

void describe(Fields& f, BarInput& b) {
  f.source(b.source);
  f.text({"name", "unique over the whole file", true}, b.name);
  f.names({"nodes", "the two nodes it joins", true}, b.nodes);
  f.number({"EA", "axial stiffness [N]", true, Range::positive}, b.EA);
  f.choice({"strain", "engineering (l-L)/L, green (l^2-L^2)/(2 L^2) or logarithmic ln(l/L)"}, b.strain, strains);
  f.number({"length", "natural length [m]; default: distance of the reference positions. Shorter is prestress", false,
            Range::positive},
           b.length);
  f.number({"density", "mass per length [kg/m], lumped half to each end", false, Range::not_negative}, b.density);
  f.flag({"tension_only", "a cable: no force when shorter than its natural length"}, b.tension_only);
}

void describe(Fields& f, LoadInput& l) {
  f.source(l.source);
  f.text({"name", "unique over the whole file", true}, l.name);
  f.text({"node", "the node it acts on (or `coordinate`)"}, l.on);
  f.text({"coordinate", "the generalised coordinate it acts on (or `node`)"}, l.on);
  f.functions({"force", "[N], global axes; each entry a number or a formula of t, coordinates and parameters"}, l.force,
              l.formula);
  f.table_of_vectors({"table", "rows [t, x, y, z], linear between them, held at the ends"}, l.force);
  f.flag({"potential", "a constant load booked as potential V = -F.x instead of work"}, l.potential);
}

void describe(Fields& f, SensorInput& s) {
  f.source(s.source);
  f.text({"name", "unique over the whole file", true}, s.name);
  static constexpr std::array<Key, 8> kinds{{{"position", "node; with `axis`"},
                                             {"velocity", "node; with `axis`"},
                                             {"reaction", "fixed or prescribed node; with `axis` [N]"},
                                             {"force", "bar: axial force [N], tension positive"},
                                             {"strain", "bar: its strain"},
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
  f.choice({"axis", "x, y or z"}, s.axis, axis_names);
}

void describe(Fields& f, TimeInput& t) {
  f.source(t.source);
  f.number({"step", "time step [s]", true, Range::positive}, t.step);
  f.number({"end", "end of the run [s]; or `steps`", false, Range::positive}, t.end);
  f.count({"steps", "number of steps; or `end`", false, Range::positive}, t.steps);
  f.text({"scheme", "name from `trompo schemes`", true}, t.scheme);
  for (const Key& key : scheme_parameters()) {
    std::optional<double> given;
    if (const auto found = t.parameters.find(std::string(key.name)); found != t.parameters.end()) given = found->second;
    f.number(key, given);
    if (given) t.parameters[std::string(key.name)] = *given;
  }
  for (const Key& key : choices) {
    std::string word;
    if (const auto found = t.choices.find(std::string(key.name)); found != t.choices.end()) word = found->second;
    f.text(key, word);
    if (!word.empty()) t.choices[std::string(key.name)] = word;
  }
  f.choice({"initial_acceleration", "consistent: from the equations; given: from the nodes"}, t.initial_acceleration, starts);
  f.flag({"initial_projection", "move the start onto the constraints, by least change weighed with the masses"},
         t.initial_projection);
}

template <class Item>
void list(Fields& f, const Key& key, std::vector<Item>& items) {
  f.list(key, static_cast<int>(items.size()), [&items](Fields& g, int index) {
    while (static_cast<int>(items.size()) <= index) items.emplace_back();
    describe(g, items[static_cast<std::size_t>(index)]);
  });
}

}  // namespace

std::span<const Key> scheme_parameters() { return parameters; }

void describe(Fields& f, Model& m) {
  f.source(m.source);
  f.count({"format_version", "version of this format: 1"}, m.format_version);
  f.text({"title", "what the model is"}, m.title);
  f.choice({"plane", "a plane problem: vectors may have 2 entries, the third coordinate is held"}, m.plane, planes);
  f.vector({"gravity", "acceleration of gravity [m/s^2]"}, m.gravity);
  f.vector({"momentum_point", "the point angular momentum is taken about [m]"}, m.momentum_point);
  list(f, {"node", "a point with mass"}, m.nodes);
  list(f, {"coordinate", "a generalised coordinate of one number"}, m.coordinates);
  list(f, {"pendulum", "the simple pendulum in its angle"}, m.pendulums);
  list(f, {"bar", "a bar or cable between two nodes"}, m.bars);
  list(f, {"spring", "a spring, a damper or both between two nodes"}, m.springs);
  list(f, {"potential", "an energy typed as a formula"}, m.potentials);
  list(f, {"invariant", "a formula of coordinates, for use in potentials and constraints"}, m.invariants);
  list(f, {"constraint", "a formula that stays zero"}, m.constraints);
  f.section({"rayleigh", "damping of everything: C = mass M + stiffness K"}, [&](Fields& g) {
    g.source(m.rayleigh.source);
    g.number({"mass", "[1/s], times the masses", false, Range::not_negative}, m.rayleigh.mass);
    g.number(
        {"stiffness", "[s], times the stiffness of bars and springs, along their strain rates", false, Range::not_negative},
        m.rayleigh.stiffness);
  });
  f.numbers({"parameters", "names for numbers, for use in formulas"}, m.parameters);
  list(f, {"load", "a force on a node or a coordinate"}, m.loads);
  list(f, {"sensor", "a number recorded at every step"}, m.sensors);
  f.section({"time", "step, end and scheme", true}, [&](Fields& g) { describe(g, m.time); });
  f.section({"newton", "the equation solver"}, [&](Fields& g) {
    g.source(m.newton.source);
    g.number({"tolerance", "residual, relative to the sum of the absolute terms of each equation", false, Range::positive},
             m.newton.tolerance);
    g.number({"increment", "last increment, relative to the size of the model", false, Range::positive}, m.newton.increment);
    g.count({"max_iterations", "solves per step before the step is halved", false, Range::positive}, m.newton.max_iterations);
    g.choice({"tangent",
              "exact; published: as printed in the source paper (Krenk: dK/3); sixth: Krenk with dK/6; modified: kept through "
              "a step"},
             m.newton.tangent, tangents);
  });
  f.section({"output", "what is recorded"}, [&](Fields& g) {
    g.source(m.output.source);
    g.count({"every", "record every n-th step", false, Range::positive}, m.output.every);
    g.flag({"csv", "write results.csv as well"}, m.output.csv);
  });
}

}  // namespace trompo
