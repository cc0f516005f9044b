// The stored problems of the aircraft, each as the file of verification/xhale that says the same by [aircraft].
#pragma once

#include <gtest/gtest.h>

#include <cctype>
#include <string>
#include <vector>

#include "tests/places.hpp"
#include "tests/xhale_cases.hpp"

namespace trompo::xhale {

struct AircraftFile {
  std::string problem;           // its name in tests/data/xhale.json
  std::string file;              // in verification/xhale
  std::vector<std::string> set;  // what is different
};

inline const std::vector<AircraftFile>& aircraft_files() {
  static const std::vector<AircraftFile> all = [] {
    std::vector<AircraftFile> files{
        {"I harmonic oscillator", "case_1", {}},
        {"II soft", "case_2_soft", {}},
        {"II soft dampers", "case_2_soft", {"aircraft.mount.damping=0.1"}},
        {"II stiff", "case_2_stiff", {}},
        {"II stiff dampers", "case_2_stiff", {"aircraft.mount.damping=0.1"}},
        {"III config 1", "case_3", {}},
        {"III config 1 (thesis-rounded initial data)", "case_3", {"aircraft.velocity=[0, 0, -0.2083]"}},
        {"III config 2", "case_3_damped", {}},
        {"III config 2 (thesis-rounded initial data)",
         "case_3_damped",
         {"aircraft.position=[0, 0, -0.208]", "aircraft.velocity=[0, 0, 0.008]"}},
        {"IV physical pendulum", "case_4", {}},
        {"V sym", "case_5", {}},
        {"V antisym", "case_5", {"aircraft.pattern=antisymmetric"}},
        {"VI three bars", "case_6", {}},
        {"VI three bars, asymmetric (10,-6)", "case_6", {"aircraft.dihedral_degrees=[10, -6]"}}};
    const std::string base = "aircraft.gust_form=base", other = "aircraft.pattern=antisymmetric",
                      inner = "aircraft.damage=[{ hinge = \"2-3\", at = 5, stiffness = 100 }]";
    for (const bool up : {false, true}) {
      const auto add = [&](const std::string& name, const std::string& file, std::vector<std::string> set) {
        if (!up) set.emplace_back("aircraft.dihedral_degrees=-5");
        const std::string way = name == "16 energy" ? "5 deg " : "";
        files.push_back({name + " (wings " + way + (up ? "up)" : "down)"), file, std::move(set)});
      };
      add("16 energy", "energy", {});
      add("16 dampers sym", "dampers", {});
      add("16 dampers antisym", "dampers", {other});
      add("16 gust", "gust", {base});
      add("16 gust, thesis-literal (force -m_F u_tt on the fuselage only)", "gust", {});
      add("16 damage 1-2", "damage", {});
      add("16 damage 2-3", "damage", {inner});
      add("16 gust + damage 1-2", "gust_damage", {base});
      add("16 gust + damage 2-3", "gust_damage", {base, inner});
      add("32 sym", "bodies32", {});
      add("32 antisym", "bodies32", {other});
    }
    return files;
  }();
  return all;
}

inline const AircraftFile& aircraft_file(const std::string& problem) {
  for (const AircraftFile& f : aircraft_files())
    if (f.problem == problem) return f;
  throw std::invalid_argument("no file for " + problem);
}

inline std::string test_name(const testing::TestParamInfo<AircraftFile>& test) {
  std::string name;
  for (const char c : test.param.problem)
    if (std::isalnum(static_cast<unsigned char>(c))) name += c;
  return name;
}
inline void PrintTo(const AircraftFile& f, std::ostream* out) { *out << f.problem; }

inline Model read(const AircraftFile& f, std::vector<std::string> more = {}) {
  more.insert(more.begin(), f.set.begin(), f.set.end());
  return read_model(places::source("verification/xhale/" + f.file + ".toml"), more);
}

}  // namespace trompo::xhale
