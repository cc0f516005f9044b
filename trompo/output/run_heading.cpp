// What is known of a run before it moves.
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "trompo/model/json_text.hpp"
#include "trompo/output/run_data.hpp"
#include "trompo/output/scene.hpp"

namespace trompo {

namespace {

using Json = nlohmann::ordered_json;

// What the catalogue promises, as sentences.
std::vector<std::string> claims_of(const Scheme& scheme) {
  const Row& row = *scheme.row;
  const Scheme standard = make_scheme(row.name);
  const bool as_given = scheme.parameters == standard.parameters && scheme.options == standard.options;
  const std::string where = as_given ? "" : " with its standard parameters, which these are not";
  std::vector<std::string> claims{std::string(row.title)};
  if (const auto order = claimed_order(scheme)) claims.push_back(fmt::format("Accurate to order {}.", *order));
  if (row.balance == Balance::index_one) {
    claims.emplace_back("Keeps nothing exactly.");
  } else {
    if (row.claims.energy) claims.push_back("Keeps energy exactly, of elastic terms under constant forces" + where + ".");
    claims.push_back(row.claims.angular_momentum ? "Keeps linear and angular momentum exactly" + where + "."
                                                 : "Keeps linear momentum exactly.");
  }
  claims.push_back(fmt::format("Reference: {}.", row.reference));
  return claims;
}

std::string event_text(const EventInput& event) {
  std::string text = event.name + ":";
  const auto add = [&text](const char* word, const std::optional<double>& value) {
    if (value) text += fmt::format("{} {} {:g}", text.back() == ':' ? "" : ",", word, *value);
  };
  add("stiffness", event.stiffness);
  add("damping", event.damping);
  add("EA", event.EA);
  if (event.EI)
    for (const double EI : *event.EI) add("EI", EI);
  add("scale", event.scale);
  add("mass", event.mass);
  const auto say = [&text](const char* word, bool said) {
    if (said) text += fmt::format("{} {}", text.back() == ':' ? "" : ",", word);
  };
  say("another motion", event.drive || moves(event.motion));
  say("stopped", event.stop);
  say("set free", event.free);
  say("released", event.release);
  return text;
}

}  // namespace

std::string run_heading(const RunPlan& plan) {
  if (!plan.statics()) return run_heading(plan.model, plan.scheme);
  const StaticsInput& s = plan.model.statics;
  const bool path = s.method == "arc-length";
  const Json about{{"name", "statics"},
                   {"parameters", {{"method", s.method}, {"factor", s.factor}, {"steps", s.steps}}},
                   {"claims",
                    {path ? "Equilibria along the path of the load, past limit points; the axis counts them."
                          : "Equilibria while gravity and all loads grow together; the axis is their factor.",
                     "Every equilibrium is one of the nonlinear equations."}}};
  return fmt::format(R"({{"scheme":{},"scene":{},"events":[],"axis":{},"label":{}}})", json_text(about), scene_json(plan.model),
                     json_text(Json(plan.axis)), json_text(Json(plan.model.title)));
}

std::string run_heading(const Model& model, const Scheme& scheme) {
  Json parameters = Json::object(), events = Json::array();
  for (const auto& [name, value] : scheme.parameters) parameters[name] = value;
  for (const auto& [name, word] : scheme.options) parameters[name] = word;
  for (const EventInput& event : model.events) events.push_back({{"time", event.at}, {"text", event_text(event)}});
  for (const MarkInput& mark : model.marks) {
    events.push_back({{"time", mark.at}, {"text", mark.text}});
    if (mark.until) events.back()["until"] = *mark.until;
  }
  const Json about{{"name", scheme.row->name}, {"parameters", parameters}, {"claims", claims_of(scheme)}};
  return fmt::format(R"({{"scheme":{},"scene":{},"events":{},"label":{}}})", json_text(about), scene_json(model),
                     json_text(events), json_text(Json(model.title)));
}

}  // namespace trompo
