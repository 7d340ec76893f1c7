// SPDX-License-Identifier: MIT
// Runs a string with a scheme known by name.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_SCHEMES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_SCHEMES_H
#undef JAWARI_KERNEL_STRING_SCHEMES_H
#else
#define JAWARI_KERNEL_STRING_SCHEMES_H
#endif

#include <cstddef>
#include <type_traits>

#include "jawari/kernel/string_kernel.h"
#include "kernel/string_steps.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

/// Says whether the scheme acts ahead.
template <class Quick, class Careful, class Scheme>
HWY_ATTR bool choose(StringView<typename Quick::number>& v) {
  // Several passes compare and choose: a power off its tables could be lost on the way, and with it the readable bits.
  using T = std::conditional_t<Quick::is_fused || Scheme::passes == 1, Quick, Careful>;
  v.touch = touch<Scheme, T, Careful, true>;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // compiling is slow enough there
  if constexpr (!T::is_careful && T::is_fused &&
                !lands<Scheme>)  // saves 4 to 7 % there, and nothing where every operation rounds
    if (!v.lossy_contact) v.touch = touch<Scheme, T, Careful, false>;
#endif
  return Scheme::acts_ahead;
}
template <class T, class Careful>
HWY_ATTR void run_with(StringView<typename T::number>& v, kernel::StringTraffic& t, KernelScheme scheme,
                       std::size_t n) {
  bool ahead = false;
  kernel::with_scheme(scheme,
                      [&](auto type) HWY_ATTR { ahead = choose<T, Careful, typename decltype(type)::type>(v); });
  if (ahead)
    run_string<true, T>(v, t, n);
  else
    run_string<false, T>(v, t, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
