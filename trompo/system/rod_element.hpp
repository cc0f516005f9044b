// The elements of a model's rods, as terms: for the assembly, and for whoever wants to know what a section carries.
#pragma once

#include <array>
#include <memory>
#include <optional>
#include <variant>
#include <vector>

#include "trompo/measure/helix_strain.hpp"
#include "trompo/measure/rod_strain.hpp"
#include "trompo/model/model.hpp"
#include "trompo/model/rod_section.hpp"
#include "trompo/space/rigid_body.hpp"

namespace trompo {

// At the middle of an element, along the axes of the section: d1, d2, d3.
struct SectionState {
  Vec3 force, moment;      // shear, shear, normal force [N]; bending, bending, torsion [N m]
  Vec3 strain, curvature;  // less those of the reference
};

// By beam theory, at the surface [N/m^2].
struct SectionStress {
  double highest, lowest;  // along the axis: N/A and the farthest fibres of bending
  double mises;            // of the larger of both with the shear of torsion and the mean shear: not less than the true one
};
[[nodiscard]] SectionStress stress_of(const SectionShape& shape, const SectionState& state);

template <class Strain>
struct RodTerm {  // at one point of quadrature
  Strain measure;
  Vec<6> stiffness;  // times the weight of the point
  std::array<int, Strain::coordinates> where;
};
template <class Strain>
using RodTerms = std::array<RodTerm<Strain>, Strain::points>;

struct RodElement {
  std::variant<RodTerms<HelixStrain>, RodTerms<RodStrain>, RodTerms<QuadraticRodStrain>> terms;
  std::optional<SectionShape> shape;

  [[nodiscard]] SectionState state(const VecX& q) const;  // the mean of the points
  [[nodiscard]] double energy(const VecX& q) const;
};

// `bodies` are those of the system, in the order of the model.
[[nodiscard]] std::vector<RodElement> rod_elements(const Model& model, const std::vector<RigidBody>& bodies);

// Mass that two vectors share, their first coordinates being a and b: System::share_mass.
struct SpreadMass {
  int a, b;
  double mass;
};
// Of the elements with a consistent mass: what is to be added to the lumps at their nodes. Places and directors are
// interpolated like the strains, so that the mass matrix is constant: the integrals of products of shape functions.
[[nodiscard]] std::vector<SpreadMass> spread_masses(const Model& model, const std::vector<RigidBody>& bodies);

}  // namespace trompo
