// A law from what one component does. `One` has, for a parameter p and a strain r,
//   energy(p, r), stress(p, r), stiffness(p, r), secant_stress(p, r0, r1), secant_stiffness(p, r0, r1).
#pragma once

#include "trompo/law/law.hpp"

namespace trompo {

template <class One>
constexpr Law uncoupled() {
  return {.stress =
              [](const double* p, int m, const Strain& at, double* s, double* of_strain, double* of_rate) {
                for (int a = 0; a < m; ++a) {
                  s[a] = One::stress(p[a], at.r[a]);
                  if (of_strain != nullptr) of_strain[a] = One::stiffness(p[a], at.r[a]);
                  if (of_rate != nullptr) of_rate[a] = 0;
                }
              },
          .energy =
              [](const double* p, int m, const double* r) {
                double sum = 0;
                for (int a = 0; a < m; ++a) sum += One::energy(p[a], r[a]);
                return sum;
              },
          .secant =
              [](const double* p, int m, const double* r0, const double* r1, double* s, double* of_strain) {
                for (int a = 0; a < m; ++a) {
                  s[a] = One::secant_stress(p[a], r0[a], r1[a]);
                  if (of_strain != nullptr) of_strain[a] = One::secant_stiffness(p[a], r0[a], r1[a]);
                }
              }};
}

}  // namespace trompo
