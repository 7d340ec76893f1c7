// SPDX-License-Identifier: MIT
// While it lives, numbers too small to be normal count as zero on this thread: a string that has faded away must not
// cost a hundred times more than one that sounds.  The mode of the caller is restored.
#pragma once
#include <cstdint>
#if defined(__SSE2__)
#include <immintrin.h>
#endif

namespace jawari {

class FlushTiny {
 public:
  FlushTiny() noexcept {
#if defined(__aarch64__)
    std::uint64_t mode;
    __asm__ volatile("mrs %0, fpcr" : "=r"(mode));
    old_ = mode;
    __asm__ volatile("msr fpcr, %0" ::"r"(mode | (1ULL << 24)));
#elif defined(__SSE2__)
    old_ = _mm_getcsr();
    _mm_setcsr(static_cast<unsigned>(old_) | 0x8040u);
#endif
  }
  ~FlushTiny() {
#if defined(__aarch64__)
    __asm__ volatile("msr fpcr, %0" ::"r"(old_));
#elif defined(__SSE2__)
    _mm_setcsr(static_cast<unsigned>(old_));
#endif
  }
  FlushTiny(const FlushTiny&) = delete;
  FlushTiny& operator=(const FlushTiny&) = delete;

 private:
  std::uint64_t old_ = 0;
};

}  // namespace jawari
