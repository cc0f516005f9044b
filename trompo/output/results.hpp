// Reads results.h5 back. What is no such file, or none that this version understands, is a FileError that says so.
#pragma once

#include <functional>
#include <span>
#include <string>

#include "trompo/output/channels.hpp"
#include "trompo/output/hdf5.hpp"

namespace trompo {

class ResultsFile {
 public:
  explicit ResultsFile(const std::string& path);

  [[nodiscard]] std::string text(const std::string& attribute) const { return file_.text(attribute); }  // title, status ...
  [[nodiscard]] const std::string& path() const { return file_.path(); }
  [[nodiscard]] bool has(const std::string& attribute) const { return file_.has_attribute(attribute); }
  [[nodiscard]] const Channels& channels() const { return channels_; }  // as recorded, without a way to read samples
  [[nodiscard]] std::size_t rows() const { return rows_; }
  // Numbers of a channel from row `first` on, as many rows as `out` has room for.
  void read(const Channel& channel, std::size_t first, std::span<double> out) const;
  // use(row) for rows [first, last) of these channels, one channel after the other. FileError where there are none of that
  // size.
  void each_row(std::span<const Channel* const> channels, std::size_t first, std::size_t last,
                const std::function<void(const double*)>& use) const;
  [[nodiscard]] std::vector<double> read(const std::string& path) const;  // all of it: "/time"

 private:
  h5::Reader file_;
  Channels channels_;
  std::size_t rows_ = 0;
};

}  // namespace trompo
