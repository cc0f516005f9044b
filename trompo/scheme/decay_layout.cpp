#include "trompo/scheme/decay_layout.hpp"

#include "trompo/measure/joint_rows.hpp"
#include "trompo/scheme/plane_turns.hpp"

namespace trompo {

namespace {

// Every pair of axes of every body, and its fixed point.
std::deque<ConstraintTerms> frames_at_right_angles(const System& system) {
  std::deque<ConstraintTerms> all;
  const auto add = [&all](const auto& row, const Where& where) { terms_of(all, row, where).add(row, where); };
  for (std::size_t b = 0; b < system.bodies().size(); ++b) {
    const RigidBody& body = system.bodies()[b];
    const int held = normal_axis(system, static_cast<int>(b), PlaneTurns::Axes::body);
    for (int i = 0; i < 3; ++i)
      for (int j = i; j < 3; ++j)
        if (i != held && j != held)
          add(Dot(i == j ? 1 : 0),
              {{Attachment::axis(body.first, Vec3::Unit(i)), Attachment::axis(body.first, Vec3::Unit(j))}});
    for (int i = 0; i < 3 && body.fixed_point; ++i)
      if (system.equation()[body.first + i] >= 0)
        add(Difference(),
            {{Attachment::point(body.first, -body.centre).component(i), Attachment::ground(*body.fixed_point).component(i)},
             {},
             1});
  }
  return all;
}

}  // namespace

DecayLayout::DecayLayout(const System& whole, bool constraint_rates)
    : system(whole), inner(frames_at_right_angles(whole)), n(whole.equations()), multipliers(whole.multipliers()) {
  for (const ElasticTerms& all : system.elastic())
    if (DecayTerms terms(all); terms.any()) decay.push_back(terms);
  for (ConstraintTerms& all : inner) {
    all.number(multipliers);
    multipliers += all.rows();
  }
  const auto add_rates = [&](const std::deque<ConstraintTerms>& kinds) {
    for (const ConstraintTerms& all : kinds) {
      rates.emplace_back(all, nu);
      nu += rates.back().rows();
    }
  };
  if (constraint_rates) add_rates(system.constraints());
  add_rates(inner);  // always: an axis may have no mass, and e is then found from them

  const auto all = static_cast<std::size_t>(system.coordinates());
  const Numbering none{std::vector<int>(all, -1), std::vector<char>(all, 0), 0, first_multiplier()};
  DecayNumbering numbering{none, none};
  for (int e = 0; e < n; ++e) {
    numbering.places.unknown[static_cast<std::size_t>(system.free()[e])] = e;
    numbering.rates.unknown[static_cast<std::size_t>(system.free()[e])] = n + e;
  }
  Entries entries = system.couple(numbering.places);
  system.each_mass([&](int row, int column, double mass) {
    masses.push_back({row, column, mass, {}});
    entries.insert(entries.end(), {{row, column}, {row, n + column}, {n + row, n + column}});
  });
  for (const DecayTerms& terms : decay) terms.couple(numbering, entries);
  int unknown = first_nu();
  for (const RateTerms& terms : rates) {
    terms.couple(numbering, unknown, entries);
    unknown += terms.rows();
  }
  unknown = first_multiplier() + system.multipliers();
  for (const ConstraintTerms& terms : inner) {
    terms.couple(numbering.places, unknown, entries);
    unknown += terms.rows();
  }
  pattern = Pattern(first_nu() + nu, entries);
  std::vector<int> dependent;
  for (const int row : system.rows_in_loops()) dependent.push_back(first_multiplier() + row);
  for (int k = 0; k < nu && constraint_rates && !dependent.empty(); ++k) dependent.push_back(first_nu() + k);
  pattern.let_depend(std::move(dependent));

  map = system.connect(numbering.places, pattern);
  for (Mass& m : masses) {
    m.place[0] = pattern.slot(m.row, m.column);
    m.place[1] = pattern.slot(m.row, n + m.column);
    m.place[2] = pattern.slot(n + m.row, n + m.column);
  }
  for (const DecayTerms& terms : decay) {
    of_decay.push_back(indices.size());
    terms.connect(numbering, pattern, indices);
  }
  unknown = first_nu();
  for (const RateTerms& terms : rates) {
    of_rates.push_back(indices.size());
    terms.connect(numbering, unknown, pattern, indices);
    unknown += terms.rows();
  }
  unknown = first_multiplier() + system.multipliers();
  for (const ConstraintTerms& terms : inner) {
    of_inner.push_back(indices.size());
    terms.connect(numbering.places, pattern, unknown, indices);
    unknown += terms.rows();
  }
}

std::string DecayLayout::name(int unknown) const {
  if (unknown < n) return system.coordinate_name(system.free()[unknown]);
  if (unknown < 2 * n) return system.coordinate_name(system.free()[unknown - n]) + ", velocity of the dissipation";
  if (unknown < first_multiplier() + system.multipliers()) return system.constraint_name(unknown - first_multiplier());
  return unknown < first_nu() ? "the axes of a body" : "the rate of a constraint";
}

}  // namespace trompo
