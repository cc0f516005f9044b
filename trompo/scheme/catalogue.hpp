// The catalogue: every scheme is a row of one table, in rows_*.cpp, and all there is to say of it stands in that row. To add a
// scheme, add a row; the test that walks the table checks its claims.
#pragma once

#include <map>
#include <memory>
#include <optional>
#include <span>
#include <stdexcept>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/scheme/numbers.hpp"
#include "trompo/scheme/stepper.hpp"
#include "trompo/scheme/top_schemes.hpp"

namespace trompo {

struct Scheme;

// A number that may be set.
struct Parameter {
  std::string_view name;
  double standard = 0;  // what it is when nobody says anything
  double least = 0, most = 0;
  std::string_view why;                     // the reason of the range
  void (*set)(Scheme&, double) = nullptr;   // what it does; none for rho_infinity and weights, of which the row makes its own
  bool whole = false;                       // whole numbers only
  std::optional<int> order_elsewhere = {};  // what is claimed where it is not the standard
};

// A choice that may be set.
struct Option {
  struct Value {
    std::string_view name;
    void (*set)(Scheme&) = nullptr;  // what it does; nothing where it is how a scheme is anyway
    std::optional<int> order = {};   // what is claimed with it, if it is another one than the row's
  };
  std::string_view name;
  std::vector<Value> values;  // the first one is the standard
  std::string_view about;
};

// What a row promises, with its standard parameters and options unless said otherwise. Linear momentum is kept by every row but
// those of index one, whose projection onto constraints moves it unless it goes by the masses (s-both-m).
struct Claims {
  int order = 2;
  int order_when_damped = 2;      // with rho_infinity < 1, xi > 0 or damping > 0
  int order_when_blended = 1;     // on Euler parameters, where averages of a step belong to two places (blend = "all")
  bool steps_of_its_own = false;  // the order is that of steps within the step, which shrinking the latter does not show
  // Linear vibrations are bounded for omega h up to there, and grow beyond; nothing: they are bounded everywhere.
  std::optional<double> stable_to = {};
  bool energy = false;            // exactly, for elastic terms under constant forces
  bool angular_momentum = false;  // exactly
};

// Weights as functions of r, the spectral radius at infinite frequency.
struct Weights {
  using Function = double (*)(double r);
  Function alpha_m = [](double) { return 0.0; };  // of the old acceleration
  Function alpha_f = [](double) { return 0.0; };  // of the old force
  Function gamma = nullptr;                       // null: 1/2 - alpha_m + alpha_f, for second order
  Function beta = nullptr;                        // null: (gamma + 1/2)^2/4, for the least period error without a limit
  CompositeWeights (*composite)(double r) = nullptr;
  std::string_view formula;  // all of that, for people
};

enum class Balance { end, interval, composite, multistep, forced, top, index_one };

struct Row {
  std::string_view name;
  std::vector<std::string_view> aliases = {};  // the codes of the papers among them
  std::string_view title;
  std::string_view reference;
  Balance balance = Balance::end;
  std::optional<TopScheme> top = {};                   // with Balance::top
  std::optional<ExplicitScheme> explicit_scheme = {};  // with Balance::index_one
  bool returns = false;                                // iterates by projection and return (constraint_return.hpp)
  bool decays = false;                                 // takes energy by a theorem (decay_balance.hpp)
  Rule::Kind rule = Rule::Kind::endpoint_average;
  Weights weights = {};
  std::vector<Parameter> parameters = {};  // the first one is rho_infinity
  std::vector<Option> options = {};
  Claims claims = {};
};

[[nodiscard]] std::span<const Row> catalogue();
// Those that solve for the end of a step, whatever the model: neither for a top or points alone, nor with a limit of stability,
// nor explicit, with an energy balance that shows the error of the scheme.
[[nodiscard]] std::vector<Row> general_rows();
[[nodiscard]] const Row* find_scheme(std::string_view name);  // by name or alias; null if there is none
[[nodiscard]] std::vector<std::string> scheme_names();

// A scheme with its numbers: an immutable value.
struct Scheme {
  const Row* row = nullptr;
  std::map<std::string, double> parameters;    // all of them, resolved, under their names in [time]
  std::map<std::string, std::string> options;  // likewise
  Rule rule;
  NewmarkWeights weights;
  CompositeWeights composite;
  SecantCorrection correction;
  double simo_alpha = 0.5;
  ExplicitSettings explicit_settings;
  DecayNumbers decay;
  ForcedRows forced;
  Blend blend = Blend::all;
};

// The order the catalogue claims for these parameters and bodies that turn so; nothing for weights set by hand.
[[nodiscard]] std::optional<int> claimed_order(const Scheme& scheme, Formulation formulation = Formulation::directors);
// Whether it claims to keep energy as it is: a row claims that with the first value of every option.
[[nodiscard]] bool claims_energy(const Scheme& scheme);

// A name or a number that the catalogue refuses: which key, why, and what to do instead.
struct SchemeError : std::runtime_error {
  SchemeError(std::string about, const std::string& what, std::string what_to_do)
      : std::runtime_error(what), key(std::move(about)), remedy(std::move(what_to_do)) {}
  std::string key, remedy;
};

[[nodiscard]] Scheme make_scheme(std::string_view name, const std::map<std::string, double>& given = {},
                                 const std::map<std::string, std::string>& options = {},
                                 const std::optional<Stabilisation>& stabilisation = {});
// Why a row cannot integrate a system; empty if it can.
[[nodiscard]] std::string refusal(const Row& row, const System& system);
[[nodiscard]] std::string remedy(const Row& row, const System& system);  // what to do about it
// The same with its options: some ask for more than the row does.
[[nodiscard]] std::string refusal(const Scheme& scheme, const System& system);
[[nodiscard]] std::string remedy(const Scheme& scheme, const System& system);
// Throws SchemeError where there is a refusal.
[[nodiscard]] std::unique_ptr<Stepper> make_stepper(const Scheme&, const System&, const NewtonOptions&);

}  // namespace trompo
