// Whether a results file is sound, as any program that reads HDF5 finds it: it opens without flags or permissions of ours,
// every dataset can be read and has a row for every time, and times grow.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>

#include <filesystem>
#include <string>
#include <vector>

namespace trompo::test {

struct SoundResults {
  std::string trouble;  // empty: sound
  std::vector<double> times;
};

namespace detail {

inline herr_t look_at_dataset(hid_t file, const char* name, const H5L_info_t* /*info*/, void* data) {
  auto& found = *static_cast<SoundResults*>(data);
  const hid_t object = H5Oopen(file, name, H5P_DEFAULT);
  if (H5Iget_type(object) == H5I_DATASET) {
    const hid_t type = H5Dget_type(object), space = H5Dget_space(object);
    if (H5Tget_class(type) != H5T_STRING) {
      hsize_t extent[H5S_MAX_RANK] = {};
      H5Sget_simple_extent_dims(space, extent, nullptr);
      std::vector<double> values(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
      if (H5Dread(object, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, values.data()) < 0)
        found.trouble += std::string(name) + " cannot be read; ";
      if (extent[0] != found.times.size()) found.trouble += std::string(name) + " has another length than time; ";
    }
    H5Sclose(space);
    H5Tclose(type);
  }
  H5Oclose(object);
  return 0;
}

}  // namespace detail

inline SoundResults sound_results(const std::filesystem::path& path) {
  SoundResults found;
  H5Eset_auto2(H5E_DEFAULT, nullptr, nullptr);
  const hid_t file = H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT);
  if (file < 0) return {path.string() + " cannot be opened", {}};
  const hid_t time = H5Dopen2(file, "/time", H5P_DEFAULT), space = H5Dget_space(time);
  found.times.resize(static_cast<std::size_t>(H5Sget_simple_extent_npoints(space)));
  if (H5Dread(time, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, found.times.data()) < 0)
    found.trouble += "time cannot be read; ";
  H5Sclose(space);
  H5Dclose(time);
  if (found.times.empty()) found.trouble += "it holds no rows; ";
  for (std::size_t i = 1; i < found.times.size(); ++i)
    if (found.times[i] <= found.times[i - 1]) found.trouble = "time goes back; ";
  if (H5Lvisit(file, H5_INDEX_NAME, H5_ITER_NATIVE, detail::look_at_dataset, &found) < 0) found.trouble += "cannot be walked; ";
  H5Fclose(file);
  return found;
}

}  // namespace trompo::test
