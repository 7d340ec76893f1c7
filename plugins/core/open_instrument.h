// SPDX-License-Identifier: MIT
// What Pure Data, Csound and SuperCollider share: instruments by the name of a preset or the path of a scene, one time step
// per sample.
#pragma once
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "jawari/instrument.h"

namespace jawari::plugin {

/// "sitar", "hammered-dulcimer" or "scenes/sitar.toml", relative to `folder`.  Throws InputError.
std::unique_ptr<Instrument> open_instrument(const std::string& what, double rate_hz, const std::string& folder = "");
/// Names are compared without case, blanks and hyphens being the same.
std::optional<std::size_t> find_control(const Instrument& instrument, std::string_view name);
bool same_name(std::string_view a, std::string_view b) noexcept;

}  // namespace jawari::plugin
