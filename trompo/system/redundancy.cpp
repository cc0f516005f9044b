#include "trompo/system/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "trompo/math/dense.hpp"
#include "trompo/model/body.hpp"

namespace trompo {

namespace {

// Joints and bodies that are left when everything that hangs on one joint alone is taken away: only loops can repeat.
struct Loops {
  std::set<std::string> bodies, joints;
};
Loops loops_of(const Model& model) {
  std::map<std::string, std::vector<std::size_t>> joints_of;
  std::vector<bool> left(model.joints.size(), false);
  std::map<std::string, int> count;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    left[j] = model.joints[j].kind != "bushing";
    for (const std::string& b : model.joints[j].bodies) {
      joints_of[b].push_back(j);
      count[b] += left[j] ? 1 : 0;
    }
  }
  std::vector<std::string> hanging;
  for (const auto& [body, joints] : count)
    if (joints == 1 && body != "ground") hanging.push_back(body);
  while (!hanging.empty()) {
    const std::string body = hanging.back();
    hanging.pop_back();
    for (const std::size_t j : joints_of[body]) {
      if (!left[j]) continue;
      left[j] = false;
      for (const std::string& b : model.joints[j].bodies)
        if (--count[b] == 1 && b != "ground") hanging.push_back(b);
    }
  }
  Loops loops;
  for (std::size_t j = 0; j < model.joints.size(); ++j) {
    if (!left[j]) continue;
    loops.joints.insert(model.joints[j].name);
    for (const std::string& b : model.joints[j].bodies)
      if (b != "ground") loops.bodies.insert(b);
  }
  return loops;
}

class LoopRows {
 public:
  LoopRows(const Model& model, const System& system, const Loops& loops)
      : system_(system), q_(VecX::Zero(system.coordinates())) {
    State state{0, q_, q_};
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const ResolvedBody body = resolve_body(model.bodies[b]);
      state.rotations.push_back({body.orientation, Vec3::Zero()});
      state.q.segment<3>(system.bodies()[b].first) = body.position;
      if (loops.bodies.contains(model.bodies[b].name))
        for (int k = 0; k < RigidBody::coordinates; ++k)
          if (const int e = system.equation()[system.bodies()[b].first + k]; e >= 0) columns_.push_back(e);
    }
    system.hold(state.q, state.v);
    system.write_frames(state);
    system.prescribe_at(0, state.q, state.v);
    q_ = state.q;
    std::vector<bool> of_loop(static_cast<std::size_t>(system.equations()), false);
    for (const int e : columns_) of_loop[static_cast<std::size_t>(e)] = true;
    const Eigen::SparseMatrix<double, Eigen::RowMajor> all = system.jacobian(q_);
    for (int k = 0; k < all.rows(); ++k) {  // inner ones first: those are never dropped
      const bool inner = k >= system.multipliers();
      bool belongs = inner;
      if (!inner)
        for (const std::string& j : loops.joints) belongs = belongs || system.constraint_name(k).starts_with(j + ": ");
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(all, k); it && belongs; ++it)
        belongs = of_loop[static_cast<std::size_t>(it.col())];
      if (belongs) rows_.insert(inner ? rows_.begin() : rows_.end(), k);
    }
  }
  [[nodiscard]] bool affordable() const { return rows_.size() <= 2000; }

  // Rows that depend on those before them, and the shares of these in each: row = sum of share times row, all of length one.
  using Shares = std::map<int, double>;
  [[nodiscard]] std::map<int, Shares> dependent() const {
    const auto most = static_cast<Eigen::Index>(std::min(columns_.size(), rows_.size()));
    Eigen::MatrixXd basis(static_cast<Eigen::Index>(columns_.size()), 0), triangle = Eigen::MatrixXd::Zero(most, most);
    const Eigen::MatrixXd J = rows_at(q_);
    std::vector<int> kept;
    std::map<int, Shares> found;
    for (Eigen::Index r = 0; r < J.rows(); ++r) {
      const Eigen::Index n = basis.cols();
      VecX row = J.row(r).transpose().normalized(), parts = VecX::Zero(n);
      for (int twice = 0; twice < 2; ++twice) {  // Gram-Schmidt, made sure of
        const VecX along = basis.transpose() * row;
        row -= basis * along;
        parts += along;
      }
      if (row.norm() < 1e-7) {
        triangle.topLeftCorner(n, n).triangularView<Eigen::Upper>().solveInPlace(parts);
        Shares& shares = found[rows_[static_cast<std::size_t>(r)]];
        for (Eigen::Index k = 0; k < n; ++k) shares[kept[static_cast<std::size_t>(k)]] = parts[k];
        continue;
      }
      triangle.col(n).head(n) = parts;
      triangle(n, n) = row.norm();
      kept.push_back(rows_[static_cast<std::size_t>(r)]);
      basis.conservativeResize(Eigen::NoChange, n + 1);
      basis.col(n) = row.normalized();
    }
    return found;
  }
  // To a place near this one that keeps the constraints, all but some, or back to this one if nothing can move; false if none
  // was found. From far away the search may end between constraints that more rows than there are freedoms cannot all meet:
  // then it begins nearer.
  [[nodiscard]] bool search_nearby(const std::map<int, Shares>& but = {}) {
    const VecX here = q_;
    for (const double reach : {0.05, 0.005, 0.0005}) {
      std::mt19937 random(20261116);
      std::uniform_real_distribution<double> by(-reach, reach);
      q_ = here;
      for (const int e : columns_) q_[system_.free()[e]] += by(random);
      if (close(but)) return true;
    }
    q_ = here;
    return false;
  }

 private:
  // Newton on the gaps, by least squares.
  [[nodiscard]] bool close(const std::map<int, Shares>& but) {
    VecX gap = VecX::Zero(system_.multipliers() + system_.inner_multipliers()), size = gap;
    for (int i = 0; i < 60; ++i) {
      system_.gaps(q_, gap, size);
      VecX mine = VecX::Zero(static_cast<Eigen::Index>(rows_.size()));
      for (std::size_t k = 0; k < rows_.size(); ++k)
        if (!but.contains(rows_[k])) mine[static_cast<Eigen::Index>(k)] = gap[rows_[k]];
      if (mine.cwiseAbs().maxCoeff() < 1e-12) return true;
      Eigen::MatrixXd J = rows_at(q_);
      for (std::size_t k = 0; k < rows_.size(); ++k)
        if (but.contains(rows_[k])) J.row(static_cast<Eigen::Index>(k)).setZero();
      const VecX step = least_squares(J, mine);
      for (std::size_t k = 0; k < columns_.size(); ++k) q_[system_.free()[columns_[k]]] -= step[static_cast<Eigen::Index>(k)];
    }
    return false;
  }
  [[nodiscard]] Eigen::MatrixXd rows_at(const VecX& q) const {
    const Eigen::SparseMatrix<double, Eigen::RowMajor> all = system_.jacobian(q);
    std::map<int, int> column;
    for (std::size_t k = 0; k < columns_.size(); ++k) column[columns_[k]] = static_cast<int>(k);
    Eigen::MatrixXd J =
        Eigen::MatrixXd::Zero(static_cast<Eigen::Index>(rows_.size()), static_cast<Eigen::Index>(columns_.size()));
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(all, rows_[r]); it; ++it)
        J(static_cast<Eigen::Index>(r), column.at(static_cast<int>(it.col()))) = it.value();
    return J;
  }
  const System& system_;
  VecX q_;
  std::vector<int> columns_, rows_;
};

// Does time move this row?
bool driven(const Model& model, const std::string& row) {
  const auto ends_with = [&row](const char* what) { return row.ends_with(what); };
  for (const JointInput& joint : model.joints)
    if (row.starts_with(joint.name + ": "))
      return moves(joint.ground_motion) ||
             (joint.motion && (ends_with(": angle") || ends_with(": slide") || ends_with(": distance")));
  return false;
}

// The row that another one repeats most of. Where time moves some of them, those are the ones to look at: two places that
// contradict each other were drawn so or driven there.
std::string largest_share(const Model& model, const System& system, const LoopRows::Shares& shares) {
  constexpr double little = 1e-3;
  const auto share = [&](bool of_driven) {
    std::pair<double, std::string> most{0, ""};
    for (const auto& [row, part] : shares)
      if (row < system.multipliers() && std::abs(part) > most.first &&
          (!of_driven || driven(model, system.constraint_name(row))))
        most = {std::abs(part), system.constraint_name(row)};
    return most;
  };
  const auto any = share(false), moved = share(true);
  if (any.second.empty()) return "the others";
  return moved.first > little * any.first ? moved.second : any.second;
}

}  // namespace

RepeatedRows repeated_rows(const Model& model, const System& system) {
  const Loops loops = loops_of(model);
  if (loops.joints.empty() || !system.dropped().empty()) return {};
  LoopRows rows(model, system, loops);
  if (!rows.affordable()) return {};
  const auto here = rows.dependent();
  if (here.empty() || !(rows.search_nearby() || rows.search_nearby(here))) return {};
  RepeatedRows names;
  for (const auto& [row, shares] : rows.dependent())
    if (here.contains(row) && row < system.multipliers())
      names[system.constraint_name(row)] = largest_share(model, system, shares);
  return names;
}

}  // namespace trompo
