// Words of the model file: rods and their elements.
#include "trompo/model/vocabulary_parts.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

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

void strain(Fields& f, std::string& value) {
  f.choice({"strain",
            "helix: two nodes, exact where curvature and twist are constant; quadratic: of mean axes, for coarse elements too "
            "soft; default: helix with two nodes, quadratic with three"},
           value, word_lists::rod_strains);
}

void describe(Fields& f, const Key& key, RodEndInput& e) {
  f.vector_or_section(key, e.place, [&e](Fields& g) {
    g.source(e.source);
    g.text({"body", "a body, to which the rod is welded", true}, e.body);
    g.vector({"point", "of the body [m], in its axes, from the centre of mass; default: the centre"}, e.point);
  });
}

}  // namespace

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
  strain(f, r.strain);
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
  strain(f, e.strain);
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

}  // namespace trompo
