// Which plots and frames the page of a run has, and of which channels they are made.
#include <fmt/format.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "trompo/model/json_text.hpp"
#include "trompo/output/heading.hpp"
#include "trompo/output/model_text.hpp"
#include "trompo/output/run_data.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

Vec3 vector(const Json& x) { return {x[0].get<double>(), x[1].get<double>(), x[2].get<double>()}; }

}  // namespace

class RunData::Layout {
 public:
  Layout(RunData& data, const Channels& all, const PageBudget& budget)
      : data_(data), all_(all), budget_(budget), scene_(scene_of(data.heading_, all)) {
    (void)add_all("time", "", 1);  // first in a row
    equilibrium();
    energy();
    momentum();
    constraints();
    iterations();
    angles();
    sensors();
    coordinates();
    if (budget_.folded) positions();
    if (budget_.folded) bars();
    if (budget_.folded) rods();
    if (budget_.only.empty()) frames();
  }

 private:
  // Where a channel starts in a row; takes it up if it was not wanted before. `none` if the run has none of this name.
  std::size_t add(const std::string& name, const std::string& group) {
    std::size_t first = 0;
    for (const Channel& channel : data_.channels_) {
      if (channel.group == group && channel.name == name) return first;
      first += channel.size();
    }
    for (const Channel& channel : all_.all) {
      if (channel.group != group || channel.name != name) continue;
      data_.channels_.push_back(channel);
      data_.row_size_ += channel.size();
      return first;
    }
    return none;
  }
  // The same, of a channel that has to be there with so many numbers, if any.
  std::size_t add_all(const std::string& name, const std::string& group, std::size_t size) {
    const std::size_t first = add(name, group);
    if (size > 0 && (first == none || channel(group, name)->size() != size))
      throw std::invalid_argument(
          fmt::format("/{}{}{} does not hold {} numbers for each sample", group, group.empty() ? "" : "/", name, size));
    return first;
  }
  // Checked, since it may come from a file. What follows it is put between its braces.
  static Json scene_of(const std::string& heading, const Channels& all) {
    if (!is_json(heading)) throw std::invalid_argument("page_json is no JSON");
    Json parsed = Json::parse(heading);
    check_heading(parsed, all);
    if (heading.front() != '{' || heading.back() != '}') throw std::invalid_argument("page_json has blanks at its ends");
    return std::move(parsed["scene"]);
  }
  [[nodiscard]] const std::vector<std::string>& names(const std::string& group, const std::string& list = "names") const {
    static const std::vector<std::string> nobody;
    for (const NameList& names : all_.names)
      if (names.group == group && names.name == list) return names.texts;
    return nobody;
  }
  [[nodiscard]] const Channel* channel(const std::string& group, const std::string& name) const {
    for (const Channel& c : all_.all)
      if (c.group == group && c.name == name) return &c;
    return nullptr;
  }
  [[nodiscard]] bool wanted(const std::string& id) const { return budget_.only.empty() || budget_.only == id; }
  // False if the budget does not allow for it.
  bool plot(RunData::Plot plot) {
    if (plot.curves.empty() || !wanted(plot.id)) return true;
    if (used_ + 1 + plot.curves.size() > budget_.curves && budget_.only.empty()) return false;
    used_ += 1 + plot.curves.size();
    for (RunData::Curve& curve : plot.curves) curve.values.reserve(data_.points_ + 2);
    data_.plots_.push_back(std::move(plot));
    return true;
  }
  void curve(RunData::Plot& plot, const std::string& name, const std::string& group, const std::string& channel_name,
             bool line = false, std::size_t entry = 0) {
    if (!wanted(plot.id)) return;
    const std::size_t first = add(channel_name, group);
    if (first == none) return;
    if (entry >= channel(group, channel_name)->size())
      throw std::invalid_argument(fmt::format("/{}/{} has no number {} for {}", group, channel_name, entry + 1, name));
    plot.curves.push_back({name, first + entry, line});
  }

  void energy() {
    RunData::Plot energy{"energy", "Energy", "J", false, true};
    for (const char* account : {"kinetic", "elastic", "gravity", "loads", "heat", "numerical"})
      curve(energy, account, "energy", account);
    for (const char* account : {"total", "load_work", "support_work", "events"}) {
      std::string name = account;
      std::replace(name.begin(), name.end(), '_', ' ');
      curve(energy, name, "energy", account, true);
    }
    plot(std::move(energy));
    RunData::Plot residual{"residual", "Energy balance error", "J", true};
    curve(residual, "balance residual", "energy", "residual");
    curve(residual, "of a step, without its correction", "energy", "uncorrected");
    plot(std::move(residual));
  }
  void equilibrium() {
    RunData::Plot factor{"factor", "Load factor", ""}, unstable{"unstable", "Unstable directions", ""};
    curve(factor, "load factor", "statics", "factor");
    curve(unstable, "unstable directions", "statics", "unstable");
    plot(std::move(factor));
    plot(std::move(unstable));
  }
  void momentum() {
    if (channel("momentum", "linear") == nullptr) return;
    if (names("nodes").empty() && names("bodies").empty()) return;  // coordinates alone have no place in space
    for (const auto& [name, title, unit] :
         {std::tuple{"linear", "Linear momentum", "kg m/s"}, {"angular", "Angular momentum", "kg m²/s"}}) {
      RunData::Plot p{std::string("momentum-") + name, title, unit};
      for (std::size_t i = 0; i < 3; ++i) curve(p, axes[i], "momentum", name, false, i);
      plot(std::move(p));
    }
  }
  void constraints() {
    RunData::Plot errors{"constraint-errors", "Constraint errors, relative", "", true};
    curve(errors, "of positions", "constraints", "largest_error");
    curve(errors, "of velocities", "constraints", "largest_error_rate");
    plot(std::move(errors));
    // Joints are quadratic: there it is always the middle.
    RunData::Plot beta{"beta", "Where in a step the gradient of a constraint is taken; -1: nowhere, a secant stands in", ""};
    const auto &all = names("constraints"), &joints = names("joints");
    for (std::size_t k = 0; k < all.size(); ++k)
      if (std::none_of(joints.begin(), joints.end(), [&](const std::string& j) { return all[k].starts_with(j + ": "); }))
        curve(beta, all[k], "constraints", "beta", false, k);
    plot(std::move(beta));
  }
  void iterations() {
    RunData::Plot p{"iterations", "Newton iterations", ""};
    curve(p, "iterations", "newton", "iterations");
    plot(std::move(p));
  }
  void angles() {
    RunData::Plot p{"angles", "Angles of hinges", "rad"};
    const auto& hinges = names("joints", "hinges");
    const std::size_t some = std::min(hinges.size(), budget_.curves / 4);
    for (std::size_t i = 0; i < some; ++i) curve(p, hinges[i], "joints", "angle", false, i);
    if (plot(std::move(p)) && some < hinges.size()) left_out("angles", some, hinges.size(), "hinges");
  }
  void sensors() {
    constexpr std::size_t shown = 24;
    const auto& sensors = names("sensors");
    const auto& units = names("sensors", "units");
    if (units.size() != sensors.size()) throw std::invalid_argument("/sensors/units is not as long as /sensors/names");
    std::size_t i = 0;
    for (; i < sensors.size(); ++i) {
      RunData::Plot p{"sensor:" + sensors[i], sensors[i], units[i] == "1" ? "" : units[i], false, false, i < shown};
      curve(p, sensors[i], "sensors", "value", false, i);
      if (!plot(std::move(p))) break;
    }
    if (i < sensors.size()) left_out("curves", i, sensors.size(), "sensors");
  }
  void coordinates() {
    const auto& coordinates = names("coordinates");
    const bool alone = names("nodes").empty() && names("bodies").empty();
    std::size_t i = 0;
    for (; i < coordinates.size() && (alone || budget_.folded); ++i) {
      const std::string& name = coordinates[i];
      RunData::Plot value{"coordinate:" + name, name, "", false, false, alone && i < 8};
      RunData::Plot rate{"rate:" + name, "Rate of " + name, "1/s", false, false, false};
      curve(value, name, "coordinates", "value", false, i);
      if (budget_.folded) curve(rate, "rate of " + name, "coordinates", "rate", false, i);
      if (!plot(std::move(value)) || !plot(std::move(rate))) break;
    }
    if (budget_.folded && i < coordinates.size()) left_out("curves", i, coordinates.size(), "coordinates");
  }
  // x, y, z of nodes and bodies: those that leave a trail first, since a sensor names them.
  void positions() {
    const auto nodes = names("nodes").size(), frames = scene_["nodes"].size() + scene_["bodies"].size();
    const std::size_t bobs = scene_["nodes"].size() - nodes;  // and anchors
    const std::string plane = scene_["plane"];
    std::vector<std::size_t> order;
    std::vector<bool> named(frames, false);
    for (const Json& frame : scene_["trails"]) order.push_back(frame), named[frame.get<std::size_t>()] = true;
    for (std::size_t frame = 0; frame < frames; ++frame)
      if (!named[frame]) order.push_back(frame);
    std::size_t drawn = 0, moving = 0;
    bool room = true;
    for (const std::size_t frame : order) {
      const bool node = frame < nodes;
      if ((frame >= nodes && frame < nodes + bobs) || (node && scene_["fixed"][frame])) continue;
      ++moving;
      if (!room) continue;
      const std::string name = node ? scene_["nodes"][frame] : scene_["bodies"][frame - nodes - bobs];
      RunData::Plot p{"position:" + name, "Position of " + name, "m", false, false, false};
      for (std::size_t i = 0; i < 3; ++i)
        if (plane.empty() || plane.find(axes[i]) != std::string::npos)
          curve(p, axes[i], node ? "nodes" : "bodies", "position", false, 3 * (node ? frame : frame - nodes - bobs) + i);
      room = plot(std::move(p));
      drawn += room;
    }
    if (!room) left_out("positions", drawn, moving, "nodes and bodies");
  }
  void bars() {
    const auto& bars = names("bars");
    const std::size_t room = budget_.curves > used_ + 1 ? budget_.curves - used_ - 1 : 0;
    const std::size_t some = std::min({bars.size(), room, std::size_t{24}});
    RunData::Plot p{"bars", "Forces of bars", "N", false, false, false};
    for (std::size_t i = 0; i < some; ++i) curve(p, bars[i], "bars", "force", false, i);
    plot(std::move(p));
    if (some < bars.size()) left_out("forces", some, bars.size(), "bars");
  }
  void rods() {
    const auto& stressed = names("rods", "stressed");
    const std::size_t room = budget_.curves > used_ + 1 ? budget_.curves - used_ - 1 : 0;
    const std::size_t some = std::min({stressed.size(), room, std::size_t{24}});
    RunData::Plot p{"rods", "Stresses of rods, von Mises", "N/m²", false, false, false};
    for (std::size_t i = 0; i < some; ++i) curve(p, stressed[i], "rods", "stress", false, 3 * i + 2);
    plot(std::move(p));
    if (some < stressed.size()) left_out("stresses", some, stressed.size(), "rod elements");
  }
  void left_out(const char* what, std::size_t drawn, std::size_t all, const char* of) {
    if (budget_.only.empty())
      data_.notes_.push_back(fmt::format("The page draws the {} of {} of {} {}; results.h5 has all.", what, drawn, all, of));
  }

  void frames() {
    data_.nodes_ = names("nodes").size();
    data_.anchors_ = names("anchors").size();
    data_.bodies_ = names("bodies").size();
    data_.bars_ = names("bars").size();
    data_.position_ = add_all("position", "nodes", 3 * data_.nodes_);
    data_.anchor_position_ = add_all("position", "anchors", 3 * data_.anchors_);
    data_.body_position_ = add_all("position", "bodies", 3 * data_.bodies_);
    data_.quaternion_ = add_all("quaternion", "bodies", 4 * data_.bodies_);
    data_.bar_force_ = add_all("force", "bars", data_.bars_);
    data_.elements_ = names("rods").size();
    data_.rod_force_ = add_all("force", "rods", 3 * data_.elements_);
    data_.rod_moment_ = add_all("moment", "rods", 3 * data_.elements_);
    const std::size_t coordinates =
        scene_["pendulums"].empty() ? none : add_all("value", "coordinates", names("coordinates").size());
    for (const Json& p : scene_["pendulums"])
      data_.pendulums_.push_back({coordinates + p["coordinate"].get<std::size_t>(), p["length"], vector(p["origin"]),
                                  vector(p["down"]), vector(p["side"])});
    const std::size_t places = data_.places();
    const std::size_t numbers = std::max<std::size_t>(1, 3 * places + 4 * data_.bodies_ + data_.loads());
    constexpr std::size_t least = 60;  // half of them may be left
    data_.most_frames_ = std::clamp(budget_.frame_numbers / numbers, least, std::max(least, budget_.frames));
    data_.frame_.resize(numbers);
    data_.frame_times_.reserve(data_.most_frames_ + 1);
    data_.positions_.reserve((data_.most_frames_ + 1) * 3 * places);
    data_.quaternions_.reserve((data_.most_frames_ + 1) * 4 * data_.bodies_);
    data_.forces_.reserve((data_.most_frames_ + 1) * data_.loads());
  }

  static constexpr const char* axes[] = {"x", "y", "z"};
  RunData& data_;
  const Channels& all_;
  const PageBudget& budget_;
  Json scene_;
  std::size_t used_ = 0;
};

RunData::RunData(std::string heading, const std::string& model, const Channels& all, const PageBudget& budget)
    : heading_(std::move(heading)), points_(std::max<std::size_t>(8, budget.points / 4 * 4)) {
  if (!is_json(model)) throw std::invalid_argument("model_json is no JSON");
  ModelText shown = model_text(model);
  model_ = std::move(shown.json);
  if (shown.longest > 0)
    notes_.push_back(
        fmt::format("The resolved model is long: its longest list has {} entries, {} are shown; results.h5 has all.",
                    shown.longest, shown.shown));
  times_.reserve(points_ + 2);
  const Layout layout(*this, all, budget);
}

}  // namespace trompo
