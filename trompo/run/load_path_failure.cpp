// What is said where no equilibrium is found.
#include <fmt/format.h>

#include "trompo/run/load_path.hpp"

namespace trompo {

void LoadPath::explain(const NewtonReport& report, double size) {
  static constexpr std::string_view reasons[] = {"", "Newton used up its iterations", "a force became infinite",
                                                 "something moves freely"};
  account_ = size > 0
                 ? fmt::format("last tried with a {} of {:.3g}: ", along_path() ? "step along the path" : "load step", size)
                 : std::string();
  if (report.end == NewtonEnd::beyond_reach) {
    account_ += fmt::format("the equilibrium found there lies on another path, {:.3g} away{}: the structure would jump\n",
                            search_.distance(), unstable_ > 0 ? fmt::format(" and unstable in {} directions", unstable_) : "");
    return;
  }
  if (report.end == NewtonEnd::constraint_open) {
    account_ += search_.culprit() + ": it has opened; its equation was left out since others said the same at the start\n";
    return;
  }
  if (report.end == NewtonEnd::outside_domain) {
    account_ +=
        search_.culprit() +
        ": not defined all the way there; a formula has a pole there or leaves its domain, a bar has no length, or a joint "
        "whose turn has a spring turns by more than half a turn\n";
    return;
  }
  account_ += fmt::format("{}\n  equations farthest from balance: residual (allowed)\n", reasons[static_cast<int>(report.end)]);
  for (const Imbalance& i : search_.imbalances(5)) {
    account_ += fmt::format("    {:<24} {:.2e} ({:.2e})\n", i.name, i.residual, i.allowed);
    result.run.failure.worst.push_back({i.name, i.residual, i.allowed});
  }
}

// Where it broke off, what is soft is on its way, if nothing is free where it began.
void LoadPath::explain_relaxation() {
  account_ = "it does not come to rest\n";
  balance_.evaluate(true);
  constexpr double soft = 1e-5;
  soft_ = in_words(balance_, free_motions(balance_, soft));
}

// What the load does where it can grow no further.
std::string LoadPath::gives_way() {
  VecX direction;
  double length = 0;
  return search_.find_direction(direction, length) ? balance_.dominant_motion(direction.head(balance_.moving())) : "";
}

bool LoadPath::fail(const NewtonReport& report, double size) {
  if (account_.empty()) explain(report, size);
  result.run.status = Status::not_converged;
  Failure& failure = result.run.failure;
  failure.step = result.run.steps + 1;
  failure.time = along_path() ? static_cast<double>(result.run.steps) : balance_.factor();
  failure.step_size = size;
  failure.newton = report;
  balance_.evaluate(true);
  const std::string loose = in_words(balance_, free_motions(balance_));
  const auto bent = record_.bending().warnings(RodBending::About::limit);
  const bool used_up = along_path() && result.run.steps == model_.statics.max_steps;
  std::string text = used_up ? account_
                     : result.found
                         ? fmt::format("no equilibrium was found beyond load factor {:.6g}, ", balance_.factor()) + account_
                         : "no equilibrium was found at load factor 0, without loads: " + account_;
  if (!bent.empty())
    text += "  " + bent.front().message + ": " + bent.front().remedy;
  else if (!loose.empty())
    text += "  what moves freely is " + loose +
            "\n  try: a support or a joint that holds it; prestress, or a shape that is not straight, where tension is to "
            "hold it";
  else if (!soft_.empty())
    text += "  what hardly anything resists is " + soft_ + "\n  try: a support, a joint or a spring that holds it";
  else if (used_up)
    text += "  try: a larger `max_steps` in [statics]; a longer `arc`";
  else if (!result.found)
    text += "  try: a drawing nearer to one that holds; a larger newton.max_iterations";
  else if (along_path())
    text += "  try: a shorter `arc` in [statics]; a larger newton.max_iterations";
  else
    text += "  what gives way is " + gives_way() +
            "\n  try: method = \"arc-length\" in [statics], which follows the path past a limit point and round a corner; more "
            "`steps`; "
            "a larger newton.max_iterations";
  failure.account = text;
  // Part of a load step was covered: the results end where it ended.
  if (result.found && report.end != NewtonEnd::not_finite && balance_.factor() != result.factor)
    (void)record_.add(result.run.steps + 1, 0, unstable_, balance_);
  return false;
}

}  // namespace trompo
