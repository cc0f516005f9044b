#include <fmt/format.h>

#include <algorithm>

#include "apps/http.hpp"
#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/trial.hpp"

namespace trompo {

namespace {

http::Answer answer_to(std::string_view head, const std::string& body) {
  http::Request request;
  http::Answer answer;
  try {
    request = http::parse_request(head);
    for (const char* name : {"plot", "from", "to"}) (void)request.parameter(name);
    answer = http::text_answer(body, "text/plain");
  } catch (const http::Refusal& refusal) {
    answer = http::refusal(refusal);
  }
  return http::cut(std::move(answer), request);
}

}  // namespace

// Whatever is asked for, nothing beyond the body is sent, and no header says what a stranger wants it to say.
void fuzz_request(std::string_view input) {
  for (const std::size_t size : {std::size_t{0}, std::size_t{1}, std::size_t{1000}}) {
    const http::Answer answer = answer_to(input, std::string(size, 'x'));
    const std::uint64_t there = answer.text->size();
    if (answer.first > there || answer.count > there - answer.first)
      throw Finding(fmt::format("{} bytes from {} of {} are sent", answer.count, answer.first, there));
    for (const auto& [name, value] : answer.headers)
      if (std::any_of(value.begin(), value.end(), [](unsigned char c) { return c < ' ' || c == 0x7f; }))
        throw Finding(fmt::format("header {} holds a control character", name));
  }
}

}  // namespace trompo
