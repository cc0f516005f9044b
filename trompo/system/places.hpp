// Where the terms of one kind stand, side by side: how their arguments follow from the coordinates of the system, and where
// what acts on an argument goes.
#pragma once

#include <algorithm>
#include <cstddef>
#include <span>

#include "trompo/system/attachment.hpp"

namespace trompo {

class Places {
 public:
  explicit Places(const Where& like)
      : vectors_(static_cast<int>(like.attachments.size())),
        dimension_(like.dimension),
        scalars_(static_cast<int>(like.scalars.size())) {}
  [[nodiscard]] bool fits(const Where& where) const {
    return vectors_ == static_cast<int>(where.attachments.size()) && scalars_ == static_cast<int>(where.scalars.size()) &&
           (vectors_ == 0 || dimension_ == where.dimension);
  }
  void add(const Where& where) {
    attachments_.insert(attachments_.end(), where.attachments.begin(), where.attachments.end());
    coordinates_.insert(coordinates_.end(), where.scalars.begin(), where.scalars.end());
    most_touched_ = std::max(most_touched_, touched(count_++));
  }

  [[nodiscard]] int count() const { return count_; }
  [[nodiscard]] int arguments() const { return vectors_ * dimension_ + scalars_; }
  [[nodiscard]] int touched(int term) const {  // coordinates; one may be there twice
    int sum = scalars_;
    if (plain()) return sum;
    for (const Attachment& a : attachments(term)) sum += dimension_ * a.parts;
    return sum;
  }
  [[nodiscard]] int most_touched() const { return most_touched_; }
  // Is every argument a coordinate of its own?
  [[nodiscard]] bool plain() const { return vectors_ == 0; }
  [[nodiscard]] int dimension() const { return dimension_; }
  [[nodiscard]] std::span<const Attachment> attachments(int term) const {
    return {attachments_.data() + static_cast<std::ptrdiff_t>(term) * vectors_, static_cast<std::size_t>(vectors_)};
  }
  [[nodiscard]] std::span<const int> scalars(int term) const {
    return {coordinates_.data() + static_cast<std::ptrdiff_t>(term) * scalars_, static_cast<std::size_t>(scalars_)};
  }

  // use(argument, share, coordinate)
  template <class Use>
  void each(int term, const Use& use) const {
    int argument = 0;
    for (const Attachment& a : attachments(term)) {
      if (dimension_ == 3)
        for (int m = 0; m < a.parts; ++m)
          for (int i = 0; i < 3; ++i) use(argument + i, a.share[m], a.part[m] + i);
      else
        for (int m = 0; m < a.parts; ++m) use(argument, a.share[m], a.part[m]);
      argument += dimension_;
    }
    for (const int c : scalars(term)) use(argument++, 1.0, c);
  }
  void gather(int term, const VecX& q, double* c) const {
    if (plain())
      collect_scalars(term, q.data(), c);
    else
      collect(term, q.data(), c, true);
  }
  void rates(int term, const VecX& v, double* c) const {
    if (plain())
      collect_scalars(term, v.data(), c);
    else
      collect(term, v.data(), c, false);
  }
  // use(coordinate, value): what acts on the arguments, spread to the coordinates
  template <class Use>
  void spread(int term, const double* f, const Use& use) const {
    if (plain()) {
      const int* const to = coordinates_.data() + static_cast<std::ptrdiff_t>(term) * scalars_;
      for (int i = 0; i < scalars_; ++i) use(to[i], f[i]);
      return;
    }
    for (const Attachment& a : attachments(term)) {
      if (dimension_ == 3)
        for (int m = 0; m < a.parts; ++m)
          for (int i = 0; i < 3; ++i) use(a.part[m] + i, a.share[m] * f[i]);
      else
        for (int m = 0; m < a.parts; ++m) use(a.part[m], a.share[m] * f[0]);
      f += dimension_;
    }
    for (const int c : scalars(term)) use(c, *f++);
  }
  // Sums of absolute terms, which rounding is measured by: of f.c and of f.c'.
  [[nodiscard]] double terms(int term, const double* f, const VecX& q) const { return sizes(term, f, q.data(), 1); }
  [[nodiscard]] double rate_terms(int term, const double* f, const VecX& v) const { return sizes(term, f, v.data(), 0); }

 private:
  void collect_scalars(int term, const double* x, double* c) const {
    const int* const at = coordinates_.data() + static_cast<std::ptrdiff_t>(term) * scalars_;
    for (int i = 0; i < scalars_; ++i) c[i] = x[at[i]];
  }
  void collect(int term, const double* x, double* c, bool constants) const;
  [[nodiscard]] double sizes(int term, const double* f, const double* x, double of_constants) const;

  int vectors_, dimension_, scalars_;
  int count_ = 0, most_touched_ = 0;
  std::vector<Attachment> attachments_;
  std::vector<int> coordinates_;
};

}  // namespace trompo
