// Results files as an enemy could write them: whole files for the HDF5 library, with anything in them for us. (Bytes that are
// no HDF5 file exercise that library, which is not ours to mend: `trompo view` reads files in a process of its own.) A line of
// the input is
//   text NAME VALUE               an attribute; whole NAME NUMBER and real NAME NUMBER are others
//   names PATH A|B|C              a list of names
//   table PATH UNIT 2x3 NUMBERS   rows of this shape; `-` for a number each, `integers` in place of `table` for whole numbers
//   summary TEXT                  of summary.json
#include <stdlib.h>  // NOLINT(modernize-deprecated-headers): mkdtemp

#include <algorithm>
#include <filesystem>
#include <nlohmann/json.hpp>
#include <sstream>
#include <vector>

#include "tests/fuzz/targets.hpp"
#include "tests/fuzz/trial.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/hdf5.hpp"
#include "trompo/output/report.hpp"

namespace trompo {

namespace {

namespace fs = std::filesystem;

class Folder {
 public:
  Folder() {
    std::string name = (fs::temp_directory_path() / "trompo-fuzz-XXXXXX").string();
    if (::mkdtemp(name.data()) == nullptr) throw std::runtime_error("cannot make " + name);
    path = name;
  }
  Folder(const Folder&) = delete;
  Folder& operator=(const Folder&) = delete;
  ~Folder() {
    std::error_code ignored;
    fs::remove_all(path, ignored);
  }
  fs::path path;
};

std::string word_of(std::istream& line) {
  std::string word;
  line >> word;
  return word;
}
std::string rest_of(std::istream& line) {
  std::string rest;
  std::getline(line >> std::ws, rest);
  return rest;
}
template <class Number>
Number number_of(std::istream& line) {
  Number number{};
  line >> number;
  return number;
}

void write_table(h5::File& file, h5::Number kind, std::istream& line) {
  const std::string path = word_of(line), unit = word_of(line), form = word_of(line);
  std::vector<std::size_t> shape;
  std::size_t size = 1;
  for (std::istringstream sizes(form); shape.size() < 2;) {
    std::size_t n = 0;
    if (!(sizes >> n) || n == 0 || n > 64) break;
    shape.push_back(n);
    size *= n;
    sizes.get();
  }
  std::vector<double> numbers;
  for (double x = 0; numbers.size() < 4096 && line >> x;) numbers.push_back(x);
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0) file.group(path.substr(1, slash - 1));
  h5::Dataset dataset = file.dataset(path, kind, shape, std::max<std::size_t>(1, numbers.size() / size));
  dataset.append({numbers.data(), numbers.size() / size * size});
  if (unit != "-") dataset.attribute("unit", unit);
}

void write_names(h5::File& file, std::istream& line) {
  const std::string path = word_of(line);
  std::vector<std::string> names;
  std::istringstream list(rest_of(line));
  for (std::string name; std::getline(list, name, '|');) names.push_back(name);
  if (const std::size_t slash = path.rfind('/'); slash != std::string::npos && slash > 0) file.group(path.substr(1, slash - 1));
  file.strings(path, names);
}

void write_results(const fs::path& folder, std::string_view input) {
  h5::File file((folder / "results.h5").string());
  std::istringstream lines{std::string(input)};
  for (std::string text; std::getline(lines, text);) {
    std::istringstream line(text);
    const std::string what = word_of(line);
    try {  // what cannot be written is left out
      if (what == "table") write_table(file, h5::Number::real, line);
      if (what == "integers") write_table(file, h5::Number::integer, line);
      if (what == "names") write_names(file, line);
      if (what == "summary") write_text_file((folder / "summary.json").string(), rest_of(line));
      if (what != "text" && what != "whole" && what != "real") continue;
      const std::string name = word_of(line);
      if (what == "text") file.attribute(name, std::string_view(rest_of(line)));
      if (what == "whole") file.attribute(name, number_of<std::int64_t>(line));
      if (what == "real") file.attribute(name, number_of<double>(line));
    } catch (const FileError&) {
    }
  }
  file.close();
}

void require_json(const std::string& text) {
  if (!text.empty() && !nlohmann::json::accept(text)) throw Finding("no JSON: " + text.substr(0, 200));
}

template <class Read>
void read(const Read& what) {
  try {
    require_json(what());
  } catch (const FileError&) {
  }
}

}  // namespace

void fuzz_results(std::string_view input) {
  static const Folder folder;
  std::error_code ignored;
  for (const char* name : {"results.h5", "summary.json"}) fs::remove(folder.path / name, ignored);
  try {
    write_results(folder.path, input);
  } catch (const FileError&) {
    return;
  }
  const std::string path = folder.path.string();
  read([&path] { return page_of_results(path).json(); });
  read([&path] { return curves_of_results(path, "energy", 0, 1); });
}

}  // namespace trompo
