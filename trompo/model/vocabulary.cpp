#include "trompo/model/vocabulary.hpp"

#include <array>

#include "trompo/model/vocabulary_parts.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

using Rows = Eigen::Map<const Eigen::Matrix<double, 3, 3, Eigen::RowMajor>>;

std::vector<double> row_by_row(const Mat3& m) {
  return {m(0, 0), m(0, 1), m(0, 2), m(1, 0), m(1, 1), m(1, 2), m(2, 0), m(2, 1), m(2, 2)};
}

constexpr Range share{1e-50, 1};  // of an error: more would accept anything

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
  list(f, {"event", "what changes at a given time"}, m.events);
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
    g.text({"checkpoint", "how often what a run needs to go on is kept: 10 min, 30 s, 2 h, 500 steps or never"},
           m.output.checkpoint);
  });
}

}  // namespace trompo
