// `trompo view` as clients meet it: what it serves and refuses, to whom, and what it does with those that are slow, malformed
// or many.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <sys/socket.h>
#include <sys/stat.h>

#include <atomic>
#include <regex>

#include "tests/apps/tool.hpp"
#include "tests/long_run.hpp"
#include "tests/page_checks.hpp"
#include "trompo/output/page.hpp"

namespace trompo::test {
namespace apps_view {

int connect_to(int port) {
  const int connection = ::socket(AF_INET, SOCK_STREAM, 0);
  sockaddr_in address{};
  address.sin_family = AF_INET;
  address.sin_port = htons(static_cast<std::uint16_t>(port));
  ::inet_pton(AF_INET, "127.0.0.1", &address.sin_addr);
  EXPECT_EQ(::connect(connection, reinterpret_cast<const sockaddr*>(&address), sizeof address), 0);
  return connection;
}
std::string rest_of(int connection) {
  std::string answer;
  char block[65536];
  for (ssize_t n = 0; (n = ::recv(connection, block, sizeof block, 0)) > 0;) answer.append(block, static_cast<std::size_t>(n));
  ::close(connection);
  return answer;
}
// What a server on this machine answers, as it comes.
std::string ask(int port, const std::string& request) {
  const int connection = connect_to(port);
  (void)!::send(connection, request.data(), request.size(), MSG_NOSIGNAL);
  return rest_of(connection);
}
std::string request(const std::string& method, const std::string& path, const std::string& host, const std::string& more = "") {
  return method + " " + path + " HTTP/1.1\r\nHost: " + host + "\r\nConnection: close\r\n" + more + "\r\n";
}
int status_of(const std::string& answer) { return answer.size() < 12 ? 0 : std::stoi(answer.substr(9, 3)); }
std::string body_of(const std::string& answer) {
  const auto end = answer.find("\r\n\r\n");
  return end == std::string::npos ? "" : answer.substr(end + 4);
}

class View : public ToolTest {
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
  // Starts the server and waits for its address.
  [[nodiscard]] std::unique_ptr<Process> serve(const std::string& directory_name) {
    fs::create_directory(directory() / "view");
    auto server = std::make_unique<Process>(std::vector<std::string>{"view", directory_name, "--no-open"}, directory(),
                                            directory() / "view");
    static const std::regex address("http://127\\.0\\.0\\.1:([0-9]+)(/[0-9a-f]{32,})/\n");
    for (int tries = 0; tries < 1000 && port_ == 0; ++tries) {
      const std::string out = file("view/out");
      if (std::smatch found; std::regex_search(out, found, address)) port_ = std::stoi(found[1]), token_ = found[2];
      std::this_thread::sleep_for(10ms);
    }
    EXPECT_GT(port_, 0) << file("view/err");
    return server;
  }
  [[nodiscard]] std::string here() const { return "127.0.0.1:" + std::to_string(port_); }
  [[nodiscard]] std::string get(const std::string& path, const std::string& more = "") const {
    return ask(port_, request("GET", token_ + path, here(), more));
  }
  int port_ = 0;
  std::string token_;  // with the slash before it
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
    EXPECT_EQ(status_of(ask(port_, request(method, token_ + "/", here()))), 405) << method;
  const std::string our_port = ":" + std::to_string(port_);
  for (const std::string& host : {std::string("evil.example"), "evil.example" + our_port, std::string("127.0.0.1:1")}) {
    const std::string answer = ask(port_, request("GET", token_ + "/data.json", host));
    EXPECT_EQ(status_of(answer), 403) << host;
    EXPECT_EQ(answer.find("trompo page"), std::string::npos);
  }
  EXPECT_EQ(status_of(ask(port_, request("GET", token_ + "/", "localhost" + our_port))), 200);
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

TEST_F(View, AnswersOnlyWhoKnowsTheToken) {
  ASSERT_EQ(trompo({"run", example("duffing"), "-o", "out"}).code, 0);
  const auto server = serve("out");
  EXPECT_EQ(token_.size(), 41U);
  std::string wrong = token_, upper = token_;
  wrong.back() = wrong.back() == '0' ? '1' : '0';
  std::transform(upper.begin(), upper.end(), upper.begin(), [](unsigned char c) { return std::toupper(c); });
  for (const std::string& token : {std::string(), std::string("/"), wrong, token_.substr(0, 20), token_ + "0", "/x" + token_,
                                   "/" + token_, "/" + std::string(token_.size() - 1, '0'), "/%" + token_.substr(1)})
    for (const char* path : {"/", "/data.json", "/results.h5", "/summary.json", "/curves.json?plot=energy"}) {
      const std::string answer = ask(port_, request("GET", token + path, here()));
      EXPECT_EQ(status_of(answer), 403) << token << path;
      EXPECT_LT(answer.size(), 2000U);
    }
  EXPECT_EQ(status_of(ask(port_, request("GET", "/?token=" + token_.substr(1), here()))), 403);
  EXPECT_EQ(status_of(get("/")), 200);
  const std::string before = token_;
  server->send(SIGINT);
  EXPECT_EQ(server->finish().code, 0);
  fs::remove_all(directory() / "view");
  port_ = 0;
  const auto again = serve("out");
  EXPECT_NE(before, token_);
}

TEST_F(View, SendsNoByteThatIsNotOfTheFile) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-o", "out"}).code, 0);
  const auto server = serve("out");
  const std::string whole = file("out/results.h5"), size = std::to_string(whole.size()),
                    last = std::to_string(whole.size() - 1);
  struct Case {
    std::string range;
    int status;
    std::size_t first, count;
  };
  const std::size_t all = whole.size();
  for (const auto& [range, status, first, count] : {Case{"bytes=0-0", 206, 0, 1},
                                                    Case{"bytes=100-199", 206, 100, 100},
                                                    Case{"bytes=-7", 206, all - 7, 7},
                                                    Case{"bytes=" + last + "-", 206, all - 1, 1},
                                                    Case{"bytes=0-99999999999999999999999999", 206, 0, all},
                                                    Case{"bytes=5-" + size, 206, 5, all - 5},
                                                    Case{"bytes=-99999999999999999999", 206, 0, all},
                                                    Case{"BYTES= 1-2", 206, 1, 2},
                                                    Case{"bytes=" + size + "-", 416, 0, 0},
                                                    Case{"bytes=" + size + "-" + size, 416, 0, 0},
                                                    Case{"bytes=99999999-199999999", 416, 0, 0},
                                                    Case{"bytes=18446744073709551615-", 416, 0, 0},
                                                    Case{"bytes=18446744073709551616-18446744073709551617", 416, 0, 0},
                                                    Case{"bytes=-0", 416, 0, 0},
                                                    Case{"bytes=2-1", 200, 0, all},
                                                    Case{"bytes=", 200, 0, all},
                                                    Case{"bytes=-", 200, 0, all},
                                                    Case{"bytes=a-b", 200, 0, all},
                                                    Case{"bytes=--1", 200, 0, all},
                                                    Case{"bytes=0x10-", 200, 0, all},
                                                    Case{"bytes=-1-2", 200, 0, all},
                                                    Case{"bytes=0-1,3-4", 200, 0, all},
                                                    Case{"bytes=0-1,999999999-", 200, 0, all},
                                                    Case{"lines=0-1", 200, 0, all},
                                                    Case{"bytes", 200, 0, all},
                                                    Case{"", 200, 0, all}}) {
    SCOPED_TRACE(range);
    const std::string answer = get("/results.h5", "Range: " + range + "\r\n"), body = body_of(answer);
    EXPECT_EQ(status_of(answer), status);
    if (status == 416) {
      EXPECT_TRUE(says(answer, "Content-Range: bytes */" + size + "\r\n"));
      EXPECT_LT(body.size(), 100U);
      continue;
    }
    EXPECT_TRUE(body == whole.substr(first, count)) << body.size();
    EXPECT_TRUE(says(answer, "Content-Length: " + std::to_string(count) + "\r\n"));
    if (status == 206) {
      EXPECT_TRUE(says(answer, "Content-Range: bytes " + std::to_string(first) + "-" + std::to_string(first + count - 1) + "/" +
                                   size + "\r\n"));
    }
  }
  // Pages and data too.
  const std::string data = body_of(get("/data.json"));
  EXPECT_EQ(status_of(get("/data.json", "Range: bytes=999999999-\r\n")), 416);
  EXPECT_EQ(body_of(get("/data.json", "Range: bytes=10-19\r\n")), data.substr(10, 10));
  EXPECT_EQ(status_of(get("/", "Range: bytes=99999999-\r\n")), 416);
  EXPECT_EQ(body_of(get("/results.h5", "Range: bytes=1-2\r\nIf-Range: \"x\"\r\n")).size(), all);
  const std::string head = ask(port_, request("HEAD", token_ + "/results.h5", here(), "Range: bytes=1-2\r\n"));
  EXPECT_EQ(status_of(head), 200);
  EXPECT_EQ(body_of(head), "");
  EXPECT_TRUE(says(head, "Content-Length: " + size + "\r\n"));
}

// A file that becomes shorter while it is sent: the answer ends early, and what was sent was in the file.
TEST_F(View, AFileThatShrinks) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-q", "-o", "out", "--set", "time.end=2500"}).code, 0);
  const std::string whole = file("out/results.h5");
  ASSERT_GT(whole.size(), 15'000'000U);
  const auto server = serve("out");
  const int connection = connect_to(port_);
  const std::string text = request("GET", token_ + "/results.h5", here());
  (void)!::send(connection, text.data(), text.size(), MSG_NOSIGNAL);
  char byte = 0;
  ASSERT_EQ(::recv(connection, &byte, 1, 0), 1);  // it is on its way
  fs::resize_file(directory() / "out/results.h5", 1000);
  const std::string body = body_of(byte + rest_of(connection));
  EXPECT_LT(body.size(), whole.size());
  EXPECT_TRUE(body == whole.substr(0, body.size()));
  EXPECT_EQ(status_of(get("/results.h5", "Range: bytes=2000-3000\r\n")), 416);
  EXPECT_EQ(status_of(get("/data.json")), 503);
}

TEST_F(View, TellsBrowsersWhatIsAllowed) {
  ASSERT_EQ(trompo({"run", example("duffing"), "-o", "out"}).code, 0);
  const auto server = serve("out");
  for (const std::string& answer :
       {get("/"), get("/data.json"), get("/results.h5"), get("/nothing"), ask(port_, "nonsense\r\n\r\n"),
        ask(port_, request("GET", "/", here())), ask(port_, request("POST", token_ + "/", here()))}) {
    SCOPED_TRACE(answer.substr(0, 40));
    const std::string head = answer.substr(0, answer.find("\r\n\r\n"));
    for (const char* header :
         {"Cache-Control: no-store", "X-Content-Type-Options: nosniff", "Referrer-Policy: no-referrer",
          "Cross-Origin-Resource-Policy: same-origin", "Content-Security-Policy: default-src 'none'; script-src 'sha256-",
          "connect-src 'self'", "frame-ancestors 'none'"})
      EXPECT_TRUE(says(head, header));
    EXPECT_EQ(head.find("unsafe"), std::string::npos);
  }
  EXPECT_TRUE(says(ask(port_, request("POST", token_ + "/", here())), "Allow: GET, HEAD\r\n"));
}

TEST_F(View, MalformedRequestsAreRefused) {
  ASSERT_EQ(trompo({"run", example("duffing"), "-o", "out"}).code, 0);
  const auto server = serve("out");
  const std::string good = request("GET", token_ + "/", here());
  const auto status = [this](const std::string& text) { return status_of(ask(port_, text)); };
  EXPECT_EQ(status("\r\n\r\n"), 400);
  EXPECT_EQ(status("GET\r\n\r\n"), 400);
  EXPECT_EQ(status("GET /\r\n\r\n"), 400);
  EXPECT_EQ(status(replaced(good, "GET /", "GET http://127.0.0.1/")), 400);
  EXPECT_EQ(status(replaced(good, "HTTP/1.1", "HTTP/2.0")), 505);
  EXPECT_EQ(status(replaced(good, "Connection", "Connec tion")), 400);
  EXPECT_EQ(status(replaced(good, "Connection: close", "no colon")), 400);
  EXPECT_EQ(status(replaced(good, "Connection: close", std::string("a: b\0c", 6))), 400);
  EXPECT_EQ(status(replaced(good, "Connection", "Host: " + here() + "\r\nConnection")), 400);
  EXPECT_EQ(status(replaced(good, "Host: ", "X: ")), 403);
  EXPECT_EQ(status(request("GET", token_ + "/" + std::string(5000, 'a'), here())), 414);
  EXPECT_EQ(status(request("GET", token_ + "/", here(), "X: " + std::string(50000, 'a') + "\r\n")), 431);
  std::string many;
  for (int i = 0; i < 200; ++i) many += "X" + std::to_string(i) + ": 1\r\n";
  EXPECT_EQ(status(request("GET", token_ + "/", here(), many)), 431);
  EXPECT_EQ(status(std::string(1 << 20, 'A')), 431);
  EXPECT_EQ(status(request("POST", token_ + "/", here(), "Content-Length: 100000\r\n") + std::string(100000, 'x')), 405);
  EXPECT_EQ(status(request("GET", token_ + "/curves.json?plot=%zz%&from=%00&to=1e999&&=&", here())), 400);
  EXPECT_EQ(status(good), 200);
}

// Clients that send a byte now and then, and ones that ask and never read: the page is there for others, Ctrl-C ends it.
TEST_F(View, SlowClientsHoldUpNobody) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-o", "out"}).code, 0);
  const auto server = serve("out");
  const std::string text = request("GET", token_ + "/results.h5", here(), "X: " + std::string(10000, 'x') + "\r\n");
  std::vector<int> dripping, deaf, silent;
  for (int i = 0; i < 8; ++i) dripping.push_back(connect_to(port_));
  for (int i = 0; i < 8; ++i) {
    deaf.push_back(connect_to(port_));
    const std::string asked = request("GET", token_ + "/results.h5", here());
    (void)!::send(deaf.back(), asked.data(), asked.size(), MSG_NOSIGNAL);
  }
  for (int i = 0; i < 300; ++i) silent.push_back(connect_to(port_));  // more than it keeps
  std::atomic<bool> stop = false;
  std::atomic<int> dropped = 0;
  std::thread drips([&] {
    for (std::size_t sent = 0; sent < text.size() && !stop; ++sent) {
      dropped = 0;
      for (const int connection : dripping) dropped += ::send(connection, &text[sent], 1, MSG_NOSIGNAL) != 1;
      std::this_thread::sleep_for(20ms);
    }
  });
  for (int i = 0; i < 20; ++i) {
    EXPECT_EQ(status_of(get("/")), 200);
    std::this_thread::sleep_for(20ms);
  }
  for (int tries = 0; tries < 2000 && dropped < 8; ++tries) std::this_thread::sleep_for(10ms);
  EXPECT_EQ(dropped, 8);
  for (int& connection : dripping) ::close(connection), connection = connect_to(port_);
  EXPECT_EQ(status_of(get("/data.json")), 200);
  server->send(SIGINT);
  EXPECT_EQ(server->finish(20s).code, 0);
  stop = true;
  drips.join();
  for (const auto* all : {&dripping, &deaf, &silent})
    for (const int connection : *all) ::close(connection);
}

// Results that turn bad while they are shown: a message, and the page when they are good again.
TEST_F(View, LivesOnWithDamagedResults) {
  ASSERT_EQ(trompo({"run", example("duffing"), "-o", "out"}).code, 0);
  const auto server = serve("out");
  const std::string good = file("out/results.h5");
  write("out/results.h5", good.substr(0, good.size() / 2));
  for (const char* path : {"/", "/data.json", "/curves.json?plot=energy"}) {
    const std::string answer = get(path);
    EXPECT_EQ(status_of(answer), 503) << path;
    EXPECT_TRUE(says(answer, "out/results.h5: cannot read: the file is cut off"));
  }
  fs::remove(directory() / "out/results.h5");
  ASSERT_EQ(::mkfifo((directory() / "out/results.h5").c_str(), 0600), 0);
  EXPECT_EQ(status_of(get("/data.json")), 503);
  EXPECT_EQ(status_of(get("/results.h5")), 404);
  fs::remove(directory() / "out/results.h5");
  write("out/results.h5", good);
  EXPECT_EQ(status_of(get("/")), 200);
  server->send(SIGINT);
  EXPECT_EQ(server->finish().code, 0);
}

// The process that reads results dies, as it does where the library that reads them crashes: a message, and the page lives on.
TEST_F(View, OutlivesTheProcessThatReads) {
  ASSERT_EQ(trompo({"run", example("elastic_pendulum"), "-q", "-o", "out", "--set", "time.end=1000"}).code, 0);
  const auto server = serve("out");
  std::atomic<bool> done = false;
  std::thread killer([&] {
    const std::string pid = std::to_string(server->pid()), children = "/proc/" + pid + "/task/" + pid + "/children";
    while (!done) {
      std::ifstream list(children);
      for (pid_t child = 0; list >> child;) ::kill(child, SIGKILL);
    }
  });
  std::string answer;
  for (int tries = 0; tries < 200 && status_of(answer) != 503; ++tries) answer = get("/curves.json?plot=energy");
  done = true;
  killer.join();
  EXPECT_EQ(status_of(answer), 503);
  EXPECT_TRUE(says(answer, "out/results.h5: cannot read: the file is damaged: the process that reads it ended with signal 9"));
  EXPECT_EQ(status_of(get("/curves.json?plot=energy")), 200);
  EXPECT_EQ(status_of(get("/")), 200);
  server->send(SIGINT);
  EXPECT_EQ(server->finish().code, 0);
}

// Requests of every kind, again and again: memory does not grow with them.
class LongView : public View {};
TEST_F(LongView, MemoryIsBounded) {
  ASSERT_EQ(trompo({"run", example("duffing"), "-o", "out"}).code, 0);
  const auto server = serve("out");
  const int requests = long_run(100000, 2000);
  const auto resident = [&server] {  // kB
    std::ifstream status("/proc/" + std::to_string(server->pid()) + "/status");
    for (std::string word; status >> word;)
      if (word == "VmRSS:") return status >> word, std::stol(word);
    return 0L;
  };
  long early = 0;
  for (int i = 0; i < requests; ++i) {
    if (i % 100 == 0) {
      ASSERT_EQ(status_of(get("/curves.json?plot=energy&from=1&to=" + std::to_string(i))), 200);
    } else if (i % 20 == 0) {
      ASSERT_EQ(status_of(get("/data.json")), 200);
    } else if (i % 5 == 0) {
      ASSERT_EQ(status_of(ask(port_, request("GET", "/no/token", here()))), 403);
    } else if (i % 5 == 1) {
      ASSERT_EQ(status_of(get("/results.h5", "Range: bytes=99999999-\r\n")), 416);
    } else if (i % 5 == 2) {
      ASSERT_EQ(status_of(get("/results.h5", "Range: bytes=0-999\r\n")), 206);
    } else {
      ASSERT_EQ(status_of(get("/summary.json")), 200);
    }
    if (i == requests / 10) early = resident();
  }
  const long late = resident();
  RecordProperty("resident_kB_after_a_tenth", static_cast<int>(early));
  RecordProperty("resident_kB_at_the_end", static_cast<int>(late));
  EXPECT_GT(early, 0);
  EXPECT_LT(late, early + 4000);
}

}  // namespace apps_view
}  // namespace trompo::test
