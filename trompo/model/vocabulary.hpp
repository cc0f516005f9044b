// The words of the model file, said once. A visitor reads them from TOML, writes them as JSON, or turns them into the schema.
#pragma once

#include <functional>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "trompo/model/model.hpp"
#include "trompo/model/range.hpp"

namespace trompo {

struct Key {
  std::string_view name;
  std::string_view about;  // one line for the schema, with the unit
  bool required = false;
  Range range = Range::any;
};

class Fields {
 public:
  using Nested = std::function<void(Fields&)>;
  virtual ~Fields() = default;

  virtual void text(const Key&, std::string&) = 0;
  virtual void choice(const Key&, std::string&, std::span<const std::string_view> options) = 0;
  virtual void flag(const Key&, bool&) = 0;
  virtual void number(const Key&, std::optional<double>&) = 0;
  virtual void count(const Key&, std::optional<long>&) = 0;
  virtual void vector(const Key&, std::optional<Vec3>&) = 0;
  virtual void places(const Key&, std::optional<std::vector<Vec3>>&) = 0;  // a list of vectors
  // Numbers of which there are as many as one of the sizes says; nine are three rows of three. The range holds for each.
  virtual void array(const Key&, std::optional<std::vector<double>>&, std::span<const std::size_t> sizes) = 0;
  // One number for all parts of a kind, or a list with one for each.
  virtual void one_or_each(const Key&, std::optional<std::vector<double>>&) = 0;
  virtual void names(const Key&, std::array<std::string, 2>&) = 0;
  virtual void axes(const Key&, std::array<bool, 3>&) = 0;
  virtual void function(const Key&, std::optional<TimeFunction>&) = 0;
  // A vector whose entries may change with time; a text that is no formula of time alone is kept as it is.
  virtual void functions(const Key&, std::array<TimeFunction, 3>&, std::array<std::string, 3>& texts) = 0;
  virtual void table_of_vectors(const Key&, std::array<TimeFunction, 3>&) = 0;  // rows [t, x, y, z]
  virtual void section(const Key&, const Nested&) = 0;                          // a table
  virtual void vector_or_section(const Key&, std::optional<Vec3>&, const Nested&) = 0;
  virtual void list(const Key&, int present, const std::function<void(Fields&, int)>& item) = 0;  // an array of tables
  virtual void numbers(const Key&, std::map<std::string, double>&) = 0;  // a table of names and numbers
  virtual void source(Source&) = 0;
  [[nodiscard]] virtual bool writes() const { return false; }  // what a model holds, rather than what may be said

  // The same with a default in place.
  void number(const Key& key, double& value) {
    std::optional<double> given = value;
    number(key, given);
    if (given) value = *given;
  }
  void count(const Key& key, long& value) {
    std::optional<long> given = value;
    count(key, given);
    if (given) value = *given;
  }
  void one_or_each(const Key& key, std::vector<double>& value) {
    std::optional<std::vector<double>> given = value;
    one_or_each(key, given);
    if (given) value = std::move(*given);
  }
  void vector(const Key& key, Vec3& value) {
    std::optional<Vec3> given = value;
    vector(key, given);
    if (given) value = *given;
  }

  // Lengths and the like, which are no vectors in space: a plane problem has as many of them.
  template <int N>
  void array(const Key& key, std::optional<Vec<N>>& value) {
    static constexpr std::array<std::size_t, 1> sizes{N};
    std::optional<std::vector<double>> given;
    if (value) given.emplace(value->begin(), value->end());
    array(key, given, sizes);
    if (given) value = Eigen::Map<const Vec<N>>(given->data());
  }
  void matrix(const Key&, std::optional<Mat3>&);
  void inertia(const Key&, std::optional<Mat3>&);  // a matrix, or the three numbers of a diagonal one
};

void describe(Fields&, Model&);

// The parameters that schemes may have, as they are spelt in [time].
[[nodiscard]] std::span<const Key> scheme_parameters();

}  // namespace trompo
