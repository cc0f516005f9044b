// One run at a time in a results folder. The lock is the kernel's (flock) on DIR/.trompo/lock, so that it ends with the process
// that holds it, however that ends. What the file says is for messages only.
#pragma once

#include <string>

namespace trompo {

// Where a run keeps what is not yet a result: DIR/.trompo.
[[nodiscard]] std::string hidden_folder(const std::string& directory);

class FolderLock {
 public:
  // Throws FileError: another run is writing there, and which, or the folder cannot be written. `who` is for the next one to
  // read.
  FolderLock(const std::string& directory, const std::string& who);
  ~FolderLock();
  FolderLock(const FolderLock&) = delete;
  FolderLock& operator=(const FolderLock&) = delete;
  void remove();  // a folder in which nothing was written is left as it was found

 private:
  void close();
  [[noreturn]] void fail(const std::string& path);  // by errno

  std::string hidden_;
  bool made_hidden_ = false;
  int file_ = -1;
};

[[nodiscard]] bool run_under_way(const std::string& directory);

}  // namespace trompo
