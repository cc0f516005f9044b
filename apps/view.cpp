// trompo view: shows the page of a run in a browser, also while the run is under way. It serves this machine alone, and nothing
// but the results of that run.
#include <fcntl.h>
#include <fmt/format.h>
#include <httplib.h>
#include <spawn.h>
#include <unistd.h>

#include <chrono>
#include <csignal>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <memory>
#include <mutex>
#include <thread>

#undef _res  // a macro of resolv.h, which httplib.h includes; Eigen has arguments of this name

#include "apps/commands.hpp"
#include "apps/print.hpp"
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

// The page data of a directory, as it stands at the moment. HDF5 serves one thread at a time.
class RunDirectory {
 public:
  explicit RunDirectory(std::string path) : path_(std::move(path)) {}

  [[nodiscard]] std::string data() {
    const std::lock_guard lock(one_at_a_time_);
    if (std::string live = live_data(); !live.empty()) return live;
    const Stamp stamp{written_at(results_in(path_)), written_at(path_ + "/summary.json")};
    if (stamp != stamp_ || data_.empty()) {
      const PageData page = page_of_results(path_);
      data_ = page.json();
      stamp_ = page.live ? Stamp{} : stamp;
    }
    return data_;
  }
  [[nodiscard]] std::string curves(const std::string& plot, double from, double to) {
    const std::lock_guard lock(one_at_a_time_);
    return curves_of_results(path_, plot, from, to);
  }
  [[nodiscard]] bool live() {
    const std::lock_guard lock(one_at_a_time_);
    return !live_data().empty();
  }
  [[nodiscard]] std::string results() const { return path_ + "/results.h5"; }
  [[nodiscard]] std::string summary() const { return read_text_file(path_ + "/summary.json"); }

 private:
  // Empty if no run is under way. One that was killed leaves its file behind, but not its lock.
  [[nodiscard]] std::string live_data() const {
    return run_under_way(path_) ? read_text_file(hidden_folder(path_) + "/live.json") : "";
  }

  using Stamp = std::pair<fs::file_time_type, fs::file_time_type>;
  std::string path_;
  std::mutex one_at_a_time_;
  Stamp stamp_;
  std::string data_;
};

// A text of known length, which the library does not compress: from here to here that would only take time.
void answer(httplib::Response& response, std::string text, const char* type) {
  const auto kept = std::make_shared<const std::string>(std::move(text));
  response.set_content_provider(kept->size(), type, [kept](std::size_t from, std::size_t length, httplib::DataSink& sink) {
    return sink.write(kept->data() + from, length);
  });
}

void refuse(httplib::Response& response, int status, const std::string& why) {
  response.status = status;
  response.set_content(why + "\n", "text/plain; charset=utf-8");
}

void answer_file(httplib::Response& response, const std::string& path) {
  const auto file = std::make_shared<std::ifstream>(path, std::ios::binary);
  std::error_code error;
  const std::size_t size = fs::file_size(path, error);
  if (error || !*file) return refuse(response, 404, "there is no such file");
  response.set_header("Content-Disposition", "attachment");
  response.set_content_provider(
      size, "application/x-hdf5", [file](std::size_t from, std::size_t length, httplib::DataSink& sink) {
        std::vector<char> block(std::min<std::size_t>(length, 1 << 16));
        file->clear();
        file->seekg(static_cast<std::streamoff>(from));
        file->read(block.data(), static_cast<std::streamsize>(block.size()));
        return file->gcount() > 0 && sink.write(block.data(), static_cast<std::size_t>(file->gcount()));
      });
}

double number(const httplib::Request& request, const char* key, double otherwise) {
  if (!request.has_param(key)) return otherwise;
  const std::string text = request.get_param_value(key);
  char* end = nullptr;
  const double value = std::strtod(text.c_str(), &end);
  return end == text.c_str() || *end != '\0' ? std::nan("") : value;
}

// A page of some other site can make a browser ask us, but not under our name: whoever has another one in mind is refused.
void guard(httplib::Server& server, int port) {
  const std::string names[] = {fmt::format("{}:{}", here, port), fmt::format("localhost:{}", port)};
  server.set_default_headers({{"Cache-Control", "no-store"}, {"X-Content-Type-Options", "nosniff"}});
  server.set_pre_routing_handler([=](const httplib::Request& request, httplib::Response& response) {
    using Result = httplib::Server::HandlerResponse;
    const std::string host = request.get_header_value("Host");
    if (host != names[0] && host != names[1]) {
      refuse(response, 403, "this server answers to " + names[0] + " only");
      return Result::Handled;
    }
    if (request.method != "GET" && request.method != "HEAD") {
      response.set_header("Allow", "GET, HEAD");
      refuse(response, 405, "there is nothing to change here");
      return Result::Handled;
    }
    return Result::Unhandled;
  });
}

void lay_routes(httplib::Server& server, RunDirectory& run) {
  const auto route = [&server](const char* path, auto handler) {
    server.Get(path, [handler](const httplib::Request& request, httplib::Response& response) {
      try {
        handler(request, response);
      } catch (const FileError& error) {  // a new run may be starting in the same directory
        refuse(response, 503, error.what());
      }
    });
  };
  route("/", [&run](const auto&, auto& response) { answer(response, page(run.data()), "text/html; charset=utf-8"); });
  route(R"(/data\.json)", [&run](const auto&, auto& response) { answer(response, run.data(), "application/json"); });
  route(R"(/curves\.json)", [&run](const httplib::Request& request, httplib::Response& response) {
    constexpr double always = std::numeric_limits<double>::infinity();
    const double from = number(request, "from", -always), to = number(request, "to", always);
    if (std::isnan(from) || std::isnan(to)) return refuse(response, 400, "from and to are times in seconds");
    if (run.live()) return refuse(response, 503, "the run is under way: all samples can be read when it is over");
    std::string curves = run.curves(request.get_param_value("plot"), from, to);
    curves.empty() ? refuse(response, 404, "there is no such plot") : answer(response, std::move(curves), "application/json");
  });
  route(R"(/results\.h5)", [&run](const auto&, auto& response) {
    run.live() ? refuse(response, 503, "the run is under way") : answer_file(response, run.results());
  });
  route(R"(/summary\.json)", [&run](const auto&, auto& response) {
    std::string summary = run.summary();
    summary.empty() ? refuse(response, 404, "the run has no summary yet")
                    : answer(response, std::move(summary), "application/json");
  });
}

void open_browser(const std::string& url) {
  if (std::getenv("DISPLAY") == nullptr && std::getenv("WAYLAND_DISPLAY") == nullptr) return;
  posix_spawn_file_actions_t silent;
  posix_spawn_file_actions_init(&silent);
  for (const int stream : {STDOUT_FILENO, STDERR_FILENO})
    posix_spawn_file_actions_addopen(&silent, stream, "/dev/null", O_WRONLY, 0);
  char command[] = "xdg-open";
  std::string argument = url;
  char* const arguments[] = {command, argument.data(), nullptr};
  pid_t process = 0;
  (void)::posix_spawnp(&process, command, &silent, nullptr, arguments, environ);  // without xdg-open, the address is printed
  posix_spawn_file_actions_destroy(&silent);
}

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
  if (!has_page()) throw FileError(std::string(how_to_get_page()));
  RunDirectory run(arguments.directory);
  look_at(run, arguments);

  httplib::Server server;
  server.set_socket_options([](socket_t socket) {  // the library's own would let two servers share a port
    const int yes = 1;
    ::setsockopt(socket, SOL_SOCKET, SO_REUSEADDR, &yes, sizeof yes);
  });
  server.set_keep_alive_timeout(1);
  const int port = arguments.port == 0                         ? server.bind_to_any_port(here)
                   : server.bind_to_port(here, arguments.port) ? arguments.port
                                                               : -1;
  if (port <= 0) throw FileError(fmt::format("port {} cannot be used; leave out --port to get a free one", arguments.port));
  guard(server, port);
  lay_routes(server, run);

  catch_interrupts();
  std::thread serving([&server] { server.listen_after_bind(); });
  const std::string url = fmt::format("http://{}:{}/", here, port);
  print("{}\nCtrl-C ends it\n", url);
  (void)output_error();  // without its address the page can still be asked for
  if (!arguments.no_open) open_browser(url);
  while (!interrupted()) std::this_thread::sleep_for(50ms);
  server.stop();
  serving.join();
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
