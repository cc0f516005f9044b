// One walk over the catalogue: what a row claims is measured, and what it does not claim is not there. No row is named in the
// walk, so a new row is tested without editing it.
#include <gtest/gtest.h>

#include <limits>
#include <set>

#include "tests/reference_cases.hpp"
#include "trompo/math/dense.hpp"
#include "trompo/scheme/spectrum.hpp"

namespace trompo {
namespace scheme_catalogue {

using reference_cases::pendulum;

const Parameter* parameter_of(const Row& row, std::string_view name) {
  for (const Parameter& p : row.parameters)
    if (p.name == name) return &p;
  return nullptr;
}
bool settable(const Row& row, std::string_view name) {
  const Parameter* p = parameter_of(row, name);
  return p != nullptr && p->least < p->most;
}
// The row with its dissipation switched on, as far as it has any.
std::map<std::string, double> damped(const Row& row, double rho_infinity, double xi) {
  std::map<std::string, double> given;
  if (settable(row, "rho_infinity")) given["rho_infinity"] = rho_infinity;
  if (settable(row, "xi")) given["xi"] = xi;
  if (settable(row, "damping")) given["damping"] = xi;
  return given;
}

RunResult run_with(Model model, const Row& row, const std::map<std::string, double>& parameters) {
  model.time.scheme = row.name;
  model.time.parameters = parameters;
  return run(model);
}

// Two masses and a bar in space, spinning, flying and vibrating for 20 s with nothing around them.
Model free_bar(const std::string& strain) {
  Model model;
  NodeInput a, b;
  a.name = "a";
  a.velocity = {-1, 0.3, 0.2};
  a.mass = 10;
  b.name = "b";
  b.position = {0, -3.0443, 0};
  b.velocity = {7.72, -0.5, 1.1};
  b.mass = 6;
  model.nodes = {a, b};
  BarInput bar;
  bar.name = "bar";
  bar.nodes = {"a", "b"};
  bar.EA = 1e4;
  bar.strain = strain;
  model.bars = {bar};
  model.time.step = 0.05;
  model.time.steps = 400;
  return model;
}

class CatalogueTest : public testing::TestWithParam<const Row*> {
 protected:
  const Row& row() const { return *GetParam(); }
};
INSTANTIATE_TEST_SUITE_P(Walk, CatalogueTest, testing::ValuesIn([] {
                           std::vector<const Row*> rows;
                           for (const Row& row : catalogue())
                             if (row.balance != Balance::top && row.balance != Balance::forced &&
                                 row.balance != Balance::index_one)
                               rows.push_back(&row);
                           return rows;
                         }()),
                         [](const auto& test) {
                           std::string name(test.param->name);
                           for (char& c : name)
                             if (std::isalnum(static_cast<unsigned char>(c)) == 0) c = '_';
                           return name;
                         });

TEST_P(CatalogueTest, KeepsLinearMomentum) {
  for (const char* strain : {"engineering", "green", "logarithmic", "almansi"})
    for (const auto& parameters : {std::map<std::string, double>{}, damped(row(), 0.6, 0.25)}) {
      const RunResult result = run_with(free_bar(strain), row(), parameters);
      ASSERT_EQ(result.status, Status::done);
      EXPECT_LE(result.linear_drift, 1e-12 * result.linear_scale) << strain;
    }
}

TEST_P(CatalogueTest, KeepsAngularMomentumWhereClaimedAndOnlyThere) {
  for (const char* strain : {"engineering", "green", "logarithmic", "almansi"}) {
    const RunResult result = run_with(free_bar(strain), row(), damped(row(), 0.8, 0.1));
    ASSERT_EQ(result.status, Status::done);
    if (row().claims.angular_momentum)
      EXPECT_LE(result.angular_drift, 1e-11 * result.angular_scale) << strain;
    else
      EXPECT_GT(result.angular_drift, 1e-9 * result.angular_scale) << strain;
  }
}

TEST_P(CatalogueTest, KeepsEnergyWhereClaimedAndOnlyThere) {
  double worst = 0;
  for (const char* strain : {"engineering", "green", "logarithmic", "almansi"}) {
    Model swing = pendulum(1e4, 9.8, 0.05, 1000);  // under a constant force too
    swing.bars[0].strain = strain;
    for (const Model& model : {free_bar(strain), swing}) {
      const RunResult result = run_with(model, row(), {});
      ASSERT_EQ(result.status, Status::done);
      const double drift =
          std::max(result.total.max - result.total.initial, result.total.initial - result.total.min) / result.ledger.scale();
      EXPECT_LE(drift, row().claims.energy ? 1e-12 : 1) << strain;
      worst = std::max(worst, drift);
    }
  }
  EXPECT_EQ(worst <= 1e-9, row().claims.energy) << worst;
}

// --- order ---

// An elastic pendulum, and the same one pushed and shaken.
Model quiet() { return pendulum(1e4, 9.8, 1, 1); }
Model forced() {
  Model model = quiet();
  model.nodes[0].fixed = false;
  model.nodes[0].motion = {TimeFunction::parse("0.1*sin(4*t)"), TimeFunction(0.0), TimeFunction(0.0)};
  LoadInput push;
  push.name = "push";
  push.on = "bob";
  push.force = {TimeFunction::parse("40*sin(7*t)"), TimeFunction::parse("30*t"), TimeFunction(0.0)};
  model.loads = {push};
  return model;
}

struct OneSecond {
  Model model;
  State exact;

  // Richardson from two fine runs of a second-order scheme: good to fourth order.
  explicit OneSecond(const Model& m) : model(m) {
    const Row& row = *find_scheme("energy-momentum-exact");
    const State coarse = by(row, {}, 6400), fine = by(row, {}, 12800);
    exact = {1, fine.q + (fine.q - coarse.q) / 3, fine.v + (fine.v - coarse.v) / 3};
  }
  [[nodiscard]] State by(const Row& row, const std::map<std::string, double>& parameters, long steps) const {
    Model copy = model;
    copy.time.step = 1.0 / static_cast<double>(steps);
    copy.time.steps = steps;
    return run_with(copy, row, parameters).state;
  }
  [[nodiscard]] double error(const Row& row, const std::map<std::string, double>& parameters, long steps) const {
    const State state = by(row, parameters, steps);
    return (state.q - exact.q).norm() / 3.0443 + (state.v - exact.v).norm() / 7.72;
  }
  void expect_order(const Row& row, const std::map<std::string, double>& parameters, int claimed) const {
    const double coarse = error(row, parameters, 800), middle = error(row, parameters, 1600),
                 fine = error(row, parameters, 3200);
    EXPECT_NEAR(std::log2(coarse / middle), claimed, 0.1);
    EXPECT_NEAR(std::log2(middle / fine), claimed, 0.1);
  }
};

TEST(Reference, OfTheOrderTestsIsThatOfDormandAndPrince) {
  // Dormand and Prince at 1e-12: x(1) = (2.96457815737, -0.13843791722)
  const State exact = OneSecond(quiet()).exact;
  EXPECT_NEAR(exact.q[3], 2.96457815737, 1e-9);
  EXPECT_NEAR(exact.q[4], -0.13843791722, 1e-9);
}

TEST_P(CatalogueTest, HasTheOrderItClaims) {
  static const OneSecond problems[] = {OneSecond(quiet()), OneSecond(forced())};
  for (const OneSecond& problem : problems) {
    problem.expect_order(row(), {}, row().claims.order);
    const auto with_damping = damped(row(), 0.6, 0.25);
    if (!with_damping.empty()) problem.expect_order(row(), with_damping, row().claims.order_when_damped);
  }
}

// --- names and numbers ---

TEST(Catalogue, NamesAndAliasesAreUniqueAndResolve) {
  std::set<std::string_view> seen;
  for (const Row& row : catalogue()) {
    EXPECT_TRUE(seen.insert(row.name).second) << row.name;
    EXPECT_EQ(find_scheme(row.name), &row);
    for (const std::string_view alias : row.aliases) {
      EXPECT_TRUE(seen.insert(alias).second) << alias;
      EXPECT_EQ(find_scheme(alias), &row);
      EXPECT_EQ(make_scheme(alias).row, &row);
    }
  }
  EXPECT_EQ(scheme_names().size(), catalogue().size());
  EXPECT_EQ(find_scheme("no such scheme"), nullptr);
}

TEST(Catalogue, HasTheSchemesUnderTheCodesOfThePapers) {
  const std::pair<const char*, const char*> codes[] = {{"RT", "trapezoidal"},
                                                       {"RPM", "midpoint"},
                                                       {"MN", "newmark"},
                                                       {"MaB", "bossak"},
                                                       {"MaH1", "hht-1"},
                                                       {"MaH2", "hht-2"},
                                                       {"MaG1", "generalized-alpha-1"},
                                                       {"MaG2", "generalized-alpha-2"},
                                                       {"MEM", "energy-momentum"},
                                                       {"MEMxi", "energy-momentum+xi"},
                                                       {"MEMG", "gem"},
                                                       {"MEMGxi", "gem+xi"},
                                                       {"MEMexact", "energy-momentum-exact"}};
  for (const auto& [code, name] : codes) {
    ASSERT_NE(find_scheme(code), nullptr) << code;
    EXPECT_EQ(find_scheme(code)->name, name);
  }
}

TEST(Catalogue, RowsAreComplete) {
  for (const Row& row : catalogue()) {
    EXPECT_FALSE(row.title.empty() || row.reference.empty() || row.weights.formula.empty()) << row.name;
    ASSERT_FALSE(row.parameters.empty());
    EXPECT_EQ(row.parameters.front().name, "rho_infinity") << row.name;  // make_scheme takes the standard from there
    for (const Parameter& p : row.parameters) {
      EXPECT_LE(p.least, p.standard) << row.name << ' ' << p.name;
      EXPECT_LE(p.standard, p.most) << row.name << ' ' << p.name;
      EXPECT_FALSE(p.why.empty()) << row.name << ' ' << p.name;
    }
  }
}

SchemeError refusal(std::string_view name, const std::map<std::string, double>& given) {
  try {
    (void)make_scheme(name, given);
  } catch (const SchemeError& error) {
    return error;
  }
  ADD_FAILURE() << name << " was not refused";
  return {"", "", ""};
}
bool has(const std::string& text, std::string_view part) { return text.find(part) != std::string::npos; }

TEST(Catalogue, AnUnknownSchemeIsRefusedWithTheNearest) {
  const SchemeError error = refusal("energy-momentum-exakt", {});
  EXPECT_EQ(error.key, "scheme");
  EXPECT_TRUE(has(error.what(), "energy-momentum-exakt")) << error.what();
  EXPECT_TRUE(has(error.remedy, "'energy-momentum-exact'")) << error.remedy;
  EXPECT_TRUE(has(refusal("newmrak", {}).remedy, "newmark"));
  EXPECT_TRUE(has(refusal("", {}).remedy, "trapezoidal"));  // nothing is near: the list
}

TEST_P(CatalogueTest, RefusesWhatItHasNoUseFor) {
  for (const char* key : {"rho_infinity", "alpha_m", "alpha_f", "newmark_beta", "newmark_gamma", "xi", "damping"}) {
    if (parameter_of(row(), key) != nullptr) continue;
    const SchemeError error = refusal(row().name, {{key, 0.25}});
    EXPECT_EQ(error.key, key);
    EXPECT_TRUE(has(error.what(), row().name) && has(error.what(), key)) << error.what();
    for (const Parameter& p : row().parameters) EXPECT_TRUE(has(error.remedy, p.name)) << error.remedy;
  }
}

TEST_P(CatalogueTest, RefusesWhatIsOutOfRangeAndSaysTheRange) {
  const double infinity = std::numeric_limits<double>::infinity();
  for (const Parameter& p : row().parameters) {
    const std::string name(p.name);
    std::vector<double> outside{std::nextafter(p.least, -infinity), p.least - 1, -infinity, infinity, std::nan("")};
    const bool bounded = p.most < std::numeric_limits<double>::max();
    if (bounded) outside.insert(outside.end(), {std::nextafter(p.most, infinity), p.most + 1});
    for (const double value : outside) {
      const SchemeError error = refusal(row().name, {{name, value}});
      EXPECT_EQ(error.key, name);
      EXPECT_TRUE(has(error.what(), name) && has(error.what(), row().name)) << error.what();
      EXPECT_TRUE(has(error.remedy, p.why)) << error.remedy;
      EXPECT_TRUE(has(error.remedy, bounded ? "from " : "at least ")) << error.remedy;
    }
    for (const double value : {p.least, bounded ? p.most : 1e3}) {
      std::map<std::string, double> given{{name, value}};
      if (name.starts_with("alpha")) given["newmark_gamma"] = 0.5;  // an alpha alone may ask for a gamma that feeds energy in
      EXPECT_NO_THROW((void)make_scheme(row().name, given)) << name << " = " << value;
    }
  }
}

TEST(Catalogue, RefusesAlphasWhoseGammaFeedsEnergyIn) {
  const SchemeError error = refusal("generalized-alpha-1", {{"alpha_m", 0.5}, {"alpha_f", 0.0}});
  EXPECT_TRUE(has(error.what(), "gamma = 0:")) << error.what();
  EXPECT_TRUE(has(error.remedy, "alpha_m <= alpha_f")) << error.remedy;
}

TEST_P(CatalogueTest, RefusesRhoInfinityTogetherWithWeightsByHand) {
  for (const Parameter& p : row().parameters) {
    if (!p.name.starts_with("alpha") && !p.name.starts_with("newmark")) continue;
    const SchemeError error = refusal(row().name, {{"rho_infinity", 0.8}, {std::string(p.name), p.standard}});
    EXPECT_EQ(error.key, p.name);
    EXPECT_TRUE(has(error.what(), "rho_infinity")) << error.what();
  }
}

// What rho_infinity stands for, given by hand: the same numbers, so the same trajectory to the last bit.
TEST_P(CatalogueTest, WeightsByHandReproduceRhoInfinity) {
  if (!settable(row(), "rho_infinity") || row().balance == Balance::composite || row().decays) return;  // no weights to set
  for (const double rho : {1.0, 0.8, 0.6}) {
    const std::map<std::string, double> by_rho{{"rho_infinity", rho}};
    const Scheme scheme = make_scheme(row().name, by_rho);
    std::map<std::string, double> all, alphas;
    for (const Parameter& p : row().parameters) {
      const std::string name(p.name);
      if (name == "rho_infinity" || name == "xi") continue;
      all[name] = scheme.parameters.at(name);
      if (name.starts_with("alpha")) alphas[name] = all[name];
    }
    const Model model = pendulum(1e4, 9.8, 0.05, 100);
    const RunResult expected = run_with(model, row(), by_rho), by_hand = run_with(model, row(), all);
    EXPECT_EQ(by_hand.state.q, expected.state.q);
    EXPECT_EQ(by_hand.state.v, expected.state.v);
    if (alphas.empty()) continue;  // gamma and beta follow from the alphas
    const RunResult by_alphas = run_with(model, row(), alphas);
    EXPECT_EQ(by_alphas.state.q, expected.state.q);
    EXPECT_EQ(by_alphas.state.v, expected.state.v);
  }
}

// The spectral radius at infinite frequency is rho_infinity: the weights mean what they say.
TEST_P(CatalogueTest, RhoInfinityIsTheSpectralRadiusAtInfinity) {
  if (!settable(row(), "rho_infinity") || settable(row(), "xi")) return;  // its radius is not set by rho_infinity alone
  for (const double rho : {1.0, 0.9, 0.8, 0.6, 0.5}) {
    const Scheme s = make_scheme(row().name, {{"rho_infinity", rho}});
    if (row().balance == Balance::composite || row().decays) {
      EXPECT_NEAR(spectral_point(s, 1e5).radius, rho, 1e-4);
      continue;
    }
    const double am = s.weights.alpha_m, af = s.rule.old_weight, gamma = s.weights.gamma, beta = s.weights.beta;
    // q'' + w^2 q = 0 with w h -> infinity: (1-af) q1 + af q0 = 0, Newmark's kinematics for v and a (in units of h)
    Mat3 left, right;
    left << 1 - af, 0, 0, 1, 0, -beta, 0, 1, -gamma;
    right << -af, 0, 0, 1, 1, 0.5 - beta, 0, 1, 1 - gamma;
    const double radius = eigenvalues(lu_solve(MatX(left), MatX(right))).cwiseAbs().maxCoeff();
    EXPECT_NEAR(radius, rho, 1e-6) << "alpha_m = " << am;  // a double root: half the digits
  }
}

// The published scheme on the elastic pendulum, step by step: E1 - E0 = -(U1 - U0) [(l1 + l0)/|r1 + r0| - 1].
TEST(EnergyMomentumAsPublished, LosesByItsFormulaInEveryStep) {
  for (const double EA : {1e4, 1e10}) {
    const Model model = pendulum(EA, 9.8, EA == 1e4 ? 0.05 : 0.1, 300);
    const System system(model);
    const auto stepper = make_stepper(make_scheme("energy-momentum"), system, newton_options(model));
    State state = initial_state(model, system);
    stepper->start(state, initial_acceleration(model, system, state));
    double defect = 0;
    for (long k = 1; k <= *model.time.steps; ++k) {
      const Vec3 r0 = state.q.tail<3>();
      const double U0 = system.potentials(state.q).elastic, E0 = system.kinetic(state.v) + system.potentials(state.q).sum();
      ASSERT_TRUE(stepper->step(state, static_cast<double>(k) * model.time.step).done());
      const Vec3 r1 = state.q.tail<3>();
      const double U1 = system.potentials(state.q).elastic, E1 = system.kinetic(state.v) + system.potentials(state.q).sum();
      const double bracket = (r1.norm() + r0.norm()) / (r1 + r0).norm() - 1;
      EXPECT_NEAR(E1 - E0, -(U1 - U0) * bracket, 1e-11) << "step " << k;
      defect = std::max(defect, std::abs(E1 - E0));
    }
    EXPECT_GT(defect, EA == 1e4 ? 1e-3 : 1e-9);  // it is there
  }
}

}  // namespace scheme_catalogue
}  // namespace trompo
