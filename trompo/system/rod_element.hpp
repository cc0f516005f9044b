// The elements of a model's rods, as terms: for the assembly, and for whoever wants to know what a section carries.
#pragma once

#include <array>
#include <memory>
#include <vector>

#include "trompo/law/diagonal.hpp"
#include "trompo/measure/rod_strain.hpp"
#include "trompo/model/model.hpp"
#include "trompo/space/rigid_body.hpp"

namespace trompo {

// At the middle of an element, along the axes of the section: d1, d2, d3.
struct SectionState {
  Vec3 force, moment;      // shear, shear, normal force [N]; bending, bending, torsion [N m]
  Vec3 strain, curvature;  // less those of the reference
};

struct RodElement {
  RodStrain measure;
  DiagonalLaw<6> law;  // integrated over the length
  std::array<int, RodStrain::coordinates> where;

  [[nodiscard]] SectionState state(const VecX& q) const;
};

// `bodies` are those of the system, in the order of the model.
[[nodiscard]] std::vector<RodElement> rod_elements(const Model& model, const std::vector<RigidBody>& bodies);

class Batch;
class Dampers;
// The terms, with the damping `stiffness` of [rayleigh].
void add_rod_elements(const Model& model, const std::vector<RigidBody>& bodies, std::vector<std::unique_ptr<Batch>>& batches,
                      std::vector<std::unique_ptr<Dampers>>& dampers);

}  // namespace trompo
