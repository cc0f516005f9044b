// trompo view: shows the page of a run in a browser, also while the run is under way. It serves this machine alone, and nothing
// but the results of that run.
#include <fcntl.h>
#include <fmt/format.h>
#include <spawn.h>
#include <sys/random.h>
#include <unistd.h>

#include <array>
#include <chrono>
#include <cmath>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <limits>
#include <memory>
#include <thread>

#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "apps/server.hpp"
#include "trompo/output/child.hpp"
#include "trompo/output/files.hpp"
#include "trompo/output/page.hpp"
#include "trompo/output/report.hpp"
#include "trompo/output/results_folder.hpp"

namespace trompo {

namespace {

namespace fs = std::filesystem;
using namespace std::chrono_literals;

constexpr const char* here = "127.0.0.1";

fs::file_time_type written_at(const fs::path& path) {
  std::error_code ignored;
  return fs::last_write_time(path, ignored);
}

using SharedText = std::shared_ptr<const std::string>;
SharedText shared(std::string text) { return std::make_shared<const std::string>(std::move(text)); }

// The page data of a directory, as it stands at the moment. Results may come from anywhere: they are read in a child process.
class RunDirectory {
 public:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] SharedText data() {
    if (std::string live = live_data(); !live.empty()) return shared(std::move(live));
    const Stamp stamp{written_at(results()), written_at(path_ + "/summary.json")};
    if (stamp == stamp_ && !failure_.empty()) throw FileError(failure_);
    if (stamp == stamp_ && data_) return data_;
    stamp_ = run_under_way(path_) ? Stamp{} : stamp;
    failure_.clear();
    try {
      data_ = shared(read_apart([this] { return page_of_results(path_).json(); }));
    } catch (const FileError& error) {
      failure_ = error.what();  // a file that takes a minute to fail does so once
      throw;
    }
    return data_;
  }
  [[nodiscard]] SharedText page() {
    const SharedText now = data();
    if (now != paged_) page_ = shared(trompo::page(*now));
    paged_ = now;
    return page_;
  }
  [[nodiscard]] std::string curves(const std::string& plot, double from, double to) const {
    return read_apart([&] { return curves_of_results(path_, plot, from, to); });
  }
  [[nodiscard]] bool live() const { return !live_data().empty(); }
  [[nodiscard]] std::string results() const { return results_in(path_); }
  [[nodiscard]] std::string summary() const { return read_text_file(path_ + "/summary.json"); }

 private:
  // Empty if no run is under way. One that was killed leaves its file behind, but not its lock.
  [[nodiscard]] std::string live_data() const {
    return run_under_way(path_) ? read_text_file(hidden_folder(path_) + "/live.json") : "";
  }

  [[nodiscard]] std::string read_apart(const std::function<std::string()>& read) const {
    constexpr std::uintmax_t slow_disk = 20 << 20;  // bytes per second
    std::error_code error;
    const std::uintmax_t size = fs::file_size(results(), error);
    ChildLimits limits;
    if (!error) limits.time += std::chrono::seconds(size / slow_disk);
    return in_child(results(), read, limits, interrupted());
  }

  using Stamp = std::pair<fs::file_time_type, fs::file_time_type>;
  std::string path_;
  Stamp stamp_;
  std::string failure_;
  SharedText data_, page_, paged_;  // paged_: the data that page_ shows
};

// 160 bits that nobody can guess.
std::string random_token() {
  std::array<unsigned char, 20> bytes{};
  if (::getrandom(bytes.data(), bytes.size(), 0) != static_cast<ssize_t>(bytes.size()))
    throw FileError("the system gives no random numbers");
  return fmt::format("{:02x}", fmt::join(bytes, ""));
}

// Takes as long whichever byte differs, so that nobody can find the token byte by byte.
bool same(std::string_view a, std::string_view b) {
  if (a.size() != b.size()) return false;
  volatile unsigned char difference = 0;
  for (std::size_t i = 0; i < a.size(); ++i) difference = difference | static_cast<unsigned char>(a[i] ^ b[i]);
  return difference == 0;
}

double number(const http::Request& request, std::string_view key, double otherwise) {
  const auto text = request.parameter(key);
  if (!text) return otherwise;
  char* end = nullptr;
  const double value = std::strtod(text->c_str(), &end);
  return text->empty() || end != text->c_str() + text->size() ? std::nan("") : value;
}

// What is served, and to whom.
class Site {
 public:
  Site(RunDirectory& run, int port)
      : run_(run), token_(random_token()), names_{fmt::format("{}:{}", here, port), fmt::format("localhost:{}", port)} {}

  [[nodiscard]] std::string address() const { return fmt::format("http://{}/{}/", names_[0], token_); }

  [[nodiscard]] http::Answer answer(std::string_view head) const {
    http::Request request;
    http::Answer out;
    try {
      request = http::parse_request(head);
      out = route(request);
    } catch (const http::Refusal& refusal) {
      out = http::refusal(refusal);
      if (refusal.status == 405) out.headers.emplace_back("Allow", "GET, HEAD");
    } catch (const FileError& error) {  // damaged, or a new run is starting in the same directory
      out = http::refusal({503, error.what()});
    } catch (const std::exception& error) {
      out = http::refusal({500, error.what()});
    }
    out = http::cut(std::move(out), request);
    for (const auto& [name, value] : {std::pair{"Cache-Control", "no-store"},
                                      {"X-Content-Type-Options", "nosniff"},
                                      {"X-Frame-Options", "DENY"},
                                      {"Referrer-Policy", "no-referrer"},
                                      {"Cross-Origin-Resource-Policy", "same-origin"},
                                      {"Cross-Origin-Opener-Policy", "same-origin"}})
      out.headers.emplace_back(name, value);
    out.headers.emplace_back("Content-Security-Policy",
                             std::string(page_policy()) + "; base-uri 'none'; form-action 'none'; frame-ancestors 'none'");
    return out;
  }

 private:
  // A page of some other site can make a browser ask us, but not under our name; another user of this machine can ask, but does
  // not know the token.
  [[nodiscard]] std::string permitted_path(const http::Request& request) const {
    const std::string host = request.header("host").value_or("");
    if (host != names_[0] && host != names_[1]) throw http::Refusal{403, "this server answers to " + names_[0] + " only"};
    const std::string_view path = std::string_view(request.path).substr(1);
    if (!same(path.substr(0, token_.size()), token_) || (path.size() > token_.size() && path[token_.size()] != '/'))
      throw http::Refusal{403, "the address lacks the token that `trompo view` has printed"};
    if (request.method != "GET" && request.method != "HEAD") throw http::Refusal{405, "there is nothing to change here"};
    return std::string(path.substr(token_.size()));
  }

  [[nodiscard]] http::Answer route(const http::Request& request) const {
    const std::string path = permitted_path(request);
    if (path == "/") return http::shared_answer(run_.page(), "text/html; charset=utf-8");
    if (path == "/data.json") return http::shared_answer(run_.data(), "application/json");
    if (path == "/curves.json") return curves(request);
    if (path == "/summary.json") {
      std::string summary = run_.summary();
      if (summary.empty()) throw http::Refusal{404, "the run has no summary yet"};
      return http::text_answer(std::move(summary), "application/json");
    }
    if (path == "/results.h5") {
      if (run_.live()) throw http::Refusal{503, "the run is under way"};
      http::Answer file = http::file_answer(std::make_shared<const http::OpenFile>(run_.results()), "application/x-hdf5");
      file.headers.emplace_back("Content-Disposition", "attachment");
      return file;
    }
    throw http::Refusal{404, "there is no such page"};
  }

  [[nodiscard]] http::Answer curves(const http::Request& request) const {
    constexpr double always = std::numeric_limits<double>::infinity();
    const double from = number(request, "from", -always), to = number(request, "to", always);
    if (std::isnan(from) || std::isnan(to)) throw http::Refusal{400, "from and to are times in seconds"};
    if (run_.live()) throw http::Refusal{503, "the run is under way: all samples can be read when it is over"};
    std::string found = run_.curves(request.parameter("plot").value_or(""), from, to);
    if (found.empty()) throw http::Refusal{404, "there is no such plot"};
    return http::text_answer(std::move(found), "application/json");
  }

  RunDirectory& run_;
  std::string token_;
  std::string names_[2];
};

// Everybody on this machine can see the arguments of a process, and the address holds the token: the browser is given a file
// that leads there and that nobody else can read.
class BrowserFile {
 public:
  explicit BrowserFile(const std::string& address) {
    const char* own = std::getenv("XDG_RUNTIME_DIR");
    std::error_code ignored;
    std::string folder =
        (own != nullptr && *own != '\0' ? fs::path(own) : fs::temp_directory_path(ignored)) / "trompo-view-XXXXXX";
    if (::mkdtemp(folder.data()) == nullptr) return;  // for this user alone
    folder_ = folder;
    try {
      write_text_file(path(),
                      fmt::format("<!doctype html>\n<meta charset=\"utf-8\">\n<meta http-equiv=\"refresh\" content=\"0; "
                                  "url={0}\">\n<title>Trompo</title>\n<a href=\"{0}\">To the run</a>\n",
                                  address));
    } catch (const FileError&) {  // the address is printed
    }
  }
  BrowserFile(const BrowserFile&) = delete;
  BrowserFile& operator=(const BrowserFile&) = delete;
  ~BrowserFile() {
    std::error_code ignored;
    if (!folder_.empty()) fs::remove_all(folder_, ignored);
  }
  [[nodiscard]] std::string path() const { return folder_ + "/run.html"; }

 private:
  std::string folder_;
};

void open_browser(const std::string& file) {
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_WRONLY, 0);
  char command[] = "xdg-open";
  std::string argument = file;
  char* const arguments[] = {command, argument.data(), nullptr};
  pid_t process = 0;
  (void)::posix_spawnp(&process, command, &silent, nullptr, arguments, environ);  // without xdg-open, the address is printed
  posix_spawn_file_actions_destroy(&silent);
}
bool has_screen() { return std::getenv("DISPLAY") != nullptr || std::getenv("WAYLAND_DISPLAY") != nullptr; }

struct ViewArguments {
  std::string directory;
  int port = 0;
  bool no_open = false;
};

// The first look, which says what is wrong before anything is served. A run that has just begun shows itself after a moment.
void look_at(RunDirectory& run, const ViewArguments& arguments) {
  std::error_code error;
  if (!fs::exists(arguments.directory, error)) throw FileError(arguments.directory + ": there is no such directory");
  if (!fs::is_directory(arguments.directory, error))
    throw FileError(arguments.directory + ": is a file; `trompo view` wants the directory that `trompo run` has written");
  for (int tries = 0;; ++tries) {
    try {
      (void)run.data();
      return;
    } catch (const FileError&) {
      if (tries == 20 || !run_under_way(arguments.directory)) throw;
    }
    std::this_thread::sleep_for(100ms);
  }
}

int view(const ViewArguments& arguments) {
  RunDirectory run(arguments.directory);
  look_at(run, arguments);
  if (!has_page()) throw FileError(std::string(how_to_get_page()));

  Server server(arguments.port);
  const Site site(run, server.port());
  catch_interrupts();
  const std::string address = site.address();
  print("{}\nCtrl-C ends it\n", address);
  const bool printed = output_error() == 0;
  std::optional<BrowserFile> file;
  if (!arguments.no_open && has_screen())
    open_browser(file.emplace(address).path());
  else if (!printed)
    return exit_done;  // nobody knows the address; main says why
  server.serve([&site](std::string_view head) { return site.answer(head); }, interrupted());
  return exit_done;
}

}  // namespace

void add_view(CLI::App& app, int& exit_code) {
  Command command(app, "view", "show the results of a run in the browser, also while it is under way");
  auto arguments = std::make_shared<ViewArguments>();
  command.option("DIR", arguments->directory, "where `trompo run` has left its results").required();
  command.option("--port", arguments->port, "of 127.0.0.1 (default: a free one)").between(1, 65535);
  command.flag("--no-open", arguments->no_open, "print the address and open no browser");
  command.does([arguments, &exit_code] { exit_code = view(*arguments); });
}

}  // namespace trompo
