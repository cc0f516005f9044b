// trompo reproduce: published problems, run anew; paper value, ours, verdict. The statements stand in verification/.
#include "apps/reproduce.hpp"
#include "apps/commands.hpp"
#include "apps/embedded_files.hpp"
#include "apps/print.hpp"

#include <fmt/format.h>
#include <toml++/toml.h>

#include <algorithm>
#include <cctype>
#include <cmath>
#include <nlohmann/json.hpp>

#include "trompo/model/json_text.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/page.hpp"
#include "trompo/output/page_data.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

std::string_view embedded(const std::string& path) {
  for (const EmbeddedFile& file : embedded_files())
    if (file.path == path) return file.text;
  throw std::logic_error("no file '" + path + "' in the tool");
}

Statement read_statement(const toml::table& table, const std::string& folder) {
  const auto text = [&table](const char* key) { return table[key].value_or(std::string()); };
  std::vector<std::string> overrides;
  if (const toml::array* given = table["set"].as_array())
    for (const toml::node& value : *given) overrides.push_back(value.value_or(std::string()));
  Statement s{text("section"),
              text("says"),
              text("quantity"),
              text("expected"),
              text("note"),
              published_model(folder + "/" + text("model"), overrides),
              table["paper"].value_or(0.0),
              table["within"].value<double>()};
  if (table.contains("scheme")) s.model.time.scheme = text("scheme");
  if (const toml::table* given = table["parameters"].as_table())
    for (const auto& [key, value] : *given) s.model.time.parameters[std::string(key.str())] = value.value_or(0.0);
  return s;
}

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const Study& study, const Statement& s, const Answer& answer, const std::string& verdict) {
  Json row{{"section", s.section},          {"statement", s.says},
           {"scheme", s.model.time.scheme}, {"parameters", s.model.time.parameters},
           {"quantity", s.quantity},        {"paper", s.paper}};
  if (s.within) row["within"] = *s.within;
  for (std::size_t i = 0; i < study.columns.size(); ++i) row[study.columns[i].key] = number(answer.outcomes[i].value);
  row.update({{"verdict", verdict}, {"expected", s.expected}, {"note", s.note}});
  return row;
}

// A cell that is no number is its text.
Json to_json(const Table& table) {
  auto rows = Json::array();
  for (const std::vector<Outcome>& cells : table.rows) {
    Json row;
    for (std::size_t i = 0; i < cells.size(); ++i)
      row[table.headings[i]] = std::isfinite(cells[i].value) ? Json(cells[i].value) : Json(cells[i].text);
    rows.push_back(row);
  }
  return {{"title", table.title}, {"rows", rows}};
}

void print_table(const Table& table) {
  std::vector<std::vector<std::string>> lines{table.headings};
  for (const std::vector<Outcome>& row : table.rows) {
    lines.emplace_back();
    for (const Outcome& cell : row) lines.back().push_back(cell.text);
  }
  std::vector<std::size_t> widths(table.headings.size());
  for (const auto& line : lines)
    for (std::size_t i = 0; i < line.size(); ++i) widths[i] = std::max(widths[i], line[i].size());
  print("{}\n", table.title);
  for (const auto& line : lines) {
    print("{:<{}}", line[0], widths[0]);
    for (std::size_t i = 1; i < line.size(); ++i) print("  {:>{}}", line[i], widths[i]);
    print("\n");
  }
  print("\n");
}

PageTable page_table(const Table& table) {
  PageTable out{table.title, table.headings};
  for (const std::vector<Outcome>& cells : table.rows) {
    out.rows.emplace_back();
    for (const Outcome& cell : cells)
      out.rows.back().push_back(std::isfinite(cell.value) ? PageTable::Cell(cell.value) : PageTable::Cell(cell.text));
  }
  return out;
}

// "Figure 7 pendulum" of figure7_pendulum
std::string heading_of(const std::string& file) {
  std::string text;
  for (const char c : file) {
    if (!text.empty() && std::isdigit(c) != 0 && std::isalpha(text.back()) != 0) text += ' ';
    text += c == '_' ? ' ' : c;
  }
  text[0] = static_cast<char>(std::toupper(text[0]));
  return text;
}

// Tables of measurements and statements; prints them too. The exit code says whether the verdicts are those on file. Of
// sections, if any are named: statements of these alone, and no tables.
int reproduce(const Study& study, const std::vector<std::string>& sections, bool json, PageData& page) {
  const std::string statements = study.name + "/statements.toml";
  const toml::table all = toml::parse(embedded(statements), statements);
  auto rows = Json::array(), tables = Json::array();
  PageTable statements_table{"Statements", {"section", "statement", "paper"}};
  for (const Study::Column& column : study.columns) statements_table.headings.push_back(column.heading);
  statements_table.headings.insert(statements_table.headings.end(), {"verdict", "note"});
  page.tables.emplace_back();
  for (const Table& table : study.tables != nullptr && sections.empty() ? study.tables() : std::vector<Table>()) {
    json ? tables.push_back(to_json(table)) : print_table(table);
    page.tables.push_back(page_table(table));
  }
  if (!json) {
    print("{:<6}{:<76}{:>10}", "sec.", "statement", "paper");
    for (const Study::Column& column : study.columns) print("{:>18}", column.heading);
    print("  verdict\n");
  }
  int surprises = 0, reproduced = 0, count = 0;
  for (const toml::node& node : *all["statement"].as_array()) {
    const Statement s = read_statement(*node.as_table(), study.name);
    const auto holds = [&s](const std::string& section) {
      return s.section == section || s.section.starts_with(section + ".");
    };
    if (!sections.empty() && std::none_of(sections.begin(), sections.end(), holds)) continue;
    const Answer answer = study.answer(s);
    const std::string verdict = answer.agrees ? "reproduced" : "not reproduced";
    ++count;
    reproduced += answer.agrees;
    surprises += verdict != s.expected;
    auto& row = statements_table.rows.emplace_back(std::vector<PageTable::Cell>{s.section, s.says, s.paper});
    for (const Outcome& outcome : answer.outcomes)
      row.push_back(std::isfinite(outcome.value) && !outcome.text.empty() ? PageTable::Cell(outcome.value)
                                                                          : PageTable::Cell(outcome.text));
    row.insert(row.end(), {verdict, s.note});
    statements_table.verdicts.emplace_back(answer.agrees ? "good" : "bad");
    if (json) {
      rows.push_back(to_json(study, s, answer, verdict));
      continue;
    }
    print("{:<6}{:<76}{:>10g}", s.section, s.says, s.paper);
    for (const Outcome& outcome : answer.outcomes) print("{:>18}", outcome.text);
    print("  {}{}\n", verdict, s.note.empty() ? "" : ": " + s.note);
  }
  if (count == 0) refuse_option("--section", "no statement of '" + study.name + "' has it");
  if (json) {
    Json all_of_it{{"problem", study.name}, {"statements", rows}, {"surprises", surprises}};
    if (!tables.empty()) all_of_it["tables"] = tables;
    print("{}\n", json_text(all_of_it, 2));
  } else {
    print("\n{} statements, {} reproduced; {} verdicts differ from those on file. {}\n", count, reproduced, surprises,
          study.remark);
  }
  statements_table.note = fmt::format("{} statements, {} reproduced; {} verdicts differ from those on file. {}", count,
                                      reproduced, surprises, study.remark);
  page.tables.front() = std::move(statements_table);
  return surprises == 0 ? exit_done : exit_internal;
}

void write_figures(const std::vector<Drawing>& drawings, const std::string& directory) {
  ensure_directory(directory);
  for (const Drawing& drawing : drawings) write_drawing(directory, drawing);
  complain("figures in {}\n", directory);
}

}  // namespace

Model published_model(const std::string& path, std::span<const std::string> overrides) {
  return parse_model(embedded(path), path, overrides);
}

Answer answer_by(const Quantities& quantities, const Statement& s) {
  const auto quantity = quantities.find(s.quantity);
  if (quantity == quantities.end()) throw std::logic_error("unknown quantity '" + s.quantity + "'");
  const double ours = quantity->second(s.model);
  const bool agrees = s.within ? std::abs(ours - s.paper) <= *s.within : ours <= s.paper;
  return {{{ours, std::abs(ours) < 1e-4 && ours != 0 ? fmt::format("{:.2e}", ours) : fmt::format("{:.7g}", ours)}}, agrees};
}

void add_reproduce(CLI::App& app, int& exit_code) {
  Command command(app, "reproduce", "run published problems again and say how close they come");
  auto problem = std::make_shared<std::string>();
  auto figures = std::make_shared<std::string>();
  auto html = std::make_shared<std::string>();
  auto sections = std::make_shared<std::vector<std::string>>();
  auto json = std::make_shared<bool>(false);
  std::map<std::string, Study> studies;
  std::vector<std::string> names;
  for (Study& study : std::vector{pendulum_study(), krenk_study(), top_study(), xhale_study(), rods_study()}) {
    names.push_back(study.name);
    studies.emplace(study.name, std::move(study));
  }
  command.option("PROBLEM", *problem, "which").required().one_of(names);
  command.option("--figures", *figures, "draw its figures as SVG, with their data as CSV").of_type("DIR");
  command.option("--html", *html, "show statements, tables and figures as a page").of_type("FILE");
  command.option("--section", *sections, "only the statements of this section, as 4.2; may be repeated").of_type("NUMBER");
  command.flag("--json", *json, "for programs");
  command.does([problem, figures, html, sections, json, studies, &exit_code] {
    const Study& study = studies.at(*problem);
    if (!figures->empty() && study.draw == nullptr) refuse_option("--figures", "there are none for '" + study.name + "'");
    if (!html->empty()) require_page(*html);
    PageData page{.kind = "reproduce", .title = "A published study again: " + study.name};
    if (study.draw != nullptr && !(figures->empty() && html->empty())) {
      const std::vector<Drawing> drawings = study.draw();
      if (!figures->empty()) write_figures(drawings, *figures);
      for (const Drawing& drawing : drawings)
        for (const Plot& plot : drawing.plots) page.figures.push_back({plot, heading_of(drawing.name)});
    }
    exit_code = reproduce(study, *sections, *json, page);
    if (html->empty()) return;
    write_page(*html, page.json());
    complain("page in {}\n", *html);
  });
}

}  // namespace trompo
