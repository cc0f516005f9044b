// Results that were flipped, cut and crafted: a page, or a FileError that says what is wrong; never a crash, a hang or a look
// into another file.
#include <algorithm>
#include <functional>
#include <random>

#include "tests/long_run.hpp"
#include "tests/output/recording.hpp"
#include "tests/page_checks.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/child.hpp"
#include "trompo/output/recorder.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/results.hpp"

namespace trompo::test {
namespace output_damaged_results {

// Something of every kind that a scene has indices for.
Model model_of_everything() {
  return parse_model(R"toml(
title = "Everything"
gravity = [0, -9.8, 0]
[[node]]
name = "pivot"
position = [0, 0, 0]
fixed = true
[[node]]
name = "bob"
position = [0, -3, 0]
velocity = [1, 0, 0]
mass = 10
[[bar]]
name = "rope"
nodes = ["pivot", "bob"]
EA = 1e4
[[body]]
name = "brick"
mass = 2
shape = { box = [1, 2, 3] }
position = [5, 0, 0]
[[body]]
name = "door"
mass = 1
inertia = [1, 1, 1]
position = [9, 0, 0]
[[joint]]
name = "hinge"
bodies = ["ground", "door"]
hinge = { axis = [0, 0, 1], at = [8, 0, 0] }
[[spring]]
name = "spring"
from = { ground = [5, 3, 0], motion = { x = "5 + 0.1*t" } }
to = { body = "brick", point = [0, 1, 0] }
stiffness = 10
[[coordinate]]
name = "theta"
value = 0.5
[[pendulum]]
name = "swing"
coordinate = "theta"
mass = 1
length = 2
[[load]]
name = "push"
body = "brick"
force = ["sin(t)", "0", "0"]
[[sensor]]
name = "height"
position = "bob"
axis = "y"
[time]
step = 0.01
steps = 20
scheme = "energy-momentum-exact"
)toml",
                     "everything.toml");
}

class DamagedResults : public testing::Test {
 protected:
  void SetUp() override { record(model_of_everything()); }
  void record(const Model& model) {
    {
      Hdf5Recorder recorder(directory_.path());
      (void)watch(model, recorder);
    }
    bytes_ = read_text(path());
    ASSERT_TRUE(reads(page()));
  }
  [[nodiscard]] std::string path() const { return directory_ / "results.h5"; }
  void restore() const { put(bytes_); }
  void put(const std::string& bytes) const { std::ofstream(path(), std::ios::binary | std::ios::trunc) << bytes; }

  // The page as `trompo view` reads it, or what it says; a plot of it too.
  [[nodiscard]] std::string page() const {
    const ChildLimits limits{.time = std::chrono::seconds(30), .memory = std::size_t{1} << 30};
    const std::atomic<bool> never = false;
    try {
      return in_child(
          path(),
          [this] {
            (void)curves_of_results(directory_.path(), "energy", 0, 1);
            return page_of_results(directory_.path()).json();
          },
          limits, never);
    } catch (const FileError& error) {
      return error.what();
    }
  }
  static bool reads(const std::string& page) { return page.starts_with("{\"format\":\"trompo page\"") && Json::accept(page); }
  static bool crashed(const std::string& page) { return page.find("process that reads it ended") != std::string::npos; }

  // A page or a message with the path, but no crash and no hang.
  void expect_judged(const std::string& what) const {
    const std::string page = this->page();
    EXPECT_TRUE(reads(page) || page.starts_with(path())) << what << ": " << page.substr(0, 300);
    EXPECT_FALSE(crashed(page)) << what << ": " << page;
    EXPECT_EQ(page.find("takes longer"), std::string::npos) << what;
    ++judged_;
  }
  void expect_refused(const std::string& what, const std::string& why) const {
    const std::string page = this->page();
    EXPECT_NE(page.find(why), std::string::npos) << what << ": " << page.substr(0, 300);
    EXPECT_TRUE(page.starts_with(path())) << what;
    EXPECT_FALSE(crashed(page)) << what;
    ++judged_;
  }
  // Changes the file by HDF5 itself.
  void change(const std::function<void(hid_t)>& how) const {
    restore();
    const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    ASSERT_GE(file, 0);
    how(file);
    H5Fclose(file);
  }

  Directory directory_;
  std::string bytes_;
  mutable int judged_ = 0;
};

hid_t text_type(std::size_t bytes) {
  const hid_t type = H5Tcopy(H5T_C_S1);
  H5Tset_size(type, bytes);
  H5Tset_cset(type, H5T_CSET_UTF8);
  return type;
}
void write_text(hid_t on, const char* name, const std::string& text) {
  if (H5Aexists(on, name) > 0) H5Adelete(on, name);
  const hid_t type = text_type(text.size() + 1), space = H5Screate(H5S_SCALAR),
              made = H5Acreate2(on, name, type, space, H5P_DEFAULT, H5P_DEFAULT);
  EXPECT_GE(H5Awrite(made, type, text.c_str()), 0) << name;
  H5Aclose(made);
  H5Sclose(space);
  H5Tclose(type);
}
void make_attribute(hid_t on, const char* name, hid_t type, const std::vector<hsize_t>& extent) {
  if (H5Aexists(on, name) > 0) H5Adelete(on, name);
  const hid_t space =
      extent.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  H5Aclose(H5Acreate2(on, name, type, space, H5P_DEFAULT, H5P_DEFAULT));
  H5Sclose(space);
}
// In the place of a dataset, another one; nothing is written into it.
void make_dataset(hid_t file, const std::string& name, hid_t type, const std::vector<hsize_t>& extent,
                  hid_t creation = H5P_DEFAULT) {
  H5Ldelete(file, name.c_str(), H5P_DEFAULT);
  const hid_t space =
      extent.empty() ? H5Screate(H5S_SCALAR) : H5Screate_simple(static_cast<int>(extent.size()), extent.data(), nullptr);
  const hid_t made = H5Dcreate2(file, name.c_str(), type, space, H5P_DEFAULT, creation, H5P_DEFAULT);
  EXPECT_GE(made, 0) << name;
  write_text(made, "unit", "m");
  H5Dclose(made);
  H5Sclose(space);
}

// What HDF5 writes about the data has checksums, all of it: neither a global heap nor a structure of its first versions; and no
// list of links apart from its group, in which HDF5 1.10 crashes when its checksum does not fit.
TEST_F(DamagedResults, EveryStructureHasAChecksum) {
  for (const char* signature : {"GCOL", "TREE", "SNOD", "HEAP", "FRHP", "BTHD"})
    EXPECT_EQ(bytes_.find(signature), std::string::npos) << signature;
}

class LongDamagedResults : public DamagedResults {
 protected:
  void flip(int flips, char except);
};
void LongDamagedResults::flip(int flips, char except) {
  std::mt19937 random(20261118);
  int pages = 0, refused = 0, crashes = 0, stopped = 0;
  for (int i = 0; i < flips; ++i) {
    std::string bytes = bytes_;
    std::size_t place = 0;
    do place = std::uniform_int_distribution<std::size_t>(0, bytes.size() - 1)(random);
    while (bytes[place] == except);
    bytes[place] = static_cast<char>(bytes[place] ^ static_cast<char>(std::uniform_int_distribution<int>(1, 255)(random)));
    put(bytes);
    const std::string page = this->page();
    ASSERT_TRUE(reads(page) || page.starts_with(path())) << i << " at " << place << ": " << page.substr(0, 300);
    stopped += page.find("takes longer") != std::string::npos;
    crashes += crashed(page);
    ++(reads(page) ? pages : refused);
  }
  RecordProperty("pages", pages);
  RecordProperty("refused", refused);
  RecordProperty("stopped_children", stopped);
  EXPECT_EQ(stopped, 0);
  EXPECT_EQ(crashes, 0);
  EXPECT_EQ(pages + refused, flips);
}
TEST_F(LongDamagedResults, FlippedBytes) { flip(long_run(1000, 40), '\xff'); }

// Attributes of more than 64 kB are kept in another way, all together.
TEST_F(LongDamagedResults, FlippedBytesOfALargeModel) {
  Model model = model_of_everything();
  model.title = std::string(70000, 'x');
  record(model);
  flip(long_run(1000, 40), 'x');
}

TEST_F(DamagedResults, NumbersDoNotFitTheirChecksum) {
  const std::size_t offset = [this] {
    const hid_t file = H5Fopen(path().c_str(), H5F_ACC_RDONLY, H5P_DEFAULT),
                data = H5Dopen2(file, "/energy/kinetic", H5P_DEFAULT);
    hsize_t at[1];
    unsigned mask = 0;
    haddr_t place = 0;
    hsize_t size = 0;
    const hid_t space = H5Dget_space(data);
    EXPECT_GE(H5Dget_chunk_info(data, space, 0, at, &mask, &place, &size), 0);
    H5Sclose(space);
    H5Dclose(data);
    H5Fclose(file);
    return static_cast<std::size_t>(place);
  }();
  std::string bytes = bytes_;
  bytes[offset + 20] = static_cast<char>(bytes[offset + 20] ^ 1);
  put(bytes);
  expect_refused("a bit", "the file is damaged: /energy/kinetic: what it holds does not fit its checksum");
}

TEST_F(DamagedResults, CutAnywhere) {
  for (std::size_t i = 0; i < 20; ++i) {
    put(bytes_.substr(0, bytes_.size() * i / 20));
    expect_judged("cut " + std::to_string(i));
  }
}

TEST_F(DamagedResults, CraftedAttributes) {
  for (const char* name :
       {"format", "format_version", "trompo_version", "title", "model_json", "page_json", "remarks_json", "status"}) {
    const auto crafted = [&](const std::string& what, const std::function<void(hid_t)>& how) {
      change(how);
      expect_judged(std::string(name) + " " + what);
    };
    const std::vector<hsize_t> three{3}, many{40000};
    const hid_t five = text_type(5), variable = text_type(H5T_VARIABLE);
    crafted("missing", [&](hid_t file) { H5Adelete(file, name); });
    crafted("a number", [&](hid_t file) { make_attribute(file, name, H5T_NATIVE_DOUBLE, three); });
    crafted("three texts", [&](hid_t file) { make_attribute(file, name, five, three); });
    crafted("many small numbers", [&](hid_t file) { make_attribute(file, name, H5T_NATIVE_INT8, many); });
    crafted("texts of variable length", [&](hid_t file) { make_attribute(file, name, variable, three); });
    crafted("a text of variable length that was never written", [&](hid_t file) { make_attribute(file, name, variable, {}); });
    crafted("a text that was never written", [&](hid_t file) { make_attribute(file, name, five, {}); });
    crafted("an empty text", [&](hid_t file) { write_text(file, name, ""); });
    crafted("no JSON", [&](hid_t file) { write_text(file, name, "{\"a\":[1,2"); });
    crafted("deep JSON", [&](hid_t file) { write_text(file, name, std::string(100000, '[') + std::string(100000, ']')); });
    crafted("other JSON", [&](hid_t file) { write_text(file, name, R"([{"severity":3},7,null])"); });
    crafted("no UTF-8", [&](hid_t file) { write_text(file, name, "{\"a\":\"\xff\xfe\x9b\"}"); });
    crafted("nothing", [&](hid_t file) {
      H5Adelete(file, name);
      const hid_t space = H5Screate(H5S_NULL);
      H5Aclose(H5Acreate2(file, name, five, space, H5P_DEFAULT, H5P_DEFAULT));
      H5Sclose(space);
    });
    for (const hid_t type : {five, variable}) H5Tclose(type);
  }
  EXPECT_GE(judged_, 90);
}

TEST_F(DamagedResults, CraftedDatasets) {
  const hsize_t huge = hsize_t{1} << 40U, rows = 21;
  for (const std::string name :
       {"/time", "/nodes/position", "/bodies/quaternion", "/bars/force", "/sensors/value", "/coordinates/value"}) {
    const auto crafted = [&](const char* what, const std::function<void(hid_t)>& how, const char* why = nullptr) {
      change(how);
      why == nullptr ? expect_judged(name + " " + what) : expect_refused(name + " " + what, why);
    };
    const auto shaped = [&](std::vector<hsize_t> extent) {
      return [&name, extent = std::move(extent)](hid_t file) { make_dataset(file, name, H5T_IEEE_F64LE, extent); };
    };
    const auto typed = [&](hid_t type) { return [&name, type](hid_t file) { make_dataset(file, name, type, {21, 6}); }; };
    crafted("missing", [&](hid_t file) { H5Ldelete(file, name.c_str(), H5P_DEFAULT); });
    crafted("one number", shaped({}), "dimensions");
    crafted("four dimensions", shaped({rows, 2, 3, 1}), "dimensions");
    crafted("no rows", shaped({0, 3}), "no samples");
    crafted("rows of nothing", shaped({rows, 0}));
    crafted("no rows of huge width", shaped({0, huge, huge}), "larger than the file");
    crafted("huge width", shaped({rows, huge}), "larger than the file");
    crafted("huge rows", shaped({huge * 1024, 1}), "larger than the file");
    crafted("a product that overflows", shaped({huge, huge, huge}), "larger than the file");
    crafted("few rows", shaped({1}));
    crafted("narrow rows", shaped({rows, 1}));
    crafted("wide rows", shaped({rows, 2, 50}));
    crafted("float", typed(H5T_IEEE_F32LE), "neither numbers");
    crafted("short", typed(H5T_STD_I8BE), "neither numbers");
    crafted("references", typed(H5T_STD_REF_OBJ), "neither numbers");
    const hid_t pair = H5Tcreate(H5T_COMPOUND, 16);
    H5Tinsert(pair, "a", 0, H5T_NATIVE_DOUBLE);
    H5Tinsert(pair, "b", 8, H5T_NATIVE_DOUBLE);
    crafted("pairs", typed(pair), "neither numbers");
    const hid_t list = H5Tvlen_create(H5T_NATIVE_DOUBLE), text = text_type(5), variable = text_type(H5T_VARIABLE);
    crafted("lists", typed(list), "neither numbers");
    crafted("texts", typed(text));
    crafted("texts of variable length", typed(variable), "these are no texts of a fixed length");
    for (const hid_t type : {pair, list, text, variable}) H5Tclose(type);
    crafted("without a unit", [&](hid_t file) {
      const hid_t data = H5Dopen2(file, name.c_str(), H5P_DEFAULT);
      H5Adelete(data, "unit");
      H5Dclose(data);
    });
    crafted(
        "elsewhere",
        [&](hid_t file) {
          const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
          H5Pset_external(creation, "/etc/passwd", 0, 21 * 6 * 8);
          make_dataset(file, name, H5T_IEEE_F64LE, {21, 6}, creation);
          H5Pclose(creation);
        },
        "another file");
    crafted(
        "virtual",
        [&](hid_t file) {
          const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
          const hsize_t extent[] = {21, 6};
          const hid_t space = H5Screate_simple(2, extent, nullptr);
          H5Pset_virtual(creation, space, "/tmp/other.h5", "/x", space);
          make_dataset(file, name, H5T_IEEE_F64LE, {21, 6}, creation);
          H5Sclose(space);
          H5Pclose(creation);
        },
        "another file");
    crafted(
        "packed, and huge",
        [&](hid_t file) {
          const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
          const hsize_t chunk[] = {1000, 6};
          H5Pset_chunk(creation, 2, chunk);
          H5Pset_deflate(creation, 9);
          make_dataset(file, name, H5T_IEEE_F64LE, {hsize_t{1} << 50U, 6}, creation);
          H5Pclose(creation);
        },
        "larger than the file");
    crafted("packed by a stranger", [&](hid_t file) {
      const hid_t creation = H5Pcreate(H5P_DATASET_CREATE);
      const hsize_t chunk[] = {21, 6};
      H5Pset_chunk(creation, 2, chunk);
      H5Pset_filter(creation, 32015, H5Z_FLAG_OPTIONAL, 0, nullptr);
      make_dataset(file, name, H5T_IEEE_F64LE, {21, 6}, creation);
      H5Pclose(creation);
    });
    crafted(
        "a soft link",
        [&](hid_t file) {
          H5Ldelete(file, name.c_str(), H5P_DEFAULT);
          H5Lcreate_soft("/energy/total", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        },
        "it is a link");
    crafted(
        "a link to itself",
        [&](hid_t file) {
          H5Ldelete(file, name.c_str(), H5P_DEFAULT);
          H5Lcreate_soft(name.c_str(), file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        },
        "it is a link");
    crafted(
        "a link to another file",
        [&](hid_t file) {
          H5Ldelete(file, name.c_str(), H5P_DEFAULT);
          H5Lcreate_external("/dev/zero", "/x", file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT);
        },
        "it is a link");
  }
  EXPECT_GE(judged_, 100);
}

TEST_F(DamagedResults, TimesThatAreNone) {
  change([](hid_t file) {
    std::vector<double> times(21, std::nan(""));
    make_dataset(file, "/time", H5T_IEEE_F64LE, {21});
    const hid_t data = H5Dopen2(file, "/time", H5P_DEFAULT);
    H5Dwrite(data, H5T_NATIVE_DOUBLE, H5S_ALL, H5S_ALL, H5P_DEFAULT, times.data());
    H5Dclose(data);
  });
  expect_refused("no times", "sample 1 has no time");
}

TEST_F(DamagedResults, CraftedNamesAndGroups) {
  for (const std::string name : {"/nodes/names", "/anchors/names", "/bodies/names", "/bars/names", "/sensors/names",
                                 "/sensors/units", "/coordinates/names"}) {
    const auto crafted = [&](const char* what, const std::function<void(hid_t)>& how, const char* why = nullptr) {
      change(how);
      why == nullptr ? expect_judged(name + " " + what) : expect_refused(name + " " + what, why);
    };
    const hid_t text = text_type(5), wide = text_type(2000000000), variable = text_type(H5T_VARIABLE);
    crafted("missing", [&](hid_t file) { H5Ldelete(file, name.c_str(), H5P_DEFAULT); });
    crafted("numbers", [&](hid_t file) { make_dataset(file, name, H5T_IEEE_F64LE, {21, 2}); });
    crafted("one", [&](hid_t file) { make_dataset(file, name, text, {1}); });
    crafted("many", [&](hid_t file) { make_dataset(file, name, text, {200}); });
    crafted(
        "huge", [&](hid_t file) { make_dataset(file, name, text, {hsize_t{1} << 50U}); }, "more texts");
    crafted(
        "wide", [&](hid_t file) { make_dataset(file, name, wide, {3}); }, "more texts");
    crafted(
        "variable", [&](hid_t file) { make_dataset(file, name, variable, {3}); }, "no texts of a fixed length");
    crafted("scalar", [&](hid_t file) { make_dataset(file, name, text, {}); });
    crafted("a table", [&](hid_t file) { make_dataset(file, name, text, {3, 4}); });
    for (const hid_t type : {text, wide, variable}) H5Tclose(type);
  }
  change([](hid_t file) { H5Lcreate_hard(file, "/", file, "/nodes/again", H5P_DEFAULT, H5P_DEFAULT); });
  expect_judged("a group in itself");
  change([](hid_t file) {
    std::string name = "/deep";
    for (int i = 0; i < 300; ++i, name += "/x") H5Gclose(H5Gcreate2(file, name.c_str(), H5P_DEFAULT, H5P_DEFAULT, H5P_DEFAULT));
  });
  expect_judged("deep groups");
}

// Every leaf of what is known of the scene, replaced by everything that it must not be.
TEST_F(DamagedResults, CraftedScenes) {
  const auto [whole, channels] = [this] {
    const ResultsFile file(path());
    return std::pair(Json::parse(file.text("page_json")), file.channels());
  }();
  const Json flat = whole.flatten();
  const std::vector<Json> wrong{-1,
                                -2,
                                123456789,
                                18446744073709551615U,
                                4294967296,
                                0.5,
                                1e300,
                                "text",
                                nullptr,
                                true,
                                Json::array(),
                                Json::object(),
                                Json::array({1, 2, 3, 4}),
                                Json{{"frame", 99}}};
  int made = 0, refused = 0;
  const auto judge = [&, &all = channels](const Json& heading) {
    ++made;
    try {
      RunData data(heading.dump(), "null", all);
      std::vector<double> row(data.row_size(), 0.5);
      for (int i = 0; i < 3; ++i) data.add(row.data());
      EXPECT_TRUE(Json::accept(data.json(""))) << heading;
    } catch (const std::invalid_argument&) {
      ++refused;
    }
  };
  for (const auto& [place, value] : flat.items()) {
    const Json::json_pointer pointer(place);
    for (const Json& instead : wrong) {
      Json heading = whole;
      heading[pointer] = instead;
      judge(heading);
    }
    for (Json::json_pointer part = pointer; !part.empty(); part = part.parent_pointer()) {  // and what it stands in
      Json heading = whole;
      heading[part.parent_pointer()].is_array() ? heading[part.parent_pointer()].erase(0)
                                                : (void)heading[part.parent_pointer()].erase(part.back());
      judge(heading);
    }
  }
  EXPECT_GT(made, 1000);
  EXPECT_GT(refused, made / 2);

  for (const auto& [place, what] :
       {std::pair{"/scene/trails", "page_json.scene.trails[0] is no whole number from 0 on and below 6"},
        {"/scene/fixed", "page_json.scene.fixed has 1 entries in place of 4"}}) {
    Json heading = whole;
    heading[Json::json_pointer(place)] = {123456789};
    change([&](hid_t h5) { write_text(h5, "page_json", heading.dump()); });
    expect_refused(place, what);
  }
}

// A child that dies, hangs, eats memory or talks without end is a message.
TEST(InChild, EveryEndIsAMessage) {
  const std::atomic<bool> never = false, now = true;
  const auto says = [&](const std::function<std::string()>& work, const ChildLimits& limits = {}) -> std::string {
    try {
      return in_child("it", work, limits, never);
    } catch (const FileError& error) {
      return error.what();
    }
  };
  EXPECT_EQ(says([] { return std::string(1 << 20, 'x'); }), std::string(1 << 20, 'x'));
  EXPECT_EQ(says([]() -> std::string { throw FileError("a word"); }), "a word");
  EXPECT_NE(says([]() -> std::string { ::raise(SIGKILL), ::_exit(0); }).find("ended with signal 9"), std::string::npos);
  EXPECT_NE(says([]() -> std::string { ::_exit(0); }).find("ended early"), std::string::npos);
  EXPECT_NE(says([]() -> std::string { throw std::bad_alloc(); }).find("more memory"), std::string::npos);
  EXPECT_NE(says([] { return ::pause(), std::string(); }, {.time = std::chrono::seconds(1)}).find("longer than 1 s"),
            std::string::npos);
  EXPECT_NE(says([] { return std::string(1 << 20, 'x'); }, {.answer = 1000}).find("it gives more"), std::string::npos);
  EXPECT_EQ(in_child(
                "it", [] { return ::pause(), std::string(); }, {}, now),
            "");
}

}  // namespace output_damaged_results
}  // namespace trompo::test
