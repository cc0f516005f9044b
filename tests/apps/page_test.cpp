// Pages as a user meets them: what each command writes, and what `trompo view` serves and refuses.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>

#include "tests/apps/tool.hpp"
#include "tests/page_checks.hpp"
#include "tests/places.hpp"
#include "tests/xhale_cases.hpp"
#include "trompo/output/page.hpp"

namespace trompo::test {
namespace {

class Pages : public ToolTest {
 protected:
  void SetUp() override {
    ToolTest::SetUp();
    if (!has_page()) GTEST_SKIP() << "built without the page";
  }
  [[nodiscard]] Json page(const std::string& name) const {
    Json data = data_of_page(file(name));
    expect_page(data);
    return data;
  }
};

TEST_F(Pages, EveryExampleLeavesOne) {
  for (const auto& entry : fs::directory_iterator(places::source("examples"))) {
    if (entry.path().extension() != ".toml") continue;
    SCOPED_TRACE(entry.path());
    ASSERT_EQ(trompo({"run", entry.path().string(), "-o", "out", "--force"}).code, 0);
    const Json data = page("out/report.html");
    EXPECT_EQ(data["kind"], "run");
    EXPECT_EQ(data["live"], false);
    // Doubles to the last digit.
    EXPECT_EQ(data["runs"][0]["summary"], Json::parse(file("out/summary.json")));
    EXPECT_FALSE(fs::exists(directory() / "out/.trompo/live.json"));
  }
}

TEST_F(Pages, ResultsAreTheSameWithoutAReport) {
  const std::string chain = example("damaged_chain");
  ASSERT_EQ(trompo({"run", chain, "-o", "with"}).code, 0);
  ASSERT_EQ(trompo({"run", chain, "-o", "without", "--no-report"}).code, 0);
  EXPECT_TRUE(file("with/results.h5") == file("without/results.h5"));
  EXPECT_FALSE(fs::exists(directory() / "without/report.html"));
  const Json events = page("with/report.html")["runs"][0]["events"];
  ASSERT_EQ(events.size(), 1U);
  EXPECT_EQ(events[0]["time"], 2.0);
  EXPECT_EQ(events[0]["text"], "root: stiffness 100");
}

TEST_F(Pages, WarningsAndFailuresAreRemarks) {
  const Outcome noted = trompo({"run", example("elastic_pendulum"), "-o", "noted", "--set", "time.end=1.03"});
  ASSERT_EQ(noted.code, 0);
  const std::string remark = page("noted/report.html")["remarks"][0]["text"];
  EXPECT_EQ(noted.err, remark + "\n");
  const Outcome failed = trompo({"run", example("elastic_pendulum"), "-o", "failed", "--set", "newton.max_iterations=1"});
  ASSERT_EQ(failed.code, 4);
  const Json remarks = page("failed/report.html")["remarks"];
  ASSERT_FALSE(remarks.empty());
  EXPECT_EQ(remarks.back()["severity"], "error");
  EXPECT_TRUE(says(failed.err, remarks.back()["text"]));
}

TEST_F(Pages, OfAModelBeforeItMoves) {
  ASSERT_EQ(trompo({"check", example("four_bar"), "--html", "model.html"}).code, 0);
  const Json data = page("model.html"), run = data["runs"][0];
  EXPECT_EQ(data["kind"], "model");
  EXPECT_TRUE(run["summary"].is_null());
  EXPECT_EQ(run["frames"]["count"], 1);
  EXPECT_EQ(run["scene"]["joints"].size(), 4U);
  EXPECT_EQ(trompo({"check", example("four_bar"), "--html", "missing/model.html"}).code, 6);
}

TEST_F(Pages, OfAComparison) {
  const Outcome outcome = trompo(
      {"compare", example("elastic_pendulum"), "--schemes", "trapezoidal,energy-momentum-exact", "--html", "compare.html"});
  ASSERT_EQ(outcome.code, 0);
  const Json data = page("compare.html");
  ASSERT_EQ(data["runs"].size(), 2U);
  EXPECT_EQ(data["runs"][0]["label"], "trapezoidal");
  EXPECT_EQ(data["runs"][1]["label"], "energy-momentum-exact");
  EXPECT_EQ(data["runs"][1]["scheme"]["name"], "energy-momentum-exact");
  EXPECT_EQ(data["tables"][0]["rows"].size(), 2U);
  EXPECT_EQ(data["figures"][0]["curves"].size(), 2U);
}

TEST_F(Pages, OfAStudyAndOfASpectrum) {
  ASSERT_EQ(trompo({"reproduce", "krenk", "--html", "krenk.html"}).code, 0);
  const Json krenk = page("krenk.html");
  EXPECT_EQ(krenk["kind"], "reproduce");
  EXPECT_EQ(krenk["tables"][0]["title"], "Statements");
  EXPECT_EQ(krenk["tables"][0]["verdicts"].size(), krenk["tables"][0]["rows"].size());
  EXPECT_GE(krenk["figures"].size(), 10U);
  EXPECT_TRUE(krenk["runs"].empty());
  ASSERT_EQ(trompo({"spectrum", "--scheme", "gem,newmark", "--html", "spectrum.html"}).code, 0);
  EXPECT_EQ(page("spectrum.html")["figures"].size(), 3U);
}

// 30 s of sixteen bodies on hinges at 1 ms, every step recorded.
TEST_F(Pages, LongRunOfAnAircraftIsSmall) {
  const std::string model = xhale::model_text(xhale::stored_problem("sixteen_body"));
  write("aircraft.toml",
        "formulation = \"rotation\"\n" + model + "[time]\nstep = 1e-3\nend = 30\nscheme = \"energy-momentum-exact\"\n");
  ASSERT_EQ(trompo({"run", "aircraft.toml"}).code, 0);
  const Json data = page("aircraft.out/report.html");
  EXPECT_EQ(data["runs"][0]["scene"]["bodies"].size(), 16U);
  EXPECT_EQ(data["runs"][0]["summary"]["steps"], 30000);
  EXPECT_GE(data["runs"][0]["frames"]["count"], 700);
  const std::size_t size = file("aircraft.out/report.html").size();
  EXPECT_LT(size, 4'000'000U);
  RecordProperty("bytes", static_cast<int>(size));
}

// ---- view ----

// What a server on this machine answers, as it comes.
std::string ask(int port, const std::string& request) {
  const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  std::string answer;
  if (::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address) == 0 &&
      ::send(connection, request.data(), request.size(), MSG_NOSIGNAL) == static_cast<ssize_t>(request.size())) {
    char block[65536];
    for (ssize_t n = 0; (n = ::recv(connection, block, sizeof block, 0)) > 0;)
      answer.append(block, static_cast<std::size_t>(n));
  }
  ::close(connection);
  return answer;
}
std::string request(const std::string& method, const std::string& path, const std::string& host) {
  return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\nContent-Length: 0\r\n\r\n";
}
int status_of(const std::string& answer) { return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3)); }
std::string body_of(const std::string& answer) {
  const auto end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}

class View : public Pages {
 protected:
  // Starts the server and waits for its address.
  [[nodiscard]] std::unique_ptr<Process> serve(const std::string& directory_name) {
    fs::create_directory(directory() / "view");
    auto server = std::make_unique<Process>(std::vector<std::string>{"view", directory_name, "--no-open"}, directory(),
                                            directory() / "view");
    const std::string words = "http://127.0.0.1:";
    for (int tries = 0; tries < 1000 && port_ == 0; ++tries) {
      const std::string out = file("view/out");
      if (const auto at = out.find(words); at != std::string::npos && out.find('\n') != std::string::npos)
        port_ = std::stoi(out.substr(at + words.size()));
      std::this_thread::sleep_for(10ms);
    }
    EXPECT_GT(port_, 0) << file("view/err");
    return server;
  }
  [[nodiscard]] std::string here() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::string get(const std::string& path) const { return ask(port_, request("GET", path, here())); }
  int port_ = 0;
};

TEST_F(View, ServesTheRunAndNothingElse) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum")}).code, 0);
  write("secret", "nobody's business");
  const auto server = serve("elastic_pendulum.out");
  const Json data = data_of_page(body_of(get("/")));
  expect_page(data);
  EXPECT_EQ(data, page("elastic_pendulum.out/report.html"));
  EXPECT_EQ(Json::parse(body_of(get("/data.json"))), data);
  EXPECT_EQ(body_of(get("/summary.json")), file("elastic_pendulum.out/summary.json"));
  EXPECT_TRUE(body_of(get("/results.h5")) == file("elastic_pendulum.out/results.h5"));
  const Json curves = Json::parse(body_of(get("/curves.json?plot=energy&from=1&to=2")));
  expect_plot(curves);
  EXPECT_EQ(unpacked(curves["times"]).front(), 1);
  EXPECT_EQ(status_of(get("/curves.json?plot=nothing")), 404);
  EXPECT_EQ(status_of(get("/curves.json?plot=energy&from=x")), 400);

  for (const char* path : {"/secret", "/../secret", "/..%2fsecret", "/elastic_pendulum.out/../../secret", "//etc/passwd",
                           "/data.json/..", "/dataXjson"})
    EXPECT_EQ(status_of(get(path)), 404) << path;
  for (const char* method : {"POST", "PUT", "DELETE", "OPTIONS", "PATCH"})
    EXPECT_EQ(status_of(ask(port_, request(method, "/", here()))), 405) << method;
  const std::string our_port = ":" + std::to_string(port_);
  for (const std::string& host : {std::string("evil.example"), "evil.example" + our_port, std::string("127.0.0.1:1")}) {
    const std::string answer = ask(port_, request("GET", "/data.json", host));
    EXPECT_EQ(status_of(answer), 403) << host;
    EXPECT_EQ(answer.find("trompo page"), std::string::npos);
  }
  EXPECT_EQ(status_of(ask(port_, request("GET", "/", "localhost" + our_port))), 200);
  server->send(SIGINT);
  EXPECT_EQ(server->finish().code, 0);
}

TEST_F(View, FollowsARunUnderWay) {
  const std::string model = replaced(text_of(example("elastic_pendulum")), "[time]", "[output]\nevery = 100\n\n[time]");
  write("long.toml", model);
  Process run = start({"run", "long.toml", "--set", "time.end=1e6"});
  for (int tries = 0; tries < 1000 && !fs::exists(directory() / "long.out/.trompo/live.json"); ++tries)
    std::this_thread::sleep_for(10ms);
  const auto server = serve("long.out");
  const Json first = Json::parse(body_of(get("/data.json")));
  expect_page(first);
  EXPECT_EQ(first["live"], true);
  EXPECT_TRUE(first["runs"][0]["summary"].is_null());
  EXPECT_EQ(status_of(get("/curves.json?plot=energy")), 503);
  double reached = 0;
  for (int tries = 0; tries < 1000 && reached <= first["runs"][0]["frames"]["times"].back(); ++tries) {
    std::this_thread::sleep_for(10ms);
    reached = Json::parse(body_of(get("/data.json")))["runs"][0]["frames"]["times"].back();
  }
  EXPECT_GT(reached, first["runs"][0]["frames"]["times"].back());
  run.send(SIGINT);
  EXPECT_EQ(run.finish().code, 130);
  EXPECT_FALSE(fs::exists(directory() / "long.out/.trompo/live.json"));
  const Json last = Json::parse(body_of(get("/data.json")));
  EXPECT_EQ(last["live"], false);
  EXPECT_EQ(last["runs"][0]["summary"]["status"], "interrupted");
  EXPECT_EQ(last, page("long.out/report.html"));
  server->send(SIGTERM);
  EXPECT_EQ(server->finish().code, 0);
}

// What a killed run has left is shown, and said to be just that; results that came to their end come first.
TEST_F(View, ShowsWhatAKilledRunHad) {
  write("model.toml", text_of(example("elastic_pendulum")));
  const auto kill_one = [this] {
    Process run = start({"run", "model.toml", "-q", "--set", "time.end=1e9"});
    for (int tries = 0; tries < 2000 && !fs::exists(directory() / "model.out/results.partial.h5"); ++tries)
      std::this_thread::sleep_for(10ms);
    run.send(SIGKILL);
    (void)run.finish();
  };
  kill_one();
  EXPECT_FALSE(fs::exists(directory() / "model.out/results.h5"));
  {
    const auto server = serve("model.out");
    const Json data = Json::parse(body_of(get("/data.json")));
    expect_page(data);
    EXPECT_EQ(data["live"], false);
    EXPECT_TRUE(data["runs"][0]["summary"].is_null());
    EXPECT_TRUE(says(data["remarks"].dump(), "did not come to its end in good order"));
    server->send(SIGHUP);
    EXPECT_EQ(server->finish().code, 0);
  }
  ASSERT_EQ(trompo({"run", "model.toml", "-q"}).code, 0);
  kill_one();
  port_ = 0;
  fs::remove_all(directory() / "view");
  const auto server = serve("model.out");
  const Json data = Json::parse(body_of(get("/data.json")));
  EXPECT_EQ(data["runs"][0]["summary"]["status"], "done");
  EXPECT_TRUE(says(data["remarks"].dump(), "results.partial.h5"));
}

TEST_F(View, SaysWhatIsWrong) {
  const auto refused = [this](const std::string& name, const std::string& why) {
    const Outcome outcome = trompo({"view", name, "--no-open"});
    EXPECT_EQ(outcome.code, 6) << name;
    EXPECT_TRUE(says(outcome.err, why));
    EXPECT_EQ(outcome.out, "");
  };
  refused("nowhere", "nowhere: there is no such directory");
  write("file", "");
  refused("file", "is a file");
  fs::create_directory(directory() / "empty");
  refused("empty", "empty/results.h5: cannot read: there is no such file");
  ASSERT_EQ(trompo({"run", example("duffing"), "-o", "cut"}).code, 0);
  fs::resize_file(directory() / "cut/results.h5", 5000);
  refused("cut", "cut off");
  // Of a run that was killed a live.json may be left; without its lock it shows nothing that is under way, whatever it says.
  fs::create_directory(directory() / "empty/.trompo");
  write("empty/.trompo/lock", "process 1");
  write("empty/.trompo/live.json", "{\"process\":1,\"format\":\"trompo page\"}");
  refused("empty", "there is no such file");
}

}  // namespace
}  // namespace trompo::test
