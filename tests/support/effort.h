// SPDX-License-Identifier: MIT
// How much a test may take: JAWARI_SOAK=1 runs the long versions (script/soak); sanitized builds do less.
// JAWARI_TIMED=1: the machine has nothing else to do, and times are asserted as they are meant.
#pragma once
#include <cstdlib>
#include <string_view>

namespace jawari::test {

inline bool is_set(const char* name) {
  const char* value = std::getenv(name);
  return value && std::string_view(value) == "1";
}
inline bool soak() { return is_set("JAWARI_SOAK"); }
/// What may take so many seconds of CPU time on a machine with nothing else to do: ten times as many elsewhere, which
/// still tells work that is refused or bounded from work that is done.
inline double bound_s(double seconds) { return is_set("JAWARI_TIMED") ? seconds : 10 * seconds; }
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace jawari::test
