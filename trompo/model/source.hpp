// Where something stands in the model file, and what is to be said about it.
#pragma once

#include <functional>
#include <map>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

namespace trompo {

struct Source {
  int line = 0;  // 0: not from the file (--set, or built in C++)
  std::map<std::string, int, std::less<>> keys;
  std::map<std::string, std::string, std::less<>> overrides;  // keys that came from --set, with what was typed there
  [[nodiscard]] int of(std::string_view key) const {
    const auto found = keys.find(key);
    return found == keys.end() ? line : found->second;
  }
  // Where a diagnostic about this key points to: the file, or "--set KEY=VALUE".
  [[nodiscard]] std::string place_of(std::string_view key, const std::string& file) const {
    const auto found = overrides.find(key);
    return found == overrides.end() ? file : "--set " + found->second;
  }
};

struct Diagnostic {
  enum class Severity { error, warning, note };
  Severity severity = Severity::error;
  std::string file;
  int line = 0;
  std::string message;                     // what is wrong and with which name
  std::string remedy;                      // what to do about it
  [[nodiscard]] std::string text() const;  // file:line: error: message; remedy
};

// The model cannot be run; every reason that was found.
struct ModelError : std::runtime_error {
  explicit ModelError(std::vector<Diagnostic> all);
  std::vector<Diagnostic> diagnostics;
};

// The file cannot be read or written at all.
struct FileError : std::runtime_error {
  using std::runtime_error::runtime_error;
};

// For messages: 'word', with control characters made harmless, and the shortest text that reads back as the same number
// (or is right to so many digits).
[[nodiscard]] std::string in_quotes(std::string_view word);
[[nodiscard]] std::string number_text(double value, int digits = 17);
// The candidate nearest to a misspelt word, or "" if none is near.
[[nodiscard]] std::string nearest(std::string_view word, const std::vector<std::string>& candidates);
// "did you mean 'x'?" or the list of candidates, ready to be a remedy
[[nodiscard]] std::string suggestion(std::string_view word, const std::vector<std::string>& candidates);

}  // namespace trompo
