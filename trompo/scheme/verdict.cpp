#include "trompo/scheme/verdict.hpp"

namespace trompo {

bool accepted(StepReport& report, const System& /*system*/, const VecX& /*q0*/, const VecX& /*q1*/) {
  // Equations that close where energies do not exist: a step that ends with a bar of no length between held nodes.
  if (!report.books.finite()) report.newton.end = NewtonEnd::not_finite;
  return report.done();
}

}  // namespace trompo
