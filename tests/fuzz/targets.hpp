// What is fuzzed: functions that take any bytes. They return where the library answers as it should, and throw or crash where
// it does not. The same functions serve libFuzzer (libfuzzer.cpp) and the test that runs the stored inputs (corpus_test.cpp).
#pragma once

#include <string_view>

namespace trompo {

void fuzz_model(std::string_view input);      // a model file
void fuzz_overrides(std::string_view input);  // lines, each what follows --set
void fuzz_formula(std::string_view input);    // a formula of x, y and t
void fuzz_results(std::string_view input);    // what stands in a results file, line by line (target_results.cpp)
void fuzz_request(std::string_view input);    // the head of an HTTP request

struct FuzzTarget {
  std::string_view name;  // of its folder in corpus/
  void (*run)(std::string_view input);
};
inline constexpr FuzzTarget fuzz_targets[] = {
    {"model", fuzz_model},     {"overrides", fuzz_overrides}, {"formula", fuzz_formula},
    {"results", fuzz_results}, {"request", fuzz_request},
};

}  // namespace trompo
