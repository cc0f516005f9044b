#include "trompo/system/rod_element.hpp"

#include <cmath>
#include <unordered_map>

#include "trompo/model/body.hpp"
#include "trompo/model/rod.hpp"
#include "trompo/system/batch.hpp"
#include "trompo/system/batch_of.hpp"
#include "trompo/system/damper_batch.hpp"

namespace trompo {

SectionState RodElement::state(const VecX& q) const {
  const Vec<6> r = measure.value(gather(q, where)), s = law.stress(r) / measure.L;
  return {s.head<3>(), s.tail<3>(), r.head<3>(), r.tail<3>()};
}

std::vector<RodElement> rod_elements(const Model& model, const std::vector<RigidBody>& bodies) {
  std::vector<RodElement> all;
  if (model.rod_elements.empty()) return all;
  std::unordered_map<std::string, std::size_t> number;
  for (std::size_t b = 0; b < model.bodies.size(); ++b) number.emplace(model.bodies[b].name, b);
  for (const RodElementInput& input : model.rod_elements) {
    std::array<int, 24> where{};
    Vec<24> drawn;
    for (std::size_t end = 0; end < 2; ++end) {
      const std::size_t b = number.at(input.bodies[end]);
      const ResolvedBody body = resolve_body(model.bodies[b]);
      const auto first = static_cast<Eigen::Index>(12 * end);
      drawn.segment<3>(first) = body.position;
      drawn.segment<9>(first + 3) = to_matrix(body.orientation).reshaped();
      for (int i = 0; i < 12; ++i) where[12 * end + static_cast<std::size_t>(i)] = bodies[b].first + i;
    }
    const double L = input.length.value_or((drawn.segment<3>(12) - drawn.head<3>()).norm());
    const auto GA = both(*input.stiffness.GA), EI = both(*input.stiffness.EI);
    Vec<6> k;
    k << GA[0], GA[1], *input.stiffness.EA, EI[0], EI[1], *input.stiffness.GJ;
    RodStrain measure(L, drawn);
    if (input.precurvature) {
      // An element that turns by an angle measures its sine.
      const double angle = L * input.precurvature->norm();
      measure.reference.tail<3>() = (angle > 0 ? std::sin(angle) / angle : 1.0) * *input.precurvature;
    }
    all.push_back({measure, DiagonalLaw<6>(L * k), where});
  }
  return all;
}

void add_rod_elements(const Model& model, const std::vector<RigidBody>& bodies, std::vector<std::unique_ptr<Batch>>& batches,
                      std::vector<std::unique_ptr<Dampers>>& dampers) {
  for (const RodElement& e : rod_elements(model, bodies)) {
    batch_of<ElasticBatch<RodStrain, DiagonalLaw<6>>>(batches).add(e.measure, e.law, e.where);
    if (model.rayleigh.stiffness > 0)
      batch_of<DamperBatch<RodStrain>>(dampers).add(e.measure, Vec<6>(model.rayleigh.stiffness * e.law.k), e.where);
  }
}

}  // namespace trompo
