#include "trompo/model/rate_scope.hpp"

#include <algorithm>

namespace trompo {

using Kind = RateArgument::Kind;

bool RateFormula::feels_rates() const {
  return std::any_of(arguments.begin(), arguments.end(), [](const RateArgument& a) { return a.kind != Kind::place; });
}

bool RateFormula::uses(int coordinate) const {
  return std::any_of(arguments.begin(), arguments.end(), [&](const RateArgument& a) {
    return (a.kind == Kind::place && a.at == coordinate) || std::find(a.over.begin(), a.over.end(), coordinate) != a.over.end();
  });
}

Vec3 spin_of(const double* axes, const double* rates) {
  Vec3 sum = Vec3::Zero();
  for (int k = 0; k < 9; k += 3) sum += 0.5 * Eigen::Map<const Vec3>(axes + k).cross(Vec3(Eigen::Map<const Vec3>(rates + k)));
  return sum;
}

double value_of(const RateArgument& a, std::span<const double> q, std::span<const double> v) {
  const auto at = static_cast<std::size_t>(a.at);
  switch (a.kind) {
    case Kind::place: return q[at];
    case Kind::rate: return v[at];
    case Kind::spin: return spin_of(&q[at + 3], &v[at + 3])[a.axis];
    case Kind::body_spin:
      return spin_of(&q[at + 3], &v[at + 3]).dot(Eigen::Map<const Vec3>(&q[at + 3 + 3 * static_cast<std::size_t>(a.axis)]));
    case Kind::invariant: break;
  }
  const std::size_t n = a.over.size();
  VecX c(n), slope(n);
  for (std::size_t i = 0; i < n; ++i) c[static_cast<Eigen::Index>(i)] = q[static_cast<std::size_t>(a.over[i])];
  a.invariant.expand(c.data(), static_cast<int>(n), slope.data(), nullptr);
  double sum = 0;
  for (std::size_t i = 0; i < n; ++i) sum += slope[static_cast<Eigen::Index>(i)] * v[static_cast<std::size_t>(a.over[i])];
  return sum;
}

RateScope::RateScope(const Model& model, const FormulaScope& places) : model_(model), definitions_(places.invariants()) {
  names_ = places.names();
  const int time = places.time();
  for (int c = 0; c <= time; ++c) arguments_.push_back({Kind::place, c});
  const auto add = [this](std::string name, RateArgument argument) {
    names_.push_back(std::move(name));
    arguments_.push_back(std::move(argument));
  };
  for (int c = 0; c < time; ++c) add("rate(" + names_[static_cast<std::size_t>(c)] + ")", {Kind::rate, c});
  int first = 3 * static_cast<int>(model.nodes.size());
  for (const BodyInput& body : model.bodies) {
    for (int i = 0; i < 3; ++i) add(body.name + ".w" + "xyz" [i], { Kind::spin, first, i });
    for (int i = 0; i < 3; ++i) add(body.name + ".w" + "123" [i], { Kind::body_spin, first, i });
    first += 12;
  }
  for (const auto& [name, formula] : places.invariants()) {
    RateArgument a{Kind::invariant};
    a.invariant = formula;
    a.over = a.invariant.compact();
    add("rate(" + name + ")", std::move(a));
  }
  variables_.assign(names_.begin(), names_.end());
  for (const BodyInput& body : model.bodies) {
    if (body.name.find('`') != std::string::npos) continue;  // no formula can name it: an error of the model
    for (int k = 1; k <= 3; ++k) {
      std::string text;
      for (const char axis : {'x', 'y', 'z'}) {
        const std::string quoted = "`" + body.name + "`";
        text += (text.empty() ? "" : " + ") + quoted + ".v" + axis + "*" + quoted + ".d" + std::to_string(k) + "." + axis;
      }
      definitions_.emplace(body.name + ".v" + std::to_string(k), Formula(text, variables_));
    }
  }
}

RateFormula RateScope::read(const std::string& text) const {
  RateFormula out;
  out.formula = Formula(text, variables_, model_.parameters, definitions_);
  for (const int i : out.formula.compact()) out.arguments.push_back(arguments_[static_cast<std::size_t>(i)]);
  if (out.arguments.empty()) throw FormulaError(0, "it must depend on a coordinate or a rate");
  return out;
}

}  // namespace trompo
