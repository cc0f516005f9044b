// The curves of L. M. Nitardi (2018), section 4.3: sixteen and thirty-two bodies, by Hamming with s-both twice unless it says
// otherwise. The sign of the initial angle and the time of the damage are not printed: wings up and 5 s are taken.
#include "apps/xhale_panels.hpp"

namespace trompo {

namespace {

// Every fifth or tenth step is enough to draw.
Model drawn(const char* file, std::vector<std::string> set = {}) {
  set.insert(set.begin(), "output.every=5");
  return by(xhale_model(file, set), hamming());
}
Model long_run(const Way& way) {
  // ode45 finds its own steps.
  return by(xhale_model("energy", {way.label == "ode45" ? "time.step=0.01" : "output.every=10"}), way);
}
Model antisymmetric(const char* file) { return drawn(file, {"aircraft.pattern=antisymmetric"}); }
std::string damage_of(const char* hinge) {
  return std::string("aircraft.damage=[{ hinge = \"") + hinge + "\", at = 5, stiffness = 100 }]";
}

// ---- energy ----

const std::vector<Way>& energy_ways() {
  static const std::vector<Way> all{hamming(),      ode45(1e-8), central_difference(),      rk4(),
                                    newmark(0.015), hht(0.026),  generalized(0.487, 0.4615)};
  return all;
}
Plot energies(const char* title, const std::vector<Way>& ways) {
  std::vector<Curve> curves;
  for (const Way& way : ways) {
    const Flight& flight = flown(long_run(way));
    curves.push_back(curve(way.label, flight, flight.energies));
  }
  return panel(title, "E [J]", std::move(curves));
}
std::vector<Plot> energy() {
  std::vector<Model> models;
  for (const Way& way : energy_ways()) models.push_back(long_run(way));
  (void)flown(models);
  const auto& w = energy_ways();
  return {energies("a)", {w[0], w[1]}), energies("b)", {w[2], w[3]}), energies("c)", {w[4], w[5], w[6]})};
}
std::vector<Plot> energy_response() {
  std::vector<std::string> labels;
  std::vector<Model> models;
  for (const std::size_t i : {6, 4, 2, 0}) {
    labels.push_back(energy_ways()[i].label);
    models.push_back(long_run(energy_ways()[i]));
  }
  const std::vector<Shown> all = shown(labels, models);
  std::vector<Plot> plots = places(all);
  for (const auto& [title, right, left] :
       {std::tuple{"d) 1-2 and 7-6", "1-2", "6-7"}, {"e) 2-3 and 6-5", "2-3", "5-6"}, {"f) 3-4 and 4-5", "3-4", "4-5"}}) {
    plots.push_back(angle(title, all, std::string("angle ") + right));
    const Flight& flight = *all.back().flight;
    plots.back().curves.push_back(curve("the other side", flight, flight.sensor(std::string("angle ") + left), degrees));
  }
  return plots;
}

// ---- response ----

std::vector<Shown> both_patterns(const char* file) {
  return shown({"symmetric", "antisymmetric"}, {drawn(file), antisymmetric(file)});
}
std::vector<Shown> damaged() {
  return shown({"reference", "damage 1-2", "damage 2-3"},
               {drawn("dampers"), drawn("damage", {damage_of("1-2")}), drawn("damage", {damage_of("2-3")})});
}
std::vector<Shown> gust_and_damage() {
  return shown({"gust, damage 1-2", "gust, damage 2-3"},
               {drawn("gust_damage", {damage_of("1-2")}), drawn("gust_damage", {damage_of("2-3")})});
}
std::vector<Plot> six_hinges(const std::vector<Shown>& all) {
  std::vector<Plot> plots;
  for (const auto& [title, sensor] : {std::pair{"a) 1-2", "1-2"},
                                      {"b) 2-3", "2-3"},
                                      {"c) 3-4", "3-4"},
                                      {"d) 4-5", "4-5"},
                                      {"e) 5-6", "5-6"},
                                      {"f) 6-7", "6-7"}})
    plots.push_back(angle(title, all, std::string("angle ") + sensor));
  return plots;
}
// Roll of all, pitch and yaw of the last.
Plot turns(const char* title, const std::vector<Shown>& all) {
  Plot plot = angle(title, all, "fuselage roll");
  for (Curve& c : plot.curves) c.label = "roll, " + c.label;
  const auto& [label, flight] = all.back();
  for (const char* name : {"pitch", "yaw"})
    plot.curves.push_back(
        curve(std::string(name) + ", " + label, *flight, flight->sensor(std::string("fuselage ") + name), degrees));
  return plot;
}
std::vector<Plot> fuselage_turns() {
  const std::vector<Shown> all = shown({"antisymmetric"}, {antisymmetric("dampers")});
  return {angle("a) about x", all, "fuselage roll"), angle("b) about y", all, "fuselage pitch"),
          angle("c) about z", all, "fuselage yaw")};
}

// Displacement, velocity and acceleration of the base.
std::vector<Plot> gust() {
  const Model model = xhale_model("gust", {"aircraft.gust_form=base"});
  const NodeInput& anchor = model.nodes.front();
  Curve u{"u", {}, {}}, rate = u, acceleration = u;
  const double rest = anchor.motion[2]->value(0);
  for (int i = 0; i <= 5000; ++i) {
    const double t = 0.002 * i;
    const Jet now = anchor.motion[2]->at(t);
    u.xs.push_back(t);
    u.ys.push_back(now.value - rest);
    rate.ys.push_back(now.rate);
    acceleration.ys.push_back(now.curvature);
  }
  rate.xs = acceleration.xs = u.xs;
  return {panel("a) displacement", "u [m]", {u}), panel("b) velocity", "u̇ [m/s]", {rate}),
          panel("c) acceleration", "ü [m/s²]", {acceleration})};
}
std::vector<Plot> gust_places() {
  const std::vector<Shown> all = shown({"gust"}, {drawn("gust")});
  return {place("a) x, relative", all, "fuselage x"), place("b) y, relative", all, "fuselage y"),
          place("c) z, relative", all, "fuselage z"), place("d) z, absolute", all, "fuselage absolute z")};
}
std::vector<Plot> gust_hinges() {
  std::vector<Plot> plots = six_hinges(shown({"reference", "gust"}, {drawn("dampers"), drawn("gust")}));
  plots.resize(3);
  return plots;
}
std::vector<Plot> damage_places() {
  std::vector<Plot> plots = places(damaged());
  plots.push_back(turns("d) rotations", damaged()));
  return plots;
}
std::vector<Plot> gust_and_damage_places() {
  const std::vector<Shown> all = gust_and_damage();
  Plot absolute = place("d) absolute z, x, y", all, "fuselage absolute z");
  for (Curve& c : absolute.curves) c.label = "z, " + c.label;
  for (const char* axis : {"x", "y"}) {
    const auto& [label, flight] = all.back();
    absolute.curves.push_back(
        curve(std::string(axis) + ", " + label, *flight, flight->sensor(std::string("fuselage ") + axis)));
  }
  return {place("a) x, relative", all, "fuselage x"), place("b) y, relative", all, "fuselage y"),
          place("c) z, relative", all, "fuselage z"), absolute, turns("e) rotations", all)};
}
std::vector<Plot> gust_and_damage_hinges() {
  std::vector<Shown> all = shown({"reference"}, {drawn("dampers")});
  for (const Shown& one : gust_and_damage()) all.push_back(one);
  return six_hinges(all);
}

std::vector<Plot> many_places() {
  std::vector<Plot> plots = places(both_patterns("bodies32"));
  plots.push_back(turns("d) rotations", both_patterns("bodies32")));
  return plots;
}
std::vector<Plot> many_hinges() {
  const std::vector<Shown> both = both_patterns("bodies32");
  std::vector<Plot> plots;
  int first = 1;
  for (const auto& [letter, count] : {std::pair{'a', 3}, {'b', 3}, {'c', 1}, {'d', 1}, {'e', 3}, {'f', 3}}) {
    for (const auto& [label, flight] : both) {
      std::vector<Curve> curves;
      for (int k = first; k < first + count; ++k) {
        const std::string hinge = std::to_string(k) + "-" + std::to_string(k + 1);
        curves.push_back(curve(hinge, *flight, flight->sensor("angle " + hinge), degrees));
      }
      plots.push_back(panel(std::string(1, letter) + ") " + label, "degrees", std::move(curves)));
    }
    first += count;
  }
  return plots;
}

Figure drift_figure(const char* number, const std::string& caption, const std::function<std::vector<Shown>()>& flights,
                    const char* hinge, bool rate) {
  return {number, caption, [=] { return drift(flights(), hinge, rate); }, 3};
}

}  // namespace

std::vector<Figure> xhale_aircraft_figures() {
  const std::string up = "; wings up is ours", at_5 = "; wings up and damage at 5 s are ours";
  const auto energy_flight = [] { return shown({"Hamming"}, {long_run(hamming())}); };
  const auto antisymmetric_flight = [] { return shown({"antisymmetric"}, {antisymmetric("dampers")}); };
  const auto many_flight = [] { return shown({"antisymmetric"}, {antisymmetric("bodies32")}); };
  return {{"4-29", "sixteen bodies without dampers, total energy" + up, energy, 3},
          {"4-30", "sixteen bodies without dampers, fuselage and hinges" + up, energy_response, 3},
          drift_figure("4-31", "sixteen bodies, constraint errors of hinge 3-4", energy_flight, "3-4", false),
          drift_figure("4-32", "sixteen bodies, their rates", energy_flight, "3-4", true),
          {"4-34", "sixteen bodies with dampers, fuselage" + up, [] { return places(both_patterns("dampers")); }, 3},
          {"4-35", "antisymmetric, rotations of the fuselage" + up, fuselage_turns, 3},
          {"4-36", "sixteen bodies with dampers, hinges" + up, [] { return six_hinges(both_patterns("dampers")); }, 3},
          drift_figure("4-37", "antisymmetric, constraint errors of hinge 4-5", antisymmetric_flight, "4-5", false),
          drift_figure("4-38", "antisymmetric, their rates", antisymmetric_flight, "4-5", true),
          {"4-39", "the gust: displacement, velocity, acceleration of the base", gust, 3},
          {"4-40", "gust as printed, a force on the fuselage: its place" + up, gust_places},
          {"4-41", "gust as printed, hinges of the right side" + up, gust_hinges, 3},
          {"4-42", "damage, fuselage" + at_5, damage_places},
          {"4-43", "damage, hinges" + at_5, [] { return six_hinges(damaged()); }, 3},
          {"4-44", "gust as printed and damage, fuselage" + at_5, gust_and_damage_places, 3},
          {"4-45", "gust as printed and damage, hinges" + at_5, gust_and_damage_hinges, 3},
          drift_figure("4-46", "gust and damage, constraint errors of hinge 4-5", gust_and_damage, "4-5", false),
          drift_figure("4-47", "gust and damage, their rates", gust_and_damage, "4-5", true),
          {"4-50", "thirty-two bodies, fuselage" + up, many_places},
          {"4-51", "thirty-two bodies, hinges" + up, many_hinges},
          drift_figure("4-52", "thirty-two bodies, antisymmetric, constraint errors of hinge 7-8", many_flight, "7-8", false),
          drift_figure("4-53", "thirty-two bodies, antisymmetric, their rates", many_flight, "7-8", true)};
}

}  // namespace trompo
