// s = c r': a damper. No energy stands behind it; its work is heat.
#include "trompo/law/law.hpp"

namespace trompo {

void viscous_stress(const double* p, int m, const Strain& at, double* s, double* of_strain, double* of_rate) {
  for (int a = 0; a < m; ++a) {
    s[a] = at.rate != nullptr ? p[a] * at.rate[a] : 0.0;
    if (of_strain != nullptr) of_strain[a] = 0;
    if (of_rate != nullptr) of_rate[a] = p[a];
  }
}

}  // namespace trompo
