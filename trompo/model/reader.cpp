#include "trompo/model/reader.hpp"

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <nlohmann/json.hpp>
#include <set>
#include <utility>

#include "trompo/model/aircraft.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/json_fields.hpp"
#include "trompo/model/json_text.hpp"
#include "trompo/model/memory.hpp"
#include "trompo/model/overrides.hpp"
#include "trompo/model/rod.hpp"
#include "trompo/model/toml_depth.hpp"
#include "trompo/model/toml_fields.hpp"
#include "trompo/model/vocabulary.hpp"

namespace trompo {

namespace {

[[noreturn]] void refuse(const std::string& file, int line, std::string message, std::string remedy) {
  throw ModelError({{Diagnostic::Severity::error, file, line, std::move(message), std::move(remedy)}});
}

// Strict UTF-8: no overlong forms, no surrogates, nothing beyond U+10FFFF, and no NUL.
bool is_text(std::string_view bytes) {
  for (std::size_t i = 0; i < bytes.size();) {
    const auto lead = static_cast<unsigned char>(bytes[i]);
    if (lead == 0) return false;
    const int more = lead < 0x80                   ? 0
                     : lead >= 0xC2 && lead < 0xE0 ? 1
                     : (lead & 0xF0) == 0xE0       ? 2
                     : lead >= 0xF0 && lead < 0xF5 ? 3
                                                   : -1;
    if (more < 0 || i + static_cast<std::size_t>(more) >= bytes.size()) return false;
    for (int k = 1; k <= more; ++k) {
      const auto next = static_cast<unsigned char>(bytes[i + static_cast<std::size_t>(k)]);
      const int least = k > 1 ? 0x80 : lead == 0xE0 ? 0xA0 : lead == 0xF0 ? 0x90 : 0x80;
      const int most = k > 1 ? 0xBF : lead == 0xED ? 0x9F : lead == 0xF4 ? 0x8F : 0xBF;
      if (next < least || next > most) return false;
    }
    i += static_cast<std::size_t>(more) + 1;
  }
  return true;
}

toml::table parse_toml(std::string_view text, const std::string& file) {
  if (!is_text(text)) refuse(file, 1, "not a text file", "a model is a TOML file in UTF-8");
  if (const auto deep = too_deep(text)) refuse(file, deep->line, deep->message, "no key of a model is that deep");
  try {
    toml::table root = toml::parse(text);
    if (root.empty())
      refuse(file, 1, "the model is empty",
             "the smallest model needs a [[node]] with mass and a [time] with step, end and scheme");
    return root;
  } catch (const toml::parse_error& error) {
    refuse(file, static_cast<int>(error.source().begin.line), std::string(error.description()), "the file must be valid TOML");
  }
}

std::vector<Diagnostic> errors_of(std::vector<Diagnostic> all) {
  std::erase_if(all, [](const Diagnostic& d) { return d.severity != Diagnostic::Severity::error; });
  return all;
}

void throw_errors(std::vector<Diagnostic> all) {
  all = errors_of(std::move(all));
  std::stable_sort(all.begin(), all.end(), [](const Diagnostic& a, const Diagnostic& b) { return a.line < b.line; });
  if (!all.empty()) throw ModelError(std::move(all));
}

// Lines where the tables of a file begin, those within others too.
void find_tables(const toml::node& node, std::set<int>& begins) {
  if (const toml::table* table = node.as_table()) {
    begins.insert(static_cast<int>(table->source().begin.line));
    for (const auto& [key, value] : *table) find_tables(value, begins);
  } else if (const toml::array* array = node.as_array()) {
    for (const toml::node& value : *array) find_tables(value, begins);
  }
}

// Builds what stands for many parts and checks the whole, though not all of it could be read or built: these errors are `wrong`
// and what is found is added. Of a table with one nothing more is said, nor where its name is mentioned, nor of the whole;
// where a name could not be read, or an aircraft, nothing at all.
class Completion {
 public:
  Completion(Model& model, std::vector<Diagnostic> wrong, const toml::table& root) : m_(model), wrong_(std::move(wrong)) {
    find_tables(root, begins_);
  }
  std::vector<Diagnostic> all_errors() {
    const bool read = wrong_.empty();
    silence();
    if (!read && (nameless_ || m_.aircraft)) return std::move(wrong_);
    std::erase_if(m_.rods, [this](const RodInput& rod) { return unread_.contains(table_of(rod.source.line)); });
    if (m_.aircraft) {
      if (!m_.source.keys.contains("gravity")) m_.gravity = Vec3(0, 0, -9.81);
      expand(*m_.aircraft, m_);
    }
    const std::vector<RodInput> rods = m_.rods;
    try {
      expand_rods(m_);
    } catch (ModelError& error) {
      std::move(error.diagnostics.begin(), error.diagnostics.end(), std::back_inserter(wrong_));
      silence();
      look(rods);
    }
    const bool whole = wrong_.empty();
    for (Diagnostic& d : errors_of(check(m_))) {
      const auto mentioned = [&d](const std::string& name) { return d.message.find(name) != std::string::npos; };
      const bool of_the_whole = !whole && d.line == m_.source.line;  // it may only lack what is wrong
      if (!of_the_whole && !unread_.contains(table_of(d.line)) && std::none_of(silent_.begin(), silent_.end(), mentioned))
        wrong_.push_back(std::move(d));
    }
    return std::move(wrong_);
  }

 private:
  [[nodiscard]] int table_of(int line) const { return *std::prev(begins_.upper_bound(std::max(line, 0))); }
  template <class Parts>
  void look(const Parts& parts) {
    for (const auto& part : parts) {
      nameless_ = nameless_ || part.name.empty();
      if (unread_.contains(table_of(part.source.line))) silent_.push_back(in_quotes(part.name));
    }
  }
  void silence() {
    if (wrong_.empty()) return;
    for (const Diagnostic& d : wrong_) unread_.insert(table_of(d.line));
    look(m_.nodes), look(m_.bodies), look(m_.coordinates), look(m_.pendulums), look(m_.bars), look(m_.springs), look(m_.rods);
    look(m_.rod_elements), look(m_.potentials), look(m_.invariants), look(m_.constraints), look(m_.joints), look(m_.loads);
    look(m_.sensors);
  }
  Model& m_;
  std::vector<Diagnostic> wrong_;
  std::set<int> begins_{0}, unread_;
  std::vector<std::string> silent_;
  bool nameless_ = false;
};

}  // namespace

Model read_model(const std::string& file, std::span<const std::string> overrides) {
  const std::string trouble = "cannot read " + in_quotes(file) + ": ";
  std::error_code error;
  const auto status = std::filesystem::status(file, error);
  if (!std::filesystem::exists(status))
    throw FileError(trouble + (error && error != std::errc::no_such_file_or_directory ? error.message() : "no such file"));
  if (std::filesystem::is_directory(status)) throw FileError(trouble + "it is a directory");
  // A pipe or a device may never end.
  if (!std::filesystem::is_regular_file(status)) throw FileError(trouble + "it is no regular file");
  constexpr std::uintmax_t most = 256 << 20;
  if (const auto size = std::filesystem::file_size(file, error); !error && size > most)
    throw FileError(trouble + "it has " + std::to_string(size >> 20) + " MB, and a model has at most " +
                    std::to_string(most >> 20));
  errno = 0;
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw FileError(trouble + (errno != 0 ? std::strerror(errno) : "it cannot be opened"));
  const std::string text{std::istreambuf_iterator<char>(stream), std::istreambuf_iterator<char>()};
  if (stream.bad()) throw FileError(trouble + "reading failed");
  return parse_model(text, file, overrides);
}

Model parse_model(std::string_view text, const std::string& name, std::span<const std::string> overrides) {
  toml::table root = parse_toml(text, name);
  static const nlohmann::ordered_json schema = schema_tree();
  TomlReading reading{name, {}, {}, {}, {}, {}};
  for (const auto& property : schema["properties"].items())
    reading.top_level[property.key()] =
        property.value().contains("enum") || (property.value().contains("type") && property.value()["type"] == "string");
  for (const std::string& override : overrides) apply_override(root, override, schema, reading);
  throw_errors(reading.diagnostics);

  Model model;
  model.file = name;
  reading.plane = root["plane"].value_or(std::string());
  resolve_parameters(root, reading);
  TomlFields fields(root, "", name, reading);
  describe(fields, model);
  fields.report_unknown_keys();
  // Another version has other words: complaints about them would only hide the reason.
  if (model.format_version != 1)
    refuse(model.source.place_of("format_version", name), model.source.of("format_version"),
           "'format_version' is " + std::to_string(model.format_version) + ", but this program reads version 1",
           "write format_version = 1 or leave it out");
  std::vector<Diagnostic> wrong = errors_of(std::move(reading.diagnostics));
  if (std::vector<Diagnostic> heavy = errors_of(check_memory(model, available_memory())); !heavy.empty()) {
    std::move(heavy.begin(), heavy.end(), std::back_inserter(wrong));  // to build it would take what is not there
    throw_errors(std::move(wrong));
  }
  throw_errors(Completion(model, std::move(wrong), root).all_errors());
  return model;
}

std::string model_schema() { return json_text(schema_tree(), 2); }
std::string model_json(const Model& model) { return json_text(model_tree(model), 2); }

}  // namespace trompo
