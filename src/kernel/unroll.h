// SPDX-License-Identifier: MIT
// visit(0) ... visit(N - 1), written out at every optimisation level: arrays then live in registers.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_UNROLL_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_UNROLL_H
#undef JAWARI_KERNEL_UNROLL_H
#else
#define JAWARI_KERNEL_UNROLL_H
#endif

#include <hwy/highway.h>

// Inlines everything into one loop.  Not for sanitizers: minutes of compiling, and they need the calls anyway.
#ifndef JAWARI_FLATTEN
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)
#define JAWARI_FLATTEN
#else
#define JAWARI_FLATTEN HWY_FLATTEN
#endif
#endif

#include <cstddef>
#include <type_traits>
#include <utility>

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

template <std::size_t N, class Visit>
HWY_ATTR inline void unroll(Visit visit) {
  [&]<std::size_t... i>(std::index_sequence<i...>) HWY_ATTR { (visit(std::integral_constant<std::size_t, i>()), ...); }
  (std::make_index_sequence<N>());
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
