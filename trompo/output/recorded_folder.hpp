// A folder of files that are not the results of a run: figures and the page of a study. Like a results folder it belongs to one
// process at a time, and a file that this tool did not write, or not for the same purpose, is never replaced.
#pragma once

#include <string>
#include <string_view>

#include "trompo/output/folder_lock.hpp"
#include "trompo/output/folder_record.hpp"

namespace trompo {

class RecordedFolder {
 public:
  // `purpose` stands in the record in the place of a model. Throws FileError.
  RecordedFolder(const std::string& directory, const std::string& purpose);
  // The whole file or nothing. Throws FileError where a file of that name is not ours to replace.
  void write(const std::string& name, std::string_view text);
  [[nodiscard]] const std::string& path() const { return path_; }

 private:
  std::string path_, purpose_;
  FolderLock lock_;
  FolderRecord record_;
};

}  // namespace trompo
