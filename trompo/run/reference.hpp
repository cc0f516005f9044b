// A tight reference solution beside which schemes are measured: Dormand-Prince at 1e-12 where the model allows it, otherwise
// Richardson extrapolation of fine runs. It remembers turns and passes events as a run does. Conservation is not accuracy; this
// is accuracy.
#pragma once

#include <functional>
#include <string>

#include "trompo/model/event.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

struct ReferenceSolution {
  std::string method;       // or why there is none
  VecX q, v;                // at the end; empty if there is none
  double error = 0;         // its own estimate, as a distance
  double energy_scale = 0;  // max of K + |U| + |V| along it
  [[nodiscard]] bool found() const { return q.size() > 0; }
};

// `progress` hears the share that is done, from 0 to 1, of every solution tried.
[[nodiscard]] ReferenceSolution reference_solution(const Model& model, const System& system,
                                                   const std::function<void(double)>& progress = {});

// How far apart two states are, over what moves: the largest of the distances between places of nodes and of centres of mass
// [m], the angles between orientations of bodies [rad] and the differences of generalised coordinates, each in its own unit.
// What is prescribed or only remembered has no part in it. NaN where one of them is not finite.
[[nodiscard]] double distance(const System& system, const VecX& a, const VecX& b);

}  // namespace trompo
