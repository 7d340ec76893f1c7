// SPDX-License-Identifier: MIT
// Denormal numbers taken as zero while an object of this class lives, on this thread alone; afterwards the thread's
// mode is restored.  A decayed string is full of them, and on x86 each costs a hundred times as much.  Used on threads
// of the pool, and on a host's thread during a call of Engine::process.
#pragma once
#include <cstdint>

#if defined(__SSE2__) || defined(_M_X64)
#include <xmmintrin.h>
#endif

namespace jawari {

class FlushDenormals {
 public:
  FlushDenormals() noexcept : before_(mode()) { set(before_ | flush); }
  ~FlushDenormals() { set(before_); }
  FlushDenormals(const FlushDenormals&) = delete;
  FlushDenormals& operator=(const FlushDenormals&) = delete;

 private:
#if defined(__aarch64__)
  static constexpr std::uint64_t flush = 1u << 24;  // FPCR.FZ
  static std::uint64_t mode() noexcept {
    std::uint64_t m;
    asm volatile("mrs %0, fpcr" : "=r"(m));
    return m;
  }
  static void set(std::uint64_t m) noexcept { asm volatile("msr fpcr, %0" : : "r"(m) : "memory"); }
#elif defined(__SSE2__) || defined(_M_X64)
  static constexpr std::uint64_t flush = 0x8040;  // MXCSR.FTZ and DAZ
  static std::uint64_t mode() noexcept { return _mm_getcsr(); }
  static void set(std::uint64_t m) noexcept { _mm_setcsr(static_cast<unsigned>(m)); }
#else  // nothing to set: WebAssembly has no mode
  static constexpr std::uint64_t flush = 0;
  static std::uint64_t mode() noexcept { return 0; }
  static void set(std::uint64_t) noexcept {}
#endif
  std::uint64_t before_;
};

}  // namespace jawari
