// SPDX-License-Identifier: MIT
// What Pure Data, Csound and SuperCollider share: instruments by the name of a preset or the path of a scene, one time
// step per sample.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "jawari/instrument.h"
#include "jawari/io/scene_file.h"

namespace jawari::plugin {

constexpr double usual_release = 64.0 / 127;  ///< of a note off that says nothing else, as in MIDI

/// Its [voice] at this rate, one time step per sample; more at rates too low for the modes of a string.  Throws
/// InputError.
std::unique_ptr<Instrument> make_instrument(const SceneFile& file, double rate_hz);
/// "sitar", "hammered-dulcimer" or "scenes/sitar.toml", relative to `folder`.  Throws InputError.
std::unique_ptr<Instrument> open_instrument(const std::string& what, double rate_hz, const std::string& folder = "");
/// Names are compared without case, blanks and hyphens being the same.
std::optional<std::size_t> find_control(const Instrument& instrument, std::string_view name);
bool same_name(std::string_view a, std::string_view b) noexcept;

}  // namespace jawari::plugin
