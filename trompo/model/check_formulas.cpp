#include "trompo/model/check_formulas.hpp"

#include <cmath>
#include <optional>

#include "trompo/model/formula_scope.hpp"
#include "trompo/model/rate_scope.hpp"

namespace trompo {

namespace {

using Severity = Diagnostic::Severity;
constexpr double start_tolerance = 1e-8;  // of a constraint at the start, relative to the sum of its absolute terms

class FormulaInspection {
 public:
  explicit FormulaInspection(const Model& model) : m(model), scope_(model) {}

  std::vector<Diagnostic> all() {
    for (const InvariantInput& i : m.invariants) invariant(i);
    for (const CoordinateInput& c : m.coordinates)
      if (!c.potential.empty())
        (void)read(c.source, "potential", "the potential of coordinate " + in_quotes(c.name), c.potential, Wanted::curvature);
    for (const PotentialInput& p : m.potentials)
      (void)read(p.source, "potential", "potential " + in_quotes(p.name), p.potential, Wanted::curvature);
    for (const ConstraintInput& c : m.constraints) constraint(c);
    for (const LoadInput& l : m.loads)
      for (std::size_t i = 0; i < l.formula.size(); ++i) {
        if (!l.formula[i].empty()) load(l, "force", i, l.formula[i]);
        if (!l.torque_formula[i].empty()) load(l, "torque", i, l.torque_formula[i]);
        if (!l.moment_formula[i].empty()) load(l, "moment", i, l.moment_formula[i]);
      }
    for (const SensorInput& s : m.sensors)
      if (s.kind == "formula") felt(s.source, "formula", "the formula of sensor " + in_quotes(s.name), s.of[0], false);
    names();
    return std::move(found_);
  }

 private:
  void say(Severity severity, const Source& source, std::string_view key, std::string message, std::string remedy) {
    found_.push_back({severity, source.place_of(key, m.file), source.of(key), std::move(message), std::move(remedy)});
  }

  struct AtStart {
    ScopedFormula formula;
    VecX c, rates, gradient;
    double value = 0;
  };
  // Of what a formula says somebody takes: an energy's or a constraint's slope, which is a force, and its curvature too.
  enum class Wanted { value, curvature };
  // Nothing, and a complaint, if it cannot be read or if what is wanted of it is not finite where the model starts.
  std::optional<AtStart> read(const Source& source, std::string_view key, const std::string& what, const std::string& text,
                              Wanted wanted) {
    try {
      AtStart s{scope_.expanded(text), {}, {}, {}};
      const auto n = static_cast<int>(s.formula.coordinates.size());
      s.c.resize(n);
      s.rates.resize(n);
      s.gradient.resize(n);
      for (int i = 0; i < n; ++i) {
        const auto from = static_cast<std::size_t>(s.formula.coordinates[static_cast<std::size_t>(i)]);
        s.c[i] = scope_.start()[from];
        s.rates[i] = scope_.start_rates()[from];
      }
      Eigen::MatrixXd hessian(n, n);
      s.value = s.formula.formula.expand(s.c.data(), n, s.gradient.data(), hessian.data()).value;
      const bool slope = wanted == Wanted::value || s.gradient.allFinite();
      if (std::isfinite(s.value) && slope && (wanted != Wanted::curvature || hessian.allFinite())) return s;
      say(Severity::error, source, key, what + " is singular at the start",
          (std::isnan(s.value)       ? "it has no value there"
           : !std::isfinite(s.value) ? "its value there is " + number_text(s.value)
           : !s.gradient.allFinite() ? "its value there is " + number_text(s.value) + ", but its slope is not finite"
                                     : "its value there is " + number_text(s.value) + ", but its curvature is not finite") +
              std::string("; check the formula or the initial coordinates"));
    } catch (const FormulaError& error) {
      if (feels_rates(text)) {
        say(Severity::error, source, key, what + " depends on a velocity",
            wanted == Wanted::value
                ? "an invariant is a function of places; rates belong into loads and sensors"
                : "an energy of velocities is no potential, and a constraint on rates is not holonomic: write a "
                  "[[load]] with a formula of rates");
        return {};
      }
      say(Severity::error, source, key, what + ": column " + std::to_string(error.column) + " of the formula: " + error.what(),
          "formulas use coordinates such as u or bob.x, t, names of [parameters] and [[invariant]]s, and functions");
    }
    return {};
  }

  void invariant(const InvariantInput& i) {
    const std::string what = "the formula of invariant " + in_quotes(i.name);
    const auto s = read(i.source, "formula", what, i.formula, Wanted::value);  // who uses it is judged with it in
    if (s && s->formula.formula.degree() > 2)
      say(Severity::warning, i.source, "formula", what + " is more than quadratic",
          "energy is still kept exactly; momenta are kept only by quadratic ones, such as the square of a distance");
  }
  void constraint(const ConstraintInput& c) {
    const std::string what = "constraint " + in_quotes(c.name);
    const auto s = read(c.source, "constraint", what, c.constraint, Wanted::curvature);
    if (!s || m.time.initial_projection) return;
    const VecX& gradient = s->gradient;
    const double error = s->value, size = std::abs(error) + gradient.cwiseAbs().dot(s->c.cwiseAbs());
    if (std::abs(error) > start_tolerance * size)
      return say(Severity::error, c.source, "constraint", what + " is " + number_text(error, 6) + " at t = 0, not zero",
                 "change the start, or let it be repaired: initial_projection = true in [time]");
    const double rate = gradient.dot(s->rates);
    if (std::abs(rate) > start_tolerance * gradient.cwiseAbs().dot(s->rates.cwiseAbs()))
      say(Severity::error, c.source, "constraint", what + " changes at the rate " + number_text(rate, 6) + " at t = 0",
          "change the velocities, or let them be repaired: initial_projection = true in [time]");
  }
  // Loads and sensors may feel rates. A load's slope is taken too, for the tangent.
  void felt(const Source& source, std::string_view key, const std::string& what, const std::string& text, bool sloped) {
    if (!with_rates_) with_rates_.emplace(m, scope_);
    try {
      const RateFormula f = with_rates_->read(text);
      const auto n = static_cast<int>(f.arguments.size());
      VecX x(n), slope(n);
      for (int i = 0; i < n; ++i)
        x[i] = value_of(f.arguments[static_cast<std::size_t>(i)], scope_.start(), scope_.start_rates());
      const double value = f.formula.expand(x.data(), n, slope.data(), nullptr).value;
      if (std::isfinite(value) && (!sloped || slope.allFinite())) return;
      say(Severity::error, source, key, what + " is singular at the start",
          (std::isnan(value)       ? "it has no value there"
           : !std::isfinite(value) ? "its value there is " + number_text(value)
                                   : "its value there is " + number_text(value) + ", but its slope is not finite") +
              std::string("; check the formula or the initial coordinates"));
    } catch (const FormulaError& error) {
      say(Severity::error, source, key, what + ": column " + std::to_string(error.column) + " of the formula: " + error.what(),
          "formulas here use coordinates such as u or bob.x, rates such as rate(u) or bob.vx, spins such as top.wx or "
          "top.w1, t, names of [parameters] and [[invariant]]s, and functions");
    }
  }
  // Is it the rates alone that keep this from being read?
  [[nodiscard]] bool feels_rates(const std::string& text) {
    if (!with_rates_) with_rates_.emplace(m, scope_);
    try {
      return with_rates_->read(text).feels_rates();
    } catch (const FormulaError&) {
      return false;
    }
  }
  void load(const LoadInput& l, const std::string& key, std::size_t axis, const std::string& text) {
    // In a plane the entries are those of its two axes.
    const bool on_node = !l.source.keys.contains("coordinate");
    const std::size_t entry = m.normal_axis() >= 0 && axis > static_cast<std::size_t>(m.normal_axis()) ? axis : axis + 1;
    const std::string what =
        in_quotes(key) + " of load " + in_quotes(l.name) + (on_node ? ", entry " + std::to_string(entry) : std::string());
    if (l.potential)
      return say(Severity::error, l.source, "potential",
                 what + " depends on coordinates or rates, so it has no potential of its own",
                 "write a [[potential]], or leave out potential = true");
    felt(l.source, key, what, text, true);
  }
  void names() {
    const auto taken = [this](const Source& source, const std::string& name) {
      if (name == "t") say(Severity::error, source, "name", "'t' is the name of time", "choose another one");
    };
    for (const CoordinateInput& c : m.coordinates) {
      taken(c.source, c.name);
      if (m.parameters.contains(c.name))
        say(Severity::error, m.source, "parameters", "parameter " + in_quotes(c.name) + " has the name of a coordinate",
            "rename one of them");
    }
    for (const InvariantInput& i : m.invariants) {
      taken(i.source, i.name);
      if (m.parameters.contains(i.name))
        say(Severity::error, m.source, "parameters", "parameter " + in_quotes(i.name) + " has the name of an invariant",
            "rename one of them");
    }
    if (m.parameters.contains("t"))
      say(Severity::error, m.source, "parameters", "parameter 't' has the name of time", "choose another one");
  }

  const Model& m;
  FormulaScope scope_;
  std::optional<RateScope> with_rates_;
  std::vector<Diagnostic> found_;
};

}  // namespace

std::vector<Diagnostic> check_formulas(const Model& model) { return FormulaInspection(model).all(); }

}  // namespace trompo
