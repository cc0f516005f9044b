#include "trompo/output/folder_lock.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <sys/file.h>
#include <sys/stat.h>
#include <unistd.h>

#include <array>
#include <cerrno>
#include <chrono>
#include <system_error>
#include <thread>
#include <utility>

#include "trompo/model/source.hpp"

namespace trompo {

namespace {

using namespace std::chrono_literals;

std::string lock_path(const std::string& hidden) { return hidden + "/lock"; }

std::string text_of(int file) {
  std::array<char, 4096> block{};
  const ssize_t n = ::pread(file, block.data(), block.size(), 0);
  std::string text(block.data(), n > 0 ? static_cast<std::size_t>(n) : 0);
  for (char& c : text)
    if (static_cast<unsigned char>(c) < ' ') c = ' ';
  return text.empty() ? "another process" : text;
}

// A lock file that was removed while this process waited for it locks nothing.
bool still_there(int file, const std::string& path) {
  struct stat opened {
  }, named{};
  return ::fstat(file, &opened) == 0 && ::stat(path.c_str(), &named) == 0 && opened.st_ino == named.st_ino &&
         opened.st_dev == named.st_dev;
}

bool is_directory(const std::string& path) {
  struct stat found {};
  const bool is = ::lstat(path.c_str(), &found) == 0 && S_ISDIR(found.st_mode);  // no link to one
  errno = ENOTDIR;
  return is;
}

}  // namespace

std::string hidden_folder(const std::string& directory) { return directory + "/.trompo"; }

FolderLock::FolderLock(const std::string& directory, const std::string& who) : hidden_(hidden_folder(directory)) {
  const std::string path = lock_path(hidden_);
  // Who asks whether a run is under way holds the lock for an instant, and a run that wrote nothing removes it: hence the
  // tries.
  std::string holder = "another process";
  for (int tries = 0; tries < 20; ++tries) {
    if (tries > 0) std::this_thread::sleep_for(10ms);
    if (::mkdir(hidden_.c_str(), 0777) == 0)
      made_hidden_ = true;
    else if (errno != EEXIST || !is_directory(hidden_))
      fail(hidden_);
    file_ = ::open(path.c_str(), O_RDWR | O_CREAT | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK, 0666);
    if (file_ < 0 && errno == ENOENT) continue;
    if (file_ < 0) fail(path);
    const bool taken = ::flock(file_, LOCK_EX | LOCK_NB) == 0;
    if (!taken && errno != EWOULDBLOCK) fail(path);
    if (taken && still_there(file_, path)) {
      if (::ftruncate(file_, 0) == 0 && ::pwrite(file_, who.data(), who.size(), 0) == static_cast<ssize_t>(who.size())) return;
      const int why = errno;
      remove();
      errno = why;
      fail(path);
    }
    if (!taken) holder = text_of(file_);
    close();
  }
  throw FileError(
      fmt::format("{}: a run is writing here: {}; wait for its end, or name another folder by -o", directory, holder));
}

FolderLock::~FolderLock() { close(); }

void FolderLock::close() {
  if (file_ >= 0) ::close(std::exchange(file_, -1));
}

void FolderLock::fail(const std::string& path) {
  const std::string why = std::generic_category().message(errno);
  close();
  throw FileError(fmt::format("{}: cannot lock the folder: {}", path, why));
}

void FolderLock::remove() {
  if (!made_hidden_) return;
  ::unlink(lock_path(hidden_).c_str());
  ::rmdir(hidden_.c_str());
}

bool run_under_way(const std::string& directory) {
  const int file = ::open(lock_path(hidden_folder(directory)).c_str(), O_RDONLY | O_CLOEXEC | O_NOFOLLOW | O_NONBLOCK);
  if (file < 0) return false;
  const bool held = ::flock(file, LOCK_SH | LOCK_NB) != 0 && errno == EWOULDBLOCK;
  ::flock(file, LOCK_UN);
  ::close(file);
  return held;
}

}  // namespace trompo
