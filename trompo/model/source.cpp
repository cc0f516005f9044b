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

namespace {

struct Letter {
  std::uint32_t code;
  std::size_t bytes;  // 0: no UTF-8 begins here
};

Letter letter_at(std::string_view text) {
  const auto byte = [text](std::size_t i) { return static_cast<unsigned char>(text[i]); };
  if (byte(0) < 0x80) return {byte(0), 1};
  const std::size_t bytes = byte(0) < 0xC2 ? 0 : byte(0) < 0xE0 ? 2 : byte(0) < 0xF0 ? 3 : byte(0) < 0xF5 ? 4 : 0;
  if (bytes == 0 || text.size() < bytes) return {0, 0};
  std::uint32_t code = byte(0) & (0x7FU >> bytes);
  for (std::size_t i = 1; i < bytes; ++i) {
    if ((byte(i) & 0xC0U) != 0x80U) return {0, 0};
    code = code << 6U | (byte(i) & 0x3FU);
  }
  static constexpr std::uint32_t least[] = {0, 0, 0x80, 0x800, 0x10000};
  return code < least[bytes] || code > 0x10FFFF || (code >= 0xD800 && code < 0xE000) ? Letter{0, 0} : Letter{code, bytes};
}

// Control characters of ASCII and Latin-1, line and paragraph separators, marks and overrides of the direction of writing.
bool is_control(std::uint32_t c) {
  return c < 0x20 || (c >= 0x7F && c < 0xA0) || c == 0x061C || c == 0x200E || c == 0x200F || (c >= 0x2028 && c <= 0x202E) ||
         (c >= 0x2066 && c <= 0x2069);
}

}  // namespace

std::string printable(std::string_view text, bool lines) {
  std::string out;
  out.reserve(text.size());
  while (!text.empty()) {
    const auto [code, bytes] = letter_at(text);
    if (bytes == 0)
      out += fmt::format("\\x{:02x}", static_cast<unsigned char>(text.front()));
    else if (is_control(code) && !(lines && (code == '\n' || code == '\t')))
      out += fmt::format("\\u{:04x}", code);
    else
      out += text.substr(0, bytes);
    text.remove_prefix(std::max<std::size_t>(1, bytes));
  }
  return out;
}

std::string number_text(double value, int digits) {
  char buffer[32];
  char* const end = buffer + sizeof buffer;
  const auto written =
      digits < 17 ? std::to_chars(buffer, end, value, std::chars_format::general, digits) : std::to_chars(buffer, end, value);
  return {buffer, written.ptr};
}

std::string nearest(std::string_view word, const std::vector<std::string>& candidates) {
  std::string best;
  std::size_t least = std::max<std::size_t>(2, word.size() / 2) + 1;
  for (const std::string& candidate : candidates) {
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
