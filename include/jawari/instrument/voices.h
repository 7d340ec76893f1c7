// SPDX-License-Identifier: MIT
// A scene with [voice] as the scene that an instrument plays: as many copies of the voice as notes can sound at once,
// with names of their own.
#pragma once
#include <map>
#include <set>
#include <string>
#include <vector>

#include "jawari/engine/scene.h"

namespace jawari {

/// One copy of a voice.
struct VoiceParts {
  double key = -1;                  ///< the key that it was built for; -1: any
  std::string body, strike, pluck;  ///< strike or pluck is empty
  double pitch_hz = 0;              ///< while it is tuned as it is built; 0: it has no pitch
  double hammer_stiffness = 1;      ///< of its hammers, over that of the scene as it was written
  double stretch = 1;               ///< of positions along its body, likewise
  std::vector<EventSpec> slides;    ///< of fingers, by time from the start of a note
  /// Names in the scene as it was written -> names in the copy.
  std::map<std::string, std::string, std::less<>> names;
  const std::string& renamed(const std::string& name) const {
    const auto at = names.find(name);
    return at == names.end() ? name : at->second;
  }
};
/// All copies of one [voice].
struct VoiceSet {
  VoiceSpec spec;
  double mode_ratio = 1;  ///< frequency of the lowest mode over that of the pitch
  std::vector<VoiceParts> voices;
};
struct VoicedScene {
  Scene scene;
  std::vector<VoiceSet> sets;
};

/// What is asked for in place of what the scene says; -1 and 0: as it says.
struct VoiceRange {
  double lowest_key = -1, highest_key = -1;
  int voices = 0;  ///< at once
};
/// Throws InputError: the scene has no [voice], or a voice cannot be built for a key.
VoicedScene build_voices(const Scene& scene, const VoiceRange& range = {});
/// For a score: ranges grow to its keys, and a voice per key is built for those alone, or for all of the range.
VoicedScene build_voices(const Scene& scene, const VoiceRange& range, const std::set<double>& keys, bool all = false);

}  // namespace jawari
