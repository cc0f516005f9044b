#include "trompo/model/source.hpp"

#include <algorithm>
#include <charconv>
#include <numeric>

namespace trompo {

namespace {

std::string join(const std::vector<Diagnostic>& all) {
  std::string text;
  for (const Diagnostic& d : all) text += (text.empty() ? "" : "\n") + d.text();
  return text;
}

std::size_t edit_distance(std::string_view a, std::string_view b) {
  std::vector<std::size_t> row(b.size() + 1);
  std::iota(row.begin(), row.end(), std::size_t{0});
  for (std::size_t i = 1; i <= a.size(); ++i) {
    std::size_t diagonal = row[0];
    row[0] = i;
    for (std::size_t j = 1; j <= b.size(); ++j) {
      const std::size_t above = row[j];
      row[j] = std::min({above + 1, row[j - 1] + 1, diagonal + (a[i - 1] == b[j - 1] ? 0 : 1)});
      diagonal = above;
    }
  }
  return row[b.size()];
}

}  // namespace

std::string Diagnostic::text() const {
  std::string where = file;
  where += line > 0 ? ":" + std::to_string(line) : std::string();
  static constexpr std::string_view words[] = {"error", "warning", "note"};
  return where + ": " + std::string(words[static_cast<int>(severity)]) + ": " + message + (remedy.empty() ? "" : "; " + remedy);
}

ModelError::ModelError(std::vector<Diagnostic> all) : std::runtime_error(join(all)), diagnostics(std::move(all)) {}

std::string in_quotes(std::string_view word) {
  std::string text = "'" + std::string(word) + "'";
  for (char& c : text)
    if (static_cast<unsigned char>(c) < 0x20 || c == 0x7f) c = '?';
  return text;
}

std::string number_text(double value, int digits) {
  char buffer[32];
  char* const end = buffer + sizeof buffer;
  const auto written =
      digits < 17 ? std::to_chars(buffer, end, value, std::chars_format::general, digits) : std::to_chars(buffer, end, value);
  return {buffer, written.ptr};
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  constexpr std::size_t longest = 200;  // beyond that it is no misspelt word
  std::string best;
  if (word.size() > longest) return best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
    if (candidate.size() > longest) continue;
    const std::size_t distance = edit_distance(word, candidate);
    if (distance < least) {
      least = distance;
      best = candidate;
    }
  }
  return best;
}

std::string suggestion(std::string_view word, const std::vector<std::string>& candidates) {
  if (candidates.empty()) return "there is none";
  std::string text;
  if (const std::string near = nearest(word, candidates); !near.empty()) text = "did you mean '" + near + "'? ";
  text += "known: ";
  constexpr std::size_t most = 24;
  for (std::size_t i = 0; i < std::min(most, candidates.size()); ++i) text += (i > 0 ? ", " : "") + candidates[i];
  if (candidates.size() > most) text += ", ... (" + std::to_string(candidates.size()) + " in all)";
  return text;
}

}  // namespace trompo
