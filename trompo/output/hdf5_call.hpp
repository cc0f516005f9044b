// How a call of HDF5 that fails becomes a FileError; for hdf5.cpp and hdf5_reader.cpp.
#pragma once

#include <fmt/format.h>

#include <string>
#include <string_view>

#include "trompo/model/source.hpp"
#include "trompo/output/hdf5.hpp"

namespace trompo::h5 {

// The innermost entry of HDF5's stack of errors is the one that knows; the words of the operating system if it quotes them.
[[nodiscard]] std::string reason();

// Without HDF5's own locks: a results folder has its lock, and a finished file may be read by whoever likes.
[[nodiscard]] Handle file_access();

// Result of an HDF5 call: negative means failed.
template <class T>
T checked(T result, std::string_view where, std::string_view what) {
  if (result < 0) throw FileError(fmt::format("{}: cannot {}: {}", where, what, reason()));
  return result;
}

}  // namespace trompo::h5
