// What the tests of recorders share: a directory that goes away, a run with observers, and HDF5 read back by its own C API.
#pragma once

#include <gtest/gtest.h>
#include <hdf5.h>
#include <unistd.h>

#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

#include "tests/reference_cases.hpp"

namespace trompo::test {

class Directory {
 public:
  Directory() {
    std::string name = (std::filesystem::temp_directory_path() / "trompo-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary directory");
    path_ = name;
  }
  ~Directory() {
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
  }
  Directory(const Directory&) = delete;
  Directory& operator=(const Directory&) = delete;
  [[nodiscard]] const std::string& path() const { return path_; }
  [[nodiscard]] std::string operator/(const std::string& name) const { return path_ + "/" + name; }

 private:
  std::string path_;
};

inline std::string read_text(const std::string& path) {
  std::ifstream file(path, std::ios::binary);
  return {std::istreambuf_iterator<char>(file), {}};
}

// The elastic pendulum with two sensors.
inline Model observed_pendulum(long steps) {
  Model model = reference_cases::pendulum(1e4, 9.8, 0.05, steps);
  model.file = "some/where/pendulum.toml";
  model.title = "Elastic pendulum";
  model.time.scheme = "energy-momentum-exact";
  SensorInput length, pull;
  length.name = "length";
  length.kind = "distance";
  length.of = {"pivot", "bob"};
  pull.name = "pull";
  pull.kind = "reaction";
  pull.of = {"pivot", ""};
  pull.axis = "y";
  model.sensors = {length, pull};
  return model;
}

inline RunResult watch(const Model& model, Observer& observer, const RunOptions& options = {}) {
  const System system(model);
  Observer* const observers[] = {&observer};
  return run(model, system, scheme_of(model), observers, options);
}

// Asks for a stop after so many steps, as Ctrl-C does.
struct StopAfter : Observer {
  explicit StopAfter(long steps) : last(steps) {}
  void step(long done) override { stop = done >= last; }
  long last;
  std::atomic<bool> stop = false;
};

class Results {
 public:
  explicit Results(const std::string& path) : file_(H5Fopen(path.c_str(), H5F_ACC_RDONLY, H5P_DEFAULT)) {
    EXPECT_GE(file_, 0) << path;
  }
  ~Results() { H5Fclose(file_); }
  Results(const Results&) = delete;
  Results& operator=(const Results&) = delete;

  [[nodiscard]] bool has(const std::string& name) const { return H5Lexists(file_, name.c_str(), H5P_DEFAULT) > 0; }
  [[nodiscard]] std::vector<hsize_t> shape(const std::string& name) const {
    const hid_t data = H5Dopen2(file_, name.c_str(), H5P_DEFAULT), space = H5Dget_space(data);
    std::vector<hsize_t> out(static_cast<std::size_t>(std::max(0, H5Sget_simple_extent_ndims(space))));
    H5Sget_simple_extent_dims(space, out.data(), nullptr);
    H5Sclose(space);
    H5Dclose(data);
    return out;
  }
  [[nodiscard]] std::vector<double> numbers(const std::string& name) const {
    std::size_t count = 1;
    for (const hsize_t n : shape(name)) count *= n;
    std::vector<double> out(count);
    const hid_t data = H5Dopen2(file_, name.c_str(), H5P_DEFAULT);
    EXPECT_GE(H5Dread(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, out.data()), 0) << name;
    H5Dclose(data);
    return out;
  }
  [[nodiscard]] std::vector<std::string> strings(const std::string& name) const {
    const std::size_t count = shape(name)[0];
    const hid_t data = H5Dopen2(file_, name.c_str(), H5P_DEFAULT), type = H5Dget_type(data);
    const std::size_t width = H5Tget_size(type);
    EXPECT_EQ(H5Tis_variable_str(type), 0) << name;
    std::string letters(count * width, '?');
    EXPECT_GE(H5Dread(data, type, H5S_ALL, H5S_ALL, H5P_DEFAULT, letters.data()), 0) << name;
    std::vector<std::string> out;
    for (std::size_t i = 0; i < count; ++i) out.emplace_back(letters.substr(i * width, width).c_str());
    H5Tclose(type);
    H5Dclose(data);
    return out;
  }
  [[nodiscard]] std::string text(const std::string& attribute, const std::string& on = "/") const {
    const hid_t handle = H5Aopen_by_name(file_, on.c_str(), attribute.c_str(), H5P_DEFAULT, H5P_DEFAULT);
    const hid_t type = H5Aget_type(handle);
    EXPECT_EQ(H5Tis_variable_str(type), 0) << attribute;
    std::string letters(H5Tget_size(type), '?');
    EXPECT_GE(H5Aread(handle, type, letters.data()), 0) << attribute;
    H5Tclose(type);
    H5Aclose(handle);
    return letters.c_str();
  }
  [[nodiscard]] double number(const std::string& attribute) const {
    const hid_t handle = H5Aopen(file_, attribute.c_str(), H5P_DEFAULT);
    double out = 0;
    EXPECT_GE(H5Aread(handle, H5T_NATIVE_DOUBLE, &out), 0) << attribute;
    H5Aclose(handle);
    return out;
  }

 private:
  hid_t file_;
};

}  // namespace trompo::test
