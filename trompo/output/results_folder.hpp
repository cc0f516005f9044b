// The folder that a run writes its results into. It belongs to one run at a time (folder_lock.hpp); files that this tool did
// not write are never touched (folder_record.hpp); results are written out of sight and put in place at the end, the ones
// before them stay as NAME.1. So whatever happens, a kill at any instant among it, leaves whole files: the old ones, the new
// ones, or both.
#pragma once

#include <string>
#include <string_view>

#include "trompo/output/folder_lock.hpp"
#include "trompo/output/folder_record.hpp"

namespace trompo {

class ResultsFolder {
 public:
  struct Request {
    std::string directory, model_file;
    bool force = false;   // results of another model may be replaced
    bool resume = false;  // what a run has left there is gone on with
  };
  // Makes and locks the folder and changes nothing else. Throws FileError if another run is writing there, if it holds files of
  // our names that are not ours, or, unless forced, results of another model.
  explicit ResultsFolder(const Request& request);
  // What a run that ended in an exception has recorded becomes results.partial.h5.
  ~ResultsFolder();
  ResultsFolder(const ResultsFolder&) = delete;
  ResultsFolder& operator=(const ResultsFolder&) = delete;

  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] const std::string& drafts() const { return hidden_; }  // where all files are written under their names

  void put_partial();     // the draft results.partial.h5 takes its place; one of an earlier run is kept
  bool remove_partial();  // false if this run has put none
  void publish();         // all drafts of result_names take their places

 private:
  [[nodiscard]] std::string place(std::string_view name) const { return path_ + "/" + std::string(name); }
  [[nodiscard]] std::string draft(std::string_view name) const { return hidden_ + "/" + std::string(name); }
  void refuse_what_is_not_ours(bool force) const;
  void sign(std::string_view name);  // the draft, before it leaves for its place
  void save();
  void keep(std::string_view name, bool stays) const;
  void put_in_place();
  void sweep() const;

  std::string path_, hidden_, model_;
  bool made_, resume_, put_ = false, published_ = false;
  FolderLock lock_;
  FolderRecord record_;
};

// The results to read in a folder: those of the run under way, or else the last ones that came to an end, or else what a run
// that did not has left.
[[nodiscard]] std::string results_in(const std::string& directory);
[[nodiscard]] bool is_partial(const std::string& results);
[[nodiscard]] bool holds_partial(const std::string& directory);

}  // namespace trompo
