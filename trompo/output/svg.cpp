#include "trompo/output/svg.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <sstream>

namespace trompo {

namespace {

// Okabe and Ito's colours, which colour-blind people can tell apart, but for yellow, which nobody sees on white. Only the
// first curve is solid, so that one shows through another that lies on it; four dash patterns beside seven colours.
constexpr std::array colours{"#0072B2", "#D55E00", "#009E73", "#CC79A7", "#E69F00", "#56B4E9", "#000000"};
constexpr std::array dashes{"9 5", "2 5", "12 5 2 5", "18 6"};
constexpr double panel_w = 480, plot_h = 270, left = 88, right = 18, top = 42, below = 58, margin = 14, line_h = 22;
constexpr double plot_w = panel_w - left - right;
constexpr double glyph_w = 8.2;  // of 13 px text, on the wide side

std::string escaped(std::string_view text) {
  std::string out;
  for (const char c : text) {
    if (c == '&')
      out += "&amp;";
    else if (c == '<')
      out += "&lt;";
    else if (c == '>')
      out += "&gt;";
    else if (c == '"')
      out += "&quot;";
    else
      out += static_cast<unsigned char>(c) < 0x20 ? ' ' : c;
  }
  return out;
}

template <class... Args>
void put(std::string& out, fmt::format_string<Args...> form, Args&&... args) {
  fmt::format_to(std::back_inserter(out), form, std::forward<Args>(args)...);
}

int exponent_of(double x) { return x == 0 ? 0 : static_cast<int>(std::floor(std::log10(std::abs(x)) + 1e-9)); }
bool unwieldy(double x) { return exponent_of(x) < -3 || exponent_of(x) > 4; }

// 0.25, 1000; as a power 2×10⁻⁶, 10¹²
std::string number(double x, bool as_power) {
  const int exponent = as_power ? exponent_of(x) : 0;
  std::string plain = fmt::format("{:.6g}", x * std::pow(10.0, -exponent));
  if (exponent != 0) {
    static constexpr std::array digits{"⁰", "¹", "²", "³", "⁴", "⁵", "⁶", "⁷", "⁸", "⁹"};
    plain = plain == "1" ? "10" : plain == "-1" ? "-10" : plain + "×10";
    for (const char c : std::to_string(exponent)) plain += c == '-' ? "⁻" : digits[static_cast<std::size_t>(c - '0')];
  }
  return plain[0] == '-' ? "−" + plain.substr(1) : plain;
}

// One direction of a panel: values to pixels, and where the ticks stand.
struct Axis {
  bool log = false;
  double low = std::numeric_limits<double>::infinity(), high = -low;  // of `map`ped values
  std::vector<double> ticks{};                                        // values

  [[nodiscard]] double map(double x) const { return log ? (x > 0 ? std::log10(x) : std::nan("")) : x; }
  [[nodiscard]] double share(double x) const { return (map(x) - low) / (high - low); }
  [[nodiscard]] std::string label(double x) const { return number(x, std::any_of(ticks.begin(), ticks.end(), unwieldy)); }
  void cover(double x) {
    if (const double y = map(x); std::isfinite(y)) {
      low = std::min(low, y);
      high = std::max(high, y);
    }
  }
  void widen_to(double span) {
    if (const double lack = span - (high - low); lack > 0) low -= 0.5 * lack, high += 0.5 * lack;
  }
  void settle(bool pad) {
    if (low > high) low = 0, high = 1;
    const double least = log ? 0.1 : 1e-4 * std::max(std::abs(low), std::abs(high));  // or tick labels would be all alike
    if (high - low <= least) {
      const double half = std::max(least, low == high && low == 0 ? 1.0 : 0.0);
      const double middle = 0.5 * (low + high);
      low = middle - half, high = middle + half;
    } else if (pad) {
      const double space = 0.04 * (high - low);
      low -= space, high += space;
    }
    log ? decades() : round_steps();
  }

 private:
  void round_steps() {
    const double rough = (high - low) / 5, power = std::pow(10.0, std::floor(std::log10(rough)));
    const double step = power * (rough < 1.5 * power ? 1 : rough < 3.5 * power ? 2 : rough < 7.5 * power ? 5 : 10);
    const double last = std::floor(high / step + 1e-9);
    for (double k = std::ceil(low / step - 1e-9); k <= last; ++k) ticks.push_back(k == 0 ? 0 : k * step);
  }
  void decades() {
    const int first = static_cast<int>(std::floor(low)), last = static_cast<int>(std::ceil(high));
    const int stride = std::max(1, static_cast<int>(std::ceil((high - low) / 8)));
    const bool few = high - low < 2.5;
    for (int k = first; k <= last; ++k)
      for (const int m : {1, 2, 5})
        if (const double x = m * std::pow(10.0, k); (m == 1 ? k % stride == 0 : few) && std::abs(share(x) - 0.5) < 0.5 + 1e-6)
          ticks.push_back(x);
  }
};

std::string stroke(std::size_t curve) {
  std::string style = fmt::format(R"(stroke="{}")", colours[curve % colours.size()]);
  if (curve > 0) put(style, R"( stroke-dasharray="{}")", dashes[(curve - 1) % dashes.size()]);
  return style;
}

// Points closer than half a pixel to the one before are left out: nobody sees them, and a long run has millions.
std::string path(const Curve& curve, const Axis& x, const Axis& y, double left_edge, double bottom) {
  std::string out;
  bool pen_down = false;
  double last_x = 0, last_y = 0;
  for (std::size_t i = 0; i < std::min(curve.xs.size(), curve.ys.size()); ++i) {
    const double px = left_edge + plot_w * x.share(curve.xs[i]);
    const double py = bottom - plot_h * std::clamp(y.share(curve.ys[i]), -9.0, 10.0);  // clamp keeps a NaN a NaN
    if (!std::isfinite(px) || !std::isfinite(py)) {
      pen_down = false;
      continue;
    }
    if (pen_down && std::hypot(px - last_x, py - last_y) < 0.5) continue;
    put(out, "{}{:.1f} {:.1f}", pen_down ? "L" : "M", px, py);
    if (!pen_down) out += "h0";  // a single point between two gaps is a dot
    pen_down = true;
    last_x = px, last_y = py;
  }
  return out;
}

void dot(double px, double py, std::size_t curve, std::string& out) {
  put(out, R"(<circle cx="{:.1f}" cy="{:.1f}" r="3.2" fill="{}"/>)", px, py, colours[curve % colours.size()]);
}

std::vector<std::string> labels(const Plot& plot) {
  std::vector<std::string> out;
  for (const Curve& curve : plot.curves) out.push_back(curve.label);
  return out;
}

std::size_t glyphs(const std::string& text) {
  return static_cast<std::size_t>(std::count_if(text.begin(), text.end(), [](char c) { return (c & 0xC0) != 0x80; }));
}

// Entries in equal columns; returns the height. Draws nothing if `out` is null.
double legend(std::span<const Curve> curves, double x, double y, double width, std::string* out) {
  std::size_t longest = 0;
  for (const Curve& curve : curves) longest = std::max(longest, glyphs(curve.label));
  const double entry = 50 + glyph_w * static_cast<double>(longest) + 14;
  const auto columns = static_cast<std::size_t>(std::clamp(std::floor(width / entry), 1.0, 8.0));
  for (std::size_t i = 0; out != nullptr && i < curves.size(); ++i) {
    const double ex = x + static_cast<double>(i % columns) * entry, ey = y + line_h * static_cast<double>(i / columns) + 14;
    put(*out, R"(<path d="M{:.1f} {:.1f}h40" {} class="curve"/>)", ex, ey - 4.5, stroke(i));
    if (curves[i].dots) dot(ex + 20, ey - 4.5, i, *out);
    put(*out, "<text x=\"{:.1f}\" y=\"{:.1f}\">{}</text>\n", ex + 48, ey, escaped(curves[i].label));
  }
  return line_h * static_cast<double>((curves.size() + columns - 1) / columns);
}

void panel(const Plot& plot, double x0, double y0, std::size_t index, std::string& out) {
  Axis x{plot.log_x}, y{plot.log_y};
  for (const Curve& curve : plot.curves) {
    for (const double v : curve.xs) x.cover(v);
    if (!plot.y_range)
      for (const double v : curve.ys) y.cover(v);
  }
  if (plot.y_range) y.cover(plot.y_range->first), y.cover(plot.y_range->second);
  if (plot.map) {
    x.widen_to((y.high - y.low) * plot_w / plot_h);
    y.widen_to((x.high - x.low) * plot_h / plot_w);
  }
  // A dot on the frame would be cut in two.
  x.settle(plot.map || std::any_of(plot.curves.begin(), plot.curves.end(), [](const Curve& curve) { return curve.dots; }));
  y.settle(!plot.y_range);

  const double l = x0 + left, t = y0 + top, b = t + plot_h, middle = l + plot_w / 2;
  put(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" class=\"title\">{}</text>\n", middle, y0 + 26, escaped(plot.title));
  for (const double v : x.ticks) {
    const double px = l + plot_w * x.share(v);
    put(out, R"(<path d="M{:.1f} {:.1f}V{:.1f}" class="grid"/>)", px, t, b);
    put(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", px, b + 19, x.label(v));
  }
  std::size_t widest = 0;
  for (const double v : y.ticks) {
    widest = std::max(widest, glyphs(y.label(v)));
    const double py = b - plot_h * y.share(v);
    put(out, R"(<path d="M{:.1f} {:.1f}H{:.1f}" class="grid"/>)", l, py, l + plot_w);
    put(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"end\">{}</text>\n", l - 8, py + 4.5, y.label(v));
  }
  put(out, "<clipPath id=\"panel{}\"><rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\"/></clipPath>\n", index, l - 1,
      t - 1, plot_w + 2, plot_h + 2);
  put(out, "<g clip-path=\"url(#panel{})\">\n", index);
  for (std::size_t i = 0; i < plot.curves.size(); ++i) {
    const Curve& curve = plot.curves[i];
    put(out, "<path d=\"{}\" {} class=\"curve\"/>\n", path(curve, x, y, l, b), stroke(i));
    for (std::size_t k = 0; curve.dots && k < std::min(curve.xs.size(), curve.ys.size()); ++k)
      if (const double px = l + plot_w * x.share(curve.xs[k]), py = b - plot_h * y.share(curve.ys[k]); std::isfinite(px + py))
        dot(px, py, i, out);
  }
  put(out, "</g>\n<rect x=\"{:.1f}\" y=\"{:.1f}\" width=\"{}\" height=\"{}\" class=\"frame\"/>\n", l, t, plot_w, plot_h);
  put(out, "<text x=\"{:.1f}\" y=\"{:.1f}\" text-anchor=\"middle\">{}</text>\n", middle, b + 42, escaped(plot.x_label));
  put(out, "<text transform=\"translate({:.1f} {:.1f}) rotate(-90)\" text-anchor=\"middle\">{}</text>\n",
      std::max(x0 + 10, l - 22 - glyph_w * static_cast<double>(widest)), t + plot_h / 2, escaped(plot.y_label));
}

}  // namespace

namespace {
// As many words to a line as fit.
std::vector<std::string> lines_of(const std::string& text, double width) {
  constexpr double letter = 8.2;  // an average one, of 13 px, bold
  std::vector<std::string> lines;
  std::istringstream words(text);
  for (std::string word; words >> word;) {
    if (lines.empty() || letter * static_cast<double>(lines.back().size() + 1 + word.size()) > width)
      lines.push_back(word);
    else
      lines.back() += ' ' + word;
  }
  return lines;
}
}  // namespace

std::string svg(std::span<const Plot> plots, int columns, const std::string& caption) {
  const auto per_row = static_cast<std::size_t>(std::clamp(columns, 1, std::max(1, static_cast<int>(plots.size()))));
  const double width = panel_w * static_cast<double>(per_row) + 2 * margin;
  const auto like_the_first = [&](const Plot& plot) { return labels(plot) == labels(plots[0]); };
  const bool shared = plots.size() > 1 && std::all_of(plots.begin(), plots.end(), like_the_first);
  double legend_h = 0;
  for (const Plot& plot : plots)
    if (!shared) legend_h = std::max(legend_h, legend(plot.curves, 0, 0, plot_w, nullptr));
  const double panel_h = top + plot_h + below + legend_h;

  std::string body;
  for (std::size_t i = 0; i < plots.size(); ++i) {
    const double x = margin + panel_w * static_cast<double>(i % per_row);
    const double y = margin + panel_h * static_cast<double>(i / per_row);
    panel(plots[i], x, y, i, body);
    if (!shared) legend(plots[i].curves, x + left, y + top + plot_h + below - 6, plot_w, &body);
  }
  double height = 2 * margin + panel_h * static_cast<double>((plots.size() + per_row - 1) / per_row);
  if (shared) height += legend(plots[0].curves, margin + left, height - margin, width - 2 * margin - left - right, &body) + 6;

  std::string heading;
  double y = margin;
  for (const std::string& line : lines_of(caption, width - 2 * margin))
    heading += fmt::format("<text x=\"{}\" y=\"{}\" font-weight=\"bold\">{}</text>\n", margin, y += 18, escaped(line));
  if (!heading.empty()) {
    body = fmt::format("{}<g transform=\"translate(0 {})\">\n{}</g>\n", heading, y, body);
    height += y;
  }

  return fmt::format(R"(<svg xmlns="http://www.w3.org/2000/svg" width="{0}" height="{1}" viewBox="0 0 {0} {1}" role="img">
<style>
text {{ font: 13px "DejaVu Sans", Verdana, sans-serif; fill: #222 }}
.title {{ font-size: 15px; font-weight: bold; text-anchor: middle }}
.grid {{ stroke: #ddd; fill: none }}
.frame {{ stroke: #444; fill: none }}
.curve {{ stroke-width: 1.8; stroke-linecap: round; stroke-linejoin: round; fill: none }}
</style>
<rect width="{0}" height="{1}" fill="#fff"/>
{2}</svg>
)",
                     width, height, body);
}

}  // namespace trompo
