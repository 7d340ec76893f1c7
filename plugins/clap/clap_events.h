// SPDX-License-Identifier: MIT
// Events of CLAP as those of the plug-in, one to one, and back.
#pragma once
#include "../core/plugin_core.h"
#include "clap/events.h"
#include "jawari/instrument/midi_input.h"

namespace jawari::plugin {

/// False: it says nothing to an instrument.
bool read_event(const clap_event_header_t& header, MidiInput& midi, PluginEvent& event) noexcept;
clap_event_note_t note_end(const NoteEvent& note, std::uint32_t frame) noexcept;
// What was turned in the window.
clap_event_param_value_t parameter_said(std::uint32_t id, double value) noexcept;
clap_event_param_gesture_t gesture_said(std::uint32_t id, bool begins) noexcept;

}  // namespace jawari::plugin
