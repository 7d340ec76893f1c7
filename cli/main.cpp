// SPDX-License-Identifier: MIT
// jawari: the command line.  Translation only: everything it does, the library does.
#include <exception>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include "commands.h"
#include "jawari/core/param.h"

int main(int argc, char** argv) {
  using namespace jawari::cli;
  CLI::App app{"Collisions in musical acoustics, energy-stable and accurate."};
  app.name("jawari");
  app.set_version_flag("--version", "jawari " JAWARI_VERSION);
  app.require_subcommand(1);
  app.fallthrough();
  app.footer("Data goes to stdout, messages to stderr.  Exit status: 0 done, 2 input refused, 3 the result is wrong, 1 other trouble.");
  bool quiet = false;
  app.add_flag("-q,--quiet", quiet, "No messages, no progress bar");
  Job job;
  Face face;
  add_render(app, job), add_impact(app, job), add_compare(app, job), add_list(app, job);
  try {
    app.parse(argc, argv);
  } catch (const CLI::CallForHelp&) {
    fmt::print("{}", app.help());
    return success;
  } catch (const CLI::CallForAllHelp&) {
    fmt::print("{}", app.help("", CLI::AppFormatMode::All));
    return success;
  } catch (const CLI::CallForVersion&) {
    fmt::print("{}\n", app.version());
    return success;
  } catch (const CLI::ParseError& e) {
    face.complain(fmt::format("{} (jawari --help lists what there is)", e.what()));
    return refused;
  }
  if (quiet) face.be_quiet();
  catch_interrupts();
  try {
    const int status = job(face);
    face.done();
    return status;
  } catch (const jawari::Refusal& r) {
    face.done(), face.complain(r.what());
    return refused;
  } catch (const std::exception& e) {
    face.done(), face.complain(e.what());
    return trouble;
  }
}
