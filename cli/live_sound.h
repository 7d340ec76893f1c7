// SPDX-License-Identifier: MIT
// What the callback of a sound card does: plays, brings it to a level, and counts what went wrong.  Knows no sound
// card.
#pragma once
#include <atomic>
#include <functional>
#include <string>
#include <vector>

#include "jawari/engine/sound_input.h"

namespace jawari::cli {

class LiveSound {
 public:
  using Process = std::function<void(float* const* out, std::size_t frames, SoundIn<float> in)>;
  static constexpr std::size_t channels = 2;
  LiveSound(Process process, std::size_t inputs, double gain)
      : process_(std::move(process)),
        inputs_(inputs),
        gain_(static_cast<float>(gain)),
        toward_(static_cast<float>(gain)),
        goal_(static_cast<float>(gain)) {}

  std::size_t inputs() const noexcept { return inputs_; }                    ///< channels that are captured
  void set_gain(double gain) noexcept { goal_ = static_cast<float>(gain); }  ///< reached in 20 ms at 48 kHz
  /// `in`: the channels that were captured, or null; `dropped`: the one before came too late.
  void fill(const float* const* in, float* const* out, std::size_t frames, bool dropped) noexcept;

  long dropouts() const noexcept { return dropouts_; }
  long clipped() const noexcept { return clipped_; }  ///< samples beyond full scale
  std::vector<std::string> complaints() const;        ///< in sentences; none: all went well

 private:
  Process process_;
  std::size_t inputs_ = 0;
  float gain_ = 1, step_ = 0, toward_ = 1;  // by the thread that plays; a step per frame toward the last goal
  std::atomic<float> goal_{1};
  std::atomic<long> dropouts_{0}, clipped_{0};
};

}  // namespace jawari::cli
