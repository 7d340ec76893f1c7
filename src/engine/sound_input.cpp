// SPDX-License-Identifier: MIT
#include "jawari/engine/sound_input.h"

#include <algorithm>
#include <cmath>

#include "jawari/core/param.h"

namespace jawari {
namespace {

/// What an input hears in a frame.
template <class T>
double heard(SoundIn<T> in, std::size_t input, std::size_t inputs, std::size_t frame) noexcept {
  if (in.empty()) return 0;
  if (inputs == 1 && in.size() > 1) {
    double sum = 0;
    for (const T* channel : in) sum += static_cast<double>(channel[frame]);
    return sum / static_cast<double>(in.size());
  }
  return static_cast<double>(in[std::min(input, in.size() - 1)][frame]);
}

}  // namespace

SoundInput::SoundInput(std::size_t channels, std::size_t steps_per_sample, std::size_t most_frames)
    : factor_(steps_per_sample),
      filters_(channels, Interpolator(steps_per_sample)),
      steps_(channels, std::vector<double>(most_frames * steps_per_sample)) {
  for (std::size_t c = 0; c < channels; ++c) step_[c] = steps_[c].data();
}

double SoundInput::checked(double x) noexcept {
  if (std::abs(x) <= loudest) return x;
  ++replaced_;
  return std::isfinite(x) ? std::copysign(loudest, x) : 0;
}

template <class T>
void SoundInput::read(SoundIn<T> in, std::size_t from, std::size_t frames) noexcept {
  for (std::size_t c = 0; c < channels(); ++c)
    for (std::size_t i = 0; i < frames; ++i)
      filters_[c].push(checked(heard(in, c, channels(), from + i)), &steps_[c][i * factor_]);
}

template void SoundInput::read(SoundIn<float>, std::size_t, std::size_t) noexcept;
template void SoundInput::read(SoundIn<double>, std::size_t, std::size_t) noexcept;

bool SoundInput::silent() const noexcept {
  return std::all_of(filters_.begin(), filters_.end(), [](const Interpolator& f) { return f.silent(); });
}

void SoundInput::archive(Archive& a) noexcept {
  for (Interpolator& f : filters_) f.archive(a);
}

std::size_t input_channels(const Scene& scene) noexcept {
  int most = 0;
  for (const ExcitationSpec& e : scene.excitations)
    if (e.type == SignalType::input) most = std::max(most, e.channel);
  return static_cast<std::size_t>(most);
}

void set_input(Scene& scene, std::span<const std::vector<double>> channels) {
  const std::size_t inputs = input_channels(scene);
  if (inputs == 0)
    throw InputError("input", "the scene has no excitation of type \"input\", which sound that comes in would push", {},
                     "go with an excitation of type \"input\"");
  if (channels.empty() || channels[0].empty())
    throw InputError("input", "there is no sound that comes in", {}, "hold at least one channel with one frame");
  std::vector<const double*> in;
  std::size_t frames = channels[0].size();
  for (const auto& c : channels) {
    in.push_back(c.data());
    frames = std::min(frames, c.size());
  }
  const auto factor = static_cast<std::size_t>(steps_per_sample(scene));
  SoundInput sound(inputs, 1, frames);
  sound.read(SoundIn<double>(in), 0, frames);
  for (ExcitationSpec& e : scene.excitations)
    if (e.type == SignalType::input)
      e.samples_N = interpolated({sound.steps()[static_cast<std::size_t>(e.channel - 1)], frames}, factor);
}

}  // namespace jawari
