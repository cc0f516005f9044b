#include "trompo/system/decay_measure.hpp"

#include <algorithm>
#include <cmath>

#include "trompo/measure/almansi_strain.hpp"
#include "trompo/measure/angle.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/measure/composed_measure.hpp"
#include "trompo/measure/coordinate.hpp"
#include "trompo/measure/distance.hpp"
#include "trompo/measure/formula_measure.hpp"
#include "trompo/measure/helix_strain.hpp"
#include "trompo/measure/joint_rows.hpp"
#include "trompo/measure/rod_strain.hpp"

namespace trompo {

namespace {

// `Other` made of the numbers that M holds, as a measure over the memory of M.
template <class M, class Other>
struct MadeOf {
  static constexpr int coordinates = Other::coordinates, components = Other::components;
  static constexpr bool quadratic = true;
  using C = Vec<coordinates>;
  using S = Vec<components>;
  M phi;
  [[nodiscard]] Other other() const {
    if constexpr (requires { phi.natural; })
      return Other(phi.natural);
    else
      return Other(phi.L);
  }
  [[nodiscard]] S value(const C& c) const { return other().value(c); }
  [[nodiscard]] auto jacobian(const C& c) const { return other().jacobian(c); }
  [[nodiscard]] auto curvature(const C& c, const S& s) const { return other().curvature(c, s); }
  [[nodiscard]] auto secant(const C& c0, const C& c1) const { return other().secant(c0, c1); }
  [[nodiscard]] auto secant_curvature(const C& c0, const C& c1, const S& s) const {
    return other().secant_curvature(c0, c1, s);
  }
};

// b.a2 cos(theta0) - b.a1 sin(theta0) of c = (b, a1, a2, theta0): the sine of what is turned in a step. theta0 is remembered
// from the old end and moves nothing.
struct SineOfTurn {
  static constexpr int coordinates = 10, components = 1;
  using C = Vec<10>;
  using S = Vec<1>;
  using J = Mat<1, 10>;
  using K = Mat<10, 10>;
  Angle angle;
  [[nodiscard]] S value(const C& c) const { return S(c.head<3>().dot(across(c))); }
  [[nodiscard]] J jacobian(const C& c) const {
    J j;
    j << across(c).transpose(), -std::sin(c[9]) * c.head<3>().transpose(), std::cos(c[9]) * c.head<3>().transpose(), 0;
    return j;
  }
  [[nodiscard]] K curvature(const C& c, const S& s) const {
    K k = K::Zero();
    for (int i = 0; i < 3; ++i) {
      k(i, 3 + i) = k(3 + i, i) = -s[0] * std::sin(c[9]);
      k(i, 6 + i) = k(6 + i, i) = s[0] * std::cos(c[9]);
    }
    return k;
  }
  [[nodiscard]] J secant(const C& c0, const C& c1) const { return jacobian(0.5 * (c0 + c1)); }
  [[nodiscard]] K secant_curvature(const C& c0, const C& /*c1*/, const S& s) const { return 0.5 * curvature(c0, s); }

 private:
  static Vec3 across(const C& c) { return std::cos(c[9]) * c.segment<3>(6) - std::sin(c[9]) * c.segment<3>(3); }
};

struct Pair {
  const Kernel *elastic, *dissipative;
};
template <class M, class Other>
Pair pair() {
  return {&kernel_of<M>(), &kernel_of<MadeOf<M, Other>>()};
}
template <class M>
Pair itself() {
  return {&kernel_of<M>(), &kernel_of<M>()};
}

const Kernel* kernel_for(const Kernel* elastic) {
  static const Pair pairs[] = {pair<EngineeringStrain, GreenStrain>(), itself<GreenStrain>(),
                               pair<LogarithmicStrain, GreenStrain>(), pair<AlmansiStrain, GreenStrain>(),
                               pair<Elongation, KeptDistance>(),       itself<CoordinateMeasure>(),
                               pair<HelixStrain, RodStrain>(),         itself<RodStrain>(),
                               itself<QuadraticRodStrain>(),           {&kernel_of<Angle>(), &kernel_of<SineOfTurn>()}};
  for (const Pair& p : pairs)
    if (p.elastic == elastic) return p.dissipative;
  return nullptr;
}

bool one_coordinate(const ElasticTerm& term) { return term.law == &potential_law && term.measure.n == 1; }

}  // namespace

MeasureView dissipative(const ElasticTerm& term) {
  const MeasureView& phi = term.measure;
  if (one_coordinate(term)) return {&kernel_of<CoordinateMeasure>(), phi.phi, 1, 1};
  if (term.law != &linear_law && term.law != &tension_only_law) return {};
  const Kernel* const kernel = kernel_for(phi.kernel);
  if (kernel == &kernel_of<MadeOf<Elongation, KeptDistance>>() && static_cast<const Elongation*>(phi.phi)->natural == 0)
    return {};
  return {kernel, phi.phi, phi.n, phi.m};
}

bool is_quadratic_measure(const MeasureView& phi) {
  if (phi.kernel == &kernel_of<FormulaMeasure>()) return static_cast<const FormulaMeasure*>(phi.phi)->formula->degree() <= 2;
  if (phi.kernel == &kernel_of<ComposedMeasure>()) return static_cast<const ComposedMeasure*>(phi.phi)->quadratic();
  return phi.kernel->quadratic;
}

void dissipative_stiffness(const ElasticTerm& term, const double* c0, double* kappa, Scratch scratch) {
  const auto [kernel, phi, n, m] = term.measure;
  double* const r = scratch.take(m);
  if (one_coordinate(term)) {
    double *const J = scratch.take(1), *const H = scratch.take(1);
    *H = 0;
    kernel->at(phi, {c0}, Order::hessian, r, J, nullptr, H, scratch);
    *kappa = std::max(0.0, term.parameters[0] * *H);
    return;
  }
  const bool slack = term.law == &tension_only_law;
  if (slack) kernel->value(phi, c0, r, scratch);
  for (int a = 0; a < m; ++a) kappa[a] = slack && r[a] <= 0 ? 0 : term.parameters[a];
}

}  // namespace trompo
