// What is recorded at every sample: one list, from which every file format takes its columns.
#pragma once

#include <cstddef>
#include <functional>
#include <string>
#include <vector>

#include "trompo/run/observer.hpp"

namespace trompo {

struct Channel {
  std::string group, name;  // "energy" and "kinetic"; the group is empty at the top
  std::string unit;
  bool integer = false;
  std::vector<std::size_t> shape;    // of what one sample gives; empty: one number
  std::vector<std::string> columns;  // a name for each of its numbers, as in "bob.velocity.x"
  std::function<void(const Sample&, double*)> read;

  [[nodiscard]] std::size_t size() const { return columns.size(); }
  [[nodiscard]] std::string path() const { return (group.empty() ? "/" : "/" + group + "/") + name; }
};

struct NameList {  // who stands where in the rows of a group
  std::string group, name;
  std::vector<std::string> texts;
};

struct Channels {
  std::vector<Channel> all;  // to be read in this order
  std::vector<NameList> names;
};

// The plan's system must outlive the channels.
[[nodiscard]] Channels channels(const RunPlan& plan);

}  // namespace trompo
