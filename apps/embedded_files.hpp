// Files of verification/ as they were at build time.
#pragma once

#include <span>
#include <string_view>

namespace trompo {

struct EmbeddedFile {
  std::string_view path;  // below verification/
  std::string_view text;
};

[[nodiscard]] std::span<const EmbeddedFile> embedded_files();

}  // namespace trompo
