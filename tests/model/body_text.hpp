// A small model to which tests of rigid bodies add theirs, and what reading it says.
#pragma once

#include <gtest/gtest.h>

#include <string>
#include <vector>

#include "trompo/model/body.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"

namespace trompo::bodies {

// Lines 1 and 2, then a node "bob" in 3 to 6 and [time] in 7 to 10; the body of a test begins in line 11 with its name in 12.
inline const std::string base = R"(formulation = "rotation"
gravity = [0, 0, -10]
[[node]]
name = "bob"
position = [1, 0, 0]
mass = 1
[time]
step = 0.5
steps = 3
scheme = "midpoint"
)";
inline std::string body(const std::string& keys, const std::string& name = "top") {
  return "[[body]]\nname = \"" + name + "\"\n" + keys + "\n";
}
inline const std::string top = body("mass = 4\ninertia = [4, 4, 1]");

inline std::string joined(const std::vector<Diagnostic>& all) {
  std::string text;
  for (const Diagnostic& d : all) text += (text.empty() ? "" : "\n") + d.text();
  return text.empty() ? "nothing" : text;
}
inline std::string errors(const std::string& text) {
  try {
    (void)parse_model(text, "test.toml");
  } catch (const ModelError& error) {
    return joined(error.diagnostics);
  }
  return "nothing";
}
inline std::string added(const std::string& keys) { return errors(base + body(keys)); }
inline std::string remarks(const std::string& text) { return joined(check(parse_model(text, "test.toml"))); }
inline ResolvedBody resolved(const std::string& keys) {
  return resolve_body(parse_model(base + body(keys), "test.toml").bodies[0]);
}
inline std::string replaced(std::string text, const std::string& what, const std::string& with) {
  const auto at = text.find(what);
  EXPECT_NE(at, std::string::npos) << what;
  return at == std::string::npos ? text : text.replace(at, what.size(), with);
}
inline testing::AssertionResult says(const std::string& text, const std::string& part) {
  if (text.find(part) != std::string::npos) return testing::AssertionSuccess();
  return testing::AssertionFailure() << "expected: " << part << "\n  in: " << text;
}

}  // namespace trompo::bodies
