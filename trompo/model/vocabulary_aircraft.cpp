// Words of the model file: [aircraft].
#include "trompo/model/vocabulary_parts.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

constexpr Range panels = Range::counts(0, 10000);

}  // namespace

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
    g.vector({"offset", "of the middle of the centre panel from the middle of the top of the fuselage, in its axes [m]"},
             b.offset);
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
    g.one_or_each({"x", "of the middle of its upper edge from the middle of the panel, along the chord [m]"}, b.x);
    g.one_or_each({"y", "likewise, along the span [m]"}, b.y);
  });
  f.section({"motor", "cylinders along x on top of panels"}, [&b = a.motor](Fields& g) {
    g.source(b.source);
    g.one_or_each({"on", "panels that carry one, named once for each motor; default: the odd ones", false, Range::positive},
                  b.on);
    g.one_or_each({"diameter", "[m]", false, Range::positive}, b.diameter);
    g.one_or_each({"length", "[m]", false, Range::positive}, b.length);
    g.one_or_each({"mass", "[kg]", false, Range::positive}, b.mass);
    g.one_or_each({"x", "of its middle from the middle of the panel, along the chord [m]"}, b.x);
    g.one_or_each({"y", "likewise, along the span [m]"}, b.y);
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
    g.one_or_each(
        {"stiffness", "of each spring [N/m]: front left, front right, rear left, rear right, of each those along x, y, z",
         false, Range::not_negative},
        b.stiffness);
    g.one_or_each({"length", "natural length of each [m]", false, Range::positive}, b.length);
    g.one_or_each({"damping", "of each damper [N s/m]", false, Range::not_negative}, b.damping);
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
  f.flag({"panel_angles", "record pitch and yaw of every panel too: with its roll the angles 1-2-3 about fixed axes"},
         a.panel_angles);
}

}  // namespace trompo
