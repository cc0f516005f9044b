// Words of the model file: nodes, bodies, coordinates and what joins them.
#include "trompo/model/joint_kinds.hpp"
#include "trompo/model/vocabulary_parts.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

void motions(Fields& f, const Key& key, Motions& motion) {
  f.section(key, [&](Fields& g) {
    for (int i = 0; i < 3; ++i) g.function({word_lists::axes[i], "coordinate [m] as a function of time"}, motion[i]);
  });
}

namespace {

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

}  // namespace

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
  if (!f.writes() || b.allow_impossible)
    f.flag({"allow_impossible", "take an inertia that breaks the triangle inequality, with a warning"}, b.allow_impossible);
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

void describe(Fields& f, SpringInput& s) {
  f.source(s.source);
  f.text({"name", "unique over the whole file", true}, s.name);
  f.names({"nodes", "the two nodes it joins (or `from` and `to`)"}, s.nodes);
  describe(f, {"from", "one end: { node = .. }, { body = .., point = .. } or { ground = .. }"}, s.from);
  describe(f, {"to", "the other end, likewise"}, s.to);
  f.number({"stiffness", "k [N/m]: force k (l - length)", false, Range::not_negative}, s.stiffness);
  f.number({"length", "natural length [m]; default: as drawn", false, Range::not_negative}, s.length);
  f.number({"damping", "c [N s/m]: force -c dl/dt; without stiffness a pure damper", false, Range::not_negative}, s.damping);
  f.vector({"stiffness_along", "along each of the global axes [N/m], in place of `stiffness`", false, Range::not_negative},
           s.stiffness_along);
  f.vector({"damping_along", "likewise [N s/m]", false, Range::not_negative}, s.damping_along);
  f.vector({"vector", "from the first end to the second at rest [m], with stiffness_along; default: as drawn"}, s.vector);
}

void describe(Fields& f, JointInput& j) {
  f.source(j.source);
  f.text({"name", "unique over the whole file", true}, j.name);
  f.names({"bodies", "the two it joins; one may be \"ground\"", true}, j.bodies);
  for (const JointKind& kind : joint_kinds()) {
    JointForm form = j.kind == kind.name ? j.form : JointForm{};
    f.section({kind.name, kind.about}, [&form](Fields& g) {
      g.source(form.source);
      g.vector({"at", "the point at t = 0 [m], global axes"}, form.at);
      g.vector({"axis", "a direction at t = 0, global axes, of any length"}, form.axis);
      g.vector({"other_axis", "the axis of the second body, likewise"}, form.other_axis);
      g.vector({"from", "the point of the first body at t = 0 [m], global axes"}, form.from);
    });
    if (form.given()) j.kinds_given += j.kind != kind.name, j.kind = kind.name, j.form = form;
  }
  f.number({"stiffness",
            "torsion spring of a hinge, cylindrical, ball or universal joint (about `axis`) [N m/rad], or spring along a "
            "prismatic joint [N/m]",
            false, Range::not_negative},
           j.stiffness);
  f.number({"damping", "likewise [N m s/rad] or [N s/m]", false, Range::not_negative}, j.damping);
  f.number({"travel_stiffness", "spring along the axis of a cylindrical joint [N/m]", false, Range::not_negative},
           j.travel_stiffness);
  f.number({"travel_damping", "likewise [N s/m]", false, Range::not_negative}, j.travel_damping);
  f.number({"other_stiffness", "torsion spring of a universal joint about `other_axis` [N m/rad]", false, Range::not_negative},
           j.other_stiffness);
  f.number({"other_damping", "likewise [N m s/rad]", false, Range::not_negative}, j.other_damping);
  f.number({"rest_angle", "where the torsion spring has no torque [rad]; default 0: the axes of both bodies are parallel"},
           j.rest_angle);
  f.text({"rest", "\"as drawn\": the torsion spring has no torque at t = 0"}, j.rest);
  f.function({"motion",
              "driven: angle of a hinge or cylindrical joint [rad], displacement of a prismatic joint, distance [m], as a "
              "function of time"},
             j.motion);
  f.function({"travel_motion", "driven: displacement along a cylindrical joint [m] as a function of time"}, j.travel_motion);
  motions(f, {"ground_motion", "of a joint to the ground: coordinates of `at` on the ground as functions of time"},
          j.ground_motion);
  f.vector({"stiffness_along", "of a bushing [N/m]"}, j.stiffness_along);
  f.vector({"stiffness_about", "of a bushing [N m/rad]"}, j.stiffness_about);
  f.vector({"damping_along", "of a bushing [N s/m]"}, j.damping_along);
  f.vector({"damping_about", "of a bushing [N m s/rad]"}, j.damping_about);
  f.choice({"law",
            "of stiffness_about and damping_about: rotation-vector, W = theta.K theta/2, or sine, as before it; default: "
            "rotation-vector"},
           j.law, word_lists::bushing_laws);
}

}  // namespace trompo
