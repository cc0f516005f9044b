// Terms of one kind side by side: their measures and where these stand. What a term does with its measure is its role: elastic
// and viscous terms, constraints, loads.
#pragma once

#include <algorithm>
#include <cstddef>
#include <deque>
#include <memory>
#include <vector>

#include "trompo/measure/kernel.hpp"
#include "trompo/system/scatter.hpp"

namespace trompo {

// Measures of one type, behind its table.
class Measures {
 public:
  template <class M>
  explicit Measures(const M& like)
      : kernel_(&kernel_of<M>()),
        n_(view(like).n),
        all_(new std::vector<M>, [](void* all) { delete static_cast<std::vector<M>*>(all); }) {}
  template <class M>
  [[nodiscard]] bool fits(const M& phi) const {
    return kernel_ == &kernel_of<M>() && n_ == view(phi).n;
  }
  template <class M>
  void add(const M& phi) {
    auto& all = *static_cast<std::vector<M>*>(all_.get());
    all.push_back(phi);
    first_ = reinterpret_cast<const std::byte*>(all.data());
    size_ = sizeof(M);
  }
  [[nodiscard]] MeasureView operator[](int term) const {
    return {kernel_, first_ + static_cast<std::size_t>(term) * size_, n_, kernel_->components};
  }
  [[nodiscard]] const Kernel& kernel() const { return *kernel_; }
  [[nodiscard]] int coordinates() const { return n_; }

 private:
  const Kernel* kernel_;
  int n_;
  std::unique_ptr<void, void (*)(void*)> all_;
  const std::byte* first_ = nullptr;
  std::size_t size_ = 0;
};

class Terms {
 public:
  template <class M>
  Terms(const M& like, const Where& where) : measures_(like), places_(where) {}
  template <class M>
  [[nodiscard]] bool fits(const M& phi, const Where& where) const {
    return measures_.fits(phi) && places_.fits(where);
  }
  template <class M>
  void add(const M& phi, const Where& where) {
    measures_.add(phi);
    places_.add(where);
    scratch_ = std::max(scratch_, scratch_of(count() - 1));
  }
  [[nodiscard]] int count() const { return places_.count(); }
  [[nodiscard]] MeasureView measure(int term) const { return measures_[term]; }
  [[nodiscard]] const Kernel& kernel() const { return measures_.kernel(); }
  [[nodiscard]] const Places& places() const { return places_; }
  [[nodiscard]] int n() const { return measures_.coordinates(); }
  [[nodiscard]] int m() const { return measures_.kernel().components; }
  [[nodiscard]] std::size_t scratch_size() const { return scratch_; }  // for all that a role does with one of them

  // Of terms with a tangent: the square of their unknowns.
  void couple(const Numbering& numbering, Entries& entries) const;
  void connect(const Numbering& numbering, const Pattern& pattern, std::vector<int>& indices) const;

 private:
  [[nodiscard]] std::size_t scratch_of(int term) const;
  Measures measures_;
  Places places_;
  std::size_t scratch_ = 0;
};

// Terms of one kind among all, made when the first asks for it, in the order of the file. `more` is what else tells kinds of a
// role apart. A deque: who remembers a term remembers where its kind is.
template <class Role, class M, class... More>
Role& terms_of(std::deque<Role>& all, const M& phi, const Where& where, const More&... more) {
  for (Role& role : all)
    if (role.terms().fits(phi, where) && role.fits(more...)) return role;
  return all.emplace_back(Terms(phi, where), more...);
}

}  // namespace trompo
