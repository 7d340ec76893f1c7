// SPDX-License-Identifier: MIT
// jawari sweep PLAN, jawari merge STORE: many runs, by the Python package, which has the stores and the executors.
#include <fmt/format.h>
#include <unistd.h>

#include <cerrno>
#include <cstdlib>
#include <cstring>
#include <filesystem>
#include <system_error>

#include "commands.h"

namespace jawari::cli {
namespace {

/// A package beside this program, as in a build folder, goes before one that is installed.
void prefer_own_package() {
  std::error_code none;
  const auto program = std::filesystem::read_symlink("/proc/self/exe", none);
  if (none) return;
  std::filesystem::path package;
  for (const auto& folder : {program.parent_path() / "python", program.parent_path() / "../.."})  // or inside of it
    if (std::filesystem::exists(folder / "jawari" / "__init__.py", none)) package = folder.lexically_normal();
  if (package.empty()) return;
  const char* paths = std::getenv("PYTHONPATH");
  const std::string all = paths && *paths ? fmt::format("{}:{}", package.string(), paths) : package.string();
  setenv("PYTHONPATH", all.c_str(), 1);
}

/// Becomes Python, so that signals and the exit status are those of the command.
int hand_over(const std::string& name, const std::vector<std::string>& words, Console& console) {
  const char* given = std::getenv("JAWARI_PYTHON");
  const std::string python = given && *given ? given : "python3";
  prefer_own_package();
  std::vector<std::string> all{python, "-m", "jawari", name};
  all.insert(all.end(), words.begin(), words.end());
  std::vector<char*> arguments;
  for (auto& w : all) arguments.push_back(w.data());
  arguments.push_back(nullptr);
  execvp(python.c_str(), arguments.data());
  console.complain(
      fmt::format("{} needs the Python package of jawari, but {} cannot be started ({}); JAWARI_PYTHON names "
                  "another interpreter",
                  name, python, std::strerror(errno)));
  return trouble;
}

}  // namespace

void add_many(Command& app, Job& job) {
  const std::pair<const char*, const char*> commands[] = {
      {"sweep", "Play the runs of a plan into a store (needs the Python package)"},
      {"merge", "Bring stores of one plan together, and say which shards are missing (needs the Python package)"}};
  for (const auto& [name, text] : commands)
    app.add_subcommand(name, text).take_rest([&job, name = std::string(name)](const std::vector<std::string>& words) {
      job = [name, words](Console& console) { return hand_over(name, words, console); };
    });
}

}  // namespace jawari::cli
