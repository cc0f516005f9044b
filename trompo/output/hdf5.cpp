#include "trompo/output/hdf5.hpp"

#include <fcntl.h>
#include <fmt/format.h>
#include <hdf5.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <filesystem>
#include <system_error>
#include <type_traits>
#include <vector>

#include "trompo/output/hdf5_call.hpp"

namespace trompo::h5 {

static_assert(std::is_same_v<hid_t, std::int64_t> && std::is_same_v<herr_t, int>, "Handle is made for HDF5 1.10 or later");

std::string reason() {
  std::string text;
  H5Ewalk2(
      H5E_DEFAULT, H5E_WALK_UPWARD,
      [](unsigned, const H5E_error2_t* entry, void* out) -> herr_t {
        auto& first = *static_cast<std::string*>(out);
        if (first.empty() && entry->desc != nullptr) first = entry->desc;
        return 0;
      },
      &text);
  static constexpr std::string_view quote = "error message = '";
  if (const auto start = text.find(quote); start != std::string::npos) {
    text = text.substr(start + quote.size());
    text = text.substr(0, text.find('\''));
  }
  return text.empty() ? "HDF5 gives no reason" : text;
}

// HDF5 keeps what it knows of where chunks lie, and counts this by its size in the file; in memory it is eight times as much.
// Left to itself that grows with the rows. Everything is flushed with them, so little is as good as much.
Handle file_access() {
  Handle list(H5Pcreate(H5P_FILE_ACCESS), H5Pclose);
  H5Pset_file_locking(list.id(), false, true);
  H5Pset_libver_bounds(list.id(), H5F_LIBVER_V18, H5F_LIBVER_LATEST);
  H5AC_cache_config_t cache{};
  cache.version = H5AC__CURR_CACHE_CONFIG_VERSION;
  H5Pget_mdc_config(list.id(), &cache);
  cache.set_initial_size = true;
  cache.initial_size = cache.min_size = cache.max_size = 1 << 16;
  cache.incr_mode = H5C_incr__off;
  cache.flash_incr_mode = H5C_flash_incr__off;
  cache.decr_mode = H5C_decr__off;
  H5Pset_mdc_config(list.id(), &cache);
  return list;
}

namespace {

constexpr std::uint64_t spare = 1 << 19;  // for what HDF5 writes about the data

// Blocks behind the end of the file that do not count as its size; hence a limit on sizes has to be asked for.
void reserve_blocks(int file, const std::string& path, std::uint64_t from, std::uint64_t to) {
  rlimit largest{};
  if (::getrlimit(RLIMIT_FSIZE, &largest) == 0 && largest.rlim_cur != RLIM_INFINITY && to > largest.rlim_cur)
    throw FileError(fmt::format("{}: cannot write: {}", path, std::generic_category().message(EFBIG)));
  if (::fallocate(file, FALLOC_FL_KEEP_SIZE, static_cast<off_t>(from), static_cast<off_t>(to - from)) == 0) return;
  if (errno == ENOSPC || errno == EDQUOT || errno == EFBIG)
    throw FileError(fmt::format("{}: cannot write: {}", path, std::generic_category().message(errno)));
}

// A new file on a full disk: found out before HDF5 has to do with it.
void try_to_create(const std::string& path) {
  const int file = ::open(path.c_str(), O_CREAT | O_WRONLY | O_CLOEXEC, 0666);
  if (file < 0) throw FileError(fmt::format("{}: cannot create: {}", path, std::generic_category().message(errno)));
  const Handle closes(file, [](std::int64_t id) { return ::close(static_cast<int>(id)); });
  reserve_blocks(file, path, 0, spare);
}

Handle property_list(hid_t kind) {
  Handle list(H5Pcreate(kind), H5Pclose);
  H5Pset_obj_track_times(list.id(), false);  // no timestamps
  return list;
}

// Of a file or a group. What it holds is listed in the object itself: HDF5 1.10 crashes where a damaged list stands apart.
// Attributes stand there too, unless one passes 64 kB.
Handle listing(hid_t kind) {
  Handle list = property_list(kind);
  H5Pset_link_phase_change(list.id(), 64, 0);
  H5Pset_attr_phase_change(list.id(), 64, 0);
  return list;
}

// No cache of chunks: rows go to the file when they are appended, so its layout depends on nothing else.
Handle dataset_access() {
  Handle list(H5Pcreate(H5P_DATASET_ACCESS), H5Pclose);
  H5Pset_chunk_cache(list.id(), 0, 0, 0);
  return list;
}

// Of so many bytes, the zero at the end among them. Texts of variable length would stand in HDF5's global heap, where damage
// goes unseen and can keep a reader busy for ever.
Handle text_type(std::size_t bytes) {
  Handle type(H5Tcopy(H5T_C_S1), H5Tclose);
  H5Tset_size(type.id(), bytes);
  H5Tset_cset(type.id(), H5T_CSET_UTF8);
  return type;
}

void write_attribute(hid_t on, const std::string& where, const std::string& name, hid_t file_type, hid_t type,
                     const void* value) {
  const std::string what = fmt::format("write attribute '{}'", name);
  if (H5Aexists(on, name.c_str()) > 0) checked(H5Adelete(on, name.c_str()), where, what);  // a text may have another length
  const Handle scalar(H5Screate(H5S_SCALAR), H5Sclose);
  const Handle made(H5Acreate2(on, name.c_str(), file_type, scalar.id(), H5P_DEFAULT, H5P_DEFAULT), H5Aclose);
  checked(H5Awrite(made.id(), type, value), where, what);
}

void write_text(hid_t on, const std::string& where, std::string_view name, std::string_view text) {
  const std::string owned(text);
  const Handle type = text_type(owned.size() + 1);
  write_attribute(on, where, std::string(name), type.id(), type.id(), owned.c_str());
}

// In chunks with a checksum each: a flipped bit is an error to who reads it.
void lay_out(const Handle& creation, std::span<const hsize_t> chunk, const std::string& path, const std::string& name) {
  const std::string what = fmt::format("lay out {}", name);
  checked(H5Pset_chunk(creation.id(), static_cast<int>(chunk.size()), chunk.data()), path, what);
  H5Pset_fill_time(creation.id(), H5D_FILL_TIME_NEVER);
  checked(H5Pset_fletcher32(creation.id()), path, what);
}

}  // namespace

std::size_t text_width(std::span<const std::string> texts) {
  std::size_t longest = 0;
  for (const std::string& text : texts) longest = std::max(longest, text.size());
  return longest + 1;  // and a zero
}

Dataset::Dataset(std::string where, Handle handle, std::span<const std::size_t> row_shape)
    : where_(std::move(where)), handle_(std::move(handle)), rank_(1 + static_cast<int>(row_shape.size())) {
  for (std::size_t i = 0; i < row_shape.size(); ++i) extent_[i + 1] = row_shape[i];
}

void Dataset::append(std::span<const double> rows) {
  const std::uint64_t width = extent_[1] * extent_[2];
  if (rows.empty() || width == 0) return;
  const std::array<hsize_t, 3> start{extent_[0], 0, 0}, count{rows.size() / width, extent_[1], extent_[2]};
  const std::array<hsize_t, 3> larger{start[0] + count[0], extent_[1], extent_[2]};
  checked(H5Dset_extent(handle_.id(), larger.data()), where_, "grow");
  extent_[0] = larger[0];
  const Handle target(H5Dget_space(handle_.id()), H5Sclose);
  checked(H5Sselect_hyperslab(target.id(), H5S_SELECT_SET, start.data(), nullptr, count.data(), nullptr), where_, "select");
  const Handle source(H5Screate_simple(rank_, count.data(), nullptr), H5Sclose);
  checked(H5Dwrite(handle_.id(), H5T_NATIVE_DOUBLE, source.id(), target.id(), H5P_DEFAULT, rows.data()), where_, "write");
}

void Dataset::attribute(std::string_view name, std::string_view text) { write_text(handle_.id(), where_, name, text); }

File::File(const std::string& path) : path_(path) {
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);  // HDF5 would print; a FileError says it
  H5set_free_list_limits(0, 0, 0, 0, 0, 0);     // else it keeps what it has freed, of every size that an index had as it grew
  try_to_create(path);
  const Handle creation = listing(H5P_FILE_CREATE), access = file_access();
  handle_ = Handle(checked(H5Fcreate(path.c_str(), H5F_ACC_TRUNC, creation.id(), access.id()), path, "create"), H5Fclose);
  // All that HDF5 writes about the data has checksums from this version on. The file itself is begun in the one before: later
  // ones mark it as open for writing, and then nobody could read a copy of it.
  checked(H5Fset_libver_bounds(handle_.id(), H5F_LIBVER_V110, H5F_LIBVER_LATEST), path, "create");
}

File File::opened(const std::string& path) {
  const Handle access = file_access();
  return {path, Handle(checked(H5Fopen(path.c_str(), H5F_ACC_RDWR, access.id()), path, "open"), H5Fclose)};
}

void File::group(const std::string& name) {
  if (H5Lexists(handle_.id(), name.c_str(), H5P_DEFAULT) > 0) return;
  const Handle creation = listing(H5P_GROUP_CREATE);
  const Handle made(H5Gcreate2(handle_.id(), name.c_str(), H5P_DEFAULT, creation.id(), H5P_DEFAULT), H5Gclose);
  checked(made.id(), path_, fmt::format("create group {}", name));
}

Dataset File::dataset(const std::string& name, Number number, std::span<const std::size_t> row_shape, std::size_t chunk_rows) {
  std::array<hsize_t, 3> now{0, 1, 1}, most{H5S_UNLIMITED, 1, 1}, chunk{chunk_rows, 1, 1};
  for (std::size_t i = 0; i < row_shape.size(); ++i) now[i + 1] = most[i + 1] = chunk[i + 1] = row_shape[i];
  const int rank = 1 + static_cast<int>(row_shape.size());
  const Handle space(H5Screate_simple(rank, now.data(), most.data()), H5Sclose);
  const Handle creation = property_list(H5P_DATASET_CREATE);
  lay_out(creation, std::span(chunk).first(static_cast<std::size_t>(rank)), path_, name);
  const Handle access = dataset_access();
  const hid_t type = number == Number::real ? H5T_IEEE_F64LE : H5T_STD_I64LE;
  Handle made(H5Dcreate2(handle_.id(), name.c_str(), type, space.id(), H5P_DEFAULT, creation.id(), access.id()), H5Dclose);
  checked(made.id(), path_, fmt::format("create dataset {}", name));
  return {path_ + name, std::move(made), row_shape};
}

Dataset File::dataset(const std::string& name) {
  const Handle access = dataset_access();
  Handle opened(checked(H5Dopen2(handle_.id(), name.c_str(), access.id()), path_, fmt::format("open {}", name)), H5Dclose);
  const Handle space(H5Dget_space(opened.id()), H5Sclose);
  std::array<hsize_t, 3> extent{0, 1, 1};
  const int rank =
      checked(H5Sget_simple_extent_dims(space.id(), extent.data(), nullptr), path_, fmt::format("measure {}", name));
  const std::array<std::size_t, 2> shape{extent[1], extent[2]};
  Dataset out(path_ + name, std::move(opened), std::span(shape).first(static_cast<std::size_t>(rank - 1)));
  out.extent_[0] = extent[0];
  return out;
}

void File::strings(const std::string& name, std::span<const std::string> texts) {
  const std::size_t width = text_width(texts);
  std::string letters(texts.size() * width, '\0');
  for (std::size_t i = 0; i < texts.size(); ++i) texts[i].copy(letters.data() + i * width, width);
  const hsize_t count = texts.size();
  const Handle type = text_type(width), space(H5Screate_simple(1, &count, nullptr), H5Sclose);
  const Handle creation = property_list(H5P_DATASET_CREATE);
  if (count > 0) {
    const hsize_t chunk = std::clamp<hsize_t>((1 << 20) / width, 1, count);
    lay_out(creation, {&chunk, 1}, path_, name);
  }
  const Handle made(H5Dcreate2(handle_.id(), name.c_str(), type.id(), space.id(), H5P_DEFAULT, creation.id(), H5P_DEFAULT),
                    H5Dclose);
  checked(H5Dwrite(made.id(), type.id(), H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()), path_, fmt::format("write {}", name));
}

void File::attribute(std::string_view name, std::string_view text) { write_text(handle_.id(), path_, name, text); }
void File::attribute(std::string_view name, double value) {
  write_attribute(handle_.id(), path_, std::string(name), H5T_IEEE_F64LE, H5T_NATIVE_DOUBLE, &value);
}
void File::attribute(std::string_view name, std::int64_t value) {
  write_attribute(handle_.id(), path_, std::string(name), H5T_STD_I64LE, H5T_NATIVE_INT64, &value);
}

void File::reserve(std::size_t bytes) {
  hsize_t size = 0;
  void* file = nullptr;
  checked(H5Fget_filesize(handle_.id(), &size), path_, "measure");
  checked(H5Fget_vfd_handle(handle_.id(), H5P_DEFAULT, &file), path_, "reserve space");
  const std::uint64_t to = size + bytes + spare;
  if (to <= reserved_) return;
  reserve_blocks(*static_cast<const int*>(file), path_, reserved_, to);
  reserved_ = to;
}

void File::flush() { checked(H5Fflush(handle_.id(), H5F_SCOPE_LOCAL), path_, "flush"); }

void File::close() {
  checked(handle_.close() ? 0 : -1, path_, "close");
  std::error_code ignored;  // gives back what was reserved and not needed
  const auto size = std::filesystem::file_size(path_, ignored);
  if (!ignored) std::filesystem::resize_file(path_, size, ignored);
}

}  // namespace trompo::h5
