#include "trompo/output/svg.hpp"

#include <gtest/gtest.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <limits>

namespace trompo {
namespace output_svg {

// Walks the tags: every one that opens is closed by its like, attributes are quoted, no stray < or &.
void expect_well_formed(const std::string& text) {
  std::vector<std::string> open;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '&') {
      const std::string entity = text.substr(i, text.find(';', i) - i);
      EXPECT_TRUE(entity == "&amp" || entity == "&lt" || entity == "&gt" || entity == "&quot") << entity;
    }
    if (text[i] != '<') continue;
    const std::size_t end = text.find('>', i);
    ASSERT_NE(end, std::string::npos);
    const std::string tag = text.substr(i + 1, end - i - 1);
    EXPECT_EQ(std::count(tag.begin(), tag.end(), '"') % 2, 0) << tag;
    EXPECT_EQ(tag.find('<'), std::string::npos) << tag;
    if (tag[0] == '/') {
      ASSERT_FALSE(open.empty()) << tag;
      EXPECT_EQ(open.back(), tag.substr(1));
      open.pop_back();
    } else if (tag.back() != '/') {
      open.push_back(tag.substr(0, tag.find_first_of(" \n")));
    }
    i = end;
  }
  EXPECT_TRUE(open.empty());
  for (const char* bad : {"nan", "NaN", "inf"}) EXPECT_EQ(text.find(bad), std::string::npos) << bad;
}

std::size_t count(const std::string& text, const std::string& part) {
  std::size_t n = 0;
  for (std::size_t i = text.find(part); i != std::string::npos; i = text.find(part, i + part.size())) ++n;
  return n;
}

TEST(Svg, IsWellFormedWithHostileInput) {
  const double nan = std::nan(""), inf = std::numeric_limits<double>::infinity();
  Plot plot{"Energy & <momentum> \"now\" 🪀", "Δt/T", "ρ < 1", false, false, {}, {}};
  plot.curves = {{"a<b>&c", {0, 1, 2, 3, 4}, {1, nan, 3, inf, 1e300}}, {"empty", {}, {}}, {"short", {1, 2}, {1}}};
  Plot log = plot;
  log.log_x = log.log_y = true;
  const std::string text = svg(std::vector<Plot>{plot, log, Plot{}}, 2);
  expect_well_formed(text);
  EXPECT_NE(text.find("a&lt;b&gt;&amp;c"), std::string::npos);
  EXPECT_NE(text.find("Energy &amp; &lt;momentum&gt;"), std::string::npos);
  expect_well_formed(svg({}, 0));
}

TEST(Svg, LeavesGapsAndCutsOff) {
  Plot plot{"", "", "", false, false, std::pair(0.0, 1.0), {{"c", {0, 1, 2, 3, 4}, {0.5, 0.6, std::nan(""), 0.5, 1e300}}}};
  const std::string text = svg(std::vector{plot}, 1);
  const std::size_t start = text.find("<g clip-path"), end = text.find("</g>");
  EXPECT_EQ(count(text.substr(start, end - start), "M"), 2U);
  EXPECT_EQ(text.find("e+"), std::string::npos);
}

TEST(Svg, LeavesOutWhatNobodySees) {
  Curve curve{"long", {}, {}};
  for (int i = 0; i < 1000000; ++i) {
    curve.xs.push_back(i);
    curve.ys.push_back(std::sin(1e-5 * i));
  }
  EXPECT_LT(svg(std::vector{Plot{"", "", "", false, false, {}, {curve}}}, 1).size(), 40000U);
}

TEST(Svg, RoundTicks) {
  Plot plot{"", "", "", false, true, {}, {{"c", {0, 10}, {1e-12, 1}}}};
  const std::string text = svg(std::vector{plot}, 1);
  for (const char* tick : {">0<", ">2<", ">10<", ">10⁻¹²<", ">10⁻⁶<", ">1<"}) EXPECT_EQ(count(text, tick), 1U) << tick;
  const std::string flat = svg(std::vector{Plot{"", "", "", false, false, {}, {{"c", {0, 1}, {-500, -500}}}}}, 1);
  EXPECT_EQ(count(flat, ">−500<"), 1U);
}

TEST(Svg, SharesTheLegendOfLikePanels) {
  const Plot plot{"", "", "", false, false, {}, {{"one", {0, 1}, {0, 1}}, {"two", {0, 1}, {1, 0}}}};
  EXPECT_EQ(count(svg(std::vector{plot, plot, plot}, 3), ">one<"), 1U);
  Plot other = plot;
  other.curves.pop_back();
  EXPECT_EQ(count(svg(std::vector{plot, other}, 2), ">one<"), 2U);
}

TEST(Svg, DotsMarkThePointsAndTheLegendAndStayInsideTheFrame) {
  Plot plot{.title = "dots", .x_label = "h", .y_label = "error", .log_x = true, .log_y = true};
  plot.curves = {{"line", {0.01, 0.1, 1}, {1, 2, 4}}, {"dotted", {0.01, 0.1, 1}, {3, -1, 5}, true}};
  const std::string text = svg(std::span(&plot, 1), 1);
  expect_well_formed(text);
  EXPECT_EQ(count(text, "<circle"), 3u);  // two points that a logarithmic axis can show, and the legend
  const std::string line = text.substr(text.find("<path d=\"M", text.find("<g clip-path")));
  EXPECT_GT(std::stod(line.substr(10)), 102 + 3.2);  // the frame begins at 102; without dots the curve would begin there
}

// A square is a square on a map, wide or high.
TEST(Svg, DrawsAMapToOneScale) {
  for (const double stretch : {0.1, 1.0, 10.0}) {
    Plot plot;
    plot.curves = {{"c", {0, stretch, stretch}, {0, 0, 1}}};
    plot.map = true;
    const std::string text = svg(std::vector{plot}, 1);
    double x0 = 0, y0 = 0, x1 = 0, y1 = 0, x2 = 0, y2 = 0;
    const std::size_t path = text.find("<path d=\"M", text.find("clip-path="));
    ASSERT_NE(path, std::string::npos);
    ASSERT_EQ(std::sscanf(text.c_str() + path, "<path d=\"M%lf %lfh0L%lf %lfL%lf %lf", &x0, &y0, &x1, &y1, &x2, &y2), 6);
    EXPECT_NEAR((x1 - x0) / (y1 - y2), stretch, 0.02 * stretch);
  }
}

}  // namespace output_svg
}  // namespace trompo
