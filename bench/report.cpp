// SPDX-License-Identifier: MIT
#include "report.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <cstdlib>
#include <map>
#include <stdexcept>
#include <string_view>

namespace jawari::bench {
namespace {

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
  void print(const std::string& item) {
    fmt::print("| | best, ns per {} | median |\n|---|---:|---:|\n", item);
    for (const auto& [index, name] : order_) {
      auto& t = ns_[name];
      std::sort(t.begin(), t.end());
      fmt::print("| {} | {:.3g} | {:.3g} |\n", name, t.front(), t[t.size() / 2]);
    }
  }
  /// Best time; NaN if it did not run (--benchmark_filter).
  double best(const std::string& name) const {
    const auto t = ns_.find(name);
    return t == ns_.end() ? std::nan("") : *std::min_element(t->second.begin(), t->second.end());
  }

 private:
  std::map<std::int64_t, std::string> order_;  // as registered; they run in any order
  std::map<std::string, std::vector<double>> ns_;
};

}  // namespace

int run(int argc, char** argv, const std::string& item, const std::vector<Goal>& goals) {
  bool check = false;
  std::vector<std::string> words{argv[0], "--benchmark_enable_random_interleaving=true", "--benchmark_repetitions=9",
                                 "--benchmark_min_time=0.1"};
  for (int i = 1; i < argc; ++i)
    if (std::string_view(argv[i]) == "--check") check = true;
    else words.emplace_back(argv[i]);
  std::vector<char*> list;
  for (auto& w : words) list.push_back(w.data());
  int count = static_cast<int>(list.size());
  benchmark::Initialize(&count, list.data());
  if (benchmark::ReportUnrecognizedArguments(count, list.data())) return 2;

  Times times;
  benchmark::RunSpecifiedBenchmarks(&times);
  times.print(item);
  bool met = true;
  if (!goals.empty()) fmt::print("\n| goal | times as fast | wanted | |\n|---|---:|---:|---|\n");
  for (const Goal& g : goals) {
    const double ratio = times.best(g.slow) / times.best(g.fast);
    const bool good = ratio >= g.at_least && ratio <= g.at_most;
    const auto wanted = g.at_most < 1e300 ? fmt::format("{:g} to {:g}", g.at_least, g.at_most) : fmt::format("{:.3g}", g.at_least);
    met &= good;
    fmt::print("| {} | {:.3g} | {} | {} |\n", g.what, ratio, wanted, good ? "met" : "MISSED");
  }
  return check && !met ? EXIT_FAILURE : EXIT_SUCCESS;
}

}  // namespace jawari::bench
