// SPDX-License-Identifier: MIT
#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <fstream>
#include <map>
#include <nlohmann/json.hpp>
#include <set>
#include <stdexcept>
#include <string_view>

#include "jawari/engine/run.h"
#include "yardstick.h"

namespace jawari::bench {
namespace {

constexpr double steady = 1.05;  // median/best of a yardstick that has not moved
constexpr std::size_t yardstick_points = 1 << 18;

class Times : public benchmark::BenchmarkReporter {
 public:
  bool ReportContext(const Context&) override { return true; }
  void ReportRuns(const std::vector<Run>& runs) override {
    for (const Run& r : runs) {
      if (r.run_type != Run::RT_Iteration) continue;
      if (r.error_occurred) throw std::runtime_error(r.benchmark_name() + ": " + r.error_message);
      const std::string& name = r.run_name.function_name;
      order_[r.family_index] = name;
      ns_[name].push_back(r.cpu_accumulated_time / static_cast<double>(r.iterations) / r.counters.at("items") * 1e9);
    }
  }
  std::vector<Row> rows() const {
    std::vector<Row> all;
    std::set<std::string> seen;
    for (const auto& [index, name] : order_)
      if (seen.insert(name).second) all.push_back(row(name, ns_.at(name)));
    return all;
  }

 private:
  std::map<std::int64_t, std::string> order_;  // as registered; they run in any order
  std::map<std::string, std::vector<double>> ns_;
};

void yardstick(benchmark::State& state, double (*run)(std::size_t)) {
  for (auto _ : state) benchmark::DoNotOptimize(run(yardstick_points));
  items(state, yardstick_points);
}

/// NaN if it did not run (--benchmark_filter).
Row find(const std::vector<Row>& rows, const std::string& name) {
  const auto r = std::find_if(rows.begin(), rows.end(), [&](const Row& one) { return one.name == name; });
  return r == rows.end() ? Row{name, std::nan(""), std::nan("")} : *r;
}
bool moved(const Row& yardstick) { return yardstick.median_ns > steady * yardstick.best_ns; }

std::string short_number(double x) { return x < 1000 ? fmt::format("{:.3g}", x) : fmt::format("{:.0f}", x); }
std::string wanted(const Verdict& v) {
  if (v.at_most >= 1e300) return "at least " + short_number(v.at_least);
  if (v.at_least <= 0) return "at most " + short_number(v.at_most);
  return short_number(v.at_least) + " to " + short_number(v.at_most);
}

}  // namespace

Row row(const std::string& name, std::vector<double> ns) {
  if (ns.empty()) return {name, std::nan(""), std::nan("")};
  std::sort(ns.begin(), ns.end());
  return {name, ns.front(), ns[ns.size() / 2]};
}

void Yardstick::slice() {
  const double start = thread_cpu_s();
  benchmark::DoNotOptimize(yardstick_double(yardstick_points));
  ns_.push_back(1e9 * (thread_cpu_s() - start) / yardstick_points);
}

Flags take_flags(int& argc, char** argv) {
  Flags flags;
  int kept = 1;
  for (int i = 1; i < argc; ++i) {
    const std::string_view word = argv[i];
    if (word == "--check")
      flags.check = true;
    else if (word == "--json" && i + 1 < argc)
      flags.json = argv[++i];
    else
      argv[kept++] = argv[i];
  }
  argc = kept;
  return flags;
}

void print_rows(const Findings& found) {
  fmt::print("| | best, ns per {} | median | yardsticks |\n|---|---:|---:|---:|\n", found.item);
  for (const Row& r : found.rows)
    fmt::print("| {} | {:.3g} | {:.3g} | {:.3g} |\n", r.name, r.best_ns, r.median_ns,
               r.best_ns / found.yardstick.best_ns);
  const Row& y = found.yardstick;
  fmt::print("\nYardstick: {:.3f} ns, median {:.3f}{}.\n", y.best_ns, y.median_ns,
             moved(y) ? fmt::format("; it moved by {:.0f} %, also when repeated: read with care",
                                    100 * (y.median_ns / y.best_ns - 1))
                      : "");
}

Findings measure(int argc, char** argv, const std::string& item, const std::vector<Goal>& goals) {
  std::vector<std::string> words{argv[0], "--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=9",
                                 "--benchmark_min_time=0.1"};
  for (int i = 1; i < argc; ++i) words.emplace_back(argv[i]);
  std::vector<char*> list;
  for (auto& w : words) list.push_back(w.data());
  int count = static_cast<int>(list.size());
  benchmark::Initialize(&count, list.data());
  if (benchmark::ReportUnrecognizedArguments(count, list.data())) std::exit(2);
  benchmark::RegisterBenchmark("yardstick, double", yardstick, yardstick_double);
  benchmark::RegisterBenchmark("yardstick, float", yardstick, yardstick_float);

  Findings found{.item = item};
  for (int attempt = 0; attempt < 3; ++attempt) {
    Times times;
    benchmark::RunSpecifiedBenchmarks(&times);
    found.rows = times.rows();
    found.yardstick = find(found.rows, "yardstick, double");
    if (!moved(found.yardstick)) break;
  }
  for (const Goal& g : goals)
    found.verdicts.push_back(
        {g.what, find(found.rows, g.slow).best_ns / find(found.rows, g.fast).best_ns, g.at_least, g.at_most});
  print_rows(found);
  return found;
}

int conclude(const Findings& found, const Flags& flags) {
  if (!found.verdicts.empty()) fmt::print("\n| goal | ratio | wanted | |\n|---|---:|---:|---|\n");
  bool met = true;
  for (const Verdict& v : found.verdicts) {
    fmt::print("| {} | {:.4g} | {} | {} |\n", v.what, v.ratio, wanted(v), v.met() ? "met" : "MISSED");
    if (flags.check && !v.met()) fmt::print(stderr, "goal missed: {}: {:.4g}, wanted {}\n", v.what, v.ratio, wanted(v));
    met &= v.met();
  }
  if (!flags.json.empty()) {
    nlohmann::ordered_json out{{"item", found.item},
                               {"yardstick_ns", found.yardstick.best_ns},
                               {"yardstick_median_ns", found.yardstick.median_ns},
                               {"rows", nlohmann::json::array()},
                               {"goals", nlohmann::json::array()}};
    for (const Row& r : found.rows)
      out["rows"].push_back({{"name", r.name},
                             {"best_ns", r.best_ns},
                             {"median_ns", r.median_ns},
                             {"yardsticks", r.best_ns / found.yardstick.best_ns}});
    for (const Verdict& v : found.verdicts)
      out["goals"].push_back({{"what", v.what}, {"ratio", v.ratio}, {"wanted", wanted(v)}, {"met", v.met()}});
    std::ofstream(flags.json) << out.dump(1) << "\n";
  }
  std::fflush(stdout);
  return flags.check && !met ? EXIT_FAILURE : EXIT_SUCCESS;
}

int run(int argc, char** argv, const std::string& item, const std::vector<Goal>& goals) {
  const Flags flags = take_flags(argc, argv);
  return conclude(measure(argc, argv, item, goals), flags);
}

}  // namespace jawari::bench
