// trompo reproduce: published problems, run anew; paper value, ours, verdict, and the figures. The statements stand in
// verification/.
#include "apps/reproduce.hpp"
#include "apps/commands.hpp"
#include "apps/embedded_files.hpp"
#include "apps/parallel.hpp"
#include "apps/print.hpp"
#include "apps/progress.hpp"
#include "apps/study_results.hpp"

#include <fmt/format.h>
#include <fmt/ranges.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "trompo/model/json_text.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/page.hpp"
#include "trompo/output/recorded_folder.hpp"

namespace trompo {

namespace {

std::string_view embedded(const std::string& path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.text;
  throw std::logic_error("no file '" + path + "' in the tool");
}

std::string text_of(const toml::table& table, const char* key) { return table[key].value_or(std::string()); }

Statement read_statement(const toml::table& table, const std::string& folder) {
  std::vector<std::string> overrides;
  if (const toml::array* given = table["set"].as_array())
    for (const toml::node& value : *given) overrides.push_back(value.value_or(std::string()));
  Statement s{text_of(table, "section"),        text_of(table, "says"),
              text_of(table, "quantity"),       text_of(table, "expected"),
              text_of(table, "note"),           published_model(folder + "/" + text_of(table, "model"), overrides),
              table["paper"].value_or(0.0),     table["within"].value<double>(),
              text_of(table, "bound") == "ours"};
  if (table.contains("scheme")) s.model.time.scheme = text_of(table, "scheme");
  if (const toml::table* given = table["parameters"].as_table())
    for (const auto& [key, value] : *given) s.model.time.parameters[std::string(key.str())] = value.value_or(0.0);
  return s;
}

// What of a study is wanted: all, or the statements of these sections and these figures alone.
struct Wanted {
  std::vector<std::string> sections, figures;
  bool without_figures = false;
  [[nodiscard]] bool everything() const { return sections.empty() && figures.empty(); }
  [[nodiscard]] bool statement(const Statement& s) const {
    return everything() || std::any_of(sections.begin(), sections.end(), [&s](const std::string& section) {
             return s.section == section || s.section.starts_with(section + ".");
           });
  }
  [[nodiscard]] bool figure(const Figure& f) const {
    return (everything() && !without_figures) || std::find(figures.begin(), figures.end(), f.number) != figures.end();
  }
};

// All that is wanted, by all processors. Nothing if it was interrupted.
std::optional<StudyResults> results_of(const Study& study, const Wanted& wanted, Progress& progress) {
  StudyResults results{study, paper_of(study), {}, {}, {}};
  for (Statement& s : results.paper.statements)
    if (wanted.statement(s)) results.statements.push_back({std::move(s), {}, {}});
  std::vector<std::string> numbers;
  for (Figure& figure : study.figures()) {
    numbers.push_back(figure.number);
    if (wanted.figure(figure)) results.figures.push_back({std::move(figure), {}});
  }
  if (!wanted.sections.empty() && results.statements.empty())
    refuse_option("--section", fmt::format("no statement of '{}' has it", study.name));
  for (const std::string& number : wanted.figures)
    if (std::find(numbers.begin(), numbers.end(), number) == numbers.end())
      refuse_option("--figure",
                    fmt::format("'{}' has no figure '{}'; it has {}", study.name, number, fmt::join(numbers, ", ")));

  // Statements and tables in their order: neighbours ask for the same runs.
  const bool with_tables = study.tables != nullptr && wanted.everything();
  const std::size_t figures = results.figures.size(), statements = results.statements.size(),
                    count = figures + statements + (with_tables ? 1 : 0);
  progress.name(study.name);
  progress.share(0);
  bool whole = true;
  const auto work = [&](std::size_t i) {
    if (i < figures) {
      auto& [figure, plots] = results.figures[i];
      plots = figure.plots();
    } else if (i < figures + statements) {
      auto& [s, answer, verdict] = results.statements[i - figures];
      answer = study.answer(s);
      verdict = verdict_of(s, answer);
    } else {
      results.tables = study.tables();
    }
  };
  in_parallel(count, work, [&](std::size_t done) {
    progress.share(static_cast<double>(done) / static_cast<double>(count));
    if (interrupted() && done < count) whole = false;
    return whole;
  });
  progress.clear();
  if (!whole) return std::nullopt;
  return results;
}

// Figures with their data, the page if the tool has one, and the numbers.
void write_results(const StudyResults& results, const std::string& directory) {
  RecordedFolder folder(directory, "reproduce " + results.study.name);
  for (const auto& [figure, plots] : results.figures) {
    folder.write(file_of(figure) + ".svg", svg(thinned(plots), figure.columns, title_of(figure, results.paper.author)));
    folder.write(file_of(figure) + ".csv", csv_of(plots));
  }
  folder.write("study.json", json_text(to_json(results), 1) + '\n');
  if (has_page()) folder.write("report.html", page(page_of(results).json()));
  complain("{} figures{} in {}\n", results.figures.size(), has_page() ? ", report.html" : "", directory);
}

// The table of all: a line a study, as docs/verification.md begins with.
std::string overview(const std::vector<StudyResults>& all) {
  std::string text =
      "| paper | study | figures drawn | statements | reproduced | refuted | unexplained | with a number in the paper |\n"
      "|---|---|---|---|---|---|---|---|\n";
  for (const StudyResults& results : all) {
    const auto n = results.counts();
    const auto drawn = std::count_if(results.figures.begin(), results.figures.end(),
                                     [](const StudyResults::Drawn& d) { return of_paper(d.figure); });
    const std::size_t more = results.figures.size() - static_cast<std::size_t>(drawn);
    text += fmt::format("| {} | `{}` | {}{} | {} | {} | {} | {} | {} |\n", results.paper.author, results.study.name, drawn,
                        more == 0 ? "" : fmt::format(" and {} of our own", more), results.statements.size(), n.reproduced,
                        n.refuted, n.unexplained, results.paper.counted);
  }
  return text;
}

std::string cell(std::string text) {
  for (std::size_t i = text.find('|'); i != std::string::npos; i = text.find('|', i + 2)) text.insert(i, 1, '\\');
  return text;
}

// The same figure by figure and section by section: docs/verification_table.md.
std::string full_table(const std::vector<StudyResults>& all) {
  std::string text = "# Every figure and every statement\n\nMade by `trompo reproduce --all`.\n\n" + overview(all);
  for (const StudyResults& results : all) {
    text += fmt::format("\n## {}\n\n| figure | drawn |\n|---|---|\n", results.paper.author);
    for (const auto& [figure, plots] : results.figures)
      text += fmt::format("| {} | {} |\n", figure.number, cell(figure.caption));
    text += "\n| section | statement | paper | verdict |\n|---|---|---|---|\n";
    for (const auto& [s, answer, verdict] : results.statements)
      text += fmt::format("| {} | {} | {:g} | {} |\n", s.section, cell(s.says), s.paper, verdict);
  }
  return text;
}

std::vector<Study> all_studies() {
  return {pendulum_study(), krenk_study(), xhale_study(), constraints_study(), top_study(), rods_study()};
}

struct Arguments {
  std::string problem, directory;
  Wanted wanted;
  bool all = false, json = false;
};

int reproduce(const Arguments& given) {
  std::vector<Study> studies = all_studies();
  if (!given.all) std::erase_if(studies, [&](const Study& s) { return s.name != given.problem; });
  Progress progress(!given.json);
  const std::string parent = given.directory.empty() ? "studies.out" : given.directory;
  if (given.all) ensure_directory(parent);
  int surprises = 0;
  std::vector<StudyResults> done;
  for (const Study& study : studies) {
    std::optional<StudyResults> results = results_of(study, given.wanted, progress);
    if (!results) return exit_interrupted;
    if (given.json)
      print("{}\n", json_text(to_json(*results), 2));
    else if (!given.all)
      print_results(*results);
    surprises += results->counts().surprises;
    // Sections alone are asked for to be read here and now.
    const bool to_file = given.wanted.sections.empty() || !given.wanted.figures.empty() || !given.directory.empty();
    if (to_file)
      write_results(*results, given.all                 ? parent + "/" + study.name
                              : given.directory.empty() ? study.name + ".out"
                                                        : given.directory);
    for (auto& drawn : results->figures) drawn.plots.clear();
    done.push_back(std::move(*results));
  }
  if (given.all) {
    const std::string text = overview(done);
    RecordedFolder(parent, "reproduce --all").write("verification_table.md", full_table(done));
    if (!given.json) print("{}", text);
  }
  return surprises == 0 ? exit_done : exit_internal;
}

}  // namespace

Model published_model(const std::string& path, std::span<const std::string> overrides) {
  return parse_model(embedded(path), path, overrides);
}

Paper paper_of(const Study& study) {
  const std::string file = study.name + "/statements.toml";
  const toml::table all = toml::parse(embedded(file), file);
  Paper paper{text_of(all, "author"),
              text_of(all, "paper"),
              text_of(all, "did"),
              text_of(all, "came_out"),
              text_of(all, "remark"),
              all["counted"].value_or(0),
              {}};
  if (paper.author.empty()) paper.author = study.name;
  for (const toml::node& node : *all["statement"].as_array())
    paper.statements.push_back(read_statement(*node.as_table(), study.name));
  return paper;
}

Answer answer_by(const Quantities& quantities, const Statement& s) {
  const auto quantity = quantities.find(s.quantity);
  if (quantity == quantities.end()) throw std::logic_error("unknown quantity '" + s.quantity + "'");
  return answer_of(s, quantity->second(s.model));
}

Answer answer_of(const Statement& s, double ours) {
  const bool agrees = s.within ? std::abs(ours - s.paper) <= *s.within : ours <= s.paper;
  return {{{ours, std::abs(ours) < 1e-4 && ours != 0 ? fmt::format("{:.2e}", ours) : fmt::format("{:.7g}", ours)}}, agrees};
}

void add_reproduce(CLI::App& app, int& exit_code) {
  Command command(app, "reproduce", "reproduction of published problems: verdicts on their numbers, and their figures");
  auto given = std::make_shared<Arguments>();
  std::vector<std::string> names;
  for (const Study& study : all_studies()) names.push_back(study.name);
  command.option("PROBLEM", given->problem, "which").one_of(names);
  command.flag("--all", given->all, "all of them, and the table of all");
  command.option("-o,--output", given->directory, "folder of figures and page; default PROBLEM.out, or studies.out for all")
      .of_type("DIR");
  command.option("--figure", given->wanted.figures, "only this figure, as 4-39; may be repeated").of_type("NUMBER");
  command.option("--section", given->wanted.sections, "only the statements of this section, as 4.2; may be repeated")
      .of_type("NUMBER");
  command.flag("--no-figures", given->wanted.without_figures, "verdicts and tables alone");
  command.flag("--json", given->json, "for programs");
  command.does([given, &exit_code] {
    if (given->all == !given->problem.empty()) refuse_option("PROBLEM", "name one problem, or say --all");
    if (given->all && !given->wanted.everything()) refuse_option("--all", "sections and figures are those of one problem");
    exit_code = reproduce(*given);
  });
}

}  // namespace trompo
