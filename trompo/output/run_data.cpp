#include "trompo/output/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <bit>
#include <cmath>
#include <cstring>
#include <limits>
#include <nlohmann/json.hpp>
#include <stdexcept>

#include "trompo/model/json_text.hpp"
#include "trompo/output/heading.hpp"
#include "trompo/output/model_text.hpp"
#include "trompo/output/scene.hpp"

namespace trompo {

static_assert(std::endian::native == std::endian::little, "packed numbers are little endian");

namespace {

using Json = nlohmann::ordered_json;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

float rounded(double x) { return std::abs(x) <= std::numeric_limits<float>::max() ? static_cast<float>(x) : missing; }

// Of `count` values the smallest and the largest, in the order they stand in.
template <class T>
std::pair<T, T> extremes_in_order(const T* x, std::size_t count) {
  std::size_t low = count, high = count;
  for (std::size_t i = 0; i < count; ++i) {
    if (!std::isfinite(x[i])) continue;
    if (low == count || x[i] < x[low]) low = i;
    if (high == count || x[i] >= x[high]) high = i;
  }
  if (low == count) return {std::numeric_limits<T>::quiet_NaN(), std::numeric_limits<T>::quiet_NaN()};
  return {x[std::min(low, high)], x[std::max(low, high)]};
}

// Two buckets of two points become one.
template <class T>
void merge_values(std::vector<T>& x) {
  std::size_t to = 0;
  for (std::size_t i = 0; i + 4 <= x.size(); i += 4, to += 2) std::tie(x[to], x[to + 1]) = extremes_in_order(&x[i], 4);
  for (std::size_t i = x.size() / 4 * 4; i < x.size(); ++i) x[to++] = x[i];
  x.resize(to);
}
template <class T>
void merge_times(std::vector<T>& t) {
  std::size_t to = 0;
  for (std::size_t i = 0; i + 4 <= t.size(); i += 4) {
    t[to++] = t[i];
    t[to++] = t[i + 3];
  }
  for (std::size_t i = t.size() / 4 * 4; i < t.size(); ++i) t[to++] = t[i];
  t.resize(to);
}

// Every other one of rows of `width` numbers.
template <class T>
void keep_every_other(std::vector<T>& x, std::size_t width) {
  if (width == 0) return;
  const std::size_t rows = x.size() / width;
  for (std::size_t i = 1; 2 * i < rows; ++i)
    std::copy_n(x.begin() + static_cast<std::ptrdiff_t>(2 * i * width), width,
                x.begin() + static_cast<std::ptrdiff_t>(i * width));
  x.resize((rows + 1) / 2 * width);
}

Vec3 vector(const Json& x) { return {x[0].get<double>(), x[1].get<double>(), x[2].get<double>()}; }

// What the catalogue promises, as sentences.
std::vector<std::string> claims_of(const Scheme& scheme) {
  const Row& row = *scheme.row;
  const Scheme standard = make_scheme(row.name);
  const bool as_given = scheme.parameters == standard.parameters && scheme.options == standard.options;
  const std::string where = as_given ? "" : " with its standard parameters, which these are not";
  std::vector<std::string> claims{std::string(row.title)};
  if (const auto order = claimed_order(scheme)) claims.push_back(fmt::format("Accurate to order {}.", *order));
  if (row.balance == Balance::index_one) {
    claims.emplace_back("Keeps nothing exactly.");
  } else {
    if (row.claims.energy) claims.push_back("Keeps energy exactly, of elastic terms under constant forces" + where + ".");
    claims.push_back(row.claims.angular_momentum ? "Keeps linear and angular momentum exactly" + where + "."
                                                 : "Keeps linear momentum exactly.");
  }
  claims.push_back(fmt::format("After {}.", row.reference));
  return claims;
}

std::string event_text(const EventInput& event) {
  std::string text = event.name + ":";
  const auto add = [&text](const char* word, const std::optional<double>& value) {
    if (value) text += fmt::format("{} {} {:g}", text.back() == ':' ? "" : ",", word, *value);
  };
  add("stiffness", event.stiffness);
  add("damping", event.damping);
  add("EA", event.EA);
  if (event.EI)
    for (const double EI : *event.EI) add("EI", EI);
  return text;
}

}  // namespace

std::string packed(const std::vector<float>& numbers) {
  static constexpr std::string_view letters = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
  const std::size_t size = numbers.size() * sizeof(float);
  std::vector<unsigned char> bytes(size + 2, 0);
  if (size > 0) std::memcpy(bytes.data(), numbers.data(), size);
  std::string out;
  out.reserve((size + 2) / 3 * 4);
  for (std::size_t i = 0; i < size; i += 3) {
    const unsigned three = bytes[i] << 16U | bytes[i + 1] << 8U | bytes[i + 2];
    for (const unsigned shift : {18U, 12U, 6U, 0U}) out += letters[three >> shift & 63U];
  }
  for (std::size_t i = 0; i < (3 - size % 3) % 3; ++i) out[out.size() - 1 - i] = '=';
  return out;
}

void thin(std::vector<double>& xs, std::vector<double>& ys, std::size_t points) {
  while (xs.size() > points && xs.size() >= 4) {
    merge_times(xs);
    merge_values(ys);
  }
}

std::string run_heading(const RunPlan& plan) {
  if (!plan.statics()) return run_heading(plan.model, plan.scheme);
  const StaticsInput& s = plan.model.statics;
  const bool path = s.method == "arc-length";
  const Json about{{"name", "statics"},
                   {"parameters", {{"method", s.method}, {"factor", s.factor}, {"steps", s.steps}}},
                   {"claims",
                    {path ? "Equilibria along the path of the load, past limit points; the axis counts them."
                          : "Equilibria while gravity and all loads grow together; the axis is their factor.",
                     "Every equilibrium is one of the nonlinear equations."}}};
  return fmt::format(R"({{"scheme":{},"scene":{},"events":[],"axis":{},"label":{}}})", json_text(about), scene_json(plan.model),
                     json_text(Json(plan.axis)), json_text(Json(plan.model.title)));
}

std::string run_heading(const Model& model, const Scheme& scheme) {
  Json parameters = Json::object(), events = Json::array();
  for (const auto& [name, value] : scheme.parameters) parameters[name] = value;
  for (const auto& [name, word] : scheme.options) parameters[name] = word;
  for (const EventInput& event : model.events) events.push_back({{"time", event.at}, {"text", event_text(event)}});
  for (const MarkInput& mark : model.marks) {
    events.push_back({{"time", mark.at}, {"text", mark.text}});
    if (mark.until) events.back()["until"] = *mark.until;
  }
  const Json about{{"name", scheme.row->name}, {"parameters", parameters}, {"claims", claims_of(scheme)}};
  return fmt::format(R"({{"scheme":{},"scene":{},"events":{},"label":{}}})", json_text(about), scene_json(model),
                     json_text(events), json_text(Json(model.title)));
}

// ---- which plots there are ----

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
    const std::size_t coordinates =
        scene_["pendulums"].empty() ? none : add_all("value", "coordinates", names("coordinates").size());
    for (const Json& p : scene_["pendulums"])
      data_.pendulums_.push_back({coordinates + p["coordinate"].get<std::size_t>(), p["length"], vector(p["origin"]),
                                  vector(p["down"]), vector(p["side"])});
    const std::size_t places = data_.places();
    const std::size_t numbers = std::max<std::size_t>(1, 3 * places + 4 * data_.bodies_ + data_.bars_);
    constexpr std::size_t least = 60;  // half of them may be left
    data_.most_frames_ = std::clamp(budget_.frame_numbers / numbers, least, std::max(least, budget_.frames));
    data_.frame_.resize(numbers);
    data_.frame_times_.reserve(data_.most_frames_ + 1);
    data_.positions_.reserve((data_.most_frames_ + 1) * 3 * places);
    data_.quaternions_.reserve((data_.most_frames_ + 1) * 4 * data_.bodies_);
    data_.forces_.reserve((data_.most_frames_ + 1) * data_.bars_);
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

// ---- rows ----

void RunData::add(const double* row) {
  last_time_ = row[0];
  add_to_curves(row[0], row);
  if (most_frames_ > 0) write_frame(row);
  ++rows_;
}

// While a bucket holds two rows they are its points. When the points are full, buckets become twice as long.
void RunData::add_to_curves(double time, const double* row) {
  const bool begins = in_bucket_ == 0;
  const auto value_of = [row](const Plot& plot, const Curve& curve) {
    const double x = row[curve.column];
    return rounded(!plot.log ? x : x == 0 ? std::nan("") : std::abs(x));
  };
  for (Plot& plot : plots_)
    for (Curve& curve : plot.curves) {
      const float x = value_of(plot, curve);
      if (stride_ == 2) {
        curve.values.push_back(x);
        continue;
      }
      if (begins) curve.low = curve.high = missing;
      if (std::isfinite(x) && !(x >= curve.low)) curve.low = x, curve.low_first = false;
      if (std::isfinite(x) && !(x < curve.high)) curve.high = x, curve.low_first = true;
      if (in_bucket_ + 1 < stride_) continue;
      curve.values.push_back(curve.low_first ? curve.low : curve.high);
      curve.values.push_back(curve.low_first ? curve.high : curve.low);
    }
  if (stride_ == 2 || begins) times_.push_back(rounded(time));
  ++in_bucket_;
  if (in_bucket_ < stride_) return;
  if (stride_ > 2) times_.push_back(rounded(time));
  in_bucket_ = 0;
  if (times_.size() < points_) return;
  for (Plot& plot : plots_)
    for (Curve& curve : plot.curves) merge_values(curve.values);
  merge_times(times_);
  stride_ *= 2;
}

void RunData::write_frame(const double* row) {
  float* to = frame_.data();
  const auto take = [&](std::size_t column, std::size_t count) {
    for (std::size_t i = 0; i < count; ++i) *to++ = rounded(row[column + i]);
  };
  take(position_, 3 * nodes_);
  take(anchor_position_, 3 * anchors_);
  for (const Pendulum& p : pendulums_) {
    const Vec3 x = p.origin + p.length * (std::cos(row[p.column]) * p.down + std::sin(row[p.column]) * p.side);
    for (const double c : x) *to++ = rounded(c);
  }
  take(body_position_, 3 * bodies_);
  take(quaternion_, 4 * bodies_);
  take(bar_force_, bars_);
  if (rows_ % frame_stride_ != 0) return;
  const std::size_t places = 3 * this->places();
  if (frame_times_.size() == most_frames_) {
    keep_every_other(frame_times_, 1);
    keep_every_other(positions_, places);
    keep_every_other(quaternions_, 4 * bodies_);
    keep_every_other(forces_, bars_);
    frame_stride_ *= 2;
    if (rows_ % frame_stride_ != 0) return;
  }
  const float* from = frame_.data();
  const auto keep = [&from](std::vector<float>& all, std::size_t count) {
    all.insert(all.end(), from, from + count);
    from += count;
  };
  frame_times_.push_back(last_time_);
  keep(positions_, places);
  keep(quaternions_, 4 * bodies_);
  keep(forces_, bars_);
}

// ---- as JSON ----

template <class Out>
void RunData::write_plot(const Plot& plot, Out& out) const {
  const bool open = stride_ > 2 && in_bucket_ > 0;  // a bucket under way gives its points too
  std::vector<float> times = times_;
  if (open && in_bucket_ > 1) times.push_back(rounded(last_time_));
  Json curves = Json::array();
  for (const Curve& curve : plot.curves) {
    std::vector<float> values = curve.values;
    if (open) values.push_back(curve.low_first ? curve.low : curve.high);
    if (open && in_bucket_ > 1) values.push_back(curve.low_first ? curve.high : curve.low);
    // An account that was never used is no part of the energy balance.
    if (plot.stacked && curve.name != "kinetic" && curve.name != "total" &&
        std::all_of(values.begin(), values.end(), [](float x) { return x == 0; }))
      continue;
    Json entry{{"name", curve.name}, {"values", packed(values)}};
    if (curve.line) entry["line"] = true;
    curves.push_back(std::move(entry));
  }
  out = {{"id", plot.id},           {"title", plot.title},    {"unit", plot.unit},           {"y", plot.log ? "log" : "linear"},
         {"stacked", plot.stacked}, {"times", packed(times)}, {"curves", std::move(curves)}, {"shown", plot.shown}};
}

std::string RunData::plot_json(const std::string& id) const {
  for (const Plot& plot : plots_) {
    if (plot.id != id) continue;
    Json out;
    write_plot(plot, out);
    return json_text(out);
  }
  return "";
}

std::string RunData::json(std::string_view summary, const std::string& label) const {
  std::vector<double> times = frame_times_;
  std::vector<float> positions = positions_, quaternions = quaternions_, forces = forces_;
  if (!times.empty() && times.back() != last_time_) {  // the last row is always shown
    times.push_back(last_time_);
    const auto places = static_cast<std::ptrdiff_t>(3 * this->places());
    const auto turns = places + static_cast<std::ptrdiff_t>(4 * bodies_);
    positions.insert(positions.end(), frame_.begin(), frame_.begin() + places);
    quaternions.insert(quaternions.end(), frame_.begin() + places, frame_.begin() + turns);
    forces.insert(forces.end(), frame_.begin() + turns, frame_.begin() + turns + static_cast<std::ptrdiff_t>(bars_));
  }
  const Json frames{{"count", times.size()},
                    {"times", times},
                    {"positions", packed(positions)},
                    {"quaternions", packed(quaternions)},
                    {"bar_force", packed(forces)}};
  Json plots = Json::array();
  for (const Plot& plot : plots_) write_plot(plot, plots.emplace_back());
  std::string_view heading(heading_);
  heading = heading.substr(0, label.empty() ? heading.size() - 1 : heading.rfind(R"(,"label":)"));
  return fmt::format(R"({}{},"model":{},"summary":{},"frames":{},"plots":{}}})", heading,
                     label.empty() ? "" : R"(,"label":)" + json_text(Json(label)), model_, summary.empty() ? "null" : summary,
                     json_text(frames), json_text(plots));
}

}  // namespace trompo
