// A command of the tool and its options. CLI11 stands behind it, in command.cpp and main.cpp alone: it takes the compiler
// seconds wherever it is included.
#pragma once

#include <functional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace trompo {

class Command {
 public:
  Command(CLI::App& app, const std::string& name, const std::string& about);

  // Where the values go must live until the command has been called.
  Command& flag(const std::string& names, bool& value, const std::string& about);
  Command& option(const std::string& names, std::string& value, const std::string& about);
  Command& option(const std::string& names, int& value, const std::string& about);
  Command& option(const std::string& names, double& value, const std::string& about);
  Command& option(const std::string& names, std::vector<std::string>& values, const std::string& about);  // one at a time
  Command& option(const std::string& names, std::vector<double>& values, const std::string& about);

  // Of the last option.
  Command& required();
  Command& commas();  // several values in one word
  Command& of_type(const std::string& name);
  Command& positive();
  Command& between(int least, int most);
  Command& one_of(const std::vector<std::string>& words);
  Command& shows_default();
  Command& needs(const std::string& name);                   // another option
  Command& excludes(const std::vector<std::string>& names);  // those that were declared before

  void does(std::function<void()> what);

 private:
  CLI::App* command_;
  CLI::Option* last_ = nullptr;
};

// The value of an option cannot be used: `text` says why.
[[noreturn]] void refuse_option(const std::string& name, const std::string& text);

}  // namespace trompo
