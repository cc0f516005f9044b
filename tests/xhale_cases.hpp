// The aircraft problems of L. M. Nitardi (2018), as stored in tests/data/xhale.json, written as model files.
#pragma once

#include <fmt/format.h>

#include <nlohmann/json.hpp>
#include <string>

#include "tests/stored.hpp"
#include "trompo/math/so3.hpp"
#include "trompo/model/reader.hpp"

namespace trompo::xhale {

using Json = nlohmann::json;

inline const Json& data() { return stored("xhale.json"); }

inline const Json& case_named(const std::string& name) {
  for (const Json& c : data()["cases"])
    if (c["name"] == name) return c;
  throw std::invalid_argument("no case " + name);
}

// Of the stored steps of an algorithm, "four_body_3d" or "sixteen_body".
inline const Json& stored_problem(const std::string& name) {
  const Json& problem = data()["algorithms"][name]["problem"];
  return problem.is_string() ? case_named("16 energy (wings 5 deg down)")["problem"] : problem;
}
// Implicit ones are those that have a weight of the old force.
inline Json stored_runs(const std::string& name, bool implicit) {
  Json runs = Json::array();
  for (const Json& r : data()["algorithms"][name]["results"])
    if (r["parameters"].contains("af") == implicit) runs.push_back(r);
  return runs;
}

inline Vec3 vector(const Json& v) { return {v[0].get<double>(), v[1].get<double>(), v[2].get<double>()}; }
inline std::string text(const Vec3& v) { return fmt::format("[{}, {}, {}]", v[0], v[1], v[2]); }

struct Place {
  Vec3 x = Vec3::Zero();
  Quaternion turn = Quaternion::Identity();
};
inline Place place(const Json& problem, int body) {
  if (body < 0) return {};
  const Json& b = problem["bodies"][static_cast<std::size_t>(body)];
  const Json& p = b["p"];
  return {vector(b["R"]), Quaternion(p[0].get<double>(), p[1].get<double>(), p[2].get<double>(), p[3].get<double>())};
}

// Of a base that shakes all the time, along z.
inline std::string base_motion(const Json& problem) {
  const Json& g = problem["gust"][0];
  return fmt::format("{}*sin({}*t)^{}", g["U"].get<double>(), g["omega"].get<double>(), g["x"].get<int>());
}

// The model without [time]. Joints hold the second body of the file against the first.
inline std::string model_text(const Json& problem) {
  const auto name = [&problem](int body) {
    return body < 0 ? std::string("ground") : problem["bodies"][static_cast<std::size_t>(body)]["name"].get<std::string>();
  };
  std::string out = "gravity = " + text(vector(problem["gravity"])) + "\n";
  for (const Json& b : problem["bodies"]) {
    const Json& p = b["p"];
    const Vec<4> parameters(p[0].get<double>(), p[1].get<double>(), p[2].get<double>(), p[3].get<double>());
    const Json& d = b["pd"];
    const Vec<4> rate(d[0].get<double>(), d[1].get<double>(), d[2].get<double>(), d[3].get<double>());
    const Quaternion q(p[0].get<double>(), p[1].get<double>(), p[2].get<double>(), p[3].get<double>());
    const Quaternion spin = q.conjugate() * Quaternion(rate[0], rate[1], rate[2], rate[3]);
    out += fmt::format(
        "[[body]]\nname = \"{}\"\nmass = {}\ninertia = {}\nposition = {}\nvelocity = {}\norientation = {{ quaternion = [{}, "
        "{}, {}, "
        "{}] }}\nangular_velocity = {}\n",
        b["name"].get<std::string>(), b["mass"].get<double>(), text(vector(b["inertia"])), text(vector(b["R"])),
        text(vector(b["v"])), parameters[0], parameters[1], parameters[2], parameters[3], text(Vec3(2 * spin.vec())));
  }
  int number = 0;
  for (const Json& j : problem["joints"]) {
    const int i = j["i"], k = j["j"];
    const Place a = place(problem, i);
    const Vec3 at = a.x + to_space(a.turn, vector(j["ri"]));
    const bool hinge = j["type"] == "hinge_x";
    out += fmt::format("[[joint]]\nname = \"joint {}\"\nbodies = [\"{}\", \"{}\"]\n", number++, name(i), name(k));
    out += hinge ? fmt::format("hinge = {{ axis = {}, at = {} }}\n", text(to_space(a.turn, Vec3::UnitX())), text(at))
                 : fmt::format("weld = {{ at = {} }}\n", text(at));
    for (const Json& t : problem["torsion"])
      if (hinge && t["i"] == i && t["j"] == k) out += fmt::format("stiffness = {}\n", t["k"].get<double>());
  }
  number = 0;
  // Anchors that move with the base are nodes whose motion is given.
  const std::string base = problem["gust"].empty() || problem["gustmode"] != 0 ? "" : base_motion(problem);
  for (const Json& s : problem["springs"]) {
    if (!base.empty()) {
      const Vec3 a = vector(s["anchor"]);
      out += fmt::format(
          "[[node]]\nname = \"anchor {0}\"\nposition = {1}\nvelocity = [0, 0, 0]\nfixed_axes = [\"x\", \"y\"]\nmotion = {{ z = "
          "\"{2} + "
          "{3}\" }}\n"
          "[[spring]]\nname = \"spring {0}\"\nfrom = {{ body = \"{4}\", point = {5} }}\nto = {{ node = \"anchor {0}\" "
          "}}\nstiffness = "
          "{6}\nlength = {7}\ndamping = {8}\n",
          number, text(a), a[2], base, name(s["body"]), text(vector(s["r"])), s["k"].get<double>(), s["l0"].get<double>(),
          s["c"].get<double>());
      ++number;
      continue;
    }
    out += fmt::format(
        "[[spring]]\nname = \"spring {}\"\nfrom = {{ body = \"{}\", point = {} }}\nto = {{ ground = {} }}\nstiffness = {}\n"
        "length = {}\ndamping = {}\n",
        number++, name(s["body"]), text(vector(s["r"])), text(vector(s["anchor"])), s["k"].get<double>(), s["l0"].get<double>(),
        s["c"].get<double>());
  }
  return out;
}

inline Model model(const Json& problem, const std::string& formulation, const std::string& time) {
  return parse_model("formulation = \"" + formulation + "\"\n" + model_text(problem) + "[time]\n" + time, "xhale");
}

}  // namespace trompo::xhale
