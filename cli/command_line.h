// SPDX-License-Identifier: MIT
// Commands and their options.  Says what CLI11 is told without its header, which takes five seconds to compile
// wherever it is used (command_line.cpp).
#pragma once
#include <functional>
#include <optional>
#include <string>
#include <vector>

namespace CLI {
class App;
class Option;
}  // namespace CLI

namespace jawari::cli {

class Option {
 public:
  explicit Option(CLI::Option* option) : option_(option) {}
  Option* operator->() { return this; }
  Option required();
  Option delimiter(char between);
  Option capture_default_str();  ///< the help shows the default
  Option one_of(std::vector<std::string> words);
  Option within(double from, double to);
  Option positive();

 private:
  CLI::Option* option_;
};

class Command {
 public:
  explicit Command(CLI::App* app) : app_(app) {}
  Command* operator->() { return this; }
  Command& operator*() { return *this; }
  Command add_subcommand(const std::string& name, const std::string& text);
  Option add_option(const std::string& name, std::string& value, const std::string& text);
  Option add_option(const std::string& name, double& value, const std::string& text);
  Option add_option(const std::string& name, int& value, const std::string& text);
  Option add_option(const std::string& name, unsigned& value, const std::string& text);
  Option add_option(const std::string& name, std::optional<double>& value, const std::string& text);
  Option add_option(const std::string& name, std::vector<std::string>& value, const std::string& text);
  Option add_option(const std::string& name, std::vector<int>& value, const std::string& text);
  /// Calls `use` with the word that was given.
  Option add_word(const std::string& name, const std::function<void(const std::string&)>& use, const std::string& text);
  void add_flag(const std::string& name, bool& value, const std::string& text);
  /// All words that follow, options and --help too, are for `use`.
  void take_rest(std::function<void(const std::vector<std::string>&)> use);
  void callback(std::function<void()> run);

 private:
  CLI::App* app_;
};

}  // namespace jawari::cli
