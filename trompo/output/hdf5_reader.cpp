#include <fmt/format.h>
#include <hdf5.h>
#include <sys/stat.h>

#include <algorithm>
#include <cstring>
#include <filesystem>

#include "trompo/output/hdf5.hpp"
#include "trompo/output/hdf5_call.hpp"

namespace trompo::h5 {

namespace {

constexpr int most_dimensions = 3;           // rows, and the shape of one
constexpr std::uint64_t most_packed = 1032;  // bytes that deflate can make of one

// What HDF5 says of a file that it cannot open, in words for people.
std::string why_not_opened(const std::string& path) {
  std::error_code error;
  if (!std::filesystem::exists(path, error)) return "there is no such file";
  if (std::filesystem::is_directory(path, error)) return "it is a directory";
  if (!std::filesystem::is_regular_file(path, error)) return "it is no regular file";
  const std::string why = reason();
  if (why.find("truncated file") != std::string::npos) return "the file is cut off: it is shorter than it says itself";
  if (why.find("signature") != std::string::npos) return "it is no HDF5 file";
  return why;
}

// As the recorder writes them: 64 bits, little endian.
bool is_number(hid_t type) { return H5Tequal(type, H5T_IEEE_F64LE) > 0 || H5Tequal(type, H5T_STD_I64LE) > 0; }
bool is_text(hid_t type) { return H5Tget_class(type) == H5T_STRING && H5Tis_variable_str(type) == 0; }
bool is_one(hid_t space) { return H5Sget_simple_extent_type(space) == H5S_SCALAR && H5Sget_simple_extent_npoints(space) == 1; }

// Empty, or what makes a dataset unfit to be read: its numbers are to lie in this file, packed by filters that come with HDF5.
std::string why_not_here(hid_t dataset) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  if (creation.id() < 0) return reason();
  if (H5Pget_external_count(creation.id()) != 0) return "its numbers lie in another file";
  const H5D_layout_t layout = H5Pget_layout(creation.id());
  if (layout != H5D_CHUNKED && layout != H5D_CONTIGUOUS && layout != H5D_COMPACT) return "its numbers lie in another file";
  if (layout != H5D_CHUNKED) return "";
  const int filters = H5Pget_nfilters(creation.id());
  if (filters < 0) return reason();
  for (int i = 0; i < filters; ++i) {
    unsigned flags = 0, settings = 0;
    std::size_t values = 0;
    const H5Z_filter_t filter =
        H5Pget_filter2(creation.id(), static_cast<unsigned>(i), &flags, &values, nullptr, 0, nullptr, &settings);
    if (filter != H5Z_FILTER_FLETCHER32 && filter != H5Z_FILTER_DEFLATE && filter != H5Z_FILTER_SHUFFLE)
      return fmt::format("it is packed by a filter that is not known (number {})", static_cast<int>(filter));
  }
  return "";
}

// Bytes that a dataset can have in a file of this size.
std::uint64_t most_bytes(hid_t dataset, std::uint64_t file) {
  const Handle creation(H5Dget_create_plist(dataset), H5Pclose);
  unsigned flags = 0, settings = 0;
  std::size_t values = 0;
  const bool packed =
      H5Pget_filter_by_id2(creation.id(), H5Z_FILTER_DEFLATE, &flags, &values, nullptr, 0, nullptr, &settings) >= 0;
  return std::min(file, std::uint64_t{1} << 50U) * (packed ? most_packed : 1);
}

std::string until_zero(std::string_view text) { return std::string(text.substr(0, text.find('\0'))); }

// The product, or more than `most`.
std::uint64_t product(std::span<const hsize_t> factors, std::uint64_t most) {
  std::uint64_t out = 1;
  for (const hsize_t n : factors) {
    if (n == 0) return 0;
    if (out > most / n) return most + 1;
    out *= n;
  }
  return out;
}

struct Contents {
  std::vector<std::string> datasets;
  std::string link;  // one that leads elsewhere
};

// HDF5 calls it, so nothing may be thrown through it.
herr_t look(hid_t file, const char* name, const H5L_info_t* about, void* out) noexcept {
  auto& found = *static_cast<Contents*>(out);
  if (about->type != H5L_TYPE_HARD) {
    found.link = name;
    return 1;  // enough
  }
  const Handle object(H5Oopen(file, name, H5P_DEFAULT), H5Oclose);
  if (object.id() < 0) return -1;
  if (H5Iget_type(object.id()) == H5I_DATASET) found.datasets.push_back("/" + std::string(name));
  return 0;
}

}  // namespace

Reader::Reader(const std::string& path) : path_(path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  H5PLset_loading_state(0);             // a file may name a filter, but not make us load one
  const Handle access = file_access();  // closing it would clear the reason
  struct stat about {};
  if (::stat(path.c_str(), &about) == 0 && S_ISREG(about.st_mode)) {  // whatever else there is may block
    bytes_ = static_cast<std::uint64_t>(about.st_size);
    handle_ = Handle(H5Fopen(path.c_str(), H5F_ACC_RDONLY, access.id()), H5Fclose);
  }
  if (handle_.id() < 0) throw FileError(fmt::format("{}: cannot read: {}", path, why_not_opened(path)));
}

void Reader::refuse(const std::string& what, const std::string& why) const {
  throw FileError(fmt::format("{}: the file is damaged: {}: {}", path_, what, why));
}

void Reader::refuse_unread(const std::string& dataset) const {
  const std::string why = reason();
  if (why.find("Fletcher32") != std::string::npos) refuse(dataset, "what it holds does not fit its checksum");
  throw FileError(fmt::format("{}: cannot read {}: {}", path_, dataset, why));
}

bool Reader::has_attribute(const std::string& name) const { return H5Aexists(handle_.id(), name.c_str()) > 0; }

std::string Reader::text(const std::string& attribute, const std::string& on) const {
  const std::string what = fmt::format("read attribute '{}'", attribute), named = fmt::format("attribute '{}'", attribute);
  const Handle handle(
      checked(H5Aopen_by_name(handle_.id(), on.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT), path_, what), H5Aclose);
  const Handle type(H5Aget_type(handle.id()), H5Tclose), space(H5Aget_space(handle.id()), H5Sclose);
  if (!is_text(type.id()) || !is_one(space.id())) refuse(named, "it is no text of a fixed length");
  const std::size_t width = H5Tget_size(type.id());
  if (width > bytes_) refuse(named, "it says that it is longer than the file");
  std::string out(width, '\0');
  checked(H5Aread(handle.id(), type.id(), out.data()), path_, what);
  return until_zero(out);
}

double Reader::number(const std::string& attribute) const {
  const std::string what = fmt::format("read attribute '{}'", attribute);
  const Handle handle(checked(H5Aopen(handle_.id(), attribute.c_str(), H5P_DEFAULT), path_, what), H5Aclose);
  const Handle type(H5Aget_type(handle.id()), H5Tclose), space(H5Aget_space(handle.id()), H5Sclose);
  if (!is_number(type.id()) || !is_one(space.id())) refuse(fmt::format("attribute '{}'", attribute), "it is no number");
  double out = 0;
  checked(H5Aread(handle.id(), H5T_NATIVE_DOUBLE, &out), path_, what);
  return out;
}

std::vector<std::string> Reader::datasets() const {
  Contents found;
  checked(H5Lvisit(handle_.id(), H5_INDEX_NAME, H5_ITER_INC, look, &found), path_, "list its contents");
  if (!found.link.empty()) refuse("/" + found.link, "it is a link; results hold none");
  return std::move(found.datasets);
}

Handle Reader::open(const std::string& dataset) const {
  Handle data(checked(H5Dopen2(handle_.id(), dataset.c_str(), H5P_DEFAULT), path_, fmt::format("open {}", dataset)), H5Dclose);
  if (const std::string why = why_not_here(data.id()); !why.empty()) refuse(dataset, why);
  return data;
}

bool Reader::holds_text(const std::string& dataset) const {
  const Handle data = open(dataset), type(H5Dget_type(data.id()), H5Tclose);
  return H5Tget_class(type.id()) == H5T_STRING;
}

std::vector<std::size_t> Reader::shape(const std::string& dataset) const {
  const Handle data = open(dataset), space(H5Dget_space(data.id()), H5Sclose), type(H5Dget_type(data.id()), H5Tclose);
  if (!is_number(type.id())) refuse(dataset, "it holds neither numbers of 64 bits nor texts");
  const int rank = H5Sget_simple_extent_ndims(space.id());
  if (H5Sget_simple_extent_type(space.id()) != H5S_SIMPLE || rank < 1 || rank > most_dimensions)
    refuse(dataset, fmt::format("it has {} dimensions", rank));
  std::array<hsize_t, most_dimensions> extent{};
  checked(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), path_, fmt::format("measure {}", dataset));
  const std::span<const hsize_t> all(extent.data(), static_cast<std::size_t>(rank));
  // Also of a dataset that has no rows yet: of one row.
  const std::uint64_t most = most_bytes(data.id(), bytes_) / sizeof(double);
  if (product(all, most) > most || product(all.subspan(1), most) > most)
    refuse(dataset, "it says that it is larger than the file can hold");
  return {all.begin(), all.end()};
}

std::vector<std::string> Reader::strings(const std::string& dataset) const {
  const Handle data = open(dataset), type(H5Dget_type(data.id()), H5Tclose), space(H5Dget_space(data.id()), H5Sclose);
  if (!is_text(type.id())) refuse(dataset, "these are no texts of a fixed length");
  const hssize_t count = H5Sget_simple_extent_npoints(space.id());
  const std::size_t width = H5Tget_size(type.id());
  if (H5Sget_simple_extent_type(space.id()) != H5S_SIMPLE || count < 0 || width == 0 ||
      static_cast<std::uint64_t>(count) > most_bytes(data.id(), bytes_) / width)
    refuse(dataset, "it says that it holds more texts than the file can");
  std::string letters(static_cast<std::size_t>(count) * width, '\0');
  if (H5Dread(data.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()) < 0) refuse_unread(dataset);
  std::vector<std::string> out;
  for (std::size_t i = 0; i < letters.size(); i += width) out.push_back(until_zero(std::string_view(letters).substr(i, width)));
  return out;
}

void Reader::rows(const std::string& dataset, std::size_t first, std::span<double> out) const {
  const std::vector<std::size_t> extent = shape(dataset);
  std::size_t width = 1;
  for (std::size_t i = 1; i < extent.size(); ++i) width *= extent[i];
  if (width == 0 || out.empty()) return;
  std::array<hsize_t, most_dimensions> start{first}, count{};
  std::copy(extent.begin(), extent.end(), count.begin());
  count[0] = out.size() / width;
  if (out.size() % width != 0 || first > extent[0] || count[0] > extent[0] - first)
    refuse(dataset, fmt::format("it has {} rows of {} numbers, others have more", extent[0], width));
  const Handle data = open(dataset), space(H5Dget_space(data.id()), H5Sclose);
  checked(H5Sselect_hyperslab(space.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), path_,
          fmt::format("read {}", dataset));
  const Handle target(H5Screate_simple(static_cast<int>(extent.size()), count.data(), nullptr), H5Sclose);
  if (H5Dread(data.id(), H5T_NATIVE_DOUBLE, target.id(), space.id(), H5P_DEFAULT, out.data()) < 0) refuse_unread(dataset);
}

}  // namespace trompo::h5
