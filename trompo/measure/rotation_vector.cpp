#include "trompo/measure/rotation_vector.hpp"

#include "trompo/math/rotation_chord.hpp"
#include "trompo/math/so3.hpp"

namespace trompo {

namespace {

using C = TurnedAxes::C;
using J = TurnedAxes::J;
using K = TurnedAxes::K;

Eigen::Map<const Mat3> first(const C& c) { return Eigen::Map<const Mat3>(c.data()); }
Eigen::Map<const Mat3> second(const C& c) { return Eigen::Map<const Mat3>(c.data() + 9); }

// sum G_ij dQ_ij, over the coordinates
C spread(const Mat3& G, const C& c) {
  C out;
  Eigen::Map<Mat3>{out.data()} = second(c) * G.transpose();
  Eigen::Map<Mat3>{out.data() + 9} = first(c) * G;
  return out;
}
// dQ/dc, row by row
Mat<9, 18> slopes(const C& c) {
  Mat<9, 18> D = Mat<9, 18>::Zero();
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      D.block<1, 3>(3 * i + j, 3 * i) = second(c).col(j).transpose();
      D.block<1, 3>(3 * i + j, 9 + 3 * j) = first(c).col(i).transpose();
    }
  return D;
}
// sum G_ij d2Q_ij
void add_bend(const Mat3& G, double by, K& k) {
  for (int i = 0; i < 3; ++i)
    for (int j = 0; j < 3; ++j) {
      k.block<3, 3>(3 * i, 9 + 3 * j).diagonal().array() += by * G(i, j);
      k.block<3, 3>(9 + 3 * j, 3 * i).diagonal().array() += by * G(i, j);
    }
}

J gradients(const RotationChord& chord, const C& middle) {
  J rows;
  for (int a = 0; a < 3; ++a) rows.row(a) = spread(chord.gradient(Vec3::Unit(a)), middle).transpose();
  return rows;
}

struct Ends {
  NearestRotation from, to;
  Ends(const C& c0, const C& c1) : from(TurnedAxes::products(c0)), to(TurnedAxes::products(c1), from) {}
};

void between(const void* /*phi*/, const double* c0, const double* c1, Order order, double* r0, double* r1, double* j,
             double* j1, double* /*h*/, Scratch /*scratch*/) {
  const C old = Eigen::Map<const C>(c0), now = Eigen::Map<const C>(c1);
  const Ends ends(old, now);
  Eigen::Map<Vec3>{r0} = ends.from.vector();
  Eigen::Map<Vec3>{r1} = ends.to.vector();
  Eigen::Map<J>{j} = gradients(RotationChord(ends.from, ends.to), 0.5 * (old + now));
  if (order == Order::hessian) Eigen::Map<J>{j1} = gradients(RotationChord(ends.to, ends.to), now);
}

}  // namespace

Mat3 TurnedAxes::products(const C& c) { return first(c).transpose() * second(c); }

Vec3 RotationVector::value(const C& c) const { return NearestRotation(products(c)).vector(); }

J RotationVector::secant(const C& c0, const C& c1) const {
  const Ends ends(c0, c1);
  return gradients(RotationChord(ends.from, ends.to), 0.5 * (c0 + c1));
}

K RotationVector::secant_curvature(const C& c0, const C& c1, const S& s) const {
  const Ends ends(c0, c1);
  const RotationChord chord(ends.from, ends.to);
  K k = slopes(0.5 * (c0 + c1)).transpose() * chord.slope(s) * slopes(c1);
  add_bend(chord.gradient(s), 0.5, k);
  return k;
}

bool RotationVector::jumps(const C& c0, const C& c1) {
  return NearestRotation(products(c0)).q.dot(NearestRotation(products(c1)).q) < 0;
}

const Kernel& RotationVector::kernel() {
  static constexpr Kernel with_way_on = [] {
    Kernel table = kernel_detail::Table<RotationVector>::kernel;
    table.between = between;
    return table;
  }();
  return with_way_on;
}

// s.w = (s~ Q / 2):Q'
J RelativeSpin::jacobian(const C& c) const {
  const Mat3 Q = products(c);
  J rows;
  for (int a = 0; a < 3; ++a) rows.row(a) = spread(0.5 * skew(Vec3::Unit(a)) * Q, c).transpose();
  return rows;
}

K RelativeSpin::curvature(const C& c, const S& s) const {
  const Mat3 half = 0.5 * skew(s);
  Mat<9, 9> weights = Mat<9, 9>::Zero();  // of dQ in the new weights half Q
  for (int i = 0; i < 3; ++i)
    for (int k = 0; k < 3; ++k)
      for (int j = 0; j < 3; ++j) weights(3 * i + j, 3 * k + j) = half(i, k);
  const Mat<9, 18> D = slopes(c);
  K k = D.transpose() * weights * D;
  add_bend(half * products(c), 1, k);
  return k;
}

}  // namespace trompo
