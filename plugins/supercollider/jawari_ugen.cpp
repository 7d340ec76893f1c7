// SPDX-License-Identifier: MIT
// A unit generator for SuperCollider, and the commands that play it; described in Jawari.schelp.
//   Jawari.ar(number)            left and right of the instrument of that number; more inputs: sound that comes in
//   /cmd jawari_open   number, scene                      a preset, or the path of a scene; asynchronous
//   /cmd jawari_note   number, key, velocity [, channel]  velocity 1 to 127, 0: up
//   /cmd jawari_midi   number, bytes ...
//   /cmd jawari_set    number, control, value
//   /cmd jawari_panic  number
#include <SC_PlugIn.h>

#include <algorithm>
#include <array>
#include <atomic>
#include <cmath>
#include <exception>
#include <memory>
#include <new>
#include <string>

#include "../core/open_instrument.h"
#include "jawari/instrument/midi_input.h"
#include "jawari/instrument/stage.h"

static InterfaceTable* ft;

namespace jawari::plugin {
namespace {

struct Slot {
  std::atomic<Stage*> playing{nullptr};
  MidiInput midi;
};
std::array<Slot, 64> slots;

Slot* slot(int number) noexcept {
  return number >= 0 && number < static_cast<int>(slots.size()) ? &slots[static_cast<std::size_t>(number)] : nullptr;
}
Stage* stage(int number) noexcept {
  Slot* s = slot(number);
  return s ? s->playing.load(std::memory_order_acquire) : nullptr;
}
void send(int number, const NoteEvent& event) noexcept {
  if (Stage* s = stage(number)) s->playing().send(event);
}

struct Sound : public Unit {};

void next(Sound* unit, int frames) {
  float* out[] = {OUT(0), OUT(1)};
  if (Stage* s = stage(static_cast<int>(IN0(0)))) {
    std::array<const float*, SoundInput::most_channels> in = {};
    std::size_t sounds = 0;
    for (; sounds < in.size() && 1 + sounds < unit->mNumInputs && INRATE(1 + sounds) == calc_FullRate; ++sounds)
      in[sounds] = IN(1 + sounds);
    s->process(out, static_cast<std::size_t>(frames), {}, {in.data(), sounds});
    s->playing().clear_ended();
  } else {
    for (float* channel : out) std::fill_n(channel, frames, 0.0f);
  }
}
void construct(Unit* unit) {
  SETCALC(next);
  for (std::uint32_t c = 0; c < 2; ++c) OUT0(c) = 0;  // the first sample is that of the first block
}

// Commands

/// A request to open a scene, on its way through the threads of the server.
struct Opening {
  int number;
  double rate_hz;
  std::string* what;
  Stage* made;
};
bool build(::World*, void* data) {  // not in real time
  auto* o = static_cast<Opening*>(data);
  try {
    auto instrument = open_instrument(*o->what, o->rate_hz);
    if (Stage* there = stage(o->number)) {
      there->collect();
      there->exchange(std::move(instrument));
    } else {
      o->made = new Stage(std::move(instrument));
    }
  } catch (const std::exception& e) {
    Print("jawari_open: %s\n", e.what());
  }
  return true;
}
bool install(::World*, void* data) {  // in real time
  auto* o = static_cast<Opening*>(data);
  if (o->made) slot(o->number)->playing.store(o->made, std::memory_order_release);
  return true;
}
bool finish(::World*, void* data) {
  delete static_cast<Opening*>(data)->what;
  return true;
}
void release(::World* world, void* data) { RTFree(world, data); }

void open(::World* world, void*, sc_msg_iter* args, void* reply) {
  const int number = args->geti(-1);
  const char* what = args->gets("");
  if (!slot(number)) return void(Print("jawari_open: number is %d, but must lie in [0, 63]\n", number));
  auto* o = static_cast<Opening*>(RTAlloc(world, sizeof(Opening)));
  if (!o) return;
  *o = {number, world->mSampleRate, new (std::nothrow) std::string(what), nullptr};
  if (!o->what) return RTFree(world, o);
  DoAsynchronousCommand(world, reply, "jawari_open", o, build, install, finish, release, 0, nullptr);
}
void note(::World*, void*, sc_msg_iter* args, void*) {
  const int number = args->geti(-1);
  NoteEvent e;
  e.key = static_cast<double>(args->getf(-1));
  const double velocity = static_cast<double>(args->getf(0));
  e.channel = static_cast<std::int8_t>(std::clamp(args->geti(1), 1, 16) - 1);
  e.type = velocity > 0 ? NoteEvent::note_on : NoteEvent::note_off;
  e.value = velocity > 0 ? std::clamp((velocity - 1) / 126, 0.0, 1.0) : usual_release;
  send(number, e);
}
void midi(::World*, void*, sc_msg_iter* args, void*) {
  const int number = args->geti(-1);
  Slot* s = slot(number);
  while (s && args->remain() > 0) {
    const auto byte = static_cast<std::uint8_t>(std::clamp(args->geti(0), 0, 255));
    s->midi.feed({&byte, 1}, 0, [&](const NoteEvent& e) { send(number, e); });
  }
}
void set(::World*, void*, sc_msg_iter* args, void*) {
  const int number = args->geti(-1);
  const char* name = args->gets("");
  const double value = static_cast<double>(args->getf(0));
  Stage* s = stage(number);
  if (!s) return;
  const auto control = find_control(s->playing(), name);
  if (!control) return void(Print("jawari_set: there is no control \"%s\"\n", name));
  NoteEvent e;
  e.type = NoteEvent::control;
  e.index = static_cast<std::uint16_t>(*control);
  e.value = value;
  send(number, e);
}
void panic(::World*, void*, sc_msg_iter* args, void*) {
  NoteEvent e;
  e.type = NoteEvent::panic;
  send(args->geti(-1), e);
}

}  // namespace
}  // namespace jawari::plugin

PluginLoad(Jawari) {
  using namespace jawari::plugin;
  ft = inTable;
  DefineUnit("Jawari", sizeof(Sound), construct, nullptr, 0);
  DefinePlugInCmd("jawari_open", open, nullptr);
  DefinePlugInCmd("jawari_note", note, nullptr);
  DefinePlugInCmd("jawari_midi", midi, nullptr);
  DefinePlugInCmd("jawari_set", set, nullptr);
  DefinePlugInCmd("jawari_panic", panic, nullptr);
}
