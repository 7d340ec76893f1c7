// SPDX-License-Identifier: MIT
#include "open_instrument.h"

#include <algorithm>
#include <filesystem>

#include "jawari/engine/quality.h"
#include "jawari/io/scene_file.h"
#include "plugin_core.h"

namespace jawari::plugin {
namespace {

constexpr double least_steps_hz = 32000;

}  // namespace

bool same_name(std::string_view a, std::string_view b) noexcept {
  const auto plain = [](char c) {
    return c == '-' || c == '_' ? ' ' : c >= 'A' && c <= 'Z' ? static_cast<char>(c + ('a' - 'A')) : c;
  };
  return std::equal(a.begin(), a.end(), b.begin(), b.end(), [&](char x, char y) { return plain(x) == plain(y); });
}

std::unique_ptr<Instrument> make_instrument(const SceneFile& file, double rate_hz) {
  Scene scene = instrument_of(file);
  scene.rate_hz = rate_hz;
  int steps = std::max(1, scene.oversample);
  while (steps * rate_hz < least_steps_hz && steps < 8) steps *= 2;
  if (steps > 1) scene.oversample = steps;
  use_quality(scene, Quality::draft);
  try {
    return std::make_unique<Instrument>(scene);
  } catch (const InputError& e) {
    throw file.located(e);
  }
}

std::unique_ptr<Instrument> open_instrument(const std::string& what, double rate_hz, const std::string& folder) {
  const auto preset =
      std::find_if(presets().begin(), presets().end(), [&](const Preset& p) { return same_name(p.name, what); });
  const SceneFile file = preset != presets().end()
                             ? parse_scene(preset->text, std::string(preset->name))
                             : read_scene((std::filesystem::path(folder) / std::filesystem::path(what)).string());
  return make_instrument(file, rate_hz);
}

std::optional<std::size_t> find_control(const Instrument& instrument, std::string_view name) {
  const auto& all = instrument.controls();
  for (std::size_t i = 0; i < all.size(); ++i)
    if (same_name(all[i].name, name)) return i;
  return std::nullopt;
}

}  // namespace jawari::plugin
