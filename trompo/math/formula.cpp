#include "trompo/math/formula.hpp"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>

#include "trompo/math/formula_rules.hpp"

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
template <int N, bool second, int room>
struct Sweep {
  enum class Shape : unsigned char { number, line, curve, plane, product, surface };
  struct Record {
    Slopes2 d;
    int a, b;
    Shape shape;
  };
  std::array<double, room> v, weight;
  std::array<Record, room> records;
  std::array<Vec<N>, second ? room : 1> gradient;

  static std::size_t at(int place) { return static_cast<std::size_t>(place); }
  [[nodiscard]] double value(int place) const { return v[at(place)]; }
  [[nodiscard]] bool varies(int place) const { return records[at(place)].shape != Shape::number; }

  void variable(int place, double x, int index) {
    v[at(place)] = x;
    records[at(place)].shape = Shape::line;
    if constexpr (second) gradient[at(place)] = Vec<N>::Unit(index);
  }
  void constant(int out, double f) {
    v[at(out)] = f;
    records[at(out)].shape = Shape::number;
  }
  void one(int out, int a, double f, const Slopes& d, Shape shape) {
    v[at(out)] = f;
    Record& r = records[at(out)];
    r.d.a = d.a;
    r.d.aa = d.aa;
    r.a = a;
    r.shape = shape;
    if constexpr (second) gradient[at(out)] = d.a * gradient[at(a)];
  }
  void two(int out, int a, int b, double f, const Slopes2& d, Shape shape) {
    v[at(out)] = f;
    records[at(out)] = {d, a, b, shape};
    if constexpr (second) gradient[at(out)] = d.a * gradient[at(a)] + d.b * gradient[at(b)];
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

  // k += x y', the lower half and what stands in the way of pairs
  static void add_product(Mat<N, N>& k, const Vec<N>& x, const Vec<N>& y) {
    for (int j = 0; j < N; ++j)
      for (int i = j & ~1; i < N; ++i) k(i, j) += x[i] * y[j];
  }
  double back(int inputs, int length, Expansion<N>& out) {
    double lost = 0;
    std::fill_n(weight.begin(), length, 0.0);
    weight[at(length - 1)] = 1;
    if constexpr (second) out.hessian.setZero();
    for (int k = length - 1; k >= inputs; --k) {
      const double w = weight[at(k)];
      const Record& r = records[at(k)];
      if (w == 0 || r.shape == Shape::number) continue;
      lost += std::abs(w * value(k));
      weight[at(r.a)] += w * r.d.a;
      if (r.shape >= Shape::plane) weight[at(r.b)] += w * r.d.b;
      if constexpr (second) {
        if (r.shape == Shape::line || r.shape == Shape::plane) continue;
        const Vec<N>& ga = gradient[at(r.a)];
        if (r.shape == Shape::curve) {
          add_product(out.hessian, ga, w * r.d.aa * ga);
          continue;
        }
        const Vec<N>& gb = gradient[at(r.b)];
        if (r.shape == Shape::product) {
          add_product(out.hessian, ga, w * gb);
          add_product(out.hessian, gb, w * ga);
        } else {
          add_product(out.hessian, ga, w * (r.d.aa * ga + r.d.ab * gb));
          add_product(out.hessian, gb, w * (r.d.ab * ga + r.d.bb * gb));
        }
      }
    }
    if constexpr (second)
      for (int j = 1; j < N; ++j)
        for (int i = 0; i < j; ++i) out.hessian(i, j) = out.hessian(j, i);
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
[[gnu::noinline]] void Formula::jet_within(double variable, Expansion<1>& out) const {
  Jets<room> machine;
  if (!inputs_.empty()) machine.variable(0, variable);
  run(machine);
  const int result = length() - 1;
  out.value = machine.value(result);
  out.gradient[0] = machine.rate(result);
  out.hessian(0, 0) = machine.curvature(result);
  out.rounding = std::numeric_limits<double>::epsilon() * machine.rounding(result);
}
Jet Formula::jet(double variable) const {
  const Expansion<1> e = derivatives<1>(Vec<1>(variable));
  return {e.value, e.gradient[0], e.hessian(0, 0)};
}

template <int N, bool second, int room>
[[gnu::noinline]] void Formula::sweep_within(const Vec<N>& values, Expansion<N>& out) const {
  Sweep<N, second, room> machine;
  const int inputs = static_cast<int>(inputs_.size());
  for (int k = 0; const int index : inputs_) machine.variable(k++, values[index], index);
  run(machine);
  double lost = machine.back(inputs, length(), out);
  out.value = machine.value(length() - 1);
  out.gradient.setZero();
  for (int k = 0; const int index : inputs_) {
    out.gradient[index] = machine.weight[static_cast<std::size_t>(k++)];
    lost += std::abs(out.gradient[index] * values[index]);
  }
  out.rounding = std::numeric_limits<double>::epsilon() * lost;
}
template <int N>
Expansion<N> Formula::derivatives(const Vec<N>& values, Order order) const {
  Expansion<N> out;
  const bool is_short = length() <= short_tape;
  if (order == Order::value)
    out.value = evaluate({values.data(), static_cast<std::size_t>(N)});
  else if (length() == 0)
    out = {0, Vec<N>::Zero(), Mat<N, N>::Zero(), 0};
  else if constexpr (N == 1)
    is_short ? jet_within<short_tape>(values[0], out) : jet_within<length_limit>(values[0], out);
  else if (order == Order::gradient)
    is_short ? sweep_within<N, false, short_tape>(values, out) : sweep_within<N, false, length_limit>(values, out);
  else
    is_short ? sweep_within<N, true, short_tape>(values, out) : sweep_within<N, true, length_limit>(values, out);
  return out;
}
template <int N>
Chord<N> Formula::chord(const Vec<N>& c0, const Vec<N>& c1, Order order) const {
  const bool second = order == Order::hessian;
  const Expansion<N> middle = derivatives<N>(0.5 * (c0 + c1), second ? Order::hessian : Order::gradient),
                     end = derivatives<N>(c1, second ? Order::gradient : Order::value);
  Chord<N> out;
  out.value0 = evaluate({c0.data(), static_cast<std::size_t>(N)});
  out.value1 = end.value;
  out.gradient = middle.gradient;
  if (second) {
    out.slope = 0.5 * middle.hessian;
    out.gradient1 = end.gradient;
  }
  // A step that is itself little more than the rounding of its ends, as in the length of a bar that only turns, has no
  // quotient.
  const Vec<N> d = c1 - c0;
  if ((d.array().abs() <= 1e-11 * (c0.array().abs() + c1.array().abs())).all()) return out;
  const auto rounding = [&](double work) {
    return middle.rounding +
           2 * std::numeric_limits<double>::epsilon() * (std::abs(out.value0) + std::abs(out.value1) + std::abs(work));
  };
  gonzalez<N>(
      d, out.value0, out.value1, rounding, [&]() -> const Vec<N>& { return end.gradient; }, out.gradient,
      second ? &out.slope : nullptr);
  return out;
}
template Expansion<1> Formula::derivatives<1>(const Vec<1>&, Order) const;
template Expansion<2> Formula::derivatives<2>(const Vec<2>&, Order) const;
template Expansion<3> Formula::derivatives<3>(const Vec<3>&, Order) const;
template Expansion<6> Formula::derivatives<6>(const Vec<6>&, Order) const;
template Expansion<12> Formula::derivatives<12>(const Vec<12>&, Order) const;
template Chord<1> Formula::chord<1>(const Vec<1>&, const Vec<1>&, Order) const;
template Chord<2> Formula::chord<2>(const Vec<2>&, const Vec<2>&, Order) const;
template Chord<3> Formula::chord<3>(const Vec<3>&, const Vec<3>&, Order) const;
template Chord<6> Formula::chord<6>(const Vec<6>&, const Vec<6>&, Order) const;
template Chord<12> Formula::chord<12>(const Vec<12>&, const Vec<12>&, Order) const;

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
