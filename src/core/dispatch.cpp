// SPDX-License-Identifier: MIT
// What Highway keeps in a library of its own, so that an installed jawari needs no libhwy: which instruction sets this
// processor has, for the functions that are compiled once for each of them.
#include <hwy/targets.h>

#include <atomic>
#include <cstdarg>
#include <cstdint>
#include <cstdio>
#include <cstdlib>

namespace hwy {
namespace {

std::atomic<std::int64_t> disabled{0}, pretended{0};

std::int64_t found() noexcept {
  std::int64_t targets = HWY_STATIC_TARGET | HWY_BASELINE_SCALAR;
#if HWY_ARCH_X86 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
  __builtin_cpu_init();
#define JAWARI_HAS(name) (__builtin_cpu_supports(name) != 0)  // and the system keeps the registers
  const bool ssse3 = JAWARI_HAS("ssse3");
  const bool sse4 = ssse3 && JAWARI_HAS("sse4.1") && JAWARI_HAS("sse4.2") && JAWARI_HAS("aes") && JAWARI_HAS("pclmul");
  // Without f16c and vaes, which Highway asks for, too: half precision and AES alone use them.
  const bool avx2 = sse4 && JAWARI_HAS("avx2") && JAWARI_HAS("fma") && JAWARI_HAS("bmi") && JAWARI_HAS("bmi2") &&
                    JAWARI_HAS("popcnt");
  const bool avx3 = avx2 && JAWARI_HAS("avx512f") && JAWARI_HAS("avx512vl") && JAWARI_HAS("avx512cd") &&
                    JAWARI_HAS("avx512bw") && JAWARI_HAS("avx512dq");
  const bool avx3_dl = avx3 && JAWARI_HAS("avx512vnni") && JAWARI_HAS("vpclmulqdq") && JAWARI_HAS("avx512vbmi") &&
                       JAWARI_HAS("avx512vbmi2") && JAWARI_HAS("avx512vpopcntdq") && JAWARI_HAS("avx512bitalg") &&
                       JAWARI_HAS("gfni");
#undef JAWARI_HAS
  if (ssse3) targets |= HWY_SSSE3;
  if (sse4) targets |= HWY_SSE4;
  if (avx2) targets |= HWY_AVX2;
  if (avx3) targets |= HWY_AVX3;
  if (avx3_dl) targets |= HWY_AVX3_DL;
#endif
  return targets;
}

}  // namespace

HWY_DLLEXPORT ChosenTarget& GetChosenTarget() {
  static ChosenTarget chosen;
  return chosen;
}

HWY_DLLEXPORT std::int64_t SupportedTargets() {
  static const std::int64_t here = found();
  const std::int64_t all = pretended.load() ? pretended.load() : here;
  const std::int64_t left = all & ~disabled.load();
  return left ? left : HWY_STATIC_TARGET;
}

HWY_DLLEXPORT void DisableTargets(std::int64_t targets) {
  disabled = targets;
  GetChosenTarget().DeInit();
}

HWY_DLLEXPORT void SetSupportedTargetsForTest(std::int64_t targets) {
  pretended = targets;
  GetChosenTarget().DeInit();
}

/// Of assertions that Highway's headers have under sanitizers.
HWY_DLLEXPORT HWY_NORETURN void Abort(const char* file, int line, const char* format, ...) {
  std::va_list list;
  va_start(list, format);
  std::fprintf(stderr, "%s:%d: ", file, line);
  std::vfprintf(stderr, format, list);
  va_end(list);
  std::abort();
}

}  // namespace hwy
