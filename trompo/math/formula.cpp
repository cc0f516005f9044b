#include "trompo/math/formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "trompo/math/formula_rules.hpp"
#include "trompo/math/gonzalez.hpp"
#include "trompo/math/small.hpp"

namespace trompo {

namespace {

// Nearly every formula fits in a short room, which stays in the cache; a long one gets what the limit allows.
constexpr int short_tape = 64;

// Values alone.
template <int room>
struct Values {
  std::array<double, room> v;

  [[nodiscard]] double value(int place) const { return v[static_cast<std::size_t>(place)]; }
  void set(int out, double f) { v[static_cast<std::size_t>(out)] = f; }
  void constant(int out, double f) { set(out, f); }
  void pick(int out, int from) { set(out, value(from)); }
  void line(int out, int, double f, double) { set(out, f); }
  void line(int out, int, int, double f, double, double) { set(out, f); }
  void curve(int out, int a, const auto& f, const auto&) { set(out, f(value(a))); }
  void product(int out, int a, int b) { set(out, value(a) * value(b)); }
  void surface(int out, int, int, double f, const auto&) { set(out, f); }
};

// One variable: derivatives go forward with the value, and so does an estimate of its rounding. What neither moves nor bends is
// a number even at the edge of a domain: sqrt(t^3) is at rest at t = 0 although the root's slope is infinite.
template <int room>
struct Jets {
  // Rows of one kind: a processor waits where it reads in pairs what was written one by one.
  std::array<double, room> v, d, dd, lost;

  static std::size_t at(int place) { return static_cast<std::size_t>(place); }
  [[nodiscard]] double value(int place) const { return v[at(place)]; }
  [[nodiscard]] double rate(int place) const { return d[at(place)]; }
  [[nodiscard]] double curvature(int place) const { return dd[at(place)]; }
  [[nodiscard]] double rounding(int place) const { return lost[at(place)]; }  // in units of epsilon
  [[nodiscard]] bool varies(int place) const { return rate(place) != 0 || curvature(place) != 0; }
  void set(int out, double f, double df, double ddf, double inherited) {
    v[at(out)] = f;
    d[at(out)] = df;
    dd[at(out)] = ddf;
    lost[at(out)] = inherited + std::abs(f);
  }

  void variable(int out, double x) { set(out, x, 1, 0, 0); }
  void constant(int out, double f) { set(out, f, 0, 0, 0); }
  void pick(int out, int from) { set(out, value(from), rate(from), curvature(from), rounding(from)); }
  void line(int out, int a, double f, double df) { set(out, f, df * rate(a), df * curvature(a), std::abs(df) * rounding(a)); }
  void line(int out, int a, int b, double f, double da, double db) {
    set(out, f, da * rate(a) + db * rate(b), da * curvature(a) + db * curvature(b),
        std::abs(da) * rounding(a) + std::abs(db) * rounding(b));
  }
  void curve(int out, int a, const auto& f, const auto& slopes) {
    const double x = value(a), y = f(x);
    if (!varies(a)) return constant(out, y);
    const Slopes s = slopes(x, y);
    set(out, y, s.a * rate(a), s.aa * rate(a) * rate(a) + s.a * curvature(a), std::abs(s.a) * rounding(a));
  }
  void product(int out, int a, int b) {
    set(out, value(a) * value(b), rate(a) * value(b) + value(a) * rate(b),
        curvature(a) * value(b) + 2 * rate(a) * rate(b) + value(a) * curvature(b),
        std::abs(value(b)) * rounding(a) + std::abs(value(a)) * rounding(b));
  }
  void surface(int out, int a, int b, double f, const auto& slopes) {
    if (!varies(a) && !varies(b)) return constant(out, f);
    const Slopes2 s = slopes();
    double df = 0, ddf = 0, inherited = 0;
    if (varies(a)) {
      df = s.a * rate(a);
      ddf = s.aa * rate(a) * rate(a) + s.a * curvature(a);
      inherited = std::abs(s.a) * rounding(a);
    }
    if (varies(b)) {
      df += s.b * rate(b);
      ddf += s.bb * rate(b) * rate(b) + s.b * curvature(b);
      inherited += std::abs(s.b) * rounding(b);
    }
    if (varies(a) && varies(b)) ddf += 2 * s.ab * rate(a) * rate(b);
    set(out, f, df, ddf, inherited);
  }
};

// Several variables: values go forward and leave their slopes; the weight w = d result / d place of each place then comes back.
// The weights of the variables are the gradient. Each place that is bent adds w times its own second derivatives to the
// Hessian, between the gradients of its operands, which go forward with the values: sum of w (aa ga ga' + ab (ga gb' + gb ga')
// + bb gb gb'). So a place that is linear costs nothing there.
struct Record {
  enum class Shape : unsigned char { number, line, curve, plane, product, surface };
  Slopes2 d;
  int a, b;
  Shape shape;
};

template <bool second>
struct Sweep {
  using Shape = Record::Shape;
  static constexpr int numbers_of_record = (sizeof(Record) + sizeof(double) - 1) / sizeof(double);
  // Of all memory that a tape of some length over n variables needs.
  static std::size_t size(int length, int n) {
    return static_cast<std::size_t>(length) * (2 + numbers_of_record + (second ? static_cast<std::size_t>(n) : 0)) +
           static_cast<std::size_t>(n);
  }
  int n;
  double *v, *weight, *gradients, *mixed;
  Record* records;

  Sweep(int length, int variables, Scratch scratch)
      : n(variables),
        v(scratch.take(length)),
        weight(scratch.take(length)),
        gradients(second ? scratch.take(length * n) : nullptr),
        mixed(scratch.take(n)),
        records(reinterpret_cast<Record*>(scratch.take(length * numbers_of_record))) {}

  [[nodiscard]] double value(int place) const { return v[place]; }
  [[nodiscard]] double* gradient(int place) { return gradients + static_cast<std::ptrdiff_t>(place) * n; }
  [[nodiscard]] bool varies(int place) const { return records[place].shape != Shape::number; }

  void variable(int place, double x, int index) {
    v[place] = x;
    records[place].shape = Shape::line;
    if constexpr (second) {
      std::fill_n(gradient(place), n, 0.0);
      gradient(place)[index] = 1;
    }
  }
  void constant(int out, double f) {
    v[out] = f;
    records[out].shape = Shape::number;
  }
  void one(int out, int a, double f, const Slopes& d, Shape shape) {
    v[out] = f;
    Record& r = records[out];
    r.d.a = d.a;
    r.d.aa = d.aa;
    r.a = a;
    r.shape = shape;
    if constexpr (second) scale(n, d.a, gradient(a), gradient(out));
  }
  void two(int out, int a, int b, double f, const Slopes2& d, Shape shape) {
    v[out] = f;
    records[out] = {d, a, b, shape};
    if constexpr (second) blend(n, d.a, gradient(a), d.b, gradient(b), gradient(out));
  }

  void pick(int out, int from) { line(out, from, value(from), 1); }
  void line(int out, int a, double f, double df) {
    if (!varies(a)) return constant(out, f);
    one(out, a, f, {df, 0}, Shape::line);
  }
  void line(int out, int a, int b, double f, double da, double db) {
    if (!varies(b)) return line(out, a, f, da);
    if (!varies(a)) return line(out, b, f, db);
    two(out, a, b, f, {da, db, 0, 0, 0}, Shape::plane);
  }
  void curve(int out, int a, const auto& f, const auto& slopes) {
    const double x = value(a), y = f(x);
    if (!varies(a)) return constant(out, y);
    one(out, a, y, slopes(x, y), Shape::curve);
  }
  void product(int out, int a, int b) {
    const double x = value(a), y = value(b);
    if (!varies(b)) return line(out, a, x * y, y);
    if (!varies(a)) return line(out, b, x * y, x);
    two(out, a, b, x * y, {y, x, 0, 1, 0}, Shape::product);
  }
  void surface(int out, int a, int b, double f, const auto& slopes) {
    if (!varies(a) && !varies(b)) return constant(out, f);
    const Slopes2 d = slopes();
    if (!varies(b)) return one(out, a, f, {d.a, d.aa}, Shape::curve);
    if (!varies(a)) return one(out, b, f, {d.b, d.bb}, Shape::curve);
    two(out, a, b, f, d, Shape::surface);
  }

  // k += w x y', the lower half
  void add_product(double* k, const double* x, double w, const double* y) const {
    for (int j = 0; j < n; ++j)
      if (const double by = w * y[j]; by != 0) add(n - j, by, x + j, k + j * n + j);
  }
  double back(int inputs, int length, double* hessian) {
    double lost = 0;
    std::fill_n(weight, length, 0.0);
    weight[length - 1] = 1;
    if constexpr (second) std::fill_n(hessian, n * n, 0.0);
    for (int k = length - 1; k >= inputs; --k) {
      const double w = weight[k];
      const Record& r = records[k];
      if (w == 0 || r.shape == Shape::number) continue;
      lost += std::abs(w * value(k));
      weight[r.a] += w * r.d.a;
      if (r.shape >= Shape::plane) weight[r.b] += w * r.d.b;
      if constexpr (second) {
        if (r.shape == Shape::line || r.shape == Shape::plane) continue;
        const double* ga = gradient(r.a);
        if (r.shape == Shape::curve) {
          add_product(hessian, ga, w * r.d.aa, ga);
          continue;
        }
        const double* gb = gradient(r.b);
        if (r.shape == Shape::product) {
          add_product(hessian, ga, w, gb);
          add_product(hessian, gb, w, ga);
        } else {
          blend(n, r.d.aa, ga, r.d.ab, gb, mixed);
          add_product(hessian, ga, w, mixed);
          blend(n, r.d.ab, ga, r.d.bb, gb, mixed);
          add_product(hessian, gb, w, mixed);
        }
      }
    }
    if constexpr (second)
      for (int j = 1; j < n; ++j)
        for (int i = 0; i < j; ++i) hessian[j * n + i] = hessian[i * n + j];
    return lost;
  }
};

}  // namespace

template <class Machine>
void Formula::run(Machine& machine) const {
  int out = static_cast<int>(inputs_.size());
  for (const Instruction& i : tape_) step(i, out++, machine);
}

double Formula::fold(const Instruction& i, double a, double b, double c) {
  Values<4> machine{{a, b, c, 0}};
  step(i, 3, machine);
  return machine.value(3);
}

template <int room>
[[gnu::noinline]] double Formula::value_within(std::span<const double> variables) const {
  Values<room> machine;
  for (int k = 0; const int index : inputs_) machine.set(k++, variables[static_cast<std::size_t>(index)]);
  run(machine);
  return machine.value(length() - 1);
}
double Formula::evaluate(std::span<const double> variables) const {
  if (length() == 0) return 0;
  return length() <= short_tape ? value_within<short_tape>(variables) : value_within<length_limit>(variables);
}

template <int room>
[[gnu::noinline]] Formula::Value Formula::jet_within(double variable, double& rate, double& curvature) const {
  Jets<room> machine;
  if (!inputs_.empty()) machine.variable(0, variable);
  run(machine);
  const int result = length() - 1;
  rate = machine.rate(result);
  curvature = machine.curvature(result);
  return {machine.value(result), std::numeric_limits<double>::epsilon() * machine.rounding(result)};
}
Jet Formula::jet(double variable) const {
  Jet out;
  out.value = expand(&variable, 1, &out.rate, &out.curvature).value;
  return out;
}

template <bool second, std::size_t room>
[[gnu::noinline]] Formula::Value Formula::sweep_within(const double* x, int n, double* gradient, double* hessian) const {
  ScratchRoom<room> memory(Sweep<second>::size(length(), n));
  Sweep<second> machine(length(), n, memory.scratch());
  const int inputs = static_cast<int>(inputs_.size());
  for (int k = 0; const int index : inputs_) machine.variable(k++, x[index], index);
  run(machine);
  double lost = machine.back(inputs, length(), hessian);
  std::fill_n(gradient, n, 0.0);
  for (int k = 0; const int index : inputs_) {
    gradient[index] = machine.weight[k++];
    lost += std::abs(gradient[index] * x[index]);
  }
  return {machine.value(length() - 1), std::numeric_limits<double>::epsilon() * lost};
}
Formula::Value Formula::expand(const double* x, int n, double* gradient, double* hessian) const {
  if (gradient == nullptr) return {evaluate({x, static_cast<std::size_t>(n)}), 0};
  if (length() == 0) {
    std::fill_n(gradient, n, 0.0);
    if (hessian != nullptr) std::fill_n(hessian, n * n, 0.0);
    return {0, 0};
  }
  if (n == 1) {
    double curvature = 0;
    double& bend = hessian != nullptr ? *hessian : curvature;
    return length() <= short_tape ? jet_within<short_tape>(*x, *gradient, bend) : jet_within<length_limit>(*x, *gradient, bend);
  }
  constexpr std::size_t little = 2048, much = 131072;  // numbers on the stack
  if (hessian == nullptr)
    return Sweep<false>::size(length(), n) <= little ? sweep_within<false, little>(x, n, gradient, hessian)
                                                     : sweep_within<false, much>(x, n, gradient, hessian);
  return Sweep<true>::size(length(), n) <= little ? sweep_within<true, little>(x, n, gradient, hessian)
                                                  : sweep_within<true, much>(x, n, gradient, hessian);
}
namespace {
// `size` is a number, or std::integral_constant: with one variable, as often, there is nothing to loop over.
template <class Size>
Formula::Ends chord_of(const Formula& formula, Size size, const double* x0, const double* x1, double* secant, double* slope,
                       double* gradient1, Scratch scratch) {
  const int n = size;
  double *const middle = scratch.take(n), *const d = scratch.take(n);
  blend(n, 0.5, x0, 0.5, x1, middle);
  subtract(n, x1, x0, d);
  const Formula::Value m = formula.expand(middle, n, secant, slope);
  const Formula::Ends ends{formula.evaluate({x0, static_cast<std::size_t>(n)}),
                           formula.expand(x1, n, gradient1, nullptr).value};
  if (slope != nullptr)
    for (int i = 0; i < n * n; ++i) slope[i] *= 0.5;
  // A step that is itself little more than the rounding of its ends, as in the length of a bar that only turns, has no
  // quotient.
  bool moves = false;
  for (int i = 0; i < n; ++i) moves = moves || !(std::abs(d[i]) <= 1e-11 * (std::abs(x0[i]) + std::abs(x1[i])));
  if (!moves) return ends;
  const double rounding = m.rounding + 2 * std::numeric_limits<double>::epsilon() *
                                           (std::abs(ends.value0) + std::abs(ends.value1) + std::abs(dot(n, secant, d)));
  gonzalez(n, d, ends.value0, ends.value1, rounding, gradient1, secant, slope, scratch);
  return ends;
}
}  // namespace
Formula::Ends Formula::chord(const double* x0, const double* x1, int n, double* secant, double* slope, double* gradient1,
                             Scratch scratch) const {
  if (n == 1) return chord_of(*this, std::integral_constant<int, 1>(), x0, x1, secant, slope, gradient1, scratch);
  return chord_of(*this, n, x0, x1, secant, slope, gradient1, scratch);
}

int Formula::degree() const {
  std::vector<int> degrees(inputs_.size(), 1);
  for (const Instruction& i : tape_) {
    const auto of = [&](int place) { return degrees[static_cast<std::size_t>(place)]; };
    const int degree = [&] {
      switch (i.op) {
        case Op::number: return 0;
        case Op::add:
        case Op::subtract: return std::max(of(i.a), of(i.b));
        case Op::negate:
        case Op::add_number:
        case Op::number_minus:
        case Op::times_number:
        case Op::over_number: return of(i.a);
        case Op::multiply: return of(i.a) + of(i.b);
        case Op::square: return 2 * of(i.a);
        default: return 3;
      }
    }();
    degrees.push_back(std::min(degree, 3));
  }
  return degrees.empty() ? 0 : degrees.back();
}

std::vector<int> Formula::compact() { return compact({this, 1}); }

std::vector<int> Formula::compact(std::span<Formula> formulas) {
  std::vector<int> used;
  for (Formula& formula : formulas)
    for (int& input : formula.inputs_) {
      const auto found = std::find(used.begin(), used.end(), input);
      const auto index = found - used.begin();
      if (found == used.end()) used.push_back(input);
      input = static_cast<int>(index);
    }
  return used;
}

}  // namespace trompo
