// SPDX-License-Identifier: MIT
// A law without (0) and with errors that tests/device/compile.sh must detect: a function that is not JAWARI_HD (1), a
// function of the C library that no device has (2).
#include <cstdio>

#include "jawari/core/number.h"

namespace jawari {

struct Law {
#if JAWARI_PLANTED == 1
  template <class T>
  T stiffness(T y) const noexcept {
    return y;
  }
#else
  template <class T>
  JAWARI_HD T stiffness(T y) const noexcept {
    return y;
  }
#endif
  template <class T>
  JAWARI_HD T force(T y) const noexcept {
#if JAWARI_PLANTED == 2
    std::fputs("force", stderr);
#endif
    return stiffness(y) * y;
  }
};

__global__ void force(const Law* law, double* y) { *y = law->force(*y); }

}  // namespace jawari
