// SPDX-License-Identifier: MIT
// The program of a warp (src/warp) as device code, with accounts and without, in double and float32.  Compiled only
// (tests/device/compile.sh); nothing here runs.
#include "cuda/string_kernel.h"
#include "warp/schemes.h"

namespace jawari::warp {

template <class T, template <class> class Scheme, bool full>
struct Instance {
  static constexpr auto kernel = &play_strings<T, Scheme<T>, 7, full, 128, 1>;
};
template struct Instance<double, QuadratisedBoundedOf, true>;
template struct Instance<double, TwoPointOf, true>;
template struct Instance<double, ThreePointOf, false>;
template struct Instance<Single, TwoPointOf, true>;

}  // namespace jawari::warp
