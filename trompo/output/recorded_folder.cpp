#include "trompo/output/recorded_folder.hpp"

#include <fmt/format.h>

#include <cerrno>
#include <cstdio>
#include <system_error>

#include "trompo/math/known.hpp"
#include "trompo/model/source.hpp"
#include "trompo/output/files.hpp"

namespace trompo {

RecordedFolder::RecordedFolder(const std::string& directory, const std::string& purpose)
    : path_(directory),
      purpose_(purpose),
      lock_((ensure_directory(path_), path_), purpose_),
      record_(read_record(hidden_folder(path_))) {}

void RecordedFolder::write(const std::string& name, std::string_view text) {
  const std::string path = path_ + "/" + name;
  if (const auto mark = mark_of(path)) {
    const FolderRecord::Entry* entry = record_.find(name, *mark);
    if (entry == nullptr || entry->model != purpose_)
      throw FileError(fmt::format(
          "{}: {}; it is not replaced: move it away, or name another folder by -o", path,
          entry == nullptr ? "was not written by trompo, or was changed since" : "belongs to '" + entry->model + "'"));
  }
  // Signed before it leaves for its place: whoever comes after a kill in between knows both files.
  const std::string hidden = hidden_folder(path_), draft = hidden + "/" + name;
  write_text_file(draft, text);
  const auto old = mark_of(path);
  std::erase_if(record_.files, [&](const FolderRecord::Entry& e) { return e.name == name && e.mark != old; });
  record_.files.push_back({name, purpose_, known(mark_of(draft))});
  write_record(record_, hidden);
  if (std::rename(draft.c_str(), path.c_str()) != 0)
    throw FileError(fmt::format("{}: cannot be put in place: {}", path, std::generic_category().message(errno)));
}

}  // namespace trompo
