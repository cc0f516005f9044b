// A model built in C++ by somebody who has only the installed headers and library.
#include <cmath>
#include <cstdio>

#include <trompo/run/run.hpp>

int main() {
  using namespace trompo;
  Model model;
  model.gravity = {0, -9.8, 0};
  NodeInput pivot, bob;
  pivot.name = "pivot";
  pivot.fixed = true;
  bob.name = "bob";
  bob.position = {1, 0, 0};
  bob.mass = 2;
  BarInput rod;
  rod.name = "rod";
  rod.nodes = {"pivot", "bob"};
  rod.EA = 1e5;
  model.nodes = {pivot, bob};
  model.bars = {rod};
  model.time.step = 0.01;
  model.time.steps = 500;
  model.time.scheme = "energy-momentum-exact";
  const RunResult result = run(model);
  const double error = (result.total.max - result.total.min) / result.ledger.scale();
  std::printf("%ld steps, energy kept to %.1e\n", result.steps, error);
  return result.status == Status::done && error < 1e-12 ? 0 : 1;
}
