// Two results beside each other, channel by channel.
#pragma once

#include <string>
#include <vector>

#include "trompo/output/results.hpp"

namespace trompo {

struct Tolerance {
  double relative = 0, absolute = 0;  // of a number: relative to the largest of its channel in either
};

struct ChannelDifference {
  std::string channel;
  double largest = 0, scale = 0;            // |a - b|, and the largest |a| or |b|
  std::string largest_in{}, first_in{};     // names of numbers
  double first_time = 0, largest_time = 0;  // first: where they part, beyond the tolerance
  bool parted = false;
};

struct Difference {
  std::vector<std::string> apart;           // whatever is not a matter of numbers: channels, rows, status
  std::vector<ChannelDifference> channels;  // those with any difference at all, in the order of the file
  [[nodiscard]] bool parted() const;
};

// FileError where one cannot be read.
[[nodiscard]] Difference difference(const ResultsFile& a, const ResultsFile& b, const Tolerance& tolerance);

}  // namespace trompo
