// Forces that the caller's own code calculates: g(q) and its derivative K(q) over any number of coordinates, and the energy
// they come from, if there is one. What is not a number makes the step fail.
#pragma once

#include <functional>
#include <string>

namespace trompo {

struct OwnFunctions {
  std::string name;                                           // for messages
  std::function<void(const double* q, double* g)> force;      // M q'' + g(q) = F: n numbers
  std::function<void(const double* q, double* K)> stiffness;  // dg_i/dq_j at K[n*j + i]; need not be symmetric
  std::function<double(const double* q)> energy;              // empty: there is none, and what g does is work
};

}  // namespace trompo
