// SPDX-License-Identifier: MIT
#include "shared_bodies.h"

#include <algorithm>
#include <set>
#include <string_view>
#include <utility>

#include "voice.h"

namespace jawari {

SharedBodies::SharedBodies(const Model& model, const VoicedScene& voiced, const Controls& controls, VoiceOutput& output)
    : model_(model), controls_(controls), output_(output) {
  std::set<std::string_view> of_voices;
  for (const VoiceSet& set : voiced.sets)
    for (const VoiceParts& parts : set.voices)
      for (const auto& [from, to] : parts.names) of_voices.insert(to);
  for (std::size_t p = 0; p < model.parameters.size(); ++p)
    if (const Parameter& damping = model.parameters[p];
        damping.kind == ParameterKind::damping && !of_voices.contains(model.bodies[damping.index].name))
      dampings_.push_back(p);
}

void SharedBodies::tell() noexcept {
  if (std::exchange(told_, silenced_) == silenced_) return;
  for (const auto p : dampings_) {
    const Parameter& damping = model_.parameters[p];
    set(p,
        silenced_ ? std::min(fade_decay_1_s, damping.most) : controls_.value_of(no_index, p).value_or(damping.start));
  }
}

void SharedBodies::set(std::size_t parameter, double value) noexcept {
  output_.apply({EventType::set, static_cast<std::uint32_t>(parameter), value, 0});
}

}  // namespace jawari
