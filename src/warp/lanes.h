// SPDX-License-Identifier: MIT
// A warp: 32 lanes that take the same steps, with the few operations by which they exchange values.  Programs are
// written against this interface and run on two implementations,
//   EmulatedWarp   plain C++: a loop over the lanes for every phase                     here
//   DeviceWarp     CUDA: a thread is a lane                                             src/cuda/device_warp.h
// A program is a sequence of phases, each(lane): within a phase a lane uses what it owns (PerLane) and memory that no
// other lane writes in this phase; between phases that pass values through shared memory stands sync().  Conditions
// around phases are the same in all lanes: any(), sums of ballots, constants.  Then both give the same bits.
#pragma once
#include <bit>
#include <cstdint>

#if defined(__CUDACC__)
#define JAWARI_WARP __device__ __forceinline__
#define JAWARI_UNROLL _Pragma("unroll")
#else
#define JAWARI_WARP inline
#define JAWARI_UNROLL
#endif

namespace jawari::warp {

inline constexpr int lanes = 32;

JAWARI_WARP int bits_in(std::uint32_t word) {
#if defined(__CUDACC__)
  return __popc(word);
#else
  return std::popcount(word);
#endif
}
/// Of a word that is not 0.
JAWARI_WARP int lowest_bit(std::uint32_t word) {
#if defined(__CUDACC__)
  return __ffs(static_cast<int>(word)) - 1;
#else
  return std::countr_zero(word);
#endif
}

class EmulatedWarp {
 public:
  /// A value that every lane has of its own; on a device a register.
  template <class T>
  struct PerLane {
    T& operator[](int lane) noexcept { return of[lane]; }
    const T& operator[](int lane) const noexcept { return of[lane]; }
    T of[lanes] = {};
  };

  template <class Phase>
  void each(Phase&& phase) const noexcept {
    for (int lane = 0; lane < lanes; ++lane) phase(lane);
  }
  void sync() const noexcept {}
  /// Of a lane among so many neighbours.
  static int position(int lane, int width) noexcept { return lane % width; }

  /// to = the value of the lane before or after, within neighbours of so many lanes; at the end a lane's own.
  template <class T>
  void from_left(PerLane<T>& to, const PerLane<T>& from, int width) const noexcept {
    for (int lane = 0; lane < lanes; ++lane) to[lane] = from[lane % width == 0 ? lane : lane - 1];
  }
  template <class T>
  void from_right(PerLane<T>& to, const PerLane<T>& from, int width) const noexcept {
    for (int lane = 0; lane < lanes; ++lane) to[lane] = from[lane % width == width - 1 ? lane : lane + 1];
  }
  /// Sum over neighbours of so many lanes, in all of them: of pairs, then of pairs of pairs, ...
  template <class T>
  void sum(PerLane<T>& x, int width) const noexcept {
    for (int apart = 1; apart < width; apart *= 2) {
      const PerLane<T> before = x;
      for (int lane = 0; lane < lanes; ++lane) x[lane] = before[lane] + before[lane ^ apart];
    }
  }
  /// A bit per lane.
  std::uint32_t ballot(const PerLane<bool>& which) const noexcept {
    std::uint32_t bits = 0;
    for (int lane = 0; lane < lanes; ++lane) bits |= static_cast<std::uint32_t>(which[lane]) << lane;
    return bits;
  }
  bool any(const PerLane<bool>& which) const noexcept { return ballot(which) != 0; }
  /// In shared memory, by any lanes at once.
  void set_bits(std::uint32_t& word, std::uint32_t bits) const noexcept { word |= bits; }
  void set_least(int& word, int value) const noexcept { word = value < word ? value : word; }
  /// In the memory of the device; numbers that are not below zero.
  void set_largest(double& number, double value) const noexcept { number = value > number ? value : number; }
};

}  // namespace jawari::warp
