#include "trompo/output/carried_state.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>
#include <span>

#include "trompo/model/source.hpp"
#include "trompo/run/run.hpp"

namespace trompo {

std::size_t sample_at(const ResultsFile& file, double time) {
  const std::vector<double> times = file.read("/time");
  const double near = 1e-9 * std::max(1.0, std::abs(time));
  const auto after = std::lower_bound(times.begin(), times.end(), time - near);
  if (after != times.end() && *after <= time + near) return static_cast<std::size_t>(after - times.begin());
  const std::string where = after == times.begin() ? fmt::format("the first is at {:.9g} s", times.front())
                            : after == times.end()
                                ? fmt::format("the last is at {:.9g} s", times.back())
                                : fmt::format("its neighbours are at {:.9g} and {:.9g} s", after[-1], *after);
  throw FileError(fmt::format("{}: has no sample at {:.9g} s: {}", file.path(), time, where));
}

namespace {

// The rows of one group of the results, by name.
class Group {
 public:
  Group(const ResultsFile& file, std::size_t sample, const std::string& group) : file_(file), sample_(sample), group_(group) {
    for (const NameList& list : file.channels().names)
      if (list.group == group && list.name == "names")
        for (std::size_t i = 0; i < list.texts.size(); ++i) place_.emplace(list.texts[i], i);
  }
  // Calls use(i, numbers) for every item that has this quantity, so many numbers each.
  template <class Items, class Use>
  void each(const Items& items, const char* quantity, std::size_t width, const Use& use) const {
    for (const Channel& channel : file_.channels().all) {
      if (channel.group != group_ || channel.name != quantity || channel.size() != width * place_.size()) continue;
      std::vector<double> row(channel.size());
      file_.read(channel, sample_, row);
      for (std::size_t i = 0; i < items.size(); ++i)
        if (const auto found = place_.find(items[i].name); found != place_.end()) use(i, row.data() + width * found->second);
    }
  }
  // Names that stand in one of the two alone.
  template <class Items>
  void compare(const Items& items, const char* kind, std::vector<std::string>& left_out) const {
    std::vector<std::string> here, there;
    std::map<std::string, std::size_t> rest = place_;
    for (const auto& item : items)
      if (rest.erase(item.name) == 0) here.push_back(in_quotes(item.name));
    for (const auto& [name, place] : rest) there.push_back(in_quotes(name));
    const auto say = [&](std::vector<std::string> names, const char* what) {
      constexpr std::size_t most = 5;
      if (names.empty()) return;
      const std::size_t all = names.size();
      if (all > most) names.resize(most);
      left_out.push_back(fmt::format("{} {}{} {}", kind, fmt::join(names, ", "), all > most ? ", ..." : "", what));
    };
    say(here, "of the model: not in the results, it starts as the model says");
    say(there, "of the results: not in the model");
  }

 private:
  const ResultsFile& file_;
  std::size_t sample_;
  std::string group_;
  std::map<std::string, std::size_t> place_;
};

Eigen::Map<const Vec3> vector(const double* x) { return Eigen::Map<const Vec3>(x); }

}  // namespace

CarriedState carried_state(const ResultsFile& file, std::size_t sample, const Model& model, const System& system) {
  CarriedState out{given_state(model, system), {}};
  State& s = out.state;
  const Group nodes(file, sample, "nodes"), bodies(file, sample, "bodies"), coordinates(file, sample, "coordinates");
  nodes.each(model.nodes, "position", 3,
             [&](std::size_t i, const double* x) { s.q.segment<3>(system.nodes()[i]) = vector(x); });
  nodes.each(model.nodes, "velocity", 3,
             [&](std::size_t i, const double* x) { s.v.segment<3>(system.nodes()[i]) = vector(x); });
  bodies.each(model.bodies, "position", 3,
              [&](std::size_t i, const double* x) { s.q.segment<3>(system.bodies()[i].first) = vector(x); });
  bodies.each(model.bodies, "velocity", 3,
              [&](std::size_t i, const double* x) { s.v.segment<3>(system.bodies()[i].first) = vector(x); });
  bodies.each(model.bodies, "quaternion", 4, [&](std::size_t i, const double* x) {
    s.rotations[i].orientation = Quaternion(x[0], x[1], x[2], x[3]).normalized();
  });
  bodies.each(model.bodies, "angular_velocity", 3,
              [&](std::size_t i, const double* x) { s.rotations[i].angular_velocity = vector(x); });
  system.write_frames(s);
  coordinates.each(model.coordinates, "value", 1, [&](std::size_t i, const double* x) { s.q[system.scalars()[i]] = *x; });
  coordinates.each(model.coordinates, "rate", 1, [&](std::size_t i, const double* x) { s.v[system.scalars()[i]] = *x; });
  nodes.compare(model.nodes, "nodes", out.left_out);
  bodies.compare(model.bodies, "bodies", out.left_out);
  coordinates.compare(model.coordinates, "coordinates", out.left_out);
  out.left_out.emplace_back("time: the run begins at t = 0, and so do energy accounts and functions of t");
  out.left_out.emplace_back("what the scheme remembered: accelerations and multipliers are found anew");
  const auto turns = [](const Joint& joint) { return joint.angle >= 0; };
  if (std::any_of(system.joints().begin(), system.joints().end(), turns))
    out.left_out.emplace_back("whole turns of joints: their angles begin within half a turn");
  return out;
}

}  // namespace trompo
