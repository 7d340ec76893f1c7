// SPDX-License-Identifier: MIT
// What a window shows of an instrument that plays: the body that holds most energy, what it meets, and where the energy
// is.  Handed from the thread that plays to that of the window without waiting.
#pragma once
#include <array>
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "jawari/instrument.h"

namespace jawari::plugin {

struct Picture {
  static constexpr std::size_t most_points = 256;
  struct Point {
    float x_m = 0, y_m = 0;
    float force_N = 0;  ///< of a contact; its size
  };
  std::array<Point, most_points> body, barrier;
  std::size_t body_points = 0, barrier_points = 0;
  bool above = false;  ///< the barrier lies above
  float kinetic_J = 0, elastic_J = 0, contact_J = 0;
  std::uint32_t sounding = 0;  ///< voices
  double time_s = 0;
};

class PictureFeed {
 public:
  /// By the thread that plays, after a block: at most every 1/40 s, while it is watched.  Allocates nothing.
  void show(Instrument& instrument, std::size_t frames) noexcept;
  void watch(bool wanted) noexcept { wanted_.store(wanted, std::memory_order_relaxed); }
  /// By the thread of the window.  False: nothing new.
  bool take(Picture& picture) noexcept;

 private:
  static constexpr unsigned fresh = 4;  // beside the number of a slot
  static void draw(Instrument& instrument, Picture& p) noexcept;
  static void draw_barrier(const World& world, std::size_t shape, Picture& p) noexcept;
  std::array<Picture, 3> slots_;  // one that is written, one that waits, one that was read last
  unsigned write_ = 0, read_ = 2;
  std::atomic<unsigned> waits_{1};
  std::atomic<bool> wanted_{false};
  double since_s_ = 0, time_s_ = 0;
};

}  // namespace jawari::plugin
