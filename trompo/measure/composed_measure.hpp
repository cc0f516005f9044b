// A measure typed over invariants: r = F(s(c)), F a formula of up to M inner coordinates s, each of them a formula of N raw
// ones.
//
// Its secant is that of F in the s times that of each s in the c: J* = F*(s0, s1) S*(c0, c1). F* is Gonzalez' (in one s: the
// difference quotient). A quadratic s has S* = its gradient at the midpoint, exactly; any other Gonzalez' correction. So over
// dot products of differences of positions the work is exact and J* is blind to rigid motion: energy, linear and angular
// momentum are kept (O. Gonzalez, J. Nonlinear Sci. 6, 1996).
#pragma once

#include <array>
#include <cassert>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "trompo/math/formula.hpp"
#include "trompo/math/quadratic_form.hpp"
#include "trompo/measure/typed_measure.hpp"

namespace trompo {

template <int N, int M>
class ComposedMeasure : public TypedMeasure<ComposedMeasure<N, M>, N> {
 public:
  using C = Vec<N>;
  using K = Mat<N, N>;

  // `outer` uses variables 0, 1 ... for `inner`, of which there are at most M; these use variables 0 ... N-1.
  ComposedMeasure(Formula outer, const std::vector<Formula>& inner) {
    assert(inner.size() <= M);
    auto parts = std::make_shared<Parts>();
    parts->outer = std::move(outer);
    for (const Formula& s : inner) {
      parts->inner.push_back({s, {}});
      if (s.degree() <= 2) parts->inner.back().quadratic.emplace(s);
    }
    parts_ = std::move(parts);
  }

  [[nodiscard]] Expansion<N> expand(const C& c, Order order) const {
    Vec<M> s = Vec<M>::Zero();
    Mat<N, M> G = Mat<N, M>::Zero();
    std::array<K, M> bent;  // Hessians of what is not quadratic
    for (std::size_t i = 0; i < parts_->inner.size(); ++i) {
      const Inner& inner = parts_->inner[i];
      const auto column = static_cast<Eigen::Index>(i);
      if (inner.quadratic) {
        C gradient;
        inner.quadratic->expand(c, s[column], gradient);
        G.col(column) = gradient;
      } else {
        const Expansion<N> e = inner.formula.template derivatives<N>(c, order);
        s[column] = e.value;
        if (order != Order::value) G.col(column) = e.gradient;
        if (order == Order::hessian) bent[i] = e.hessian;
      }
    }
    const Expansion<M> F = parts_->outer.template derivatives<M>(s, order);
    Expansion<N> out;
    out.value = F.value;
    if (order != Order::value) {
      out.gradient.noalias() = G * F.gradient;
      out.rounding = F.rounding;
    }
    if (order == Order::hessian) {
      out.hessian.noalias() = Mat<N, M>(G * F.hessian) * G.transpose();
      for (std::size_t i = 0; i < parts_->inner.size(); ++i)
        out.hessian += F.gradient[static_cast<Eigen::Index>(i)] * curvature_of(i, 1, bent[i]);
    }
    return out;
  }

  [[nodiscard]] Chord<N> chord(const C& c0, const C& c1, Order order) const {
    Vec<M> s0 = Vec<M>::Zero(), s1 = Vec<M>::Zero();
    Mat<N, M> G = Mat<N, M>::Zero(), G1 = Mat<N, M>::Zero();  // secants, and gradients at c1
    std::array<K, M> bent;
    for (std::size_t i = 0; i < parts_->inner.size(); ++i) {
      const Inner& inner = parts_->inner[i];
      const auto column = static_cast<Eigen::Index>(i);
      if (inner.quadratic) {
        C g0, g1;
        inner.quadratic->expand(c0, s0[column], g0);
        inner.quadratic->expand(c1, s1[column], g1);
        G.col(column) = 0.5 * (g0 + g1);
        G1.col(column) = g1;
      } else {
        const Chord<N> e = inner.formula.template chord<N>(c0, c1, order);
        s0[column] = e.value0;
        s1[column] = e.value1;
        G.col(column) = e.gradient;
        if (order != Order::hessian) continue;
        G1.col(column) = e.gradient1;
        bent[i] = e.slope;
      }
    }
    const Chord<M> F = parts_->outer.template chord<M>(s0, s1, order);
    Chord<N> out;
    out.value0 = F.value0;
    out.value1 = F.value1;
    out.gradient.noalias() = G * F.gradient;
    if (order == Order::hessian) {
      out.gradient1.noalias() = G1 * F.gradient1;
      out.slope.noalias() = Mat<N, M>(G * F.slope) * G1.transpose();
      for (std::size_t i = 0; i < parts_->inner.size(); ++i)
        out.slope += F.gradient[static_cast<Eigen::Index>(i)] * curvature_of(i, 0.5, bent[i]);
    }
    return out;
  }

 private:
  struct Inner {
    Formula formula;
    std::optional<QuadraticForm<N>> quadratic;
  };
  struct Parts {
    Formula outer;
    std::vector<Inner> inner;
  };
  [[nodiscard]] K curvature_of(std::size_t i, double share, const K& bent) const {
    return parts_->inner[i].quadratic ? K(share * parts_->inner[i].quadratic->hessian) : bent;
  }

  std::shared_ptr<const Parts> parts_;  // terms are copied
};

}  // namespace trompo
