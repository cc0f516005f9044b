#include "trompo/output/run_data.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <nlohmann/json.hpp>

#include "trompo/model/json_text.hpp"
#include "trompo/output/thinning.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

constexpr float missing = std::numeric_limits<float>::quiet_NaN();

float rounded(double x) { return std::abs(x) <= std::numeric_limits<float>::max() ? static_cast<float>(x) : missing; }

}  // namespace

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
  take(rod_force_, 3 * elements_);
  take(rod_moment_, 3 * elements_);
  if (rows_ % frame_stride_ != 0) return;
  const std::size_t places = 3 * this->places();
  if (frame_times_.size() == most_frames_) {
    keep_every_other(frame_times_, 1);
    keep_every_other(positions_, places);
    keep_every_other(quaternions_, 4 * bodies_);
    keep_every_other(forces_, loads());
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
  keep(forces_, loads());
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
    forces.insert(forces.end(), frame_.begin() + turns, frame_.begin() + turns + static_cast<std::ptrdiff_t>(loads()));
  }
  // Of what is carried in all frames, `width` numbers of each from `first` on.
  const auto part = [&](std::size_t first, std::size_t width) {
    std::vector<float> numbers;
    numbers.reserve(times.size() * width);
    for (std::size_t i = 0; width > 0 && i < times.size(); ++i)
      numbers.insert(numbers.end(), &forces[i * loads() + first], &forces[i * loads() + first] + width);
    return packed(numbers);
  };
  const Json frames{{"count", times.size()},
                    {"times", times},
                    {"positions", packed(positions)},
                    {"quaternions", packed(quaternions)},
                    {"bar_force", part(0, bars_)},
                    {"rod_force", part(bars_, 3 * elements_)},
                    {"rod_moment", part(bars_ + 3 * elements_, 3 * elements_)}};
  Json plots = Json::array();
  for (const Plot& plot : plots_) write_plot(plot, plots.emplace_back());
  std::string_view heading(heading_);
  heading = heading.substr(0, label.empty() ? heading.size() - 1 : heading.rfind(R"(,"label":)"));
  return fmt::format(R"({}{},"model":{},"summary":{},"frames":{},"plots":{}}})", heading,
                     label.empty() ? "" : R"(,"label":)" + json_text(Json(label)), model_, summary.empty() ? "null" : summary,
                     json_text(frames), json_text(plots));
}

}  // namespace trompo
