// What the page shows: the C++ side of web/src/data.ts.
#pragma once

#include <optional>
#include <string>
#include <variant>
#include <vector>

#include "trompo/model/source.hpp"
#include "trompo/output/svg.hpp"

namespace trompo {

struct Remark {
  Diagnostic::Severity severity = Diagnostic::Severity::note;
  std::string text;
  std::optional<double> time{};  // s: where on the time line it belongs
};
// Pages are sent to others: the name of the model file without its folder.
[[nodiscard]] Remark remark_of(Diagnostic found);
[[nodiscard]] std::vector<Remark> remarks_of(const std::vector<Diagnostic>& found);
[[nodiscard]] std::string remarks_json(const std::vector<Remark>& remarks);
[[nodiscard]] std::vector<Remark> remarks_from_json(const std::string& text);  // throws what the parser throws

struct PageTable {
  using Cell = std::variant<std::string, double>;  // a number that is not finite is left empty
  std::string title;
  std::vector<std::string> headings;
  std::vector<std::vector<Cell>> rows{};
  std::vector<std::string> verdicts{};  // of each row: good, bad or none; or nothing at all
  std::string note{};
};

struct PageFigure {
  Plot plot;
  std::string group;  // heading it stands under
};

struct PageData {
  std::string kind;  // model, run, compare, reproduce, spectrum
  std::string title;
  std::vector<std::string> about{};  // paragraphs that the page opens with
  std::vector<Remark> remarks{};
  std::vector<std::string> runs{};  // each as RunData::json gives it
  std::vector<PageTable> tables{};
  std::vector<PageFigure> figures{};
  bool live = false;
  [[nodiscard]] std::string json() const;
};

}  // namespace trompo
