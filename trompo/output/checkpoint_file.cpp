#include "trompo/output/checkpoint_file.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <system_error>

#include "trompo/model/json_text.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/folder_record.hpp"
#include "trompo/output/version.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

constexpr std::string_view first_line = "trompo checkpoint 1\n", any_version = "trompo checkpoint ";

template <class Value>
void add_bytes(std::string& bytes, const Value* values, std::size_t count) {
  bytes.append(reinterpret_cast<const char*>(values), count * sizeof(Value));
}
std::uint64_t word_at(std::string_view bytes, std::size_t at) {
  std::uint64_t word = 0;
  std::memcpy(&word, bytes.data() + at, sizeof word);
  return word;
}

constexpr std::array<std::pair<const char*, History Checkpoint::*>, 3> parts{
    {{"run", &Checkpoint::run}, {"scheme", &Checkpoint::scheme}, {"start", &Checkpoint::start}}};

[[noreturn]] void refuse(const std::string& path, std::string_view why) { throw FileError(fmt::format("{}: {}", path, why)); }

std::string path_of(const std::string& hidden, bool before) { return hidden + (before ? "/checkpoint.before" : "/checkpoint"); }

}  // namespace

std::uint64_t checksum(std::string_view bytes) {
  constexpr std::uint64_t prime = 0x100000001b3;
  std::uint64_t sum = 0xcbf29ce484222325;
  std::size_t at = 0;
  for (; at + 8 <= bytes.size(); at += 8) sum = ((sum ^ word_at(bytes, at)) * prime) ^ (sum >> 47U);
  for (; at < bytes.size(); ++at) sum = (sum ^ static_cast<unsigned char>(bytes[at])) * prime;
  return sum ^ bytes.size();
}

std::string bytes_of(const CheckpointFile& file) {
  Json arrays = Json::array();
  for (const auto& [part, history] : parts)
    for (const auto& [name, values] : (file.at.*history).arrays) arrays.push_back({part, name, values.size()});
  const std::string text = json_text({{"trompo_version", version()},
                                      {"model_file", storable(file.model_file)},
                                      {"model_path", storable(file.model_path)},
                                      {"overrides", file.overrides},
                                      {"report", file.report},
                                      {"keep_going", file.keep_going},
                                      {"model_hash", file.model_hash},
                                      {"steps", file.at.steps},
                                      {"samples", file.at.samples},
                                      {"time", file.at.time},
                                      {"wall_seconds", file.at.wall_seconds},
                                      {"arrays", std::move(arrays)}});
  std::string bytes(first_line);
  const std::uint64_t length = text.size();
  add_bytes(bytes, &length, 1);
  bytes += text;
  for (const auto& part : parts)
    for (const auto& entry : (file.at.*part.second).arrays)
      add_bytes(bytes, entry.second.data(), static_cast<std::size_t>(entry.second.size()));
  const std::uint64_t sum = checksum(bytes);
  add_bytes(bytes, &sum, 1);
  return bytes;
}

CheckpointFile checkpoint_of(const std::string& bytes, const std::string& path) {
  const std::size_t heading = first_line.size() + 8;
  if (!bytes.starts_with(any_version)) refuse(path, "is no checkpoint");
  if (!bytes.starts_with(first_line)) refuse(path, "is a checkpoint of another version of trompo");
  if (bytes.size() < heading + 8 ||
      word_at(bytes, bytes.size() - 8) != checksum(std::string_view(bytes).substr(0, bytes.size() - 8)))
    refuse(path, "the checkpoint is damaged: its checksum is another");
  const std::uint64_t length = word_at(bytes, first_line.size());
  if (length > bytes.size() - heading - 8) refuse(path, "the checkpoint is damaged: it is too short");
  CheckpointFile file;
  try {
    const Json json = Json::parse(bytes.substr(heading, length));
    if (const auto by = json.at("trompo_version").get<std::string>(); by != version())
      refuse(path, fmt::format("is a checkpoint of trompo {}, and this is {}: run the model again", by, version()));
    json.at("model_file").get_to(file.model_file);
    json.at("model_path").get_to(file.model_path);
    json.at("overrides").get_to(file.overrides);
    json.at("report").get_to(file.report);
    json.at("keep_going").get_to(file.keep_going);
    json.at("model_hash").get_to(file.model_hash);
    json.at("steps").get_to(file.at.steps);
    json.at("samples").get_to(file.at.samples);
    json.at("time").get_to(file.at.time);
    json.at("wall_seconds").get_to(file.at.wall_seconds);
    std::size_t at = heading + length;
    for (const Json& array : json.at("arrays")) {
      const std::size_t size = array.at(2);
      if (size > (bytes.size() - 8 - at) / sizeof(double)) refuse(path, "the checkpoint is damaged: it is too short");
      const auto part =
          std::find_if(parts.begin(), parts.end(), [&array](const auto& each) { return array.at(0) == each.first; });
      if (part == parts.end()) refuse(path, "the checkpoint is damaged: it has arrays of nothing");
      VecX& values = (file.at.*part->second).arrays[array.at(1)];
      values.resize(static_cast<Eigen::Index>(size));
      if (size > 0) std::memcpy(values.data(), bytes.data() + at, size * sizeof(double));
      at += size * sizeof(double);
    }
  } catch (const Json::exception& why) {
    refuse(path, fmt::format("the checkpoint is damaged: {}", why.what()));
  }
  if (file.at.steps < 0 || file.at.samples < 0) refuse(path, "the checkpoint is damaged: it counts below zero");
  return file;
}

void write_checkpoint(const CheckpointFile& file, const std::string& hidden, bool lasting) {
  const std::string place = path_of(hidden, false), draft = place + ".new";
  write_text_file(draft, bytes_of(file));
  if (lasting) make_lasting(draft);
  // A second name for the last one, so that its own is never without a file.
  if (mark_of(place)) {
    const std::string second = place + ".old";
    std::error_code ignored;
    std::filesystem::remove(second, ignored);
    const bool linked = ::link(place.c_str(), second.c_str()) == 0;
    if (std::rename(linked ? second.c_str() : place.c_str(), path_of(hidden, true).c_str()) != 0)
      refuse(place, std::generic_category().message(errno));
  }
  if (std::rename(draft.c_str(), place.c_str()) != 0) refuse(place, std::generic_category().message(errno));
  if (lasting) make_lasting(hidden);
}

std::vector<CheckpointFile> read_checkpoints(const std::string& hidden, std::vector<std::string>& troubles) {
  std::vector<CheckpointFile> found;
  for (const bool before : {false, true}) {
    const std::string path = path_of(hidden, before);
    try {
      if (mark_of(path)) found.push_back(checkpoint_of(read_text_file(path), path));
    } catch (const FileError& trouble) {
      troubles.emplace_back(trouble.what());
    }
  }
  return found;
}

void remove_checkpoints(const std::string& hidden) {
  std::error_code ignored;
  for (const bool before : {false, true}) std::filesystem::remove(path_of(hidden, before), ignored);
}

namespace {

// Of what has a name in a list, that; else where it stands.
std::string place_in(const std::string& list, const Json& entry, std::size_t index) {
  const bool named = entry.is_object() && entry.contains("name") && entry.at("name").is_string();
  return named ? fmt::format("{}.{}", list, entry.at("name").get<std::string>()) : fmt::format("{}[{}]", list, index);
}

void compare(const std::string& place, const Json& a, const Json& b, std::vector<std::string>& found) {
  constexpr std::size_t most = 5;
  if (a == b || found.size() > most) return;
  const auto shown = [](const Json& x) {
    const std::string text = json_text(x);
    return text.size() <= 60 ? text : text.substr(0, 57) + "...";
  };
  if (a.is_object() && b.is_object()) {
    for (const auto& [key, value] : a.items()) {
      const std::string inner = place.empty() ? key : place + "." + key;
      if (b.contains(key))
        compare(inner, value, b.at(key), found);
      else
        found.push_back(inner + " is gone");
    }
    for (const auto& [key, value] : b.items())
      if (!a.contains(key)) found.push_back((place.empty() ? key : place + "." + key) + " is new");
  } else if (a.is_array() && b.is_array() && a.size() == b.size()) {
    for (std::size_t i = 0; i < a.size(); ++i) compare(place_in(place, a[i], i), a[i], b[i], found);
  } else if (a.is_array() && b.is_array() && (!a.empty() && a[0].is_object())) {
    found.push_back(fmt::format("{} has {} entries and had {}", place, b.size(), a.size()));
  } else {
    found.push_back(fmt::format("{} is {} and was {}", place, shown(b), shown(a)));
  }
}

}  // namespace

std::string what_differs(const std::string& before, const std::string& now) {
  std::vector<std::string> found;
  compare("", Json::parse(before), Json::parse(now), found);
  constexpr std::size_t most = 5;
  std::string text = fmt::format(
      "{}", fmt::join(found.begin(), found.begin() + static_cast<std::ptrdiff_t>(std::min(most, found.size())), "; "));
  return found.size() > most ? text + "; and more" : text;
}

}  // namespace trompo
