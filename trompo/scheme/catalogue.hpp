// The catalogue: every scheme is a row of one table. To add a one-step scheme, add a row in catalogue.cpp; the test that
// walks the table checks its claims.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/scheme/explicit_schemes.hpp"
#include "trompo/scheme/steppers.hpp"
#include "trompo/scheme/top_schemes.hpp"

namespace trompo {

struct Parameter {
  std::string_view name;
  double standard;  // what it is when nobody says anything
  double least, most;
  std::string_view why;  // the reason of the range
};

// What a row promises, with its standard parameters and words unless said otherwise. Linear momentum is kept by every row but
// those of index one, whose projection onto constraints moves it unless it goes by the masses (s-both-m).
struct Claims {
  int order = 2;
  int order_when_damped = 2;      // with rho_infinity < 1, xi > 0 or damping > 0
  int order_when_blended = 1;     // on Euler parameters, where averages of a step belong to two places (blend = "all")
  bool energy = false;            // exactly, for elastic terms under constant forces
  bool angular_momentum = false;  // exactly
};

// A parameter that is a word.
struct Choice {
  std::string_view name;
  std::vector<std::string_view> words;  // the first one is the standard
  std::string_view about;
};

enum class Balance { end, interval, composite, top, index_one };
enum class Family {
  fixed_trapezoidal,
  fixed_midpoint,
  newmark,
  bossak,
  hht,
  generalized_alpha,
  composite,
  no_weights
};  // where the weights come from

struct Row {
  std::string_view name;
  std::vector<std::string_view> aliases;
  std::string_view title;
  Balance balance;
  Rule::Kind rule;
  Family family;
  std::vector<Parameter> parameters;
  Claims claims;
  std::string_view reference;
  std::vector<Choice> choices = {};
  std::optional<TopScheme> top = {};                   // with Balance::top
  bool returns = false;                                // iterates by projection and return (constraint_return.hpp)
  std::optional<ExplicitScheme> explicit_scheme = {};  // with Balance::index_one
};

[[nodiscard]] std::span<const Row> catalogue();
// Those that solve for the end of a step, whatever the model: neither for a top alone nor explicit, with a limit of stability
// and books that show the error of the scheme.
[[nodiscard]] std::vector<Row> general_rows();
[[nodiscard]] const Row* find_scheme(std::string_view name);  // by name or alias; null if there is none
[[nodiscard]] std::vector<std::string> scheme_names();
[[nodiscard]] std::string_view family_note(const Row&);  // how the weights follow from rho_infinity, for people

// A scheme with its numbers: an immutable value.
struct Scheme {
  const Row* row = nullptr;
  std::map<std::string, double> parameters;  // all of them, resolved, under their names in [time]
  std::map<std::string, std::string> choices;
  Rule rule;
  NewmarkWeights weights;
  CompositeWeights composite;
  SecantCorrection correction;
  double simo_alpha = 0.5;
  ExplicitSettings explicit_settings;
  bool recursion = false;  // averages accelerations alone (euler_balance.hpp)
};

// The order the catalogue claims for these parameters and bodies that turn so; nothing for weights set by hand.
[[nodiscard]] std::optional<int> claimed_order(const Scheme& scheme, Formulation formulation = Formulation::directors);

// A name or a number that the catalogue refuses: which key, why, and what to do instead.
struct SchemeError : std::runtime_error {
  SchemeError(std::string about, const std::string& what, std::string what_to_do)
      : std::runtime_error(what), key(std::move(about)), remedy(std::move(what_to_do)) {}
  std::string key, remedy;
};

[[nodiscard]] Scheme make_scheme(std::string_view name, const std::map<std::string, double>& given = {},
                                 const std::map<std::string, std::string>& chosen = {},
                                 const std::optional<Stabilisation>& stabilisation = {});
// Why a row cannot integrate a system; empty if it can.
[[nodiscard]] std::string refusal(const Row& row, const System& system);
[[nodiscard]] std::string remedy(const Row& row, const System& system);  // what to do about it
// Throws SchemeError where there is a refusal.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(const Scheme&, const System&, const NewtonOptions&);

}  // namespace trompo
