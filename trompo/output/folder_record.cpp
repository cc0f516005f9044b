#include "trompo/output/folder_record.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "trompo/model/json_text.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

std::string record_path(const std::string& hidden) { return hidden + "/record.json"; }

bool is_result(std::string_view name) {
  return std::find(result_names.begin(), result_names.end(), name) != result_names.end();
}

// Names become paths: only our own are taken from a file.
std::vector<std::string> names_in(const Json& list) {
  std::vector<std::string> names;
  for (const auto& name : list)
    if (is_result(name.get<std::string>())) names.push_back(name);
  return names;
}

}  // namespace

std::string storable(const std::string& path) { return Json::parse(json_text(path)).get<std::string>(); }

const FolderRecord::Entry* FolderRecord::find(std::string_view name, const FileMark& mark) const {
  const auto found = std::find_if(files.begin(), files.end(), [&](const Entry& e) { return e.name == name && e.mark == mark; });
  return found == files.end() ? nullptr : &*found;
}

FolderRecord read_record(const std::string& hidden) {
  FolderRecord record;
  try {
    const Json json = Json::parse(read_text_file(record_path(hidden)));
    if (json.at("format") != "trompo folder") return {};
    for (const auto& file : json.at("files"))
      record.files.push_back({file.at("name"), file.at("model"), {file.at("size"), file.at("changed")}});
    record.incoming = names_in(json.at("incoming"));
    record.outgoing = names_in(json.at("outgoing"));
  } catch (const Json::exception&) {  // then nothing here is ours
    return {};
  }
  return record;
}

void write_record(const FolderRecord& record, const std::string& hidden) {
  Json json{{"format", "trompo folder"}, {"version", 1}, {"files", Json::array()}};
  for (const FolderRecord::Entry& e : record.files)
    json["files"].push_back({{"name", e.name}, {"model", e.model}, {"size", e.mark.size}, {"changed", e.mark.changed}});
  json["incoming"] = record.incoming;
  json["outgoing"] = record.outgoing;
  write_text_file(record_path(hidden), json_text(json, 1) + '\n');
}

}  // namespace trompo
