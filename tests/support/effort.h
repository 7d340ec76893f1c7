// SPDX-License-Identifier: MIT
// How much a test may take: JAWARI_SOAK=1 runs the long versions (script/soak); sanitized builds do less.
#pragma once
#include <cstdlib>
#include <string_view>

namespace jawari::test {

inline bool soak() {
  const char* value = std::getenv("JAWARI_SOAK");
  return value && std::string_view(value) == "1";
}
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
inline constexpr bool sanitized = true;
#else
inline constexpr bool sanitized = false;
#endif

}  // namespace jawari::test
