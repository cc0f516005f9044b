#include "trompo/scheme/contradiction.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "trompo/scheme/consistent_start.hpp"

namespace trompo {

VecX unreachable(const System& system, const VecX& q, const VecX& rows) {
  if (system.rows_in_loops().empty()) return VecX::Zero(rows.size());
  return ConsistentStart(system).unreachable(q, rows);
}

namespace {

// Whose row it is, as a number among the joints; -1: none in a loop.
std::vector<int> joints_of_rows(const System& system) {
  std::vector<int> joint(static_cast<std::size_t>(system.multipliers()), -1);
  for (std::size_t j = 0; j < system.joints().size(); ++j)
    for (const auto& [terms, term] : system.joints()[j].rows)
      if (system.joints()[j].in_loop) joint[static_cast<std::size_t>(terms->first() + term)] = static_cast<int>(j);
  return joint;
}

// Does time move this row?
bool driven(const System& system, int row, const Joint& joint) {
  const std::string& name = system.constraint_name(row);
  return joint.first.anchor >= 0 || joint.second.anchor >= 0 || name.ends_with(": angle") || name.ends_with(": slide") ||
         name.ends_with(": distance");
}

}  // namespace

Contradiction worst_contradiction(const System& system, const VecX& unreachable, const VecX& allowed) {
  Contradiction worst;
  if (system.rows_in_loops().empty()) return worst;
  const std::vector<int> joint = joints_of_rows(system);
  const bool open = (unreachable.array().abs() > allowed.array()).any();
  if (!open) return worst;
  constexpr double little = 1e-3;
  const double least = little * unreachable.cwiseAbs().maxCoeff();
  // The row that is farthest off, of those that time moves, or of any; but for those of one joint.
  const auto farthest = [&](int but) {
    int row = -1;
    for (const bool moved : {true, false}) {
      for (const int k : system.rows_in_loops()) {
        const int j = joint[static_cast<std::size_t>(k)];
        if (j == but || std::abs(unreachable[k]) <= least || (moved && !driven(system, k, system.joints()[j]))) continue;
        if (row < 0 || std::abs(unreachable[k]) > std::abs(unreachable[row])) row = k;
      }
      if (row >= 0) break;
    }
    return row;
  };
  worst.row = farthest(-1);
  if (worst.row < 0) return worst;
  worst.other = farthest(joint[static_cast<std::size_t>(worst.row)]);
  worst.apart = std::abs(unreachable[worst.row]);
  if (worst.other < 0) return worst;
  worst.apart += std::abs(unreachable[worst.other]);
  if (joint[static_cast<std::size_t>(worst.row)] < joint[static_cast<std::size_t>(worst.other)])
    std::swap(worst.row, worst.other);
  return worst;
}

std::string contradiction_at(const System& system, const VecX& q) {
  if (system.rows_in_loops().empty() || system.largest_error_in_loops(q) <= open_row) return {};
  VecX error = VecX::Zero(system.multipliers()), size = error;
  system.constraint_errors(q, error, size);
  const VecX apart = unreachable(system, q, error);
  double drift = 0;
  for (const int k : system.rows_in_loops())
    if (size[k] > 0) drift = std::max(drift, std::abs(error[k] - apart[k]) / size[k]);
  constexpr double most = 0.01;
  const Contradiction worst = worst_contradiction(system, apart, std::max(open_row, std::min(drift, most)) * size);
  if (!worst.found()) return {};
  return fmt::format("joint {}, {:.3g} apart from what {} demands", in_quotes(system.constraint_name(worst.row)), worst.apart,
                     worst.other < 0 ? "the others" : in_quotes(system.constraint_name(worst.other)));
}

// What random demands on all rows have that no motion meets stands in the rows that repeat each other.
std::vector<bool> repeating_joints(const System& system, const VecX& q) {
  std::vector<bool> repeating(system.joints().size(), false);
  if (system.rows_in_loops().empty()) return repeating;
  VecX demand(system.multipliers());
  for (Eigen::Index k = 0; k < demand.size(); ++k) demand[k] = std::sin(1.0 + 7.0 * static_cast<double>(k));
  const VecX apart = unreachable(system, q, demand);
  const std::vector<int> joint = joints_of_rows(system);
  constexpr double rounding = 1e-5;
  for (const int k : system.rows_in_loops())
    if (std::abs(apart[k]) > rounding) repeating[static_cast<std::size_t>(joint[static_cast<std::size_t>(k)])] = true;
  return repeating;
}

}  // namespace trompo
