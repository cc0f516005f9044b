// trompo schemes: the catalogue, for people and for programs. trompo schema: the words of the model file.
#include <fmt/format.h>

#include <algorithm>

#include <nlohmann/json.hpp>

#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "trompo/model/json_text.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/scheme/catalogue.hpp"

namespace trompo {

namespace {

bool blends(const Row& row) {
  return std::any_of(row.options.begin(), row.options.end(), [](const Option& o) { return o.name == "blend"; });
}
std::vector<std::string_view> values_of(const Option& option) {
  std::vector<std::string_view> values;
  for (const Option::Value& v : option.values) values.push_back(v.name);
  return values;
}
std::string order_text(const Row& row) {
  const Claims& c = row.claims;
  std::string text = std::to_string(c.order);
  if (c.order != c.order_when_damped) text += fmt::format(" ({} damped)", c.order_when_damped);
  if (blends(row)) text += fmt::format(", {} on Euler parameters with blend = all", c.order_when_blended);
  return text;
}
std::string kept(const Row& row) {
  const Claims& c = row.claims;
  if (row.balance == Balance::index_one) return "nothing exactly";
  return std::string(c.energy ? "energy, " : "") + (c.angular_momentum ? "linear and angular momentum" : "linear momentum");
}
std::string range(const Parameter& p, double standard) {
  if (p.least == p.most) return fmt::format("{} = {:g}", p.name, p.least);
  if (p.most > 1e300) return fmt::format("{} >= {:g} (default {:g})", p.name, p.least, standard);
  return fmt::format("{} in [{:g}, {:g}] (default {:g})", p.name, p.least, p.most, standard);
}

nlohmann::ordered_json to_json(const Row& row) {
  nlohmann::ordered_json j;
  j["name"] = row.name;
  j["aliases"] = row.aliases;
  j["title"] = row.title;
  j["for"] = row.balance == Balance::top         ? "one body about a fixed point"
             : row.balance == Balance::forced    ? "nodes and coordinates without constraints"
             : row.balance == Balance::index_one ? "bodies in Euler parameters, and models without bodies"
                                                 : "every model";
  j["order"] = row.claims.order;
  j["order_when_damped"] = row.claims.order_when_damped;
  if (blends(row)) j["order_when_blended"] = row.claims.order_when_blended;
  if (row.claims.stable_to) j["stable_to"] = *row.claims.stable_to;
  j["conserves"] = {{"energy", row.claims.energy},
                    {"linear_momentum", row.balance != Balance::index_one},
                    {"angular_momentum", row.claims.angular_momentum}};
  j["weights"] = row.weights.formula;
  j["parameters"] = nlohmann::ordered_json::array();
  const Scheme standard = make_scheme(row.name);
  for (const Parameter& p : row.parameters) {
    nlohmann::ordered_json q{{"name", p.name}, {"default", standard.parameters.at(std::string(p.name))}, {"least", p.least}};
    if (p.most < 1e300) q["most"] = p.most;
    q["why"] = p.why;
    j["parameters"].push_back(q);
  }
  j["choices"] = nlohmann::ordered_json::array();
  for (const Option& o : row.options) j["choices"].push_back({{"name", o.name}, {"words", values_of(o)}, {"about", o.about}});
  j["reference"] = row.reference;
  return j;
}

void print_catalogue() {
  for (const Row& row : catalogue()) {
    print("{}\n  {}\n", row.name, row.title);
    print("  order {}; keeps {}\n", order_text(row), kept(row));
    const Scheme standard = make_scheme(row.name);
    std::string parameters;
    for (const Parameter& p : row.parameters)
      parameters += (parameters.empty() ? "" : ", ") + range(p, standard.parameters.at(std::string(p.name)));
    for (const Option& o : row.options) parameters += fmt::format(", {} = {}", o.name, fmt::join(values_of(o), " | "));
    trompo::print("  parameters: {}\n  weights: {}\n  also called: {}\n  reference: {}\n\n", parameters, row.weights.formula,
                  fmt::join(row.aliases, ", "), row.reference);
  }
}

}  // namespace

void add_schemes(CLI::App& app, int& /*exit_code*/) {
  Command command(app, "schemes", "list the schemes: parameters, order, what each keeps, reference");
  auto json = std::make_shared<bool>(false);
  command.flag("--json", *json, "for programs");
  command.does([json] {
    if (!*json) return print_catalogue();
    auto all = nlohmann::ordered_json::array();
    for (const Row& row : catalogue()) all.push_back(to_json(row));
    print("{}\n", json_text(all, 2));
  });
}

void add_schema(CLI::App& app, int& /*exit_code*/) {
  Command(app, "schema", "print the JSON Schema of the model file").does([] { print("{}\n", model_schema()); });
}

}  // namespace trompo
