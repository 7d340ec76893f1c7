// SPDX-License-Identifier: MIT
// Which instruction sets the kernels are compiled for.  Included before any header of Highway.
// A vector that is a member must have a size (not so with SVE and RVV), and it must hold doubles.
// On x86-64 the lowest target is SSSE3, which every such processor has had since 2011: Highway's scalar target has no
// halves of vectors, and its emulated one is broken with GCC before 12.3.  SSE4 holds as many numbers as SSSE3 and adds
// nothing here. JAWARI_ONE_TARGET: the lowest target alone, for quick builds and for sanitizers. JAWARI_TWO_TARGETS: on
// x86-64 the lowest and AVX2, for tests; wider ones have lower numbers in Highway.
// JAWARI_FEW_KERNELS: kernels that round as the reference path alone, of the schemes that are used unless another is
// asked for: small programs.
#pragma once

#ifdef JAWARI_TWO_TARGETS
#define JAWARI_TOO_WIDE (HWY_AVX2 - 1)
#else
#define JAWARI_TOO_WIDE 0
#endif
#if defined(__wasm__)  // one target, with the doubles of web/wasm/hwy/highway.h
#define HWY_DISABLED_TARGETS HWY_WASM_EMU256
#else
#define HWY_DISABLED_TARGETS \
  (HWY_SVE | HWY_SVE2 | HWY_SVE_256 | HWY_SVE2_128 | HWY_RVV | HWY_WASM | HWY_WASM_EMU256 | HWY_SSE4 | JAWARI_TOO_WIDE)
#endif
#if defined(__x86_64__) && !defined(__AVX2__)
#define HWY_BASELINE_TARGETS HWY_SSSE3
#endif
#ifdef JAWARI_FEW_KERNELS
#define JAWARI_FUSED false
#else
#define JAWARI_FUSED true
#endif
#ifdef JAWARI_ONE_TARGET
#define HWY_COMPILE_ONLY_STATIC
#endif
