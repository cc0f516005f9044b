// The path of equilibria while loads grow, by load steps or along its length. Each equilibrium that is found is held against
// the one before (scheme/path_check.hpp): a search can end on a branch to which the path does not lead. Then the step is
// halved, and a path that cannot be followed to its end says how far it came and why.
#pragma once

#include <optional>

#include "trompo/run/clock.hpp"
#include "trompo/run/static_record.hpp"
#include "trompo/scheme/path_check.hpp"
#include "trompo/scheme/static_relaxation.hpp"

namespace trompo {

class LoadPath {
 public:
  LoadPath(const Model& model, const System& system, std::span<Observer* const> observers, const RunOptions& options);
  void go(const State& from);
  StaticResult result;

 private:
  struct Place {  // an equilibrium, to which a step that fails goes back
    State state;
    VecX multipliers;
    double factor = 0;
    int unstable = -1;  // directions; -1: not judged
  };
  // Of a step whose search converged.
  enum class Verdict { good, branch_point, other_path };
  struct Direction {  // of the path, where the tangent says it
    bool known = false;
    VecX along;        // of unit length
    double slope = 0;  // of the factor
  };

  [[nodiscard]] bool along_path() const { return model_.statics.method == "arc-length"; }
  [[nodiscard]] double time_at(double factor) const { return factor * model_.statics.time; }
  [[nodiscard]] bool begin();
  void raise_load();
  // One part of a load step: true if it was taken.
  [[nodiscard]] bool take_part(Clock& clock, double factor, int& iterations);
  // At this load, from where no path leads: what hangs comes to rest.
  [[nodiscard]] bool come_to_rest(double factor, int& iterations);
  void follow_path();
  [[nodiscard]] Direction direction_after(const VecX* way);
  [[nodiscard]] NewtonReport one_arc(const Place& from, const Direction& direction, double arc, bool shortest);
  [[nodiscard]] Verdict judge_load_step(const Place& from, const VecX& ahead, bool shortest);
  [[nodiscard]] Verdict judge_arc(const Place& from, const Direction& direction, double arc, bool shortest);
  [[nodiscard]] NewtonReport land(const Place& from);
  [[nodiscard]] bool interrupted();

  [[nodiscard]] Place place() const { return {balance_.state(), balance_.multipliers(), balance_.factor(), unstable_}; }
  void go_back(const Place& place);
  void count(int iterations);
  void count_relaxation();
  // With the way here: `arc` along this direction, or none for a load step.
  void take_over(const Place& from, Verdict verdict, const Direction* direction = nullptr, double arc = 0);
  // The load factor of the bifurcation, or of the limit point, between an equilibrium and the one at which the balance stands.
  // No bifurcation where the stiffness nearest to zero does not change its sign.
  [[nodiscard]] std::optional<double> bifurcation_after(const Place& from, const Direction* direction, double arc);
  [[nodiscard]] double limit_after(const Place& from, const Direction& direction, double arc);

  [[nodiscard]] bool close_step(long step, int iterations);
  void explain(const NewtonReport& report, double size);  // while the balance still stands where the search broke off
  void explain_relaxation();
  [[nodiscard]] std::string gives_way();               // in words, where the balance stands
  bool fail(const NewtonReport& report, double size);  // at the last equilibrium

  const Model& model_;
  RunOptions options_;
  StaticRecord record_;
  StaticBalance balance_;
  StaticSearch search_;
  PathCheck check_;
  StaticRelaxation relaxation_;
  int unstable_ = -1;    // of the equilibrium at which the balance stands
  Direction onward_;     // of the path at the end of the last arc
  double way_ = 0;       // length of the last arc
  std::string account_;  // why the last step was not taken
  std::string soft_;     // what moves where nothing came to rest, in words
};

}  // namespace trompo
