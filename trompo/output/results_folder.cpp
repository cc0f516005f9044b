#include "trompo/output/results_folder.hpp"

#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstdio>
#include <ctime>
#include <filesystem>
#include <system_error>

#include "trompo/model/source.hpp"
#include "trompo/output/checkpoint_file.hpp"
#include "trompo/output/files.hpp"

namespace trompo {

namespace fs = std::filesystem;

namespace {

template <class Names>
bool has(const Names& names, std::string_view name) {
  return std::find(names.begin(), names.end(), name) != names.end();
}

std::string kept(const std::string& path) { return path + std::string(kept_suffix); }

std::string canonical(const std::string& path) {
  std::error_code error;
  const fs::path full = fs::weakly_canonical(path, error);
  return error ? path : full.string();
}

std::string holder(const std::string& model) {
  std::string now(20, '\0');
  const std::time_t seconds = std::time(nullptr);
  std::tm local{};
  now.resize(std::strftime(now.data(), now.size(), "%Y-%m-%d %H:%M:%S", ::localtime_r(&seconds, &local)));
  return fmt::format("process {}, since {}, with the model {}", ::getpid(), now, model);
}

void rename_file(const std::string& from, const std::string& to) {
  if (std::rename(from.c_str(), to.c_str()) != 0)
    throw FileError(fmt::format("{}: cannot be put in place: {}", to, std::generic_category().message(errno)));
}

void remove_file(const std::string& path) {
  std::error_code ignored;
  fs::remove(path, ignored);
}

constexpr std::string_view live_name = "live.json";

}  // namespace

ResultsFolder::ResultsFolder(const Request& request)
    : path_(request.directory),
      hidden_(hidden_folder(path_)),
      model_(storable(canonical(request.model_file))),
      made_(ensure_directory(path_)),
      resume_(request.resume),
      lock_(path_, holder(model_)),
      record_(read_record(hidden_)) {
  try {
    refuse_what_is_not_ours(request.force);
    if (!record_.incoming.empty()) put_in_place();  // a kill has come between
    sweep();
  } catch (...) {
    lock_.remove();
    if (made_) ::rmdir(path_.c_str());
    throw;
  }
}

ResultsFolder::~ResultsFolder() {
  try {
    // A run that was to go on and has put nothing yet has less than what stands there.
    if (!published_ && (put_ || !resume_) && mark_of(draft(result_names.front()))) {
      rename_file(draft(result_names.front()), draft(partial_name));
      put_partial();
    }
  } catch (const FileError&) {  // the reason that led here has been thrown already
    return;                     // it stays among the drafts
  }
  sweep();
  if (put_) return;
  lock_.remove();
  if (made_) ::rmdir(path_.c_str());
}

void ResultsFolder::refuse_what_is_not_ours(bool force) const {
  const auto look_at = [&](std::string_view name) {
    for (const std::string& path : {place(name), kept(place(name))}) {
      const auto mark = mark_of(path);
      if (!mark) continue;
      const FolderRecord::Entry* entry = record_.find(name, *mark);
      if (entry == nullptr)
        throw FileError(
            fmt::format("{}: was not written by trompo, or was changed since; it is not replaced: move it away, or "
                        "name another folder by -o",
                        path));
      if (path == place(name) && entry->model != model_ && !force)
        throw FileError(
            fmt::format("{}: holds the results of another model, {}; name another folder by -o, or say --force: "
                        "they are then kept as {}{} and so on",
                        path_, entry->model, name, kept_suffix));
    }
  };
  for (const std::string_view name : result_names) look_at(name);
  look_at(partial_name);
}

void ResultsFolder::sign(std::string_view name) {
  if (const auto mark = mark_of(draft(name))) record_.files.push_back({std::string(name), model_, *mark});
}

// Only what is still there: of a run under way every partial file has a mark of its own.
void ResultsFolder::save() {
  std::erase_if(record_.files, [&](const FolderRecord::Entry& e) {
    const auto is = [&](const std::string& path) {
      std::error_code error;
      return fs::is_regular_file(fs::symlink_status(path, error)) && mark_of(path) == e.mark;
    };
    return !is(place(e.name)) && !is(kept(place(e.name))) && !is(draft(e.name));
  });
  write_record(record_, hidden_);
}

// A second name for the file, so that it is at no instant without one; where a file system has no links, it moves.
void ResultsFolder::keep(std::string_view name, bool stays) const {
  if (!mark_of(place(name))) return;
  const std::string second = draft(name) + ".kept";
  remove_file(second);
  const bool linked = stays && ::link(place(name).c_str(), second.c_str()) == 0;
  rename_file(linked ? second : place(name), kept(place(name)));
}

void ResultsFolder::put_partial() {
  sign(partial_name);
  save();
  if (!put_ && !resume_) {
    keep(partial_name, true);
    remove_checkpoints(hidden_);  // of the run before
  }
  rename_file(draft(partial_name), place(partial_name));
  put_ = true;
}

bool ResultsFolder::remove_partial() {
  if (!put_ || !mark_of(place(partial_name))) return false;
  remove_file(place(partial_name));
  return true;
}

void ResultsFolder::publish() {
  refuse_what_is_not_ours(true);  // what was put there during the run
  record_.incoming.clear();
  record_.outgoing.clear();
  for (const std::string_view name : result_names) {
    if (mark_of(draft(name))) record_.incoming.emplace_back(name);
    if (mark_of(place(name))) record_.outgoing.emplace_back(name);
    sign(name);
  }
  save();
  put_ = true;
  put_in_place();
  remove_file(place(partial_name));
  published_ = true;
}

// As the record says. Every part of it may be done already: then it changes nothing.
void ResultsFolder::put_in_place() {
  for (const std::string_view name : result_names) {
    const bool comes = has(record_.incoming, name), waits = comes && mark_of(draft(name)).has_value();
    if (!has(record_.outgoing, name))
      remove_file(kept(place(name)));  // of the results before the last
    else if (waits || !comes)
      keep(name, comes);
    if (waits) rename_file(draft(name), place(name));
  }
  record_.incoming.clear();
  record_.outgoing.clear();
  save();
}

// What a run that was killed has left among the drafts.
void ResultsFolder::sweep() const {
  std::error_code ignored;
  for (const auto& entry : fs::directory_iterator(hidden_, ignored)) {
    const std::string name = entry.path().filename().string();
    const auto belongs_to = [&](std::string_view to) { return name == to || name.starts_with(std::string(to) + "."); };
    const bool temporary = name.starts_with("record.json.") || name.starts_with("checkpoint.new") || name == "checkpoint.old" ||
                           belongs_to(partial_name) || belongs_to(live_name) ||
                           std::any_of(result_names.begin(), result_names.end(), belongs_to);
    if (temporary) remove_file(entry.path().string());
  }
}

bool holds_partial(const std::string& directory) {
  std::error_code error;
  return fs::exists(directory + "/" + std::string(partial_name), error);
}

std::string results_in(const std::string& directory) {
  std::string results = directory + "/" + std::string(result_names.front());
  std::string partial = directory + "/" + std::string(partial_name);
  std::error_code error;
  if (!holds_partial(directory)) return results;
  if (!fs::exists(results, error)) return partial;
  // A partial file older than the lock is not that of the run under way.
  const auto of_this_run = [&] {
    return fs::last_write_time(partial, error) >= fs::last_write_time(hidden_folder(directory) + "/lock", error);
  };
  return run_under_way(directory) && of_this_run() ? partial : results;
}

bool is_partial(const std::string& results) { return results.ends_with(partial_name); }

}  // namespace trompo
