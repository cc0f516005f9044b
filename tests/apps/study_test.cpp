// The commands that look at schemes rather than at one run: schemes, schema, check, compare, converge, spectrum.
#include <cmath>
#include <numbers>

#include "tests/apps/tool.hpp"
#include "trompo/output/page.hpp"
#include "trompo/scheme/catalogue.hpp"

namespace trompo::test {
namespace apps_study {

class Study : public ToolTest {
 protected:
  nlohmann::json json(std::vector<std::string> arguments) const {
    arguments.emplace_back("--json");
    const Outcome outcome = trompo(arguments);
    EXPECT_EQ(outcome.code, 0) << outcome.err;
    EXPECT_EQ(outcome.err, "");
    return json_of(outcome.out);
  }
  std::vector<std::string> scheme_names() const {
    std::vector<std::string> names;
    for (const auto& row : json({"schemes"}))
      if (row["for"] == "every model") names.push_back(row["name"]);
    return names;
  }
};

TEST_F(Study, HelpAndVersionAreData) {
  for (const std::vector<std::string>& arguments :
       {std::vector<std::string>{"--help"}, {"run", "--help"}, {"spectrum", "--help"}, {"--version"}}) {
    const Outcome outcome = trompo(arguments);
    EXPECT_EQ(outcome.code, 0);
    EXPECT_FALSE(outcome.out.empty());
    EXPECT_EQ(outcome.err, "");
  }
}

TEST_F(Study, CatalogueForPrograms) {
  const auto rows = json({"schemes"});
  EXPECT_GE(rows.size(), 14U);
  std::set<std::string> names;
  for (const auto& row : rows) {
    for (const char* field : {"name", "aliases", "title", "order", "conserves", "parameters", "reference"})
      EXPECT_TRUE(row.contains(field)) << field << " of " << row;
    for (const auto& parameter : row["parameters"])
      for (const char* field : {"name", "default", "least", "why"})
        EXPECT_TRUE(parameter.contains(field)) << field << " of " << row;
    EXPECT_TRUE(names.insert(row["name"]).second) << row["name"];
    for (const std::string alias : row["aliases"]) EXPECT_TRUE(names.insert(alias).second) << alias;
  }
  for (const char* name :
       {"trapezoidal", "midpoint", "newmark", "bossak", "hht-1", "hht-2", "generalized-alpha-1", "generalized-alpha-2",
        "energy-momentum", "energy-momentum+xi", "gem", "gem+xi", "energy-momentum-exact", "energy-momentum-exact+xi"})
    EXPECT_TRUE(names.contains(name)) << name;
}

TEST_F(Study, CatalogueForPeopleNamesEveryScheme) {
  const Outcome outcome = trompo({"schemes"});
  EXPECT_EQ(outcome.code, 0);
  for (const std::string& name : scheme_names()) EXPECT_TRUE(says("\n" + outcome.out, "\n" + name + "\n"));
}

TEST_F(Study, SchemaIsJson) {
  const Outcome outcome = trompo({"schema"});
  EXPECT_EQ(outcome.code, 0);
  const auto schema = json_of(outcome.out);
  EXPECT_TRUE(schema.contains("$schema"));
  for (const char* section : {"node", "bar", "load", "sensor", "time"})
    EXPECT_TRUE(schema["properties"].contains(section)) << section;
}

TEST_F(Study, CheckCounts) {
  const Outcome outcome = trompo({"check", example("swinging_chain")});
  EXPECT_EQ(outcome.code, 0);
  EXPECT_EQ(outcome.err, "");
  for (const char* part : {"valid", "6 nodes", "5 bars", "10 equations"}) EXPECT_TRUE(says(outcome.out, part));
  const auto report = json({"check", example("swinging_chain")});
  EXPECT_EQ(report["valid"], true);
  EXPECT_EQ(report["equations"], 10);
  EXPECT_EQ(report["diagnostics"].size(), 0U);
  EXPECT_EQ(listing(), std::set<std::string>{});
}

TEST_F(Study, CompareAllSchemes) {
  const auto report = json({"compare", example("elastic_pendulum"), "--set", "time.end=5"});
  EXPECT_LT(report["reference"]["error_estimate"], 1e-8);
  const auto names = scheme_names();
  ASSERT_EQ(report["schemes"].size(), names.size());
  for (std::size_t i = 0; i < names.size(); ++i) {
    const auto& row = report["schemes"][i];
    EXPECT_EQ(row["scheme"], names[i]);
    EXPECT_EQ(row["status"], "done");
    EXPECT_EQ(row["failed_at"], nullptr);
    EXPECT_LT(row["end_error"], names[i] == "backward-euler" ? 5 : 0.5) << names[i];  // which takes the vibration and more
    EXPECT_GT(row["end_error"], 1e-6) << names[i];
    if (find_scheme(names[i])->claims.energy)
      EXPECT_LT(row["energy_error"], 1e-12);
    else
      EXPECT_GT(row["energy_error"], 1e-9) << names[i];
  }
  EXPECT_EQ(listing(), std::set<std::string>{});
}

TEST_F(Study, CompareSaysWhatBlewUpAndWhen) {
  const std::vector<std::string> arguments{"compare",   example("elastic_pendulum"),
                                           "--set",     "time.step=0.5",
                                           "--schemes", "trapezoidal,energy-momentum-exact,gem:rho_infinity=0.6"};
  const auto report = json(arguments);
  ASSERT_EQ(report["schemes"].size(), 3U);
  EXPECT_GT(report["schemes"][0]["failed_at"], 0);
  EXPECT_EQ(report["schemes"][1]["failed_at"], nullptr);
  EXPECT_DOUBLE_EQ(report["schemes"][2]["parameters"]["rho_infinity"], 0.6);
  const Outcome outcome = trompo(arguments);
  EXPECT_EQ(outcome.code, 0);
  for (const char* part : {"trapezoidal", "energy-momentum-exact", "gem:rho_infinity=0.6", "unstable at t = "})
    EXPECT_TRUE(says(outcome.out, part));
}

TEST_F(Study, MeasuredOrdersAreTheClaimedOnes) {
  const auto own = json({"converge", example("elastic_pendulum"), "--set", "time.end=1"});
  ASSERT_EQ(own["schemes"].size(), 1U);
  EXPECT_EQ(own["schemes"][0]["scheme"], "energy-momentum-exact");
  EXPECT_EQ(own["schemes"][0]["claimed_order"], 2);

  std::string list = "newmark:rho_infinity=0.6,bossak:rho_infinity=0.6,hht-1:rho_infinity=0.8";
  for (const std::string& name : scheme_names()) list += "," + name;
  const auto all = json({"converge", "--schemes", list, example("elastic_pendulum"), "--set", "time.end=1"});
  EXPECT_GE(all["schemes"].size(), 17U);
  for (const auto& report : {own, all})
    for (const auto& scheme : report["schemes"]) {
      ASSERT_EQ(scheme["points"].size(), 6U);
      // Its error of second order comes from the rate of the acceleration at the start, which is zero here.
      const double absent = scheme["scheme"] == "fox-goodwin" ? 2 : 0;
      EXPECT_NEAR(scheme["points"][5]["order"].get<double>(), scheme["claimed_order"].get<double>() + absent, 0.1)
          << scheme["scheme"];
    }
  EXPECT_EQ(all["schemes"][0]["claimed_order"], 1);
}

// A pendulum on a hinge, a wheel on a spring that is wound up by several turns, a mass on a spring that changes.
const std::string pendulum_on_hinge = R"toml(
gravity = [0, -9.81, 0]
[[body]]
name = "p"
mass = 2
inertia = [0.1, 0.2, 0.3]
position = [1, 0, 0]
[[joint]]
name = "h"
bodies = ["ground", "p"]
hinge = { axis = [0, 0, 1], at = [0, 0, 0] }
[time]
step = 0.01
end = 1
scheme = "energy-momentum-exact"
)toml";
const std::string wound_up = R"toml(
[[body]]
name = "p"
mass = 2
inertia = [0.1, 0.2, 0.3]
angular_velocity = [0, 0, 30]
[[joint]]
name = "h"
bodies = ["ground", "p"]
hinge = { axis = [0, 0, 1], at = [0, 0, 0] }
stiffness = 1.2
[time]
step = 0.005
end = 1
scheme = "energy-momentum-exact"
)toml";
const std::string softened = R"toml(
[[node]]
name = "wall"
position = [0, 0, 0]
fixed = true
[[node]]
name = "mass"
position = [1.1, 0, 0]
mass = 1
[[spring]]
name = "spring"
nodes = ["wall", "mass"]
stiffness = 10
length = 1
[[event]]
at = 0.333
set = { spring = "spring", stiffness = 3 }
[time]
step = 0.01
end = 1
scheme = "energy-momentum-exact"
)toml";

TEST_F(Study, OrdersShowOnHingesSpringsThatAreWoundUpAndThroughEvents) {
  for (const std::string& model : {pendulum_on_hinge, wound_up, softened})
    for (const std::string formulation : {"directors", "rotation", "euler-parameters"}) {
      if (model == softened && formulation != "directors") continue;
      const bool ends = formulation != "rotation", increments = formulation != "euler-parameters";
      write("m.toml", (model == softened ? "" : "formulation = \"" + formulation + "\"\n") + model);
      std::string schemes;
      if (ends) schemes += ",bossak:rho_infinity=0.8,generalized-alpha-1:rho_infinity=0.8";
      if (increments) schemes += ",energy-momentum-exact,krenk";
      const auto report = json({"converge", "m.toml", "--schemes", schemes.substr(1)});
      for (const auto& scheme : report["schemes"]) {
        ASSERT_TRUE(scheme.contains("verdict")) << scheme;
        EXPECT_EQ(scheme["verdict"], "confirmed") << formulation << ' ' << scheme << model;
        EXPECT_EQ(scheme["reason"], "");
        ASSERT_FALSE(scheme["points"].empty());
        EXPECT_LT(scheme["points"][0]["error"], 2) << scheme;
      }
    }
}

TEST_F(Study, EnergyOfEventsIsNoError) {
  write("m.toml", softened);
  const auto report = json({"compare", "m.toml", "--schemes", "energy-momentum-exact"});
  EXPECT_LT(report["schemes"][0]["energy_error"], 1e-13);
  EXPECT_LT(report["schemes"][0]["end_error"], 1e-3);
}

TEST_F(Study, ASchemeThatDoesNotFitIsARowWithItsReason) {
  write("m.toml", pendulum_on_hinge);
  const auto report = json({"compare", "m.toml", "--schemes", "trapezoidal,rk4,simo-projection,midpoint"});
  ASSERT_EQ(report["schemes"].size(), 4U);
  for (const int i : {0, 3}) EXPECT_EQ(report["schemes"][i]["status"], "done");
  for (const int i : {1, 2}) EXPECT_EQ(report["schemes"][i]["status"], "refused");
  EXPECT_EQ(report["schemes"][1]["reason"], "its bodies turn by Euler parameters");
  EXPECT_EQ(report["schemes"][1]["remedy"], "write formulation = \"euler-parameters\"");
  const auto orders = json({"converge", "m.toml", "--schemes", "rk4,midpoint"});
  EXPECT_EQ(orders["schemes"][0]["status"], "refused");
  EXPECT_EQ(orders["schemes"][0]["reason"], "its bodies turn by Euler parameters");
  EXPECT_EQ(orders["schemes"][1]["verdict"], "confirmed");
  for (const char* command : {"compare", "converge"}) {
    const Outcome some = trompo({command, "m.toml", "--schemes", "rk4,midpoint"});
    EXPECT_EQ(some.code, 0);
    EXPECT_TRUE(says(some.out, "does not fit: its bodies turn by Euler parameters"));
    EXPECT_EQ(trompo({command, "m.toml", "--schemes", "rk4,hamming"}).code, 3);  // as a run by one of them
    EXPECT_EQ(trompo({command, "m.toml", "--schemes", "midpoint", "--set", "newton.max_iterations=1"}).code, 4);
  }
  if (!has_page()) return;
  const Outcome page = trompo({"compare", "m.toml", "--schemes", "trapezoidal,rk4", "--html", "c.html", "--svg", "c.svg"});
  EXPECT_EQ(page.code, 0) << page.err;
  EXPECT_TRUE(says(file("c.html"), "does not fit"));
}

// The other end of a terminal, on which a command may draw.
TEST_F(Study, ProgressIsDrawnOnATerminal) {
  const int terminal = ::posix_openpt(O_RDWR | O_NOCTTY);
  ASSERT_GE(terminal, 0);
  ASSERT_EQ(::grantpt(terminal), 0);
  ASSERT_EQ(::unlockpt(terminal), 0);
  Process process = start({"converge", example("damaged_chain"), "--set", "time.end=1.5", "--halvings", "3"},
                          {(directory() / "out").string(), std::string(::ptsname(terminal))});
  std::string drawn;
  char buffer[4096];
  for (ssize_t n = 1; n > 0;) {  // until the tool closes its end
    n = ::read(terminal, buffer, sizeof buffer);
    if (n > 0) drawn.append(buffer, static_cast<std::size_t>(n));
  }
  EXPECT_EQ(process.finish().code, 0);
  ::close(terminal);
  for (const char* part : {"reference", "energy-momentum-exact", " % ", " left"}) EXPECT_TRUE(says(drawn, part));
}

TEST_F(Study, RadiusAtInfinity) {
  for (const std::string scheme :
       {"newmark", "bossak", "hht-1", "hht-2", "generalized-alpha-1", "generalized-alpha-2", "gem"}) {
    const auto points = json({"spectrum", "--scheme", scheme, "--rho-infinity", "0.6", "--from", "1e-3", "--to", "1e4"});
    EXPECT_EQ(points.size(), 161U);
    EXPECT_NEAR(points.back()["step_over_period"].get<double>(), 1e4, 1e-6);
    EXPECT_NEAR(points.back()["spectral_radius"].get<double>(), 0.6, 1e-3) << scheme;
    for (const auto& point : points) EXPECT_LT(point["spectral_radius"].get<double>(), 1 + 1e-9) << scheme << point;
  }
}

TEST_F(Study, UndampedSchemesStayOnTheUnitCircle) {
  for (const char* scheme : {"trapezoidal", "midpoint", "energy-momentum", "energy-momentum-exact"})
    for (const auto& point : json({"spectrum", "--scheme", scheme, "--from", "1e-3", "--to", "1e3"})) {
      const double s = point["step_over_period"], wh = 2 * std::numbers::pi * s;
      EXPECT_NEAR(point["spectral_radius"].get<double>(), 1, 1e-9) << scheme << " at " << s;
      if (s > 0.01) continue;
      EXPECT_NEAR(point["period_error"].get<double>(), wh * wh / 12, wh * wh * wh * wh / 12) << scheme << " at " << s;
    }
}

TEST_F(Study, SpectrumAsCsvAndPicture) {
  const Outcome outcome = trompo({"spectrum", "--schemes", "trapezoidal,generalized-alpha-1,gem+xi", "--rho-infinity",
                                  "0.5,0.9", "--xi", "0.2", "--points", "11", "--svg", "spectrum.svg"});
  EXPECT_EQ(outcome.code, 0) << outcome.err;
  EXPECT_TRUE(outcome.out.starts_with("scheme,step_over_period,spectral_radius,period_error,damping_ratio\n"));
  EXPECT_EQ(std::count(outcome.out.begin(), outcome.out.end(), '\n'), 1 + 5 * 11);  // trapezoidal has no rho_infinity to vary
  for (const char* label : {"\ntrapezoidal,", "\ngeneralized-alpha-1:rho_infinity=0.5,", "\ngem+xi:xi=0.2:rho_infinity=0.9,"})
    EXPECT_TRUE(says(outcome.out, label));
  EXPECT_TRUE(says(outcome.err, "spectrum.svg"));
  const std::string picture = file("spectrum.svg");
  EXPECT_TRUE(picture.starts_with("<svg "));
  EXPECT_TRUE(picture.ends_with("</svg>\n"));
  EXPECT_TRUE(says(picture, "generalized-alpha-1:rho_infinity=0.9"));
  EXPECT_EQ(picture.find("nan"), std::string::npos);
}

}  // namespace apps_study
}  // namespace trompo::test
