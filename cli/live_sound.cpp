// SPDX-License-Identifier: MIT
#include "live_sound.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

namespace jawari::cli {

void LiveSound::fill(const float* const* in, float* const* out, std::size_t frames, bool dropped) noexcept {
  constexpr float frames_to_goal = 960;
  if (dropped) ++dropouts_;
  process_(out, frames, {in, in ? inputs_ : 0});
  const float goal = goal_.load(std::memory_order_relaxed);
  if (goal != toward_) step_ = std::abs(goal - gain_) / frames_to_goal;
  toward_ = goal;
  long beyond = 0;
  for (std::size_t i = 0; i < frames; ++i) {
    gain_ += std::clamp(goal - gain_, -step_, step_);
    for (std::size_t c = 0; c < channels; ++c) {
      const float x = gain_ * out[c][i];
      if (!(std::abs(x) <= 1)) ++beyond;
      out[c][i] = std::clamp(x, -1.0f, 1.0f);
    }
  }
  if (beyond > 0) clipped_ += beyond;
}

std::vector<std::string> LiveSound::complaints() const {
  std::vector<std::string> all;
  if (dropouts_ > 0)
    all.push_back(
        fmt::format("{} drop-outs: the sound came too late; give a larger --buffer, fewer --voices or a lower "
                    "--rate",
                    dropouts_.load()));
  if (clipped_ > 0) all.push_back(fmt::format("{} samples were clipped; lower --gain", clipped_.load()));
  return all;
}

}  // namespace jawari::cli
