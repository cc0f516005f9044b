#include "trompo/model/json_fields.hpp"

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>

#include "trompo/model/body.hpp"
#include "trompo/model/vocabulary.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

Json entries(const Vec3& v) { return Json::array({v[0], v[1], v[2]}); }

// ---- the schema: what may be written ----

class SchemaFields final : public Fields {
 public:
  Json object = {
      {"type", "object"}, {"additionalProperties", false}, {"required", Json::array()}, {"properties", Json::object()}};

  void text(const Key& key, std::string&) override { add(key, {{"type", "string"}}); }
  void choice(const Key& key, std::string& value, std::span<const std::string_view> options) override {
    Json& words = add(key, {{"enum", Json::array()}});
    for (const std::string_view option : options) words["enum"].push_back(option);
    if (!value.empty()) words["default"] = value;
  }
  void flag(const Key& key, bool& value) override { add(key, {{"type", "boolean"}, {"default", value}}); }
  void number(const Key& key, std::optional<double>& value) override { add_number(key, "number", value); }
  void count(const Key& key, std::optional<long>& value) override { add_number(key, "integer", value); }
  void vector(const Key& key, std::optional<Vec3>& value) override {
    Json& list = add(key, array_of(number_in(key.range), 2, 3));
    if (value && !key.required) list["default"] = entries(*value);
  }
  void places(const Key& key, std::optional<std::vector<Vec3>>&) override {
    add(key, {{"type", "array"}, {"items", array_of(any_number(), 2, 3)}, {"minItems", 2}});
  }
  void array(const Key& key, std::optional<std::vector<double>>&, std::span<const std::size_t> sizes) override {
    const Json number = number_in(key.range);
    Json kinds = Json::array();
    for (const std::size_t size : sizes) {
      const int count = static_cast<int>(size);
      kinds.push_back(size == 9 ? array_of(array_of(number, 3, 3), 3, 3) : array_of(number, count, count));
    }
    add(key, kinds.size() == 1 ? kinds[0] : Json{{"anyOf", kinds}});
  }
  void one_or_each(const Key& key, std::optional<std::vector<double>>& value) override {
    const Json one = number_in(key.range);
    Json& property = add(key, {{"anyOf", {one, {{"type", "array"}, {"items", one}}}}});
    if (value && value->size() == 1) property["default"] = value->front();
  }
  void names(const Key& key, std::array<std::string, 2>&) override { add(key, array_of({{"type", "string"}}, 2, 2)); }
  void axes(const Key& key, std::array<bool, 3>&) override { add(key, array_of({{"enum", {"x", "y", "z"}}}, 0, 3)); }
  void function(const Key& key, std::optional<TimeFunction>&) override {
    const Json rows = {{"type", "array"}, {"items", array_of(any_number(), 2, 2)}, {"minItems", 1}};
    add(key, {{"anyOf", {any_number(), rows}}});
  }
  void functions(const Key& key, std::array<TimeFunction, 3>&, std::array<std::string, 3>&) override {
    add(key, {{"anyOf", {array_of(any_number(), 1, 3), any_number()}}});
  }
  void table_of_vectors(const Key& key, std::array<TimeFunction, 3>&) override {
    add(key, {{"type", "array"}, {"items", array_of(any_number(), 2, 4)}, {"minItems", 1}});
  }
  void numbers(const Key& key, std::map<std::string, double>&) override {
    add(key, {{"type", "object"}, {"additionalProperties", any_number()}});
  }
  void section(const Key& key, const Nested& nested) override {
    SchemaFields inside;
    nested(inside);
    add(key, inside.object);
  }
  void vector_or_section(const Key& key, std::optional<Vec3>&, const Nested& nested) override {
    SchemaFields inside;
    nested(inside);
    add(key, {{"anyOf", {array_of(any_number(), 2, 3), inside.object}}});
  }
  void list(const Key& key, int, const std::function<void(Fields&, int)>& item) override {
    SchemaFields inside;
    item(inside, 0);
    add(key, {{"type", "array"}, {"items", std::move(inside.object)}});
  }
  void source(Source&) override {}

 private:
  Json& add(const Key& key, const Json& kind) {
    if (key.required) object["required"].push_back(key.name);
    Json& property = object["properties"][std::string(key.name)];
    property = {{"description", key.about}};
    property.update(kind);
    return property;
  }
  template <class Number>
  void add_number(const Key& key, std::string_view type, const std::optional<Number>& value) {
    Json& property = add(key, number_in(key.range, type));
    if (value && !key.required) property["default"] = *value;
  }
  static Json array_of(Json items, int least, int most) {
    return {{"type", "array"}, {"items", std::move(items)}, {"minItems", least}, {"maxItems", most}};
  }
  // A text is a formula of numbers and [parameters].
  static Json number_in(const Range& range, std::string_view type = "number") {
    return {{"anyOf", {bare_number_in(range, type), {{"type", "string"}}}}};
  }
  static Json bare_number_in(const Range& range, std::string_view type) {
    Json number = {{"type", type}};
    const auto bound = [&](double value) { return type == "integer" ? Json(static_cast<long>(value)) : Json(value); };
    if (range.least > 0 && !range.zero) number["exclusiveMinimum"] = 0;
    number["minimum"] = range.zero ? Json(0) : bound(range.least);
    number["maximum"] = bound(range.most);
    if (range.zero) number["anyOf"] = {{{"const", 0}}, {{"minimum", range.least}}};
    return number;
  }
  static Json any_number() { return number_in(Range::any); }
};

// ---- the writer: what a model holds ----

const TimeFunction::Table* table_of(const TimeFunction& f) { return std::get_if<TimeFunction::Table>(&f.form()); }
bool has_table(const std::array<TimeFunction, 3>& f) { return std::any_of(f.begin(), f.end(), table_of); }

Json written(const TimeFunction& f) {
  if (const auto* number = std::get_if<double>(&f.form())) return *number;
  if (const auto* formula = std::get_if<Formula>(&f.form())) return formula->text();
  return *table_of(f);
}

// Plainly: what is as it would be without saying so is left out. Then the file can be read again, and is easier to read.
class JsonFields final : public Fields {
 public:
  explicit JsonFields(bool plain = false) : plain_(plain) {}
  Json object = Json::object();
  [[nodiscard]] bool writes() const override { return true; }

  void text(const Key& key, std::string& value) override {
    if (key.required || !value.empty()) at(key) = value;
  }
  void choice(const Key& key, std::string& value, std::span<const std::string_view>) override { text(key, value); }
  void flag(const Key& key, bool& value) override { at(key) = value; }
  void number(const Key& key, std::optional<double>& value) override {
    if (value) at(key) = *value;
  }
  void count(const Key& key, std::optional<long>& value) override {
    if (value) at(key) = *value;
  }
  void vector(const Key& key, std::optional<Vec3>& value) override {
    if (value) at(key) = entries(*value);
  }
  void places(const Key& key, std::optional<std::vector<Vec3>>& value) override {
    if (!value) return;
    Json& rows = at(key) = Json::array();
    for (const Vec3& place : *value) rows.push_back(entries(place));
  }
  void array(const Key& key, std::optional<std::vector<double>>& value, std::span<const std::size_t>) override {
    if (!value) return;
    const std::vector<double>& v = *value;
    if (v.size() != 9) {
      at(key) = v;
      return;
    }
    Json& rows = at(key) = Json::array();
    for (std::size_t i = 0; i < 9; i += 3) rows.push_back(Json::array({v[i], v[i + 1], v[i + 2]}));
  }
  void one_or_each(const Key& key, std::optional<std::vector<double>>& value) override {
    if (value) at(key) = value->size() == 1 ? Json(value->front()) : Json(*value);
  }
  void names(const Key& key, std::array<std::string, 2>& value) override {
    if (key.required || !value[0].empty()) at(key) = value;
  }
  void numbers(const Key& key, std::map<std::string, double>& value) override {
    if (!value.empty()) at(key) = value;
  }
  void axes(const Key& key, std::array<bool, 3>& value) override {
    Json& list = at(key) = Json::array();
    for (std::size_t i = 0; i < 3; ++i)
      if (value[i]) list.push_back(std::string(1, "xyz"[i]));
  }
  void function(const Key& key, std::optional<TimeFunction>& value) override {
    if (value) at(key) = written(*value);
  }
  void functions(const Key& key, std::array<TimeFunction, 3>& value, std::array<std::string, 3>& texts) override {
    if (has_table(value)) return;
    Json& list = at(key) = Json::array();
    for (std::size_t i = 0; i < 3; ++i) list.push_back(texts[i].empty() ? written(value[i]) : Json(texts[i]));
  }
  void table_of_vectors(const Key& key, std::array<TimeFunction, 3>& value) override {
    if (!has_table(value)) return;
    std::set<double> times;  // of all three: a load built in C++ may have a table of its own along each axis
    for (const TimeFunction& f : value)
      if (const auto* table = table_of(f))
        for (const auto& row : *table) times.insert(row.first);
    Json& rows = at(key) = Json::array();
    for (const double t : times) rows.push_back(Json::array({t, value[0].value(t), value[1].value(t), value[2].value(t)}));
  }
  void section(const Key& key, const Nested& nested) override {
    JsonFields inside(plain_);
    nested(inside);
    if (!inside.object.empty()) at(key) = std::move(inside.object);
  }
  void vector_or_section(const Key& key, std::optional<Vec3>& value, const Nested& nested) override {
    value ? vector(key, value) : section(key, nested);
  }
  void list(const Key& key, int present, const std::function<void(Fields&, int)>& item) override {
    if (present == 0) return;
    JsonFields fresh(plain_);
    if (plain_) item(fresh, present);  // one more than there are: as it is before anything is said of it
    Json& list = at(key) = Json::array();
    for (int i = 0; i < present; ++i) {
      JsonFields inside(plain_);
      item(inside, i);
      inside.leave_out(fresh.object);
      list.push_back(std::move(inside.object));
    }
  }
  void source(Source&) override {}

  // Everything that is the same there, unless it has to be said.
  void leave_out(const Json& standard) {
    for (auto entry = object.begin(); entry != object.end();) {
      const bool same = standard.contains(entry.key()) && standard[entry.key()] == entry.value();
      entry = same && !required_.contains(entry.key()) ? object.erase(entry) : std::next(entry);
    }
  }

 private:
  Json& at(const Key& key) {
    if (key.required) required_.insert(std::string(key.name));
    return object[std::string(key.name)];
  }
  bool plain_;
  std::set<std::string> required_;
};

template <class Item>
bool has(const std::vector<Item>& items, const std::string& name) {
  return std::any_of(items.begin(), items.end(), [&name](const Item& item) { return item.name == name; });
}

// The vocabulary says `node`, `body` and `coordinate` of the one word a load keeps; only what it acts on tells which was meant.
void settle_target(Json& load, bool on_body, bool on_coordinate) {
  for (const char* key : {"node", "body", "coordinate"})
    if (key != std::string_view(on_body ? "body" : on_coordinate ? "coordinate" : "node")) load.erase(key);
  if (!on_body) load.erase("torque"), load.erase("moment");
  if (!on_coordinate) return;
  if (load.contains("force")) load["force"] = Json(load["force"][0]);
  if (load.contains("table"))
    for (Json& row : load["table"]) row = Json::array({row[0], row[1]});
}

// The defaults of a body; which ones it has depends on the fixed point.
void write_out(BodyInput& body) {
  if (!body.orientation.given()) body.orientation.quaternion = Vec<4>(1, 0, 0, 0);
  if (body.fixed_point) {
    if (!body.centre) body.centre = resolve_body(body).centre;
    return;
  }
  if (!body.position) body.position = Vec3::Zero();
  if (!body.velocity) body.velocity = Vec3::Zero();
}

}  // namespace

nlohmann::ordered_json schema_tree() {
  SchemaFields fields;
  Model scratch;
  describe(fields, scratch);
  Json schema = {{"$schema", "https://json-schema.org/draft/2020-12/schema"}, {"title", "Trompo model file"}};
  schema.update(fields.object);
  schema["properties"]["format_version"]["const"] = 1;
  schema["properties"]["formulation"]["enum"] = formulations;
  auto& required = schema["required"];
  required.erase(std::remove(required.begin(), required.end(), Json("time")), required.end());
  schema["anyOf"] = {{{"required", {"time"}}}, {{"required", {"statics"}}}};
  return schema;
}

nlohmann::ordered_json model_tree(const Model& model) {
  Model resolved = model;
  for (NodeInput& node : resolved.nodes) node.reference = node.reference_position();
  for (BodyInput& body : resolved.bodies) write_out(body);
  for (LoadInput& load : resolved.loads)
    if (!load.point && has(resolved.bodies, load.on)) load.point = Vec3::Zero();
  JsonFields fields;
  describe(fields, resolved);
  for (std::size_t i = 0; i < resolved.loads.size(); ++i) {
    const std::string& on = resolved.loads[i].on;
    settle_target(fields.object["load"][i], has(resolved.bodies, on), has(resolved.coordinates, on));
  }
  return std::move(fields.object);
}

nlohmann::ordered_json plain_tree(const Model& model) {
  Model scratch = model, nothing;
  JsonFields fields(true), standard(true);
  describe(fields, scratch);
  describe(standard, nothing);
  for (std::size_t i = 0; i < model.loads.size(); ++i) {
    const std::string& on = model.loads[i].on;
    Json& load = fields.object["load"][i];
    settle_target(load, has(model.bodies, on), has(model.coordinates, on));
    if (!load.contains("force") && !load.contains("table") && !load.contains("torque") && !load.contains("moment"))
      load["force"] = {0, 0, 0};
  }
  for (auto& [key, value] : fields.object.items())  // sections, key by key
    if (value.is_object() && standard.object.contains(key)) {
      JsonFields section(true);
      section.object = value;
      section.leave_out(standard.object[key]);
      value = section.object;
    }
  fields.leave_out(standard.object);
  std::vector<std::string> empty;
  for (const auto& [key, value] : fields.object.items())
    if (value.is_object() && value.empty()) empty.push_back(key);
  for (const std::string& key : empty) fields.object.erase(key);
  // Without [time] it is [statics] that makes a model of it, as it is or not.
  if (!fields.object.contains("time")) fields.object["statics"]["steps"] = model.statics.steps;
  return std::move(fields.object);
}

}  // namespace trompo
