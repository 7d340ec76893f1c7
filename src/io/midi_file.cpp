// SPDX-License-Identifier: MIT
#include "jawari/io/midi_file.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <optional>

#include "jawari/instrument/midi_input.h"
#include "midi_bytes.h"

namespace jawari {
namespace {

constexpr std::size_t most_bytes = 16u << 20;

struct Timed {
  std::uint64_t tick;  // 64 bits: four bytes of ticks per event
  ScoreEvent event;
};
struct Tempo {
  std::uint64_t tick;
  double quarter_s;
};
/// What all tracks together say, before ticks become seconds.
struct Score {
  std::vector<Timed> events;
  std::vector<Tempo> tempos;
};

/// What we play of a channel message.
std::optional<ScoreEvent> event_of(MidiInput& midi, unsigned status, int first, int second) {
  const std::array<std::uint8_t, 3> message = {static_cast<std::uint8_t>(status), static_cast<std::uint8_t>(first),
                                               static_cast<std::uint8_t>(second)};
  const bool single = (status & 0xe0) == 0xc0;
  NoteEvent e;
  if (!midi.read({message.data(), single ? std::size_t{2} : std::size_t{3}}, 0, e)) return std::nullopt;
  struct Pair {
    NoteEvent::Type type;
    ScoreEvent::Kind kind;
  };
  static constexpr Pair pairs[] = {{NoteEvent::note_on, ScoreEvent::note_on},
                                   {NoteEvent::note_off, ScoreEvent::note_off},
                                   {NoteEvent::pressure, ScoreEvent::pressure},
                                   {NoteEvent::timbre, ScoreEvent::timbre},
                                   {NoteEvent::volume, ScoreEvent::volume},
                                   {NoteEvent::pan, ScoreEvent::pan},
                                   {NoteEvent::expression, ScoreEvent::expression},
                                   {NoteEvent::vibrato, ScoreEvent::vibrato},
                                   {NoteEvent::bend, ScoreEvent::bend},
                                   {NoteEvent::bend_range, ScoreEvent::bend_range},
                                   {NoteEvent::pedal, ScoreEvent::pedal},
                                   {NoteEvent::sostenuto, ScoreEvent::sostenuto},
                                   {NoteEvent::legato, ScoreEvent::legato},
                                   {NoteEvent::mpe_zone, ScoreEvent::mpe_zone},
                                   {NoteEvent::notes_off, ScoreEvent::notes_off},
                                   {NoteEvent::sound_off, ScoreEvent::sound_off},
                                   {NoteEvent::reset_controllers, ScoreEvent::reset_controllers}};
  for (const auto& [type, kind] : pairs)
    if (type == e.type) {
      const bool key = type == NoteEvent::pressure && e.key >= 0;
      return ScoreEvent{0, key ? ScoreEvent::key_pressure : kind, e.channel, std::max(e.key, 0.0), e.value};
    }
  return std::nullopt;
}

int data_byte(MidiBytes& in) {
  const unsigned value = in.byte("a message");
  if (value >= 0x80) {
    in.back();
    in.refuse(fmt::format("a message holds {:#04x}, but data lie below 0x80", value));
  }
  return static_cast<int>(value);
}

/// True at the end of the track.
bool read_meta(MidiBytes& in, std::uint64_t tick, Score& score) {
  const unsigned type = in.byte("a meta event");
  MidiBytes data = in.chunk(in.variable("the length of a meta event"), "a meta event");
  if (type == 0x2f) return true;
  if (type != 0x51) return false;
  if (data.left() < 3) data.refuse(fmt::format("a tempo event has {} bytes, but needs 3", data.left()));
  const std::uint32_t quarter_us = data.number(3, "a tempo event");
  if (quarter_us == 0) data.refuse("a tempo event says 0 microseconds per quarter, but must say more");
  score.tempos.push_back({tick, 1e-6 * quarter_us});
  return false;
}

void read_track(MidiBytes in, Score& score) {
  std::uint64_t tick = 0;
  unsigned running = 0;
  MidiInput midi;
  while (in.left() > 0) {
    tick += in.variable("a delta time");
    unsigned status = in.byte("an event");
    if (status < 0x80) {
      in.back();
      if (running == 0) in.refuse(fmt::format("an event begins with {:#04x}, but no status came before", status));
      status = running;
    }
    if (status == 0xff) {
      if (read_meta(in, tick, score)) return;
    } else if (status == 0xf0 || status == 0xf7) {  // system exclusive, or an escape: any bytes
      in.skip(in.variable("the length of a system message"), "a system message");
    } else if (status > 0xf0) {
      in.back();
      in.refuse(fmt::format("an event has status {:#04x}, which files do not hold", status));
    } else {
      running = status;
      const int first = data_byte(in);
      const bool single = (status & 0xe0) == 0xc0;  // program and channel pressure
      const int second = single ? 0 : data_byte(in);
      if (const auto event = event_of(midi, status, first, second)) score.events.push_back({tick, *event});
    }
  }
  in.refuse("a track stops without an end-of-track event");
}

struct Header {
  std::uint32_t tracks = 0;
  std::optional<double> tick_s = {};  // SMPTE: whatever the tempo
  double ticks_per_quarter = 0;
};

Header read_header(MidiBytes& in, std::string_view name) {
  in.skip(4, "the header");
  MidiBytes data = in.chunk(in.number(4, "the header"), "the header");
  const std::uint32_t format = data.number(2, "the header");
  Header header{.tracks = data.number(2, "the header")};
  const std::uint32_t division = data.number(2, "the header");
  if (format == 2)
    throw InputError("midi",
                     fmt::format("{}: is a MIDI file of format 2, pieces without a common time, but must be of "
                                 "format 0 or 1",
                                 name),
                     "format 2", "be of format 0 or 1");
  if (format > 2) in.refuse(fmt::format("its format is {}, but must be 0 or 1", format));
  if (header.tracks == 0) in.refuse("it has no track");
  if (division < 0x8000) {
    if (division == 0) in.refuse("it has 0 ticks per quarter");
    header.ticks_per_quarter = division;
    return header;
  }
  const int frames = 256 - static_cast<int>(division >> 8);
  const double ticks = division & 0xff;
  if ((frames != 24 && frames != 25 && frames != 29 && frames != 30) || ticks == 0)
    in.refuse(fmt::format("its time code has {} frames of {} ticks, but must have 24, 25, 29 or 30 of at least 1",
                          frames, ticks));
  const double rate_hz = frames == 29 ? 30000.0 / 1001 : frames;  // drop frame
  header.tick_s = 1 / (rate_hz * ticks);
  return header;
}

/// Ticks to seconds: 120 quarters a minute until the first tempo.
std::vector<ScoreEvent> in_seconds(Score& score, const Header& header) {
  const auto earlier = [](const auto& a, const auto& b) { return a.tick < b.tick; };
  std::stable_sort(score.events.begin(), score.events.end(), earlier);
  std::stable_sort(score.tempos.begin(), score.tempos.end(), earlier);
  std::vector<ScoreEvent> list;
  list.reserve(score.events.size());
  double from_s = 0;
  double tick_s = header.tick_s.value_or(0.5 / header.ticks_per_quarter);
  std::uint64_t from = 0;
  auto next = header.tick_s ? score.tempos.end() : score.tempos.begin();
  for (auto& [tick, event] : score.events) {
    for (; next != score.tempos.end() && next->tick <= tick; ++next) {
      from_s += static_cast<double>(next->tick - from) * tick_s;
      from = next->tick;
      tick_s = next->quarter_s / header.ticks_per_quarter;
    }
    event.time_s = from_s + static_cast<double>(tick - from) * tick_s;
    list.push_back(event);
  }
  return list;
}

}  // namespace

std::vector<ScoreEvent> parse_midi(std::string_view bytes, std::string_view name) {
  if (!bytes.starts_with("MThd"))
    throw InputError("midi", fmt::format("{}: is no MIDI file", name), std::string(name), "be a MIDI file");
  MidiBytes in(bytes, name);
  const Header header = read_header(in, name);
  Score score;
  for (std::uint32_t track = 0; track < header.tracks;) {
    if (in.left() == 0) in.refuse(fmt::format("its header says {} tracks, but it holds {}", header.tracks, track));
    const auto tag = in.text(4, "a chunk");
    const bool letters = std::all_of(tag.begin(), tag.end(), [](char c) { return c >= 0x20 && c < 0x7f; });
    if (!letters) in.refuse("a chunk has no name of four letters");
    MidiBytes chunk = in.chunk(in.number(4, "the length of a chunk"), fmt::format("chunk {}", tag));
    if (tag != "MTrk") continue;
    read_track(chunk, score);
    ++track;
  }
  const bool notes = std::any_of(score.events.begin(), score.events.end(),
                                 [](const Timed& t) { return t.event.kind == ScoreEvent::note_on; });
  if (!notes) throw InputError("midi", fmt::format("{}: has no notes", name), std::string(name), "hold notes");
  return in_seconds(score, header);
}

std::vector<ScoreEvent> read_midi(const std::string& path, const std::string& below) {
  return parse_midi(read_input(path, most_bytes, below), path);
}

std::vector<ScoreEvent> read_midi(const Sources& sources, const std::string& name) {
  return parse_midi(sources.read(name, most_bytes), sources.path(name));
}

}  // namespace jawari
