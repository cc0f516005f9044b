// The value of an optional that an earlier check has found to be there. Where that check had a hole it is an error, never
// garbage.
#pragma once

#include <optional>
#include <stdexcept>

namespace trompo {

template <class T>
[[nodiscard]] const T& known(const std::optional<T>& value) {
  if (!value) throw std::logic_error("a value that an earlier check should have asked for is missing");
  return *value;
}

}  // namespace trompo
