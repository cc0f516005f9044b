// The only door from the model to the equations: System(const Model&).
#include <algorithm>
#include <map>
#include <stdexcept>

#include "trompo/law/linear.hpp"
#include "trompo/law/potential.hpp"
#include "trompo/law/tension_only.hpp"
#include "trompo/law/weight.hpp"
#include "trompo/measure/bar_strain.hpp"
#include "trompo/measure/coordinate.hpp"
#include "trompo/measure/formula_measure.hpp"
#include "trompo/model/energy_formula.hpp"
#include "trompo/system/system.hpp"

namespace trompo {

namespace {

// One batch per pair of measure and law, made when the first term asks for it, in the order of the file.
template <Measure M, Law L>
ElasticBatch<M, L>& batch_of(std::vector<std::unique_ptr<Batch>>& batches) {
  for (const auto& batch : batches)
    if (auto* same = dynamic_cast<ElasticBatch<M, L>*>(batch.get())) return *same;
  batches.push_back(std::make_unique<ElasticBatch<M, L>>());
  return static_cast<ElasticBatch<M, L>&>(*batches.back());
}

}  // namespace

System::System(const Model& model) {
  const int normal = model.normal_axis();
  std::map<std::string, int, std::less<>> node_at, scalar_at;  // name -> first coordinate
  std::map<std::string, Vec3, std::less<>> reference;
  double extent = 0;

  for (const NodeInput& node : model.nodes) {
    reference[node.name] = node.reference_position();
    const int first = add_point(node.name, node.mass);
    node_at[node.name] = first;
    nodes_.push_back(first);
    for (int i = 0; i < 3; ++i) {
      if (node.motion[i])
        prescribe(first + i, *node.motion[i]);
      else if (node.fixed || node.fixed_axes[i] || i == normal)
        prescribe(first + i, TimeFunction(node.position[i]));
    }
    extent = std::max(extent, (node.position - model.nodes.front().position).norm());
  }
  for (const CoordinateInput& coordinate : model.coordinates) {
    scalars_.push_back(add_scalar(coordinate.name, coordinate.inertia));
    scalar_at[coordinate.name] = scalars_.back();
  }

  for (const PendulumInput& p : model.pendulums) {
    const int angle = scalar_at.at(p.coordinate);
    add_mass(angle, p.mass * p.length * p.length);
    batch_of<CoordinateMeasure, WeightLaw>(batches_).add(CoordinateMeasure{},
                                                         WeightLaw(p.mass * model.gravity.norm() * p.length), {angle});
  }

  for (const BarInput& bar : model.bars) {
    const int a = node_at.at(bar.nodes[0]), b = node_at.at(bar.nodes[1]);
    const double L = bar.length ? *bar.length : (reference.at(bar.nodes[1]) - reference.at(bar.nodes[0])).norm();
    extent = std::max(extent, L);
    for (int i = 0; i < 3; ++i) {
      add_mass(a + i, 0.5 * bar.density * L);
      add_mass(b + i, 0.5 * bar.density * L);
    }
    const auto add = [&]<class Strain>(const Strain& strain) {
      const auto with = [&]<class L_>(const L_& law) {
        auto& batch = batch_of<Strain, L_>(batches_);
        bars_.push_back({&batch, batch.terms()});
        batch.add(strain, law, {a, a + 1, a + 2, b, b + 1, b + 2});
      };
      if (bar.tension_only)
        with(TensionOnlyLaw(bar.EA * L));
      else
        with(LinearLaw(bar.EA * L));
    };
    if (bar.strain == "engineering")
      add(EngineeringStrain(L));
    else if (bar.strain == "green")
      add(GreenStrain(L));
    else if (bar.strain == "logarithmic")
      add(LogarithmicStrain(L));
    else
      throw std::invalid_argument("strain '" + bar.strain + "' of bar '" + bar.name + "' is not known");
  }

  const auto add_potential = [&](const std::string& text) {
    EnergyFormula energy = energy_formula(text, model);
    const auto formula = std::make_shared<const Formula>(std::move(energy.formula));
    // The batch has room for N coordinates; what the formula does not use repeats the first and gets no force.
    const auto with = [&]<int N>() {
      std::array<int, N> where;
      where.fill(energy.coordinates.front());
      std::copy(energy.coordinates.begin(), energy.coordinates.end(), where.begin());
      batch_of<FormulaMeasure<N>, PotentialLaw>(batches_).add(FormulaMeasure<N>{formula}, PotentialLaw{}, where);
    };
    const std::size_t n = energy.coordinates.size();
    if (n == 1) return with.template operator()<1>();
    if (n == 2) return with.template operator()<2>();
    if (n == 3) return with.template operator()<3>();
    if (n <= 6) return with.template operator()<6>();
    with.template operator()<12>();
  };
  for (const CoordinateInput& coordinate : model.coordinates)
    if (!coordinate.potential.empty()) add_potential(coordinate.potential);
  for (const PotentialInput& potential : model.potentials) add_potential(potential.potential);

  for (const int first : nodes_)
    for (int i = 0; i < 3; ++i)
      if (model.gravity[i] != 0) add_constant_force(first + i, mass_[first + i] * model.gravity[i], true);

  for (const LoadInput& load : model.loads) {
    const bool on_node = node_at.contains(load.on);
    const int first = on_node ? node_at.at(load.on) : scalar_at.at(load.on);
    for (int i = 0; i < (on_node ? 3 : 1); ++i) {
      if (load.potential)
        add_constant_force(first + i, load.force[i].value(0), false);
      else if (!load.force[i].constant() || load.force[i].value(0) != 0)
        add_load(first + i, load.force[i]);
    }
  }

  if (extent > 0) set_length_scale(extent);
  finish();
}

}  // namespace trompo
