#include <fmt/format.h>
#include <CLI/CLI.hpp>

#include <cerrno>
#include <csignal>
#include <filesystem>
#include <sstream>
#include <system_error>

#include "apps/commands.hpp"
#include "apps/print.hpp"
#include "trompo/model/check.hpp"
#include "trompo/model/reader.hpp"
#include "trompo/output/version.hpp"
#include "trompo/run/run.hpp"
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
  if (std::signal(SIGHUP, request_stop) == SIG_IGN) std::signal(SIGHUP, SIG_IGN);  // nohup has asked for that
}

void ModelArguments::add_to(Command& command, File file_is) {
  command.option("FILE", file, "model file (TOML)");
  if (file_is == File::required) command.required();
  command.option("--set", overrides, "override a value: time.step=0.01, bar.rod.EA=2e4, gravity=[0,0,0]").of_type("KEY=VALUE");
}

Model ModelArguments::read(std::vector<Diagnostic>* found, Needs needs) const {
  Model model = read_model(file, overrides);
  if (needs == Needs::time || model.time.given())
    (void)scheme_of(model);  // refuses a scheme that the model cannot have, also where other ones are asked for
  const std::vector<Diagnostic> warnings = check(model);
  for (const Diagnostic& d : warnings) complain("{}\n", d.text());
  if (found != nullptr) *found = warnings;
  return model;
}

void ModelArguments::keep_from(const std::string& output) const {
  std::error_code error;
  if (!output.empty() && std::filesystem::equivalent(file, output, error))
    throw FileError(output + ": is the model itself, which is not replaced; give another name");
}

void OutputArguments::add_to(Command& command, const std::string& ending, bool with_csv) {
  ending_ = ending;
  command.option("-o,--output", directory, "directory for the results (default: <model>." + ending + ")").of_type("DIR");
  if (with_csv) command.flag("--csv", csv, "write results.csv as well");
  command.flag("--force", force, "put the results into a folder that holds those of another model");
  command.flag("--no-report", no_report, "leave out report.html");
  command.flag("-q,--quiet", quiet, "say nothing unless something is wrong");
  command.flag("--json", json, "print summary.json");
}

ResultsFolder OutputArguments::folder(const std::string& model_file) const {
  const std::string path = directory.empty() ? std::filesystem::path(model_file).stem().string() + "." + ending_ : directory;
  return ResultsFolder({path, model_file, force, resume});
}

namespace {

std::vector<std::string> names_of(const std::vector<const CLI::App*>& commands) {
  std::vector<std::string> names;
  for (const CLI::App* command : commands) names.push_back(command->get_name());
  return names;
}

// What is wrong with the command line, with the nearest right word.
std::string usage_error(const CLI::App& app, const CLI::ParseError& error) {
  const auto chosen = app.get_subcommands();
  const CLI::App& where = chosen.empty() ? app : *chosen.front();
  const auto strange = where.remaining();
  const std::string word = strange.empty() ? std::string() : strange.front();
  const bool option = word.starts_with("-");
  std::string text = error.what();
  if (option) {
    std::vector<std::string> known;
    for (const CLI::Option* o : where.get_options())
      if (o->nonpositional()) known.push_back(o->get_name());
    text = fmt::format("unknown option {}; {}", in_quotes(word), suggestion(word, known));
  } else if (chosen.empty()) {
    const auto known = names_of(app.get_subcommands([](const CLI::App*) { return true; }));
    text = word.empty() ? "a command is missing; " + suggestion("", known)
                        : fmt::format("unknown command {}; {}", in_quotes(word), suggestion(word, known));
  } else if (!word.empty()) {
    text = fmt::format("did not expect {}", in_quotes(word));
  }
  return fmt::format("error: {}\n`trompo {}{}--help` says more", text, chosen.empty() ? "" : where.get_name(),
                     chosen.empty() ? "" : " ");
}

// Standard output is full or closed, or who read it has gone: the last is no news to anybody.
int after_printing(int exit_code) {
  const int error = output_error();
  if (error == 0) return exit_code;
  if (error != EPIPE) complain("error: cannot write to standard output: {}\n", std::generic_category().message(error));
  return exit_code == exit_done ? exit_file : exit_code;
}

}  // namespace

}  // namespace trompo

int main(int argc, char** argv) {
  using namespace trompo;
  open_standard_streams();
  for (const int signal : {SIGPIPE, SIGXFSZ}) std::signal(signal, SIG_IGN);  // a write that fails says so
  CLI::App app{"Trompo: nonlinear dynamics that keeps what nature keeps"};
  app.set_version_flag("--version", std::string(version()));
  app.require_subcommand(1);
  app.get_formatter()->column_width(36);
  int exit_code = exit_done;
  add_run(app, exit_code);
  add_statics(app, exit_code);
  add_modes(app, exit_code);
  add_check(app, exit_code);
  add_expand(app, exit_code);
  add_schemes(app, exit_code);
  add_schema(app, exit_code);
  add_compare(app, exit_code);
  add_converge(app, exit_code);
  add_spectrum(app, exit_code);
  add_reproduce(app, exit_code);
  add_view(app, exit_code);
  add_info(app, exit_code);
  add_diff(app, exit_code);
  add_rerun(app, exit_code);
  try {
    app.parse(argc, argv);
    return after_printing(exit_code);
  } catch (const CLI::ParseError& error) {
    if (error.get_exit_code() == 0) {  // --help, --version
      std::ostringstream text;
      app.exit(error, text, text);
      print_text(text.str());
      return after_printing(exit_done);
    }
    complain("{}\n", usage_error(app, error));
    return exit_usage;
  } catch (const ModelError& error) {
    complain("{}\n", error.what());
    return exit_model;
  } catch (const SchemeError& error) {
    complain("error: {}; {}\n", error.what(), error.remedy);
    return exit_usage;
  } catch (const FileError& error) {
    complain("error: {}\n", error.what());
    return exit_file;
  } catch (const std::exception& error) {
    complain("internal error: {}\nPlease report this with the model file.\n", error.what());
    return exit_internal;
  }
}
