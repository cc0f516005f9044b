#include "trompo/math/formula.hpp"

#include <gtest/gtest.h>
#include <rapidcheck.h>

#include <array>
#include <cmath>
#include <functional>
#include <numbers>

#include "trompo/math/time_function.hpp"

namespace trompo {
namespace {

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
  EXPECT_EQ(error("1e999").second, "not a number");
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

}  // namespace
}  // namespace trompo
