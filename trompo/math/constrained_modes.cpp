#include "trompo/math/constrained_modes.hpp"

#include <Spectra/GenEigsRealShiftSolver.h>
#include <Spectra/SymGEigsShiftSolver.h>

#include <Eigen/Cholesky>
#include <Eigen/Eigenvalues>
#include <Eigen/LU>
#include <Eigen/QR>
#include <algorithm>
#include <cmath>

namespace trompo {

namespace {

using Dense = Eigen::MatrixXd;
using Complex = std::complex<double>;

constexpr int dense_limit = 260;      // unknowns that move
constexpr double shift_share = 1e-9;  // of the largest ratio of stiffness and mass
constexpr double zero_share = 1e-5;   // of the shift: what rounding leaves of w^2 = 0

// y = A x with the values of A on the pattern
void multiply(const Pattern& pattern, const double* values, const double* x, double* y) {
  std::fill_n(y, pattern.size(), 0.0);
  pattern.each([&](int row, int column, int place) { y[row] += values[place] * x[column]; });
}

class Shifted {  // (K - s M)^-1, for Spectra
 public:
  using Scalar = double;
  Shifted(const Pattern& pattern, const double* stiffness, const double* mass)
      : pattern_(pattern), stiffness_(stiffness), mass_(mass), solver_(pattern), right_(pattern.size()) {}
  [[nodiscard]] Eigen::Index rows() const { return pattern_.size(); }
  [[nodiscard]] Eigen::Index cols() const { return pattern_.size(); }
  void set_shift(double shift) {
    for (int i = 0; i < pattern_.nonzeros(); ++i) solver_.values()[i] = stiffness_[i] - shift * mass_[i];
    if (!solver_.factorise()) throw std::domain_error("the shifted stiffness is singular");
  }
  void perform_op(const double* x, double* y) const {
    right_ = Eigen::Map<const VecX>(x, pattern_.size());
    solver_.solve(right_);
    Eigen::Map<VecX>(y, pattern_.size()) = right_;
  }

 private:
  const Pattern& pattern_;
  const double *stiffness_, *mass_;
  mutable LinearSolver solver_;
  mutable VecX right_;
};

class Masses {
 public:
  using Scalar = double;
  Masses(const Pattern& pattern, const double* mass) : pattern_(pattern), mass_(mass) {}
  [[nodiscard]] Eigen::Index rows() const { return pattern_.size(); }
  [[nodiscard]] Eigen::Index cols() const { return pattern_.size(); }
  void perform_op(const double* x, double* y) const { multiply(pattern_, mass_, x, y); }

 private:
  const Pattern& pattern_;
  const double* mass_;
};

class ShiftedTimesMass {  // (K - s M)^-1 M
 public:
  using Scalar = double;
  ShiftedTimesMass(const Pattern& pattern, const double* stiffness, const double* mass)
      : inverse_(pattern, stiffness, mass), mass_(pattern, mass), between_(pattern.size()) {}
  [[nodiscard]] Eigen::Index rows() const { return inverse_.rows(); }
  [[nodiscard]] Eigen::Index cols() const { return inverse_.cols(); }
  void set_shift(double shift) { inverse_.set_shift(shift); }
  void perform_op(const double* x, double* y) const {
    mass_.perform_op(x, between_.data());
    inverse_.perform_op(between_.data(), y);
  }

 private:
  Shifted inverse_;
  Masses mass_;
  mutable VecX between_;
};

double shift_for(const Pattern& pattern, const double* stiffness, const double* mass, int moving) {
  double most = 0;
  for (int u = 0; u < moving; ++u) {
    const int place = pattern.slot(u, u);
    if (mass[place] > 0) most = std::max(most, std::abs(stiffness[place]) / mass[place]);
  }
  return most > 0 ? -shift_share * most : -1;
}

std::vector<EigenPair> by_lanczos(const Pattern& pattern, const double* stiffness, const double* mass, int moving, int count,
                                  double shift) {
  Shifted inverse(pattern, stiffness, mass);
  Masses masses(pattern, mass);
  const int basis = std::min(moving, std::max(2 * count + 10, 30));
  Spectra::SymGEigsShiftSolver<Shifted, Masses, Spectra::GEigsMode::ShiftInvert> solver(inverse, masses, count, basis, shift);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12);
  const VecX squares = solver.eigenvalues();
  const Dense shapes = solver.eigenvectors();
  std::vector<EigenPair> out;
  for (Eigen::Index i = 0; i < squares.size(); ++i) out.push_back({squares[i], shapes.col(i).head(moving)});
  return out;
}

std::vector<EigenPair> by_arnoldi(const Pattern& pattern, const double* stiffness, const double* mass, int moving, int count,
                                  double shift) {
  ShiftedTimesMass op(pattern, stiffness, mass);
  const int basis = std::min(moving, std::max(2 * count + 12, 30));
  Spectra::GenEigsRealShiftSolver<ShiftedTimesMass> solver(op, count, basis, shift);
  solver.init();
  solver.compute(Spectra::SortRule::LargestMagn, 1000, 1e-12);
  const Eigen::VectorXcd squares = solver.eigenvalues();
  const Eigen::MatrixXcd shapes = solver.eigenvectors();
  std::vector<EigenPair> out;
  for (Eigen::Index i = 0; i < squares.size(); ++i) out.push_back({squares[i], shapes.col(i).head(moving).real()});
  return out;
}

struct Projected {
  Dense allowed;  // columns span what the constraints allow
  Dense stiffness, mass;
};

Projected project(const Pattern& pattern, const double* stiffness, const double* mass, int moving) {
  Dense k = Dense::Zero(moving, moving), m = k, j = Dense::Zero(pattern.size() - moving, moving);
  pattern.each([&](int row, int column, int place) {
    if (column >= moving) return;
    (row < moving ? k(row, column) : j(row - moving, column)) += stiffness[place];
    if (row < moving) m(row, column) += mass[place];
  });
  Dense allowed = Dense::Identity(moving, moving);
  if (j.rows() > 0) {
    Eigen::ColPivHouseholderQR<Dense> qr(j.rowwise().normalized().transpose());
    qr.setThreshold(1e-10);
    allowed = Dense(qr.householderQ()).rightCols(moving - qr.rank());
  }
  return {allowed, allowed.transpose() * k * allowed, allowed.transpose() * m * allowed};
}

std::vector<EigenPair> by_dense(const Projected& p, bool symmetric, double& shift) {
  std::vector<EigenPair> out;
  const auto take = [&](Complex inverse, double largest, const VecX& shape) {
    if (std::abs(inverse) > 1e-14 * largest) out.push_back({shift + 1.0 / inverse, p.allowed * shape});
  };
  // L^-1 M L^-T with L L^T = K - s M. The shift goes down until it is below all w^2.
  constexpr int tries = 24;
  for (int i = 0; symmetric && i < tries; ++i, shift *= 10) {
    const Dense s = p.stiffness - shift * p.mass, even = 0.5 * (s + s.transpose());
    const Eigen::LLT<Dense> factors(even);
    if (factors.info() != Eigen::Success) continue;
    const Dense half = factors.matrixL().solve(p.mass);
    const Dense inverse = factors.matrixL().solve(half.transpose());
    const Eigen::SelfAdjointEigenSolver<Dense> solver(0.5 * (inverse + inverse.transpose()));
    for (Eigen::Index e = solver.eigenvalues().size(); e-- > 0;)
      take(solver.eigenvalues()[e], solver.eigenvalues().cwiseAbs().maxCoeff(),
           factors.matrixU().solve(solver.eigenvectors().col(e)));
    return out;
  }
  const Eigen::EigenSolver<Dense> solver(Dense((p.stiffness - shift * p.mass).partialPivLu().solve(p.mass)));
  for (Eigen::Index e = 0; e < solver.eigenvalues().size(); ++e)
    take(solver.eigenvalues()[e], solver.eigenvalues().cwiseAbs().maxCoeff(), solver.eigenvectors().col(e).real());
  return out;
}

}  // namespace

std::vector<EigenPair> lowest_modes(const Pattern& pattern, const double* stiffness, const double* mass, int moving, int count,
                                    bool symmetric) {
  if (moving == 0 || count <= 0) return {};
  double shift = shift_for(pattern, stiffness, mass, moving);
  const double small = zero_share * std::abs(shift);
  std::vector<EigenPair> pairs;
  const bool large = moving > dense_limit && count < moving / 4;
  if (!large) {
    const Projected p = project(pattern, stiffness, mass, moving);
    if (p.allowed.cols() == 0) return {};
    pairs = by_dense(p, symmetric, shift);
  } else {
    pairs = symmetric ? by_lanczos(pattern, stiffness, mass, moving, count, shift)
                      : by_arnoldi(pattern, stiffness, mass, moving, count, shift);
  }
  VecX all = VecX::Zero(pattern.size()), weighed(pattern.size());
  for (EigenPair& pair : pairs) {
    if (std::abs(pair.square) <= std::max(small, 1e-13 * std::abs(shift))) pair.square = 0;
    if (std::abs(pair.square.imag()) <= 1e-9 * std::abs(pair.square)) pair.square = pair.square.real();
    all.head(moving) = pair.shape;
    multiply(pattern, mass, all.data(), weighed.data());
    const double norm = all.dot(weighed);
    if (norm > 0) pair.shape /= std::sqrt(norm);
  }
  std::stable_sort(pairs.begin(), pairs.end(),
                   [](const EigenPair& a, const EigenPair& b) { return std::abs(a.square) < std::abs(b.square); });
  // Of a pair that flutters one is enough.
  std::vector<EigenPair> out;
  for (EigenPair& pair : pairs)
    if (pair.square.imag() >= 0 && static_cast<int>(out.size()) < count) out.push_back(std::move(pair));
  return out;
}

}  // namespace trompo
