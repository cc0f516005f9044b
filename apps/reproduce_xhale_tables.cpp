// Drift of the constraints and loss of energy by every scheme of the thesis, and what conserving schemes do on the same
// problems.
#include <fmt/format.h>

#include <cmath>
#include <span>

#include "apps/reproduce_xhale.hpp"

namespace trompo {

namespace {

using Overrides = std::vector<std::string>;

struct Way {  // to integrate
  std::string label;
  Overrides set;
};

// Weights by hand: those of the thesis, averaged as there.
Overrides blended(double alpha_m, double alpha_f, double gamma, double beta) {
  return {"formulation=euler-parameters",
          "time.scheme=generalized-alpha-1",
          "time.blend=all",
          fmt::format("time.alpha_m={}", alpha_m),
          fmt::format("time.alpha_f={}", alpha_f),
          fmt::format("time.newmark_gamma={}", gamma),
          fmt::format("time.newmark_beta={}", beta)};
}
Way newmark(double alpha) {
  const double gamma = 0.5 + alpha;
  return {fmt::format("newmark, alpha = {:g}", alpha), blended(0, 0, gamma, 0.25 * (gamma + 0.5) * (gamma + 0.5))};
}
Way hht(double alpha) {
  return {fmt::format("hht, alpha_f = {:g}", alpha), blended(0, alpha, 0.5 + alpha, 0.25 * (1 + alpha) * (1 + alpha))};
}
Way generalized(double f, double m) {
  return {fmt::format("generalized-alpha, {:g}, {:g}", f, m), blended(m, f, 0.5 + f - m, 0.25 * (1 + f - m) * (1 + f - m))};
}

struct Stabilised {
  std::string label, value;
};
const std::vector<Stabilised>& stabilisations() {
  static const std::vector<Stabilised> all{{"none", "{ projection = \"none\" }"},
                                           {"Baumgarte 10, 10", "{ baumgarte = { a = 10, b = 10 } }"},
                                           {"s-both", "{ projection = \"s-both\", times = 1 }"},
                                           {"s-both twice", "{ projection = \"s-both\", times = 2 }"}};
  return all;
}
const std::vector<Way>& explicit_ways() {
  static const std::vector<Way> all{
      {"dormand-prince 1e-12", {"time.scheme=dormand-prince", "time.tolerance=1e-12", "time.step=0.05"}},
      {"hamming", {"time.scheme=hamming", "time.start=published"}},
      {"central-difference", {"time.scheme=central-difference", "time.form=velocity"}},
      {"rk4", {"time.scheme=rk4"}}};
  return all;
}
Overrides with(Overrides set, const std::string& stabilisation) {
  set.emplace_back("formulation=euler-parameters");
  set.push_back("time.stabilisation=" + stabilisation);
  return set;
}

Outcome word(const std::string& text) { return {std::nan(""), text}; }
Outcome small(double x) { return {x, fmt::format("{:.2e}", x)}; }
Outcome percent(double x) { return {x, fmt::format("{:+.2g}", x)}; }

Table drift(const std::string& title, const std::string& file, const Overrides& more) {
  Table t{title, {"scheme"}, {}};
  for (const Stabilised& s : stabilisations()) {
    t.headings.push_back(s.label);
    t.headings.push_back("rate");
  }
  for (const Way& way : explicit_ways()) {
    std::vector<Outcome> row{word(way.label)};
    for (const Stabilised& s : stabilisations()) {
      Overrides set = more;
      for (const std::string& value : with(way.set, s.value)) set.push_back(value);
      const Flight& flight = flown(published_model("xhale/" + file, set));
      row.push_back(small(flight.drift));
      row.push_back(small(flight.drift_rate));
    }
    t.rows.push_back(row);
  }
  return t;
}

// Steps of 1 ms, those of the thesis, are in the statements; longer ones tell the schemes apart in seconds.
Table energy(std::span<const double> steps) {
  Table t{"16 bodies, wings up, 30 s without dampers: change of energy [%]; s: wall time", {"scheme"}, {}};
  std::vector<Way> ways;
  for (const Way& way : explicit_ways())
    if (!way.label.starts_with("dormand"))
      ways.push_back({way.label + ", s-both twice", with(way.set, stabilisations()[3].value)});
  ways.push_back({"dormand-prince 1e-5, Baumgarte",
                  with({"time.scheme=dormand-prince", "time.tolerance=1e-5"}, stabilisations()[1].value)});
  for (const Way& way : {newmark(0.015), hht(0.026), generalized(0.487, 0.4615), newmark(0)}) ways.push_back(way);
  ways.push_back({"energy-momentum-exact, directors", {}});
  ways.push_back({"energy-momentum-exact, rotation", {"formulation=rotation"}});
  ways.push_back({"energy-momentum, directors", {"time.scheme=energy-momentum"}});
  ways.push_back({"discrete-gradient, directors", {"time.scheme=discrete-gradient"}});
  for (const double step : steps) {
    t.headings.push_back(fmt::format("h = {:g}", step));
    t.headings.emplace_back("s");
  }
  for (const Way& way : ways) {
    std::vector<Outcome> row{word(way.label)};
    for (const double step : steps) {
      Overrides set = way.set;
      set.push_back(fmt::format("time.step={}", step));
      const Flight& flight = flown(published_model("xhale/energy.toml", set));
      row.push_back(flight.arrived() ? percent(flight.energy_percent())
                                     : word(fmt::format("ends at {:.3g} s", flight.reached())));
      row.push_back({flight.result.wall_seconds, fmt::format("{:.2g}", flight.result.wall_seconds)});
    }
    t.rows.push_back(row);
  }
  return t;
}

}  // namespace

std::vector<Table> xhale_tables() {
  return {drift("Case V, 5 s, h = 0.001 (dormand-prince: its own): gap of hinge 1-2 [m] and its rate, stabilised in four ways",
                "case_5.toml", {}),
          drift("16 bodies, antisymmetric with dampers, 10 s, h = 0.01: the same", "dampers.toml",
                {"aircraft.pattern=antisymmetric", "time.step=0.01"}),
          energy(std::array{0.01, 0.05})};
}

}  // namespace trompo
