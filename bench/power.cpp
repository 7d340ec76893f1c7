// SPDX-License-Identifier: MIT
// The fitted power function against libm's, as laws use it: many arguments, one exponent.
#include "jawari/core/power.h"

#include <cmath>
#include <random>
#include <vector>

#include "report.h"

namespace jawari::bench {
namespace {

std::vector<double> compressions() {  // 1 um to 1 cm, log-uniform
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> exponent(-6, -2);
  std::vector<double> x(4096);
  for (double& y : x) y = std::pow(10, exponent(random));
  return x;
}
template <class Function>
void sum_up(benchmark::State& state, Function function) {
  const auto x = compressions();
  for (auto _ : state) {
    double sum = 0;
    for (const double y : x) sum += function(y);
    benchmark::DoNotOptimize(sum);
  }
  items(state, static_cast<double>(x.size()));
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari;
  std::vector<bench::Goal> goals;
  for (const double p : {0.15, 0.25, 1.3}) {
    const std::string slow = "std::pow, exponent " + std::to_string(p).substr(0, 4), fast = "Power" + slow.substr(8);
    benchmark::RegisterBenchmark(slow.c_str(), [p](benchmark::State& state) {
      volatile double hidden = p;  // as a law has it: not known to the compiler
      const double exponent = hidden;
      bench::sum_up(state, [=](double y) { return std::pow(y, exponent); });
    });
    benchmark::RegisterBenchmark(fast.c_str(),
                                 [power = Power(p)](benchmark::State& state) { bench::sum_up(state, power); });
    goals.push_back({"Power, exponent " + slow.substr(19), slow, fast, 2.5});
  }
  return bench::run(argc, argv, "power", goals);
}
