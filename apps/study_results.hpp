// A study that was run: its verdicts, tables and figures, and how they are printed and shown.
#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <vector>

#include "apps/reproduce.hpp"
#include "trompo/output/page_data.hpp"

namespace trompo {

struct StudyResults {
  struct Judged {
    Statement statement;
    Answer answer;
    std::string verdict;  // reproduced, refuted, unexplained; not reproduced: where that is not what is on file
  };
  struct Drawn {
    Figure figure;
    std::vector<Plot> plots;
  };
  struct Counts {
    int reproduced = 0, refuted = 0, unexplained = 0;
    int surprises = 0;  // verdicts that differ from those on file
  };
  Study study;
  Paper paper;
  std::vector<Judged> statements;
  std::vector<Table> tables;
  std::vector<Drawn> figures;
  [[nodiscard]] Counts counts() const;
  [[nodiscard]] std::string in_numbers() const;  // the counts as a sentence
};

[[nodiscard]] std::string verdict_of(const Statement& statement, const Answer& answer);
[[nodiscard]] std::string rule_of(const Statement& statement, const Answer& answer);

void print_results(const StudyResults& results);
[[nodiscard]] nlohmann::ordered_json to_json(const StudyResults& results);
[[nodiscard]] PageData page_of(const StudyResults& results);

}  // namespace trompo
