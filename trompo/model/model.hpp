// What the user wrote, as plain data. SI units; no equations here.
#pragma once

#include <array>
#include <functional>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trompo/math/time_function.hpp"
#include "trompo/math/vector.hpp"
#include "trompo/model/aircraft_input.hpp"
#include "trompo/model/orientation_input.hpp"
#include "trompo/model/rod_input.hpp"
#include "trompo/model/source.hpp"

namespace trompo {

using Motions = std::array<std::optional<TimeFunction>, 3>;  // x, y, z in global axes, those that are prescribed

[[nodiscard]] inline bool moves(const Motions& motion) { return motion[0] || motion[1] || motion[2]; }

struct NodeInput {
  Source source;
  std::string name;
  std::optional<Vec3> reference;  // default: position
  Vec3 position = Vec3::Zero();
  Vec3 velocity = Vec3::Zero();
  std::optional<Vec3> acceleration;  // with initial_acceleration = "given"
  double mass = 0;
  bool fixed = false;
  std::array<bool, 3> fixed_axes{};
  Motions motion;  // prescribed coordinates

  [[nodiscard]] const Vec3& reference_position() const { return reference ? *reference : position; }
};

struct CoordinateInput {  // a generalised coordinate of one number
  Source source;
  std::string name;
  double inertia = 0;
  double value = 0;
  double rate = 0;
  std::optional<double> acceleration;
  std::optional<TimeFunction> motion;  // prescribed
  double damping = 0;                  // viscous: resists the rate
  std::string potential;               // an energy over this and other coordinates
};

// Forces on generalised coordinates from the caller's own code, with a mass and a damping matrix over them; from C++ alone, and
// no part of a model file.
struct OwnForceInput {
  Source source;
  std::string name;
  std::vector<std::string> coordinates;
  std::function<void(const double* q, double* g)> force;      // g(q), in the order of `coordinates`
  std::function<void(const double* q, double* K)> stiffness;  // dg_i/dq_j at K[n*j + i]; need not be symmetric
  std::function<double(const double* q)> energy;              // if there is one
  Eigen::MatrixXd mass, damping;                              // empty, or symmetric; beside what the coordinates have
};

struct ShapeInput {  // homogeneous, about its own centre: one of these
  Source source;
  std::optional<Vec3> box;         // edges along x, y, z
  std::optional<Vec<2>> plate;     // thin: edges along x, y
  std::optional<Vec<2>> cylinder;  // radius, length along z
  std::optional<double> sphere;    // radius
  std::optional<double> rod;       // thin: length along x

  [[nodiscard]] bool given() const { return box || plate || cylinder || sphere || rod || source.line > 0; }
};

struct PartInput {  // of a body: a mass with its inertia about its own centre
  Source source;
  double mass = 0;
  std::optional<Mat3> inertia;
  ShapeInput shape;
  Vec3 position = Vec3::Zero();  // of its centre, in body axes, from an origin that all parts share
  OrientationInput orientation;  // turns its axes into body axes
};

// A rigid body. What the equations want of it is worked out in body.hpp.
struct BodyInput {
  Source source;
  std::string name;
  std::optional<double> mass;
  std::optional<Mat3> inertia;  // in body axes, about the centre of mass or the fixed point; or
  ShapeInput shape;             // this; or
  std::vector<PartInput> parts;
  bool allow_impossible = false;  // an inertia that breaks the triangle inequality, with a warning
  std::optional<Vec3> position;   // of the centre of mass; default: the origin
  OrientationInput orientation;
  std::optional<Vec3> velocity;          // of the centre of mass, global axes
  Vec3 angular_velocity = Vec3::Zero();  // body axes
  std::optional<Vec3> fixed_point;       // the body turns about this place; then neither position nor velocity
  std::optional<Vec3> centre;            // of mass, in body axes, from the fixed point
};

struct InvariantInput {  // a coordinate that is a formula of others: a length squared, a dot product
  Source source;
  std::string name;
  std::string formula;
};

struct PendulumInput {  // the simple pendulum in its angle: V = m g l (1 - cos angle), inertia m l^2
  Source source;
  std::string name;
  std::string coordinate;
  double mass = 0;
  double length = 0;
};

struct BarInput {
  Source source;
  std::string name;
  std::array<std::string, 2> nodes;
  double EA = 0;
  std::string strain = "engineering";
  std::optional<double> length;  // natural length; default: distance of the nodes' reference positions
  double density = 0;            // kg/m, lumped half to each end
  bool tension_only = false;
};

struct EndInput {  // where a spring holds: a node, a point of a body, or a place in space
  Source source;
  std::string node;
  std::string body;
  std::optional<Vec3> point;  // of the body, in its axes, from the centre of mass; default: the centre
  std::optional<Vec3> ground;
  Motions motion;  // of the ground: where the end is

  [[nodiscard]] bool given() const { return !node.empty() || !body.empty() || point || ground || source.line > 0; }
};

struct SpringInput {
  Source source;
  std::string name;
  std::array<std::string, 2> nodes;  // or
  EndInput from, to;
  double stiffness = 0;          // force k (l - length)
  std::optional<double> length;  // natural; default: as drawn
  double damping = 0;            // force -c dl/dt
  // Or along the global axes each: of `to` against `from`, where `vector` is what they are apart at rest; default: as drawn.
  std::optional<Vec3> stiffness_along, damping_along, vector;

  [[nodiscard]] bool along_axes() const { return stiffness_along || damping_along; }
  // Both ways to name the ends, as one.
  [[nodiscard]] std::array<EndInput, 2> ends() const {
    if (from.given() || to.given()) return {from, to};
    std::array<EndInput, 2> ends;
    for (std::size_t i = 0; i < 2; ++i) ends[i].node = nodes[i];
    return ends;
  }
};

// How a joint holds, at t = 0: places and directions in global axes, whatever the bodies' own axes are.
struct JointForm {
  Source source;
  std::optional<Vec3> at;          // the point; of a circle or a distance, that of the second body
  std::optional<Vec3> axis;        // of hinge, cylindrical, prismatic, line and circle; normal of planar and plane
  std::optional<Vec3> other_axis;  // of the second body: universal
  std::optional<Vec3> from;        // the point of the first body: distance; centre of a circle

  [[nodiscard]] bool given() const { return at || axis || other_axis || from || source.line > 0; }
};

struct JointInput {
  Source source;
  std::string name;
  std::array<std::string, 2> bodies;  // the first or the second may be "ground"
  std::string kind;                   // one of joint_kinds.hpp
  int kinds_given = 0;                // one is right
  JointForm form;
  double stiffness = 0, damping = 0;                       // of the freedom of its kind: an angle, a turn, a slide
  std::optional<double> travel_stiffness, travel_damping;  // of a cylindrical joint along its axis
  std::optional<double> other_stiffness, other_damping;    // of a universal joint about `other_axis`
  std::optional<double> rest_angle;                        // of an angle: where the spring has no torque [rad]; default 0
  std::string rest;                                        // "as drawn": the angle at t = 0
  std::optional<TimeFunction>
      motion;  // driven: the angle of a hinge [rad], the displacement of a prismatic joint, a distance [m]
  std::optional<TimeFunction> travel_motion;  // likewise along the axis of a cylindrical joint [m]
  Motions ground_motion;                      // of the ground's side of the joint: where `at` is
  // Of a bushing: along and about the axes of the first body.
  std::optional<Vec3> stiffness_along, stiffness_about, damping_along, damping_about;
  std::string law;        // of what is about the axes: "" or "rotation-vector", "sine"
  bool released = false;  // by an event: it holds nothing and has no springs
};

struct EventInput {  // what changes at a given time
  Source source;
  double at = 0;
  std::string what;  // one of word_lists::events
  std::string name;
  std::optional<double> stiffness, damping, EA;
  std::optional<std::vector<double>> EI;  // of a rod element: one number for both axes, or two
  std::optional<double> scale;            // of a load
  std::optional<double> mass;             // of a node or body
  Motions motion;                         // of a node, in the place of those that it has
  std::optional<TimeFunction> drive;      // of a coordinate or a joint: likewise
  bool stop = false;                      // what is prescribed stays where it is
  bool free = false;                      // nothing is prescribed any more
  bool release = false;                   // a joint holds nothing any more

  [[nodiscard]] bool changes_motion() const { return stop || free || drive || moves(motion); }
};

struct MarkInput {  // a word on the time line of the page
  Source source;
  double at = 0;
  std::optional<double> until;
  std::string text;
};

struct RayleighInput {  // damping of everything: mass times M, stiffness times the elements' own
  Source source;
  double mass = 0;
  double stiffness = 0;
};

struct ConstraintInput {  // a formula that is kept at zero
  Source source;
  std::string name;
  std::string constraint;
};

struct PotentialInput {  // an energy typed by the user, over coordinates and parameters
  Source source;
  std::string name;
  std::string potential;
};

struct LoadInput {
  Source source;
  std::string name;
  std::string on;                               // node, body or generalised coordinate
  std::array<TimeFunction, 3> force{};          // a generalised coordinate uses the first only
  std::array<std::string, 3> formula{};         // entries that depend on coordinates: texts, in place of the function of time
  std::optional<Vec3> point;                    // of a body, in its axes, from the centre of mass: where the force acts
  std::array<TimeFunction, 3> torque{};         // on a body, in its axes
  std::array<std::string, 3> torque_formula{};  // as `formula`
  std::array<TimeFunction, 3> moment{};         // on a body, global axes: its direction stays while the body turns
  std::array<std::string, 3> moment_formula{};  // as `torque_formula`
  bool follower = false;                        // on a body: the force is in its axes and turns with it
  bool potential = false;                       // a dead load that enters V = -F.x
  double scale = 1;                             // of all of it
};

struct SensorInput {
  Source source;
  std::string name;
  // position, velocity, acceleration, angular_velocity, tilt, travel, reaction, distance, force, strain, value, multiplier,
  // formula; of a rod element section_force, section_moment, section_strain, section_curvature, stress
  std::string kind;
  std::array<std::string, 2> of;
  std::string axis;
  std::optional<double> at;  // on a rod, until it is expanded
  std::string part;          // of what acts through a joint: all, constraint, spring, damper
};

struct StabilisationInput {  // of schemes that integrate accelerations: Baumgarte's, or a projection at the end of a step
  Source source;
  std::optional<double> a, b;  // Baumgarte [1/s]
  std::string projection;      // none, s-both, s-both-m, s-pos, s-vel, s-full
  std::optional<long> times;
  std::optional<double> gamma;

  [[nodiscard]] bool given() const { return a || b || !projection.empty() || times || gamma || source.line > 0; }
};

struct TimeInput {
  Source source;
  double step = 0;
  std::optional<double> end;
  std::optional<long> steps;
  std::string scheme;
  std::map<std::string, double> parameters;    // of the scheme, as given
  std::map<std::string, std::string> options;  // likewise, those that are words
  std::string initial_acceleration = "consistent";
  bool initial_projection = false;              // onto the constraints
  std::string initial_state = "given";          // or "equilibrium": positions where all forces at t = 0 balance
  std::optional<double> max_rotation_per_step;  // rad: a step that turns a body by more is halved
  StabilisationInput stabilisation;

  [[nodiscard]] bool given() const { return source.line > 0 || !source.overrides.empty() || !scheme.empty() || step != 0; }
};

struct StaticsInput {  // how loads grow from nothing
  Source source;
  std::string method = "load";  // or "arc-length"
  long steps = 10;              // from 0 to `factor`
  double factor = 1;            // on gravity and all loads
  std::optional<double> arc;    // of arc-length: first step along the path
  long max_steps = 500;         // of arc-length
  double time = 0;              // motions and loads that are functions of time run from 0 to this one [s]

  [[nodiscard]] bool given() const { return source.line > 0 || !source.overrides.empty(); }
};

struct NewtonInput {
  Source source;
  double tolerance = 1e-10;
  double increment = 1e-12;
  long max_iterations = 30;
  std::string tangent = "exact";
};

struct OutputInput {
  Source source;
  long every = 1;
  bool csv = false;
  std::string checkpoint = "10 min";  // checkpoint_rule.hpp
};

struct Model {
  // Written out in model.cpp: two dozen lists are copied and torn down there, once, and not in every file that has a model.
  Model();
  Model(const Model&);
  Model(Model&&) noexcept;
  Model& operator=(const Model&);
  Model& operator=(Model&&) noexcept;
  ~Model();

  std::string file;
  Source source;
  std::string title;
  long format_version = 1;
  std::string plane;        // "", "xy", "xz", "yz"
  std::string formulation;  // of bodies: "" or "directors", "rotation", "euler-parameters"
  Vec3 gravity = Vec3::Zero();
  Vec3 momentum_point = Vec3::Zero();
  std::vector<NodeInput> nodes;
  std::vector<BodyInput> bodies;
  std::vector<CoordinateInput> coordinates;
  std::vector<PendulumInput> pendulums;
  std::vector<BarInput> bars;
  std::vector<SpringInput> springs;
  std::vector<PotentialInput> potentials;
  std::vector<InvariantInput> invariants;
  std::vector<ConstraintInput> constraints;
  std::vector<JointInput> joints;
  std::vector<EventInput> events;
  std::vector<MarkInput> marks;
  RayleighInput rayleigh;
  std::optional<AircraftInput> aircraft;     // until it is expanded
  std::map<std::string, double> parameters;  // names for numbers, for use in formulas
  std::vector<LoadInput> loads;
  std::vector<SensorInput> sensors;
  TimeInput time;
  StaticsInput statics;
  NewtonInput newton;
  OutputInput output;
  std::vector<RodElementInput> rod_elements;
  std::vector<RodInput> rods;  // until they are expanded
  std::vector<OwnForceInput> own_forces;

  // Index of the axis normal to the plane of the model, or -1 in space.
  [[nodiscard]] int normal_axis() const { return plane == "xy" ? 2 : plane == "xz" ? 1 : plane == "yz" ? 0 : -1; }
};

}  // namespace trompo
