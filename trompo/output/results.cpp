#include "trompo/output/results.hpp"

#include <fmt/format.h>

#include <algorithm>

#include "trompo/model/source.hpp"

namespace trompo {

namespace {

constexpr int understood = 2;

void refuse_strangers(const h5::Reader& file) {
  const auto stranger = [&file] {
    return FileError(fmt::format("{}: is an HDF5 file, but holds no results of Trompo", file.path()));
  };
  if (!file.has_attribute("format") || !file.has_attribute("format_version")) throw stranger();
  const double version = file.number("format_version");
  if (version == 1)
    throw FileError(fmt::format(
        "{}: has format version 1, whose texts are of variable length: these cannot be read safely from a file that "
        "may be damaged; run the model again",
        file.path()));
  if (file.text("format") != "trompo results") throw stranger();
  if (version != understood)
    throw FileError(fmt::format("{}: has format version {:g}, this tool reads version {}: it was written by trompo {}",
                                file.path(), version, understood, file.text("trompo_version")));
}

}  // namespace

ResultsFile::ResultsFile(const std::string& path) : file_(path) {
  refuse_strangers(file_);
  for (const std::string& dataset : file_.datasets()) {
    const std::size_t slash = dataset.rfind('/');
    const std::string group = slash == 0 ? "" : dataset.substr(1, slash - 1), name = dataset.substr(slash + 1);
    if (file_.holds_text(dataset)) {
      channels_.names.push_back({group, name, file_.strings(dataset)});
      continue;
    }
    std::vector<std::size_t> shape = file_.shape(dataset);
    const std::size_t rows = shape.front();
    if (rows == 0) throw FileError(fmt::format("{}: holds no samples yet", path));
    shape.erase(shape.begin());
    std::size_t size = 1;
    for (const std::size_t n : shape) size *= n;
    Channel channel{group, name, file_.text("unit", dataset), false, shape, std::vector<std::string>(size), {}};
    rows_ = channels_.all.empty() ? rows : std::min(rows_, rows);  // a run that was killed may have left some longer
    channels_.all.push_back(std::move(channel));
  }
  if (channels_.all.empty()) throw FileError(fmt::format("{}: holds no samples yet", path));
}

void ResultsFile::read(const Channel& channel, std::size_t first, std::span<double> out) const {
  file_.rows(channel.path(), first, out);
}

void ResultsFile::each_row(std::span<const Channel* const> channels, std::size_t first, std::size_t last,
                           const std::function<void(const double*)>& use) const {
  constexpr std::size_t at_most = 1 << 20;  // numbers
  std::size_t row_size = 0;
  for (const Channel* wanted : channels) {
    const auto found = std::find_if(channels_.all.begin(), channels_.all.end(),
                                    [wanted](const Channel& channel) { return channel.path() == wanted->path(); });
    if (found == channels_.all.end() || found->size() != wanted->size() || last > rows_)
      throw FileError(fmt::format("{}: has no {} of the size of this model in {} rows", file_.path(), wanted->path(), last));
    row_size += wanted->size();
  }
  if (row_size == 0 || first >= last) return;
  const std::size_t block = std::max<std::size_t>(1, std::min(at_most / row_size, last - first));
  std::vector<double> rows(block * row_size), numbers;
  for (; first < last; first += block) {
    const std::size_t count = std::min(block, last - first);
    std::size_t offset = 0;
    for (const Channel* channel : channels) {
      const std::size_t width = channel->size();
      numbers.resize(count * width);
      read(*channel, first, numbers);
      for (std::size_t i = 0; i < count; ++i)
        std::copy_n(numbers.begin() + static_cast<std::ptrdiff_t>(i * width), width,
                    rows.begin() + static_cast<std::ptrdiff_t>(i * row_size + offset));
      offset += width;
    }
    for (std::size_t i = 0; i < count; ++i) use(rows.data() + i * row_size);
  }
}

std::vector<double> ResultsFile::read(const std::string& path) const {
  for (const Channel& channel : channels_.all) {
    if (channel.path() != path) continue;
    std::vector<double> out(rows_ * channel.size());
    read(channel, 0, out);
    return out;
  }
  throw FileError(fmt::format("{}: has no {}", file_.path(), path));
}

}  // namespace trompo
