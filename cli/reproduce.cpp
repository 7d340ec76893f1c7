// SPDX-License-Identifier: MIT
// jawari reproduce [all | PAPER | ID ...] [-o FOLDER]
#include <fmt/format.h>

#include <algorithm>
#include <filesystem>
#include <thread>

#include "commands.h"
#include "jawari/core/param.h"
#include "jawari/io/atomic_file.h"
#ifdef JAWARI_EXPERIMENTS
#include "experiments/study.h"
#endif

namespace jawari::cli {
namespace {

struct Options {
  std::vector<std::string> words;
  std::string folder = "reproduced";
  unsigned threads = std::max(1u, std::thread::hardware_concurrency());
  bool json = false;
};

#ifdef JAWARI_EXPERIMENTS
using namespace experiments;

int reproduce(const Options& o, Console& console) {
  if (o.words.empty()) {
    for (const auto& e : all()) fmt::print("{:<15} {:<6} {:<11} {}\n", e.id, e.paper, e.item, e.title);
    console.say("run them with: jawari reproduce all, a paper (b14), or ids");
    return success;
  }
  const auto list = experiments::select(o.words);
  std::error_code error;  // a folder that cannot be made is refused below
  std::filesystem::create_directories(o.folder, error);
  check_output((std::filesystem::path(o.folder) / "index.html").string());
  const auto findings = run(list, o.threads, [&](std::size_t done, std::size_t total, std::string_view id) {
    console.progress(static_cast<double>(done) / static_cast<double>(total), id);
    return !interrupted();
  });
  console.done();
  write_study(o.folder, findings);
  int status = success;
  std::size_t claims = 0;
  for (const auto& f : findings) {
    const bool stands = f.stands();
    claims += f.record.claims.size();
    if (!o.json) fmt::print("{:<15} {:<11} {:>6.2f} s  {}\n", f.experiment.id, f.experiment.item, f.cpu_s, summary(f));
    if (stands) continue;
    status = wrong_result;
    if (!f.failure.empty()) console.complain(fmt::format("{}: {}", f.experiment.id, f.failure));
    for (const auto& c : f.record.claims)
      if (!c.stands())
        console.complain(fmt::format("{}: {} is {:g}, but must lie in [{:g}, {:g}]", f.experiment.id, c.quantity,
                                     c.ours, c.band.low, c.band.high));
  }
  if (o.json) fmt::print("{}", results_json(findings));
  console.say(fmt::format("{}: index.html, results.json, pictures and data; {} experiments, {} claims", o.folder,
                          findings.size(), claims));
  return status;
}
#else
int reproduce(const Options&, Console&) {
  throw InputError("reproduce",
                   "this jawari was built without the experiments; build it with -DJAWARI_BUILD_EXPERIMENTS=ON");
}
#endif

}  // namespace

void add_reproduce(Command& app, Job& job) {
  auto command =
      app.add_subcommand("reproduce", "Recompute the tables and figures of five papers; without a word: list them");
  auto o = std::make_shared<Options>();
  command->add_option("what", o->words, "all, papers (PAR11, D17, CW17, B14, DB19) or ids");
  command->add_option("-o,--output", o->folder, "Folder for the page, the numbers, the pictures and their data")
      ->capture_default_str();
  command->add_option("--threads", o->threads, "How many at once; all cores by default")->within(1, 256);
  command->add_flag("--json", o->json, "Numbers on stdout");
  command->callback([&job, o] { job = [o](Console& console) { return reproduce(*o, console); }; });
}

}  // namespace jawari::cli
