// The table of a scalar measure over any number n of coordinates that finds everything in one go:
//   expand(c, gradient, hessian, scratch)                    its value
//   chord(c0, c1, secant, slope, gradient1, scratch)         both values, and the secant with its slope in c1
//   scratch()                                                numbers that these two need
#pragma once

#include "trompo/math/formula.hpp"
#include "trompo/measure/kernel.hpp"

namespace trompo {

template <class M>
constexpr Kernel expanding_kernel() {
  return {.components = 1,
          .linear = false,
          .quadratic = false,
          .rates = false,
          .expands = true,
          .coordinates = [](const void* phi) { return static_cast<const M*>(phi)->n; },
          .scratch = [](const void* phi) { return static_cast<const M*>(phi)->scratch(); },
          .value = [](const void* phi, const double* c, double* r,
                      Scratch scratch) { *r = static_cast<const M*>(phi)->expand(c, nullptr, nullptr, scratch); },
          .at =
              [](const void* phi, const Instant& at, Order order, double* r, double* J, double* /*J_rate*/, double* H,
                 Scratch scratch) {
                *r = static_cast<const M*>(phi)->expand(at.c, order == Order::value ? nullptr : J,
                                                        order == Order::hessian ? H : nullptr, scratch);
              },
          .between =
              [](const void* phi, const double* c0, const double* c1, Order order, double* r0, double* r1, double* J,
                 double* J1, double* H, Scratch scratch) {
                const bool second = order == Order::hessian;
                const Formula::Ends ends =
                    static_cast<const M*>(phi)->chord(c0, c1, J, second ? H : nullptr, second ? J1 : nullptr, scratch);
                *r0 = ends.value0;
                *r1 = ends.value1;
              },
          .add_curvature = nullptr,
          .add_secant_curvature = nullptr};
}

}  // namespace trompo
