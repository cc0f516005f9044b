#include "apps/study_results.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <nlohmann/json.hpp>

#include "apps/print.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

Json number(double value) { return std::isfinite(value) ? Json(value) : Json(nullptr); }

Json to_json(const Study& study, const StudyResults::Judged& judged) {
  const auto& [s, answer, verdict] = judged;
  Json row{{"section", s.section},          {"statement", s.says},
           {"scheme", s.model.time.scheme}, {"parameters", s.model.time.parameters},
           {"quantity", s.quantity},        {"paper", s.paper}};
  if (s.within) row["within"] = *s.within;
  row["rule"] = rule_of(s, answer);
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

PageTable statements_table(const StudyResults& results) {
  PageTable table{"Statements", {"section", "statement", "paper"}};
  for (const Study::Column& column : results.study.columns) table.headings.push_back(column.heading);
  table.headings.insert(table.headings.end(), {"rule", "verdict", "note"});
  for (const auto& [s, answer, verdict] : results.statements) {
    auto& row = table.rows.emplace_back(std::vector<PageTable::Cell>{s.section, s.says, s.paper});
    for (const Outcome& outcome : answer.outcomes)
      row.push_back(std::isfinite(outcome.value) && !outcome.text.empty() ? PageTable::Cell(outcome.value)
                                                                          : PageTable::Cell(outcome.text));
    row.insert(row.end(), {rule_of(s, answer), verdict, s.note});
    table.verdicts.emplace_back(answer.agrees ? "good" : "bad");
  }
  table.note = results.in_numbers();
  return table;
}

}  // namespace

std::string verdict_of(const Statement& s, const Answer& answer) {
  if (answer.agrees) return "reproduced";
  return s.expected == "refuted" || s.expected == "unexplained" ? s.expected : "not reproduced";
}

std::string rule_of(const Statement& s, const Answer& answer) {
  const std::string rule = !answer.rule.empty() ? answer.rule : s.within ? fmt::format("± {:g}", *s.within) : "at most";
  return rule + (s.bound_is_ours ? ", ours" : "");
}

StudyResults::Counts StudyResults::counts() const {
  Counts n;
  for (const Judged& judged : statements) {
    n.reproduced += judged.verdict == "reproduced";
    n.refuted += judged.verdict == "refuted";
    n.unexplained += judged.verdict == "unexplained";
    n.surprises += judged.verdict != judged.statement.expected;
  }
  return n;
}

std::string StudyResults::in_numbers() const {
  const Counts n = counts();
  return fmt::format("{} statements: {} reproduced, {} refuted, {} unexplained; {} verdicts differ from those on file. {}",
                     statements.size(), n.reproduced, n.refuted, n.unexplained, n.surprises, paper.remark);
}

void print_results(const StudyResults& results) {
  for (const Table& table : results.tables) print_table(table);
  if (results.statements.empty()) return;
  print("{:<6}{:<76}{:>10}", "sec.", "statement", "paper");
  for (const Study::Column& column : results.study.columns) print("{:>18}", column.heading);
  print("  {:<16}  verdict\n", "rule");
  for (const auto& [s, answer, verdict] : results.statements) {
    print("{:<6}{:<76}{:>10g}", s.section, s.says, s.paper);
    for (const Outcome& outcome : answer.outcomes) print("{:>18}", outcome.text);
    print("  {:<16}  {}{}\n", rule_of(s, answer), verdict, s.note.empty() ? "" : ": " + s.note);
  }
  print("\n{}\n", results.in_numbers());
}

Json to_json(const StudyResults& results) {
  auto rows = Json::array(), tables = Json::array();
  for (const StudyResults::Judged& judged : results.statements) rows.push_back(to_json(results.study, judged));
  for (const Table& table : results.tables) tables.push_back(to_json(table));
  Json all{{"problem", results.study.name},
           {"paper", results.paper.paper},
           {"statements", rows},
           {"surprises", results.counts().surprises}};
  if (!tables.empty()) all["tables"] = tables;
  return all;
}

PageData page_of(const StudyResults& results) {
  const Paper& paper = results.paper;
  PageData page{.kind = "reproduce", .title = "Reproduction of " + paper.author};
  for (const std::string& text : {paper.paper, paper.did, paper.came_out})
    if (!text.empty()) page.about.push_back(text);
  for (const auto& [figure, plots] : results.figures)
    for (const Plot& plot : thinned(plots)) page.figures.push_back({plot, title_of(figure, paper.author)});
  if (!results.statements.empty()) page.tables.push_back(statements_table(results));
  for (const Table& table : results.tables) page.tables.push_back(page_table(table));
  return page;
}

}  // namespace trompo
