// All is a polynomial of seven quadratic invariants. The secant is a product rule in them, symmetric in both ends, times their
// gradients at the middle: exact, and blind to rigid motion. With w = p x k, u = k x w and [..] the difference quotient in z
//
//   dGamma = dp + <h> du + <u> [h] dz,   du = <k> x (<p> x dk + dp x <k>) + dk x <w>,   dK = (<g> dk + <k> [g] dz)/L.
//
// Constant strain as a chart of rigid motions: V. Sonneville, A. Cardona, O. Bruls, Comput. Meth. Appl. Mech. Eng. 268 (2014).
#include "trompo/measure/helix_strain.hpp"

#include <array>
#include <cstddef>

#include "trompo/math/so3.hpp"
#include "trompo/measure/kernel.hpp"

namespace trompo {

namespace {

using C = HelixStrain::C;
using S = HelixStrain::S;
using J = HelixStrain::J;
using K = HelixStrain::K;

using Series = std::array<double, 13>;

// theta/sin theta = sum a_i z^i with a_i = i!/(3/2)_i, and (theta/sin theta - 1)/sin^2 theta, since sin^2 theta = 4z (1 - z).
constexpr Series turn_series(bool across) {
  Series g{}, h{};
  double a = 1, sum = 0;
  for (std::size_t i = 0; i < g.size(); ++i) {
    g[i] = a;
    a *= static_cast<double>(i + 1) / (static_cast<double>(i) + 1.5);
    sum += a;
    h[i] = sum / 4;
  }
  return across ? h : g;
}
constexpr Series series_g = turn_series(false), series_h = turn_series(true);

[[nodiscard]] double at(const Series& f, double z) {
  double value = 0;
  for (std::size_t i = f.size(); i-- > 0;) value = f[i] + z * value;
  return value;
}

// Between two z: the mean of both ends, the difference quotient, and the slopes of both in the second z.
struct Between {
  double mean, quotient = 0, mean_slope, quotient_slope = 0;
  Between(const Series& f, double z0, double z1) {
    double at0 = 0;
    for (std::size_t i = f.size(); i-- > 0;) {
      quotient_slope = quotient + z1 * quotient_slope;
      quotient = at0 + z1 * quotient;
      at0 = f[i] + z0 * at0;
    }
    mean = at0 + 0.5 * (z1 - z0) * quotient;
    mean_slope = 0.5 * (quotient + (z1 - z0) * quotient_slope);
  }
};

struct Invariants {
  Vec3 p, k;
  double z;
};
using Slope = Eigen::Matrix<double, 6, 7>;  // of the strains in p, k, z

// The product rule between two sets of invariants, means and quotients.
struct Step {
  Vec3 p, k, w, u, p1, k1, w1;
  Between g, h;
  Step(const Invariants& a, const Invariants& b)
      : p(0.5 * (a.p + b.p)),
        k(0.5 * (a.k + b.k)),
        p1(b.p),
        k1(b.k),
        w1(b.p.cross(b.k)),
        g(series_g, a.z, b.z),
        h(series_h, a.z, b.z) {
    const Vec3 w0 = a.p.cross(a.k);
    w = 0.5 * (w0 + w1);
    u = 0.5 * (a.k.cross(w0) + b.k.cross(w1));
  }
  [[nodiscard]] Slope slope(double L) const {
    Slope f = Slope::Zero();
    f.topLeftCorner<3, 3>() = (1 + h.mean * k.squaredNorm()) * Mat3::Identity() - h.mean * k * k.transpose();
    f.block<3, 3>(0, 3) = h.mean * (skew(k) * skew(p) - skew(w));
    f.block<3, 3>(3, 3) = g.mean / L * Mat3::Identity();
    f.topRightCorner<3, 1>() = h.quotient * u;
    f.bottomRightCorner<3, 1>() = g.quotient / L * k;
    return f;
  }
  // How slope^T s changes with the invariants at the second end.
  [[nodiscard]] Mat<7, 7> bend(const S& s, double L) const {
    const Vec3 n = s.head<3>(), m = s.tail<3>() / L, nk = n.cross(k);
    Mat<7, 7> y = Mat<7, 7>::Zero();
    const double half = 0.5 * h.mean;
    y.block<3, 3>(0, 3) = half * (2 * n * k.transpose() - k * n.transpose() - k.dot(n) * Mat3::Identity());
    y.block<3, 3>(3, 0) = half * (skew(nk) + skew(n) * skew(k1));
    y.block<3, 3>(3, 3) = -half * (skew(p) * skew(n) + skew(n) * skew(p1));
    y.block<3, 1>(0, 6) = h.mean_slope * (k.squaredNorm() * n - k.dot(n) * k);
    y.block<3, 1>(3, 6) = h.mean_slope * (nk.cross(p) + w.cross(n)) + g.mean_slope * m;
    y.block<1, 3>(6, 0) = 0.5 * h.quotient * (k1.squaredNorm() * n - k1.dot(n) * k1).transpose();
    y.block<1, 3>(6, 3) = 0.5 * (h.quotient * (n.cross(k1).cross(p1) + w1.cross(n)) + g.quotient * m).transpose();
    y(6, 6) = h.quotient_slope * n.dot(u) + g.quotient_slope * m.dot(k);
    return y;
  }
};

// The vectors that c is made of: of each frame x, d1, d2, d3.
[[nodiscard]] Vec3 part(const C& c, int frame, int vector) { return c.segment<3>(12 * frame + 3 * vector); }
[[nodiscard]] Invariants invariants(const C& c, double L) {
  const Vec3 along = (part(c, 1, 0) - part(c, 0, 0)) / L;
  Invariants a;
  a.z = 0;
  for (int i = 0; i < 3; ++i) {
    const int j = 1 + (i + 1) % 3, l = 1 + (i + 2) % 3;
    a.p[i] = 0.5 * along.dot(part(c, 0, 1 + i) + part(c, 1, 1 + i));
    a.k[i] = 0.5 * (part(c, 1, j).dot(part(c, 0, l)) - part(c, 1, l).dot(part(c, 0, j)));
    a.z += (part(c, 1, 1 + i) - part(c, 0, 1 + i)).squaredNorm() / 8;
  }
  return a;
}
// Of the seven invariants: each depends on a few of the vectors, and the gradient in one of these is a block.
struct Block {
  int invariant, first;  // coordinate
  Vec3 gradient;
};
using Blocks = std::array<Block, 30>;
[[nodiscard]] Blocks gradients(const C& c, double L) {
  Blocks out;
  auto next = out.begin();
  const auto add = [&next](int invariant, int frame, int vector, const Vec3& g) {
    *next++ = {invariant, 12 * frame + 3 * vector, g};
  };
  const Vec3 along = (part(c, 1, 0) - part(c, 0, 0)) / L;
  for (int i = 0; i < 3; ++i) {
    const int d = 1 + i, j = 1 + (i + 1) % 3, l = 1 + (i + 2) % 3;
    const Vec3 mean = (part(c, 0, d) + part(c, 1, d)) / (2 * L), apart = (part(c, 1, d) - part(c, 0, d)) / 4;
    add(i, 0, 0, -mean);
    add(i, 1, 0, mean);
    add(i, 0, d, 0.5 * along);
    add(i, 1, d, 0.5 * along);
    add(3 + i, 1, j, 0.5 * part(c, 0, l));
    add(3 + i, 0, l, 0.5 * part(c, 1, j));
    add(3 + i, 1, l, -0.5 * part(c, 0, j));
    add(3 + i, 0, j, -0.5 * part(c, 1, l));
    add(6, 0, d, -apart);
    add(6, 1, d, apart);
  }
  return out;
}
[[nodiscard]] J times(const Slope& f, const Blocks& blocks) {
  J out = J::Zero();
  for (const Block& b : blocks)
    for (int a = 0; a < 6; ++a)
      if (const double by = f(a, b.invariant); by != 0) out.block<1, 3>(a, b.first) += by * b.gradient.transpose();
  return out;
}
// A^T y B
[[nodiscard]] K congruence(const Blocks& a, const Mat<7, 7>& y, const Blocks& b) {
  Mat<24, 7> ay = Mat<24, 7>::Zero();
  for (const Block& block : a)
    for (int k = 0; k < 7; ++k) ay.block<3, 1>(block.first, k) += y(block.invariant, k) * block.gradient;
  K out = K::Zero();
  for (const Block& block : b)
    for (int i = 0; i < 3; ++i) out.col(block.first + i) += block.gradient[i] * ay.col(block.invariant);
  return out;
}
// Products of two vectors each, whose curvature is an identity between the two: of all invariants, weighed by y.
void add_hessians(const Vec<7>& y, double L, K& out) {
  const auto couple = [&out](int a, int vector, int b, int other, double by) {
    const int row = 12 * a + 3 * vector, column = 12 * b + 3 * other;
    for (int i = 0; i < 3; ++i) {
      out(row + i, column + i) += by;
      if (row != column) out(column + i, row + i) += by;
    }
  };
  for (int i = 0; i < 3; ++i) {
    const int d = 1 + i, j = 1 + (i + 1) % 3, l = 1 + (i + 2) % 3;
    for (int b = 0; b < 2; ++b) {
      couple(0, 0, b, d, -0.5 * y[i] / L);
      couple(1, 0, b, d, 0.5 * y[i] / L);
      couple(b, d, b, d, 0.25 * y[6]);
    }
    couple(1, j, 0, l, 0.5 * y[3 + i]);
    couple(1, l, 0, j, -0.5 * y[3 + i]);
    couple(0, d, 1, d, -0.25 * y[6]);
  }
}

}  // namespace

S HelixStrain::value(const C& c) const {
  const Invariants a = invariants(c, L);
  S r;
  r << a.p + at(series_h, a.z) * a.k.cross(a.p.cross(a.k)), at(series_g, a.z) / L * a.k;
  return r - reference;
}

J HelixStrain::jacobian(const C& c) const {
  const Invariants a = invariants(c, L);
  return times(Step(a, a).slope(L), gradients(c, L));
}

J HelixStrain::secant(const C& c0, const C& c1) const {
  return times(Step(invariants(c0, L), invariants(c1, L)).slope(L), gradients(0.5 * (c0 + c1), L));
}

K HelixStrain::secant_curvature(const C& c0, const C& c1, const S& s) const {
  const Step step(invariants(c0, L), invariants(c1, L));
  K out = congruence(gradients(0.5 * (c0 + c1), L), step.bend(s, L), gradients(c1, L));
  add_hessians(0.5 * (step.slope(L).transpose() * s), L, out);
  return out;
}

K HelixStrain::curvature(const C& c, const S& s) const { return secant_curvature(c, c, 2 * s); }

// Here, where the code of its functions is at hand to be made one piece.
const Kernel& HelixStrain::kernel() { return kernel_detail::Table<HelixStrain>::kernel; }

}  // namespace trompo
