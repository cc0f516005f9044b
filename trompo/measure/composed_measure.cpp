#include "trompo/measure/composed_measure.hpp"

#include <algorithm>
#include <utility>

#include "trompo/measure/expanding_kernel.hpp"

namespace trompo {

const Kernel& ComposedMeasure::kernel() {
  static constexpr Kernel table = expanding_kernel<ComposedMeasure>();
  return table;
}

ComposedMeasure::ComposedMeasure(Formula outer, const std::vector<Formula>& inner, int coordinates) : n(coordinates) {
  auto parts = std::make_shared<Parts>();
  parts->outer = std::move(outer);
  for (const Formula& s : inner) {
    parts->inner.push_back({s, {}});
    if (s.degree() <= 2) parts->inner.back().quadratic.emplace(s, n);
  }
  parts_ = std::move(parts);
}

bool ComposedMeasure::quadratic() const {
  return parts_->outer.degree() <= 1 &&
         std::all_of(parts_->inner.begin(), parts_->inner.end(), [](const Inner& i) { return i.quadratic.has_value(); });
}

void ComposedMeasure::bend(const double* F, const double* f, const double* A, const double* B, double share, const double* bent,
                           double* out, Scratch scratch) const {
  const int parts = static_cast<int>(parts_->inner.size());
  std::fill_n(out, n * n, 0.0);
  double* const column = scratch.take(n);
  for (int j = 0; j < parts; ++j) {
    std::fill_n(column, n, 0.0);
    for (int i = 0; i < parts; ++i) add(n, F[j * parts + i], A + i * n, column);
    add_outer(n, column, B + j * n, out);
  }
  for (int i = 0; i < parts; ++i) {
    const Inner& inner = parts_->inner[static_cast<std::size_t>(i)];
    if (inner.quadratic)
      add(n * n, share * f[i], inner.quadratic->hessian.data(), out);
    else
      add(n * n, f[i], bent + i * n * n, out);
  }
}

double ComposedMeasure::expand(const double* c, double* gradient, double* hessian, Scratch scratch) const {
  const int parts = static_cast<int>(parts_->inner.size());
  double *const s = scratch.take(parts), *const G = scratch.take(parts * n);
  double* const bent = hessian != nullptr ? scratch.take(parts * n * n) : nullptr;  // of what is not quadratic
  for (int i = 0; i < parts; ++i) {
    const Inner& inner = parts_->inner[static_cast<std::size_t>(i)];
    if (inner.quadratic)
      s[i] = inner.quadratic->expand(c, G + i * n, scratch);
    else
      s[i] = inner.formula.expand(c, n, gradient != nullptr ? G + i * n : nullptr, bent != nullptr ? bent + i * n * n : nullptr)
                 .value;
  }
  if (gradient == nullptr) return parts_->outer.expand(s, parts, nullptr, nullptr).value;
  double *const f = scratch.take(parts), *const F = hessian != nullptr ? scratch.take(parts * parts) : nullptr;
  const double value = parts_->outer.expand(s, parts, f, F).value;
  transpose_times(parts, n, G, f, gradient);
  if (hessian != nullptr) bend(F, f, G, G, 1, bent, hessian, scratch);
  return value;
}

Formula::Ends ComposedMeasure::chord(const double* c0, const double* c1, double* secant, double* slope, double* gradient1,
                                     Scratch scratch) const {
  const int parts = static_cast<int>(parts_->inner.size());
  double *const s0 = scratch.take(parts), *const s1 = scratch.take(parts);
  double *const G = scratch.take(parts * n), *const G1 = scratch.take(parts * n);  // secants, and gradients at c1
  double* const bent = slope != nullptr ? scratch.take(parts * n * n) : nullptr;
  for (int i = 0; i < parts; ++i) {
    const Inner& inner = parts_->inner[static_cast<std::size_t>(i)];
    double *const g = G + i * n, *const g1 = G1 + i * n;
    if (inner.quadratic) {
      s0[i] = inner.quadratic->expand(c0, g, scratch);
      s1[i] = inner.quadratic->expand(c1, g1, scratch);
      for (int k = 0; k < n; ++k) g[k] = 0.5 * (g[k] + g1[k]);
    } else {
      const Formula::Ends e = inner.formula.chord(c0, c1, n, g, slope != nullptr ? bent + i * n * n : nullptr,
                                                  slope != nullptr ? g1 : nullptr, scratch);
      s0[i] = e.value0;
      s1[i] = e.value1;
    }
  }
  double *const f = scratch.take(parts), *const f1 = scratch.take(parts);
  double* const F = slope != nullptr ? scratch.take(parts * parts) : nullptr;
  const Formula::Ends ends = parts_->outer.chord(s0, s1, parts, f, F, slope != nullptr ? f1 : nullptr, scratch);
  transpose_times(parts, n, G, f, secant);
  if (slope != nullptr) {
    transpose_times(parts, n, G1, f1, gradient1);
    bend(F, f, G, G1, 0.5, bent, slope, scratch);
  }
  return ends;
}

}  // namespace trompo
