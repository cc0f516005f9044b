#include "trompo/scheme/verdict.hpp"

namespace trompo {

bool accepted(StepReport& report, const System& system, const VecX& q0, const VecX& q1) {
  // Equations that close where energies do not exist: a step that ends with a bar of no length between held nodes.
  if (!report.books.finite()) report.newton.end = NewtonEnd::not_finite;
  if (!report.done()) return false;
  // Both ends may be fine with a pole between them, which no motion passes.
  if (const std::string* part = system.undefined_between(q0, q1)) {
    report.newton.end = NewtonEnd::outside_domain;
    report.culprit = *part;
  }
  return report.done();
}

}  // namespace trompo
