// Where things are on this machine. Written by CMake into one file: a path on every command line would make the objects of each
// clone its own, and ccache could not share them.
#pragma once

#include <string>

namespace trompo::places {

[[nodiscard]] std::string source(const std::string& file);  // of the source tree: "examples/top.toml"
[[nodiscard]] std::string data(const std::string& file);    // of tests/data
[[nodiscard]] std::string tool();                           // the binary

}  // namespace trompo::places
