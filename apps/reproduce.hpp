// What a published study needs to be run again: its statements as verification/ has them, and the functions that answer them.
#pragma once

#include <map>
#include <optional>
#include <span>
#include <string>
#include <vector>

#include "trompo/model/model.hpp"

namespace trompo {

struct Statement {
  std::string section, says, quantity, expected, note;
  Model model;  // with the scheme and the values that the statement asks for
  double paper = 0;
  std::optional<double> within;  // how far from the paper's value ours may be
};

struct Outcome {
  double value = 0;
  std::string text;
};

struct Answer {
  std::vector<Outcome> outcomes;  // one for each column; the first is called ours
  bool agrees = false;
};

struct Study {
  struct Column {
    std::string heading, key;  // of the table, of the JSON
  };
  std::string name;  // its folder in verification/
  std::vector<Column> columns;
  Answer (*answer)(const Statement&);
  void (*draw)(const std::string& directory);  // null: no figures
  std::string remark;                          // below the table
};

[[nodiscard]] Study pendulum_study();
[[nodiscard]] Study krenk_study();

// A model of verification/, as it was at build time.
[[nodiscard]] Model published_model(const std::string& path, std::span<const std::string> overrides = {});

}  // namespace trompo
