// SPDX-License-Identifier: MIT
// Random scenes, changed scene texts and changed MIDI files against the promises (trial.h); see script/attack.
#include <algorithm>
#include <chrono>
#include <cstdio>
#include <cstring>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>

#include "crew.h"
#include "shrink.h"

namespace jawari::attack {
namespace {

constexpr const char* help =
    "attack [options]          judges random inputs; status 1 when one breaks a promise\n"
    "  --scenes N              random scenes, at most (20000 where nothing else is asked for)\n"
    "  --texts N               changed texts of the shipped scenes, at most (0)\n"
    "  --midi N                changed MIDI files, at most (0)\n"
    "  --seconds T             for each of these, at most (60)\n"
    "  --seed S                of the run (1)\n"
    "  --jobs J                processes at once (1)\n"
    "  --cpu T                 most CPU seconds of one input, or of one play of a scene (20)\n"
    "  --keep N                inputs of each fault made smaller and written to --found (3)\n"
    "  --found FOLDER          (build/attack/found)\n"
    "  --widest WIDTH          numbers of scenes: usual, wide, or anything legal (legal)\n"
    "  --input-errors          prints every input error\n"
    "attack --show SEED        prints the scene of a seed\n"
    "attack FILE...            judges scene files\n";

struct Options {
  std::uint64_t scenes = 0, texts = 0, midi = 0, seed = 1;
  double seconds = 60, cpu = 20;
  int jobs = 1, keep = 3;
  bool input_errors = false;
  std::string found = "build/attack/found";
};
using Clock = std::chrono::steady_clock;

double since(Clock::time_point begin) { return std::chrono::duration<double>(Clock::now() - begin).count(); }
const char* name(Fault fault) { return fault_names[static_cast<std::size_t>(fault)].data(); }
const char* name(Width width) { return width_names[static_cast<std::size_t>(width)].data(); }
auto number(std::uint64_t n) { return static_cast<unsigned long long>(n); }

/// Makes what was found smaller, in at most a minute, and writes it.
void keep(const Options& o, const Job& job, const Found& v) {
  const Made made = job.make(v.seed);
  int trials = 0;
  const auto begin = Clock::now();
  const auto same = [&](const std::string& text) {
    return ++trials < 1500 && since(begin) < 60 && judge_apart(job, text, v.seed, o.cpu).fault == v.fault;
  };
  const std::string small = job.shrink(made.text, same);
  const Verdict again = judge_apart(job, small, v.seed, o.cpu);
  std::filesystem::create_directories(o.found);
  std::ostringstream path;
  path << o.found << "/" << name(v.fault) << "-" << v.seed << "." << job.ending;
  std::ofstream file(path.str(), std::ios::binary);
  if (&job == &scene_job)
    file << "# seed " << v.seed << ", " << name(v.width) << " values, " << name(again.fault) << ": " << again.detail
         << "\n";
  file << small;
  std::printf("  made smaller: %s, %zu bytes of %zu\n", path.str().c_str(), small.size(), made.text.size());
  std::fflush(stdout);
}

/// How many broke a promise.
std::size_t attack(const Options& o, const Job& job, std::uint64_t count) {
  if (&job == &scene_job) std::printf("values: --widest %s\n", name(widest));
  std::printf("== %s: seed %llu, at most %llu or %g s, %d at once ==\n", job.name.data(), number(o.seed), number(count),
              o.seconds, o.jobs);
  std::fflush(stdout);
  const auto begin = Clock::now();
  Crew crew(job, o.seed, count, o.seconds, o.jobs, o.cpu, o.input_errors);
  std::vector<Found> list;
  while (const auto v = crew.next()) {
    if (v->count <= 40)
      std::printf("  %s, seed %llu, %s values: %s\n", name(v->fault), number(v->seed), name(v->width),
                  v->detail.c_str());
    std::fflush(stdout);
    list.push_back(*v);
  }
  const double spent = since(begin);
  for (const auto& v : list)
    if (v.count <= o.keep) keep(o, job, v);
  const Tally t = crew.tally();
  std::printf("%llu in %.1f s, %.0f a second; %llu refused, %llu taken; slowest %.2f s of CPU time (seed %llu)\n",
              number(t.scenes), spent, static_cast<double>(t.scenes) / spent, number(t.refused), number(t.played),
              t.slowest, number(t.slowest_seed));
  if (&job == &scene_job)
    std::printf("accounts: worst %.2g, %.2f %% within 1e-12, %llu beyond 1e-9 and within rounding\n", t.worst,
                t.played ? 100.0 * static_cast<double>(t.close) / static_cast<double>(t.played) : 100.0,
                number(t.rounded));
  std::map<std::pair<Fault, Width>, int> counts;
  for (const auto& v : list) ++counts[{v.fault, v.width}];
  for (const auto& [what, n] : counts) std::printf("  %-10s %-5s %d\n", name(what.first), name(what.second), n);
  std::printf("%zu violations\n", list.size());
  std::fflush(stdout);
  return list.size();
}

int judge_files(const std::vector<std::string>& files) {
  int bad = 0;
  for (const auto& path : files) {
    std::ifstream in(path);
    std::ostringstream text;
    text << in.rdbuf();
    const auto at = text.str().find("seed ");
    const std::uint64_t seed = at == std::string::npos ? 1 : std::strtoull(text.str().c_str() + at + 5, nullptr, 10);
    const Verdict v = judge_apart(scene_job, text.str(), seed, 20);
    std::printf("%s: %s %s (account %.2g)\n", path.c_str(), name(v.fault), v.detail.c_str(), v.imbalance);
    std::fflush(stdout);
    if (v.fault > Fault::refused) ++bad;
  }
  return bad > 0 ? 1 : 0;
}

int program(int argc, char** argv) {
  Options o;
  std::vector<std::string> files;
  const auto whole = [](const char* text) { return static_cast<std::uint64_t>(std::strtoull(text, nullptr, 10)); };
  for (int i = 1; i < argc; ++i) {
    const std::string word = argv[i];
    const auto value = [&] { return i + 1 < argc ? argv[++i] : "0"; };
    if (word == "--help") {
      std::fputs(help, stdout);
      return 0;
    }
    if (word == "--show") {
      const auto seed = whole(value());
      const Made made = scene_job.make(seed);
      std::printf("# seed %llu, %s values\n%s", number(seed), name(made.width), made.text.c_str());
      return 0;
    }
    if (word == "--scenes")
      o.scenes = whole(value());
    else if (word == "--texts")
      o.texts = whole(value());
    else if (word == "--midi")
      o.midi = whole(value());
    else if (word == "--seed")
      o.seed = whole(value());
    else if (word == "--seconds")
      o.seconds = std::strtod(value(), nullptr);
    else if (word == "--jobs")
      o.jobs = std::atoi(value());
    else if (word == "--cpu")
      o.cpu = std::strtod(value(), nullptr);
    else if (word == "--keep")
      o.keep = std::atoi(value());
    else if (word == "--found")
      o.found = value();
    else if (word == "--widest") {
      const std::string_view wanted = value();
      const auto* found = std::find(std::begin(width_names), std::end(width_names), wanted);
      if (found == std::end(width_names)) {
        std::fprintf(stderr, "attack: --widest is usual, wide or legal\n");
        return 2;
      }
      widest = static_cast<Width>(found - std::begin(width_names));
    } else if (word == "--input-errors")
      o.input_errors = true;
    else if (word[0] == '-') {
      std::fprintf(stderr, "attack: there is no option %s; --help lists them\n", word.c_str());
      return 2;
    } else
      files.push_back(word);
  }
  if (!files.empty()) return judge_files(files);
  if (o.scenes + o.texts + o.midi == 0) o.scenes = 20000;
  std::size_t bad = 0;
  if (o.scenes > 0) bad += attack(o, scene_job, o.scenes);
  if (o.texts > 0) bad += attack(o, text_job, o.texts);
  if (o.midi > 0) bad += attack(o, midi_job, o.midi);
  return bad > 0 ? 1 : 0;
}

}  // namespace
}  // namespace jawari::attack

int main(int argc, char** argv) { return jawari::attack::program(argc, argv); }
