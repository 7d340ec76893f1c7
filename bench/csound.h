// SPDX-License-Identifier: MIT
// Csound's prepiano, played by the program of that name: CPU time per sample of three prepared strings.
#pragma once
#include <string>
#include <vector>

namespace jawari::bench {

/// Three strings of 60 Hz at 44.1 kHz, 10 cents apart, 3 s to fall by 60 dB, with one rattle and one rubber each and
/// one hammer for all, heard at two places.
struct Prepiano {
  static constexpr double rate_hz = 44100, f_hz = 60, kappa = 1, b = 0.002, t30_s = 3, detune_cents = 10;
  static constexpr double on_n1_ns = 1516;  ///< what it takes on a Neoverse-N1
};

/// CPU time of a child process, less that of one that plays next to nothing; each the least of all rounds.
class CsoundTime {
 public:
  bool round();  ///< false: Csound is not installed
  /// Per sample; none where Csound is not installed.
  const std::vector<double>& ns() const { return ns_; }
  /// How much longer than on a Neoverse-N1; NaN without Csound.
  double over_n1() const;

 private:
  std::vector<double> idle_s_, played_s_, ns_;
};

}  // namespace jawari::bench
