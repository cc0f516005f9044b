// The curves of L. M. Nitardi (2018), section 4.2: cases I to VI.
#include <cmath>

#include "apps/xhale_panels.hpp"

namespace trompo {

namespace {

const Way& rounded_alpha() {
  static const Way way = generalized(0.5, 0.4988);
  return way;
}
const std::vector<Way>& all_ways() {
  static const std::vector<Way> all{hamming(), central_difference(), rk4(),  newmark(0), newmark(0.02),
                                    hht(0.02), rounded_alpha(),      tight()};
  return all;
}

std::vector<Plot> cube(const char* file, const std::vector<Way>& ways, const std::vector<std::string>& set = {}) {
  return places(shown(xhale_model(file, set), ways));
}

// The steady motion of the shaken base has a closed form: Z sin(5t - psi).
std::vector<Plot> shaken(const char* file, double damping) {
  const std::vector<Shown> all = shown(xhale_model(file), {hamming(), rk4(), hht(0.02)});
  const double Z = 25 / std::hypot(24, 5 * damping), psi = std::atan2(5 * damping, -24);
  std::vector<Curve> relative, absolute;
  for (const auto& [label, flight] : all) {
    const auto &z = flight->sensor("fuselage z"), &base = flight->sensor("base z");
    relative.push_back(curve("relative, " + label, *flight, minus(z, base)));
    absolute.push_back(curve("absolute, " + label, *flight, z));
  }
  const Flight& first = *all.front().flight;
  std::vector<double> exact;
  for (const double t : first.times) exact.push_back(Z * std::sin(5 * t - psi));
  relative.push_back(curve("relative, closed form", first, exact));
  relative.insert(relative.end(), absolute.begin(), absolute.end());
  return {place("a) x, absolute and relative", all, "fuselage x"), place("b) y, absolute and relative", all, "fuselage y"),
          panel("c) z", "m", relative)};
}

std::vector<Shown> pendulum() {
  return shown(xhale_model("case_4"), {ode45(), hamming(), central_difference(), rounded_alpha()});
}
std::vector<Shown> pendulum_projected() { return shown(xhale_model("case_4"), {hamming(), central_difference()}); }

Model two_panels(const char* pattern) { return xhale_model("case_5", {std::string("aircraft.pattern=") + pattern}); }
std::vector<Plot> two_panels_angles(const char* pattern) {
  const auto all = shown(two_panels(pattern), {ode45(), hamming(), central_difference(), rk4(), rounded_alpha()});
  return {angle("a) right panel", all, "angle 1-2"), angle("b) left panel", all, "angle 2-3")};
}
// Without the first three steps, as there.
std::vector<Plot> two_panels_drift(const char* pattern, bool rate) {
  return drift(shown(two_panels(pattern), {hamming()}), "1-2", rate, 3, 4);
}

std::vector<Shown> three_panels() {
  const Model model = xhale_model("case_6");
  return shown({"Hamming", "central difference", "generalised α", "three bars"},
               {by(model, hamming()), by(model, central_difference()), by(model, rounded_alpha()), xhale_model("three_bars")});
}
std::vector<Plot> three_panels_place() {
  std::vector<Shown> all = three_panels();
  const std::vector<Shown> in_space(all.begin(), all.end() - 1);  // the bars have no x
  Plot sideways = place("b) y", all, "fuselage y");
  sideways.y_range = {-0.01, 0.01};  // not the end of generalised alpha
  return {place("a) x", in_space, "fuselage x"), sideways, place("c) z", all, "fuselage z")};
}
std::vector<Plot> three_panels_angles() {
  const std::vector<Shown> all = three_panels();
  return {angle("a) left side", all, "angle 2-3"), angle("b) right side", all, "angle 1-2")};
}
std::vector<Plot> three_panels_drift(bool rate) {
  return drift(shown(xhale_model("case_6"), {hamming(), central_difference()}), "1-2", rate);
}

}  // namespace

std::vector<Figure> xhale_case_figures() {
  const std::string reference = "; Dormand-Prince stands for the other programs";
  return {{"4-2", "case I, the cube dropped on four springs",
           [] {
             return cube("case_1", {ode45(), hamming(), newmark(0)});
           },
           3},
          {"4-4", "case II on soft springs, schemes of reduced index",
           [] {
             return cube("case_2_soft", {central_difference(), hamming(), rk4()});
           },
           3},
          {"4-5", "case II on soft springs, index 3" + reference,
           [] {
             return cube("case_2_soft", {newmark(0), newmark(0.02), hht(0.02), rounded_alpha(), tight()});
           },
           3},
          {"4-6", "case II on stiff springs, all schemes" + reference, [] { return cube("case_2_stiff", all_ways()); }, 3},
          {"4-7", "case II on stiff springs with dampers" + reference,
           [] { return cube("case_2_stiff", all_ways(), {"aircraft.mount.damping=0.1"}); }, 3},
          {"4-9", "case III, shaken base without dampers", [] { return shaken("case_3", 0); }, 3},
          {"4-10", "case III, shaken base with dampers", [] { return shaken("case_3_damped", 1); }, 3},
          {"4-12", "case IV, a panel on a fixed one",
           [] {
             return std::vector<Plot>{angle("a) angle", pendulum(), "angle 1-2"),
                                      place("b) z of the panel", pendulum(), "wing2 z")};
           }},
          {"4-13", "case IV, constraint errors of the hinge, s-both twice",
           [] { return drift(pendulum_projected(), "1-2", false); }, 3},
          {"4-14", "case IV, their rates", [] { return drift(pendulum_projected(), "1-2", true); }, 3},
          {"4-16", "case V, symmetric", [] { return two_panels_angles("symmetric"); }},
          {"4-17", "case V, antisymmetric", [] { return two_panels_angles("antisymmetric"); }},
          {"4-18", "case V, symmetric: constraint errors, Hamming with s-both twice",
           [] { return two_panels_drift("symmetric", false); }, 3},
          {"4-19", "case V, symmetric: their rates", [] { return two_panels_drift("symmetric", true); }, 3},
          {"4-20", "case V, antisymmetric: constraint errors, Hamming with s-both twice",
           [] { return two_panels_drift("antisymmetric", false); }, 3},
          {"4-21", "case V, antisymmetric: their rates", [] { return two_panels_drift("antisymmetric", true); }, 3},
          {"4-24", "case VI beside three bars; 10 s are ours, generalised α ends before", three_panels_place, 3},
          {"4-25", "case VI, angles beside those of three bars; generalised α ends before", three_panels_angles},
          {"4-26", "case VI, constraint errors of the right hinge, s-both twice", [] { return three_panels_drift(false); }, 3},
          {"4-27", "case VI, their rates", [] { return three_panels_drift(true); }, 3}};
}

}  // namespace trompo
