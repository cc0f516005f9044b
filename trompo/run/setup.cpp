// From the model to the start of a run.
#include "trompo/run/run.hpp"

namespace trompo {

Scheme scheme_of(const Model& model) {
  try {
    Scheme scheme = make_scheme(model.time.scheme, model.time.parameters, model.time.choices);
    scheme.rule.transposed_tangent = model.newton.tangent == "published";
    if (model.newton.tangent == "published") scheme.rule.tangent = Rule::Tangent::third;
    if (model.newton.tangent == "sixth") scheme.rule.tangent = Rule::Tangent::sixth;
    return scheme;
  } catch (const SchemeError& error) {
    throw ModelError({{Diagnostic::Severity::error, model.time.source.place_of(error.key, model.file),
                       model.time.source.of(error.key), error.what(), error.remedy}});
  }
}

NewtonOptions newton_options(const Model& model) {
  return {model.newton.tolerance, model.newton.increment, static_cast<int>(model.newton.max_iterations),
          model.newton.tangent == "modified"};
}

State initial_state(const Model& model, const System& system) {
  State state{0, VecX::Zero(system.coordinates()), VecX::Zero(system.coordinates())};
  for (std::size_t i = 0; i < model.nodes.size(); ++i) {
    state.q.segment<3>(system.nodes()[i]) = model.nodes[i].position;
    state.v.segment<3>(system.nodes()[i]) = model.nodes[i].velocity;
  }
  for (std::size_t i = 0; i < model.coordinates.size(); ++i) {
    state.q[system.scalars()[i]] = model.coordinates[i].value;
    state.v[system.scalars()[i]] = model.coordinates[i].rate;
  }
  system.hold(state.q, state.v);
  system.prescribe_at(0, state.q, state.v);
  return state;
}

VecX initial_acceleration(const Model& model, const System& system, const State& state) {
  if (model.time.initial_acceleration != "given") return consistent_acceleration(system, state);
  VecX a = VecX::Zero(system.coordinates());
  for (std::size_t i = 0; i < model.nodes.size(); ++i)
    if (model.nodes[i].acceleration) a.segment<3>(system.nodes()[i]) = *model.nodes[i].acceleration;
  for (std::size_t i = 0; i < model.coordinates.size(); ++i)
    if (model.coordinates[i].acceleration) a[system.scalars()[i]] = *model.coordinates[i].acceleration;
  system.prescribe_acceleration(0, a);
  return a;
}

}  // namespace trompo
