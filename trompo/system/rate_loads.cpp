#include "trompo/system/rate_loads.hpp"

#include <algorithm>

#include "trompo/math/small.hpp"
#include "trompo/math/so3.hpp"

namespace trompo {

namespace {

using Load = RateLoad::Kind;
using Argument = RateArgument::Kind;
using InVec3 = Eigen::Map<const Vec3>;

// With the axes of the body as its first columns.
bool turns_with_body(Load kind) { return kind == Load::follower || kind == Load::torque || kind == Load::moment; }

// The parts of a frame that a force at a point acts on: the centre, then the axes.
double part_share(const RateLoad& load, int part) { return part == 0 ? 1 : load.point[part - 1]; }

std::vector<int> loaded(const RateLoad& load) {
  std::vector<int> rows;
  switch (load.kind) {
    case Load::coordinate: rows = {load.on}; break;
    case Load::force:
      for (int k = 0; k < 4; ++k)
        if (part_share(load, k) != 0) rows.push_back(load.on + 3 * k + load.axis);
      break;
    case Load::follower:
      for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3 && part_share(load, k) != 0; ++j) rows.push_back(load.on + 3 * k + j);
      break;
    case Load::torque:
    case Load::moment:
      for (int c = 3; c < 12; ++c) rows.push_back(load.on + c);
  }
  return rows;
}

std::vector<int> coordinates_of(const RateArgument& a) {
  if (a.kind == Argument::invariant) return a.over;
  if (a.kind == Argument::place || a.kind == Argument::rate) return {a.at};
  std::vector<int> axes;
  for (int c = 3; c < 12; ++c) axes.push_back(a.at + c);
  return axes;
}

// The Cayley vector w of the turn from some axes to others, d1 - d0 = w x (d0 + d1)/2: 2/(1 + tr R) times the sum of d0 x d1.
// `slope` is dw/dd1, three rows for each of the nine.
Vec3 turn_between(const double* d0, const double* d1, Mat<3, 9>* slope) {
  Vec3 sum = Vec3::Zero();
  double trace = 0;
  for (int k = 0; k < 9; k += 3) {
    sum += InVec3(d0 + k).cross(Vec3(InVec3(d1 + k)));
    trace += InVec3(d0 + k).dot(InVec3(d1 + k));
  }
  const Vec3 w = 2 / (1 + trace) * sum;
  if (slope != nullptr)
    for (int k = 0; k < 3; ++k)
      slope->middleCols<3>(3 * k) =
          2 / (1 + trace) * skew(InVec3(d0 + 3 * k)) - w * InVec3(d0 + 3 * k).transpose() / (1 + trace);
  return w;
}

}  // namespace

void RateLoads::add(RateLoad load) {
  std::vector<int> columns;
  if (turns_with_body(load.kind))
    for (int c = 3; c < 12; ++c) columns.push_back(load.on + c);
  std::vector<std::vector<int>> place;
  for (const RateArgument& a : load.value.arguments) {
    auto& mine = place.emplace_back();
    for (const int c : coordinates_of(a)) {
      const auto found = std::find(columns.begin(), columns.end(), c);
      mine.push_back(static_cast<int>(found - columns.begin()));
      if (found == columns.end()) columns.push_back(c);
    }
  }
  const Where on = Where::at(loaded(load)), of = Where::at(columns);
  Term& term = all_.emplace_back(Term{std::move(load), Places(on), Places(of), std::move(place)});
  term.on.add(on);
  term.of.add(of);
  scratch_ = std::max(scratch_, scratch_size(term));
}

std::size_t RateLoads::scratch_size(const Term& term) {
  const auto n = static_cast<std::size_t>(term.columns()), rows = static_cast<std::size_t>(term.on.arguments());
  std::size_t widest = 9;
  for (const RateArgument& a : term.load.value.arguments) widest = std::max(widest, a.over.size());
  // A column for each coordinate; unknowns are no more than four for each coordinate.
  return 8 * (n + rows) + rows * n + 4 * rows * n + 16 * rows * n + 3 * widest + widest * widest +
         2 * term.load.value.arguments.size() + 12 * (n + rows) + 32;
}

void RateLoads::couple(const Numbering& numbering, Entries& entries) const {
  for (const Term& t : all_) LocalUnknowns(t.on, 0, numbering).couple_block(LocalUnknowns(t.of, 0, numbering), entries);
}

void RateLoads::connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& indices) const {
  for (const Term& t : all_) {
    const LocalUnknowns rows(t.on, 0, numbering), columns(t.of, 0, numbering);
    rows.write(indices);
    columns.write(indices);
    rows.connect_block(columns, pattern, indices);
  }
}

double RateLoads::value(const Term& term, const VecX& q, const Rates& rates, double* by_place, double* by_rate, bool old_end,
                        Scratch scratch) const {
  const std::vector<RateArgument>& arguments = term.load.value.arguments;
  const auto count = static_cast<int>(arguments.size());
  double *const x = scratch.take(count), *const g = scratch.take(count);
  const bool wanted = by_place != nullptr;
  const VecX& new_end = rates.interval() ? *rates.q1 : q;
  for (int i = 0; i < count; ++i) {
    const RateArgument& a = arguments[static_cast<std::size_t>(i)];
    const double* const axes = q.data() + a.at + 3;
    if (!rates.interval() && a.kind == Argument::invariant) {
      const auto n = static_cast<int>(a.over.size());
      Scratch rest = scratch;
      double *const c = rest.take(n), *const slope = rest.take(n);
      for (int k = 0; k < n; ++k) c[k] = q[a.over[static_cast<std::size_t>(k)]];
      a.invariant.expand(c, n, slope, nullptr);
      x[i] = 0;
      for (int k = 0; k < n; ++k) x[i] += slope[k] * rates.v[a.over[static_cast<std::size_t>(k)]];
    } else if (!rates.interval()) {
      x[i] = value_of(a, {q.data(), static_cast<std::size_t>(q.size())}, {rates.v.data(), static_cast<std::size_t>(q.size())});
    } else if (a.kind == Argument::spin || a.kind == Argument::body_spin) {
      const double* const from = rates.q0->data() + a.at + 3;
      const Vec3 w = turn_between(from, rates.q1->data() + a.at + 3, nullptr);
      x[i] = (a.kind == Argument::spin ? w[a.axis] : w.dot(InVec3(from + 3 * a.axis))) / rates.h;  // w is the same in both
    } else if (a.kind == Argument::invariant) {
      const auto at = [&](const VecX& end) {
        Scratch rest = scratch;
        double* const c = rest.take(static_cast<int>(a.over.size()));
        for (std::size_t k = 0; k < a.over.size(); ++k) c[k] = end[a.over[k]];
        return a.invariant.evaluate({c, a.over.size()});
      };
      x[i] = (at(*rates.q1) - at(*rates.q0)) / rates.h;
    } else {
      x[i] = a.kind == Argument::place ? axes[-3] : rates.v[a.at];
    }
  }
  const double force = term.load.value.formula.expand(x, count, wanted ? g : nullptr, nullptr).value;
  if (!wanted) return force;
  std::fill_n(by_place, term.columns(), 0.0);
  std::fill_n(by_rate, term.columns(), 0.0);
  for (int i = 0; i < count; ++i) {
    const RateArgument& a = arguments[static_cast<std::size_t>(i)];
    const std::vector<int>& at = term.place[static_cast<std::size_t>(i)];
    if (a.kind == Argument::place) {
      if (!old_end) by_place[at[0]] += g[i];
    } else if (a.kind == Argument::rate) {
      (rates.interval() ? by_place : by_rate)[at[0]] += rates.interval() ? g[i] / rates.h : g[i];
    } else if (a.kind == Argument::invariant) {
      const auto n = static_cast<int>(a.over.size());
      Scratch rest = scratch;
      double *const c = rest.take(n), *const slope = rest.take(n), *const bend = rest.take(n * n);
      for (int k = 0; k < n; ++k) c[k] = new_end[a.over[static_cast<std::size_t>(k)]];
      a.invariant.expand(c, n, slope, rates.interval() ? nullptr : bend);
      for (int k = 0; k < n; ++k) {
        if (rates.interval()) {
          by_place[at[static_cast<std::size_t>(k)]] += g[i] * slope[k] / rates.h;
          continue;
        }
        by_rate[at[static_cast<std::size_t>(k)]] += g[i] * slope[k];
        for (int l = 0; l < n; ++l)
          by_place[at[static_cast<std::size_t>(k)]] += g[i] * bend[k * n + l] * rates.v[a.over[static_cast<std::size_t>(l)]];
      }
    } else if (rates.interval()) {
      const double* const from = rates.q0->data() + a.at + 3;
      Mat<3, 9> slope;
      (void)turn_between(from, rates.q1->data() + a.at + 3, &slope);
      const Vec3 along = a.kind == Argument::spin ? Vec3(Vec3::Unit(a.axis)) : Vec3(InVec3(from + 3 * a.axis));
      for (int k = 0; k < 9; ++k) by_place[at[static_cast<std::size_t>(k)]] += g[i] * along.dot(slope.col(k)) / rates.h;
    } else {
      const double *const d = q.data() + a.at + 3, *const turning = rates.v.data() + a.at + 3;
      const Vec3 along = a.kind == Argument::spin ? Vec3(Vec3::Unit(a.axis)) : Vec3(InVec3(d + 3 * a.axis));
      for (int k = 0; k < 9; k += 3) {
        const Vec3 of_axis = 0.5 * g[i] * InVec3(turning + k).cross(along),
                   of_rate = 0.5 * g[i] * along.cross(Vec3(InVec3(d + k)));
        for (int j = 0; j < 3; ++j) {
          by_place[at[static_cast<std::size_t>(k + j)]] += of_axis[j];
          by_rate[at[static_cast<std::size_t>(k + j)]] += of_rate[j];
        }
      }
      if (a.kind == Argument::body_spin) {
        const Vec3 spin = spin_of(d, turning);
        for (int j = 0; j < 3; ++j) by_place[at[static_cast<std::size_t>(3 * a.axis + j)]] += g[i] * spin[j];
      }
    }
  }
  return force;
}

void RateLoads::direction(const Term& term, const VecX& q, double* f, double* slopes) {
  const RateLoad& load = term.load;
  const int rows = term.on.arguments();
  if (slopes != nullptr) std::fill_n(slopes, rows * term.columns(), 0.0);
  const auto axis = [&](int k) { return InVec3(q.data() + load.on + 3 + 3 * k); };
  const auto slope = [&](int row, int column) -> double& { return slopes[column * rows + row]; };
  int row = 0;
  switch (load.kind) {
    case Load::coordinate: f[0] = 1; return;
    case Load::force:
      for (int k = 0; k < 4; ++k)
        if (part_share(load, k) != 0) f[row++] = part_share(load, k);
      return;
    case Load::follower:
      for (int k = 0; k < 4; ++k)
        for (int j = 0; j < 3 && part_share(load, k) != 0; ++j, ++row) {
          f[row] = part_share(load, k) * axis(load.axis)[j];
          if (slopes != nullptr) slope(row, 3 * load.axis + j) = part_share(load, k);
        }
      return;
    case Load::torque:
    case Load::moment: break;
  }
  const bool own = load.kind == Load::torque;
  const Vec3 m = own ? Vec3(axis(load.axis)) : Vec3(Vec3::Unit(load.axis));
  for (int k = 0; k < 3; ++k) {
    Eigen::Map<Vec3>(f + 3 * k) = 0.5 * m.cross(Vec3(axis(k)));
    if (slopes == nullptr) continue;
    const Mat3 by_axis = 0.5 * skew(m), by_m = -0.5 * skew(axis(k));
    for (int i = 0; i < 3; ++i)
      for (int j = 0; j < 3; ++j) {
        slope(3 * k + i, 3 * k + j) += by_axis(i, j);
        if (own) slope(3 * k + i, 3 * load.axis + j) += by_m(i, j);
      }
  }
}

void RateLoads::at(const VecX& q, const Rates& rates, VecX& load) const {
  ScratchRoom room(scratch_);
  for (const Term& term : all_) {
    if (rates.interval() && term.load.turns()) continue;
    Scratch scratch = room.scratch();
    double* const f = scratch.take(term.on.arguments());
    direction(term, q, f, nullptr);
    const double F = value(term, q, rates, nullptr, nullptr, false, scratch);
    const std::span<const int> on = term.on.scalars(0);
    for (std::size_t i = 0; i < on.size(); ++i) load[on[i]] += F * f[i];
  }
}

void RateLoads::moments(const VecX& q, const Rates& rates, double share, std::vector<Vec3>& torque,
                        std::vector<Vec3>& moment) const {
  ScratchRoom room(scratch_);
  for (const Term& term : all_) {
    if (!term.load.turns()) continue;
    auto& on = term.load.kind == Load::torque ? torque : moment;
    on[static_cast<std::size_t>(term.load.body)][term.load.axis] +=
        share * value(term, q, rates, nullptr, nullptr, false, room.scratch());
  }
}

void RateLoads::add_tangent(const VecX& q, const Rates& rates, const Slopes& wanted, Assembly& out) const {
  ScratchRoom room(scratch_);
  for (const Term& term : all_) {
    Scratch scratch = room.scratch();
    const int n = term.columns(), rows = term.on.arguments();
    double *const by_place = scratch.take(n), *const by_rate = scratch.take(n), *const f = scratch.take(rows);
    double* const K = scratch.take(rows * n);  // n columns
    const double F = value(term, q, rates, by_place, by_rate, wanted.old_end, scratch);
    for (int j = 0; j < n; ++j) by_place[j] = wanted.factor * by_place[j] + wanted.rate_factor * by_rate[j];

    const int *const on = out.indices, *const of = on + rows + 1;
    const int row_unknowns = on[rows], column_unknowns = of[n];
    double* const L = scratch.take(row_unknowns * n);  // rows are unknowns
    std::fill_n(L, row_unknowns * n, 0.0);
    if (rates.interval() && term.load.turns()) {
      Vec3 direct = Vec3::Unit(term.load.axis);
      if (term.load.kind == Load::moment) direct = (*wanted.back)[static_cast<std::size_t>(term.load.body)] * direct;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < 3; ++i) L[3 * j + i] = direct[i] * by_place[j];
    } else {
      direction(term, q, f, K);
      const double turning = wanted.old_end ? 0 : wanted.factor * F;
      for (int j = 0; j < n; ++j)
        for (int i = 0; i < rows; ++i) K[j * rows + i] = f[i] * by_place[j] + turning * K[j * rows + i];
      Scratch rest = scratch;
      const Moves levers(term.on, 0, rows, on, out, rest);
      for (int j = 0; j < n; ++j) levers.bring_by_levers(K + j * rows, L + j * row_unknowns);
    }
    double* const block = scratch.take(row_unknowns * column_unknowns);
    std::fill_n(block, row_unknowns * column_unknowns, 0.0);
    Moves(term.of, 0, n, of, out, scratch).bring_columns(row_unknowns, L, block);
    const int* slot = of + n + 1;
    for (int i = 0; i < row_unknowns * column_unknowns; ++i) out.tangent[*slot++] += block[i];
    out.indices = slot;
  }
}

}  // namespace trompo
