// SPDX-License-Identifier: MIT
// Sound that comes in: excitations of type "input" push their bodies with it.  At one time step per sample a frame acts
// in its own step; at several it is interpolated, which delays it by 36 samples. A sample that is no number or infinite
// counts as 0, one beyond 16 times full scale as that; both are counted.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "jawari/engine/decimate.h"
#include "jawari/engine/scene.h"

namespace jawari {

/// Channels of sound that comes in, each as long as the block that is played: one, which all inputs hear, or as many as
/// there are; of several an only input hears the mean.  None: silence.
template <class T>
using SoundIn = std::span<const T* const>;

class SoundInput {
 public:
  static constexpr std::size_t most_channels = 2;
  static constexpr double loudest = 16;  ///< times full scale
  SoundInput(std::size_t channels, std::size_t steps_per_sample, std::size_t most_frames);

  std::size_t channels() const noexcept { return filters_.size(); }
  std::size_t delay() const noexcept { return filters_.empty() ? 0 : filters_[0].delay(); }  ///< in samples
  /// The frames from..from + frames of a block become the steps to come.
  template <class T>
  void read(SoundIn<T> in, std::size_t from, std::size_t frames) noexcept;
  std::span<const double* const> steps() const noexcept { return {step_.data(), channels()}; }  ///< per channel
  bool silent() const noexcept;                                  ///< nothing of what came in is still to come
  std::uint64_t replaced() const noexcept { return replaced_; }  ///< samples so far that were not taken as they came
  void archive(Archive& a) noexcept;

 private:
  double checked(double x) noexcept;
  std::size_t factor_;
  std::vector<Interpolator> filters_;
  std::vector<std::vector<double>> steps_;
  std::array<const double*, most_channels> step_ = {};
  std::uint64_t replaced_ = 0;
};

std::size_t input_channels(const Scene& scene) noexcept;  ///< that excitations of type "input" name; 0: there is none
/// For runs from start to end: what comes in, a value per sample at the rate of the scene and per channel.  After
/// use_quality().  Throws InputError: the scene has no input, or there is no sound.
void set_input(Scene& scene, std::span<const std::vector<double>> channels);

}  // namespace jawari
