// What a scheme remembers between steps, as named arrays: with the state it is all that the next step depends on. A failed step
// leaves it as it was, and who keeps both can go on from there to the same bytes. What a run remembers is written down alike.
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

// One pass over what is remembered, by the same names both ways: to keep it in a History, or to take it from one.
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
    const VecX& found = array(name);
    if (found.size() != values.size())
      throw std::invalid_argument(
          fmt::format("'{}' of the history has {} numbers, and {} are wanted: it is that of another model", name, found.size(),
                      values.size()));
    values = found;
  }
  // Numbers, counts and flags, as one array.
  template <class... Numbers>
  void numbers(const std::string& name, Numbers&... all) const {
    VecX values(static_cast<Eigen::Index>(sizeof...(all)));
    Eigen::Index i = 0;
    ((values[i++] = static_cast<double>(all)), ...);
    (*this)(name, values);
    i = 0;
    ((all = static_cast<Numbers>(values[i++])), ...);
  }
  template <class Number>
  void number(const std::string& name, Number& x) const {
    numbers(name, x);
  }
  // The only one whose size is not known before: the numbers of its bytes.
  void text(const std::string& name, std::string& letters) const {
    const auto size = [&] { return given_ == nullptr ? letters.size() : static_cast<std::size_t>(array(name).size()); }();
    VecX codes(static_cast<Eigen::Index>(size));
    for (Eigen::Index i = 0; given_ == nullptr && i < codes.size(); ++i)
      codes[i] = static_cast<unsigned char>(letters[static_cast<std::size_t>(i)]);
    (*this)(name, codes);
    letters.resize(size);
    for (Eigen::Index i = 0; i < codes.size(); ++i) letters[static_cast<std::size_t>(i)] = static_cast<char>(codes[i]);
  }

 private:
  [[nodiscard]] const VecX& array(const std::string& name) const {
    const auto found = given_->arrays.find(name);
    if (found == given_->arrays.end()) throw std::invalid_argument(fmt::format("the history has no '{}'", name));
    return found->second;
  }
  History* kept_ = nullptr;
  const History* given_ = nullptr;
};

}  // namespace trompo
