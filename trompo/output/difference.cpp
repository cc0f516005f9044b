#include "trompo/output/difference.hpp"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>

namespace trompo {

bool Difference::parted() const {
  return !apart.empty() || std::any_of(channels.begin(), channels.end(), [](const auto& c) { return c.parted; });
}

namespace {

// "bob.x" for a number of a channel: the names of its group where there are as many, and axes of vectors.
std::string name_of(const ResultsFile& file, const Channel& channel, std::size_t index) {
  if (channel.shape.empty()) return channel.path();
  const std::size_t items = channel.shape[0], width = channel.size() / std::max<std::size_t>(1, items), item = index / width;
  std::string name = fmt::format("[{}]", index);
  for (const NameList& list : file.channels().names)
    if (list.group == channel.group && list.texts.size() == items &&
        (list.name == "names" || list.name == "hinges" || list.name == "stressed")) {
      name = list.texts[item];
      if (width > 1) name += width == 3 ? fmt::format(".{}", "xyz"[index % 3]) : fmt::format("[{}]", index % width);
      break;
    }
  return name;
}

// Both not numbers is the same.
double apart(double a, double b) {
  if (a == b || (std::isnan(a) && std::isnan(b))) return 0;
  const double difference = std::abs(a - b);
  return std::isfinite(difference) ? difference : std::numeric_limits<double>::infinity();
}

ChannelDifference compare(const ResultsFile& a, const ResultsFile& b, const Channel& channel, std::size_t rows,
                          const std::vector<double>& times, const Tolerance& tolerance) {
  ChannelDifference out{channel.path()};
  // The scale has to be known before the place where they part.
  const std::size_t width = channel.size(), block = std::max<std::size_t>(1, (1 << 18) / std::max<std::size_t>(1, width));
  std::vector<double> x, y;
  const auto each = [&](const auto& use) {
    for (std::size_t first = 0; first < rows; first += block) {
      const std::size_t count = std::min(block, rows - first);
      x.resize(count * width);
      y.resize(count * width);
      a.read(channel, first, x);
      b.read(channel, first, y);
      for (std::size_t i = 0; i < x.size(); ++i) use(first + i / width, i % width, x[i], y[i]);
    }
  };
  each([&](std::size_t row, std::size_t column, double p, double q) {
    for (const double value : {p, q})
      if (std::isfinite(value)) out.scale = std::max(out.scale, std::abs(value));
    const double difference = apart(p, q);
    if (!(difference > out.largest)) return;
    out.largest = difference;
    out.largest_time = times[row];
    out.largest_in = name_of(a, channel, column);
  });
  const double allowed = tolerance.absolute + tolerance.relative * out.scale;
  if (!(out.largest > allowed)) return out;
  each([&](std::size_t row, std::size_t column, double p, double q) {
    if (out.parted || !(apart(p, q) > allowed)) return;
    out.parted = true;
    out.first_time = times[row];
    out.first_in = name_of(a, channel, column);
  });
  return out;
}

const Channel* find(const ResultsFile& file, const Channel& like) {
  for (const Channel& channel : file.channels().all)
    if (channel.path() == like.path()) return &channel;
  return nullptr;
}

}  // namespace

Difference difference(const ResultsFile& a, const ResultsFile& b, const Tolerance& tolerance) {
  Difference out;
  for (const char* attribute : {"scheme", "status"})
    if (const std::string p = a.text(attribute), q = b.text(attribute); p != q)
      out.apart.push_back(fmt::format("{}: {} in the first, {} in the second", attribute, p, q));
  if (a.rows() != b.rows())
    out.apart.push_back(fmt::format("samples: {} in the first, {} in the second; the first {} are compared", a.rows(), b.rows(),
                                    std::min(a.rows(), b.rows())));
  for (const Channel& channel : b.channels().all)
    if (find(a, channel) == nullptr) out.apart.push_back(channel.path() + ": in the second alone");
  const std::size_t rows = std::min(a.rows(), b.rows());
  const std::vector<double> times = a.read("/time");
  for (const Channel& channel : a.channels().all) {
    const Channel* other = find(b, channel);
    if (other == nullptr) {
      out.apart.push_back(channel.path() + ": in the first alone");
    } else if (other->shape != channel.shape) {
      out.apart.push_back(
          fmt::format("{}: {} numbers in the first, {} in the second", channel.path(), channel.size(), other->size()));
    } else if (ChannelDifference found = compare(a, b, channel, rows, times, tolerance); found.largest > 0) {
      out.channels.push_back(std::move(found));
    }
  }
  for (const NameList& list : a.channels().names)
    for (const NameList& other : b.channels().names)
      if (list.group == other.group && list.name == other.name && list.texts != other.texts)
        out.apart.push_back(fmt::format("/{}/{}: other names", list.group, list.name));
  return out;
}

}  // namespace trompo
