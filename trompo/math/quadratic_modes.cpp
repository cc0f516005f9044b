#include "trompo/math/quadratic_modes.hpp"

#include <Spectra/GenEigsSolver.h>

#include <algorithm>
#include <cmath>
#include <memory>
#include <stdexcept>

#include "trompo/math/dense.hpp"
#include "trompo/math/linear_solver.hpp"

namespace trompo {

namespace {

using Sparse = Eigen::SparseMatrix<double>;
using Complex = std::complex<double>;

constexpr int dense_limit = 260;         // unknowns
constexpr double shift_share = 3e-5;     // of the highest frequency that the matrices' entries allow
constexpr double zero_share = 3e-3;      // of that: what rounding cannot tell from zero
constexpr double near_lowest = 0.7;      // of it: what is unstable may be real, and is not to be the shift itself
constexpr double largest_defect = 1e-2;  // of the work, beside its parts: what is beyond is no motion

struct Scaled {  // rows and columns to the size of the dynamic stiffness: displacements and turns compare then
  QuadraticPencil pencil;
  VecX scale;
};

// Of the entries of K and M. Where there is no stiffness, the fastest rate of C and M.
double highest_frequency(const QuadraticPencil& p) {
  VecX damping = VecX::Zero(p.mass.rows());
  for (int j = 0; j < p.damping.outerSize(); ++j)
    for (Sparse::InnerIterator e(p.damping, j); e; ++e) damping[e.row()] = std::max(damping[e.row()], std::abs(e.value()));
  double most = 0, rate = 0;
  for (Eigen::Index i = 0; i < p.mass.rows(); ++i)
    if (const double m = p.mass.coeff(i, i); m > 0) {
      most = std::max(most, std::sqrt(std::abs(p.stiffness.coeff(i, i)) / m));
      rate = std::max(rate, damping[i] / m);
    }
  return most > 0 ? most : rate > 0 ? rate : 1;
}

Scaled scaled(const QuadraticPencil& p, double shift) {
  Scaled out{p, VecX::Ones(p.mass.rows())};
  for (Eigen::Index i = 0; i < p.mass.rows(); ++i) {
    const double size = std::abs(p.stiffness.coeff(i, i)) + shift * std::abs(p.damping.coeff(i, i)) +
                        shift * shift * std::abs(p.mass.coeff(i, i));
    if (size > 0) out.scale[i] = 1 / std::sqrt(size);
  }
  const auto by = out.scale.asDiagonal();
  for (Sparse* m : {&out.pencil.mass, &out.pencil.damping, &out.pencil.stiffness}) *m = Sparse(by * *m * by);
  out.pencil.jacobian = Sparse(p.jacobian * by);
  VecX rows = VecX::Zero(p.jacobian.rows());
  for (int j = 0; j < out.pencil.jacobian.outerSize(); ++j)
    for (Sparse::InnerIterator e(out.pencil.jacobian, j); e; ++e) rows[e.row()] += e.value() * e.value();
  for (double& r : rows) r = r > 0 ? 1 / std::sqrt(r) : 1;
  out.pencil.jacobian = Sparse(rows.asDiagonal() * out.pencil.jacobian);
  return out;
}

struct Found {
  Complex inverse;  // 1 / (s - p)
  Eigen::VectorXcd shape;
};

std::vector<Found> by_dense(const QuadraticPencil& p, double shift) {
  const Eigen::Index n = p.mass.rows();
  MatX allowed = MatX::Identity(n, n);
  if (p.jacobian.rows() > 0) allowed = complement(MatX(p.jacobian).transpose(), 1e-10);
  const Eigen::Index r = allowed.cols();
  const auto onto = [&](const Sparse& a) -> MatX { return allowed.transpose() * (a * allowed); };
  const MatX m = onto(p.mass), c = onto(p.damping) + shift * m, q = onto(p.stiffness) + shift * c;
  const MatX rest = onto(p.damping) + shift * m;
  if (r == 0) return {};
  // Over z = (x, x'/shift)
  MatX right(r, 2 * r), op(2 * r, 2 * r);
  right << -rest, -shift * m;
  op.topRows(r) = lu_solve(q, right);
  op.bottomRows(r) = op.topRows(r);
  op.bottomLeftCorner(r, r).diagonal().array() += 1 / shift;
  const ComplexEigenvectors pairs = complex_eigenpairs(op);
  std::vector<Found> out;
  for (Eigen::Index e = 0; e < 2 * r; ++e) out.push_back({pairs.values[e], allowed * pairs.vectors.col(e).head(r)});
  return out;
}

// Factors of [A J^T; J 0].
class OnConstraints {
 public:
  OnConstraints(const Sparse& a, const Sparse& jacobian, const std::vector<int>& dependent) : n_(a.rows()) {
    std::vector<std::pair<int, int>> entries;
    const auto each = [&](const Sparse& matrix, const auto& use) {
      for (int j = 0; j < matrix.outerSize(); ++j)
        for (Sparse::InnerIterator e(matrix, j); e; ++e) use(static_cast<int>(e.row()), static_cast<int>(e.col()), e.value());
    };
    const int n = static_cast<int>(n_);
    each(a, [&](int i, int j, double) { entries.emplace_back(i, j); });
    each(jacobian, [&](int i, int j, double) { entries.insert(entries.end(), {{n + i, j}, {j, n + i}}); });
    pattern_ = Pattern(n + static_cast<int>(jacobian.rows()), entries);
    std::vector<int> rows;
    for (const int row : dependent) rows.push_back(n + row);
    pattern_.let_depend(std::move(rows));
    solver_ = std::make_unique<LinearSolver>(pattern_);
    solver_->set_zero();
    each(a, [&](int i, int j, double x) { solver_->values()[pattern_.slot(i, j)] += x; });
    each(jacobian, [&](int i, int j, double x) {
      solver_->values()[pattern_.slot(n + i, j)] += x;
      solver_->values()[pattern_.slot(j, n + i)] += x;
    });
    if (!solver_->factorise()) throw std::domain_error("the shifted stiffness is singular");
    right_.setZero(pattern_.size());
  }
  // x of A x + J^T l = f, J x = 0
  [[nodiscard]] auto solve(const VecX& f) {
    right_.setZero();
    right_.head(n_) = f;
    solver_->solve(right_);
    return right_.head(n_);
  }

 private:
  Eigen::Index n_;
  Pattern pattern_;
  std::unique_ptr<LinearSolver> solver_;
  VecX right_;
};

// (A - p B)^-1 B, for Spectra: one solve with the dynamic stiffness at the shift.
class ShiftedInverse {
 public:
  using Scalar = double;
  ShiftedInverse(const QuadraticPencil& p, double shift)
      : p_(p),
        shift_(shift),
        n_(p.mass.rows()),
        rest_(p.damping + shift * p.mass),
        stiffness_(Sparse(p.stiffness + shift * rest_), p.jacobian, p.dependent) {}
  [[nodiscard]] Eigen::Index rows() const { return 2 * n_; }
  [[nodiscard]] Eigen::Index cols() const { return 2 * n_; }
  void perform_op(const double* from, double* to) const {
    const Eigen::Map<const VecX> x(from, n_), y(from + n_, n_);
    const VecX moved = stiffness_.solve(-(rest_ * x) - shift_ * (p_.mass * y));
    Eigen::Map<VecX>(to + n_, n_) = x / shift_ + moved;
    Eigen::Map<VecX>(to, n_) = moved;
  }

 private:
  const QuadraticPencil& p_;
  double shift_;
  Eigen::Index n_;
  Sparse rest_;
  mutable OnConstraints stiffness_;
};

std::vector<Found> by_arnoldi(const QuadraticPencil& p, double shift, int count) {
  ShiftedInverse op(p, shift);
  const Eigen::Index n = p.mass.rows();
  const int wanted = static_cast<int>(std::min<Eigen::Index>(2 * count + 12, 2 * n - 2));
  const int basis = static_cast<int>(std::min<Eigen::Index>(2 * n, std::max(2 * wanted + 10, 40)));
  Spectra::GenEigsSolver<ShiftedInverse> solver(op, wanted, basis);
  // Twice through the operator the start keeps the constraints.
  VecX start = VecX::LinSpaced(2 * n, 1, 2), once = start;
  for (int i = 0; i < 2; ++i) op.perform_op(start.data(), once.data()), start = once.normalized();
  solver.init(start.data());
  solver.compute(Spectra::SortRule::LargestMagn, 2000, 1e-12);
  const Eigen::VectorXcd values = solver.eigenvalues();
  const Eigen::MatrixXcd vectors = solver.eigenvectors();
  std::vector<Found> out;
  for (Eigen::Index i = 0; i < values.size(); ++i) out.push_back({values[i], vectors.col(i).head(n)});
  return out;
}

// Columns of unit length, each across those before it; what is hardly anything else than these is left out.
MatX independent(const MatX& columns) {
  MatX out(columns.rows(), columns.cols());
  Eigen::Index count = 0;
  for (Eigen::Index j = 0; j < columns.cols(); ++j) {
    VecX x = columns.col(j);
    const double size = x.norm();
    for (int twice = 0; twice < 2; ++twice) x -= out.leftCols(count) * (out.leftCols(count).transpose() * x);
    if (x.norm() > 1e-8 * size && size > 0) out.col(count++) = x.normalized();
  }
  return out.leftCols(count);
}

// What K and M alone say: shapes with K x + J^T l = 0, in columns of which each has an unknown of its own that is zero in the
// others, and the least |w^2| of all other shapes. (K + p^2 M)^-1 p^2 M makes a shape less, the more the farther it lies from
// zero.
struct Survey {
  MatX free;
  double least = 0;  // 0: nothing else was seen
};

Survey survey(const QuadraticPencil& p, double shift, double zero) {
  constexpr int rounds = 12;
  const double square = shift * shift;
  OnConstraints stiffness(Sparse(p.stiffness + square * p.mass), p.jacobian, p.dependent);
  const Eigen::Index n = p.mass.rows();
  const auto pass = [&](const MatX& x) {
    MatX out(n, x.cols());
    for (Eigen::Index j = 0; j < x.cols(); ++j) out.col(j) = stiffness.solve(square * (p.mass * x.col(j)));
    return out;
  };
  for (Eigen::Index m = std::min<Eigen::Index>(n, 8);; m = std::min(n, 2 * m)) {
    MatX x(n, m);
    for (Eigen::Index j = 0; j < m; ++j)
      for (Eigen::Index i = 0; i < n; ++i)
        x(i, j) = std::sin(static_cast<double>((i + 1) * (2 * j + 1)) + 0.7 * static_cast<double>(j));
    for (int k = 0; k < rounds; ++k) x = independent(pass(x));
    Survey out{MatX(n, 0)};
    if (x.cols() == 0) return out;
    const ComplexEigenvectors pairs = complex_eigenpairs(x.transpose() * pass(x));
    MatX free(n, 2 * x.cols());
    Eigen::Index count = 0, columns = 0;
    for (Eigen::Index e = 0; e < x.cols(); ++e) {
      const double size = std::abs(pairs.values[e]) > 0 ? square * std::abs(1.0 / pairs.values[e] - 1.0) : 0;
      if (std::abs(pairs.values[e]) > 0 && size <= zero * zero) {
        free.col(columns++) = x * pairs.vectors.col(e).real();
        free.col(columns++) = x * pairs.vectors.col(e).imag();
        ++count;
      } else if (size > 0 && (out.least == 0 || size < out.least)) {
        out.least = size;
      }
    }
    if (count == m && m < n) continue;  // there may be more
    if (count == 0) return out;
    free = independent(free.leftCols(columns));
    if (free.cols() > count) free = MatX(free.leftCols(count));
    const PivotedQr own = pivoted_qr(free.transpose(), 1e-10);
    MatX rows(free.cols(), free.cols());
    for (Eigen::Index k = 0; k < free.cols(); ++k) rows.row(k) = free.row(own.columns[static_cast<std::size_t>(k)]);
    out.free = lu_solve(MatX(rows.transpose()), MatX(free.transpose())).transpose();
    return out;
  }
}

// Those of them that are motions, but for free ones. The others stand for what has neither mass nor damper, by rounding.
std::vector<ComplexMotion> motions_of(const QuadraticPencil& p, const std::vector<Found>& found, double shift, double zero) {
  double largest = 0;
  for (const Found& f : found) largest = std::max(largest, std::abs(f.inverse));
  std::vector<ComplexMotion> out;
  for (const Found& f : found) {
    if (!(std::abs(f.inverse) > 1e-14 * largest) || !(f.shape.norm() > 0)) continue;
    Complex s = shift + 1.0 / f.inverse;
    if (std::abs(s) <= zero) continue;
    if (std::abs(s.imag()) <= 1e-9 * std::abs(s)) s = s.real();
    // The forces of constraints do no work on it.
    const auto work = [&](const Sparse& a) { return (f.shape.adjoint() * (a * f.shape)).value(); };
    const Complex m = s * s * work(p.mass), c = s * work(p.damping), k = work(p.stiffness);
    if (std::abs(m + c + k) > largest_defect * (std::abs(m) + std::abs(c) + std::abs(k))) continue;
    if (s.imag() >= 0) out.push_back({s, f.shape});
  }
  return out;
}

// Where two become one, rounding takes them apart by its root, one to either side: their mean is what is right.
void join_growths(std::vector<ComplexMotion>& motions) {
  constexpr double apart = 3e-7, rounding = 1e-11;
  std::vector<double> growth;
  for (const ComplexMotion& m : motions) {
    double sum = 0;
    int count = 0;
    for (const ComplexMotion& other : motions)
      if (std::abs(other.exponent - m.exponent) <= apart * std::abs(m.exponent)) sum += other.exponent.real(), ++count;
    growth.push_back(sum / count);
  }
  for (std::size_t i = 0; i < motions.size(); ++i) {
    Complex& s = motions[i].exponent;
    if (s.imag() != 0) s = Complex(std::abs(growth[i]) <= rounding * std::abs(s) ? 0 : growth[i], s.imag());
  }
}

}  // namespace

std::vector<ComplexMotion> lowest_motions(const QuadraticPencil& pencil, int count) {
  const Eigen::Index n = pencil.mass.rows();
  if (n == 0 || count <= 0) return {};
  double shift = shift_share * highest_frequency(pencil);
  const double zero = zero_share * shift;
  const bool large = n > dense_limit && count < n / 4;
  // The nearer the shift is to the lowest exponent, the more digits that has. What K and M alone say leads there,
  Scaled all = scaled(pencil, shift);
  Survey seen = survey(all.pencil, shift, zero);
  for (int i = 0; i < 4 && seen.least > 0; ++i) {
    const double nearer = near_lowest * std::sqrt(seen.least);
    const bool there = nearer > 0.5 * shift && nearer < 2 * shift;
    shift = nearer;
    all = scaled(pencil, shift);
    if (there) break;
    seen = survey(all.pencil, shift, zero);
  }
  const auto search = [&] {
    return motions_of(all.pencil, large ? by_arnoldi(all.pencil, shift, count) : by_dense(all.pencil, shift), shift, zero);
  };
  std::vector<ComplexMotion> motions = search();
  double lowest = 0;
  for (const ComplexMotion& m : motions)
    if (const double size = std::abs(m.exponent); size > 0 && (lowest == 0 || size < lowest)) lowest = size;
  if (lowest > 0 && (near_lowest * lowest < 0.5 * shift || near_lowest * lowest > 2 * shift)) {  // but for dampers and spin
    shift = near_lowest * lowest;
    all = scaled(pencil, shift);
    motions = search();
  }
  seen = survey(all.pencil, shift, zero);
  const MatX& free = seen.free;
  join_growths(motions);
  for (Eigen::Index j = 0; j < free.cols(); ++j) motions.push_back({0, free.col(j).cast<Complex>()});
  for (ComplexMotion& motion : motions) motion.shape = all.scale.asDiagonal() * motion.shape;
  for (ComplexMotion& motion : motions) {
    Eigen::VectorXcd& x = motion.shape;
    Eigen::Index most = 0;
    x.cwiseAbs().maxCoeff(&most);
    x *= std::conj(x[most]) / std::abs(x[most]);
    const double norm = (x.adjoint() * (pencil.mass * x)).value().real();
    if (norm > 0) x /= std::sqrt(norm);
  }
  std::stable_sort(motions.begin(), motions.end(),
                   [](const ComplexMotion& a, const ComplexMotion& b) { return std::abs(a.exponent) < std::abs(b.exponent); });
  if (static_cast<int>(motions.size()) > count) motions.resize(static_cast<std::size_t>(count));
  return motions;
}

}  // namespace trompo
