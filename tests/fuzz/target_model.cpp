#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/trial.hpp"

namespace trompo {

void fuzz_model(std::string_view input) { (void)try_check(input, {}, {.parts = 100}); }

}  // namespace trompo
