// SPDX-License-Identifier: MIT
#include "command_line.h"

#include <CLI/CLI.hpp>
#include <utility>

namespace jawari::cli {

Option Option::required() {
  option_->required();
  return *this;
}
Option Option::delimiter(char between) {
  option_->delimiter(between);
  return *this;
}
Option Option::capture_default_str() {
  option_->capture_default_str();
  return *this;
}
Option Option::one_of(std::vector<std::string> words) {
  option_->check(CLI::IsMember(std::move(words)));
  return *this;
}
Option Option::within(double from, double to) {
  option_->check(CLI::Range(from, to));
  return *this;
}
Option Option::positive() {
  option_->check(CLI::PositiveNumber);
  return *this;
}

Command Command::add_subcommand(const std::string& name, const std::string& text) {
  return Command(app_->add_subcommand(name, text));
}
Option Command::add_option(const std::string& name, std::string& value, const std::string& text) {
  return Option(app_->add_option(name, value, text));
}
Option Command::add_option(const std::string& name, double& value, const std::string& text) {
  return Option(app_->add_option(name, value, text));
}
Option Command::add_option(const std::string& name, int& value, const std::string& text) {
  return Option(app_->add_option(name, value, text));
}
Option Command::add_option(const std::string& name, unsigned& value, const std::string& text) {
  return Option(app_->add_option(name, value, text));
}
Option Command::add_option(const std::string& name, std::optional<double>& value, const std::string& text) {
  return Option(app_->add_option(name, value, text));
}
Option Command::add_option(const std::string& name, std::vector<std::string>& value, const std::string& text) {
  return Option(app_->add_option(name, value, text));
}
Option Command::add_option(const std::string& name, std::vector<int>& value, const std::string& text) {
  return Option(app_->add_option(name, value, text));
}
Option Command::add_word(const std::string& name, const std::function<void(const std::string&)>& use,
                         const std::string& text) {
  return Option(app_->add_option_function<std::string>(name, use, text));
}
void Command::add_flag(const std::string& name, bool& value, const std::string& text) {
  app_->add_flag(name, value, text);
}
void Command::take_rest(std::function<void(const std::vector<std::string>&)> use) {
  app_->set_help_flag();
  app_->fallthrough(false);
  app_->prefix_command();
  app_->callback([app = app_, use = std::move(use)] { use(app->remaining()); });
}
void Command::callback(std::function<void()> run) { app_->callback(std::move(run)); }

}  // namespace jawari::cli
