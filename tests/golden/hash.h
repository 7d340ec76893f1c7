// SPDX-License-Identifier: MIT
// The samples of a scene as one number: FNV-1a of 64 bits over the doubles of all pickups in its first 0.3 s.  An
// instrument without notes of its own (presets/) plays two notes of each of its voices.
#pragma once
#include <algorithm>
#include <bit>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <memory>
#include <set>
#include <string>
#include <vector>

#include "jawari/engine/compile.h"
#include "jawari/engine/voice_scene.h"
#include "jawari/engine/world.h"

namespace jawari::test {

using Tracks = std::vector<std::vector<double>>;
inline constexpr double hashed_s = 0.3;

inline std::string hash_of(const Tracks& tracks) {
  std::uint64_t hash = 0xcbf29ce484222325u;
  for (const auto& track : tracks)
    for (const double x : track) {
      if (!std::isfinite(x)) return "not finite";
      const auto bits = std::bit_cast<std::uint64_t>(x == 0 ? 0.0 : x);  // kernels may turn the sign of zero
      for (int byte = 0; byte < 8; ++byte) hash = (hash ^ (bits >> (8 * byte) & 0xff)) * 0x100000001b3u;
    }
  char text[17];
  std::snprintf(text, sizeof text, "%016llx", static_cast<unsigned long long>(hash));
  return text;
}

/// Notes at the start, and a tenth of a second later while the first ones end.
inline Scene with_notes(const Scene& scene) {
  if (scene.voices.empty()) return scene;
  std::set<double> first, second;
  for (const VoiceSpec& v : scene.voices) {
    const double lowest = v.lowest >= 0 ? v.lowest : 48;
    const double highest = v.highest >= 0 ? v.highest : lowest + 24;
    first.insert(std::floor(lowest + (highest - lowest) / 3));
    second.insert(std::floor(lowest + (highest - lowest) * 2 / 3));
  }
  std::vector<ScoreEvent> score;
  for (const double key : first) {
    score.push_back({0, ScoreEvent::note_on, 0, key, 0.8});
    score.push_back({0.125, ScoreEvent::note_off, 0, key, 0.5});
  }
  for (const double key : second) score.push_back({0.0625, ScoreEvent::note_on, 0, key, 0.6});
  return perform(scene, std::move(score));
}

/// Plays all steps at once, or blocks of so many; afterwards the world is at the end.
inline std::string hash_of(World& world, const Scene& scene, std::int64_t block = 0) {
  const auto steps = static_cast<std::int64_t>(std::min(scene.duration_s, hashed_s) * step_rate_hz(scene));
  Tracks tracks(world.pickup_count(), std::vector<double>(static_cast<std::size_t>(steps)));
  std::vector<double*> to(tracks.size());
  world.audit_every(0);
  for (std::int64_t n = 0; n < steps;) {
    const std::int64_t now = block == 0 ? steps : std::min(block, steps - n);
    for (std::size_t i = 0; i < to.size(); ++i) to[i] = tracks[i].data() + n;
    if (world.play(now, to.data()) != now || world.failed()) return "stopped";
    n += now;
  }
  return hash_of(tracks);
}
inline std::string hash_of(const Scene& scene, Kernels kernels, std::int64_t block = 0) {
  return hash_of(*compile_world(scene, kernels), scene, block);
}

}  // namespace jawari::test
