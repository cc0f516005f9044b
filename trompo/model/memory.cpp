#include "trompo/model/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <fstream>
#include <limits>

namespace trompo {

namespace {

constexpr double unlimited = std::numeric_limits<double>::infinity();

// Peaks of straight rods of 2000 and 20 000 elements and aircraft of 301 and 3001 panels, run with all their output. What is
// coupled more densely takes more.
constexpr double per_rod_node = 30e3, per_panel = 80e3;

// The number that stands first in a file, or after a word at the beginning of a line.
double number_in(const std::string& file, std::string_view word = {}) {
  std::ifstream stream(file);
  std::string line;
  while (std::getline(stream, line)) {
    if (!line.starts_with(word)) continue;
    const char* text = line.c_str() + word.size();
    char* end = nullptr;
    const double number = std::strtod(text, &end);
    return end == text ? unlimited : number;  // "max"
  }
  return unlimited;
}

// What a control group has left; version 2, with every group above it, and version 1.
double left_in_groups() {
  double least = unlimited;
  const auto group = [&least](const std::string& limit, const std::string& used) {
    const double most = number_in(limit), now = number_in(used);
    if (std::isfinite(most) && std::isfinite(now)) least = std::min(least, std::max(0.0, most - now));
  };
  std::ifstream groups("/proc/self/cgroup");
  std::string line;
  while (std::getline(groups, line)) {
    if (!line.starts_with("0::")) continue;
    for (std::string path = line.substr(3);; path.resize(path.rfind('/'))) {
      const std::string folder = "/sys/fs/cgroup" + (path == "/" ? "" : path);
      group(folder + "/memory.max", folder + "/memory.current");
      if (path.find('/') == std::string::npos) break;
    }
  }
  group("/sys/fs/cgroup/memory/memory.limit_in_bytes", "/sys/fs/cgroup/memory/memory.usage_in_bytes");
  return least;
}

double left_by_limit() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY) return unlimited;
  const double pages = number_in("/proc/self/statm");  // in use
  const double used = std::isfinite(pages) ? pages * static_cast<double>(sysconf(_SC_PAGESIZE)) : 0;
  return std::max(0.0, static_cast<double>(limit.rlim_cur) - used);
}

std::string bytes_text(double bytes) {
  static constexpr std::array<const char*, 6> units{" kB", " MB", " GB", " TB", " PB", " EB"};
  std::size_t unit = 0;
  for (bytes /= 1e3; bytes >= 999.5 && unit + 1 < units.size(); bytes /= 1e3) ++unit;
  return number_text(bytes, 3) + units[unit];
}

}  // namespace

double available_memory() {
  return std::min({number_in("/proc/meminfo", "MemAvailable:") * 1024, left_in_groups(), left_by_limit()});
}

double memory_of(const RodInput& rod) {
  return per_rod_node * static_cast<double>(rod.elements) * static_cast<double>(rod.nodes_per_element - 1);
}

double memory_of(const AircraftInput& a) {
  const double panels = static_cast<double>(a.wings);
  return per_panel * panels + (a.wing.kind == "rod" ? per_rod_node * panels * static_cast<double>(a.wing.elements) : 0);
}

std::vector<Diagnostic> check_memory(const Model& model, double available) {
  double sum = 0, most = 0;
  Diagnostic worst;
  const auto add = [&](double bytes, const Source& source, std::string_view key, const std::string& what) {
    sum += bytes;
    if (bytes <= most) return;
    most = bytes;
    worst = {Diagnostic::Severity::error, source.place_of(key, model.file), source.of(key), what,
             "make `" + std::string(key) + "` smaller"};
  };
  for (const RodInput& rod : model.rods)
    add(memory_of(rod), rod.source, "elements",
        "rod " + in_quotes(rod.name) + " has " + std::to_string(rod.elements) + " elements");
  if (const auto& a = model.aircraft) {
    const bool by_rod = a->wing.kind == "rod";
    const Source& wing = a->wing.source;
    add(memory_of(*a), by_rod ? wing : a->source, by_rod ? "elements" : "wings",
        "the aircraft has " + std::to_string(a->wings) + " panels" +
            (by_rod ? " of " + std::to_string(a->wing.elements) + " elements" : std::string()));
  }
  if (sum <= available) return {};
  worst.message += ": the model would take about " + bytes_text(sum) + " of memory, and there are " + bytes_text(available);
  return {worst};
}

}  // namespace trompo
