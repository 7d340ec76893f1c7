// SPDX-License-Identifier: MIT
// The C interface of an instrument (jawari/instrument.h).
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "c_support.h"
#include "jawari/instrument.h"
#include "jawari/instrument/midi_input.h"
#include "jawari/io/scala.h"

static_assert(JAWARI_NOTE_ON == static_cast<int>(jawari::NoteEvent::note_on) &&
              JAWARI_NOTE_CUT == static_cast<int>(jawari::NoteEvent::note_cut) &&
              JAWARI_NOTE_VIBRATO == static_cast<int>(jawari::NoteEvent::vibrato) &&
              JAWARI_NOTE_BEND == static_cast<int>(jawari::NoteEvent::bend) &&
              JAWARI_NOTE_MPE_ZONE == static_cast<int>(jawari::NoteEvent::mpe_zone) &&
              JAWARI_NOTE_MODULATION == static_cast<int>(jawari::NoteEvent::modulation));

struct jawari_instrument {
  jawari::Instrument instrument;
  jawari_engine view;
  jawari::MidiInput midi;

  jawari_instrument(const jawari::Scene& scene, const jawari::InstrumentOptions& options)
      : instrument(scene, options), view(instrument.engine()) {}
};

namespace {

using namespace jawari;
using namespace jawari::c;

constexpr std::size_t piece = 128;  // events that are passed on at once

NoteEvent event_of(const jawari_note& n) noexcept {
  NoteEvent e;
  e.frame = n.frame;
  e.type = static_cast<NoteEvent::Type>(n.type);
  e.channel = n.channel;
  e.index = n.index;
  e.note_id = n.note_id;
  e.key = n.key;
  e.value = n.value;
  return e;
}

/// Piece by piece, since samples do not depend on how frames are cut.
template <class T>
int process(jawari_instrument* j, T* const* out, std::size_t frames, const T* const* in, std::size_t in_channels,
            const jawari_note* notes, std::size_t count) noexcept {
  if (!j || !out || (count > 0 && !notes) || !sound_given(in, in_channels)) return JAWARI_BAD_ARGUMENT;
  for (std::size_t c = 0; c < j->instrument.channels(); ++c)
    if (!out[c]) return JAWARI_BAD_ARGUMENT;
  std::array<NoteEvent, piece> events;
  std::size_t at = 0;
  for (std::size_t next = 0;;) {
    const std::size_t n = std::min(count - next, piece);
    for (std::size_t i = 0; i < n; ++i) {
      events[i] = event_of(notes[next + i]);
      events[i].frame = static_cast<std::uint32_t>(std::max<std::size_t>(events[i].frame, at) - at);
    }
    next += n;
    const std::size_t last = n > 0 ? at + events[n - 1].frame : at;
    const std::size_t to = next == count ? frames : std::min(last, frames);
    std::array<T*, 2> channel = {};
    for (std::size_t c = 0; c < j->instrument.channels(); ++c) channel[c] = out[c] + at;
    std::array<const T*, SoundInput::most_channels> sound = {};
    const std::size_t sounds = std::min(in_channels, sound.size());
    for (std::size_t c = 0; c < sounds; ++c) sound[c] = in[c] + at;
    j->instrument.process(channel.data(), to - at, {events.data(), n}, {sound.data(), sounds});
    at = to;
    if (next == count) break;
  }
  return j->instrument.failed() ? JAWARI_FAILED : JAWARI_OK;
}

InstrumentOptions options_of(const jawari_instrument_options& o) {
  const auto refuse = [](const char* field, std::string value, std::string allowed) {
    throw not_allowed(field, fmt::format("options.{}", field), std::move(value), std::move(allowed));
  };
  if (o.scene.channels != 1 && o.scene.channels != 2)
    throw not_allowed("channels", "options.scene.channels", fmt::format("{}", o.scene.channels), "be 1 or 2");
  if (o.voices < 0 || o.voices > 256) refuse("voices", fmt::format("{}", o.voices), "lie in [0, 256]");
  if (!(o.lowest_key >= -1 && o.lowest_key <= 127 && o.highest_key >= -1 && o.highest_key <= 127))
    throw InputError(
        "lowest_key",
        fmt::format("options.lowest_key is {:g} and highest_key {:g}, but they must lie in [0, 127] or be -1",
                    o.lowest_key, o.highest_key),
        fmt::format("{:g}", o.lowest_key), "lie in [0, 127] or be -1");
  InstrumentOptions options;
  options.channels = o.scene.channels;
  options.threads = o.scene.threads;
  options.kernels = static_cast<Kernels>(o.scene.kernels);
  options.range = {o.lowest_key, o.highest_key, o.voices};
  return options;
}

void put_tuning(const KeyTuning& tuning, double* hz) noexcept { std::copy(tuning.hz.begin(), tuning.hz.end(), hz); }

}  // namespace

extern "C" {

int jawari_instrument_options_init(jawari_instrument_options* options) {
  if (!options) return JAWARI_BAD_ARGUMENT;
  *options = {};
  options->size = sizeof *options;
  jawari_options_init(&options->scene);
  options->scene.channels = 2;
  options->lowest_key = VoiceRange{}.lowest_key;
  options->highest_key = VoiceRange{}.highest_key;
  return JAWARI_OK;
}

int jawari_instrument_open(const char* text, size_t length, const jawari_instrument_options* options,
                           jawari_instrument** instrument, char* error, size_t error_size) {
  forget_error(error, error_size);
  if (!instrument || !text)
    return report(InputError(instrument ? "text" : "instrument", "text or instrument is null, but both must be given",
                             "null", "be given"),
                  JAWARI_BAD_ARGUMENT, error, error_size);
  *instrument = nullptr;
  jawari_instrument_options own;
  jawari_instrument_options_init(&own);
  if (options && (options->size != sizeof own || !read_options(&options->scene, own.scene)))
    return report(InputError("options.size", "options.size is not sizeof(jawari_instrument_options)",
                             fmt::format("{}", options->size), fmt::format("be {}", sizeof own)),
                  JAWARI_BAD_ARGUMENT, error, error_size);
  if (options) {
    const jawari_options scene = own.scene;
    own = *options;
    own.scene = scene;
  }
  return guarded(error, error_size, [&] {
    const InstrumentOptions choice = options_of(own);
    const SceneFile file = read_scene({text, length}, own.scene);
    try {
      *instrument = new jawari_instrument(instrument_of(file), choice);
    } catch (const InputError& r) {
      throw file.located(r);
    }
  });
}

void jawari_instrument_close(jawari_instrument* j) { delete j; }
int jawari_instrument_reset(jawari_instrument* j) {
  if (!j) return JAWARI_BAD_ARGUMENT;
  j->instrument.reset();
  return JAWARI_OK;
}
const jawari_engine* jawari_instrument_engine(const jawari_instrument* j) { return j ? &j->view : nullptr; }

size_t jawari_instrument_voices(const jawari_instrument* j) { return j ? j->instrument.voices() : 0; }
size_t jawari_instrument_sounding(const jawari_instrument* j) { return j ? j->instrument.sounding() : 0; }
int jawari_instrument_silent(const jawari_instrument* j) {
  return j ? (j->instrument.silent() ? 1 : 0) : JAWARI_BAD_ARGUMENT;
}
double jawari_instrument_tail_s(const jawari_instrument* j) { return j ? j->instrument.tail_s() : 0; }

int jawari_instrument_process_f32(jawari_instrument* j, float* const* out, size_t frames, const jawari_note* notes,
                                  size_t count) {
  return process<float>(j, out, frames, nullptr, 0, notes, count);
}
int jawari_instrument_process_f64(jawari_instrument* j, double* const* out, size_t frames, const jawari_note* notes,
                                  size_t count) {
  return process<double>(j, out, frames, nullptr, 0, notes, count);
}
int jawari_instrument_process_input_f32(jawari_instrument* j, float* const* out, size_t frames, const float* const* in,
                                        size_t in_channels, const jawari_note* notes, size_t count) {
  return process(j, out, frames, in, in_channels, notes, count);
}
int jawari_instrument_process_input_f64(jawari_instrument* j, double* const* out, size_t frames,
                                        const double* const* in, size_t in_channels, const jawari_note* notes,
                                        size_t count) {
  return process(j, out, frames, in, in_channels, notes, count);
}

int jawari_instrument_send(jawari_instrument* j, const jawari_note* note) {
  if (!j || !note) return JAWARI_BAD_ARGUMENT;
  return j->instrument.send(event_of(*note)) ? JAWARI_OK : JAWARI_FULL;
}
int jawari_instrument_send_midi(jawari_instrument* j, const void* bytes, size_t count) {
  if (!j || (count > 0 && !bytes)) return JAWARI_BAD_ARGUMENT;
  bool taken = true;
  j->midi.feed({static_cast<const std::uint8_t*>(bytes), count}, 0,
               [&](const NoteEvent& e) { taken = j->instrument.send(e) && taken; });
  return taken ? JAWARI_OK : JAWARI_FULL;
}

int jawari_instrument_set_tuning(jawari_instrument* j, const double* hz) {
  if (!j || !hz) return JAWARI_BAD_ARGUMENT;
  KeyTuning tuning;
  for (std::size_t i = 0; i < tuning.hz.size(); ++i) {
    if (!(hz[i] >= 0 && hz[i] <= 1e6)) return JAWARI_BAD_ARGUMENT;
    tuning.hz[i] = hz[i];
  }
  j->instrument.set_tuning(tuning);
  return JAWARI_OK;
}
int jawari_tuning_by_name(const char* name, int tonic_key, double a4_hz, double* hz, char* error, size_t error_size) {
  forget_error(error, error_size);
  if (!name || !hz) return JAWARI_BAD_ARGUMENT;
  return guarded(error, error_size, [&] { put_tuning(tuning_by_name(name, tonic_key, a4_hz), hz); });
}
int jawari_tuning_from_scala(const char* scl, size_t scl_length, const char* kbm, size_t kbm_length, double* hz,
                             char* error, size_t error_size) {
  forget_error(error, error_size);
  if (!scl || !hz) return JAWARI_BAD_ARGUMENT;
  return guarded(error, error_size, [&] {
    const Scale scale = parse_scl({scl, scl_length});
    const KeyMap plain{.reference_key = 60, .reference_hz = equal_tuning().hz[60]};
    put_tuning(make_tuning(scale, kbm ? parse_kbm({kbm, kbm_length}) : plain), hz);
  });
}

int jawari_instrument_control_count(const jawari_instrument* j) {
  return j ? count_of(j->instrument.controls()) : JAWARI_BAD_ARGUMENT;
}
int jawari_instrument_find_control(const jawari_instrument* j, const char* name) {
  if (!j || !name) return JAWARI_BAD_ARGUMENT;
  const auto& list = j->instrument.controls();
  for (std::size_t i = 0; i < list.size(); ++i)
    if (list[i].name == name) return static_cast<int>(i);
  return JAWARI_NOT_FOUND;
}
int jawari_instrument_control_info(const jawari_instrument* j, int control, jawari_control* info) {
  if (!j || !info || info->size != sizeof(jawari_control) || !inside(control, j->instrument.controls()))
    return JAWARI_BAD_ARGUMENT;
  const auto i = static_cast<std::size_t>(control);
  const ControlInfo& c = j->instrument.controls()[i];
  *info = {sizeof *info, 0,      c.name.c_str(), c.text.c_str(),          c.unit.c_str(),
           c.least,      c.most, c.usual,        j->instrument.control(i)};
  return JAWARI_OK;
}

}  // extern "C"
