// The part of HDF5 that a recorder and a reader need, and nothing of hdf5.h in the header. Every failure is a FileError with
// the path. Nothing in a file depends on when it was written: the same calls give the same bytes. The C library is not made for
// threads: one thread at a time.
#pragma once

#include <array>
#include <cstdint>
#include <span>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

namespace trompo::h5 {

// Owns one HDF5 identifier.
class Handle {
 public:
  using Close = int (*)(std::int64_t);
  Handle() = default;
  Handle(std::int64_t id, Close how_to_close) : id_(id), close_(how_to_close) {}
  Handle(Handle&& other) noexcept : id_(std::exchange(other.id_, -1)), close_(other.close_) {}
  Handle& operator=(Handle&& other) noexcept {
    std::swap(id_, other.id_);
    std::swap(close_, other.close_);
    return *this;
  }
  ~Handle() { close(); }
  [[nodiscard]] std::int64_t id() const { return id_; }
  bool close() { return id_ < 0 || close_(std::exchange(id_, -1)) >= 0; }

 private:
  std::int64_t id_ = -1;
  Close close_ = nullptr;
};

enum class Number { real, integer };  // in the file: 64 bits, little endian

// A table of rows of one shape that grows at its end. Values are handed over as doubles, integers among them too.
class Dataset {
 public:
  void append(std::span<const double> rows);
  void attribute(std::string_view name, std::string_view text);

 private:
  friend class File;
  Dataset(std::string where, Handle handle, std::span<const std::size_t> row_shape);
  std::string where_;  // file and name, for messages
  Handle handle_;
  std::array<std::uint64_t, 3> extent_{0, 1, 1};  // rows so far and the shape of one
  int rank_ = 1;
};

// Bytes that each of these takes in a list of them.
[[nodiscard]] std::size_t text_width(std::span<const std::string> texts);

class File {
 public:
  explicit File(const std::string& path);                     // a new file; an old one of that name is lost
  [[nodiscard]] static File opened(const std::string& path);  // to go on writing in it
  void group(const std::string& name);                        // if it is not there yet
  [[nodiscard]] Dataset dataset(const std::string& name, Number, std::span<const std::size_t> row_shape,
                                std::size_t chunk_rows);
  [[nodiscard]] Dataset dataset(const std::string& name);                     // that is there already
  void strings(const std::string& name, std::span<const std::string> texts);  // all as wide as the longest
  void attribute(std::string_view name, std::string_view text);               // of the root; written over if it is there
  void attribute(std::string_view name, double value);
  void attribute(std::string_view name, std::int64_t value);
  // Takes hold of disk space for what will be written next. HDF5 does not survive a disk that fills up while it writes: it
  // loses the file, and 1.10 crashes at exit. Where the file system cannot reserve, nothing happens.
  void reserve(std::size_t bytes);
  void flush();
  void close();  // says if something could not be written; the destructor keeps silent

 private:
  File(std::string path, Handle handle) : path_(std::move(path)), handle_(std::move(handle)) {}
  std::string path_;
  Handle handle_;
  std::uint64_t reserved_ = 0;  // bytes from the start of the file
};

// Reads files that anybody may have written. Every size, rank and type is looked at before it is used, and what is asked for is
// bounded by the size of the file; nothing makes it read another file: links to files, data that lie elsewhere and plugins are
// refused. So are texts of variable length, which stand in HDF5's global heap.
class Reader {
 public:
  explicit Reader(const std::string& path);
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] bool has_attribute(const std::string& name) const;  // of the root
  [[nodiscard]] std::string text(const std::string& attribute, const std::string& on = "/") const;
  [[nodiscard]] double number(const std::string& attribute) const;
  [[nodiscard]] std::vector<std::string> datasets() const;  // paths of all of them
  [[nodiscard]] bool holds_text(const std::string& dataset) const;
  // Rows, then the shape of one. Of numbers; their product is no larger than the file can hold.
  [[nodiscard]] std::vector<std::size_t> shape(const std::string& dataset) const;
  [[nodiscard]] std::vector<std::string> strings(const std::string& dataset) const;
  // Rows from `first` on, as many as `out` has room for.
  void rows(const std::string& dataset, std::size_t first, std::span<double> out) const;

 private:
  [[nodiscard]] Handle open(const std::string& dataset) const;
  [[noreturn]] void refuse(const std::string& what, const std::string& why) const;
  [[noreturn]] void refuse_unread(const std::string& dataset) const;  // for the reason that HDF5 gives
  std::string path_;
  std::uint64_t bytes_ = 0;  // of the file
  Handle handle_;
};

}  // namespace trompo::h5
