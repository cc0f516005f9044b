#include "trompo/model/gust.hpp"

#include <numbers>

#include "trompo/math/known.hpp"
#include "trompo/model/word_lists.hpp"

namespace trompo {

namespace {

std::string factor(double x) { return number_text(x) + "*"; }
double circular(const GustInput& g) { return 2 * std::numbers::pi * g.frequency.value_or(0); }
std::string since_start(const GustInput& g) { return g.start == 0 ? "t" : "(t - " + number_text(g.start) + ")"; }
long exponent_of(const GustInput& g) { return g.shape == "pulse" ? g.exponent.value_or(1) : 1; }

std::string power(const std::string& base, long exponent) {
  return exponent == 0 ? "1" : exponent == 1 ? base : base + "^" + std::to_string(exponent);
}

// Zero outside of the window.
std::string windowed(const GustInput& g, std::string text) {
  if (g.end) text = "if(t <= " + number_text(*g.end) + ", " + text + ", 0)";
  if (g.start > 0) text = "if(t > " + number_text(g.start) + ", " + text + ", 0)";
  return text;
}

// A table as ramps, one after the other.
std::string ramps(const TimeFunction::Table& table) {
  std::string text = number_text(table.front().second);
  for (std::size_t i = 1; i < table.size(); ++i) {
    const auto& [t0, u0] = table[i - 1];
    const auto& [t1, u1] = table[i];
    if (u0 == u1) continue;
    text += " + " + factor((u1 - u0) / (t1 - t0)) + "(max(min(t, " + number_text(t1) + "), " + number_text(t0) + ") - " +
            number_text(t0) + ")";
  }
  return text;
}

}  // namespace

// U sin(w s)^n, with s counted from the start; U/2 (1 - cos(2 pi s / (end - start))).
std::string displacement_text(const GustInput& g) {
  const double amplitude = g.amplitude.value_or(0);
  if (g.shape == "1-cosine")
    return factor(0.5 * amplitude) + "(1 - cos(" + factor(2 * std::numbers::pi / (g.end.value_or(g.start + 1) - g.start)) +
           since_start(g) + "))";
  return factor(amplitude) + power("sin(" + factor(circular(g)) + since_start(g) + ")", exponent_of(g));
}

std::string acceleration_text(const GustInput& g) {
  const double amplitude = g.amplitude.value_or(0);
  if (g.shape == "1-cosine") {
    const double w = 2 * std::numbers::pi / (g.end.value_or(g.start + 1) - g.start);
    return factor(0.5 * amplitude * w * w) + "cos(" + factor(w) + since_start(g) + ")";
  }
  const long n = exponent_of(g);
  const double w = circular(g);
  const std::string phase = factor(w) + since_start(g), sine = "sin(" + phase + ")";
  const std::string straight = factor(-amplitude * w * w * static_cast<double>(n)) + power(sine, n);
  if (n == 1) return straight;
  return straight + " + " + factor(amplitude * w * w * static_cast<double>(n) * static_cast<double>(n - 1)) +
         power(sine, n - 2) + "*cos(" + phase + ")^2";
}

const TimeFunction::Table& rows_of(const GustInput& g) { return std::get<TimeFunction::Table>(known(g.table).form()); }

std::string displacement_in_window(const GustInput& g) {
  return g.shape == "table" ? ramps(rows_of(g)) : windowed(g, displacement_text(g));
}

std::vector<const GustInput*> gusts_along(const AircraftInput& aircraft, std::size_t axis) {
  std::vector<const GustInput*> blowing;
  for (const GustInput& g : aircraft.gusts)
    if (g.axis == word_lists::axes[axis]) blowing.push_back(&g);
  return blowing;
}

std::string inertia_force_text(const GustInput& g, double mass) {
  return windowed(g, factor(-mass) + "(" + acceleration_text(g) + ")");
}

}  // namespace trompo
