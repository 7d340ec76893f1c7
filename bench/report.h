// SPDX-License-Identifier: MIT
// What every benchmark program does: run what is registered, repeated and interleaved, print the best and the median
// CPU time per item as a Markdown table, then the ratios against their goals.
// CPU time of the thread, not wall time: other jobs may share the machine.  Ratios within one run only: clocks and
// throttles move between runs.  Hence the yardstick (yardstick.h) runs among all others, and every time is also given
// in yardsticks; a run during which it moved by more than 5 % is repeated.
#pragma once
#include <benchmark/benchmark.h>

#include <string>
#include <vector>

namespace jawari::bench {

struct Goal {
  std::string what, slow, fast;  ///< names of two benchmarks
  double at_least;               ///< slow/fast
  double at_most = 1e300;
};

/// Each benchmark sets counters["items"] to what one iteration does.
///   --check        a missed goal is an error: 1
///   --json FILE    the findings as JSON, for bench/assemble
/// "yardstick, double" and "yardstick, float" are always among the benchmarks: ns per point.
int run(int argc, char** argv, const std::string& item, const std::vector<Goal>& goals);

inline void items(benchmark::State& state, double count) { state.counters["items"] = count; }

// For programs that measure in their own way:

struct Row {
  std::string name;
  double best_ns, median_ns;  ///< per item
};
struct Verdict {
  std::string what;
  double ratio, at_least, at_most = 1e300;
  bool met() const { return ratio >= at_least && ratio <= at_most; }  // NaN is not
};
struct Flags {
  bool check = false;
  std::string json;
};
Flags take_flags(int& argc, char** argv);  ///< and takes them out of argv

struct Findings {
  std::string item;
  std::vector<Row> rows = {};
  std::vector<Verdict> verdicts = {};
  Row yardstick = {};
};
Row row(const std::string& name, std::vector<double> ns);  ///< of all measurements: the best and the median
/// Runs what is registered; prints its table.
Findings measure(int argc, char** argv, const std::string& item, const std::vector<Goal>& goals);
void print_rows(const Findings& found);
/// Prints the verdicts, writes the JSON, names on stderr what was missed.  The exit status.
int conclude(const Findings& found, const Flags& flags);

/// A slice of the yardstick between other things, again and again.
class Yardstick {
 public:
  void slice();
  Row row() const { return bench::row("yardstick", ns_); }

 private:
  std::vector<double> ns_;
};

}  // namespace jawari::bench
