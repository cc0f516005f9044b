// Loops over vectors of a few numbers whose count is known when the program runs. They go in pairs, which is what a processor
// does at once: left to itself a compiler prepares for long vectors, and the preparation takes longer than the few numbers. Two
// points are six numbers, the most frequent size by far: without a loop.
#pragma once

#include <algorithm>

namespace trompo {

inline double dot(int n, const double* x, const double* y) {
  double sum = 0;
  for (int i = 0; i < n; ++i) sum += x[i] * y[i];
  return sum;
}
inline void scale(int n, double a, const double* __restrict x, double* __restrict y) {  // y = a x
  if (n == 6) {
    for (int i = 0; i < 6; ++i) y[i] = a * x[i];
    return;
  }
  int i = 0;
  for (; i + 1 < n; i += 2) {
    y[i] = a * x[i];
    y[i + 1] = a * x[i + 1];
  }
  if (i < n) y[i] = a * x[i];
}
inline void add(int n, double a, const double* __restrict x, double* __restrict y) {  // y += a x
  if (n == 6) {
    for (int i = 0; i < 6; ++i) y[i] += a * x[i];
    return;
  }
  int i = 0;
  for (; i + 1 < n; i += 2) {
    y[i] += a * x[i];
    y[i + 1] += a * x[i + 1];
  }
  if (i < n) y[i] += a * x[i];
}
inline void subtract(int n, const double* __restrict x, const double* __restrict y, double* __restrict z) {  // z = x - y
  int i = 0;
  for (; i + 1 < n; i += 2) {
    z[i] = x[i] - y[i];
    z[i + 1] = x[i + 1] - y[i + 1];
  }
  if (i < n) z[i] = x[i] - y[i];
}
// z = a x + b y
inline void blend(int n, double a, const double* __restrict x, double b, const double* __restrict y, double* __restrict z) {
  if (n == 6) {
    for (int i = 0; i < 6; ++i) z[i] = a * x[i] + b * y[i];
    return;
  }
  int i = 0;
  for (; i + 1 < n; i += 2) {
    z[i] = a * x[i] + b * y[i];
    z[i + 1] = a * x[i + 1] + b * y[i + 1];
  }
  if (i < n) z[i] = a * x[i] + b * y[i];
}
inline void add_outer(int n, const double* x, const double* y, double* __restrict k) {  // k += x y^T, column by column
  for (int j = 0; j < n; ++j) add(n, y[j], x, k + j * n);
}
inline void multiply(int n, const double* k, const double* x, double* __restrict y) {  // y = k x
  std::fill_n(y, n, 0.0);
  for (int j = 0; j < n; ++j) add(n, x[j], k + j * n, y);
}
// J has m rows of n numbers each, one after the other.
inline void rows_times(int m, int n, const double* J, const double* x, double* __restrict y) {  // y = J x
  for (int a = 0; a < m; ++a) y[a] = dot(n, J + a * n, x);
}
inline void transpose_times(int m, int n, const double* J, const double* s, double* __restrict f) {  // f = J^T s
  scale(n, s[0], J, f);
  for (int a = 1; a < m; ++a) add(n, s[a], J + a * n, f);
}
// z += a x + b y
inline void add(int n, double a, const double* __restrict x, double b, const double* __restrict y, double* __restrict z) {
  if (n == 6) {
    for (int i = 0; i < 6; ++i) z[i] += a * x[i] + b * y[i];
    return;
  }
  int i = 0;
  for (; i + 1 < n; i += 2) {
    z[i] += a * x[i] + b * y[i];
    z[i + 1] += a * x[i + 1] + b * y[i + 1];
  }
  if (i < n) z[i] += a * x[i] + b * y[i];
}
// k = s k + b x y^T
inline void blend_outer(int n, double s, double b, const double* __restrict x, const double* y, double* __restrict k) {
  for (int j = 0; j < n; ++j, k += n) {
    const double by = b * y[j];
    if (n == 6) {
      for (int i = 0; i < 6; ++i) k[i] = s * k[i] + by * x[i];
      continue;
    }
    int i = 0;
    for (; i + 1 < n; i += 2) {
      k[i] = s * k[i] + by * x[i];
      k[i + 1] = s * k[i + 1] + by * x[i + 1];
    }
    if (i < n) k[i] = s * k[i] + by * x[i];
  }
}
// k += A^T diag(d) B
inline void add_congruence(int m, int n, const double* A, const double* d, const double* B, double* __restrict k) {
  for (int j = 0; j < n; ++j)
    for (int a = 0; a < m; ++a)
      if (const double by = d[a] * B[a * n + j]; by != 0) add(n, by, A + a * n, k + j * n);
}

}  // namespace trompo
