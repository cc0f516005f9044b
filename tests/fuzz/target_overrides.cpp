#include <vector>

#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/trial.hpp"

namespace trompo {

namespace {

// One of each kind of part, so that every path that --set may name is there.
constexpr std::string_view model = R"(
gravity = [0, 0, -9.81]
[parameters]
k = 3
[[node]]
name = "a"
position = [0, 0, 0]
fixed = true
[[node]]
name = "b"
position = [1, 0, 0]
mass = 2
[[bar]]
name = "ab"
nodes = ["a", "b"]
EA = 100
[[coordinate]]
name = "u"
inertia = 1
potential = "k*u^2/2"
[[body]]
name = "top"
mass = 1
shape = { box = [1, 2, 3] }
position = [0, 0, 5]
[[joint]]
name = "pin"
bodies = ["ground", "top"]
hinge = { axis = [1, 0, 0], at = [0, 0, 6] }
stiffness = 2
[[spring]]
name = "s"
from = { body = "top", point = [0, 0, 1] }
to = { node = "b" }
stiffness = 5
[[load]]
name = "push"
node = "b"
force = ["k*t", 0, 0]
[[rod]]
name = "rod"
from = [5, 0, 0]
to = [6, 0, 0]
elements = 2
EA = 100
GA = 100
GJ = 10
EI = 10
density = 1
clamped = "from"
[[event]]
at = 0.5
set = { joint = "pin", stiffness = 1 }
[[sensor]]
name = "height"
position = "b"
axis = "z"
[time]
step = 0.1
end = 1
scheme = "energy-momentum-exact"
)";

}  // namespace

void fuzz_overrides(std::string_view input) {
  std::vector<std::string> overrides;
  while (!input.empty() && overrides.size() < 8) {
    const std::size_t end = std::min(input.find('\n'), input.size());
    overrides.emplace_back(input.substr(0, end));
    input.remove_prefix(std::min(end + 1, input.size()));
  }
  (void)try_read(model, overrides);
}

}  // namespace trompo
