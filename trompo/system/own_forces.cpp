// Forces, masses and dampers of the caller's own code.
#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "trompo/math/dense.hpp"
#include "trompo/measure/own_measure.hpp"
#include "trompo/model/lookup.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

namespace {

VecX gathered(const std::vector<int>& at, const VecX& q) {
  VecX x(static_cast<Eigen::Index>(at.size()));
  for (std::size_t i = 0; i < at.size(); ++i) x[static_cast<Eigen::Index>(i)] = q[at[i]];
  return x;
}

// Is `given` the derivative of `f` with respect to x_j? Nobody knows how far apart two places should be here, so several
// distances are tried, and the best one counts.
template <class Function>
double best_defect(const Function& f, VecX x, int j, const VecX& given) {
  double best = std::numeric_limits<double>::infinity();
  const double centre = x[j], size = centre != 0 ? std::abs(centre) : x.cwiseAbs().maxCoeff();
  for (const double share : {1e-2, 1e-3, 1e-4, 1e-5, 1e-6, 1e-7, 1e-8}) {
    const double step = share * (size > 0 ? size : 1.0);
    x[j] = centre + step;
    const VecX above = f(x);
    x[j] = centre - step;
    const VecX slope = (above - f(x)) / (2 * step);
    const double defect = (slope - given).cwiseAbs().maxCoeff();
    if (std::isfinite(defect)) best = std::min(best, defect);
  }
  return best;
}

}  // namespace

void System::add_own_force(std::shared_ptr<const OwnFunctions> own, const std::vector<int>& coordinates) {
  const auto n = static_cast<int>(coordinates.size());
  add_elastic(OwnMeasure(own, n), potential_law, Where::at(coordinates), 1);
  if (!own->energy) workers_.push_back({own, coordinates});
  own_forces_.push_back({std::move(own), coordinates});
}

void System::add_own_mass(const Eigen::MatrixXd& mass, const std::vector<int>& coordinates) {
  for (std::size_t i = 0; i < coordinates.size(); ++i) lump(coordinates[i], mass.diagonal()[static_cast<Eigen::Index>(i)]);
  if (mass.isDiagonal(0)) return;
  Eigen::MatrixXd coupling = mass;
  coupling.diagonal().setZero();
  const Where where = Where::at(coordinates);
  own_masses_.push_back({coordinates, std::move(coupling), Places(where)});
  own_masses_.back().places.add(where);
}

double System::own_work(const VecX& q0, const VecX& q1) const {
  double sum = 0;
  for (const OwnForce& w : workers_) {
    const auto n = static_cast<int>(w.at.size());
    ScratchRoom room(static_cast<std::size_t>(2 * n));
    Scratch scratch = room.scratch();
    double *const c = scratch.take(n), *const g = scratch.take(n);
    for (const VecX* q : {&q0, &q1}) {
      for (int i = 0; i < n; ++i) c[i] = (*q)[w.at[static_cast<std::size_t>(i)]];
      w.own->force(c, g);
      for (int i = 0; i < n; ++i) {
        const int at = w.at[static_cast<std::size_t>(i)];
        sum -= 0.5 * g[i] * (q1[at] - q0[at]);
      }
    }
  }
  return sum;
}

double System::own_power(const VecX& q, const VecX& v) const {
  double sum = 0;
  for (const OwnForce& w : workers_) {
    const auto n = static_cast<int>(w.at.size());
    ScratchRoom room(static_cast<std::size_t>(2 * n));
    Scratch scratch = room.scratch();
    double *const c = scratch.take(n), *const g = scratch.take(n);
    for (int i = 0; i < n; ++i) c[i] = q[w.at[static_cast<std::size_t>(i)]];
    w.own->force(c, g);
    for (int i = 0; i < n; ++i) sum -= g[i] * v[w.at[static_cast<std::size_t>(i)]];
  }
  return sum;
}

std::string System::wrong_derivative(const VecX& q) const {
  constexpr double tolerance = 1e-4;
  for (const OwnForce& w : own_forces_) {
    const VecX x = gathered(w.at, q);
    const auto n = static_cast<int>(x.size());
    VecX g(n);
    MatX K(n, n);
    w.own->force(x.data(), g.data());
    w.own->stiffness(x.data(), K.data());
    if (!g.allFinite() || !K.allFinite()) return "own force " + in_quotes(w.own->name) + " is not finite at the start";
    const auto force = [&](const VecX& at) {
      VecX f(n);
      w.own->force(at.data(), f.data());
      return f;
    };
    const auto energy = [&](const VecX& at) { return VecX(VecX::Constant(1, w.own->energy(at.data()))); };
    const double stiffness = K.cwiseAbs().maxCoeff(), largest = g.cwiseAbs().maxCoeff();
    for (int j = 0; j < n; ++j) {
      if (const double defect = best_defect(force, x, j, K.col(j)); defect > tolerance * stiffness)
        return "own force " + in_quotes(w.own->name) + ": column " + in_quotes(names_[w.at[static_cast<std::size_t>(j)]]) +
               " of its stiffness is not the derivative of its force at the start: it is off by " + number_text(defect, 3) +
               ", where the largest entry is " + number_text(stiffness, 3);
      if (w.own->energy)
        if (const double defect = best_defect(energy, x, j, VecX::Constant(1, g[j])); defect > tolerance * largest)
          return "own force " + in_quotes(w.own->name) + ": its force on " +
                 in_quotes(names_[w.at[static_cast<std::size_t>(j)]]) +
                 " is not the derivative of its energy at the start: it is off by " + number_text(defect, 3);
    }
  }
  return {};
}

void System::add_own_forces(const Model& model) {
  for (const OwnForceInput& input : model.own_forces) {
    const Lookup ask(model, input.source, "coordinates", "own force " + in_quotes(input.name));
    if (!input.force || !input.stiffness) ask.refuse("it has no force or no stiffness", "give both functions");
    std::vector<int> at;
    for (const std::string& name : input.coordinates) {
      const std::size_t k = ask.item(model.coordinates, "coordinate", name);
      const int c = scalars_[k];
      if (std::find(at.begin(), at.end(), c) != at.end())
        ask.refuse("it names " + in_quotes(name) + " twice", "once is enough");
      if (input.mass.size() > 0 && model.coordinates[k].motion)
        ask.refuse("its mass stands on " + in_quotes(name) + ", which moves as prescribed", "leave that coordinate out of it");
      at.push_back(c);
    }
    const auto n = static_cast<Eigen::Index>(at.size());
    if (n == 0) ask.refuse("it has no coordinates", "name one at least");
    // The principal values, of a matrix that may not feed energy in.
    const auto axes_of = [&](const Eigen::MatrixXd& matrix, const char* what) {
      if (matrix.rows() != n || matrix.cols() != n)
        ask.refuse(std::string("its ") + what + " is " + std::to_string(matrix.rows()) + " x " + std::to_string(matrix.cols()) +
                       " over " + std::to_string(n) + " coordinates",
                   "a row and a column for each");
      const double largest = matrix.cwiseAbs().maxCoeff();
      if (!matrix.allFinite() || (matrix - matrix.transpose()).cwiseAbs().maxCoeff() > 1e-12 * largest)
        ask.refuse(std::string("its ") + what + " is not symmetric",
                   "what works across the rates is a load that feels them: force = \"-c*rate(u)\"");
      std::optional<RealEigen> axes = eigenpairs(matrix, MatX::Identity(n, n));
      if (!axes || axes->values[0] < -1e-12 * largest)
        ask.refuse(std::string("its ") + what + " has a negative principal value", "it would feed energy in");
      return *axes;
    };
    if (input.mass.size() > 0) {
      (void)axes_of(input.mass, "mass");
      add_own_mass(input.mass, at);
    }
    if (input.damping.size() > 0) {
      const RealEigen axes = axes_of(input.damping, "damping");
      for (Eigen::Index k = 0; k < n; ++k) {
        const VecX u = axes.vectors.col(k);
        const double c = axes.values[k] / u.squaredNorm();
        if (c > 0) add_viscous(LinearForm(std::vector<double>(u.begin(), u.end())), Where::at(at), c);
      }
    }
    add_own_force(std::make_shared<const OwnFunctions>(OwnFunctions{input.name, input.force, input.stiffness, input.energy}),
                  at);
  }
}

}  // namespace trompo
