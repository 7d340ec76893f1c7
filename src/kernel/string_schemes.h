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

/// Returns whether the scheme acts ahead.
template <class Quick, class AnyArgument, class Law, class Scheme>
HWY_ATTR bool choose(StringArrays<typename Quick::number>& v, [[maybe_unused]] bool loaded) {
  // With several passes a power off its tables could be lost in a selection, and with it the bits of the reference
  // path.
  using T = std::conditional_t<Quick::is_fused || Scheme::passes == 1, Quick, AnyArgument>;
  v.step_contacts = step_contacts<Law, Scheme, T, AnyArgument, true>;
#if !defined(__SANITIZE_ADDRESS__) && !defined(__SANITIZE_THREAD__)  // compiling is slow enough there
  if constexpr (!T::takes_any_argument && T::is_fused &&
                !lands<Scheme>)  // saves 4 to 7 % there, and nothing where every operation rounds
    if (!v.lossy_contact && !loaded) v.step_contacts = step_contacts<Law, Scheme, T, AnyArgument, false>;
#endif
  return Scheme::acts_ahead;
}
template <class T, class AnyArgument>
HWY_ATTR void run_with(StringArrays<typename T::number>& v, kernel::StepIo& t, const kernel::ContactModel& contact,
                       std::size_t n) {
  bool ahead = false;
  kernel::with_contact(contact.law().index(), contact.name(), [&](auto law, auto scheme) HWY_ATTR {
    using Law = typename decltype(law)::type;
    using Scheme = typename decltype(scheme)::type;
    ahead = choose<T, AnyArgument, Law, Scheme>(v, !t.drives.empty());
  });
  if (ahead)
    run_string<true, T>(v, t, n);
  else
    run_string<false, T>(v, t, n);
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
