#include "trompo/output/files.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <linux/fs.h>
#include <sys/ioctl.h>
#include <sys/stat.h>
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

std::string_view kind_of(mode_t mode) {
  return S_ISLNK(mode) ? "a link" : S_ISDIR(mode) ? "a directory" : S_ISFIFO(mode) ? "a FIFO" : "a device or a socket";
}

}  // namespace

bool ensure_directory(const std::string& path) {
  bool made = false;
  if (path.empty()) throw FileError("the name of the output directory is empty");
  std::error_code error;
  fs::path directory = fs::absolute(path, error).lexically_normal();
  if (!directory.has_filename()) directory = directory.parent_path();  // a slash at the end
  if (!fs::exists(directory, error)) {
    if (error) fail(path, "cannot be the output directory", error);
    const fs::path parent = directory.parent_path();
    if (!fs::exists(parent, error))
      throw FileError(fmt::format("{}: cannot be the output directory: {} does not exist", path, parent.string()));
    made = fs::create_directory(directory, error);
    if (error) fail(path, "cannot make the output directory", error);
  }
  if (!fs::is_directory(directory, error))
    throw FileError(fmt::format("{}: cannot be the output directory: it is a file", path));
  if (::access(directory.c_str(), W_OK | X_OK) != 0) fail(path, "cannot write in the output directory", last_error());
  return made;
}

std::optional<FileMark> mark_of(const std::string& path) {
  struct stat found {};
  if (::lstat(path.c_str(), &found) != 0) {
    if (errno == ENOENT) return std::nullopt;
    fail(path, "cannot look at it", last_error());
  }
  if (!S_ISREG(found.st_mode))
    throw FileError(
        fmt::format("{}: is {}, and only files are replaced; remove it, or write elsewhere", path, kind_of(found.st_mode)));
  return FileMark{found.st_size, found.st_mtim.tv_sec * 1'000'000'000 + found.st_mtim.tv_nsec};
}

void write_text_file(const std::string& path, std::string_view text) {
  (void)mark_of(path);
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

void make_lasting(const std::string& path) {
  const int file = ::open(path.c_str(), O_RDONLY | O_CLOEXEC);
  const bool done = file >= 0 && (::fsync(file) == 0 || errno == EINVAL);  // a file system may not know of it
  const std::error_code error = last_error();
  if (file >= 0) ::close(file);
  if (!done) fail(path, "cannot be written to the disk", error);
}

std::string read_text_file(const std::string& path) {
  constexpr std::uintmax_t most = std::uintmax_t{256} << 20U;
  std::error_code error;
  if (!fs::is_regular_file(path, error) || fs::file_size(path, error) > most || error)
    return "";  // opening a FIFO would wait for who writes it
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

void copy_file(const std::string& from, const std::string& to) {
  std::error_code error;
  fs::remove(to, error);
  const int source = ::open(from.c_str(), O_RDONLY | O_CLOEXEC);
  const int target = ::open(to.c_str(), O_WRONLY | O_CREAT | O_EXCL | O_CLOEXEC, 0666);
  const bool shared = source >= 0 && target >= 0 && ::ioctl(target, FICLONE, source) == 0;
  for (const int file : {source, target})
    if (file >= 0) ::close(file);
  if (shared) return;
  const auto size = fs::file_size(from, error);
  if (error) fail(from, "cannot be copied", error);
  if (const fs::space_info room = fs::space(to, error); !error && room.available / 2 < size)
    error = std::make_error_code(std::errc::no_space_on_device);
  if (!error) fs::copy_file(from, to, fs::copy_options::overwrite_existing, error);
  if (error) fail(to, "cannot be written", error);
}

}  // namespace trompo
