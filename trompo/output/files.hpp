// The few things that output asks of the file system. Failures are FileErrors with the path and the reason.
#pragma once

#include <cstdint>
#include <optional>
#include <string>
#include <string_view>

namespace trompo {

// Makes the directory if it is not there yet, its parent must be; throws if it is no directory or nothing can be written in it.
// Whether it was made.
bool ensure_directory(const std::string& path);

struct FileMark {
  std::int64_t size = 0, changed = 0;  // bytes; nanoseconds
  bool operator==(const FileMark&) const = default;
};
// Of a regular file; nothing if there is none. Throws where a link, a directory, a FIFO or a device stands: only files are
// replaced.
[[nodiscard]] std::optional<FileMark> mark_of(const std::string& path);

// The whole text or nothing: it is written beside `path` and then renamed.
void write_text_file(const std::string& path, std::string_view text);
// A file, or the names in a folder, are on the disk when this returns, as far as the disk says so.
void make_lasting(const std::string& path);
// Empty if it cannot be read, is no regular file (a pipe would make us wait) or is larger than any that this tool writes.
[[nodiscard]] std::string read_text_file(const std::string& path);

// A second file with the same bytes, or with the same blocks where the file system can share them. Throws, also where it would
// leave less room than it takes.
void copy_file(const std::string& from, const std::string& to);

}  // namespace trompo
