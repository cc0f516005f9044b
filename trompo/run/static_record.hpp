// What is kept of the equilibria along a load path: samples for observers, extremes of sensors, remarks.
#pragma once

#include <optional>

#include "trompo/model/rod_bending.hpp"
#include "trompo/run/statics.hpp"
#include "trompo/scheme/static_balance.hpp"

namespace trompo {

class StaticRecord {
 public:
  StaticRecord(const Model& model, const System& system, std::span<Observer* const> observers, StaticResult& result);

  void begin(long planned, const State& from);
  // The equilibrium at which the balance stands and was evaluated last, as the end of this step. What is not finite in it goes
  // into no result: its name is returned.
  [[nodiscard]] std::string add(long step, int iterations, int unstable, const StaticBalance& balance);
  // Between two factors the number of directions in which the equilibrium is not stable has changed; a bifurcation is
  // where that happens although the load does not turn back.
  void stability_changes(int before, int after, double from, double to, bool branches, std::optional<double> bifurcation);
  // From here nothing resisted what the load did, and it came to rest elsewhere.
  void moved_freely(const std::string& what, double factor);
  void limit_point(double factor, bool largest);
  // Of rods, at all equilibria that were added.
  [[nodiscard]] const RodBending& bending() const { return bending_; }

 private:
  const Model& model_;
  const System& system_;
  std::span<Observer* const> observers_;
  StaticResult& result_;
  Sensors sensors_;
  StaticPoint point_;
  std::vector<double> values_;
  VecX reaction_, none_;
  RodBending bending_;
};

}  // namespace trompo
