#include "trompo/math/formula.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cctype>
#include <cmath>
#include <functional>
#include <numbers>

#include "trompo/math/time_function.hpp"

namespace trompo {
namespace math_formula {

constexpr std::array<std::string_view, 1> of_t{"t"};

double value(std::string_view text, double t = 0) {
  const std::array<double, 1> at{t};
  return Formula(text, of_t).evaluate(at);
}

std::pair<std::size_t, std::string> error(std::string_view text) {
  try {
    (void)Formula(text, of_t);
  } catch (const FormulaError& e) {
    return {e.column, e.what()};
  }
  return {0, "no error"};
}

TEST(Formula, FollowsTheUsualPrecedence) {
  EXPECT_EQ(value("1 + 2*3"), 7);
  EXPECT_EQ(value("(1 + 2)*3"), 9);
  EXPECT_EQ(value("2 - 3 - 4"), -5);
  EXPECT_EQ(value("24/4/2"), 3);
  EXPECT_EQ(value("-2^2"), -4);
  EXPECT_EQ(value("2^-1"), 0.5);
  EXPECT_EQ(value("2^3^2"), 512);
  EXPECT_EQ(value("2*-3"), -6);
  EXPECT_EQ(value("--3"), 3);
  EXPECT_EQ(value("1 + 1 < 3"), 1);
  EXPECT_EQ(value("2 >= 3"), 0);
}

TEST(Formula, KnowsItsFunctionsAndConstants) {
  EXPECT_EQ(value("pi"), std::numbers::pi);
  EXPECT_EQ(value("e"), std::numbers::e);
  EXPECT_EQ(value("1e-3"), 1e-3);
  EXPECT_EQ(value(".5"), 0.5);
  EXPECT_EQ(value("atan2(1, -1)"), std::atan2(1, -1));
  EXPECT_EQ(value("min(2, 1) + max(3, 4)"), 5);
  EXPECT_EQ(value("if(t < 1, 2, 3)", 0.5), 2);
  EXPECT_EQ(value("if(t < 1, 2, 3)", 1), 3);
  EXPECT_EQ(value("ln(2)"), std::log(2));
  EXPECT_EQ(value("sign(-2) + abs(-3)"), 2);
  EXPECT_EQ(value("`t`*2", 4), 8);
}

TEST(Formula, PointsAtTheColumnOfAnError) {
  using Expected = std::pair<std::size_t, std::string>;
  EXPECT_EQ(error(""), Expected(1, "the formula ends where a value is expected"));
  EXPECT_EQ(error("1 +"), Expected(4, "the formula ends where a value is expected"));
  EXPECT_EQ(error("1 + )"), Expected(5, "unexpected ')'"));
  EXPECT_EQ(error("(1 + 2"), Expected(7, "a closing bracket ')' is missing"));
  EXPECT_EQ(error("1 2"), Expected(3, "unexpected '2'"));
  EXPECT_EQ(error("`t"), Expected(1, "a closing backtick is missing"));
  EXPECT_EQ(error("1 < 2 < 3").first, 7U);
  EXPECT_EQ(error("2*x").first, 3U);
  EXPECT_NE(error("2*x").second.find("unknown name 'x'; known here: t"), std::string::npos);
  EXPECT_EQ(error("sin t").first, 5U);
  EXPECT_NE(error("atan2(1)").second.find("takes 2 arguments"), std::string::npos);
  EXPECT_EQ(error("2*1e999"), Expected(3, "a number that is too large or too small for a double"));
  EXPECT_EQ(error("t + 1e308*10"), Expected(10, "this is too large for a number"));
  EXPECT_EQ(error("1/0"), Expected(2, "this is too large for a number"));
  EXPECT_EQ(error("t*log(-1)"), Expected(3, "this is not a number"));
  EXPECT_EQ(error("10 ^ 400 + t"), Expected(4, "this is too large for a number"));
  EXPECT_EQ(error("-exp(1000)"), Expected(2, "this is too large for a number"));
  EXPECT_EQ(error("2 $ 3"), Expected(3, "unexpected '$'"));
}

TEST(Formula, TakesLongFormulas) {
  std::string sum = "0";
  for (int i = 0; i < 5000; ++i) sum += "+1";
  ASSERT_GT(sum.size(), 10000U);
  EXPECT_EQ(value(sum), 5000);
}

TEST(Formula, RefusesDeepNestingInsteadOfCrashing) {
  for (const char* part : {"(", "-", "+", "2^", "1+(", "sin(", "if(", "`t`*(", "1<(", "min(1,"}) {
    std::string deep;
    for (int i = 0; i < 10000; ++i) deep += part;
    EXPECT_NE(error(deep + "1").second.find("nested too deeply"), std::string::npos) << part;
  }
  std::string moderate(50, '(');
  EXPECT_EQ(value(moderate + "1" + std::string(50, ')')), 1);
}

TEST(Formula, KnowsWhetherItIsConstant) {
  EXPECT_TRUE(Formula("2*pi", of_t).constant());
  EXPECT_FALSE(Formula("2*t", of_t).constant());
  EXPECT_EQ(Formula(" 2 * t", of_t).text(), " 2 * t");
}

TEST(Formula, ConstantsAtTheEdgeOfADomainHaveNoRate) {
  const Jet jet = Formula("sin(t + asin(1)) + sqrt(0) + 0^0.5 + acos(-1)", of_t).jet(0);
  EXPECT_DOUBLE_EQ(jet.value, 1 + std::numbers::pi);
  EXPECT_NEAR(jet.rate, 0, 1e-15);
  EXPECT_DOUBLE_EQ(jet.curvature, -1);
}

TEST(Formula, FoldsNumbersAndDropsWhatDoesNothing) {
  const auto length = [](std::string_view text) { return Formula(text, of_t).length(); };
  EXPECT_EQ(length("2*3 + sin(1)^2 - -4/5"), 1);  // one number
  EXPECT_EQ(length("t"), 1);
  EXPECT_EQ(length("1*t + 0"), 1);
  EXPECT_EQ(length("--t"), 1);
  EXPECT_EQ(length("2*3*4*t"), 2);
  EXPECT_EQ(length("if(1 < 2, t, sin(t))"), 1);
  EXPECT_EQ(length("t^2"), 2);
  EXPECT_EQ(length("t^1"), 1);
  EXPECT_TRUE(Formula("t^0", of_t).constant());
  EXPECT_EQ(value("t/4", 3), 0.75);
  EXPECT_EQ(value("t^4 + t^-1 + t^0.5", 4), 256.0 + 0.25 + 2.0);
}

TEST(Formula, ComputesACommonPartOnce) {
  const auto length = [](std::string_view text) { return Formula(text, of_t).length(); };
  EXPECT_EQ(length("sin(t) + cos(t)*sin(t)"), length("sin(t) + cos(t)*1.5"));
  EXPECT_EQ(length("(t + sin(t))*(sin(t) + t)"), 4);  // t, sin, sum, square
  EXPECT_EQ(value("exp(t)*t - t*exp(t)", 0.7), 0);
}

TEST(Formula, KnowsItsDegree) {
  constexpr std::array<std::string_view, 3> names{"a", "b", "c"};
  const auto degree = [&](std::string_view text) { return Formula(text, names).degree(); };
  EXPECT_EQ(degree("2*pi"), 0);
  EXPECT_EQ(degree("a"), 1);
  EXPECT_EQ(degree("3*(a - b)/7 + 2"), 1);
  EXPECT_EQ(degree("(a - b)^2 + (b - c)*(a + 1) - 4"), 2);
  EXPECT_EQ(degree("(a - b)^2*2/3 - c"), 2);
  EXPECT_EQ(degree("a*b*c"), 3);
  EXPECT_EQ(degree("a^3"), 3);
  EXPECT_EQ(degree("a^4"), 3);
  EXPECT_EQ(degree("1/a"), 3);
  EXPECT_EQ(degree("sqrt(a^2)"), 3);
  EXPECT_EQ(degree("if(a < 0, a, b)"), 3);
  EXPECT_EQ(degree("abs(a)"), 3);
}

TEST(Formula, TakesDefinitions) {
  constexpr std::array<std::string_view, 2> names{"a", "b"};
  const std::map<std::string, Formula> definitions{
      {"gap", Formula("b - a", names)}, {"half", Formula("1/2", names)}, {"twice", Formula("2*(b - a)", names)}};
  Formula formula("half*gap^2 + twice + (b - a)", names, {}, definitions);
  const std::array<double, 2> at{1, 4};
  EXPECT_EQ(formula.evaluate(at), 4.5 + 6 + 3);
  EXPECT_EQ(formula.degree(), 2);
  EXPECT_EQ(formula.length(), 8);  // a, b, b - a once, its square, half of it, twice the gap and two sums
  EXPECT_EQ(Formula("a + b", names, {}, definitions).evaluate(at), 5);
  EXPECT_EQ(formula.compact(), (std::vector<int>{1, 0}));  // b is met first
  try {
    (void)Formula("1 + gap*gab", names, {}, definitions);
    FAIL();
  } catch (const FormulaError& e) {
    EXPECT_EQ(e.column, 9U);
    EXPECT_NE(std::string(e.what()).find("gap"), std::string::npos);
  }
}

TEST(Formula, IsRefusedWhenTooLong) {
  std::string sum = "t", longer = "t";
  for (int i = 0; i < 4999; ++i) sum += "+t";  // 9999 characters
  const std::array<double, 1> at{1};
  const Formula formula(sum, of_t);
  EXPECT_EQ(formula.evaluate(at), 5000);
  EXPECT_EQ(formula.jet(1).rate, 5000);
  EXPECT_EQ(formula.derivatives<12>(Vec<12>::Ones()).gradient[0], 5000);
  for (int i = 0; i < 20000; ++i) longer += "*t";
  EXPECT_NE(error(longer).second.find("too long"), std::string::npos);
  EXPECT_GT(error(longer).first, 10000U);
}

// Branches that are not taken leave no trace, whatever they are.
TEST(Formula, DerivativesFollowTheBranchThatIsTaken) {
  constexpr std::array<std::string_view, 2> names{"a", "b"};
  const auto at = [&](std::string_view text, double a, double b) { return Formula(text, names).derivatives<2>(Vec<2>(a, b)); };
  const auto e = at("if(a < 0, b^2, sqrt(a)*b) + sqrt(max(a, 0))", -1, 3);
  EXPECT_EQ(e.value, 9);
  EXPECT_EQ(e.gradient, Vec<2>(0, 6));
  EXPECT_EQ(e.hessian, (Mat<2, 2>() << 0, 0, 0, 2).finished());
  EXPECT_EQ(at("min(a, b)*max(a, b)", 2, 5).gradient, Vec<2>(5, 2));
}

// ---- properties ----

double unit(int lowest, int highest) { return *rc::gen::inRange(lowest * 1000, highest * 1000) / 1000.0; }

// A random formula that is smooth and tame on [-1, 1], with what C++ makes of the same expression.
struct Tree {
  std::string text;
  std::function<double(double)> value;
};
Tree tree(int depth) {
  const int pick = depth == 0 ? *rc::gen::inRange(0, 2) : *rc::gen::inRange(2, 15);
  if (pick == 0) return {"t", [](double t) { return t; }};
  if (pick == 1) {
    const double c = unit(-2, 2);
    return {"(" + std::to_string(c) + ")", [c = std::stod(std::to_string(c))](double) { return c; }};
  }
  const Tree a = tree(depth - 1);
  const auto call = [&a](const std::string& before, const std::string& after, auto f) {
    return Tree{before + a.text + after, [a, f](double t) { return f(a.value(t)); }};
  };
  switch (pick) {
    case 2: return call("sin(", ")", [](double x) { return std::sin(x); });
    case 3: return call("cos(", ")", [](double x) { return std::cos(x); });
    case 4: return call("atan(", ")", [](double x) { return std::atan(x); });
    case 5: return call("tanh(", ")", [](double x) { return std::tanh(x); });
    case 6: return call("exp(sin(", "))", [](double x) { return std::exp(std::sin(x)); });
    case 7: return call("sqrt(1 + (", ")^2)", [](double x) { return std::sqrt(1 + std::pow(x, 2)); });
    case 8: return call("log(2 + cos(", "))", [](double x) { return std::log(2 + std::cos(x)); });
    case 9: return call("-(", ")", [](double x) { return -x; });
    case 10: return call("asin(0.5*tanh(", "))", [](double x) { return std::asin(0.5 * std::tanh(x)); });
    case 11: return call("2^sin(", ")", [](double x) { return std::pow(2, std::sin(x)); });
    default: break;
  }
  const Tree b = tree(depth - 1);
  const auto join = [&](const std::string& operation, auto f) {
    return Tree{"(" + a.text + ")" + operation + "(" + b.text + ")", [a, b, f](double t) { return f(a.value(t), b.value(t)); }};
  };
  if (pick == 12) return join(" + ", [](double x, double y) { return x + y; });
  if (pick == 13) return join("*cos", [](double x, double y) { return x * std::cos(y); });
  return {"atan2(" + a.text + ", 3 + sin(" + b.text + "))",
          [a, b](double t) { return std::atan2(a.value(t), 3 + std::sin(b.value(t))); }};
}

TEST(FormulaProperty, EvaluatesAsTheCompilerDoes) {
  EXPECT_TRUE(rc::check([] {
    const Tree formula = tree(*rc::gen::inRange(0, 5));
    const double t = unit(-1, 1), expected = formula.value(t);
    RC_LOG() << formula.text;
    RC_ASSERT(std::abs(value(formula.text, t) - expected) <= 1e-12 * (1 + std::abs(expected)));
  }));
}

TEST(FormulaProperty, JetsAreTheDerivatives) {
  EXPECT_TRUE(rc::check([] {
    const Tree tree_of_t = tree(*rc::gen::inRange(0, 4));
    const double t = unit(-1, 1), h = 1e-3;
    RC_LOG() << tree_of_t.text;
    const Formula formula(tree_of_t.text, of_t);
    const Jet jet = formula.jet(t);
    const auto f = [&](double x) { return value(tree_of_t.text, x); };
    // fourth-order central differences; the scale is that of the function nearby
    const double rate = (f(t - 2 * h) - 8 * f(t - h) + 8 * f(t + h) - f(t + 2 * h)) / (12 * h);
    const double curvature = (-f(t - 2 * h) + 16 * f(t - h) - 30 * f(t) + 16 * f(t + h) - f(t + 2 * h)) / (12 * h * h);
    const double scale = 1 + std::abs(jet.value) + std::abs(jet.rate) + std::abs(jet.curvature);
    RC_ASSERT(jet.value == f(t));
    RC_ASSERT(std::abs(jet.rate - rate) <= 1e-5 * scale);
    RC_ASSERT(std::abs(jet.curvature - curvature) <= 1e-4 * scale);
  }));
}

// The sum, the product and an angle of two random formulas, in as many ways as there are to evaluate it.
TEST(FormulaProperty, EveryWayGivesTheSameValueAndDerivatives) {
  EXPECT_TRUE(rc::check([] {
    const auto of = [](std::string text, char name) {
      std::string out;
      for (std::size_t i = 0; i < text.size(); ++i) {
        const auto letter = [&](std::size_t k) { return k < text.size() && std::isalpha(static_cast<unsigned char>(text[k])); };
        out += text[i] == 't' && !(i > 0 && letter(i - 1)) && !letter(i + 1) ? name : text[i];
      }
      return out;
    };
    const std::string a = of(tree(*rc::gen::inRange(0, 4)).text, 'a'), b = of(tree(*rc::gen::inRange(0, 4)).text, 'b');
    const std::string text = "(" + a + ")*(" + b + ") + " + a + " - atan2(" + b + ", 3 + " + a + "^2)/(4 + (" + b + ")^2)";
    RC_LOG() << text;
    constexpr std::array<std::string_view, 2> names{"a", "b"};
    const Formula formula(text, names);
    const Vec<2> c(unit(-1, 1), unit(-1, 1));
    const auto full = formula.derivatives<2>(c), half = formula.derivatives<2>(c, Order::gradient);
    Vec<6> wide = Vec<6>::Zero();
    wide.head<2>() = c;
    const auto padded = formula.derivatives<6>(wide);
    const double exact = formula.evaluate({c.data(), 2});
    RC_ASSERT(full.value == exact && half.value == exact && padded.value == exact);
    RC_ASSERT(formula.derivatives<2>(c, Order::value).value == exact);
    RC_ASSERT(half.gradient == full.gradient && padded.gradient.head<2>() == full.gradient);
    RC_ASSERT((padded.hessian.topLeftCorner<2, 2>()) == full.hessian && full.hessian == full.hessian.transpose());
    const double scale = 1 + std::abs(exact) + full.gradient.norm() + full.hessian.norm(), h = 1e-3;
    for (int i = 0; i < 2; ++i) {
      const auto f = [&](double x) { return formula.derivatives<2>(c + x * Vec<2>::Unit(i)); };
      const auto l2 = f(-2 * h), l1 = f(-h), r1 = f(h), r2 = f(2 * h);
      RC_ASSERT(std::abs((l2.value - 8 * l1.value + 8 * r1.value - r2.value) / (12 * h) - full.gradient[i]) <= 1e-5 * scale);
      RC_ASSERT(((l2.gradient - 8 * l1.gradient + 8 * r1.gradient - r2.gradient) / (12 * h) - full.hessian.col(i)).norm() <=
                1e-4 * scale);
    }
  }));
}

// One operation after the other against finite differences, where the random trees do not go.
TEST(FormulaProperty, EveryOperationHasItsDerivatives) {
  for (const char* text : {"tan(a)*b",
                           "acos(0.3*a) - b",
                           "sinh(2*a) + cosh(3*b)",
                           "cosh(0.1*a*b)",
                           "log(a)/b",
                           "a^b",
                           "a^2.5 - b^-2",
                           "2.5^(a*b)",
                           "3/(a + b)",
                           "a/b/7",
                           "abs(a - 3)*b^3",
                           "atan2(a, b)",
                           "atan2(2, b)*a",
                           "1 - a*b + sign(a)",
                           "exp(-a)*sqrt(b)",
                           "if(a > b, a*b, a + b^2)",
                           "min(a, 2*b) + max(a, b)",
                           "(a < b) + a",
                           "a^4*b - 5",
                           "tanh(a)^asin(0.5*b)"})
    for (const Vec<2>& c : {Vec<2>(0.7, 1.1), Vec<2>(1.2, 0.3), Vec<2>(0.2, 0.25)}) {
      constexpr std::array<std::string_view, 2> names{"a", "b"};
      const Formula formula(text, names);
      const auto full = formula.derivatives<2>(c);
      EXPECT_EQ(full.value, formula.evaluate({c.data(), 2})) << text;
      const double scale = 1 + std::abs(full.value) + full.gradient.norm() + full.hessian.norm(), h = 1e-3;
      for (int i = 0; i < 2; ++i) {
        const auto f = [&](double x) { return formula.derivatives<2>(c + x * Vec<2>::Unit(i)); };
        const auto l2 = f(-2 * h), l1 = f(-h), r1 = f(h), r2 = f(2 * h);
        EXPECT_NEAR((l2.value - 8 * l1.value + 8 * r1.value - r2.value) / (12 * h), full.gradient[i], 1e-7 * scale) << text;
        EXPECT_LE(((l2.gradient - 8 * l1.gradient + 8 * r1.gradient - r2.gradient) / (12 * h) - full.hessian.col(i)).norm(),
                  1e-7 * scale)
            << text;
      }
    }
}

TEST(FormulaProperty, AnyTextIsAFormulaOrAnError) {
  EXPECT_TRUE(rc::check([](const std::string& text) {
    try {
      (void)Formula(text, of_t).jet(0.5);
    } catch (const FormulaError& e) {
      RC_ASSERT(e.column >= 1 && e.column <= text.size() + 1);
    }
  }));
  const std::string alphabet = "t12.e+-*/^()<>=!, sincoifmn`";
  EXPECT_TRUE(rc::check([&] {
    const auto text = *rc::gen::container<std::string>(rc::gen::elementOf(alphabet));
    try {
      (void)Formula(text, of_t).jet(0.5);
    } catch (const FormulaError& e) {
      RC_ASSERT(e.column >= 1 && e.column <= text.size() + 1);
    }
  }));
}

TEST(TimeFunction, InterpolatesATableAndHoldsItsEnds) {
  const TimeFunction f(TimeFunction::Table{{0, 1}, {2, 5}, {3, 5}});
  EXPECT_EQ(f.value(-1), 1);
  EXPECT_EQ(f.value(1), 3);
  EXPECT_EQ(f.at(1).rate, 2);
  EXPECT_EQ(f.value(2.5), 5);
  EXPECT_EQ(f.value(9), 5);
  EXPECT_EQ(f.at(9).rate, 0);
  EXPECT_FALSE(f.constant());
  EXPECT_TRUE(TimeFunction(3).constant());
  EXPECT_EQ(TimeFunction::parse("3*t^2").at(2).curvature, 6);
}

}  // namespace math_formula
}  // namespace trompo
