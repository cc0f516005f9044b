// What this tool has written in a results folder, kept in DIR/.trompo/record.json: that is how it tells its own files from
// those of the user. A file is ours while it has the size and the time of change that it had when it was written; copies and
// renamed files do too, edited ones do not.
#pragma once

#include <array>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/output/files.hpp"

namespace trompo {

// The results of a run, in the order in which they are put in place; and what a run has while it is under way.
inline constexpr std::array<std::string_view, 4> result_names{"results.h5", "results.csv", "summary.json", "report.html"};
inline constexpr std::string_view partial_name = "results.partial.h5";
inline constexpr std::string_view kept_suffix = ".1";  // of the results before

struct FolderRecord {
  struct Entry {
    std::string name, model;  // without suffix; canonical path of the model file
    FileMark mark;
  };
  std::vector<Entry> files;
  // Results that are being put in place, and those before them that are being kept: a kill in between is made good by who comes
  // next.
  std::vector<std::string> incoming, outgoing;

  [[nodiscard]] const Entry* find(std::string_view name, const FileMark& mark) const;  // null: not ours
};

// A path as the record can hold it: what is no UTF-8 becomes U+FFFD.
[[nodiscard]] std::string storable(const std::string& path);
[[nodiscard]] FolderRecord read_record(const std::string& hidden);  // empty if there is none that can be understood
void write_record(const FolderRecord& record, const std::string& hidden);

}  // namespace trompo
