// SPDX-License-Identifier: MIT
#include "jawari/engine/quality.h"

#include <fmt/format.h>

#include "contact_parts.h"
#include "variants.h"

namespace jawari {
namespace {

constexpr double wanted_hz[] = {0, 2 * 44100, 4 * 44100};
constexpr double most_steps = 8;

/// Whether something touches a body with many modes.
bool touched(const Scene& scene) {
  const bool extended = !scene.strings.empty() || !scene.bars.empty() || !scene.membranes.empty() ||
                        !scene.plates.empty() || !scene.modals.empty();
  bool contact = !scene.frictions.empty() || scene.voice.has_value();
  each_contact_part(scene, [&](auto&) { contact = true; });
  return extended && contact;
}

double steps_for(const Scene& scene, Quality quality) {
  if (quality == Quality::standard && !touched(scene)) return 1;
  double steps = 1;
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
  const double steps = steps_per_sample(scene);
  const auto word = quality_names[static_cast<std::size_t>(scene.quality.value_or(Quality::draft))];
  const std::string count = steps == 1 ? "one time step per sample" : fmt::format("{:g} time steps per sample", steps);
  return scene.oversample > 0 ? count : fmt::format("{} quality, {}", word, count);
}

}  // namespace jawari
