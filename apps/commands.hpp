// The doors of the tool: one function per command, each declares its options and what to do.
#pragma once

#include <atomic>
#include <string>
#include <vector>

#include "apps/command.hpp"
#include "trompo/model/model.hpp"
#include "trompo/output/results_folder.hpp"

namespace trompo {

enum ExitCode {
  exit_done = 0,
  exit_internal = 1,
  exit_usage = 2,
  exit_model = 3,
  exit_not_converged = 4,
  exit_differs = 5,
  exit_file = 6,
  exit_interrupted = 130
};

// Each adds its subcommand to the app; `exit_code` receives the outcome.
void add_run(CLI::App& app, int& exit_code);
void add_statics(CLI::App& app, int& exit_code);
void add_modes(CLI::App& app, int& exit_code);
void add_check(CLI::App& app, int& exit_code);
void add_expand(CLI::App& app, int& exit_code);
void add_schemes(CLI::App& app, int& exit_code);
void add_schema(CLI::App& app, int& exit_code);
void add_compare(CLI::App& app, int& exit_code);
void add_converge(CLI::App& app, int& exit_code);
void add_spectrum(CLI::App& app, int& exit_code);
void add_reproduce(CLI::App& app, int& exit_code);
void add_view(CLI::App& app, int& exit_code);
void add_info(CLI::App& app, int& exit_code);
void add_diff(CLI::App& app, int& exit_code);
void add_rerun(CLI::App& app, int& exit_code);

// FILE and --set, which several commands share.
struct ModelArguments {
  std::string file;
  std::vector<std::string> overrides;
  enum class File { required, optional };
  void add_to(Command& command, File file_is = File::required);
  enum class Needs { time, nothing };
  // Prints warnings to stderr. A model without [time] is refused unless nothing of it is needed.
  [[nodiscard]] Model read(std::vector<Diagnostic>* found = nullptr, Needs needs = Needs::time) const;
  // A file that the user names for a page or a picture: none at all, or any but the model itself.
  void keep_from(const std::string& output) const;
};

// Where the results of one model go and what is said of them.
struct OutputArguments {
  std::string directory;
  bool csv = false, quiet = false, json = false, no_report = false, force = false;
  bool resume = false;  // not an option: what stands in the folder is gone on with
  void add_to(Command& command, const std::string& ending, bool with_csv = true);
  // <model>.<ending> unless said otherwise, locked for this process.
  [[nodiscard]] ResultsFolder folder(const std::string& model_file) const;

 private:
  std::string ending_;
};

// Set by SIGINT, SIGTERM and SIGHUP; a run looks at it after every step.
[[nodiscard]] const std::atomic<bool>& interrupted();
void catch_interrupts();

}  // namespace trompo
