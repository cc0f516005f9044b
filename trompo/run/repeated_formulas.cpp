#include "trompo/run/repeated_formulas.hpp"

#include <algorithm>
#include <numeric>
#include <vector>

#include "trompo/math/dense.hpp"
#include "trompo/math/known.hpp"

namespace trompo {

namespace {

// Gradients over places and turns, each of length one: a turn theta moves a part d of a frame by theta x d, and stands where
// the first axis does.
Eigen::MatrixXd gradients(const System& system, const State& state) {
  const Eigen::SparseMatrix<double, Eigen::RowMajor> all = system.jacobian(state.q);
  Eigen::MatrixXd rows = Eigen::MatrixXd::Zero(all.rows(), system.equations());  // turns stand where the first axis does
  for (int k = 0; k < all.rows(); ++k)
    for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(all, k); it; ++it) {
      const int c = system.free()[it.col()], b = system.body_of(c);
      if (b < 0) {
        rows(k, it.col()) += it.value();
        continue;
      }
      const RigidBody& body = system.bodies()[static_cast<std::size_t>(b)];
      const int first = body.first + 3 * ((c - body.first) / 3);
      Vec3 part = state.q.segment<3>(first);
      if (first == body.first) part -= known(body.fixed_point);
      rows.row(k).segment<3>(system.equation()[body.first + 3]) += it.value() * part.cross(Vec3::Unit(c - first)).transpose();
    }
  rows.rowwise().normalize();
  return rows;
}

}  // namespace

void refuse_repeated_formulas(const Model& model, const System& system, const State& state) {
  constexpr int affordable = 500;
  if (model.constraints.empty() || system.multipliers() > affordable) return;
  const Eigen::MatrixXd rows = gradients(system, state);
  if (pivoted_qr(rows.transpose(), 1e-10).rank == rows.rows()) return;
  const auto formula = [&](int k) {
    return std::find_if(model.constraints.begin(), model.constraints.end(),
                        [&](const ConstraintInput& c) { return c.name == system.constraint_name(k); });
  };
  std::vector<int> order(static_cast<std::size_t>(rows.rows()));
  std::iota(order.begin(), order.end(), 0);
  std::stable_partition(order.begin(), order.end(), [&](int k) { return formula(k) == model.constraints.end(); });
  std::vector<Diagnostic> found;
  Eigen::MatrixXd kept(rows.cols(), 0);
  std::vector<int> names;
  for (const int k : order) {
    const VecX row = rows.row(k).transpose();
    VecX shares = VecX::Zero(kept.cols());
    if (kept.cols() > 0) shares = least_squares(kept, row);
    const bool vanishes = !(row.norm() > 0.5);
    if (!vanishes && (row - kept * shares).norm() > 1e-9) {
      kept.conservativeResize(Eigen::NoChange, kept.cols() + 1);
      kept.rightCols<1>() = row;
      names.push_back(k);
      continue;
    }
    const auto c = formula(k);
    if (c == model.constraints.end()) continue;
    Eigen::Index most = 0;
    if (!vanishes) shares.cwiseAbs().maxCoeff(&most);
    const bool several = (shares.array().abs() > 1e-6).count() > 1;
    found.push_back(
        {Diagnostic::Severity::error, model.file, c->source.of("constraint"),
         "constraint " + in_quotes(c->name) +
             (vanishes ? " has no gradient at the start: nothing there can keep it"
                       : " repeats what " + in_quotes(system.constraint_name(names[static_cast<std::size_t>(most)])) +
                             (several ? " and others say" : " says") + " at the start: its force is not determined"),
         vanishes ? "write it so that its gradient does not vanish where it holds, or start elsewhere" : "remove it"});
  }
  if (!found.empty()) throw ModelError(std::move(found));
}

}  // namespace trompo
