// SPDX-License-Identifier: MIT
// Three prepared strings at 44.1 kHz: Csound's prepiano (one rattle, one rubber per string) and three strings of the same
// length, stiffness and loss on a full barrier here, books kept, in turns within one run.  CPU time per second of sound.
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdio>
#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <string_view>
#include <vector>

#include "jawari/engine/run.h"
#include "jawari/kernel/match.h"

namespace jawari::bench {
namespace {

constexpr double rate_hz = 44100, f_hz = 60, kappa = 1, sigma1 = 0.002, t30_s = 3;

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
      "<CsoundSynthesizer>\n<CsOptions>\n-n -d -m0\n</CsOptions>\n<CsInstruments>\nsr = {:.0f}\nksmps = 64\nnchnls = 2\n0dbfs = 1\n"
      "instr 1\naa, ab prepiano {}, 3, 10, {}, {}, {}, 2, 2, 1, 5000, -0.01, 0.09, 40, 0, 0.1, 1, 2\nouts aa, ab\nendin\n"
      "</CsInstruments>\n<CsScore>\nf1 0 8 2 1 0.6 10 100 0.001\nf2 0 8 2 1 0.7 50 500 1000\ni1 0 {}\ne\n</CsScore>\n"
      "</CsoundSynthesizer>\n",
      rate_hz, f_hz, kappa, t30_s, sigma1, seconds);
  const double before = children_s();
  const int status = std::system(fmt::format("csound {} >/dev/null 2>&1", file.string()).c_str());
  std::filesystem::remove(file);
  return status == 0 ? children_s() - before : -1;
}

struct Trio {
  std::vector<std::unique_ptr<StringKernel>> strings;
  std::vector<StringGrid::Spread> out;
  std::vector<double> heard = std::vector<double>(64);
  std::size_t nodes = 0;

  explicit Trio(const char* scheme_name) {
    for (const double detune : {-10.0, 0.0, 10.0}) {  // cents
      const double c = 2 * f_hz * std::pow(2, detune / 1200), rho = 0.01;
      const StringData data{.length_m = 1, .tension_N = rho * c * c, .density_kg_m = rho, .bending_N_m2 = rho * kappa * kappa,
                            .stretching_N = 0, .sigma0_1_s = std::log(1000) / 2 / t30_s, .sigma1_m2_s = sigma1};
      const StringTap taps[] = {{StringTap::point, 0.71}};
      const StringGrid body(data, {}, 1 / rate_hz, taps);
      nodes = body.nodes();
      const std::vector<double> offset(nodes, -5e-4);
      const Choice law{"power", {{"stiffness", 1e8}, {"exponent", 1.3}}}, scheme{scheme_name};
      strings.push_back(kernel::match(body, {law, scheme, body.spacing_m(), 0, -1, offset}, StringKernel::Arithmetic::fused));
      out.push_back(body.at(nodes));
    }
  }
  double play(double seconds) {
    for (auto& s : strings) {
      std::vector<double> u(nodes), d(nodes);
      for (std::size_t i = 0; i < nodes; ++i) u[i] = 2e-3 * std::sin(M_PI * static_cast<double>(i + 1) / static_cast<double>(nodes + 1));
      s->place({u.data(), nodes}, {d.data(), nodes});
    }
    const double start = thread_cpu_s();
    for (double t = 0; t < seconds; t += 64 / rate_hz)
      for (std::size_t i = 0; i < strings.size(); ++i) {
        const StringListener ear{out[i], StringListener::displacement, heard.data()};
        strings[i]->run(64, {}, std::span(&ear, 1));
      }
    return thread_cpu_s() - start;
  }
};

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari::bench;
  const bool check = argc > 1 && std::string_view(argv[1]) == "--check";
  const double seconds = 6;
  Trio bounded("bounded"), converged("two-point");
  double csound = INFINITY, idle = INFINITY, ours = INFINITY, theirs = INFINITY;
  for (int round = 0; round < 5; ++round) {
    const double nothing = csound_s(0.01), played = csound_s(seconds);
    if (nothing < 0 || played < 0) return fmt::print("Csound is not installed: nothing to compare with.\n"), 0;
    idle = std::min(idle, nothing), csound = std::min(csound, played);
    ours = std::min(ours, bounded.play(seconds)), theirs = std::min(theirs, converged.play(seconds));
  }
  const double prepiano = (csound - idle) / seconds;
  fmt::print("| {} points per string | CPU ms per second of sound | times as fast |\n|---|---:|---:|\n", bounded.nodes);
  fmt::print("| Csound, prepiano | {:.2f} | 1 |\n", 1e3 * prepiano);
  fmt::print("| jawari, bounded | {:.2f} | {:.2f} |\n", 1e3 * ours / seconds, prepiano / (ours / seconds));
  fmt::print("| jawari, two-point | {:.2f} | {:.2f} |\n", 1e3 * theirs / seconds, prepiano / (theirs / seconds));
  if (bounded.strings[0]->record().touching_steps == 0) return fmt::print("never touched\n"), 1;
  return check && !(prepiano / (ours / seconds) >= 1);
}
