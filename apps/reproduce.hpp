// What the reproduction of a published study needs: its statements as verification/ has them, the functions that answer them,
// and its figures.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "apps/figures.hpp"
#include "trompo/model/model.hpp"

namespace trompo {

struct Statement {
  std::string section, says, quantity, expected, note;
  Model model;  // with the scheme and the values that the statement asks for
  double paper = 0;
  std::optional<double> within;  // how far from the paper's value ours may be
  bool bound_is_ours = false;    // the paper says it in words; the number that decides is ours
};

struct Outcome {
  double value = 0;
  std::string text;
};

struct Answer {
  std::vector<Outcome> outcomes;  // one for each column; the first is called ours
  bool agrees = false;
  std::string rule{};  // what decides; empty: as Statement::within has it
};

// The numbers that the statements are about. Called from any thread.
using Quantity = double (*)(const Model&);
using Quantities = std::map<std::string, Quantity>;
// With `within` the paper's value is met that closely; without it is a bound from above.
[[nodiscard]] Answer answer_of(const Statement& statement, double ours);
[[nodiscard]] Answer answer_by(const Quantities& quantities, const Statement& statement);

// Measurements without a verdict.
struct Table {
  std::string title;
  std::vector<std::string> headings;
  std::vector<std::vector<Outcome>> rows;
};

struct Study {
  struct Column {
    std::string heading, key;  // of the table, of the JSON
  };
  std::string name;  // its folder in verification/
  std::vector<Column> columns;
  Answer (*answer)(const Statement&);
  std::vector<Figure> (*figures)();
  std::vector<Table> (*tables)() = nullptr;
};

// What verification/NAME/statements.toml says: of the paper, and its statements.
struct Paper {
  std::string author, paper, did, came_out, remark;
  int counted = 0;  // statements with a number in the paper
  std::vector<Statement> statements;
};
[[nodiscard]] Paper paper_of(const Study& study);

[[nodiscard]] Study pendulum_study();
[[nodiscard]] Study krenk_study();
[[nodiscard]] Study constraints_study();
[[nodiscard]] Study top_study();
[[nodiscard]] Study xhale_study();
[[nodiscard]] Study rods_study();

// A model of verification/, as it was at build time.
[[nodiscard]] Model published_model(const std::string& path, std::span<const std::string> overrides = {});

}  // namespace trompo
