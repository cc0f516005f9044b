// The few things that output asks of the file system. Failures are FileErrors with the path and the reason.
#pragma once

#include <string>
#include <string_view>

namespace trompo {

// Makes the directory if it is not there yet, its parent must be; throws if it is no directory or nothing can be written in it.
void ensure_directory(const std::string& path);

// The whole text or nothing: it is written beside `path` and then renamed.
void write_text_file(const std::string& path, std::string_view text);
// Empty if it cannot be read, is no regular file (a pipe would make us wait) or is larger than any that this tool writes.
[[nodiscard]] std::string read_text_file(const std::string& path);

}  // namespace trompo
