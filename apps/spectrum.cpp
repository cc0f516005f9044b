// trompo spectrum: spectral radius, period error and algorithmic damping over step/period, as CSV, JSON and a picture.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "trompo/model/json_text.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/page.hpp"
#include "trompo/output/page_data.hpp"
#include "trompo/run/study.hpp"
#include "trompo/scheme/spectrum.hpp"

namespace trompo {

namespace {

struct SpectrumArguments {
  std::vector<std::string> schemes;
  std::vector<double> rho_infinity;
  double xi = std::nan("");
  double from = 1e-2, to = 1e2;
  int points = 161;
  std::string svg, html;
  bool json = false;
};

bool takes(const std::string& text, std::string_view key) {
  const Row* row = find_scheme(text.substr(0, text.find(':')));
  return row != nullptr && std::any_of(row->parameters.begin(), row->parameters.end(),
                                       [key](const Parameter& p) { return p.name == key && p.least < p.most; });
}

// Every scheme with every rho_infinity asked for; a scheme that has none of its own stands once. What no scheme takes is given
// to all of them, and the catalogue refuses it with the reason.
std::vector<Contender> contenders(const SpectrumArguments& arguments) {
  std::vector<Contender> all;
  const auto wanted_by = [&arguments](const std::string& text, std::string_view key) {
    return takes(text, key) || std::none_of(arguments.schemes.begin(), arguments.schemes.end(),
                                            [key](const std::string& s) { return takes(s, key); });
  };
  for (const std::string& text : arguments.schemes) {
    const bool xi = !std::isnan(arguments.xi) && wanted_by(text, "xi");
    const std::string with_xi = xi ? fmt::format("{}:xi={}", text, arguments.xi) : text;
    if (arguments.rho_infinity.empty() || !wanted_by(text, "rho_infinity")) {
      all.push_back(contender(with_xi));
      continue;
    }
    for (const double rho : arguments.rho_infinity) all.push_back(contender(fmt::format("{}:rho_infinity={}", with_xi, rho)));
  }
  return all;
}

std::string csv_number(double x) { return std::isfinite(x) ? fmt::format("{}", x + 0.0) : ""; }  // + 0.0: no minus zero

// Where all curves are one straight line but for round-off, a range of its own would show nothing else.
void keep_roundoff_small(Plot& plot, double line, std::pair<double, double> range) {
  for (const Curve& curve : plot.curves)
    for (const double y : curve.ys)
      if (std::isfinite(y) && std::abs(y - line) > 1e-9) return;
  plot.y_range = range;
}

PageTable facts(const std::vector<Contender>& contenders) {
  PageTable table{"Schemes", {"scheme", "what it is", "order", "reference"}};
  for (const Contender& c : contenders) {
    const auto order = claimed_order(c.scheme);
    table.rows.push_back(
        {c.label, std::string(c.scheme.row->title), order ? *order : std::nan(""), std::string(c.scheme.row->reference)});
  }
  return table;
}

int print_spectrum(const SpectrumArguments& arguments) {
  if (arguments.from >= arguments.to)
    refuse_option("--from", fmt::format("{:g} is not below --to {:g}", arguments.from, arguments.to));
  if (!arguments.html.empty()) require_page(arguments.html);
  const std::vector<Contender> all = contenders(arguments);
  std::array<Plot, 3> plots;
  plots[0].title = "Spectral radius";
  plots[0].y_label = "largest |eigenvalue|";
  plots[0].log_x = true;
  plots[1].title = "Period error";
  plots[1].y_label = "(T' - T) / T";
  plots[2].title = "Algorithmic damping";
  plots[2].y_label = "damping ratio";
  for (Plot& plot : plots) plot.x_label = "step / period";
  auto rows = nlohmann::ordered_json::array();
  if (!arguments.json) print("scheme,step_over_period,spectral_radius,period_error,damping_ratio\n");
  for (const Contender& c : all) {
    std::array<Curve, 3> curves{Curve{c.label, {}, {}}, Curve{c.label, {}, {}}, Curve{c.label, {}, {}}};
    for (const SpectralPoint& p : spectrum(c.scheme, arguments.from, arguments.to, arguments.points)) {
      const auto or_null = [](double x) {
        return std::isfinite(x) ? nlohmann::ordered_json(x + 0.0) : nlohmann::ordered_json(nullptr);
      };
      if (arguments.json)
        rows.push_back({{"scheme", c.label},
                        {"step_over_period", p.step_over_period},
                        {"spectral_radius", or_null(p.radius)},
                        {"period_error", or_null(p.period_error)},
                        {"damping_ratio", or_null(p.damping)}});
      else
        print("{},{},{},{},{}\n", c.label, p.step_over_period, csv_number(p.radius), csv_number(p.period_error),
              csv_number(p.damping));
      const double values[] = {p.radius, p.period_error, p.damping};
      for (std::size_t i = 0; i < 3; ++i) {
        if (i > 0 && p.step_over_period > 0.5) continue;  // beyond two steps a period these two mean little
        curves[i].xs.push_back(p.step_over_period);
        curves[i].ys.push_back(values[i]);
      }
    }
    for (std::size_t i = 0; i < 3; ++i) plots[i].curves.push_back(std::move(curves[i]));
  }
  if (arguments.json) print("{}\n", json_text(rows, 2));
  keep_roundoff_small(plots[0], 1, {0.8, 1.05});
  keep_roundoff_small(plots[2], 0, {-0.01, 0.1});
  if (!arguments.svg.empty()) {
    write_text_file(arguments.svg, svg(plots, 3));
    complain("picture in {}\n", arguments.svg);
  }
  if (!arguments.html.empty()) {
    PageData page{.kind = "spectrum", .title = "Spectral properties of schemes", .tables = {facts(all)}};
    for (const Plot& plot : plots) page.figures.push_back({plot, "The linear oscillator"});
    write_page(arguments.html, page.json());
    complain("page in {}\n", arguments.html);
  }
  return exit_done;
}

}  // namespace

void add_spectrum(CLI::App& app, int& exit_code) {
  Command command(app, "spectrum", "spectral radius, period error and algorithmic damping of schemes");
  auto a = std::make_shared<SpectrumArguments>();
  command.option("--scheme,--schemes", a->schemes, "names, comma-separated; parameters as gem:rho_infinity=0.6")
      .required()
      .commas();
  command.option("--rho-infinity", a->rho_infinity, "values, comma-separated, for the schemes that have it").commas();
  command.option("--xi", a->xi, "for the schemes that have it");
  command.option("--from", a->from, "smallest step/period").positive().shows_default();
  command.option("--to", a->to, "largest step/period").positive().shows_default();
  command.option("--points", a->points, "how many").between(2, 100000).shows_default();
  command.option("--svg", a->svg, "write a picture").of_type("FILE");
  command.option("--html", a->html, "write a page").of_type("FILE");
  command.flag("--json", a->json, "JSON instead of CSV");
  command.does([a, &exit_code] { exit_code = print_spectrum(*a); });
}

}  // namespace trompo
