// The equations of a model: M q'' + dV/dq + R(q, q') + J^T lambda = F(q, t), phi(q, t) = 0 on the free coordinates, the others
// held or prescribed. Time itself, where a formula uses it, is a prescribed coordinate: what it does is work of a support.
// Const after construction: threads may share it, each with a workspace of its own.
#pragma once

#include <array>
#include <cmath>
#include <deque>
#include <memory>
#include <string>
#include <vector>

#include "trompo/math/formula_domain.hpp"
#include "trompo/math/linear_solver.hpp"
#include "trompo/math/own_functions.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/math/time_function.hpp"
#include "trompo/model/model.hpp"
#include "trompo/space/rigid_body.hpp"
#include "trompo/system/attachment.hpp"
#include "trompo/system/constraint_terms.hpp"
#include "trompo/system/elastic_terms.hpp"
#include "trompo/system/joint.hpp"
#include "trompo/system/load_terms.hpp"
#include "trompo/system/rate_loads.hpp"
#include "trompo/system/viscous_terms.hpp"

namespace trompo {

struct State {
  double time = 0;
  VecX q, v;                          // all coordinates, held ones and frames of bodies too
  std::vector<Rotation> rotations{};  // of the bodies: what their frames are written from
};

struct Potentials {
  double elastic = 0;  // bars, springs, generalised potentials
  double gravity = 0;  // zero at the origin
  double loads = 0;    // dead loads declared as potential
  [[nodiscard]] double sum() const { return elastic + gravity + loads; }
  [[nodiscard]] double size() const { return std::abs(elastic) + std::abs(gravity) + std::abs(loads); }
};

// Is the model one body that turns about a fixed point in a potential of z = gamma . Lam E? Then closed forms exist for it.
struct TopScope {
  std::string refusal = "the model has no body";  // why not; empty: it is
  Vec3 gamma = Vec3::UnitZ();                     // of space
  Vec3 E = Vec3::UnitZ();                         // of the body
  double weight = 0;                              // V = weight z + curves(sign z)
  double sign = 1;
  std::vector<Formula> curves;
};

class System {
 public:
  explicit System(const Model& model);
  // A system by hand: `add` coordinates and terms, then `finish`.
  System();
  System(System&&) noexcept;
  System& operator=(System&&) noexcept;
  ~System();

  // --- construction ---
  int add_point(const std::string& name, double mass);      // first of its three coordinates
  int add_scalar(const std::string& name, double inertia);  // its coordinate
  // With 12 frame coordinates and the inertia of its axes. That these stay at right angles is for whoever moves them.
  void add_body(const std::string& name, RigidBody body);
  void add_torque(int body, int axis, TimeFunction torque, double share = 1);  // in body axes
  void add_moment(int body, int axis, TimeFunction moment, double share = 1);  // in global axes
  void lump(int coordinate, double mass) { mass_[coordinate] += mass; }
  // Spreads mass that stands at two vectors along what lies between them: T less mass/2 |va' - vb'|^2.
  void share_mass(int a, int b, double mass) {
    shared_.push_back({a, b, mass});
    shared_places_.add(Where::at({a, a + 1, a + 2, b, b + 1, b + 2}));
  }
  void prescribe(int coordinate, TimeFunction motion);  // held if constant
  void add_load(int coordinate, TimeFunction force, double share = 1);
  void add_constant_force(int coordinate, double force, bool gravity);  // with a potential -force * q
  // Terms with one parameter of their law or stress a component.
  template <class M>
  void add_elastic(const M& phi, const Law& law, const Where& where, std::span<const double> parameters) {
    terms_of(elastic_, phi, where, law).add(phi, where, parameters);
  }
  template <class M>
  void add_elastic(const M& phi, const Law& law, const Where& where, double parameter) {
    terms_of(elastic_, phi, where, law).add(phi, where, parameter);
  }
  template <class M>
  void add_viscous(const M& phi, const Where& where, std::span<const double> parameters) {
    terms_of(viscous_, phi, where).add(phi, where, parameters);
  }
  template <class M>
  void add_viscous(const M& phi, const Where& where, double parameter) {
    terms_of(viscous_, phi, where).add(phi, where, parameter);
  }
  int add_memory(const std::string& name);  // a coordinate that only `settle` moves
  // Forces of the caller's own code on these coordinates (math/own_functions.hpp), and a symmetric mass matrix over them beside
  // what they have.
  void add_own_force(std::shared_ptr<const OwnFunctions> own, const std::vector<int>& coordinates);
  void add_own_mass(const Eigen::MatrixXd& mass, const std::vector<int>& coordinates);
  void finish();  // numbers the equations

  // --- what there is ---
  [[nodiscard]] int coordinates() const { return static_cast<int>(mass_.size()); }
  // One for each free coordinate, frames of bodies among them. What is solved for is another matter
  // (scheme/frame_reduction.hpp).
  [[nodiscard]] int equations() const { return static_cast<int>(free_.size()); }
  [[nodiscard]] int multipliers() const { return static_cast<int>(constraint_names_.size()); }
  // Numbers that say where everything is: free coordinates that follow no body, and three for each rotation.
  [[nodiscard]] int freedoms() const;
  [[nodiscard]] Formulation formulation() const { return formulation_; }
  [[nodiscard]] const std::vector<RigidBody>& bodies() const { return bodies_; }
  [[nodiscard]] const std::string& body_name(int body) const { return body_names_[body]; }
  [[nodiscard]] int body_of(int coordinate) const { return body_of_[coordinate]; }  // whose rotation it follows, or -1
  [[nodiscard]] const TopScope& top() const { return top_; }
  // The matrix over some unknowns: entries that terms can write, then where they go. Masses that couple frames of different
  // bodies are terms too.
  [[nodiscard]] Entries couple(const Numbering&) const;
  [[nodiscard]] ScatterMap connect(const Numbering&, const Pattern&) const;
  [[nodiscard]] const std::vector<int>& free() const { return free_; }          // coordinate of each equation
  [[nodiscard]] const std::vector<int>& equation() const { return equation_; }  // equation of each coordinate, -1: held
  [[nodiscard]] const std::vector<double>& mass() const { return mass_; }
  [[nodiscard]] const std::string& coordinate_name(int coordinate) const { return names_[coordinate]; }
  [[nodiscard]] const std::string& constraint_name(int multiplier) const { return constraint_names_[multiplier]; }
  [[nodiscard]] double coordinate_scale(int coordinate) const { return scale_[coordinate]; }
  void set_length_scale(double length);  // size of the model, against which increments are judged
  [[nodiscard]] const std::vector<int>& nodes() const { return nodes_; }      // first coordinate of each node of the model
  [[nodiscard]] const std::vector<int>& scalars() const { return scalars_; }  // each generalised coordinate of the model
  [[nodiscard]] int bars() const { return static_cast<int>(bars_.size()); }
  [[nodiscard]] TermState bar(int index, const VecX& q) const { return bars_[index].terms->state(bars_[index].term, q); }

  // Tension of a spring with its damper; of one along the global axes what it does along one of them.
  [[nodiscard]] double spring_force(int spring, int axis, const VecX& q, const VecX& v) const;
  [[nodiscard]] double spring_energy(int spring, const VecX& q) const;
  [[nodiscard]] double joint_energy(int joint, const VecX& q) const;  // of the springs in it

  // Points of the ground that move as given: ends of springs in their order, then joints in theirs.
  struct Anchor {
    std::string name;
    int first;  // coordinate
  };
  [[nodiscard]] const std::vector<Anchor>& anchors() const { return anchors_; }
  [[nodiscard]] const std::vector<Joint>& joints() const { return joints_; }
  // Rows of joints in closed loops, which may depend on each other: somewhere, or everywhere.
  [[nodiscard]] const std::vector<int>& rows_in_loops() const { return rows_in_loops_; }
  [[nodiscard]] double largest_error_in_loops(const VecX& q) const;  // of them, relative to the sum of its absolute terms
  // `scratch` is over all coordinates, zero before and after.
  [[nodiscard]] Reaction reaction(int joint, const VecX& q, const VecX& v, const VecX& multiplier, VecX& scratch,
                                  JointPart part = JointPart::all) const;

  // --- at a point of time ---
  void torque_at(double t, std::vector<Vec3>& torque) const;  // on each body, body axes
  void moment_at(double t, std::vector<Vec3>& moment) const;  // likewise, global axes; those of constant direction
  [[nodiscard]] bool moments() const { return !moments_.empty(); }
  void add_torques(double t, const VecX& q, VecX& load) const;  // the same as forces on the axes
  // use(body, first of a row, first of a column, block) for the derivative of these forces
  template <class Use>
  void each_torque_slope(double t, const VecX& q, const Use& use) const {
    for (const Torque& given : torques_) {
      const int d = bodies_[given.body].first + 3, about = d + 3 * given.axis;
      const double half = 0.5 * given.share * given.value.value(t);
      for (int row = d; row < d + 9; row += 3) {
        use(given.body, row, row, Mat3(half * skew(q.segment<3>(about))));
        use(given.body, row, about, Mat3(-half * skew(q.segment<3>(row))));
      }
    }
  }
  [[nodiscard]] bool torques() const { return !torques_.empty(); }
  void write_frames(State& state) const;  // of the bodies, from their rotations
  [[nodiscard]] Vec3 spin(int body, const VecX& v, const Quaternion& orientation) const;
  void settle(VecX& q) const;                           // at the end of a step: what is remembered of it
  void hold(VecX& q, VecX& v) const;                    // writes the coordinates that never move
  void stop(VecX& v) const;                             // their velocities alone
  void prescribe_at(double t, VecX& q, VecX& v) const;  // writes those that move as given
  void prescribe_acceleration(double t, VecX& a) const;
  [[nodiscard]] bool moves_as_given() const { return !moving_.empty(); }  // a support, or time in a formula
  void force_at(const VecX& q, VecX& force) const;                        // dV/dq
  // F(q, v, t), potential loads not among them, torques and moments as forces on the axes; and without those that are formulas
  // of rates, and without torques. Over an interval moments go to the turns themselves, as torques do (rotation_steps.hpp).
  void load_at(double t, const VecX& q, const VecX& v, VecX& load) const;
  void load_at(double t, const VecX& q, VecX& load, bool moments = true) const;
  [[nodiscard]] const VecX& gravity() const { return gravity_; }       // constant forces with a potential
  [[nodiscard]] const VecX& potential_loads() const { return dead_; }  // likewise
  // dV/dq, dampers and constraints together: what the loads and inertia are in balance with.
  void internal_force_at(const VecX& q, const VecX& v, const VecX& multiplier, VecX& force) const;
  // Of every constraint, with its scale, and likewise of J v.
  void constraint_errors(const VecX& q, VecX& error, VecX& size) const;
  void constraint_error_rates(const VecX& q, const VecX& v, VecX& rate, VecX& size) const;
  void constraint_accelerations(const VecX& q, const VecX& v, const VecX& a, VecX& acceleration, VecX& size) const;
  void acceleration_rows(const VecX& q, const VecX& v, const VecX& given, VecX& rest, Assembly& out) const;
  [[nodiscard]] Eigen::SparseMatrix<double> jacobian(const VecX& q) const;  // of all of them, over the equations
  void multiply_mass(const VecX& x, VecX& out) const;                       // M x over the free coordinates
  // use(row, column, mass) over the equations: of the mass matrix, entry by entry
  template <class Use>
  void each_mass(const Use& use) const {
    const auto at = [&](int a, int b, double mass) {
      if (equation_[a] >= 0 && equation_[b] >= 0) use(equation_[a], equation_[b], mass);
    };
    for (const int c : free_) at(c, c, mass_[c]);
    for (const Coupling& c : couplings_) at(c.a, c.b, c.mass), at(c.b, c.a, c.mass);
    for (const SharedMass& m : shared_)
      for (int i = 0; i < 3; ++i) {
        at(m.a + i, m.b + i, m.mass), at(m.b + i, m.a + i, m.mass);
        at(m.a + i, m.a + i, -m.mass), at(m.b + i, m.b + i, -m.mass);
      }
    for (const OwnMass& m : own_masses_)
      for (std::size_t i = 0; i < m.at.size(); ++i)
        for (std::size_t j = 0; j < m.at.size(); ++j)
          if (i != j) at(m.at[i], m.at[j], m.coupling(static_cast<int>(i), static_cast<int>(j)));
  }
  [[nodiscard]] const std::deque<ElasticTerms>& elastic() const { return elastic_; }
  [[nodiscard]] const std::deque<ConstraintTerms>& constraints() const { return constraints_; }
  // Consistent masses, which couple frames of different bodies.
  [[nodiscard]] bool shares_mass() const { return !shared_.empty(); }
  [[nodiscard]] bool couples_mass() const { return shares_mass() || !own_masses_.empty(); }  // or other coordinates
  void add_shared_mass(double factor, Assembly& out) const;
  void add_shared_inertia(const VecX& x, VecX& out) const;
  [[nodiscard]] Potentials potentials(const VecX& q) const;
  [[nodiscard]] double kinetic(const VecX& v) const;                 // of all coordinates as they are
  [[nodiscard]] double kinetic(const VecX& q, const VecX& v) const;  // of nodes and bodies: no frame's change of size
  [[nodiscard]] double body_kinetic(int body, const VecX& q, const VecX& v) const;
  [[nodiscard]] double free_kinetic(const VecX& v, bool axes) const;  // without what is held, and without axes of bodies
  [[nodiscard]] Momentum momentum(const State& state, const Vec3& about) const;

  // Of forces without an energy: one of them; what they do by the mean of both ends, and their power.
  [[nodiscard]] const std::string* without_energy() const { return workers_.empty() ? nullptr : &workers_.front().own->name; }
  [[nodiscard]] double own_work(const VecX& q0, const VecX& q1) const;
  [[nodiscard]] double own_power(const VecX& q, const VecX& v) const;
  // What of the caller's own functions is not the derivative it should be at this place, in words; empty if all are.
  [[nodiscard]] std::string wrong_derivative(const VecX& q) const;

  void remove_mean_translation(VecX& increment) const;  // of the points, along axes without a support

  // --- between two points of time ---
  // dV/dq of the step by the rule; `old_force` is force_at(q0), wanted by endpoint_average with a weight
  void force_between(const Rule&, const VecX& q0, const VecX& q1, const VecX& old_force, Assembly& out) const;
  [[nodiscard]] double dissipation(const Rule&, const VecX& q0, const VecX& q1) const;
  // Adds what dampers and constraints contribute; the errors are those of the new end.
  void resist_between(const Rule&, const Motion&, Assembly& out) const;
  void constrain_between(const Rule&, const VecX& q0, const VecX& q1, const VecX& multiplier, Assembly& out) const;
  [[nodiscard]] Heat heat(const Rule&, const Motion&) const;
  [[nodiscard]] double constraint_dissipation(const Rule&, const VecX& q0, const VecX& q1, const VecX& old_multiplier,
                                              const VecX& multiplier) const;
  // Do loads depend on q?
  [[nodiscard]] bool field_loads() const { return !place_loads_.empty() || !moment_loads_.empty() || feels_rates(); }
  [[nodiscard]] bool feels_rates() const { return !rate_loads_.empty(); }                                   // and on v?
  void add_load_tangent(double t, const VecX& q, double factor, Assembly& out, bool moments = true) const;  // of load_at(t, q)
  [[nodiscard]] const RateLoads& rate_loads() const { return rate_loads_; }
  void add_rate_load_tangent(const VecX& q, const Rates& rates, const RateLoads::Slopes& wanted, Assembly& out) const {
    if (rate_loads_.empty()) return;
    out.indices = out.map->indices.data() + out.map->rates;
    rate_loads_.add_tangent(q, rates, wanted, out);
  }
  [[nodiscard]] bool dampers() const { return !viscous_.empty(); }
  // A part of the model that is not defined all along the straight way from q0 to q1, by kind and name; null if all are.
  [[nodiscard]] const std::string* undefined_between(const VecX& q0, const VecX& q1) const;

 private:
  void look_up(const Model& model);
  [[nodiscard]] double own_kinetic(const VecX& v) const;  // of what couples coordinates
  void add_formulas(const Model& model);
  void add_own_forces(const Model& model);  // own_forces.cpp
  void add_domains(const Model& model);
  void add_rods(const Model& model);
  void add_joints(const Model& model, double extent);
  [[nodiscard]] int add_anchor(const std::string& name, const Vec3& place, const Motions& motion);
  [[nodiscard]] TopScope top_scope(const Model& model) const;
  template <class Role, class Use>
  void each(const std::deque<Role>& all, std::vector<std::size_t> ScatterMap::*begin, Assembly& out, const Use& use) const;
  struct Function {
    int coordinate;
    TimeFunction value;
    double share = 1;
  };
  std::vector<double> mass_, scale_;
  std::vector<std::string> names_;
  std::vector<int> equation_, free_;
  struct Place {
    const ElasticTerms* terms;
    int term;
  };
  std::vector<int> points_;  // first coordinate of each point
  std::vector<int> nodes_, scalars_;
  std::vector<Anchor> anchors_;
  std::vector<Place> bars_;
  struct SpringPlace {  // its terms, null where it has none
    const ElasticTerms* spring = nullptr;
    const ViscousTerms* damper = nullptr;
    int spring_term = 0, damper_term = 0;
  };
  std::vector<std::array<SpringPlace, 3>> springs_;  // along the global axes, or the first for the line of the spring
  TopScope top_;
  Formulation formulation_ = Formulation::directors;
  std::vector<RigidBody> bodies_;
  std::vector<std::string> body_names_;
  struct Torque {
    int body, axis;
    TimeFunction value;
    double share;
  };
  std::vector<Torque> torques_, moments_;
  std::vector<Function> held_, moving_, loads_;
  std::deque<ElasticTerms> elastic_;
  std::deque<ViscousTerms> viscous_;
  std::deque<ConstraintTerms> constraints_;
  std::vector<std::string> constraint_names_;
  std::deque<LoadTerms> place_loads_;   // that depend on q
  std::deque<LoadTerms> moment_loads_;  // the moments, as forces on axes
  RateLoads rate_loads_;                // and on v
  VecX gravity_, dead_;                 // constant forces with a potential
  // Masses that couple coordinates: products of inertia.
  struct Coupling {
    int a, b;
    double mass;
  };
  std::vector<Coupling> couplings_;
  struct SharedMass {
    int a, b;  // first coordinates of two vectors
    double mass;
  };
  std::vector<SharedMass> shared_;
  Places shared_places_{Where::at(std::vector<int>(6))};
  struct OwnMass {  // what lies beside the diagonal
    std::vector<int> at;
    Eigen::MatrixXd coupling;
    Places places;  // one
  };
  std::deque<OwnMass> own_masses_;
  struct OwnForce {
    std::shared_ptr<const OwnFunctions> own;
    std::vector<int> at;
  };
  std::vector<OwnForce> own_forces_, workers_;  // all, and those without an energy
  std::vector<int> memories_;
  Places remembered_{Where{std::vector<Attachment>(3), {0}}};  // what each angle is measured by
  std::vector<Joint> joints_;
  Places turned_{Where{std::vector<Attachment>(6)}};  // axes of joints whose turns have springs
  std::vector<std::string> turned_names_;
  int time_ = -1;  // the coordinate that is time, if there is one
  // What has poles, or is defined in parts of space or time only.
  struct Domain {
    FormulaDomain formula;
    std::string name;
  };
  std::vector<Domain> domains_;
  struct Link {
    int a, b;  // first coordinates of two points that may not meet
    std::string name;
  };
  std::vector<Link> links_;
  std::vector<int> rows_in_loops_;
  std::vector<int> body_of_;
};

}  // namespace trompo
