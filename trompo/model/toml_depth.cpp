#include "trompo/model/toml_depth.hpp"

#include <algorithm>

namespace trompo {

namespace {

// The end of the string that begins at `at`; a line's end, where only strings of several lines may go on.
std::size_t end_of_string(std::string_view text, std::size_t at) {
  const char quote = text[at];
  const std::string three(3, quote);
  const bool escapes = quote == '"', lines = text.substr(at, 3) == three;
  at += lines ? 3 : 1;
  for (; at < text.size(); ++at) {
    if (escapes && text[at] == '\\' && at + 1 < text.size() && (lines || text[at + 1] != '\n')) {
      ++at;
    } else if (!lines && (text[at] == quote || text[at] == '\n')) {
      return text[at] == quote ? at + 1 : at;
    } else if (lines && text.substr(at, 3) == three) {
      at += 3;
      for (int more = 0; more < 2 && at < text.size() && text[at] == quote; ++more) ++at;  // """"" ends with two quotes inside
      return at;
    }
  }
  return at;
}

}  // namespace

std::optional<TomlDepth> too_deep(std::string_view text) {
  int brackets = 0, dots = 0;
  const auto found = [&](std::size_t at, const std::string& what) {
    const auto line = std::count(text.begin(), text.begin() + static_cast<std::ptrdiff_t>(at), '\n') + 1;
    return TomlDepth{static_cast<int>(line), what + " more than " + std::to_string(TomlDepth::most) + " deep"};
  };
  for (std::size_t at = 0; at < text.size();) {
    switch (text[at]) {
      case '"':
      case '\'': at = end_of_string(text, at); continue;
      case '#': at = std::min(text.find('\n', at), text.size()); continue;
      case '[':
      case '{':
        dots = 0;
        if (++brackets > TomlDepth::most) return found(at, "lists and tables are nested");
        break;
      case ']':
      case '}':
        brackets = std::max(0, brackets - 1);
        dots = 0;
        break;
      case '=':
      case ',':
      case '\n': dots = 0; break;
      case '.':
        if (++dots > TomlDepth::most) return found(at, "the dots of a key nest tables");
        break;
      default: break;
    }
    ++at;
  }
  return {};
}

}  // namespace trompo
