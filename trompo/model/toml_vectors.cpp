// Lists: vectors, pairs of names, axes, tables over time.
#include <algorithm>

#include "trompo/model/toml_fields.hpp"

namespace trompo {

namespace {

std::string entry_number(std::size_t index) { return ", entry " + std::to_string(index + 1); }

}  // namespace

std::vector<std::size_t> TomlFields::axes_of(const Key& key, const toml::array& array, std::size_t before,
                                             const std::string& entry) {
  const bool plane = !reading_.plane.empty();
  const std::size_t found = array.size(), full = before + 3;
  if (found == full) return {0, 1, 2};
  if (plane && found + 1 == full) {
    if (reading_.plane == "xz") return {0, 2};
    if (reading_.plane == "yz") return {1, 2};
    return {0, 1};
  }
  const std::string wanted = (plane ? std::to_string(full - 1) + " or " : "") + std::to_string(full);
  complain(key, &array, entry, ": expected " + wanted + " entries, found " + std::to_string(found),
           plane || found + 1 != full ? "" : "a plane problem says plane = \"xy\" at the top of the file");
  return {};
}

// A generalised coordinate is one number, and so is the force on it.
bool TomlFields::acts_on_coordinate() const {
  return table_.contains("coordinate") && !table_.contains("node") && !table_.contains("body");
}

void TomlFields::vector(const Key& key, std::optional<Vec3>& value) {
  if (const toml::node* node = take(key))
    if (const auto given = vector_of(key, *node, "")) value = given;
}

void TomlFields::places(const Key& key, std::optional<std::vector<Vec3>>& value) {
  const toml::node* node = take(key);
  if (!node) return;
  const auto* rows = node->as_array();
  if (!rows) return expected(key, *node, "", "a list of places");
  std::vector<Vec3> given;
  for (std::size_t i = 0; i < rows->size(); ++i)
    if (const auto place = vector_of(key, (*rows)[i], ", row " + std::to_string(i + 1))) given.push_back(*place);
  if (given.size() == rows->size()) value = std::move(given);
}

std::optional<Vec3> TomlFields::vector_of(const Key& key, const toml::node& node, const std::string& entry) {
  const auto* array = node.as_array();
  if (!array) {
    expected(key, node, entry, "a list of numbers");
    return {};
  }
  const auto axes = axes_of(key, *array, 0, entry);
  Vec3 given = Vec3::Zero();
  bool good = !axes.empty();
  for (std::size_t i = 0; i < axes.size(); ++i) {
    const auto number = number_in_range(key, (*array)[i], entry + entry_number(i));
    if (number) given[static_cast<Eigen::Index>(axes[i])] = *number;
    good = good && number;
  }
  return good ? std::optional(given) : std::nullopt;
}

bool TomlFields::append(const Key& key, const toml::array& list, const std::string& entry, std::vector<double>& out) {
  bool good = true;
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto number = number_in_range(key, list[i], entry + entry_number(i));
    good = number && good;
    if (number) out.push_back(*number);
  }
  return good;
}

void TomlFields::array(const Key& key, std::optional<std::vector<double>>& value, std::span<const std::size_t> sizes) {
  const toml::node* node = take(key);
  if (!node) return;
  std::string wanted;
  for (const std::size_t size : sizes)
    wanted += (wanted.empty() ? "" : " or ") + (size == 9 ? std::string("3 rows of 3") : std::to_string(size)) + " numbers";
  const auto* list = node->as_array();
  if (!list) return expected(key, *node, "", "a list of " + wanted);
  const auto allowed = [&sizes](std::size_t size) { return std::find(sizes.begin(), sizes.end(), size) != sizes.end(); };
  const bool nested = allowed(9) && (sizes.size() == 1 || (!list->empty() && (*list)[0].is_array()));
  std::vector<double> numbers;
  if (!nested) {
    if (!allowed(list->size()))
      return complain(key, node, "", ": expected " + wanted + ", found " + std::to_string(list->size()));
    if (append(key, *list, "", numbers)) value = std::move(numbers);
    return;
  }
  if (list->size() != 3) return complain(key, node, "", ": expected " + wanted + ", found " + std::to_string(list->size()));
  bool good = true;
  for (std::size_t i = 0; i < 3; ++i) {
    const std::string row_number = ", row " + std::to_string(i + 1);
    const auto* row = (*list)[i].as_array();
    if (!row) return expected(key, (*list)[i], row_number, "a list of 3 numbers");
    if (row->size() != 3) return complain(key, row, row_number, ": expected 3 numbers, found " + std::to_string(row->size()));
    good = append(key, *row, row_number, numbers) && good;
  }
  if (good) value = std::move(numbers);
}

void TomlFields::one_or_each(const Key& key, std::optional<std::vector<double>>& value) {
  const toml::node* node = take(key);
  if (!node) return;
  std::vector<double> numbers;
  if (const auto* list = node->as_array()) {
    if (append(key, *list, "", numbers)) value = std::move(numbers);
  } else if (!node->is_number() && !node->is_string()) {
    expected(key, *node, "", "a number or a list of numbers");
  } else if (const auto number = number_in_range(key, *node, "")) {
    value = std::vector<double>{*number};
  }
}

// The times of a table rise, by so much at least that slopes are numbers.
bool TomlFields::comes_after(const Key& key, const toml::array& row, double before, double time, const std::string& entry) {
  if (!(time > before))
    complain(key, &row, entry, ": the time " + number_text(time) + " does not come after " + number_text(before),
             "sort the rows by time, each time once");
  else if (!Range::positive.contains(time - before))
    complain(key, &row, entry, ": the time " + number_text(time) + " is too near to " + number_text(before),
             "times are at least " + number_text(Range::positive.least) + " s apart");
  else
    return true;
  return false;
}

// Rows [t, value] of a function of time.
std::optional<TimeFunction> TomlFields::time_table(const Key& key, const toml::array& rows) {
  TimeFunction::Table table;
  if (rows.empty()) complain(key, &rows, "", " has no rows", "give at least one row [t, value]");
  for (std::size_t i = 0; i < rows.size(); ++i) {
    const std::string row_number = ", row " + std::to_string(i + 1);
    const auto* row = rows[i].as_array();
    if (!row || row->size() != 2) {
      complain(key, &rows[i], row_number, ": expected [t, value]");
      return {};
    }
    const auto t = number_in_range(key, (*row)[0], row_number + entry_number(0)),
               value = number_in_range(key, (*row)[1], row_number + entry_number(1));
    if (!t || !value) return {};
    if (!table.empty() && !comes_after(key, *row, table.back().first, *t, row_number)) return {};
    table.emplace_back(*t, *value);
  }
  if (table.empty()) return {};
  return TimeFunction(std::move(table));
}

void TomlFields::names(const Key& key, std::array<std::string, 2>& value) {
  const toml::node* node = take(key);
  if (!node) return;
  const auto* array = node->as_array();
  if (!array) return expected(key, *node, "", "a list of two names");
  if (array->size() != 2) return complain(key, node, "", ": expected 2 names, found " + std::to_string(array->size()));
  for (std::size_t i = 0; i < 2; ++i) {
    if (const auto* name = (*array)[i].as_string())
      value[i] = name->get();
    else
      expected(key, (*array)[i], entry_number(i), "a name");
  }
}

void TomlFields::axes(const Key& key, std::array<bool, 3>& value) {
  const toml::node* node = take(key);
  if (!node) return;
  const auto* array = node->as_array();
  if (!array) return expected(key, *node, "", "a list of axes such as [\"x\", \"z\"]");
  for (std::size_t i = 0; i < array->size(); ++i) {
    const std::string axis = (*array)[i].value_or(std::string());
    if (axis == "x" || axis == "y" || axis == "z")
      value[static_cast<std::size_t>(axis[0] - 'x')] = true;
    else if ((*array)[i].is_string())
      complain(key, &(*array)[i], entry_number(i), " is " + in_quotes(axis) + ", but must be \"x\", \"y\" or \"z\"");
    else
      expected(key, (*array)[i], entry_number(i), "\"x\", \"y\" or \"z\"");
  }
}

void TomlFields::functions(const Key& key, std::array<TimeFunction, 3>& value, std::array<std::string, 3>& texts) {
  const toml::node* node = take(key);
  if (!node) return;
  const auto* array = node->as_array();
  // What is no formula of time may be one of coordinates: only the whole model can tell.
  const auto read = [&](const toml::node& entry, const std::string& number, std::size_t axis) {
    if (const auto* formula = entry.as_string()) {
      try {
        value[axis] = TimeFunction::parse(formula->get(), reading_.parameters);
      } catch (const FormulaError&) {
        texts[axis] = formula->get();
      }
    } else if (auto given = time_function(key, entry, number)) {
      value[axis] = std::move(*given);
    }
  };
  if (acts_on_coordinate() && (!array || array->size() == 1)) return read(array ? (*array)[0] : *node, "", 0);
  if (acts_on_coordinate())
    return complain(key, node, "", ": expected one number or formula, found " + std::to_string(array->size()),
                    "a coordinate is one number, and so is the force on it");
  if (!array) return expected(key, *node, "", "a list of numbers or formulas");
  const auto axes = axes_of(key, *array, 0, "");
  for (std::size_t i = 0; i < axes.size(); ++i) read((*array)[i], entry_number(i), axes[i]);
}

void TomlFields::table_of_vectors(const Key& key, std::array<TimeFunction, 3>& value) {
  const toml::node* node = take(key);
  if (!node) return;
  const auto* rows = node->as_array();
  if (!rows) return expected(key, *node, "", "a list of rows");
  if (rows->empty()) return complain(key, node, "", " has no rows", "give at least one row [t, x, y, z]");
  std::array<TimeFunction::Table, 3> columns;
  double last = 0;
  for (std::size_t i = 0; i < rows->size(); ++i) {
    const std::string row_number = ", row " + std::to_string(i + 1);
    const toml::node& node_of_row = (*rows)[i];
    const auto* row = node_of_row.as_array();
    if (!row) return expected(key, node_of_row, row_number, "a list of numbers");
    std::vector<std::size_t> axes{0};
    if (acts_on_coordinate()) {
      if (row->size() != 2)
        return complain(key, row, row_number, ": expected 2 entries, time and force, found " + std::to_string(row->size()));
    } else {
      axes = axes_of(key, *row, 1, row_number);
    }
    if (axes.empty()) return;
    std::vector<double> numbers;
    for (std::size_t k = 0; k < row->size(); ++k) {
      const auto number = number_in_range(key, (*row)[k], row_number + entry_number(k));
      if (!number) return;
      numbers.push_back(*number);
    }
    if (i > 0 && !comes_after(key, *row, last, numbers[0], row_number)) return;
    last = numbers[0];
    for (auto& column : columns) column.emplace_back(last, 0.0);
    for (std::size_t k = 0; k < axes.size(); ++k) columns[axes[k]].back().second = numbers[k + 1];
  }
  for (std::size_t i = 0; i < 3; ++i) value[i] = TimeFunction(std::move(columns[i]));
}

void TomlFields::numbers(const Key& key, std::map<std::string, double>& out) {
  const toml::node* node = take(key);
  if (node == nullptr) return;
  const toml::table* table = node->as_table();
  if (table == nullptr) return expected(key, *node, "", "a table of names and numbers");
  for (const auto& [name, value] : *table) {
    const std::string parameter(name.str()), entry = ", entry " + in_quotes(parameter);
    if (const auto lost = reading_.without_value.find(parameter); lost != reading_.without_value.end()) {
      if (!lost->second.empty()) complain(key, &value, entry, ": " + lost->second, "let one of them be a number");
    } else if (const auto number = number_in_range(key, value, entry)) {
      out[parameter] = *number;
    }
  }
}

}  // namespace trompo
