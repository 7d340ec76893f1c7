// SPDX-License-Identifier: MIT
// The lanes of warp/lanes.h as threads of a warp.
#pragma once
#include <cstdint>

#include "warp/lanes.h"

namespace jawari::warp {

class DeviceWarp {
 public:
  template <class T>
  struct PerLane {
    __device__ __forceinline__ T& operator[](int) { return own; }
    __device__ __forceinline__ const T& operator[](int) const { return own; }
    T own;
  };

  template <class Phase>
  __device__ __forceinline__ void each(Phase&& phase) const {
    phase(lane());
  }
  __device__ __forceinline__ void sync() const { __syncwarp(); }
  /// `width` is a power of two.
  static __device__ __forceinline__ int position(int lane, int width) { return lane & (width - 1); }

  template <class T>
  __device__ __forceinline__ void from_left(PerLane<T>& to, const PerLane<T>& from, int width) const {
    to.own = moved(from.own, [=](auto word) { return __shfl_up_sync(all, word, 1, width); });
  }
  template <class T>
  __device__ __forceinline__ void from_right(PerLane<T>& to, const PerLane<T>& from, int width) const {
    to.own = moved(from.own, [=](auto word) { return __shfl_down_sync(all, word, 1, width); });
  }
  template <class T>
  __device__ __forceinline__ void sum(PerLane<T>& x, int width) const {
    for (int apart = 1; apart < width; apart *= 2)
      x.own = x.own + moved(x.own, [=](auto word) { return __shfl_xor_sync(all, word, apart, width); });
  }
  __device__ __forceinline__ std::uint32_t ballot(const PerLane<bool>& which) const {
    return __ballot_sync(all, which.own);
  }
  __device__ __forceinline__ bool any(const PerLane<bool>& which) const { return __any_sync(all, which.own) != 0; }
  __device__ __forceinline__ void set_bits(std::uint32_t& word, std::uint32_t bits) const { atomicOr(&word, bits); }
  __device__ __forceinline__ void set_least(int& word, int value) const { atomicMin(&word, value); }
  /// Doubles that are not below zero are ordered as whole numbers are.
  __device__ __forceinline__ void set_largest(double& number, double value) const {
    if (value > number)
      atomicMax(reinterpret_cast<unsigned long long*>(&number),
                static_cast<unsigned long long>(__double_as_longlong(value)));
  }

 private:
  static constexpr unsigned all = 0xffffffffu;
  static __device__ __forceinline__ int lane() { return static_cast<int>(threadIdx.x & 31u); }
  /// A value of any size, word by word.
  template <class T, class Move>
  static __device__ __forceinline__ T moved(const T& x, Move&& move) {
    static_assert(sizeof(T) % sizeof(std::uint32_t) == 0);
    constexpr int words = sizeof(T) / sizeof(std::uint32_t);
    std::uint32_t word[words];
    memcpy(word, &x, sizeof(T));
#pragma unroll
    for (int i = 0; i < words; ++i) word[i] = move(word[i]);
    T y;
    memcpy(&y, word, sizeof(T));
    return y;
  }
};

}  // namespace jawari::warp
