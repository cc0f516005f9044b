#include "trompo/output/recorder.hpp"

#include <malloc.h>
#include <sys/mount.h>

#include "tests/output/recording.hpp"
#include "tests/places.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/version.hpp"

namespace trompo::test {
namespace output_recorder {

// Of every row of every joint, beside its error: those of the velocities in the same sample.
TEST(Hdf5Recorder, HoldsTheRatesOfConstraints) {
  const Directory directory;
  const std::vector<std::string> set{"formulation=euler-parameters", "time.scheme=central-difference", "time.form=velocity",
                                     "time.end=0.1", "time.stabilisation={ projection = \"none\" }"};
  const Model model = read_model(places::source("verification/xhale/case_5.toml"), set);
  Hdf5Recorder recorder(directory.path());
  const RunResult result = watch(model, recorder);
  const System system(model);
  const auto rows = static_cast<std::size_t>(system.multipliers());
  VecX rate = VecX::Zero(system.multipliers()), size = rate;
  system.constraint_error_rates(result.state.q, result.state.v, rate, size);

  const Results file(recorder.path());
  EXPECT_EQ(file.shape("/constraints/error_rate"), std::vector<hsize_t>({101, rows}));
  const std::vector<double> rates = file.numbers("/constraints/error_rate");
  const std::vector<std::string> names = file.strings("/constraints/names");
  for (std::size_t k = 0; k < rows; ++k) {
    EXPECT_EQ(rates[100 * rows + k], rate[static_cast<Eigen::Index>(k)]) << names[k];
    EXPECT_EQ(rates[k], 0) << names[k];  // it starts at rest
    if (names[k] == "hinge 1-2: point y") {
      EXPECT_GT(std::abs(rates[100 * rows + k]), 1e-6);
    }
  }
}

TEST(Hdf5Recorder, HoldsTheRun) {
  const Directory directory;
  const Model model = observed_pendulum(200);
  Hdf5Recorder recorder(directory.path());
  const RunResult result = watch(model, recorder);
  ASSERT_EQ(recorder.path(), directory / "results.h5");

  const Results file(recorder.path());
  EXPECT_EQ(file.text("format"), "trompo results");
  EXPECT_EQ(file.number("format_version"), 2);
  EXPECT_EQ(file.text("trompo_version"), version());
  EXPECT_EQ(file.text("scheme"), "energy-momentum-exact");
  EXPECT_EQ(file.text("title"), "Elastic pendulum");
  EXPECT_EQ(file.text("model_json"), model_json(model));
  EXPECT_EQ(file.text("units"), "SI");
  EXPECT_EQ(file.text("status"), "done");
  EXPECT_EQ(file.number("energy_scale"), result.ledger.scale());

  using Shape = std::vector<hsize_t>;
  EXPECT_EQ(file.shape("/time"), Shape({201}));
  EXPECT_EQ(file.shape("/momentum/angular"), Shape({201, 3}));
  EXPECT_EQ(file.shape("/nodes/position"), Shape({201, 2, 3}));
  EXPECT_EQ(file.shape("/bars/force"), Shape({201, 1}));
  EXPECT_EQ(file.numbers("/time").back(), result.state.time);
  EXPECT_EQ(file.numbers("/step").back(), 200);
  double iterations = 0;
  for (const double n : file.numbers("/newton/iterations")) iterations += n;
  EXPECT_EQ(iterations, static_cast<double>(result.iterations));
  EXPECT_EQ(file.numbers("/energy/total").front(), result.total.initial);
  EXPECT_EQ(file.numbers("/energy/total").back(), result.total.final);
  EXPECT_EQ(file.numbers("/energy/kinetic").back(), result.kinetic.final);
  EXPECT_EQ(file.numbers("/energy/elastic").back() + file.numbers("/energy/gravity").back(), result.potential.final);
  EXPECT_EQ(file.numbers("/energy/residual").back(), result.ledger.residual());

  const auto last = [&](const std::string& name, std::size_t offset) {
    const std::vector<double> all = file.numbers(name);
    return all[all.size() - 6 + offset];
  };
  for (int i = 0; i < 3; ++i) {  // the bob is the second node
    EXPECT_EQ(last("/nodes/position", 3 + static_cast<std::size_t>(i)), result.state.q[3 + i]);
    EXPECT_EQ(last("/nodes/velocity", 3 + static_cast<std::size_t>(i)), result.state.v[3 + i]);
    EXPECT_EQ(last("/nodes/acceleration", 3 + static_cast<std::size_t>(i)), result.acceleration[3 + i]);
  }
  EXPECT_EQ(file.strings("/nodes/names"), std::vector<std::string>({"pivot", "bob"}));
  EXPECT_EQ(file.strings("/bars/names"), std::vector<std::string>({"rod"}));
  EXPECT_EQ(file.strings("/sensors/names"), std::vector<std::string>({"length", "pull"}));
  EXPECT_EQ(file.strings("/sensors/units"), std::vector<std::string>({"m", "N"}));
  const std::vector<double> sensors = file.numbers("/sensors/value");
  EXPECT_EQ(sensors[0], result.sensors[0].initial);
  EXPECT_EQ(sensors[sensors.size() - 2], result.sensors[0].final);
  EXPECT_EQ(sensors.back(), result.sensors[1].final);
  EXPECT_EQ(last("/nodes/reaction", 1), result.sensors[1].final);
  // The rod pulls with EA times its strain, and stores half of that times its elongation.
  const double force = file.numbers("/bars/force").back(), strain = file.numbers("/bars/strain").back();
  EXPECT_NEAR(force, 1e4 * strain, 1e-9 * std::abs(force));
  EXPECT_EQ(file.numbers("/bars/energy").back(), file.numbers("/energy/elastic").back());

  for (const char* name :
       {"/time", "/energy/kinetic", "/energy/loads", "/energy/load_work", "/energy/support_work", "/energy/numerical",
        "/momentum/linear", "/nodes/position", "/nodes/reaction", "/bars/strain", "/sensors/value"})
    EXPECT_NE(file.text("unit", name), "") << name;
  EXPECT_EQ(file.text("unit", "/nodes/velocity"), "m/s");
  EXPECT_FALSE(file.has("/coordinates"));
}

TEST(Hdf5Recorder, LeavesOutWhatTheModelHasNot) {
  const Directory directory;
  Model model;
  model.gravity = {0, -9.8, 0};
  CoordinateInput theta;
  theta.name = "theta";
  theta.value = 1;
  PendulumInput bob;
  bob.name = "bob";
  bob.coordinate = "theta";
  bob.mass = bob.length = 1;
  model.coordinates = {theta};
  model.pendulums = {bob};
  model.time.scheme = "trapezoidal";
  model.time.step = 0.01;
  model.time.steps = 10;
  Hdf5Recorder recorder(directory.path());
  const RunResult result = watch(model, recorder);
  const Results file(recorder.path());
  for (const char* name : {"/nodes", "/bars", "/sensors"}) EXPECT_FALSE(file.has(name)) << name;
  EXPECT_EQ(file.strings("/coordinates/names"), std::vector<std::string>({"theta"}));
  EXPECT_EQ(file.numbers("/coordinates/value").back(), result.state.q[0]);
  EXPECT_EQ(file.numbers("/coordinates/rate").back(), result.state.v[0]);
}

// Long enough to fill the buffers more than once.
TEST(Hdf5Recorder, SameRunSameBytes) {
  const Directory one, two;
  Hdf5Recorder first(one.path()), second(two.path());
  const Model model = observed_pendulum(12000);
  const RunResult result = watch(model, first);
  (void)watch(model, second);
  const std::string bytes = read_text(first.path());
  EXPECT_TRUE(bytes == read_text(second.path()));
  const std::vector<double> time = Results(first.path()).numbers("/time");
  ASSERT_EQ(time.size(), 12001U);
  for (std::size_t i = 0; i < time.size(); ++i) ASSERT_EQ(time[i], static_cast<double>(i) * 0.05);
  // Nothing but the numbers: 48 of 8 bytes a row, and less than 100 kB to say what they are.
  EXPECT_LT(bytes.size(), 12001 * 48 * 8 + 100000U);
}

TEST(Hdf5Recorder, RecordsEveryNthStepAndTheLast) {
  const Directory directory;
  Model model = observed_pendulum(25);
  model.output.every = 10;
  Hdf5Recorder recorder(directory.path());
  (void)watch(model, recorder);
  EXPECT_EQ(Results(recorder.path()).numbers("/step"), std::vector<double>({0, 10, 20, 25}));
}

TEST(Hdf5Recorder, KeepsWhatAnInterruptedRunHas) {
  const Directory directory;
  const Model model = observed_pendulum(1000000);
  const System system(model);
  Hdf5Recorder recorder(directory.path());
  StopAfter stopper(37);
  Observer* const observers[] = {&recorder, &stopper};
  RunOptions options;
  options.stop = &stopper.stop;
  const RunResult result = run(model, system, scheme_of(model), observers, options);
  ASSERT_EQ(result.status, Status::interrupted);
  const Results file(recorder.path());
  EXPECT_EQ(file.text("status"), "interrupted");
  EXPECT_EQ(file.numbers("/step").size(), 38U);
  EXPECT_EQ(file.numbers("/energy/total").back(), result.total.final);
}

TEST(Hdf5Recorder, KeepsWhatARunThatDidNotConvergeHas) {
  const Directory directory;
  Model model = observed_pendulum(100);
  model.newton.max_iterations = 1;
  Hdf5Recorder recorder(directory.path());
  const RunResult result = watch(model, recorder);
  ASSERT_EQ(result.status, Status::not_converged);
  const Results file(recorder.path());
  EXPECT_EQ(file.text("status"), "not converged");
  EXPECT_EQ(file.numbers("/time").back(), result.state.time);
  for (const double x : file.numbers("/nodes/acceleration")) EXPECT_TRUE(std::isfinite(x));
}

// A run that ends by an exception, as when another observer's disk is full.
TEST(Hdf5Recorder, KeepsWhatABrokenRunHas) {
  struct Breaks : Observer {
    void step(long done) override {
      if (done == 5) throw std::runtime_error("broken");
    }
  } breaks;
  const Directory directory;
  {
    Hdf5Recorder recorder(directory.path());
    const Model model = observed_pendulum(100);
    const System system(model);
    Observer* const observers[] = {&recorder, &breaks};
    EXPECT_THROW((void)run(model, system, scheme_of(model), observers), std::runtime_error);
  }
  const Results file(directory / "results.h5");
  EXPECT_EQ(file.text("status"), "running");
  EXPECT_EQ(file.numbers("/step"), std::vector<double>({0, 1, 2, 3, 4}));
}

TEST(Hdf5Recorder, TakesAnyName) {
  const Directory directory;
  Model model = observed_pendulum(3);
  model.nodes[1].name = model.bars[0].nodes[1] = model.sensors[0].of[1] = "bob \"the/big\" 🪀";
  model.bars[0].name = "/";
  model.sensors[0].name = "länge, 'm'";
  model.title = "Gewöhnlich & <schlicht> 🪀";
  Hdf5Recorder recorder(directory.path());
  (void)watch(model, recorder);
  const Results file(recorder.path());
  EXPECT_EQ(file.strings("/nodes/names")[1], model.nodes[1].name);
  EXPECT_EQ(file.strings("/bars/names")[0], "/");
  EXPECT_EQ(file.strings("/sensors/names")[0], model.sensors[0].name);
  EXPECT_EQ(file.text("title"), model.title);
}

TEST(Hdf5Recorder, TakesAModelLargerThanAnAttributeMayBe) {
  const Directory directory;
  Model model = observed_pendulum(2);
  for (int i = 0; i < 3000; ++i) {
    NodeInput node;
    node.name = "ballast " + std::to_string(i);
    node.fixed = true;
    model.nodes.push_back(node);
  }
  Hdf5Recorder recorder(directory.path());
  (void)watch(model, recorder);
  const Results file(recorder.path());
  EXPECT_GT(model_json(model).size(), 100000U);
  EXPECT_EQ(file.text("model_json"), model_json(model));
  EXPECT_EQ(file.shape("/nodes/position"), std::vector<hsize_t>({3, 3002, 3}));
}

TEST(Hdf5Recorder, SaysWhyItCannotWrite) {
  const Directory directory;
  const Model model = observed_pendulum(1);
  Hdf5Recorder nowhere(directory / "missing");
  try {
    (void)watch(model, nowhere);
    FAIL();
  } catch (const FileError& error) {
    EXPECT_NE(std::string(error.what()).find("missing/results.h5"), std::string::npos) << error.what();
    EXPECT_NE(std::string(error.what()).find("No such file or directory"), std::string::npos) << error.what();
  }
  std::filesystem::create_directory(directory / "results.h5");
  Hdf5Recorder onto_a_directory(directory.path());
  EXPECT_THROW((void)watch(model, onto_a_directory), FileError);
}

// HDF5 would lose the file and crash when the program ends.
TEST(Hdf5Recorder, KeepsWhatFitsOnAFullDisk) {
  const Directory directory;
  if (::mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=5m") != 0) GTEST_SKIP() << "needs the right to mount";
  struct Unmount {
    const std::string& path;
    ~Unmount() { ::umount(path.c_str()); }
  } const at_the_end{directory.path()};
  {
    Hdf5Recorder recorder(directory.path());
    EXPECT_THROW((void)watch(observed_pendulum(100000), recorder), FileError);
  }
  {
    const Results file(directory / "results.h5");
    const std::vector<double> steps = file.numbers("/step"), energy = file.numbers("/energy/total");
    ASSERT_GT(steps.size(), 1000U);
    EXPECT_EQ(steps.back(), static_cast<double>(steps.size() - 1));
    EXPECT_NEAR(energy.back(), energy.front(), 1e-9);
  }
  std::filesystem::remove(directory / "results.h5");
  std::ofstream(directory / "filler") << std::string(5 << 20, 'x');
  Hdf5Recorder late(directory.path());
  EXPECT_THROW((void)watch(observed_pendulum(1), late), FileError);
}

// The copies for readers take no room that the results need, and what was recorded until the disk was full is left as one of
// them.
TEST(Hdf5Recorder, CopiesForReadersGiveWayOnAFullDisk) {
  const Directory directory;
  if (::mount("tmpfs", directory.path().c_str(), "tmpfs", 0, "size=24m") != 0) GTEST_SKIP() << "needs the right to mount";
  struct Unmount {
    const std::string& path;
    ~Unmount() { ::umount(path.c_str()); }
  } const at_the_end{directory.path()};
  {
    ResultsFolder folder({directory / "out", "model.toml"});
    Hdf5Recorder recorder(folder);
    EXPECT_THROW((void)watch(observed_pendulum(100000), recorder), FileError);
  }
  EXPECT_FALSE(std::filesystem::exists(directory / "out/results.h5"));
  const Results file(directory / "out/results.partial.h5");
  EXPECT_GT(file.numbers("/step").size() * 48 * 8, 19U << 20);  // nearly all of the disk
  EXPECT_EQ(file.numbers("/step").size(), file.numbers("/energy/total").size());
}

std::size_t bytes_in_use() {
  const auto info = ::mallinfo2();
  return info.uordblks + info.hblkhd;
}

// Twenty tables of small chunks: 30 000 of them, twice as many as a run of 10^7 rows has. Where each lies is kept in blocks
// that grow with their number.
TEST(Hdf5Recorder, MemoryDoesNotGrowWithTheRows) {
  const Directory directory;
  h5::File file(directory / "long.h5");
  std::vector<h5::Dataset> tables;
  for (int i = 0; i < 20; ++i) tables.push_back(file.dataset("/" + std::to_string(i), h5::Number::real, {}, 4));
  const std::vector<double> rows(4, 1.5);
  const auto write = [&](int times) {
    for (int i = 0; i < times; ++i) {
      for (h5::Dataset& table : tables) table.append(rows);
      file.flush();
    }
  };
  write(150);
  const std::size_t early = bytes_in_use();
  if (early == 0) GTEST_SKIP() << "sanitizers allocate by themselves";
  write(1350);
  const std::size_t late = bytes_in_use();
  RecordProperty("bytes_early", static_cast<int>(early));
  RecordProperty("bytes_late", static_cast<int>(late));
  EXPECT_LT(late, early + 100'000);
}

}  // namespace output_recorder
}  // namespace trompo::test
