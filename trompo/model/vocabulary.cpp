#include "trompo/model/vocabulary.hpp"

#include <array>

#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;

std::vector<double> row_by_row(const Mat3& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
}

constexpr Range few = Range::counts(1, 10000);  // what is repeated within a step, or a power
constexpr Range panels = Range::counts(0, 10000);
constexpr Range many = Range::counts(1, 1e9);    // parts: how many there may be is a matter of memory
constexpr Range steps = Range::counts(1, 1e15);  // the times of so many can be told apart
constexpr Range share{1e-50, 1};                 // of an error: more would accept anything

constexpr std::array<Key, 11> parameters{{
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
    {"tolerance", "error of each step of its own that dormand-prince takes, relative and absolute"},
}};
constexpr std::array<Key, 7> options{{
    {"form",
     "of the discrete gradient: equivariant, gonzalez, mean-value or itoh-abe; of central-difference: position or velocity"},
    {"start", "of hamming: rk4 or published"},
    {"secant", "Krenk's secant correction: robust or published"},
    {"direction", "of Krenk's secant correction: force or displacement"},
    {"energy_target", "of Krenk's secant correction: step or initial"},
    {"constraint_gradient",
     "what constraint forces go along in conserving schemes: secant, mean-value, gonzalez, midpoint or end"},
    {"blend", "of alpha schemes on Euler parameters: all (inertia and forces averaged) or recursion (accelerations alone)"},
}};

template <class Item>
void list(Fields& f, const Key& key, std::vector<Item>& items);  // below, where every kind of item is known

void motions(Fields& f, const Key& key, Motions& motion) {
  f.section(key, [&](Fields& g) {
    for (int i = 0; i < 3; ++i) g.function({word_lists::axes[i], "coordinate [m] as a function of time"}, motion[i]);
  });
}

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
  motions(f, {"motion", "prescribed coordinates: x, y, z as functions of time, in global axes"}, n.motion);
}

void describe(Fields& f, const Key& key, OrientationInput& o) {
  f.section(key, [&o](Fields& g) {
    g.source(o.source);
    g.array({"axis", "of the turn, of any length; with `degrees`"}, o.axis);
    g.number({"degrees", "angle about `axis`, by the right hand"}, o.degrees);
    g.array({"quaternion", "[w, x, y, z], of length 1"}, o.quaternion);
    g.matrix({"matrix", "three rows; its columns are the turned axes"}, o.matrix);
  });
}

void describe(Fields& f, ShapeInput& s) {
  f.section({"shape", "homogeneous, about its own centre: one of box, plate, cylinder, sphere, rod"}, [&s](Fields& g) {
    g.source(s.source);
    g.array({"box", "edges along x, y, z [m]", false, Range::positive}, s.box);
    g.array({"plate", "thin: edges along x, y [m]", false, Range::positive}, s.plate);
    g.array({"cylinder", "radius, length along z [m]", false, Range::positive}, s.cylinder);
    g.number({"sphere", "radius [m]", false, Range::positive}, s.sphere);
    g.number({"rod", "thin: length along x [m]", false, Range::positive}, s.rod);
  });
}

void describe(Fields& f, PartInput& p) {
  f.source(p.source);
  f.number({"mass", "[kg]", true, Range::positive}, p.mass);
  f.inertia({"inertia", "[kg m^2] about the centre of the part, in its axes: 3 principal numbers or 3 rows of 3"}, p.inertia);
  describe(f, p.shape);
  f.vector({"position", "centre of the part [m] in body axes, from an origin that all parts share"}, p.position);
  describe(f, {"orientation", "turns the axes of the part into body axes"}, p.orientation);
}

void describe(Fields& f, BodyInput& b) {
  f.source(b.source);
  f.text({"name", "unique over the whole file", true}, b.name);
  f.number({"mass", "[kg]; not with `parts`", false, Range::positive}, b.mass);
  f.inertia(
      {"inertia",
       "[kg m^2] in body axes, about the centre of mass, or about the fixed point if there is one: 3 principal numbers or "
       "3 rows of 3; or `shape`, or `parts`"},
      b.inertia);
  describe(f, b.shape);
  list(f, {"parts", "masses with inertias, summed about their common centre of mass"}, b.parts);
  f.vector({"position", "centre of mass at t = 0 [m]; default: the origin"}, b.position);
  describe(f, {"orientation", "turns body axes into global axes at t = 0"}, b.orientation);
  f.vector({"velocity", "of the centre of mass at t = 0 [m/s], global axes"}, b.velocity);
  f.vector({"angular_velocity", "at t = 0 [rad/s], body axes"}, b.angular_velocity);
  f.vector({"fixed_point", "a place [m] about which the body turns; then neither `position` nor `velocity`"}, b.fixed_point);
  f.vector({"centre", "centre of mass [m] in body axes, from the fixed point"}, b.centre);
}

void describe(Fields& f, const Key& key, EndInput& e) {
  f.section(key, [&e](Fields& g) {
    g.source(e.source);
    g.text({"node", "a node"}, e.node);
    g.text({"body", "a body; with `point`"}, e.body);
    g.vector({"point", "of the body [m], in its axes, from the centre of mass; default: the centre"}, e.point);
    g.vector({"ground", "a place in space at t = 0 [m]; it stays there unless it has a `motion`"}, e.ground);
    motions(g, {"motion", "of the ground: coordinates of the end as functions of time, in global axes"}, e.motion);
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
  f.names({"nodes", "the two nodes it joins (or `from` and `to`)"}, s.nodes);
  describe(f, {"from", "one end: { node = .. }, { body = .., point = .. } or { ground = .. }"}, s.from);
  describe(f, {"to", "the other end, likewise"}, s.to);
  f.number({"stiffness", "k [N/m]: force k (l - length)", false, Range::not_negative}, s.stiffness);
  f.number({"length", "natural length [m]; default: as drawn", false, Range::not_negative}, s.length);
  f.number({"damping", "c [N s/m]: force -c dl/dt; without stiffness a pure damper", false, Range::not_negative}, s.damping);
}

void describe(Fields& f, JointInput& j) {
  f.source(j.source);
  f.text({"name", "unique over the whole file", true}, j.name);
  f.names({"bodies", "the two it joins; one may be \"ground\"", true}, j.bodies);
  static constexpr std::array<Key, 12> kinds{
      {{"weld", "{ at }: no relative motion"},
       {"hinge", "{ axis, at }: turns about one axis"},
       {"ball", "{ at }: turns about a point"},
       {"universal", "{ at, axis, other_axis }: turns about an axis of each body, which stay at right angles"},
       {"cylindrical", "{ axis, at }: slides along an axis and turns about it"},
       {"prismatic", "{ axis, at }: slides along an axis"},
       {"planar", "{ axis, at }: slides in a plane, whose normal is axis, and turns about it"},
       {"distance", "{ from, at }: two points keep their distance"},
       {"line", "{ axis, at }: a point of the second body stays on a line of the first"},
       {"plane", "{ axis, at }: a point of the second body stays in a plane of the first, whose normal is axis"},
       {"circle", "{ axis, from, at }: a point of the second body stays on a circle of the first about `from`"},
       {"bushing", "{ at }: springs and dampers along and about the axes of the first body"}}};
  for (const Key& kind : kinds) {
    JointForm form = j.kind == kind.name ? j.form : JointForm{};
    f.section(kind, [&form](Fields& g) {
      g.source(form.source);
      g.vector({"at", "the point at t = 0 [m], global axes"}, form.at);
      g.vector({"axis", "a direction at t = 0, global axes, of any length"}, form.axis);
      g.vector({"other_axis", "the axis of the second body, likewise"}, form.other_axis);
      g.vector({"from", "the point of the first body at t = 0 [m], global axes"}, form.from);
    });
    if (form.given()) j.kinds_given += j.kind != kind.name, j.kind = kind.name, j.form = form;
  }
  f.number(
      {"stiffness", "torsion spring of a hinge [N m/rad], or spring along a prismatic joint [N/m]", false, Range::not_negative},
      j.stiffness);
  f.number({"damping", "likewise [N m s/rad] or [N s/m]", false, Range::not_negative}, j.damping);
  f.number({"rest_angle", "where the torsion spring has no torque [rad]; default 0: the axes of both bodies are parallel"},
           j.rest_angle);
  f.text({"rest", "\"as drawn\": the torsion spring has no torque at t = 0"}, j.rest);
  f.function(
      {"motion", "driven: angle of a hinge [rad], displacement of a prismatic joint, distance [m], as a function of time"},
      j.motion);
  motions(f, {"ground_motion", "of a joint to the ground: coordinates of `at` on the ground as functions of time"},
          j.ground_motion);
  f.vector({"stiffness_along", "of a bushing [N/m]"}, j.stiffness_along);
  f.vector({"stiffness_about", "of a bushing [N m/rad]"}, j.stiffness_about);
  f.vector({"damping_along", "of a bushing [N s/m]"}, j.damping_along);
  f.vector({"damping_about", "of a bushing [N m s/rad]"}, j.damping_about);
}

void describe(Fields& f, SectionStiffness& s) {
  f.number({"EA", "of the section, along the axis d3 [N]", false, Range::positive}, s.EA);
  f.one_or_each({"GA", "shear along d1 and d2 [N]: one number, or two", false, Range::positive}, s.GA);
  f.number({"GJ", "torsion about d3 [N m^2]", false, Range::positive}, s.GJ);
  f.one_or_each({"EI", "bending about d1 and d2 [N m^2]: one number, or two", false, Range::positive}, s.EI);
}

void describe(Fields& f, const Key& key, SectionInput& s) {
  f.section(key, [&s](Fields& g) {
    g.source(s.source);
    g.number({"circle", "radius [m]", false, Range::positive}, s.circle);
    g.array({"rectangle", "edges along d1 and d2 [m]", false, Range::positive}, s.rectangle);
    g.array({"tube", "outer and inner radius [m]", false, Range::positive}, s.tube);
  });
}

void precurvature(Fields& f, std::optional<Vec3>& value) {
  f.array({"precurvature", "curvature of the rod without stress, about d1, d2, d3 [1/m]; default: as drawn"}, value);
}

void describe(Fields& f, const Key& key, RodEndInput& e) {
  f.vector_or_section(key, e.place, [&e](Fields& g) {
    g.source(e.source);
    g.text({"body", "a body, to which the rod is welded", true}, e.body);
    g.vector({"point", "of the body [m], in its axes, from the centre of mass; default: the centre"}, e.point);
  });
}

void describe(Fields& f, RodInput& r) {
  f.source(r.source);
  f.text({"name", "unique over the whole file; NAME.0, NAME.1, ... are its nodes", true}, r.name);
  describe(f, {"from", "first end: a place [m], global axes, or { body = .., point = .. }; not with `points` unless a body"},
           r.from);
  describe(f, {"to", "the other end, likewise"}, r.to);
  f.vector({"via", "the rod is the arc of a circle through this place [m]; default: it is straight"}, r.via);
  f.places({"points", "places [m] that the rod goes through as a smooth curve, both ends among them"}, r.points);
  f.number({"twist", "of the section about the axis over the whole length, as drawn [rad]"}, r.twist);
  precurvature(f, r.precurvature);
  f.count({"elements", "number of elements", true, many}, r.elements);
  f.count({"nodes_per_element", "2, or 3: an element with a node half-way, of higher order", false, Range::counts(1, 9)},
          r.nodes_per_element);
  f.vector({"orientation",
            "at the first end d1 lies in the plane of this and the axis; default: z, or x if that is closer to "
            "a right angle; of an arc its normal"},
           r.orientation);
  describe(f, r.stiffness);
  f.number({"density", "mass per length [kg/m]", false, Range::positive}, r.density);
  f.one_or_each({"rotary_inertia", "per length, about d1 and d2 [kg m]: one number, or two; default: density EI / EA", false,
                 Range::positive},
                r.rotary_inertia);
  f.section({"material", "with `section`, in place of stiffnesses and densities by hand"}, [&m = r.material](Fields& g) {
    g.source(m.source);
    g.number({"E", "[N/m^2]", true, Range::positive}, m.E);
    g.number({"G", "[N/m^2]; or nu", false, Range::positive}, m.G);
    g.number({"nu", "Poisson's ratio; or G"}, m.nu);
    g.number({"density", "[kg/m^3]", true, Range::positive}, m.density);
  });
  describe(f, {"section", "one of circle, rectangle, tube"}, r.section);
  f.choice({"mass", "lumped: at the nodes; consistent: as the axis and its section move between them"}, r.mass,
           word_lists::rod_masses);
  f.functions({"load", "force per length [N/m], global axes; each entry a number or a formula as in [[load]]"}, r.load.value,
              r.load.formula);
  f.table_of_vectors({"load_table", "`load` as rows [t, x, y, z], linear between them, held at the ends"}, r.load.value);
  f.flag({"potential", "the constant `load` is counted as potential V = -F.x instead of work"}, r.potential);
  f.functions({"follower_load", "force per length [N/m] along d1, d2, d3 of each node, with which it turns"},
              r.follower_load.value, r.follower_load.formula);
  f.table_of_vectors({"follower_table", "`follower_load` as rows [t, along d1, d2, d3]"}, r.follower_load.value);
  f.functions({"moment_load", "moment per length [N m/m] about d1, d2, d3 of each node"}, r.moment_load.value,
              r.moment_load.formula);
  f.choice({"clamped", "which end is welded to the ground"}, r.clamped, word_lists::clamps);
  f.vector({"velocity", "of the first end at t = 0 [m/s], global axes; default: as the body at an end moves"}, r.velocity);
  f.vector({"angular_velocity", "of the whole as one at t = 0 [rad/s], global axes; likewise"}, r.angular_velocity);
  f.functions({"velocity_along", "beside that, at t = 0 [m/s]: numbers or formulas of s, the distance from the first end [m]"},
              r.velocity_along.number, r.velocity_along.formula);
  f.functions({"angular_velocity_along", "of the sections [rad/s], global axes, likewise"}, r.angular_velocity_along.number,
              r.angular_velocity_along.formula);
}

void describe(Fields& f, RodElementInput& e) {
  f.source(e.source);
  f.text({"name", "unique over the whole file", true}, e.name);
  f.names({"bodies", "the two it joins; their axes are d1, d2 and the axis d3 of the section", true}, e.bodies);
  f.text({"middle", "the body half-way, of an element with three nodes"}, e.middle);
  f.number({"length", "along the unstrained axis [m]; default: distance of the bodies", false, Range::positive}, e.length);
  describe(f, e.stiffness);
  precurvature(f, e.precurvature);
  f.number({"density", "mass per length [kg/m] that stands at the bodies in lumps and is spread along the element", false,
            Range::positive},
           e.density);
  f.one_or_each({"rotary_inertia", "likewise, about d1 and d2 [kg m]: one number, or two", false, Range::positive},
                e.rotary_inertia);
  describe(f, {"section", "one of circle, rectangle, tube: for stresses"}, e.section);
}

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
      {"set", "what changes: { joint, spring, bar or rod_element = name } with its new stiffness, damping, EA or EI", true},
      [&e](Fields& g) {
        for (const Key& key : {Key{"joint", "a joint"}, Key{"spring", "a spring"}, Key{"bar", "a bar"},
                               Key{"rod_element", "an element of a rod"}}) {
          std::string name = e.what == key.name ? e.name : std::string();
          g.text(key, name);
          if (!name.empty()) e.what = key.name, e.name = name;
        }
        g.number({"stiffness", "of a joint or a spring", false, Range::not_negative}, e.stiffness);
        g.number({"damping", "of a joint or a spring", false, Range::not_negative}, e.damping);
        g.number({"EA", "of a bar or a rod element [N]", false, Range::positive}, e.EA);
        g.one_or_each({"EI", "of a rod element, about d1 and d2 [N m^2]: one number, or two", false, Range::positive}, e.EI);
      });
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
  f.choice({"strain", "engineering (l-L)/L, green (l^2-L^2)/(2 L^2), logarithmic ln(l/L) or almansi (l^2-L^2)/(2 l^2)"},
           b.strain, word_lists::strains);
  f.number({"length", "natural length [m]; default: distance of the reference positions. Shorter is prestress", false,
            Range::positive},
           b.length);
  f.number({"density", "mass per length [kg/m], lumped half to each end", false, Range::not_negative}, b.density);
  f.flag({"tension_only", "a cable: no force when shorter than its natural length"}, b.tension_only);
}

void describe(Fields& f, LoadInput& l) {
  f.source(l.source);
  f.text({"name", "unique over the whole file", true}, l.name);
  f.text({"node", "the node it acts on (or `body`, or `coordinate`)"}, l.on);
  f.text({"body", "the body it acts on (or `node`, or `coordinate`)"}, l.on);
  f.text({"coordinate", "the generalised coordinate it acts on (or `node`, or `body`)"}, l.on);
  f.functions({"force", "[N], global axes; each entry a number or a formula of t, coordinates and parameters"}, l.force,
              l.formula);
  f.table_of_vectors({"table", "rows [t, x, y, z], linear between them, held at the ends"}, l.force);
  f.vector({"point", "where the force acts on a body [m], in its axes, from the centre of mass; default: the centre"}, l.point);
  f.functions({"torque", "on a body [N m], in its axes; entries as those of `force`"}, l.torque, l.torque_formula);
  f.functions({"moment", "on a body [N m], global axes; entries are numbers or formulas of t"}, l.moment, l.moment_formula);
  f.flag({"follower", "the force on a body is in its axes and turns with it"}, l.follower);
  f.flag({"potential", "a constant load counted as potential V = -F.x instead of work"}, l.potential);
}

void describe(Fields& f, SensorInput& s) {
  f.source(s.source);
  f.text({"name", "unique over the whole file", true}, s.name);
  static constexpr std::array<Key, 17> kinds{
      {{"position", "node, or centre of mass of a body; with `axis`"},
       {"velocity", "node, or centre of mass of a body; with `axis`"},
       {"angular_velocity", "body; with `axis` of the body [rad/s]"},
       {"tilt", "body: angle between its `axis` and the same global axis [rad]"},
       {"reaction", "fixed or prescribed node, or joint (on its second body); with `axis` [N]"},
       {"torque", "joint: on its second body, at the joint; with `axis` [N m]"},
       {"angle", "hinge joint: angle of the second body against the first [rad]"},
       {"force", "bar: axial force [N], tension positive"},
       {"strain", "bar: its strain"},
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

void describe(Fields& f, GustInput& g) {
  f.source(g.source);
  f.choice({"shape", "sine, pulse (a sine to the power `exponent`), 1-cosine or table"}, g.shape, word_lists::gust_shapes);
  f.choice({"axis", "along which the base moves"}, g.axis, word_lists::axes);
  f.number({"amplitude", "of the displacement of the base [m]; not of a table"}, g.amplitude);
  f.number({"frequency", "of sine and pulse [Hz]", false, Range::positive}, g.frequency);
  f.count({"exponent", "of a pulse", false, few}, g.exponent);
  f.number({"start", "[s]; the phase is counted from here", false, Range::not_negative}, g.start);
  f.number({"end", "[s]; of 1-cosine the whole length; default: the gust goes on", false, Range::positive}, g.end);
  f.function({"table", "rows [t, displacement], linear between them, held at the ends"}, g.table);
}

void describe(Fields& f, DamageInput& d) {
  f.source(d.source);
  f.text({"hinge", "\"1-2\" is the one between panels 1 and 2", true}, d.hinge);
  f.number({"at", "time [s]; at 0 it happens at once", true, Range::not_negative}, d.at);
  f.number({"stiffness", "what is left [N m/rad]", true, Range::not_negative}, d.stiffness);
}

void describe(Fields& f, AircraftInput& a) {
  f.source(a.source);
  f.count({"wings", "number of wing panels; 1 is at the end of -y", false, panels}, a.wings);
  f.count({"centre", "the panel on the fuselage; default: the middle one", false, few}, a.centre);
  f.section({"fuselage", "a cube"}, [&b = a.fuselage](Fields& g) {
    g.source(b.source);
    g.number({"side", "[m]", false, Range::positive}, b.side);
    g.number({"mass", "[kg]", false, Range::positive}, b.mass);
  });
  f.section({"wing", "the panels: thin plates; numbers for all, or lists with one for each"}, [&b = a.wing](Fields& g) {
    g.source(b.source);
    g.one_or_each({"chord", "along x [m]", false, Range::positive}, b.chord);
    g.one_or_each({"span", "along y [m]", false, Range::positive}, b.span);
    g.one_or_each({"mass", "[kg]", false, Range::positive}, b.mass);
    g.choice({"kind", "rigid panels with hinges, or one rod over all panels"}, b.kind, word_lists::wing_kinds);
    g.count({"elements", "of a rod, in each panel; even", false, many}, b.elements);
    g.number(
        {"stiffening", "of a rod: what is rigid in a panel is so many times as stiff as its bending", false, Range::positive},
        b.stiffening);
    g.number({"EA", "of a rod, in place of that [N]", false, Range::positive}, b.EA);
    g.number({"GA", "likewise [N]", false, Range::positive}, b.GA);
    g.number({"GJ", "likewise [N m^2]", false, Range::positive}, b.GJ);
    g.number({"EI_chord", "likewise, bending in the plane of the wing [N m^2]", false, Range::positive}, b.EI_chord);
  });
  f.section({"gear", "landing gears: thin upright plates below panels"}, [&b = a.gear](Fields& g) {
    g.source(b.source);
    g.one_or_each({"on", "panels that carry one; default: the odd ones", false, Range::positive}, b.on);
    g.one_or_each({"chord", "along x [m]", false, Range::positive}, b.chord);
    g.one_or_each({"height", "[m]", false, Range::positive}, b.height);
    g.one_or_each({"mass", "[kg]", false, Range::positive}, b.mass);
  });
  f.section({"motor", "cylinders along x on top of panels"}, [&b = a.motor](Fields& g) {
    g.source(b.source);
    g.one_or_each({"on", "panels that carry one; default: the odd ones", false, Range::positive}, b.on);
    g.one_or_each({"diameter", "[m]", false, Range::positive}, b.diameter);
    g.one_or_each({"length", "[m]", false, Range::positive}, b.length);
    g.one_or_each({"mass", "[kg]", false, Range::positive}, b.mass);
  });
  f.one_or_each({"dihedral_degrees", "angle of each panel against the one before it at t = 0, about x; all positive: tips up"},
                a.dihedral_degrees);
  f.choice({"pattern", "of one angle for all hinges; antisymmetric: those before the centre panel have the other sign"},
           a.pattern, word_lists::patterns);
  f.one_or_each({"hinge_stiffness", "[N m/rad]", false, Range::not_negative}, a.hinge_stiffness);
  f.one_or_each({"hinge_damping", "[N m s/rad]", false, Range::not_negative}, a.hinge_damping);
  f.section({"mount", "what holds the four lower vertices of the fuselage"}, [&b = a.mount](Fields& g) {
    g.source(b.source);
    g.choice({"kind", "springs (with dampers), rigid, or free: nothing holds it"}, b.kind, word_lists::mounts);
    g.number({"stiffness", "of each spring [N/m]", false, Range::not_negative}, b.stiffness);
    g.number({"length", "natural length of each [m]", false, Range::positive}, b.length);
    g.number({"damping", "of each damper [N s/m]", false, Range::not_negative}, b.damping);
    g.axes({"axes", "along which each vertex is held; default: all three"}, b.axes);
  });
  f.vector({"position", "of the fuselage at t = 0 [m]; in the origin the springs of the mount are unstrained"}, a.position);
  f.vector({"velocity", "of the fuselage at t = 0 [m/s]"}, a.velocity);
  describe(f, {"orientation", "of the fuselage at t = 0; the panels follow it"}, a.orientation);
  f.vector({"angular_velocity", "of the whole as one at t = 0 [rad/s], fuselage axes"}, a.angular_velocity);
  list(f, {"gust", "a motion of the base of the mount along one axis"}, a.gusts);
  f.choice({"gust_form", "base: the mount moves; fuselage: the force -m u'' on the fuselage alone, as published"}, a.gust_form,
           word_lists::gust_forms);
  list(f, {"damage", "a hinge loses stiffness at a given time"}, a.damages);
  f.flag({"sensors", "record place and turn of the fuselage and every hinge angle"}, a.sensors);
}

template <class Item>
void list(Fields& f, const Key& key, std::vector<Item>& items) {
  f.list(key, static_cast<int>(items.size()), [&items](Fields& g, int index) {
    while (static_cast<int>(items.size()) <= index) items.emplace_back();
    describe(g, items[static_cast<std::size_t>(index)]);
  });
}

}  // namespace

void Fields::matrix(const Key& key, std::optional<Mat3>& value) {
  static constexpr std::array<std::size_t, 1> sizes{9};
  std::optional<std::vector<double>> given;
  if (value) given = row_by_row(*value);
  array(key, given, sizes);
  if (given) value = Rows(given->data());
}

void Fields::inertia(const Key& key, std::optional<Mat3>& value) {
  static constexpr std::array<std::size_t, 2> sizes{3, 9};
  std::optional<std::vector<double>> given;
  if (value && value->isDiagonal(0))
    given = {(*value)(0, 0), (*value)(1, 1), (*value)(2, 2)};
  else if (value)
    given = row_by_row(*value);
  array(key, given, sizes);
  if (given) value = given->size() == 9 ? Mat3(Rows(given->data())) : Mat3(Eigen::Map<const Vec3>(given->data()).asDiagonal());
}

std::span<const Key> scheme_parameters() { return parameters; }

void describe(Fields& f, Model& m) {
  f.source(m.source);
  f.count({"format_version", "version of this format: 1", false, few}, m.format_version);
  f.text({"title", "what the model is"}, m.title);
  f.choice({"plane", "a plane problem: vectors may have 2 entries, the third coordinate is held"}, m.plane, word_lists::planes);
  f.text({"formulation", "how bodies turn: directors (default), rotation or euler-parameters"}, m.formulation);
  f.vector({"gravity", "acceleration of gravity [m/s^2]"}, m.gravity);
  f.vector({"momentum_point", "the point angular momentum is taken about [m]"}, m.momentum_point);
  list(f, {"node", "a point with mass"}, m.nodes);
  list(f, {"body", "a rigid body"}, m.bodies);
  list(f, {"coordinate", "a generalised coordinate of one number"}, m.coordinates);
  list(f, {"pendulum", "the simple pendulum in its angle"}, m.pendulums);
  list(f, {"bar", "a bar or cable between two nodes"}, m.bars);
  list(f, {"spring", "a spring, a damper or both between nodes, points of bodies and the ground"}, m.springs);
  list(f, {"potential", "an energy typed as a formula"}, m.potentials);
  list(f, {"invariant", "a formula of coordinates, for use in potentials and constraints"}, m.invariants);
  list(f, {"constraint", "a formula that stays zero"}, m.constraints);
  list(f, {"joint", "what joins two bodies, or a body and the ground"}, m.joints);
  list(f, {"rod_element", "one element of a rod, unstrained as drawn"}, m.rod_elements);
  if (!f.writes()) list(f, {"rod", "a flexible rod; stands for bodies, rod elements and welds"}, m.rods);
  list(f, {"event", "a stiffness that changes at a given time"}, m.events);
  list(f, {"mark", "a word on the time line of the report"}, m.marks);
  f.section({"rayleigh", "damping of everything: C = mass M + stiffness K"}, [&](Fields& g) {
    g.source(m.rayleigh.source);
    g.number({"mass", "[1/s], times the masses", false, Range::not_negative}, m.rayleigh.mass);
    g.number(
        {"stiffness", "[s], times the stiffness of bars and springs, along their strain rates", false, Range::not_negative},
        m.rayleigh.stiffness);
  });
  // A model that holds an aircraft holds its parts as well: those are what is written.
  f.section({"aircraft", "a flexible aircraft of hinged panels; stands for bodies, joints, springs and sensors"},
            [&](Fields& g) {
              if (g.writes()) return;
              if (!m.aircraft) m.aircraft.emplace();
              describe(g, *m.aircraft);
            });
  f.numbers({"parameters", "names for numbers, for use in formulas"}, m.parameters);
  list(f, {"load", "a force on a node, a body or a coordinate, or a torque on a body"}, m.loads);
  list(f, {"sensor", "a number recorded at every step"}, m.sensors);
  f.section({"statics", "how loads grow, for `trompo statics` and for a start in equilibrium"},
            [&](Fields& g) { describe(g, m.statics); });
  if (!f.writes() || m.time.given() || !m.statics.given())
    f.section({"time", "step, end and scheme", !m.statics.given()}, [&](Fields& g) { describe(g, m.time); });
  f.section({"newton", "the equation solver"}, [&](Fields& g) {
    g.source(m.newton.source);
    g.number({"tolerance", "residual, relative to the sum of the absolute terms of each equation", false, share},
             m.newton.tolerance);
    g.number({"increment", "last increment, relative to the size of the model", false, share}, m.newton.increment);
    g.count({"max_iterations", "solves per step before the step is halved", false, few}, m.newton.max_iterations);
    g.choice({"tangent",
              "exact; published: as printed in the source paper (Krenk: dK/3); sixth: Krenk with dK/6; modified: kept through "
              "a step"},
             m.newton.tangent, word_lists::tangents);
  });
  f.section({"output", "what is recorded"}, [&](Fields& g) {
    g.source(m.output.source);
    g.count({"every", "record every n-th step", false, steps}, m.output.every);
    g.flag({"csv", "write results.csv as well"}, m.output.csv);
  });
}

}  // namespace trompo
