// What a scheme remembers between steps, as named arrays: with the state it is all that the next step depends on. A failed step
// leaves it as it was, and who keeps both can go on from there to the same bytes.
#pragma once

#include <fmt/format.h>

#include <map>
#include <stdexcept>
#include <string>

#include "trompo/math/vector.hpp"

namespace trompo {

struct History {
  std::map<std::string, VecX> arrays;
};

// One pass over what a scheme remembers, by the same names both ways: to keep it in a History, or to take it from one.
class Memory {
 public:
  explicit Memory(History& kept) : kept_(&kept) {}
  explicit Memory(const History& given) : given_(&given) {}

  // A vector has its size already. Throws std::invalid_argument where the history is that of something else.
  void operator()(const std::string& name, VecX& values) const {
    if (kept_ != nullptr) {
      kept_->arrays[name] = values;
      return;
    }
    const auto found = given_->arrays.find(name);
    if (found == given_->arrays.end()) throw std::invalid_argument(fmt::format("the history has no '{}'", name));
    if (found->second.size() != values.size())
      throw std::invalid_argument(
          fmt::format("'{}' of the history has {} numbers, and {} are wanted: it is that of another model", name,
                      found->second.size(), values.size()));
    values = found->second;
  }
  template <class Number>
  void number(const std::string& name, Number& x) const {
    VecX value = VecX::Constant(1, static_cast<double>(x));
    (*this)(name, value);
    x = static_cast<Number>(value[0]);
  }

 private:
  History* kept_ = nullptr;
  const History* given_ = nullptr;
};

}  // namespace trompo
