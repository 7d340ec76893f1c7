// SPDX-License-Identifier: MIT
#include "jawari/engine/quality.h"

#include <fmt/format.h>

#include "variants.h"

namespace jawari {
namespace {

constexpr double wanted_hz[] = {0, 2 * 44100, 4 * 44100};
constexpr int most_steps = 8;

/// Whether something touches a body with many modes.
bool touched(const Scene& scene) {
  bool extended = false;
  for_each_body(scene, [&]<class Spec>(auto, const std::vector<Spec>& list, auto) {
    extended = extended || (!list.empty() && !Is<Spec, MassSpec> && !Is<Spec, HandSpec>);
  });
  bool contact = !scene.frictions.empty() || scene.voice.has_value();
  for_each_contact_law(scene, [&](auto&) { contact = true; });
  return extended && contact;
}

int steps_for(const Scene& scene, Quality quality) {
  if (quality == Quality::standard && !touched(scene)) return 1;
  int steps = 1;
  while (steps < most_steps && scene.rate_hz * steps < wanted_hz[static_cast<std::size_t>(quality)]) steps *= 2;
  return steps;
}

}  // namespace

void use_quality(Scene& scene, Quality quality) {
  const double before = step_rate_hz(scene);
  scene.quality = quality;
  scene.quality_steps = scene.oversample > 0 ? 1 : steps_for(scene, quality);
  resample_lists(scene, step_rate_hz(scene) / before);
}

Quality quality_of(const Scene& scene, std::optional<Quality> asked, Quality otherwise) {
  return asked ? *asked : scene.quality.value_or(otherwise);
}

std::string quality_text(const Scene& scene) {
  const int steps = steps_per_sample(scene);
  const auto word = quality_names[static_cast<std::size_t>(scene.quality.value_or(Quality::draft))];
  const std::string count = steps == 1 ? "one time step per sample" : fmt::format("{} time steps per sample", steps);
  return scene.oversample > 0 ? count : fmt::format("{} quality, {}", word, count);
}

}  // namespace jawari
