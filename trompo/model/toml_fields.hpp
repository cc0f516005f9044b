// Reads the words of the model file from TOML tables, and collects everything that is wrong with them. Private to the reader.
#pragma once

#include <toml++/toml.h>

#include <map>
#include <optional>
#include <string>
#include <vector>

#include "trompo/model/vocabulary.hpp"

namespace trompo {

// What the tables of one file share.
struct TomlReading {
  std::string file;
  std::string plane;                                   // as written; "" in space
  std::map<std::string, double> parameters;            // for formulas of time and numbers
  std::map<const toml::node*, std::string> overrides;  // values that came from --set, with what was typed there
  std::map<std::string, bool> top_level;               // keys of the root, with whether a text may stand there
  std::vector<Diagnostic> diagnostics;
  std::map<std::string, std::string> without_value{};  // parameters: why, or "" where another one is to blame
};

// A number as it stands there; a whole one beyond 2^53 is rounded to the nearest that a double has.
[[nodiscard]] std::optional<double> number_of(const toml::node&);

// Works out [parameters], which may be formulas of each other.
void resolve_parameters(const toml::table& root, TomlReading& reading);

class TomlFields final : public Fields {
 public:
  // `label` ends a message: "", " in [time]", " of node 'bob'". `file` is "--set ..." inside of an overridden value.
  TomlFields(const toml::table& table, std::string label, std::string file, TomlReading& reading);

  void text(const Key&, std::string&) override;
  void choice(const Key&, std::string&, std::span<const std::string_view> options) override;
  void flag(const Key&, bool&) override;
  void number(const Key&, std::optional<double>&) override;
  void count(const Key&, std::optional<long>&) override;
  void vector(const Key&, std::optional<Vec3>&) override;
  void places(const Key&, std::optional<std::vector<Vec3>>&) override;
  void array(const Key&, std::optional<std::vector<double>>&, std::span<const std::size_t> sizes) override;
  void one_or_each(const Key&, std::optional<std::vector<double>>&) override;
  void names(const Key&, std::array<std::string, 2>&) override;
  void axes(const Key&, std::array<bool, 3>&) override;
  void function(const Key&, std::optional<TimeFunction>&) override;
  void functions(const Key&, std::array<TimeFunction, 3>&, std::array<std::string, 3>& texts) override;
  void table_of_vectors(const Key&, std::array<TimeFunction, 3>&) override;
  void section(const Key&, const Nested&) override;
  void vector_or_section(const Key&, std::optional<Vec3>&, const Nested&) override;
  void list(const Key&, int present, const std::function<void(Fields&, int)>& item) override;
  void numbers(const Key&, std::map<std::string, double>&) override;
  void source(Source&) override;

  void report_unknown_keys();  // once every word has been asked for

 private:
  // `entry` is the part of a value that is meant: "" or ", entry 2".
  const toml::node* take(const Key&);
  void complain(const Key&, const toml::node* at, const std::string& entry, const std::string& message,
                std::string remedy = {});
  void expected(const Key&, const toml::node& found, const std::string& entry, const std::string& what);
  [[nodiscard]] std::string place_of(const Key&) const;
  [[nodiscard]] std::string remedy_for(const std::string& unknown, const toml::node& value) const;
  // Every number of the file comes through here: nothing, with a complaint, where there is none that the key may have.
  [[nodiscard]] std::optional<double> number_in_range(const Key&, const toml::node&, const std::string& entry);
  // A number, or a formula of numbers and [parameters].
  [[nodiscard]] std::optional<double> worked_out(const Key&, const toml::node&, const std::string& entry);
  [[nodiscard]] std::optional<TimeFunction> time_function(const Key&, const toml::node&, const std::string& entry);
  [[nodiscard]] std::optional<TimeFunction> time_table(const Key&, const toml::array& rows);
  [[nodiscard]] bool in_range(const Key&, const toml::node&, double value, const std::string& entry = {});
  [[nodiscard]] bool comes_after(const Key&, const toml::array& row, double before, double time, const std::string& entry);
  // The axes that the entries of a vector of this length stand for; empty, with a complaint, if the length is wrong.
  [[nodiscard]] std::vector<std::size_t> axes_of(const Key&, const toml::array&, std::size_t before, const std::string& entry);
  [[nodiscard]] std::optional<Vec3> vector_of(const Key&, const toml::node&, const std::string& entry);
  [[nodiscard]] bool acts_on_coordinate() const;
  // Appends the numbers of a list; false, with a complaint, if one is none.
  [[nodiscard]] bool append(const Key&, const toml::array&, const std::string& entry, std::vector<double>& out);

  const toml::table& table_;
  std::string label_, file_;
  TomlReading& reading_;
  std::vector<std::string> known_;
  std::vector<Key> texts_;  // those of them that are texts
};

}  // namespace trompo
