#include "trompo/model/printable.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cstdint>

namespace trompo {

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

}  // namespace trompo
