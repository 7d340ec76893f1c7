// SPDX-License-Identifier: MIT
// What must hold for a scene that the checker accepts, tried on one scene text.
#pragma once
#include <cstdint>
#include <string>
#include <string_view>

namespace jawari::attack {

enum class Fault : int {
  none,
  refused,     ///< by the checker, with a sentence
  exception,   ///< anything but an input error, or one without a sentence
  crash,       ///< a signal
  slow,        ///< more CPU time than allowed
  not_finite,  ///< a sample or an energy
  unsettled,   ///< a solve
  account,     ///< stored + dissipated - injected is not what it was
  gain,        ///< stored more than there was and was given
  loss,        ///< dissipated energy comes back
  work,        ///< counted as injected: more than the moving part can do
  exact,       ///< kernels exact and off differ
  trace,       ///< steps, blocks, readings or engine differ from one another
};
inline constexpr std::string_view fault_names[] = {"none",       "refused",   "exception", "crash", "slow",
                                                   "not-finite", "unsettled", "account",   "gain",  "loss",
                                                   "work",       "exact",     "trace"};

struct Verdict {
  Fault fault = Fault::none;
  std::string detail = {};
  double imbalance = 0;  ///< worst residual of any account over the largest energy
  double cpu_s = 0;
  bool rounded = false;  ///< more than 1e-9, and within what rounding can move
  bool ended = false;    ///< the motion ended early, as announced
};

/// Plays the scene on the reference path, by kernels in random blocks, mixed, and as an engine; chosen by the seed.
Verdict judge(const std::string& text, std::uint64_t seed);

}  // namespace jawari::attack
