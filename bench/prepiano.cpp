// SPDX-License-Identifier: MIT
#include <fmt/format.h>
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "csound.h"

namespace jawari::bench {
namespace {

constexpr double seconds = 6;

double children_s() {
  rusage use;
  getrusage(RUSAGE_CHILDREN, &use);
  return static_cast<double>(use.ru_utime.tv_sec + use.ru_stime.tv_sec) +
         1e-6 * static_cast<double>(use.ru_utime.tv_usec + use.ru_stime.tv_usec);
}
/// CPU time of Csound for so much sound; below 0: it did not run.
double csound_s(double duration_s) {
  using P = Prepiano;
  const auto file = std::filesystem::temp_directory_path() / fmt::format("jawari-prepiano-{}.csd", ::getpid());
  std::ofstream(file) << fmt::format(
      "<CsoundSynthesizer>\n<CsOptions>\n-n -d -m0\n</CsOptions>\n<CsInstruments>\nsr = {:.0f}\nksmps = 64\nnchnls = "
      "2\n0dbfs = 1\n"
      "instr 1\naa, ab prepiano {}, 3, {}, {}, {}, {}, 2, 2, 1, 5000, -0.01, 0.09, 40, 0, 0.1, 1, 2\nouts aa, "
      "ab\nendin\n"
      "</CsInstruments>\n<CsScore>\nf1 0 8 2 1 0.6 10 100 0.001\nf2 0 8 2 1 0.7 50 500 1000\ni1 0 {}\ne\n</CsScore>\n"
      "</CsoundSynthesizer>\n",
      P::rate_hz, P::f_hz, P::detune_cents, P::kappa, P::t30_s, P::b, duration_s);
  const double before = children_s();
  const int status = std::system(fmt::format("csound {} >/dev/null 2>&1", file.string()).c_str());
  std::filesystem::remove(file);
  return status == 0 ? children_s() - before : -1;
}

}  // namespace

bool CsoundTime::round() {
  const double idle = csound_s(0.01), played = csound_s(seconds);
  if (idle < 0 || played < 0) return false;
  idle_s_.push_back(idle);
  played_s_.push_back(played);
  const double least = *std::min_element(idle_s_.begin(), idle_s_.end());
  ns_.clear();
  for (const double s : played_s_) ns_.push_back(1e9 * (s - least) / (seconds * Prepiano::rate_hz));
  return true;
}

double CsoundTime::over_n1() const {
  return ns_.empty() ? std::nan("") : *std::min_element(ns_.begin(), ns_.end()) / Prepiano::on_n1_ns;
}

}  // namespace jawari::bench
