#include "trompo/output/files.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <system_error>

#include "trompo/model/source.hpp"

namespace trompo {

namespace fs = std::filesystem;

namespace {

[[noreturn]] void fail(const std::string& path, std::string_view what, const std::error_code& why) {
  throw FileError(fmt::format("{}: {}: {}", path, what, why.message()));
}

std::error_code last_error() { return {errno, std::generic_category()}; }

}  // namespace

void ensure_directory(const std::string& path) {
  if (path.empty()) throw FileError("the name of the output directory is empty");
  std::error_code error;
  fs::path directory = fs::absolute(path, error).lexically_normal();
  if (!directory.has_filename()) directory = directory.parent_path();  // a slash at the end
  if (!fs::exists(directory, error)) {
    if (error) fail(path, "cannot be the output directory", error);
    const fs::path parent = directory.parent_path();
    if (!fs::exists(parent, error))
      throw FileError(fmt::format("{}: cannot be the output directory: {} does not exist", path, parent.string()));
    if (fs::create_directory(directory, error); error) fail(path, "cannot make the output directory", error);
  }
  if (!fs::is_directory(directory, error))
    throw FileError(fmt::format("{}: cannot be the output directory: it is a file", path));
  if (::access(directory.c_str(), W_OK | X_OK) != 0) fail(path, "cannot write in the output directory", last_error());
}

void write_text_file(const std::string& path, std::string_view text) {
  const std::string draft = fmt::format("{}.{}.tmp", path, ::getpid());
  std::FILE* file = std::fopen(draft.c_str(), "wb");
  if (file == nullptr) fail(path, "cannot write", last_error());
  const bool written = std::fwrite(text.data(), 1, text.size(), file) == text.size();
  std::error_code error = last_error();  // before fclose changes it; means nothing if all went well
  const bool closed = std::fclose(file) == 0;
  if (written && !closed) error = last_error();
  if (written && closed && std::rename(draft.c_str(), path.c_str()) == 0) return;
  if (written && closed) error = last_error();
  std::remove(draft.c_str());
  fail(path, "cannot write", error);
}

std::string read_text_file(const std::string& path) {
  constexpr std::uintmax_t most = std::uintmax_t{256} << 20U;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > most || error) return "";
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

}  // namespace trompo
