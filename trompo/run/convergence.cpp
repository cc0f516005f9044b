#include "trompo/run/convergence.hpp"

#include <fmt/format.h>

#include <cmath>
#include <limits>

#include "trompo/math/known.hpp"

namespace trompo {

std::string_view word(Convergence::Verdict verdict) {
  static constexpr std::string_view words[] = {"confirmed", "no claim", "not judged", "contradicted"};
  return words[static_cast<int>(verdict)];
}

namespace {

using Verdict = Convergence::Verdict;
constexpr double enough = 0.1;  // how near to the claim a measured order has to be

bool bends(const std::string& formula) {
  if (formula.find_first_of("<>=!") != std::string::npos) return true;
  for (const char* word : {"abs", "sign", "min", "max", "if"})
    for (std::size_t at = formula.find(word); at != std::string::npos; at = formula.find(word, at + 1)) {
      const std::size_t after = formula.find_first_not_of(" \t", at + std::string_view(word).size());
      const bool begins = at == 0 || (std::isalnum(static_cast<unsigned char>(formula[at - 1])) == 0 && formula[at - 1] != '_');
      if (begins && after != std::string::npos && formula[after] == '(') return true;
    }
  return false;
}
bool bends(const TimeFunction& f) {
  if (const auto* formula = std::get_if<Formula>(&f.form())) return bends(formula->text());
  const auto* table = std::get_if<TimeFunction::Table>(&f.form());
  return table != nullptr && table->size() > 1;
}

// The first part of the model whose forces have kinks, over which no scheme keeps its order; empty if there is none.
std::string kink_of(const Model& m) {
  const auto any = [](const auto& functions) {
    for (const auto& f : functions)
      if (bends(f)) return true;
    return false;
  };
  const auto moved = [](const Motions& motions) {
    for (const auto& motion : motions)
      if (motion && bends(*motion)) return true;
    return false;
  };
  for (const BarInput& b : m.bars)
    if (b.tension_only) return "bar " + in_quotes(b.name) + " goes slack";
  for (const PotentialInput& p : m.potentials)
    if (bends(p.potential)) return "potential " + in_quotes(p.name) + " has kinks";
  for (const InvariantInput& i : m.invariants)
    if (bends(i.formula)) return "invariant " + in_quotes(i.name) + " has kinks";
  for (const CoordinateInput& c : m.coordinates)
    if (bends(c.potential) || (c.motion && bends(*c.motion))) return "coordinate " + in_quotes(c.name) + " has kinks";
  for (const ConstraintInput& c : m.constraints)
    if (bends(c.constraint)) return "constraint " + in_quotes(c.name) + " has kinks";
  for (const LoadInput& l : m.loads)
    if (any(l.force) || any(l.formula) || any(l.torque) || any(l.moment)) return "load " + in_quotes(l.name) + " has kinks";
  for (const NodeInput& n : m.nodes)
    if (moved(n.motion)) return "the motion of node " + in_quotes(n.name) + " has kinks";
  for (const SpringInput& s : m.springs)
    if (moved(s.from.motion) || moved(s.to.motion)) return "the motion of spring " + in_quotes(s.name) + " has kinks";
  for (const JointInput& j : m.joints)
    if (moved(j.ground_motion) || (j.motion && bends(*j.motion)))
      return "the motion of joint " + in_quotes(j.name) + " has kinks";
  return {};
}

// Below this an error may be that of the reference, or the rounding that Newton leaves: thirty times as large as either, they
// change a measured order by less than half of what is enough.
double least_error(double size, const ReferenceSolution& reference) { return 30 * std::max(reference.error, 1e-13 * size); }

double size_of(const System& system, const VecX& q) {
  double size = 0;
  for (const int c : system.free()) size = std::max(size, std::abs(q[c]));
  return size;
}

class Judgement {
 public:
  Judgement(const Model& model, const System& system, const ReferenceSolution& reference, Convergence& c)
      : model_(model),
        reference_(reference),
        size_(size_of(system, reference.q)),
        least_(least_error(size_, reference)),
        c_(c) {
    for (std::size_t i = 1; i < c.points.size(); ++i)
      if (std::isfinite(c.points[i].order) && c.points[i].error > least_) usable_.push_back(i);
    if (!usable_.empty()) c.order = point(0).order;
  }
  void pass() {
    if (!c_.claim) return give(Verdict::no_claim, "the catalogue claims no order for this scheme with these parameters");
    if (c_.order && std::abs(*c_.order - *c_.claim) <= enough) {
      c_.verdict = Verdict::confirmed;
      return;
    }
    give(Verdict::not_judged, obstacle());
    if (!c_.reason.empty()) return;
    give(Verdict::contradicted, fmt::format("the order settles at {:.2f} where {} is claimed, and nothing known stands between",
                                            known(c_.order), known(c_.claim)));
  }

 private:
  void give(Verdict verdict, std::string reason) {
    c_.verdict = verdict;
    c_.reason = std::move(reason);
  }
  // Counted from the finest that can be used.
  [[nodiscard]] const ConvergencePoint& point(std::size_t before) const {
    return c_.points[usable_[usable_.size() - 1 - before]];
  }
  [[nodiscard]] std::string obstacle() const {
    for (const ConvergencePoint& p : c_.points)
      if (usable_.empty() && !p.done())
        return fmt::format("with a step of {:g} s the run does not reach the end: {}", p.step, word(p.status));
    if (usable_.empty())
      return fmt::format("the errors are as small as those of the reference and of rounding, {:.1e}: take larger steps",
                         least_);
    const double order = known(c_.order), claim = known(c_.claim), error = c_.points[usable_.back() - 1].error;
    if (point(0).retries > 0 || c_.points[usable_.back() - 1].retries > 0)
      return "steps had to be halved on the way, so their size is not the one that was asked for: take smaller ones";
    if (const double coarsest = c_.points[usable_.front() - 1].error; usable_.size() > 1 && point(0).error > 0.5 * coarsest)
      return fmt::format("errors do not fall, {:.1e} after {:.1e}: the scheme is unstable here, or the motion too sensitive",
                         point(0).error, coarsest);
    if (error > 0.1 * std::min(1.0, size_))
      return fmt::format("with errors of {:.1e} the steps are too coarse to show an order: take smaller ones, or a shorter run",
                         error);
    if (const std::string kink = kink_of(model_); !kink.empty()) return kink + ", and over a kink no scheme keeps its order";
    if (usable_.size() < 2)
      return fmt::format("one halving is no trend, and finer errors are those of the reference ({:.1e}): take larger steps",
                         reference_.error);
    const double before = point(1).order;
    if (std::abs(order - before) > 0.3 || (order < claim && usable_.size() < 3) ||
        (order < claim && std::abs(before - point(2).order) + std::abs(order - before) > 0.1))
      return fmt::format("the order has not settled, {:.2f} after {:.2f}: {}", order, before,
                         usable_.back() + 1 < c_.points.size() ? "and finer errors are those of the reference"
                                                               : "the steps are too coarse, halve them more often");
    if (order > claim)
      return fmt::format(
          "errors fall faster than claimed, with order {:.2f}: the leading one is absent here, or small beside the next",
          order);
    return {};
  }

  const Model& model_;
  const ReferenceSolution& reference_;
  double size_, least_;
  Convergence& c_;
  std::vector<std::size_t> usable_;  // points whose order is not that of other errors
};

}  // namespace

Convergence converge(const Model& model, const System& system, const Contender& contender, const ReferenceSolution& reference,
                     int halvings, const RunOptions& options, Observer* watcher) {
  Convergence c{contender.label};
  c.claim = claimed_order(contender.scheme, system.bodies().empty() ? Formulation::directors : system.formulation());
  c.refused = refusal(contender.scheme, system);
  if (!c.refused.empty()) {
    c.reason = c.refused;
    return c;
  }
  const std::span<Observer* const> watchers(&watcher, watcher == nullptr ? 0 : 1);
  for (int i = 0; i <= halvings; ++i) {
    Model copy = model;
    copy.time.steps.reset();
    copy.time.end = end_time(model);
    copy.time.step = std::ldexp(model.time.step, -i);
    const RunResult result = run(copy, system, contender.scheme, watchers, options);
    const double nan = std::numeric_limits<double>::quiet_NaN();
    ConvergencePoint point{copy.time.step, nan, nan, result.status, result.retries};
    if (point.done() && reference.found()) point.error = distance(system, result.state.q, reference.q);
    if (!c.points.empty()) point.order = std::log2(c.points.back().error / point.error);
    c.points.push_back(point);
    if (point.status == Status::interrupted) return c;
  }
  if (reference.found())
    Judgement(model, system, reference, c).pass();
  else
    c.reason = "there is no reference solution to measure errors against";
  return c;
}

}  // namespace trompo
