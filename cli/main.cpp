// SPDX-License-Identifier: MIT
// jawari: the command line.  Translation only: everything it does, the library does.
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <algorithm>
#include <cstdio>
#include <exception>
#include <new>
#include <optional>
#include <string>
#include <vector>

#include "commands.h"
#include "jawari/core/param.h"
#include "jawari/io/licences.h"
#include "jawari/registry.h"

namespace {

/// A sentence about the first word that should be a command and is none.
std::optional<std::string> misspelt(const CLI::App& app, int argc, char** argv) {
  std::vector<std::string> names;
  for (const auto* command : app.get_subcommands([](const CLI::App*) { return true; }))
    names.push_back(command->get_name());
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    if (word.empty() || word[0] == '-') continue;
    if (std::find(names.begin(), names.end(), word) != names.end()) return std::nullopt;
    const std::vector<std::string_view> views(names.begin(), names.end());
    const auto near = jawari::nearest(word, views);
    return fmt::format("there is no command \"{}\"{} (jawari --help lists what there is)", word,
                       near.empty() ? "" : fmt::format("; did you mean \"{}\"?", near));
  }
  return std::nullopt;
}

/// What was printed must have arrived: a full disk behind stdout is trouble.
int delivered(const jawari::cli::Console& console, int status) {
  if (std::fflush(stdout) == 0 && std::ferror(stdout) == 0) return status;
  console.complain("stdout: cannot be written (disk full?)");
  return status == jawari::cli::success ? jawari::cli::trouble : status;
}

}  // namespace

int main(int argc, char** argv) {
  using namespace jawari::cli;
  CLI::App app{"Collisions in musical acoustics, energy-stable and accurate."};
  app.name("jawari");
  app.set_version_flag("--version", "jawari " JAWARI_VERSION);
  app.add_flag_callback(
      "--licences,--licenses",
      [] {
        std::fputs(std::string(jawari::licences()).c_str(), stdout);
        throw CLI::Success();
      },
      "Print the licence and the notices of what jawari contains, and exit");
  app.require_subcommand(1);
  app.fallthrough();
  app.footer(
      "Data goes to stdout, messages to stderr.  Exit status: 0 done, 2 input refused, 3 the result is wrong, 1 other "
      "trouble.");
  bool quiet = false;
  app.add_flag("-q,--quiet", quiet, "No messages, no progress bar");
  Job job;
  Console console;
  Command commands(&app);
  for (const auto add : {add_render, add_impact, add_compare, add_list, add_new, add_check, add_play, add_bench,
                         add_reproduce, add_many})
    add(commands, job);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    std::fputs(app.help().c_str(), stdout);
    return delivered(console, success);
  } catch (const CLI::CallForAllHelp&) {
    std::fputs(app.help("", CLI::AppFormatMode::All).c_str(), stdout);
    return delivered(console, success);
  } catch (const CLI::CallForVersion&) {
    std::fputs((app.version() + "\n").c_str(), stdout);
    return delivered(console, success);
  } catch (const CLI::Success&) {
    return delivered(console, success);
  } catch (const CLI::ParseError& e) {
    console.complain(
        misspelt(app, argc, argv).value_or(fmt::format("{} (jawari --help lists what there is)", e.what())));
    return refused;
  }
  if (quiet) console.be_quiet();
  catch_interrupts();
  try {
    const int status = job(console);
    console.done();
    return delivered(console, status);
  } catch (const jawari::InputError& r) {
    console.done();
    console.complain(r.what());
    return refused;
  } catch (const std::bad_alloc&) {
    console.done();
    console.complain("there is not enough memory; use a shorter or smaller scene");
    return trouble;
  } catch (const std::exception& e) {
    console.done();
    if (std::ferror(stdout) != 0) return delivered(console, trouble);
    console.complain(e.what());
    return trouble;
  }
}
