// SPDX-License-Identifier: MIT
// Opcodes for Csound; what they take and give is in jawari.txt beside this file.
//   aleft, aright  jawari      inumber, Sscene [, ain [, ain2]]
//                  jawarinote  inumber, ikey, ivelocity [, ichannel]
//                  jawariset   inumber, Scontrol, kvalue
//                  jawarimidi  inumber, kstatus, kdata1, kdata2
// Notes are for the control period in which they are played: instruments that play them have lower numbers than the one
// that sounds.
#include <algorithm>
#include <array>
#include <cmath>
#include <exception>
#include <map>
#include <memory>
#include <string>
#include <vector>

#include "../core/open_instrument.h"
#include "jawari/instrument/midi_input.h"

// After the others: they define short macros.
#include <modload.h>
#include <plugin.h>

namespace jawari::plugin {
namespace {

/// The instruments of one Csound, by number.
struct Instruments {
  struct Open {
    std::unique_ptr<Instrument> instrument;
    MidiInput midi;
    long users = 0;
  };
  std::map<long, Open> open;
};
constexpr const char* variable = "jawari.instruments";

Instruments* instruments(csnd::Csound* csound) {
  auto* found = static_cast<Instruments**>(csound->query_global_variable(variable));
  return found ? *found : nullptr;
}
Instruments::Open* find(csnd::Csound* csound, MYFLT number) {
  Instruments* all = instruments(csound);
  if (!all) return nullptr;
  const auto at = all->open.find(std::lround(number));
  return at == all->open.end() ? nullptr : &at->second;
}

struct Sound : csnd::Plugin<2, 4> {
  Instruments::Open* playing;
  int init() {
    playing = nullptr;
    Instruments* all = instruments(csound);
    if (!all) return csound->init_error("jawari: out of memory");
    try {
      Instruments::Open& open = all->open[std::lround(inargs[0])];
      if (open.users > 0) return csound->init_error("jawari: an instrument of this number plays already");
      open.instrument = open_instrument(inargs.str_data(1).data, static_cast<double>(csound->sr()));
      open.midi = {};
      open.users = 1;
      playing = &open;
    } catch (const std::exception& e) {
      return csound->init_error(std::string("jawari: ") + e.what());
    }
    csound->plugin_deinit(this);
    return OK;
  }
  int deinit() {
    if (playing) playing->users = 0;
    return OK;
  }
  int aperf() {
    static_assert(sizeof(MYFLT) == sizeof(double));
    if (!playing) return OK;
    double* out[] = {outargs(0) + offset, outargs(1) + offset};
    std::array<const double*, SoundInput::most_channels> in = {};
    const std::size_t sounds = std::min<std::size_t>(in_count() - 2, in.size());
    for (std::size_t c = 0; c < sounds; ++c) in[c] = inargs(2 + static_cast<int>(c)) + offset;
    playing->instrument->process(out, nsmps - offset, {}, {in.data(), sounds});
    playing->instrument->clear_ended();
    const MYFLT full = csound->_0dbfs();
    if (full != 1)
      for (double* channel : out)
        for (std::uint32_t i = 0; i < nsmps - offset; ++i) channel[i] *= full;
    return OK;
  }
};

/// Down as long as the note of the score.
struct Note : csnd::InPlug<4> {
  static constexpr char const* otypes = "";
  static constexpr char const* itypes = "iiio";
  NoteEvent event;
  int init() {
    auto* open = find(csound, args[0]);
    if (!open) return csound->init_error("jawarinote: there is no jawari of this number");
    event = {};
    event.key = static_cast<double>(args[1]);
    event.value = std::clamp((static_cast<double>(args[2]) - 1) / 126, 0.0, 1.0);
    event.channel = static_cast<std::int8_t>(std::clamp<MYFLT>(args[3] > 0 ? args[3] - 1 : 0, 0, 15));
    open->instrument->send(event);
    csound->plugin_deinit(this);
    return OK;
  }
  int deinit() {
    if (auto* open = find(csound, args[0])) {
      event.type = NoteEvent::note_off;
      event.value = usual_release;
      open->instrument->send(event);
    }
    return OK;
  }
};

struct Set : csnd::InPlug<3> {
  static constexpr char const* otypes = "";
  static constexpr char const* itypes = "iSk";
  Instruments::Open* open;
  std::size_t control;
  MYFLT told;
  int init() {
    open = find(csound, args[0]);
    if (!open) return csound->init_error("jawariset: there is no jawari of this number");
    const std::string name = args.str_data(1).data;
    const auto found = find_control(*open->instrument, name);
    if (!found) return csound->init_error("jawariset: there is no control \"" + name + "\"");
    control = *found;
    told = static_cast<MYFLT>(NAN);
    return OK;
  }
  int kperf() {
    if (args[2] == told) return OK;
    told = args[2];
    NoteEvent e;
    e.type = NoteEvent::control;
    e.index = static_cast<std::uint16_t>(control);
    e.value = static_cast<double>(told);
    open->instrument->send(e);
    return OK;
  }
};

/// What midiin gives; 0: nothing came.
struct Midi : csnd::InPlug<4> {
  static constexpr char const* otypes = "";
  static constexpr char const* itypes = "ikkk";
  Instruments::Open* open;
  int init() {
    open = find(csound, args[0]);
    return open ? OK : csound->init_error("jawarimidi: there is no jawari of this number");
  }
  int kperf() {
    const long status = std::lround(args[1]);
    if (status < 0x80 || status > 0xff) return OK;
    const std::array<std::uint8_t, 3> bytes = {static_cast<std::uint8_t>(status),
                                               static_cast<std::uint8_t>(std::lround(args[2]) & 127),
                                               static_cast<std::uint8_t>(std::lround(args[3]) & 127)};
    NoteEvent e;
    const unsigned kind = bytes[0] >> 4;
    if (open->midi.read({bytes.data(), kind == 0xc || kind == 0xd ? 2u : 3u}, 0, e)) open->instrument->send(e);
    return OK;
  }
};

int forget(CSOUND* csound, void*) {
  auto* cs = reinterpret_cast<csnd::Csound*>(csound);
  delete instruments(cs);
  if (auto** at = static_cast<Instruments**>(cs->query_global_variable(variable))) *at = nullptr;
  return 0;
}

}  // namespace
}  // namespace jawari::plugin

void csnd::on_load(csnd::Csound* csound) {
  using namespace jawari::plugin;
  if (csound->create_global_variable(variable, sizeof(Instruments*)) == 0)
    *static_cast<Instruments**>(csound->query_global_variable(variable)) = new (std::nothrow) Instruments;
  CSOUND* c = csound->get_csound();
  c->RegisterResetCallback(c, nullptr, forget);
  csnd::plugin<Sound>(csound, "jawari", "aa", "iS", csnd::thread::ia);
  csnd::plugin<Sound>(csound, "jawari.in", "aa", "iSy", csnd::thread::ia);  // with sound that comes in
  csnd::plugin<Note>(csound, "jawarinote", csnd::thread::i);
  csnd::plugin<Set>(csound, "jawariset", csnd::thread::ik);
  csnd::plugin<Midi>(csound, "jawarimidi", csnd::thread::ik);
}
