// SPDX-License-Identifier: MIT
// Three prepared strings at 44.1 kHz, heard at two places each: Csound's prepiano (one rattle, one rubber per string)
// and, here, three strings with the same tension, stiffness, loss and detuning on the grid that prepiano would choose,
// on a full barrier, accounts kept; in turns within one run.  Csound's CPU time is that of a child process, less that
// of one which plays next to nothing.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <vector>

#include "jawari/engine/run.h"
#include "jawari/kernel/kernel_factory.h"
#include "report.h"

namespace jawari::bench {
namespace {

constexpr double rate_hz = 44100, f_hz = 60, kappa = 1, b = 0.002, t30_s = 3, detune_cents = 10, seconds = 6;

double speed(double cents) { return 2 * f_hz * std::pow(2, cents / 1200); }
/// prepiano's intervals: one number for all strings, by the stability of the highest.  Its b is twice sigma_1.
int intervals() {
  const double dt = 1 / rate_hz, c = speed(detune_cents / 2), y = c * c * dt * dt + 2 * b * dt;
  return static_cast<int>(1 / std::sqrt((y + std::hypot(y, 4 * kappa * dt)) / 2));
}

double children_s() {
  rusage use;
  getrusage(RUSAGE_CHILDREN, &use);
  return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}
/// CPU time of Csound for so much sound; below 0: it did not run.
double csound_s(double seconds) {
  const auto file = std::filesystem::temp_directory_path() / fmt::format("jawari-prepiano-{}.csd", ::getpid());
  std::ofstream(file) << fmt::format(
      "<CsoundSynthesizer>\n<CsOptions>\n-n -d -m0\n</CsOptions>\n<CsInstruments>\nsr = {:.0f}\nksmps = 64\nnchnls = "
      "2\n0dbfs = 1\n"
      "instr 1\naa, ab prepiano {}, 3, {}, {}, {}, {}, 2, 2, 1, 5000, -0.01, 0.09, 40, 0, 0.1, 1, 2\nouts aa, "
      "ab\nendin\n"
      "</CsInstruments>\n<CsScore>\nf1 0 8 2 1 0.6 10 100 0.001\nf2 0 8 2 1 0.7 50 500 1000\ni1 0 {}\ne\n</CsScore>\n"
      "</CsoundSynthesizer>\n",
      rate_hz, f_hz, detune_cents, kappa, t30_s, b, seconds);
  const double before = children_s();
  const int status = std::system(fmt::format("csound {} >/dev/null 2>&1", file.string()).c_str());
  std::filesystem::remove(file);
  return status == 0 ? children_s() - before : -1;
}

struct Trio {
  std::vector<std::unique_ptr<StringKernel>> strings;
  struct Ears {
    StringGrid::Spread left, right;
  };
  std::vector<Ears> ears;
  std::vector<double> left = std::vector<double>(64), right = left;
  std::size_t nodes = 0;

  explicit Trio(const char* scheme_name) {
    for (const double cents : {-detune_cents / 2, 0.0, detune_cents / 2}) {
      const double c = speed(cents), rho = 0.01;
      const StringData data{.length_m = 1,
                            .tension_N = rho * c * c,
                            .density_kg_m = rho,
                            .bending_N_m2 = rho * kappa * kappa,
                            .stretching_N = 0,
                            .sigma0_1_s = std::log(1000) / 2 / t30_s,
                            .sigma1_m2_s = b / 2};
      const StringTap taps[] = {{StringTap::point, 0.33}, {StringTap::point, 0.71}};
      const StringGrid body(data, {.intervals = intervals()}, 1 / rate_hz, taps);
      nodes = body.nodes();
      const std::vector<double> offset(nodes, -5e-4);
      const LawSpec law{"power", {{"stiffness", 1e8}, {"exponent", 1.3}}}, scheme{scheme_name};
      strings.push_back(
          kernel::make_kernel(body, {law, scheme, body.spacing_m(), 0, -1, offset}, StringKernel::Arithmetic::fused));
      ears.push_back({body.at(nodes), body.at(nodes + 1)});
    }
  }
  double play() {
    for (auto& s : strings) {
      std::vector<double> u(nodes), d(nodes);
      for (std::size_t i = 0; i < nodes; ++i)
        u[i] = 2e-3 * std::sin(M_PI * static_cast<double>(i + 1) / static_cast<double>(nodes + 1));
      s->place({u.data(), nodes}, {d.data(), nodes});
    }
    const double start = thread_cpu_s();
    for (double t = 0; t < seconds; t += 64 / rate_hz)
      for (std::size_t i = 0; i < strings.size(); ++i) {
        const StringProbe both[] = {{ears[i].left, StringProbe::displacement, left.data()},
                                    {ears[i].right, StringProbe::displacement, right.data()}};
        strings[i]->run(64, {}, both);
      }
    return thread_cpu_s() - start;
  }
};

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  const Flags flags = take_flags(argc, argv);
  Trio bounded("bounded"), converged("two-point");
  Yardstick yardstick;
  std::vector<double> idle, played, ours, converging;  // CPU time [s]
  for (int round = 0; round < 5; ++round) {
    idle.push_back(csound_s(0.01));
    played.push_back(csound_s(seconds));
    if (idle.back() < 0 || played.back() < 0) {
      fmt::print("Csound is not installed: nothing to compare with.\n");
      return 0;
    }
    ours.push_back(bounded.play());
    converging.push_back(converged.play());
    for (int i = 0; i < 10; ++i) yardstick.slice();
  }
  if (bounded.strings[0]->record().touching_steps == 0) {
    fmt::print("never touched\n");
    return 1;
  }
  const double least_idle = *std::min_element(idle.begin(), idle.end());
  for (double& s : played) s -= least_idle;
  const auto per_sample = [](const char* name, std::vector<double> s) {
    for (double& t : s) t *= 1e9 / (seconds * rate_hz);
    return row(name, s);
  };
  Findings found{.item = "sample", .yardstick = yardstick.row()};
  found.rows = {per_sample("Csound, prepiano", played), per_sample("jawari, bounded", ours),
                per_sample("jawari, two-point", converging)};
  fmt::print("Three strings of {} intervals, {:.0f} Hz.\n\n", intervals(), rate_hz);
  print_rows(found);
  found.verdicts = {
      {"three prepared strings, times as fast as Csound", found.rows[0].best_ns / found.rows[1].best_ns, 1},
      {"the same, converged", found.rows[0].best_ns / found.rows[2].best_ns, 1}};
  return conclude(found, flags);
}
