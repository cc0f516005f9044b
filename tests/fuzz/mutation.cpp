#include "tests/fuzz/mutation.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

#include "trompo/scheme/catalogue.hpp"

namespace trompo {

namespace {

// A piece of a text.
struct Piece {
  std::size_t from = 0, size = 0;
  [[nodiscard]] std::string of(const std::string& text) const { return text.substr(from, size); }
};

constexpr std::string_view numbers[] = {"0",
                                        "-0.0",
                                        "1",
                                        "-1",
                                        "2",
                                        "3",
                                        "7",
                                        "1e-3",
                                        "0.5",
                                        "-1e3",
                                        "1e-7",
                                        "1e7",
                                        "1e-30",
                                        "1e30",
                                        "1e-150",
                                        "1e150",
                                        "1e155",
                                        "-1e160",
                                        "1e200",
                                        "1e-300",
                                        "1e-310",
                                        "5e-324",
                                        "1e300",
                                        "1.7e308",
                                        "-1.7e308",
                                        "1e309",
                                        "inf",
                                        "-inf",
                                        "nan",
                                        "2147483647",
                                        "2147483648",
                                        "-2147483648",
                                        "4294967297",
                                        "9007199254740993",
                                        "10000000000000000",
                                        "9223372036854775807",
                                        "-9223372036854775808",
                                        "9223372036854775808",
                                        "100001",
                                        "1000000",
                                        "0x7fffffff"};
constexpr std::string_view other_values[] = {"true",       "\"\"",
                                             "[]",         "{}",
                                             "[[]]",       "[1, 2]",
                                             "[0, 0, 0]",  "[1e300, 1e300, 1e300]",
                                             "\"t\"",      "\"sin(t)\"",
                                             "\"1/t\"",    "\"exp(1e4*t)\"",
                                             "\"ground\"", "[[0, 0], [1, 1]]",
                                             "{ x = 1 }",  "1979-05-27",
                                             "'''a\nb'''"};
constexpr std::string_view formulas[] = {
    "\"t^2\"",        "\"1/(t-0.1)\"",    "\"log(t)\"",      "\"sqrt(0.01-t)\"", "\"if(t<0.05, 0, 1e9)\"", "\"tan(99*t)\"",
    "\"exp(800*t)\"", "\"1e200*sin(t)\"", "\"abs(t-0.02)\"", "\"t^0.5\"",        "\"atan2(t,0)\""};

std::vector<Piece> lines_of(const std::string& text) {
  std::vector<Piece> lines;
  for (std::size_t i = 0; i < text.size();) {
    const std::size_t end = std::min(text.find('\n', i), text.size() - 1);
    lines.push_back({i, end + 1 - i});
    i = end + 1;
  }
  return lines;
}

// From one [header] to the next.
std::vector<Piece> tables_of(const std::string& text) {
  std::vector<Piece> tables;
  for (const Piece& line : lines_of(text)) {
    if (text[line.from] == '[') tables.push_back({line.from, 0});
    if (!tables.empty()) tables.back().size = line.from + line.size - tables.back().from;
  }
  return tables;
}

bool in_number(char c) {
  return std::isdigit(static_cast<unsigned char>(c)) != 0 || c == '.' || c == 'e' || c == '+' || c == '-';
}
bool in_word(char c) {
  return std::isalnum(static_cast<unsigned char>(c)) != 0 || c == '_' || c == '.' || c == '-' || c == '+';
}

template <class Inside>
std::vector<Piece> pieces(const std::string& text, const Inside& inside) {
  std::vector<Piece> found;
  for (std::size_t i = 0; i < text.size(); ++i) {
    if (text[i] == '#') i = std::min(text.find('\n', i), text.size() - 1);
    if (!inside(text[i])) continue;
    const std::size_t from = i;
    while (i < text.size() && inside(text[i])) ++i;
    found.push_back({from, i - from});
  }
  return found;
}
std::vector<Piece> words_of(const std::string& text) { return pieces(text, in_word); }
std::vector<Piece> numbers_of(const std::string& text) {
  std::vector<Piece> found = pieces(text, in_number);
  std::erase_if(found, [&text](const Piece& p) {
    return std::isdigit(static_cast<unsigned char>(text[p.from])) == 0 && text[p.from] != '-';
  });
  std::erase_if(found, [&text](const Piece& p) { return p.from > 0 && in_word(text[p.from - 1]); });
  return found;
}
std::vector<Piece> quoted_of(const std::string& text) {
  std::vector<Piece> found;
  for (std::size_t i = text.find('"'); i != std::string::npos; i = text.find('"', i)) {
    const std::size_t end = text.find('"', i + 1);
    if (end == std::string::npos) break;
    found.push_back({i, end + 1 - i});
    i = end + 1;
  }
  return found;
}

void replace(std::string& text, const Piece& piece, std::string_view by) { text.replace(piece.from, piece.size, by); }

// Exchanges two pieces that do not overlap.
void exchange(std::string& text, Piece a, Piece b) {
  if (a.from > b.from) std::swap(a, b);
  if (a.from + a.size > b.from) return;
  const std::string first = a.of(text), second = b.of(text);
  replace(text, b, first);
  replace(text, a, second);
}

void change_bytes(std::string& text, Draw& draw) {
  char& c = text[draw.below(text.size())];
  c = draw.chance(0.5) ? static_cast<char>(c ^ (1 << draw.below(8))) : static_cast<char>(draw.below(256));
}

void change_number(std::string& text, Draw& draw) {
  const auto found = numbers_of(text);
  if (found.empty()) return;
  const Piece& number = draw.one_of(found);
  const std::string old = number.of(text);
  switch (draw.below(5)) {
    case 0: return replace(text, number, draw.one_of(numbers));
    case 1: return replace(text, number, draw.one_of(found).of(text));
    case 2: return replace(text, number, (old[0] == '-' ? "" : "-") + old.substr(old[0] == '-' ? 1 : 0));
    case 3: return replace(text, number, draw.one_of(formulas));
    default: {
      const auto exponent = old.find('e');
      replace(text, number, old.substr(0, exponent) + "e" + std::to_string(draw.between(-12, 12)));
    }
  }
}

void change_quoted(std::string& text, Draw& draw) {
  const auto found = quoted_of(text);
  if (found.empty()) return;
  const Piece& quoted = draw.one_of(found);
  switch (draw.below(4)) {
    case 0: return replace(text, quoted, draw.one_of(formulas));
    case 1: return replace(text, quoted, "\"" + draw.one_of(scheme_names()) + "\"");
    default: return replace(text, quoted, draw.one_of(found).of(text));
  }
}

void change_value(std::string& text, Draw& draw) {
  const Piece line = draw.one_of(lines_of(text));
  const std::string old = line.of(text);
  if (const std::size_t equals = old.find('='); equals != std::string::npos)
    replace(text, line, old.substr(0, equals + 1) + " " + std::string(draw.one_of(other_values)) + "\n");
}

void move_lines(std::string& text, Draw& draw) {
  const auto lines = lines_of(text);
  const Piece line = draw.one_of(lines);
  switch (draw.below(4)) {
    case 0: return replace(text, line, "");
    case 1: return exchange(text, line, draw.one_of(lines));
    default: text.insert(draw.one_of(lines).from, line.of(text));
  }
}

void move_tables(std::string& text, Draw& draw) {
  const auto tables = tables_of(text);
  if (tables.empty()) return;
  const Piece table = draw.one_of(tables);
  switch (draw.below(4)) {
    case 0: return replace(text, table, "");
    case 1: return exchange(text, table, draw.one_of(tables));
    default: {  // once more, under another name
      std::string copy = table.of(text);
      if (const auto name = copy.find("name = \""); name != std::string::npos && draw.chance(0.8))
        copy.insert(name + 8, "copy of ");
      text.insert(draw.one_of(tables).from, copy);
    }
  }
}

// A table or a line of another model.
void graft(std::string& text, const std::string& other, Draw& draw) {
  const auto tables = tables_of(other);
  const auto lines = lines_of(text);
  if (draw.chance(0.5) && !tables.empty())
    text += draw.one_of(tables).of(other);
  else
    text.insert(draw.one_of(lines).from, draw.one_of(lines_of(other)).of(other));
}

void exchange_words(std::string& text, Draw& draw) {
  const auto words = words_of(text);
  if (!words.empty()) exchange(text, draw.one_of(words), draw.one_of(words));
}

void change_formulation(std::string& text, Draw& draw) {
  text.insert(0, "formulation = \"" + std::string(draw.word({"directors", "rotation", "euler-parameters"})) + "\"\n");
}

void change_scheme(std::string& text, Draw& draw) {
  const auto scheme = text.find("scheme = \"");
  if (scheme == std::string::npos) return;
  const std::size_t from = scheme + 10, end = text.find('"', from);
  if (end != std::string::npos) replace(text, {from, end - from}, draw.one_of(scheme_names()));
}

}  // namespace

std::string mutated(std::span<const std::string> models, Draw& draw) {
  std::string text = models[draw.below(models.size())];
  for (int changes = draw.between(1, 4); changes > 0 && !text.empty(); --changes) {
    switch (draw.below(16)) {
      case 0: change_bytes(text, draw); break;
      case 1: exchange_words(text, draw); break;
      case 2: change_value(text, draw); break;
      case 3: move_lines(text, draw); break;
      case 4: move_tables(text, draw); break;
      case 5: graft(text, draw.one_of(models), draw); break;
      case 6: change_formulation(text, draw); break;
      case 7: change_scheme(text, draw); break;
      case 8:
      case 9: change_quoted(text, draw); break;
      default: change_number(text, draw);
    }
  }
  return text;
}

}  // namespace trompo
