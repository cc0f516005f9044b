#include "trompo/system/places.hpp"

#include <cmath>

namespace trompo {

void Places::collect(int term, const double* x, double* c, bool constants) const {
  for (const Attachment& a : attachments(term)) {
    if (dimension_ == 3) {
      double s0 = 0, s1 = 0, s2 = 0;
      for (int m = 0; m < a.parts; ++m) {
        const double share = a.share[static_cast<std::size_t>(m)];
        const double* const part = x + a.part[static_cast<std::size_t>(m)];
        s0 += share * part[0];
        s1 += share * part[1];
        s2 += share * part[2];
      }
      if (a.placed && constants) {
        s0 += a.share[1];
        s1 += a.share[2];
        s2 += a.share[3];
      }
      c[0] = s0;
      c[1] = s1;
      c[2] = s2;
    } else {
      double sum = 0;
      for (int m = 0; m < a.parts; ++m) sum += a.share[m] * x[a.part[m]];
      *c = constants && a.placed ? sum + a.share[1] : sum;
    }
    c += dimension_;
  }
  if (scalars_ != 0) collect_scalars(term, x, c);
}

namespace {

double length(const double* x, int dimension) {
  if (dimension == 1) return std::abs(*x);
  return std::sqrt(x[0] * x[0] + x[1] * x[1] + x[2] * x[2]);
}

}  // namespace

// By the lengths of whole vectors: an axis along x has no terms along y to be measured by.
double Places::sizes(int term, const double* f, const double* x, double of_constants) const {
  double sum = 0;
  for (const Attachment& a : attachments(term)) {
    double size = of_constants * a.constant_size;
    for (int m = 0; m < a.parts; ++m)
      size += std::abs(a.share[static_cast<std::size_t>(m)]) * length(x + a.part[static_cast<std::size_t>(m)] - a.along, 3);
    sum += length(f, dimension_) * size;
    f += dimension_;
  }
  for (const int at : scalars(term)) sum += std::abs(*f++ * x[at]);
  return sum;
}

}  // namespace trompo
