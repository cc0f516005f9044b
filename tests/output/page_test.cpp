// What a page shows of a run: nothing is lost that a picture could show, nothing in a name can break it, and a page from the
// results file is the page of the run.
#include "trompo/output/page.hpp"

#include <algorithm>

#include "tests/output/recording.hpp"
#include "tests/page_checks.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/model_text.hpp"
#include "trompo/output/recorder.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/results.hpp"
#include "trompo/output/scene.hpp"
#include "trompo/output/summary.hpp"

namespace trompo::test {
namespace output_page {

// A run without a model behind it: time and two energies.
RunData three_channels(const PageBudget& budget = {}) {
  Channels all;
  for (const auto& [group, name] : {std::pair{"", "time"}, {"energy", "kinetic"}, {"energy", "residual"}})
    all.all.push_back({group, name, "J", false, {}, {name}, {}});
  const Model model = observed_pendulum(1);
  Json heading = Json::parse(run_heading(model, scheme_of(model)));
  for (const char* list : {"nodes", "fixed", "bars", "trails"}) heading["scene"][list] = Json::array();
  return {heading.dump(), "{}", all, budget};
}

TEST(RunData, KeepsExtremes) {
  for (const std::size_t rows : {1U, 2U, 3U, 1999U, 2000U, 2001U, 8003U, 123457U}) {
    SCOPED_TRACE(rows);
    RunData data = three_channels();
    const std::size_t spike = rows / 3, dip = rows / 2;
    for (std::size_t i = 0; i < rows; ++i) {
      const double x = std::sin(0.37 * static_cast<double>(i));
      const double row[] = {0.001 * static_cast<double>(i), i == spike ? 77 : i == dip ? -55 : x, -1e-12 * x};
      data.add(row);
    }
    const Json plot = Json::parse(data.plot_json("energy"));
    expect_plot(plot);
    const std::vector<float> times = unpacked(plot["times"]), values = unpacked(plot["curves"][0]["values"]);
    EXPECT_EQ(times.front(), 0);
    EXPECT_EQ(times.back(), static_cast<float>(0.001 * static_cast<double>(rows - 1)));
    EXPECT_EQ(*std::max_element(values.begin(), values.end()), 77);
    if (spike != dip) {
      EXPECT_EQ(*std::min_element(values.begin(), values.end()), -55);
    }
    // Where they were, to the width of a bucket.
    const auto top = static_cast<std::size_t>(std::max_element(values.begin(), values.end()) - values.begin());
    EXPECT_NEAR(times[top], 0.001 * static_cast<double>(spike), 0.004 * static_cast<double>(rows) / 1000 + 1e-9);
    if (rows > 2001) {
      EXPECT_GE(times.size(), 900U);
    } else if (rows < 2000) {
      EXPECT_EQ(times.size(), rows);
    }
    const Json residual = Json::parse(data.plot_json("residual"));
    expect_plot(residual);
    if (rows > 100) {
      float largest = 0;
      for (const float x : unpacked(residual["curves"][0]["values"])) largest = std::fmax(largest, x);  // gaps among them
      EXPECT_NEAR(largest, 1e-12, 1e-14);
    }
  }
}

TEST(RunData, KeepsTheOrderOfTime) {
  RunData data = three_channels();
  for (int i = 0; i < 100000; ++i) {
    const double row[] = {1.0 * i, 1.0 * i, 0};  // what grows must grow in the picture too
    data.add(row);
  }
  const std::vector<float> values = unpacked(Json::parse(data.plot_json("energy"))["curves"][0]["values"]);
  EXPECT_TRUE(std::is_sorted(values.begin(), values.end()));
  EXPECT_EQ(values.front(), 0);
  EXPECT_EQ(values.back(), 99999);
}

TEST(RunData, WhatIsNotFiniteIsAGap) {
  RunData data = three_channels();
  const double inf = std::numeric_limits<double>::infinity();
  for (const double x : {1.0, inf, 1e300, std::nan(""), 0.0}) {
    const double row[] = {0, x, x};
    data.add(row);
  }
  const auto kinetic = unpacked(Json::parse(data.plot_json("energy"))["curves"][0]["values"]);
  const auto residual = unpacked(Json::parse(data.plot_json("residual"))["curves"][0]["values"]);
  for (const std::size_t i : {1U, 2U, 3U}) EXPECT_TRUE(std::isnan(kinetic[i]));
  EXPECT_EQ(kinetic[4], 0);
  EXPECT_TRUE(std::isnan(residual[4]));  // on a logarithmic axis
}

struct Recorded {
  explicit Recorded(const Model& model, const std::string& directory = "", const RunOptions& options = {})
      : report({{Diagnostic::Severity::warning, "a remark"}}, {}, directory) {
    const System system(model);
    const Scheme scheme = scheme_of(model);
    std::vector<Observer*> observers{&report};
    std::optional<Hdf5Recorder> recorder;
    if (!directory.empty())
      observers.push_back(&recorder.emplace(directory, std::vector<Remark>{{Diagnostic::Severity::warning, "a remark"}}));
    const RunResult result = run(model, system, scheme, observers, options);
    summary = summary_json(model, system, scheme, result);
    if (!directory.empty()) write_text_file(directory + "/summary.json", summary);
    page = report.page(summary).json();
  }
  PageRecorder report;
  std::string summary, page;
};

TEST(PageRecorder, ObeysTheContract) {
  const Model model = observed_pendulum(5000);
  const Recorded recorded(model);
  const Json page = Json::parse(recorded.page), run = page["runs"][0];
  expect_page(page);
  EXPECT_EQ(page["kind"], "run");
  EXPECT_EQ(page["title"], "Elastic pendulum");
  EXPECT_EQ(run["summary"], Json::parse(recorded.summary));
  EXPECT_EQ(run["model"], Json::parse(model_json(model)));
  EXPECT_EQ(run["scene"]["nodes"], Json({"pivot", "bob"}));
  EXPECT_EQ(run["scene"]["fixed"], Json({true, false}));
  EXPECT_EQ(run["scene"]["trails"], Json({1}));
  EXPECT_EQ(run["frames"]["times"].back(), 250.0);
  for (const char* id : {"energy", "residual", "momentum-linear", "momentum-angular", "iterations", "sensor:length",
                         "sensor:pull", "position:bob", "bars"})
    (void)plot_named(run, id);
  std::vector<std::string> accounts;
  for (const Json& curve : plot_named(run, "energy")["curves"]) accounts.push_back(curve["name"]);
  EXPECT_EQ(accounts, (std::vector<std::string>{"kinetic", "elastic", "gravity", "total"}));  // the others were never used
}

TEST(PageRecorder, FromResultsTheSamePage) {
  const Directory directory;
  for (const long steps : {100L, 30000L}) {
    const Recorded recorded(observed_pendulum(steps), directory.path());
    EXPECT_EQ(page_of_results(directory.path()).json(), recorded.page);
    EXPECT_FALSE(std::filesystem::exists(directory / "live.json"));
  }
  const Json whole = Json::parse(curves_of_results(directory.path(), "sensor:length", 10, 11));
  const std::vector<float> times = unpacked(whole["times"]);
  EXPECT_EQ(times.size(), 21U);  // every step of 0.05 s
  EXPECT_EQ(times.front(), 10);
  EXPECT_EQ(curves_of_results(directory.path(), "no such plot", 10, 11), "");
}

TEST(PageRecorder, WarningsAboutTheMotionAreThere) {
  const Directory directory;
  const Model model = parse_model(
      "[[rod]]\nname = \"r\"\nfrom = [0, 0, 0]\nto = [1, 0, 0]\nelements = 4\nstrain = \"quadratic\"\nEA = 1e3\nGA = 1e3\nGJ = "
      "1\nEI = 1\n"
      "density = 1\n"
      "clamped = \"from\"\n[[load]]\nname = \"l\"\nbody = \"r.4\"\nmoment = [0, 1, 0]\n"
      "[time]\nstep = 0.02\nend = 1\nscheme = \"energy-momentum-exact\"\n",
      "rod.toml");
  const Recorded recorded(model, directory.path());
  const Json remarks = Json::parse(recorded.page)["remarks"];
  EXPECT_EQ(remarks.back()["severity"], "warning");
  EXPECT_NE(remarks.back()["text"].get<std::string>().find("elements keep 1 %"), std::string::npos);
  EXPECT_EQ(page_of_results(directory.path()).json(), recorded.page);
}

TEST(PageRecorder, AStoppedRunSaysWhy) {
  const Directory directory;
  Model model = observed_pendulum(100);
  model.newton.max_iterations = 1;
  const Recorded failed(model, directory.path());
  const Json remarks = Json::parse(failed.page)["remarks"];
  ASSERT_EQ(remarks.size(), 2U);
  EXPECT_EQ(remarks[1]["severity"], "error");
  EXPECT_NE(remarks[1]["text"].get<std::string>().find("equations farthest from balance"), std::string::npos);
  expect_page(Json::parse(failed.page));
  EXPECT_EQ(page_of_results(directory.path()).json(), failed.page);
}

// Texts that end scripts, tags and lines.
TEST(Page, NamesCannotBreakIt) {
  Model model = observed_pendulum(3);
  const std::string name = "</script><b>\"tip\" & 'x' \xE2\x80\xA8\xE2\x80\xA9 \xF0\x9F\xAA\x80 \\ \x01";
  model.title = model.sensors[0].name = name;
  const Recorded recorded(model);
  EXPECT_EQ(Json::parse(recorded.page)["title"], name);
  if (!has_page()) GTEST_SKIP() << "built without the page";
  const std::string html = page(recorded.page);
  const Json data = data_of_page(html);
  EXPECT_EQ(data["title"], name);
  (void)plot_named(data["runs"][0], "sensor:" + name);
  EXPECT_EQ(html.find("<b>"), std::string::npos);
  EXPECT_EQ(html.substr(html.find("trompo-data\">")).find("\xE2\x80\xA8"), std::string::npos);
}

TEST(Page, OfALongRunIsSmall) {
  const Recorded recorded(observed_pendulum(100000));
  const Json page_data = Json::parse(recorded.page);
  expect_page(page_data);
  EXPECT_GE(page_data["runs"][0]["frames"]["count"], 700);
  const std::size_t size = has_page() ? page(recorded.page).size() : recorded.page.size();
  EXPECT_LT(size, 6'000'000U);
  RecordProperty("bytes", static_cast<int>(size));
}

// A net of bars: not all of it fits, and the page says so.
TEST(Page, OfALargeModelIsBounded) {
  Model model = reference_cases::pendulum(1e4, 9.8, 0.001, 2);
  model.time.scheme = "midpoint";
  for (int i = 0; i < 3000; ++i) {
    NodeInput node = model.nodes[1];
    BarInput bar = model.bars[0];
    node.name = "n" + std::to_string(i);
    node.position.x() += 0.01 * i;
    bar.name = "b" + std::to_string(i);
    bar.nodes = {i == 0 ? model.nodes[1].name : "n" + std::to_string(i - 1), node.name};
    model.nodes.push_back(node);
    model.bars.push_back(bar);
  }
  const Model& net = model;
  const Channels all = channels({net, System(net), scheme_of(net), {}, 2});
  RunData data(run_heading(net, scheme_of(net)), "null", all);
  std::vector<double> row(data.row_size(), 0.5);
  for (int i = 0; i < 400; ++i) {
    row[0] = i;
    data.add(row.data());
  }
  const std::string text = data.json("");
  expect_run(Json::parse(text));
  EXPECT_GE(Json::parse(text)["frames"]["count"], 30);
  EXPECT_LT(text.size(), 6'000'000U);
  EXPECT_EQ(data.notes().size(), 2U);
}

// A load given by a table of half a million rows: the page keeps the first of them and says so, results.h5 has all.
TEST(Page, OfALongTableIsSmall) {
  std::string table = "[[0,0],[1,1]";
  for (int i = 2; i < 500000; ++i) table += ",[" + std::to_string(i) + "," + std::to_string(i % 7) + ".12345678901234]";
  const std::string model = R"({"load":[{"name":"a \"[,]\" b","table":)" + table + R"(]}],"end":[1,[],{"x":[]}]})";
  const ModelText shown = model_text(model);
  EXPECT_LT(shown.json.size(), 100'000U);
  EXPECT_EQ(shown.shown, 1000U);
  EXPECT_EQ(shown.longest, 500000U);
  const Json parsed = Json::parse(shown.json);
  EXPECT_EQ(parsed["end"], Json::parse(model)["end"]);
  EXPECT_EQ(parsed["load"][0]["name"], "a \"[,]\" b");
  const Json& rows = parsed["load"][0]["table"];
  ASSERT_EQ(rows.size(), 1001U);
  EXPECT_EQ(rows[999], Json::parse(model)["load"][0]["table"][999]);
  EXPECT_EQ(rows[1000], "... and 499000 more of 500000");
  EXPECT_EQ(model_text("[1,2,3]").json, "[1,2,3]");
  EXPECT_EQ(model_text("[1,2,3]", 1).json, "[1,\"... and 2 more of 3\"]");

  Channels time;
  time.all.push_back({"", "time", "s", false, {}, {"time"}, {}});
  Json heading = Json::parse(run_heading(observed_pendulum(1), scheme_of(observed_pendulum(1))));
  for (const char* list : {"nodes", "fixed", "bars", "trails"}) heading["scene"][list] = Json::array();
  RunData data(heading.dump(), model, time);
  const double row[] = {0};
  data.add(row);
  EXPECT_LT(data.json("").size(), 200'000U);
  ASSERT_EQ(data.notes().size(), 1U);
  EXPECT_NE(data.notes()[0].find("500000 entries, 1000 are shown"), std::string::npos);
}

// ---- the scene ----

TEST(Scene, BodiesAreWhatTheyAre) {
  const Model model = parse_model(R"toml(
gravity = [0, 0, -9.81]
[[body]]
name = "hammer"
position = [1, 2, 3]
orientation = { axis = [0, 0, 1], degrees = 90 }
parts = [
  { mass = 3, shape = { box = [0.2, 0.1, 0.1] }, position = [1, 0, 0] },
  { mass = 1, shape = { cylinder = [0.02, 1] }, position = [0, 0, 0], orientation = { axis = [0, 1, 0], degrees = 90 } },
]
[[body]]
name = "potato"
mass = 5
inertia = [5, 5, 2]
position = [4, 0, 0]
[[joint]]
name = "grip"
bodies = ["hammer", "ground"]
hinge = { axis = [1, 0, 0], at = [1, 3, 3] }
[[spring]]
name = "band"
from = { body = "hammer", point = [0, 0, 1] }
to = { ground = [0, 0, 9] }
stiffness = 1
[time]
step = 0.01
steps = 1
scheme = "energy-momentum-exact"
)toml",
                                  "hammer");
  const Json scene = Json::parse(scene_json(model));
  ASSERT_EQ(scene["shapes"].size(), 3U);
  const auto near = [](const Json& x, const std::vector<double>& y) {
    ASSERT_EQ(x.size(), y.size());
    for (std::size_t i = 0; i < y.size(); ++i) EXPECT_NEAR(x[i].get<double>(), y[i], 1e-12) << x;
  };
  near(scene["shapes"][0]["position"], {0.25, 0, 0});  // from the centre of mass
  near(scene["shapes"][1]["position"], {-0.75, 0, 0});
  near(scene["shapes"][1]["quaternion"], {std::sqrt(0.5), 0, std::sqrt(0.5), 0});
  EXPECT_EQ(scene["shapes"][2]["kind"], "ellipsoid");
  // m/5 (b^2 + c^2) = 5 and so on: two semi-axes of 1, one of 2, along z.
  std::vector<double> semi = scene["shapes"][2]["size"];
  std::sort(semi.begin(), semi.end());
  near(Json(semi), {1, 1, 2});
  EXPECT_EQ(scene["shapes"][2]["frame"], 1);
  // The hinge is one metre along global y, which is the hammer's x; its axis is global x, the hammer's -y.
  near(scene["joints"][0]["place"]["point"], {1, 0, 0});
  near(scene["joints"][0]["axis"], {0, -1, 0});
  EXPECT_EQ(scene["joints"][0]["other"]["frame"], -1);
  near(scene["joints"][0]["other"]["point"], {1, 3, 3});
  near(scene["springs"][0]["ends"][0]["point"], {0, 0, 1});
  EXPECT_EQ(scene["trails"], Json({1}));
}

TEST(Scene, APendulumInItsAngleSwings) {
  Model model = parse_model(R"toml(
gravity = [0, -9.8, 0]
[[coordinate]]
name = "theta"
value = 1.5707963267948966
[[pendulum]]
name = "bob"
coordinate = "theta"
mass = 1
length = 2
[time]
step = 0.01
steps = 1
scheme = "midpoint"
)toml",
                            "pendulum");
  const Json run = Json::parse(Recorded(model).page)["runs"][0];
  expect_run(run);
  const std::vector<float> x = unpacked(run["frames"]["positions"]);
  EXPECT_NEAR(x[0], 2, 1e-6);
  EXPECT_NEAR(x[1], 0, 1e-6);
  (void)plot_named(run, "coordinate:theta");
}

// What a spring hangs on and a hinge turns about is drawn where it is, not where it was.
TEST(Scene, AMovingGroundMoves) {
  Model model = parse_model(R"toml(
[[body]]
name = "bob"
mass = 1
inertia = [1, 1, 1]
position = [0, 0, -1]
[[spring]]
name = "rope"
from = { ground = [0, 0, 0], motion = { x = "0.5*t" } }
to = { body = "bob" }
stiffness = 10
[[body]]
name = "door"
mass = 1
inertia = [1, 1, 1]
position = [5, 0, 0]
[[joint]]
name = "frame"
bodies = ["ground", "door"]
hinge = { axis = [0, 0, 1], at = [4, 0, 0] }
ground_motion = { z = "t^2" }
[time]
step = 0.1
steps = 10
scheme = "energy-momentum-exact"
)toml",
                            "ground");
  const Json run = Json::parse(Recorded(model).page)["runs"][0];
  expect_run(run);
  EXPECT_EQ(run["scene"]["nodes"], Json({"rope.from", "frame.ground"}));
  EXPECT_EQ(run["scene"]["springs"][0]["ends"][0]["frame"], 0);
  EXPECT_EQ(run["scene"]["joints"][0]["place"]["frame"], 1);
  EXPECT_EQ(run["scene"]["joints"][0]["other"]["frame"], 3);
  const std::vector<float> x = unpacked(run["frames"]["positions"]);
  const std::size_t last = x.size() - 3 * 4;
  EXPECT_NEAR(x[last], 0.5, 1e-6);
  EXPECT_NEAR(x[last + 3], 4, 1e-6);
  EXPECT_NEAR(x[last + 5], 1, 1e-6);
}

// A tube of its section, with what each element carries in every frame; loads as vectors over time in their own axes, and
// nothing made up of one that depends on where things are.
TEST(Scene, RodsAndLoads) {
  Model model = parse_model(R"toml(
[[rod]]
name = "beam"
from = [0, 0, 0]
to = [2, 0, 0]
elements = 4
nodes_per_element = 3
orientation = [0, 1, 0]
material = { E = 2e6, nu = 0.3, density = 2000 }
section = { rectangle = [0.2, 0.05] }
[[rod]]
name = "wire"
from = [0, 3, 0]
to = [1, 3, 0]
elements = 2
EA = 400
GA = 400
GJ = 1
EI = 4
density = 1
[[joint]]
name = "clamp"
bodies = ["ground", "beam.0"]
weld = { at = [0, 0, 0] }
[[load]]
name = "tip"
body = "beam.4"
force = [0, 0, -3]
moment = [0, "2*t", 0]
[[load]]
name = "follow"
body = "beam.2"
force = [0, 1, 0]
follower = true
[[load]]
name = "felt"
body = "beam.2"
force = [0, 0, "-beam.2.z"]
[time]
step = 0.01
steps = 20
scheme = "energy-momentum-exact"
)toml",
                            "beam");
  const Json run = Json::parse(Recorded(model).page)["runs"][0];
  expect_run(run);
  const Json& scene = run["scene"];
  EXPECT_TRUE(scene["shapes"].empty());  // nodes of rods are no things of their own
  ASSERT_EQ(scene["rods"].size(), 2U);
  EXPECT_EQ(scene["rods"][0]["name"], "beam");
  EXPECT_EQ(scene["rods"][0]["spans"], 2);
  EXPECT_EQ(scene["rods"][0]["frames"].size(), 9U);
  EXPECT_EQ(scene["rods"][0]["half"], Json({0.1, 0.025}));
  EXPECT_EQ(scene["rods"][0]["round"], false);
  EXPECT_EQ(scene["rods"][1]["first"], 4);
  EXPECT_EQ(scene["rods"][1]["round"], true);
  EXPECT_NEAR(scene["rods"][1]["half"][0].get<double>(), 0.2, 1e-15);  // EI/EA of a circle is r^2/4
  const Json& loads = scene["loads"];
  ASSERT_EQ(loads.size(), 3U);
  EXPECT_EQ(loads[0]["force"], Json({{0.0, 0.0, 0.0, -3.0}}));
  EXPECT_EQ(loads[0]["moment"].size(), 201U);
  EXPECT_NEAR(loads[0]["moment"][100][2].get<double>(), 0.2, 1e-15);
  EXPECT_TRUE(loads[0]["torque"].empty());
  EXPECT_EQ(loads[0]["follower"], false);
  EXPECT_EQ(loads[1]["follower"], true);
  EXPECT_TRUE(loads[2]["force"].is_null());
  // The load bends the first element; nothing acts on the wire.
  const std::vector<float> moment = unpacked(run["frames"]["rod_moment"]);
  const std::size_t last = (run["frames"]["count"].get<std::size_t>() - 1) * 18;
  EXPECT_GT(std::abs(moment[last]) + std::abs(moment[last + 1]), 0.01);
  EXPECT_EQ(std::abs(moment[last + 12]) + std::abs(moment[last + 13]), 0);
}

// ---- the results file, read back ----

std::string refusal(const std::string& directory) {
  try {
    (void)page_of_results(directory);
  } catch (const FileError& error) {
    return error.what();
  }
  return "";
}

TEST(ResultsFile, ReadsWhatWasRecorded) {
  const Directory directory;
  Hdf5Recorder recorder(directory.path());
  const RunResult result = watch(observed_pendulum(20000), recorder);  // more than one chunk
  const ResultsFile file(recorder.path());
  EXPECT_EQ(file.rows(), 20001U);
  EXPECT_EQ(file.text("status"), "done");
  EXPECT_EQ(file.read("/time").back(), result.state.time);
  EXPECT_EQ(file.read("/nodes/position").size(), 20001U * 6);
  EXPECT_EQ(file.read("/nodes/position")[20000 * 6 + 3], result.state.q[3]);
  for (const Channel& channel : file.channels().all) {
    if (channel.path() != "/nodes/velocity") continue;
    std::vector<double> two(12);
    file.read(channel, 19999, two);
    EXPECT_EQ(two[6 + 3], result.state.v[3]);
    EXPECT_EQ(channel.unit, "m/s");
  }
  EXPECT_THROW((void)file.read("/nothing"), FileError);
}

TEST(ResultsFile, SaysWhatIsWrong) {
  const Directory directory;
  EXPECT_NE(refusal(directory.path()).find("there is no such file"), std::string::npos);
  std::ofstream(directory / "results.h5") << "no HDF5 at all";
  EXPECT_NE(refusal(directory.path()).find("is no HDF5 file"), std::string::npos) << refusal(directory.path());

  const auto record = [&] {
    Hdf5Recorder recorder(directory.path());
    (void)watch(observed_pendulum(3000), recorder);
  };
  record();
  EXPECT_EQ(refusal(directory.path()), "");
  std::filesystem::resize_file(directory / "results.h5", std::filesystem::file_size(directory / "results.h5") / 2);
  EXPECT_NE(refusal(directory.path()).find("cut off"), std::string::npos) << refusal(directory.path());

  record();
  const auto change = [&](const char* attribute, std::int64_t number) {
    const hid_t file = H5Fopen((directory / "results.h5").c_str(), H5F_ACC_RDWR, H5P_DEFAULT);
    const hid_t handle = H5Aopen(file, attribute, H5P_DEFAULT);
    ASSERT_GE(H5Awrite(handle, H5T_NATIVE_INT64, &number), 0);
    H5Aclose(handle);
    H5Fclose(file);
  };
  change("format_version", 99);
  EXPECT_NE(refusal(directory.path()).find("format version 99"), std::string::npos) << refusal(directory.path());
  change("format_version", 1);
  EXPECT_NE(refusal(directory.path()).find("format version 1, whose texts are of variable length"), std::string::npos);
  EXPECT_NE(refusal(directory.path()).find("run the model again"), std::string::npos) << refusal(directory.path());
  const hid_t other = H5Fcreate((directory / "results.h5").c_str(), H5F_ACC_TRUNC, H5P_DEFAULT, H5P_DEFAULT);
  H5Fclose(other);
  EXPECT_NE(refusal(directory.path()).find("no results of Trompo"), std::string::npos) << refusal(directory.path());
}

}  // namespace output_page
}  // namespace trompo::test
