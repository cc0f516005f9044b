// Numbers that are formulas of [parameters], and the parameters themselves.
#include <algorithm>
#include <cstdlib>

#include "trompo/model/toml_fields.hpp"

namespace trompo {

namespace {

// A number in quotes is a slip: quotes are for formulas.
bool plain_number(const std::string& text) {
  char* end = nullptr;
  (void)std::strtod(text.c_str(), &end);
  return !text.empty() && *end == '\0';
}

// Depth first along the names that formulas use. `path` is how one came here.
class Resolution {
 public:
  Resolution(const toml::table& given, TomlReading& reading) : given_(given), reading_(reading) {
    for (const auto& [key, value] : given) names_.emplace_back(key.str());
    all_.assign(names_.begin(), names_.end());
  }
  void go() {
    for (const std::string& name : names_) (void)resolve(name);
  }

 private:
  bool resolve(const std::string& name) {
    if (reading_.parameters.contains(name)) return true;
    if (reading_.without_value.contains(name)) return false;
    if (std::find(path_.begin(), path_.end(), name) != path_.end()) {
      std::string circle;
      for (const std::string& each : path_) circle += each + " -> ";
      reading_.without_value[path_.front()] = "goes round in a circle, " + circle + name;
      return false;
    }
    const toml::node& node = *given_.get(name);
    if (const auto number = number_of(node)) {
      reading_.parameters[name] = *number;
      return true;
    }
    const auto* text = node.as_string();
    if (text == nullptr || plain_number(text->get())) return false;  // refused where it is read
    try {
      Formula formula(text->get(), all_);
      std::vector<double> values;
      path_.push_back(name);
      bool known = true;
      for (const int used : formula.compact()) {
        const std::string& other = names_[static_cast<std::size_t>(used)];
        known = resolve(other) && known;
        if (known) values.push_back(reading_.parameters.at(other));
      }
      path_.pop_back();
      if (known)
        reading_.parameters[name] = formula.evaluate(values);
      else
        reading_.without_value.emplace(name, "");  // unless the circle began here
      return known;
    } catch (const FormulaError&) {  // said where it is read
      return false;
    }
  }

  const toml::table& given_;
  TomlReading& reading_;
  std::vector<std::string> names_, path_;
  std::vector<std::string_view> all_;
};

}  // namespace

void resolve_parameters(const toml::table& root, TomlReading& reading) {
  if (const toml::table* given = root["parameters"].as_table()) Resolution(*given, reading).go();
}

std::optional<double> TomlFields::worked_out(const Key& key, const toml::node& node, const std::string& entry) {
  if (const auto value = number_of(node)) return value;
  const auto* formula = node.as_string();
  if (formula == nullptr || plain_number(formula->get())) {
    expected(key, node, entry, "a number");
    return {};
  }
  try {
    return Formula(formula->get(), {}, reading_.parameters).evaluate({});
  } catch (const FormulaError& error) {
    // A name that has no value of its own has been complained of.
    const bool lost = std::any_of(reading_.without_value.begin(), reading_.without_value.end(), [&](const auto& parameter) {
      return std::string_view(error.what()).find(in_quotes(parameter.first)) != std::string_view::npos;
    });
    if (!lost)
      complain(key, &node, entry, ": expected a number, found a string",
               "a formula of numbers and names of [parameters] would do, but column " + std::to_string(error.column) + ": " +
                   error.what());
    return {};
  }
}

}  // namespace trompo
