// Beyond Silva (2004): the energy forced by multipliers, which its conclusions name, on its pendulums and on the rods of
// Ferreira and Doblare; and schemes that lose energy beside those that keep it, over many steps.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "apps/reproduce_pendulum.hpp"
#include "trompo/model/body.hpp"
#include "trompo/scheme/forced_balance.hpp"

namespace trompo {

namespace {

Outcome said(const std::string& text) { return {std::nan(""), text}; }
Outcome measured(double x, const char* form) { return {x, fmt::format(fmt::runtime(form), x)}; }

// ---- forced energy ----

struct Attempt {
  long steps = 0, asked = 0;
  double change = 0, largest = 0;  // of energy over what it was; of the multiplier
  std::string end;
};

// Step by step at the size that is asked for: a step that fails is not halved.
Attempt attempt(const Model& model) {
  const System system(model);
  const Scheme scheme = scheme_of(model);
  Attempt out;
  if (const std::string why = refusal(scheme, system); !why.empty()) {
    out.end = "refused: " + why;
    return out;
  }
  const auto stepper = make_stepper(scheme, system, newton_options(model));
  State state = initial_state(model, system);
  stepper->start(state, initial_acceleration(model, system, state));
  const double zero = system.potentials(state.q).gravity;
  const auto energy = [&] { return system.kinetic(state.v) + system.potentials(state.q).sum() - zero; };
  const double first = energy();
  const auto* forced = dynamic_cast<const ForcedBalance*>(stepper.get());
  out.asked = model.time.steps.value_or(std::lround(model.time.end.value_or(0) / model.time.step));
  for (; out.steps < out.asked; ++out.steps) {
    const StepReport report = stepper->step(state, static_cast<double>(out.steps + 1) * model.time.step);
    if (!report.done()) {
      const NewtonEnd end = report.newton.end;
      out.end = fmt::format("step {}: {}", out.steps + 1,
                            end == NewtonEnd::no_root  ? "no root"
                            : end == NewtonEnd::forced ? "no solution of the equations of motion"
                                                       : "the balance itself has none");
      return out;
    }
    out.change = std::max(out.change, std::abs(energy() / first - 1));
    if (forced != nullptr) out.largest = std::max(out.largest, std::abs(forced->forcing()[0]));
  }
  out.end = "reached";
  return out;
}

void add_rows(Table& table, const std::string& what, const Model& given) {
  for (const auto& [scheme, rho] : {std::pair{"constraint-energy", 1.0},
                                    {"constraint-energy-momentum", 1.0},
                                    {"constraint-energy-momentum", 0.8},
                                    {"constraint-energy-momentum", 0.6},
                                    {"energy-momentum-exact", 1.0}}) {
    Model model = given;
    model.time.scheme = scheme;
    model.time.parameters = {{"rho_infinity", rho}};
    model.time.options.clear();
    if (std::string_view(scheme) == "constraint-energy-momentum") model.time.options["momenta"] = "linear";
    model.time.initial_acceleration = "consistent";
    const Attempt a = attempt(model);
    const bool moved = a.steps > 0;
    table.rows.push_back({said(what), said(fmt::format("{} {:g}", scheme, rho)),
                          measured(static_cast<double>(a.steps), "{:.0f}"), measured(static_cast<double>(a.asked), "{:.0f}"),
                          moved ? measured(a.change, "{:.1e}") : said("-"),
                          moved && a.largest > 0 ? measured(a.largest, "{:.2g}") : said("-"), said(a.end)});
  }
}

// ---- losing energy over many steps ----

struct Long final : Observer {
  Long(Model model, const char* scheme, double rho, double step, long steps, long shown) {
    model.time.scheme = scheme;
    model.time.parameters = {{"rho_infinity", rho}};
    model.time.options.clear();
    model.time.initial_acceleration = "consistent";
    model.time.end.reset();
    model.time.step = step;
    model.time.steps = steps;
    model.output.every = std::max(1L, steps / shown);
    Observer* observers[] = {this};
    (void)run(model, System(model), scheme_of(model), observers, {.keep_going = true});
  }
  void sample(const Sample& now) override {
    times.push_back(now.time);
    energies.push_back(now.ledger.total());
    scales.push_back(now.ledger.scale());
    q.push_back(now.state.q);
    turns.push_back(now.momentum.angular);
    turning.push_back(now.momentum.angular_scale);
  }
  std::vector<double> times, energies, scales, turning;
  std::vector<VecX> q;
  std::vector<Vec3> turns;
};

Model turning_bar() {
  Model model = published_model("krenk/free_bar.toml");
  for (BarInput& bar : model.bars) {
    bar.EA = 1e9;
    bar.length.reset();  // as drawn: prestress would be lost
  }
  return model;
}

std::vector<Plot> decay_panels() {
  struct Case {
    const char* name;
    Model model;
    double step;
    long steps;
  };
  // The rod of Simo and Vu-Quoc, thrown with a velocity that bends it in place of their loads.
  Model rod = published_model("rods/flying_3d.toml");
  rod.loads.clear();
  for (BodyInput& body : rod.bodies) {
    const Vec3 place = resolve_body(body).position;
    body.velocity = Vec3(0.5, 0.1 * place.x(), 0.05 * place.squaredNorm());
  }
  const Case cases[] = {{"stiff bar that turns, EA = 1e9", turning_bar(), 0.02, 5000},
                        {"pendulum, EA = 1e10", pendulum_bar("rigid", "midpoint", 1, 0, 0), 0.1, 5000},
                        {"flying rod", rod, rod.time.step, 300}};
  std::vector<Plot> plots;
  for (const Case& c : cases) {
    const Long reference(c.model, "energy-momentum-exact", 1, c.step / 10, 10 * c.steps, 250);
    Plot energy{.title = std::string(c.name) + ": energy", .x_label = "t [s]", .y_label = "change / scale", .log_y = true};
    Plot turn{.title = "angular momentum", .x_label = "t [s]", .y_label = "change / scale", .log_y = true};
    Plot error{.title = "error of places", .x_label = "t [s]", .y_label = "[m]", .log_y = true};
    for (const auto& [label, scheme, rho] : {std::tuple{"energy-decay, ρ∞ = 0.8", "energy-decay", 0.8},
                                             {"generalised-α, ρ∞ = 0.8", "generalized-alpha-1", 0.8},
                                             {"energy-momentum-exact", "energy-momentum-exact", 1.0}}) {
      const Long run(c.model, scheme, rho, c.step, c.steps, 250);
      const auto floored = [](double x) { return std::max(std::abs(x), 1e-17); };
      energy.curves.push_back(curve_of(
          label, run, [&](std::size_t i) { return floored((run.energies[i] - run.energies[0]) / run.scales.back()); }));
      turn.curves.push_back(curve_of(
          label, run, [&](std::size_t i) { return floored((run.turns[i] - run.turns[0]).norm() / run.turning.back()); }));
      Curve distance{label, {}, {}};
      for (std::size_t i = 1; i < std::min(run.q.size(), reference.q.size()); ++i) {
        distance.xs.push_back(run.times[i]);
        distance.ys.push_back(floored((run.q[i] - reference.q[i]).cwiseAbs().maxCoeff()));
      }
      error.curves.push_back(std::move(distance));
    }
    for (Plot* p : {&energy, &turn, &error}) plots.push_back(std::move(*p));
  }
  return plots;
}

}  // namespace

Table forced_energy_table() {
  Table table{"Energy forced by multipliers, with steps that are not halved",
              {"model", "scheme, spectral radius", "steps", "of", "largest change of energy", "largest multiplier", "end"},
              {}};
  for (const char* file : {"elastic", "rigid"})
    for (const double gravity : {printed_gravity, 0.0})
      add_rows(table, fmt::format("{} pendulum, g = {:g}", file, 9.8 * gravity), pendulum_bar(file, "midpoint", 1, 0, gravity));
  for (const char* file : {"rod_sphere", "rod_trig"})
    add_rows(table, fmt::format("{} (Ferreira, Doblare)", file), published_model(fmt::format("constraints/{}.toml", file)));
  return table;
}

Figure decay_figure() {
  return {"decay", "losing energy by a theorem, beside generalised-α and the secant: energy, angular momentum, error",
          decay_panels, 3};
}

}  // namespace trompo
