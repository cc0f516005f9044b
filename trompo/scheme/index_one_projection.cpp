// The way back to the constraints.
#include <fmt/format.h>

#include "trompo/scheme/index_one.hpp"

namespace trompo {

Stabilisation unstabilised() { return {0, 0, Stabilisation::Projection::none, 0}; }
Stabilisation baumgarte(double a, double b) { return {a, b, Stabilisation::Projection::none, 0}; }

std::string words(const Stabilisation& s) {
  static constexpr const char* names[] = {"none", "s-both", "s-both-m", "s-pos", "s-vel", "s-full"};
  if (s.a != 0 || s.b != 0) return fmt::format("baumgarte a = {:g}, b = {:g}", s.a, s.b);
  const std::string share = s.gamma == 1 ? "" : fmt::format(", gamma = {:g}", s.gamma);
  return s.projects() ? fmt::format("{} x {}{}", names[static_cast<int>(s.projection)], s.times, share) : names[0];
}

void IndexOne::least_change(const VecX& defect) {
  right_.head(size()).setZero();
  right_.tail(rows()) = defect;
  solver_.solve(right_);
}

// d(phi')/dy times a shift: gamma is a quadratic form of the rates, and this its polar form. The shift is brought to the size
// of the rates, or its share would drown in rounding.
void IndexOne::find_twist(double t, const Numbers& rate, const Numbers& shift) {
  const double size = shift.norm();
  twist_.setZero();
  if (size == 0) return;
  const double scale = (rate.norm() > 0 ? rate.norm() : 1.0) / size;
  const auto tried = [&](double by, VecX& gamma) {
    tried_rate_ = rate + by * shift;
    place_rates(tried_rate_);
    bend_frames(t, tried_rate_);
    assembly_.tangent = nullptr;
    system_->acceleration_rows(q_, v_, given_, frame_rows_, assembly_);
    take_gamma(tried_rate_, gamma);
  };
  tried(scale, gamma_);
  tried(-scale, other_gamma_);
  place_rates(rate);
  twist_ = (gamma_ - other_gamma_) / (4 * scale);
}

NewtonEnd IndexOne::project_once(double t, Result y, Result rate) {
  using Projection = Stabilisation::Projection;
  const Projection kind = stabilisation_.projection;
  place(t, y, rate);
  find_constraint_errors(y, rate);
  if (!factorise(y, kind == Projection::both_by_mass)) return gap_.allFinite() ? NewtonEnd::singular : NewtonEnd::not_finite;
  shift_.setZero();
  if (kind != Projection::velocity) {
    least_change(gap_);
    shift_ = stabilisation_.gamma * right_.head(size());
  }
  if (kind != Projection::position) {
    if (kind == Projection::full) {
      find_twist(t, rate, shift_);
      error_rate_ -= twist_;
    }
    least_change(error_rate_);
    rate -= stabilisation_.gamma * right_.head(size());
  }
  y -= shift_;
  return y.allFinite() && rate.allFinite() ? NewtonEnd::converged : NewtonEnd::not_finite;
}

NewtonEnd IndexOne::project(double t, Result y, Result rate) {
  if (rows() == 0 || !stabilisation_.projects()) return NewtonEnd::converged;
  for (int i = 0; i < stabilisation_.times; ++i)
    if (const NewtonEnd end = project_once(t, y, rate); end != NewtonEnd::converged) return end;
  return NewtonEnd::converged;
}

}  // namespace trompo
