#include "trompo/system/redundancy.hpp"

#include <algorithm>
#include <cmath>
#include <map>
#include <random>
#include <set>
#include <utility>

#include "trompo/math/dense.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/body.hpp"
#include "trompo/model/joint_kinds.hpp"

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
    left[j] = find_joint_kind(model.joints[j].kind)->has_rows();
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

// Rows of joints in loops, over what moves there: the place of each body and a turn of it in space. A turn theta moves a part d
// of its frame by theta x d.
class LoopRows {
 public:
  LoopRows(const Model& model, const System& system, const Loops& loops)
      : system_(system), q_(VecX::Zero(system.coordinates())), column_(static_cast<std::size_t>(system.coordinates()), -1) {
    State state{0, q_, q_};
    for (std::size_t b = 0; b < model.bodies.size(); ++b) {
      const ResolvedBody body = resolve_body(model.bodies[b]);
      state.rotations.push_back({body.orientation, Vec3::Zero()});
      state.q.segment<3>(system.bodies()[b].first) = body.position;
      if (loops.bodies.contains(model.bodies[b].name)) add_body(static_cast<int>(b));
    }
    system.hold(state.q, state.v);
    system.write_frames(state);
    system.prescribe_at(0, state.q, state.v);
    q_ = state.q;
    const Eigen::SparseMatrix<double, Eigen::RowMajor> all = system.jacobian(q_);
    for (int k = 0; k < all.rows(); ++k) {
      bool belongs = std::any_of(loops.joints.begin(), loops.joints.end(),
                                 [&](const std::string& joint) { return system.constraint_name(k).starts_with(joint + ": "); });
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(all, k); it && belongs; ++it)
        belongs = column_[static_cast<std::size_t>(system.free()[it.col()])] >= 0;
      if (belongs) rows_.push_back(k);
    }
  }
  [[nodiscard]] bool affordable() const { return rows_.size() <= 2000; }

  // Rows that depend on those before them, and the shares of these in each: row = sum of share times row, all of length one.
  using Shares = std::map<int, double>;
  [[nodiscard]] std::map<int, Shares> dependent() const {
    const auto most = std::min(columns_, std::ssize(rows_));
    Eigen::MatrixXd basis(columns_, 0), triangle = Eigen::MatrixXd::Zero(most, most);
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
      VecX step(columns_);
      for (double& x : step) x = by(random);
      move(step);
      if (close(but)) return true;
    }
    q_ = here;
    return false;
  }

 private:
  // Newton on the errors, by least squares.
  [[nodiscard]] bool close(const std::map<int, Shares>& but) {
    VecX error = VecX::Zero(system_.multipliers()), size = error;
    for (int i = 0; i < 60; ++i) {
      system_.constraint_errors(q_, error, size);
      VecX mine = VecX::Zero(static_cast<Eigen::Index>(rows_.size()));
      for (std::size_t k = 0; k < rows_.size(); ++k)
        if (!but.contains(rows_[k])) mine[static_cast<Eigen::Index>(k)] = error[rows_[k]];
      if (mine.cwiseAbs().maxCoeff() < 1e-12) return true;
      Eigen::MatrixXd J = rows_at(q_);
      for (std::size_t k = 0; k < rows_.size(); ++k)
        if (but.contains(rows_[k])) J.row(static_cast<Eigen::Index>(k)).setZero();
      move(-least_squares(J, mine));
    }
    return false;
  }
  [[nodiscard]] Eigen::MatrixXd rows_at(const VecX& q) const {
    const Eigen::SparseMatrix<double, Eigen::RowMajor> all = system_.jacobian(q);
    Eigen::MatrixXd J = Eigen::MatrixXd::Zero(std::ssize(rows_), columns_);
    for (std::size_t r = 0; r < rows_.size(); ++r)
      for (Eigen::SparseMatrix<double, Eigen::RowMajor>::InnerIterator it(all, rows_[r]); it; ++it) {
        const int c = system_.free()[it.col()], column = column_[static_cast<std::size_t>(c)], b = system_.body_of(c);
        auto row = J.row(static_cast<Eigen::Index>(r));
        if (b < 0)
          row[column] += it.value();
        else
          row.segment<3>(column) +=
              it.value() * part_of(c, q).cross(Vec3::Unit((c - system_.bodies()[b].first) % 3)).transpose();
      }
    return J;
  }
  void add_body(int b) {
    const int first = system_.bodies()[b].first;
    bodies_.emplace_back(b, -1);
    for (int c = first; c < first + RigidBody::coordinates; ++c) {
      if (system_.equation()[c] < 0) continue;
      if (system_.body_of(c) >= 0 && bodies_.back().second < 0) {
        bodies_.back().second = static_cast<int>(columns_);
        columns_ += 3;
      }
      column_[static_cast<std::size_t>(c)] = system_.body_of(c) < 0 ? static_cast<int>(columns_++) : bodies_.back().second;
    }
  }
  // The part of a frame that a coordinate belongs to.
  [[nodiscard]] Vec3 part_of(int c, const VecX& q) const {
    const RigidBody& body = system_.bodies()[system_.body_of(c)];
    const int first = body.first + 3 * ((c - body.first) / 3);
    return first == body.first ? Vec3(q.segment<3>(first) - *body.fixed_point) : Vec3(q.segment<3>(first));
  }
  void move(const VecX& step) {
    for (const auto& [b, turn] : bodies_) {
      const RigidBody& body = system_.bodies()[b];
      for (int c = body.first; c < body.first + 3; ++c)
        if (const int column = column_[static_cast<std::size_t>(c)]; column >= 0 && system_.body_of(c) < 0)
          q_[c] += step[column];
      if (turn < 0) continue;
      const Mat3 turned = exponential(step.segment<3>(turn));
      for (int first = body.first + (body.fixed_point ? 0 : 3); first < body.first + RigidBody::coordinates; first += 3) {
        const Vec3 way = turned * part_of(first, q_) - part_of(first, q_);
        q_.segment<3>(first) += way;
      }
    }
  }
  const System& system_;
  VecX q_;
  std::vector<int> rows_;
  Eigen::Index columns_ = 0;
  std::vector<int> column_;                  // of each coordinate: its own, or the first of its body's turn; -1: does not move
  std::vector<std::pair<int, int>> bodies_;  // and the first column of the turn of each
};

// Does time move this row?
bool driven(const Model& model, const std::string& row) {
  const auto ends_with = [&row](const char* what) { return row.ends_with(what); };
  for (const JointInput& joint : model.joints)
    if (row.starts_with(joint.name + ": "))
      return moves(joint.ground_motion) || ((joint.motion || joint.travel_motion) &&
                                            (ends_with(": angle") || ends_with(": slide") || ends_with(": distance")));
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
