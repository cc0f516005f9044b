// Loads that are formulas of places and rates, F(c, c', t), and torques and moments that are formulas at all.
//
//   at an instant   F(q, v, t)
//   interval        F* = (F(c0, rho, t0) + F(c1, rho, t1))/2, with one rate rho for both ends, that of the interval: dc/h of a
//                   coordinate, (phi1 - phi0)/h of an invariant, w/h of a body that turns by Cayley's map of w. A force that at
//                   no place works with its rate, such as drag, then takes energy in every step whatever its length, and one
//                   across the velocity does no work.
//
// A torque T about body axes does the work T.2c over an interval, a moment m the work m.w: they act on the rotation itself, as
// RotationSteps has it. Elsewhere m is half of m x d_k on each axis. There is no potential behind these loads.
#pragma once

#include <memory>
#include <string>
#include <vector>

#include "trompo/model/rate_scope.hpp"
#include "trompo/system/scatter.hpp"

namespace trompo {

// Where rates are taken: at an instant those of a state, in an interval its increments over h.
struct Rates {
  const VecX& v;
  const VecX *q0 = nullptr, *q1 = nullptr;  // of an interval
  double h = 0;
  [[nodiscard]] bool interval() const { return q0 != nullptr; }
};

struct RateLoad {
  enum class Kind {
    coordinate,
    force,
    follower,
    torque,
    moment
  };  // on one coordinate; on a body: in space, in its axes; likewise
  Kind kind = Kind::coordinate;
  int on = 0;  // the coordinate, or the first one of the body
  int body = -1, axis = 0;
  Vec3 point = Vec3::Zero();  // of a force on a body
  RateFormula value;
  [[nodiscard]] bool turns() const { return kind == Kind::torque || kind == Kind::moment; }
};

class RateLoads {
 public:
  void add(RateLoad load);
  [[nodiscard]] bool empty() const { return all_.empty(); }

  void couple(const Numbering& numbering, Entries& entries) const;
  void connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& indices) const;

  // Adds the forces at one place; in an interval without torques and moments,
  void at(const VecX& q, const Rates& rates, VecX& load) const;
  // which are these there, times a share: in body axes, and in space.
  void moments(const VecX& q, const Rates& rates, double share, std::vector<Vec3>& torque, std::vector<Vec3>& moment) const;
  // Adds factor dF/dq + rate_factor dF/dv; in an interval factor dF/dq1, of F at its new end or at its old one. There what acts
  // on a rotation is brought to the equations by `back`, one matrix a body.
  struct Slopes {
    double factor, rate_factor = 0;
    bool old_end = false;
    const std::vector<Mat3>* back = nullptr;
  };
  void add_tangent(const VecX& q, const Rates& rates, const Slopes& wanted, Assembly& out) const;

 private:
  struct Term {
    RateLoad load;
    Places on, of;                        // what is loaded; what is looked at
    std::vector<std::vector<int>> place;  // of each argument: where its coordinates stand in `of`
    [[nodiscard]] int columns() const { return of.arguments(); }
  };
  // The value, and unless null its slopes by the coordinates that are looked at, and by their rates.
  double value(const Term& term, const VecX& q, const Rates& rates, double* by_place, double* by_rate, bool old_end,
               Scratch scratch) const;
  // What a unit of the load is on the coordinates that are loaded, and its slopes by those that are looked at, column by
  // column.
  static void direction(const Term& term, const VecX& q, double* f, double* slopes);
  [[nodiscard]] static std::size_t scratch_size(const Term& term);
  std::vector<Term> all_;
  std::size_t scratch_ = 0;
};

}  // namespace trompo
