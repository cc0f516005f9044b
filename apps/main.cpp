#include <fmt/format.h>

#include <csignal>
#include <cstdio>

#include "apps/commands.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/version.hpp"
#include "trompo/scheme/catalogue.hpp"

namespace trompo {

namespace {
std::atomic<bool> stop_requested{false};
static_assert(std::atomic<bool>::is_always_lock_free, "a signal handler may only touch lock-free memory");
extern "C" void request_stop(int signal) {
  stop_requested.store(true);
  std::signal(signal, SIG_DFL);  // a second one ends the program at once
}
}  // namespace

const std::atomic<bool>& interrupted() { return stop_requested; }
void catch_interrupts() {
  std::signal(SIGINT, request_stop);
  std::signal(SIGTERM, request_stop);
}

void ModelArguments::add_to(CLI::App& command) {
  command.add_option("FILE", file, "model file (TOML)")->required();
  command.add_option("--set", overrides, "override a value: time.step=0.01, bar.rod.EA=2e4, gravity=[0,0,0]")->type_name("KEY=VALUE");
}

Model ModelArguments::read() const {
  Model model = read_model(file, overrides);
  for (const Diagnostic& d : check(model)) fmt::print(stderr, "{}\n", d.text());
  return model;
}

}  // namespace trompo

int main(int argc, char** argv) {
  using namespace trompo;
  CLI::App app{"Trompo: nonlinear dynamics that keeps what nature keeps"};
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  app.get_formatter()->column_width(36);
  int exit_code = exit_done;
  add_run(app, exit_code);
  add_check(app, exit_code);
  add_schemes(app, exit_code);
  add_schema(app, exit_code);
  add_compare(app, exit_code);
  add_converge(app, exit_code);
  add_spectrum(app, exit_code);
  add_reproduce(app, exit_code);
  try {
    app.parse(argc, argv);
    return exit_code;
  } catch (const CLI::ParseError& error) {
    return app.exit(error) == 0 ? exit_done : exit_usage;
  } catch (const ModelError& error) {
    fmt::print(stderr, "{}\n", error.what());
    return exit_model;
  } catch (const SchemeError& error) {
    fmt::print(stderr, "error: {}; {}\n", error.what(), error.remedy);
    return exit_usage;
  } catch (const FileError& error) {
    fmt::print(stderr, "error: {}\n", error.what());
    return exit_file;
  } catch (const std::exception& error) {
    fmt::print(stderr, "internal error: {}\nPlease report this with the model file.\n", error.what());
    return exit_internal;
  }
}
