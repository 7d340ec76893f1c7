// SPDX-License-Identifier: MIT
#include "clap_events.h"

#include <cmath>
#include <cstring>

namespace jawari::plugin {
namespace {

/// Which notes an event is about; -1 stays -1.
template <class Event>
void address(const Event& from, NoteEvent& to) noexcept {
  to.channel = static_cast<std::int8_t>(from.channel < -1 || from.channel > 15 ? 127 : from.channel);
  to.key = from.key;
  to.note_id = from.note_id < 0 ? -1 : from.note_id;
}

bool read_expression(const clap_event_note_expression_t& e, NoteEvent& to) noexcept {
  address(e, to);
  to.value = e.value;
  switch (e.expression_id) {
    case CLAP_NOTE_EXPRESSION_VOLUME:
      to.type = NoteEvent::volume;
      return true;
    case CLAP_NOTE_EXPRESSION_PAN:
      to.type = NoteEvent::pan;
      return true;
    case CLAP_NOTE_EXPRESSION_TUNING:
      to.type = NoteEvent::tuning;
      return true;
    case CLAP_NOTE_EXPRESSION_VIBRATO:
      to.type = NoteEvent::vibrato;
      return true;
    case CLAP_NOTE_EXPRESSION_EXPRESSION:
      to.type = NoteEvent::expression;
      return true;
    case CLAP_NOTE_EXPRESSION_BRIGHTNESS:
      to.type = NoteEvent::timbre;
      return true;
    case CLAP_NOTE_EXPRESSION_PRESSURE:
      to.type = NoteEvent::pressure;
      return true;
    default:
      return false;
  }
}

template <class T>
const T* as(const clap_event_header_t& header) noexcept {
  return header.size >= sizeof(T) ? reinterpret_cast<const T*>(&header) : nullptr;
}

}  // namespace

bool read_event(const clap_event_header_t& header, MidiInput& midi, PluginEvent& event) noexcept {
  event = {};
  if (header.space_id != CLAP_CORE_EVENT_SPACE_ID) return false;
  NoteEvent& to = event.event;
  to.frame = header.time;
  switch (header.type) {
    case CLAP_EVENT_NOTE_ON:
    case CLAP_EVENT_NOTE_OFF:
    case CLAP_EVENT_NOTE_CHOKE: {
      const auto* note = as<clap_event_note_t>(header);
      if (!note) return false;
      address(*note, to);
      to.type = header.type == CLAP_EVENT_NOTE_ON    ? NoteEvent::note_on
                : header.type == CLAP_EVENT_NOTE_OFF ? NoteEvent::note_off
                                                     : NoteEvent::note_cut;
      to.value = header.type == CLAP_EVENT_NOTE_CHOKE ? 0 : note->velocity;
      return true;
    }
    case CLAP_EVENT_NOTE_EXPRESSION: {
      const auto* e = as<clap_event_note_expression_t>(header);
      return e && read_expression(*e, to);
    }
    case CLAP_EVENT_PARAM_VALUE: {
      const auto* e = as<clap_event_param_value_t>(header);
      if (!e) return false;
      event.kind = PluginEvent::parameter;
      event.parameter_id = e->param_id;
      event.value = e->value;
      return true;
    }
    case CLAP_EVENT_PARAM_MOD: {
      const auto* e = as<clap_event_param_mod_t>(header);
      if (!e) return false;
      address(*e, to);
      event.kind = PluginEvent::modulation;
      event.parameter_id = e->param_id;
      event.value = e->amount;
      return true;
    }
    case CLAP_EVENT_MIDI: {
      const auto* e = as<clap_event_midi_t>(header);
      if (!e) return false;
      const unsigned kind = e->data[0] >> 4;
      if (kind == 0xc && e->data[1] < 128) {
        event.kind = PluginEvent::program;
        event.value = e->data[1];
        return true;
      }
      return midi.read({e->data, kind == 0xd ? std::size_t{2} : std::size_t{3}}, header.time, to);
    }
    default:
      return false;
  }
}

clap_event_param_value_t parameter_said(std::uint32_t id, double value) noexcept {
  clap_event_param_value_t e = {};
  e.header = {sizeof e, 0, CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_PARAM_VALUE, 0};
  e.param_id = id;
  e.note_id = -1;
  e.port_index = e.channel = e.key = -1;
  e.value = value;
  return e;
}

clap_event_param_gesture_t gesture_said(std::uint32_t id, bool begins) noexcept {
  const auto type = static_cast<std::uint16_t>(begins ? CLAP_EVENT_PARAM_GESTURE_BEGIN : CLAP_EVENT_PARAM_GESTURE_END);
  return {{sizeof(clap_event_param_gesture_t), 0, CLAP_CORE_EVENT_SPACE_ID, type, 0}, id};
}

clap_event_note_t note_end(const NoteEvent& note, std::uint32_t frame) noexcept {
  clap_event_note_t e = {};
  e.header = {sizeof e, frame, CLAP_CORE_EVENT_SPACE_ID, CLAP_EVENT_NOTE_END, 0};
  e.note_id = note.note_id;
  e.channel = note.channel;
  e.key = static_cast<std::int16_t>(std::lround(note.key));
  return e;
}

}  // namespace jawari::plugin
