#include "apps/command.hpp"

#include <CLI/CLI.hpp>

namespace trompo {

Command::Command(CLI::App& app, const std::string& name, const std::string& about)
    : command_(app.add_subcommand(name, about)) {}

Command& Command::flag(const std::string& names, bool& value, const std::string& about) {
  last_ = command_->add_flag(names, value, about);
  return *this;
}
Command& Command::option(const std::string& names, std::string& value, const std::string& about) {
  last_ = command_->add_option(names, value, about);
  return *this;
}
Command& Command::option(const std::string& names, int& value, const std::string& about) {
  last_ = command_->add_option(names, value, about);
  return *this;
}
Command& Command::option(const std::string& names, double& value, const std::string& about) {
  last_ = command_->add_option(names, value, about);
  return *this;
}
Command& Command::option(const std::string& names, std::vector<std::string>& values, const std::string& about) {
  last_ = command_->add_option(names, values, about)->allow_extra_args(false);  // what follows may be FILE
  return *this;
}
Command& Command::option(const std::string& names, std::vector<double>& values, const std::string& about) {
  last_ = command_->add_option(names, values, about)->allow_extra_args(false);
  return *this;
}

Command& Command::required() {
  last_->required();
  return *this;
}
Command& Command::commas() {
  last_->delimiter(',')->allow_extra_args(false);
  return *this;
}
Command& Command::of_type(const std::string& name) {
  last_->type_name(name);
  return *this;
}
Command& Command::positive() {
  last_->check(CLI::PositiveNumber);
  return *this;
}
Command& Command::between(int least, int most) {
  last_->check(CLI::Range(least, most));
  return *this;
}
Command& Command::one_of(const std::vector<std::string>& words) {
  last_->check(CLI::IsMember(words));
  return *this;
}
Command& Command::shows_default() {
  last_->capture_default_str();
  return *this;
}
Command& Command::needs(const std::string& name) {
  last_->needs(command_->get_option(name));
  return *this;
}
Command& Command::excludes(const std::vector<std::string>& names) {
  for (const std::string& name : names) last_->excludes(command_->get_option(name));
  return *this;
}

void Command::does(std::function<void()> what) { command_->callback(std::move(what)); }

void refuse_option(const std::string& name, const std::string& text) { throw CLI::ValidationError(name, text); }

}  // namespace trompo
