// A measure as laws, rules and roles see it: a table of functions over sizes known when the program runs, which write into the
// caller's memory. `kernel_of<M>()` makes it from the five functions of measure.hpp, and is all that a new measure
// instantiates; measures of any number of coordinates, such as formulas, write theirs by hand.
//
// J has a row of n numbers for each component; K and H are n columns of n. Curvatures are linear in s: a factor goes there.
#pragma once

#include "trompo/math/expansion.hpp"
#include "trompo/math/scratch.hpp"
#include "trompo/math/small.hpp"
#include "trompo/measure/measure.hpp"

namespace trompo {

// What a measure may look at. Those that there are look at the place alone.
struct Instant {
  const double* c;
  const double* rate = nullptr;  // null: at rest
  double t = 0;
};

struct Kernel {
  int components;
  bool linear;     // no curvature
  bool quadratic;  // all gradients of a step agree
  bool rates;      // looks at rates: `at` writes its slope in them too
  bool expands;    // scalar, and finds its curvature for s = 1 together with the rest: in H
  int (*coordinates)(const void* phi);
  int (*scratch)(const void* phi);  // numbers that it wants for itself
  void (*value)(const void* phi, const double* c, double* r, Scratch scratch);
  // r, and from Order::gradient on J and, for who looks at rates, dr/dc'; Order::hessian wants H as well.
  void (*at)(const void* phi, const Instant& at, Order order, double* r, double* J, double* J_rate, double* H, Scratch scratch);
  // Both values and the secant J*; Order::hessian wants J1, at the new end, and H = dJ*/dc1 as well.
  void (*between)(const void* phi, const double* c0, const double* c1, Order order, double* r0, double* r1, double* J,
                  double* J1, double* H, Scratch scratch);
  // Of who does not expand.
  void (*add_curvature)(const void* phi, const double* c, const double* s, double* K);
  void (*add_secant_curvature)(const void* phi, const double* c0, const double* c1, const double* s, double* K);
};

// A measure behind its table: whoever has one of these can ask everything, and knows no type.
struct MeasureView {
  const Kernel* kernel;
  const void* phi;
  int n, m;

  void value(const double* c, double* r, Scratch scratch) const { kernel->value(phi, c, r, scratch); }
  [[nodiscard]] double value(const double* c, Scratch scratch) const {  // of a scalar one
    double r = 0;
    kernel->value(phi, c, &r, scratch);
    return r;
  }
  void gradient(const double* c, double* J, Scratch scratch) const {
    double* const r = scratch.take(m);
    kernel->at(phi, {c}, Order::gradient, r, J, nullptr, nullptr, scratch);
  }
  [[nodiscard]] int expansion() const { return kernel->expands ? n * n : 0; }  // numbers of H
  // After at() or between(), whose H it takes.
  void add_curvature(const double* c, const double* s, const double* H, double* K) const {
    kernel->expands ? add(n * n, *s, H, K) : kernel->add_curvature(phi, c, s, K);
  }
  void add_secant_curvature(const double* c0, const double* c1, const double* s, const double* H, double* K) const {
    kernel->expands ? add(n * n, *s, H, K) : kernel->add_secant_curvature(phi, c0, c1, s, K);
  }
};

namespace kernel_detail {

template <Measure M>
struct Table {
  static constexpr int n = M::coordinates, m = M::components;
  static constexpr bool expands = m == 1 && !is_quadratic<M>;
  using C = Vec<n>;
  using S = Vec<m>;
  using InC = Eigen::Map<const C>;
  using K = Eigen::Map<Mat<n, n>>;
  using J = Eigen::Map<Gradients<m, n>>;

  // All of a measure in one piece of code: what its functions share is then found once.
  static const M& of(const void* phi) { return *static_cast<const M*>(phi); }
  static int coordinates(const void* /*phi*/) { return n; }
  static int scratch(const void* /*phi*/) { return 0; }
  [[gnu::flatten]] static void value(const void* phi, const double* c, double* r, Scratch /*scratch*/) {
    Eigen::Map<S>{r} = of(phi).value(C(InC(c)));
  }
  [[gnu::flatten]] static void at(const void* phi, const Instant& at, Order order, double* r, double* j, double* /*J_rate*/,
                                  double* h, Scratch /*scratch*/) {
    const M& measure = of(phi);
    const C c = InC(at.c);
    Eigen::Map<S>{r} = measure.value(c);
    if (order == Order::value) return;
    J{j} = measure.jacobian(c);
    if constexpr (expands)
      if (order == Order::hessian) K{h} = measure.curvature(c, S(1.0));
  }
  [[gnu::flatten]] static void add_curvature(const void* phi, const double* c, const double* s, double* k) {
    if constexpr (requires(const M& measure, K& out) { measure.add_curvature(S(), out); })
      of(phi).add_curvature(S(Eigen::Map<const S>(s)), K{k});
    else if constexpr (!is_linear<M>)
      K{k} += of(phi).curvature(C(InC(c)), S(Eigen::Map<const S>(s)));
  }
  [[gnu::flatten]] static void between(const void* phi, const double* from, const double* to, Order order, double* r0,
                                       double* r1, double* j, double* j1, double* h, Scratch /*scratch*/) {
    const M& measure = of(phi);
    const C c0 = InC(from), c1 = InC(to);
    Eigen::Map<S>{r0} = measure.value(c0);
    Eigen::Map<S>{r1} = measure.value(c1);
    J{j} = measure.secant(c0, c1);
    if (order != Order::hessian) return;
    J{j1} = measure.jacobian(c1);
    if constexpr (expands) K{h} = measure.secant_curvature(c0, c1, S(1.0));
  }
  [[gnu::flatten]] static void add_secant_curvature(const void* phi, const double* c0, const double* c1, const double* s,
                                                    double* k) {
    if constexpr (requires(const M& measure, K& out) { measure.add_curvature(S(), out); })
      of(phi).add_curvature(S(0.5 * Eigen::Map<const S>(s)), K{k});  // quadratic: half of the curvature, which is constant
    else if constexpr (!is_linear<M>)
      K{k} += of(phi).secant_curvature(C(InC(c0)), C(InC(c1)), S(Eigen::Map<const S>(s)));
  }
  static constexpr Kernel kernel{.components = m,
                                 .linear = is_linear<M>,
                                 .quadratic = is_quadratic<M>,
                                 .rates = false,
                                 .expands = expands,
                                 .coordinates = coordinates,
                                 .scratch = scratch,
                                 .value = value,
                                 .at = at,
                                 .between = between,
                                 .add_curvature = add_curvature,
                                 .add_secant_curvature = add_secant_curvature};
};

}  // namespace kernel_detail

template <class M>
[[nodiscard]] const Kernel& kernel_of() {
  if constexpr (requires { M::kernel(); })
    return M::kernel();
  else
    return kernel_detail::Table<M>::kernel;
}

template <class M>
[[nodiscard]] MeasureView view(const M& phi) {
  const Kernel& kernel = kernel_of<M>();
  return {&kernel, &phi, kernel.coordinates(&phi), kernel.components};
}

}  // namespace trompo
