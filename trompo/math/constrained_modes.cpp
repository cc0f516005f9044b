#include "trompo/math/constrained_modes.hpp"

#include <Spectra/GenEigsRealShiftSolver.h>
#include <Spectra/SymGEigsShiftSolver.h>

#include <algorithm>
#include <cmath>

#include "trompo/math/dense.hpp"

namespace trompo {

namespace {

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
  const MatX shapes = solver.eigenvectors();
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
  MatX allowed;  // columns span what the constraints allow
  MatX stiffness, mass;
};

Projected project(const Pattern& pattern, const double* stiffness, const double* mass, int moving) {
  MatX k = MatX::Zero(moving, moving), m = k, j = MatX::Zero(pattern.size() - moving, moving);
  pattern.each([&](int row, int column, int place) {
    if (column >= moving) return;
    (row < moving ? k(row, column) : j(row - moving, column)) += stiffness[place];
    if (row < moving) m(row, column) += mass[place];
  });
  MatX allowed = MatX::Identity(moving, moving);
  if (j.rows() > 0) {
    allowed = complement(j.rowwise().normalized().transpose(), 1e-10);
  }
  return {allowed, allowed.transpose() * k * allowed, allowed.transpose() * m * allowed};
}

std::vector<EigenPair> by_dense(const Projected& p, bool symmetric, double& shift) {
  std::vector<EigenPair> out;
  const auto take = [&](std::complex<double> inverse, double largest, const VecX& shape) {
    if (std::abs(inverse) > 1e-14 * largest) out.push_back({shift + 1.0 / inverse, p.allowed * shape});
  };
  // The shift goes down until it is below all w^2.
  constexpr int tries = 24;
  for (int i = 0; symmetric && i < tries; ++i, shift *= 10) {
    const MatX s = p.stiffness - shift * p.mass, even = 0.5 * (s + s.transpose());
    const std::optional<RealEigen> pairs = eigenpairs(p.mass, even);
    if (!pairs) continue;
    for (Eigen::Index e = pairs->values.size(); e-- > 0;)
      take(pairs->values[e], pairs->values.cwiseAbs().maxCoeff(), pairs->vectors.col(e));
    return out;
  }
  const ComplexEigen pairs = eigenpairs(lu_solve(p.stiffness - shift * p.mass, p.mass));
  for (Eigen::Index e = 0; e < pairs.values.size(); ++e)
    take(pairs.values[e], pairs.values.cwiseAbs().maxCoeff(), pairs.vectors.col(e));
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
