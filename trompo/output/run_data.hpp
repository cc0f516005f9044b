// A run as the page shows it (web/src/data.ts): curves thinned to what a picture can show, frames of the moving scene. Fed row
// by row, from a run under way or from its results file; how long the run will be need not be known. Adding a row allocates
// nothing.
#pragma once

#include <string>
#include <string_view>
#include <vector>

#include "trompo/output/channels.hpp"

namespace trompo {

// Keeps a page small: 160 rows of 2000 points are 1.7 MB of it, the frames at most 2.6 MB.
struct PageBudget {
  std::size_t points = 2000;  // of a curve
  std::size_t curves = 160;   // rows of times among them
  std::size_t frames = 1500;
  std::size_t frame_numbers = 480000;
  bool folded = true;  // plots that are not shown at first too
  bool model = true;   // as text
  std::string only{};  // if given: the plot of this id alone
};

// What is known of a run before it moves, as JSON: scheme with its claims, scene, events, label.
[[nodiscard]] std::string run_heading(const Model& model, const Scheme& scheme);
[[nodiscard]] std::string run_heading(const RunPlan& plan);  // of statics too

class RunData {
 public:
  // `heading` and `model` are JSON. Throws std::invalid_argument, or what the parser throws, if they do not fit the channels.
  RunData(std::string heading, const std::string& model, const Channels& all, const PageBudget& budget = {});

  [[nodiscard]] const std::vector<Channel>& channels() const { return channels_; }  // those a row consists of, in this order
  [[nodiscard]] std::size_t row_size() const { return row_size_; }
  void add(const double* row);

  // The run so far. `summary` is summary.json; empty while there is none. `label`: in place of the heading's.
  [[nodiscard]] std::string json(std::string_view summary, const std::string& label = "") const;
  [[nodiscard]] std::string plot_json(const std::string& id) const;  // one TimePlot; empty if there is none of this id
  [[nodiscard]] const std::vector<std::string>& notes() const { return notes_; }  // what was left out
  [[nodiscard]] double last_time() const { return last_time_; }

 private:
  struct Curve {
    std::string name;
    std::size_t column;
    bool line;
    std::vector<float> values{};
    float low = 0, high = 0;  // of the bucket under way
    bool low_first = true;
  };
  struct Plot {
    std::string id, title, unit;
    bool log = false, stacked = false, shown = true;
    std::vector<Curve> curves{};
  };
  struct Pendulum {
    std::size_t column;
    double length;
    Vec3 origin, down, side;
  };
  class Layout;

  void add_to_curves(double time, const double* row);
  void write_frame(const double* row);
  template <class Out>
  void write_plot(const Plot& plot, Out& out) const;

  std::string heading_, model_;
  std::vector<Channel> channels_;
  std::size_t row_size_ = 0;
  std::vector<std::string> notes_;

  std::vector<Plot> plots_;
  std::size_t points_;
  std::vector<float> times_;
  std::size_t stride_ = 2, in_bucket_ = 0;  // rows; a bucket gives two points

  // Columns of a row that make a frame, and frames so far: of each number every frame, one after another.
  std::size_t position_ = none, anchor_position_ = none, body_position_ = none, quaternion_ = none, bar_force_ = none,
              rod_force_ = none, rod_moment_ = none;
  std::size_t nodes_ = 0, anchors_ = 0, bodies_ = 0, bars_ = 0, elements_ = 0;
  std::vector<Pendulum> pendulums_;
  [[nodiscard]] std::size_t places() const { return nodes_ + anchors_ + pendulums_.size() + bodies_; }
  [[nodiscard]] std::size_t loads() const { return bars_ + 6 * elements_; }  // numbers of what is carried, in a frame
  std::size_t most_frames_ = 0, frame_stride_ = 1, rows_ = 0;
  std::vector<double> frame_times_;
  std::vector<float> positions_, quaternions_, forces_;
  std::vector<float> frame_;  // of the last row
  double last_time_ = 0;

  static constexpr std::size_t none = static_cast<std::size_t>(-1);
};

}  // namespace trompo
