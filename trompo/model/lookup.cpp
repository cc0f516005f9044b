#include "trompo/model/lookup.hpp"

#include <algorithm>

namespace trompo {

std::size_t Lookup::word(std::span<const std::string_view> words, std::string_view kind, const std::string& word) const {
  const auto found = std::find(words.begin(), words.end(), word);
  if (found != words.end()) return static_cast<std::size_t>(found - words.begin());
  unknown(kind, word, {words.begin(), words.end()});
}

void Lookup::unknown(std::string_view kind, const std::string& name, const std::vector<std::string>& known) const {
  refuse("there is no " + std::string(kind) + " " + in_quotes(name), suggestion(name, known));
}

void Lookup::refuse(const std::string& what, const std::string& remedy) const {
  throw ModelError(
      {{Diagnostic::Severity::error, source_.place_of(key_, model_.file), source_.of(key_), who_ + ": " + what, remedy}});
}

}  // namespace trompo
