// Coming to rest from a place where forces are not in balance: what was drawn with prestress, and what hangs, where nothing
// resists until it has moved.
//
// The motion is that of a model without inertia in a thick fluid, W u' = -dE/du on the constraints, by implicit steps: the end
// of each minimises E(u) + mu/2 |u - u0|^2, |.| by the W of a load path. So the energy falls with every step, hills are not
// crossed, and as steps become long (mu -> 0) they become Newton's own (C. T. Kelley, D. E. Keyes, Convergence analysis of
// pseudo-transient continuation, SIAM J. Numer. Anal. 35, 1998). From an equilibrium that is not stable it is pushed off, in
// the direction in which the energy falls.
//
// Where something stiff hangs, as a cable of bars, a valley with steep walls leads to the equilibrium, and short steps are all
// that stays in it. Under a load that is heavy beside the stiffness the walls are flat: it comes to rest there first, and the
// load is brought down to what it should be, along the path of equilibria.
#pragma once

#include "trompo/scheme/static_search.hpp"

namespace trompo {

class StaticRelaxation {
 public:
  explicit StaticRelaxation(StaticSearch& search) : search_(search), balance_(search.balance()) {}

  static constexpr int most = 48;  // factorisations at a load

  // At the load of the balance. Where it fails the balance stands somewhere on the way.
  [[nodiscard]] NewtonReport to_rest();
  // Factorisations of the last search at each of its loads: the one that was asked for, and heavier ones on the way.
  [[nodiscard]] const std::vector<int>& used_at_loads() const { return used_at_loads_; }

 private:
  [[nodiscard]] double pull() const;  // length of the residual, against that of displacements
  // Until Newton comes to rest in a stable equilibrium; without a report, until something resists nearby. False where there is
  // none, and where patience ends, so many factorisations, with steps that had to be shorter than the first.
  [[nodiscard]] bool flow(int patience, NewtonReport* last);
  [[nodiscard]] bool step(double mu, double share, double length);
  [[nodiscard]] bool solve(double mu);
  [[nodiscard]] bool newton_rests(NewtonReport& last);
  [[nodiscard]] bool lower_load(double factor);
  [[nodiscard]] double heavy_load() const;
  void close_load();

  StaticSearch& search_;
  StaticBalance& balance_;
  VecX done_, increment_;  // of a step
  int used_ = 0;           // at this load
  std::vector<int> used_at_loads_;
};

}  // namespace trompo
