// SPDX-License-Identifier: MIT
// [jawari~ sitar] for Pure Data: a preset, or a scene with [voice], played by messages.  See jawari~-help.pd.
// Messages happen at the start of a block of Pd, 64 samples.  Its second and third inlet take sound that comes in.
#include <m_pd.h>

#include <algorithm>
#include <cmath>
#include <exception>
#include <memory>
#include <string>

#include "../core/open_instrument.h"
#include "jawari/instrument/midi_input.h"
#include "jawari/instrument/stage.h"

namespace jawari::plugin {
namespace {

t_class* pd_class = nullptr;

struct Player {
  std::string what, folder;
  std::unique_ptr<Stage> stage;
  MidiInput midi;
};
struct Object {
  t_object object;
  t_outlet* outlets[2];
  Player* player;
};

template <class Action>
void guarded(Object* x, Action&& action) noexcept {
  try {
    action();
  } catch (const std::exception& e) {
    pd_error(x, "jawari~: %s", e.what());
  }
}
/// At this rate; the one that plays goes on at another.
void open(Object* x, const std::string& what, double rate_hz) {
  Player& p = *x->player;
  auto instrument = open_instrument(what, rate_hz, p.folder);
  if (p.stage && p.stage->rate_hz() == rate_hz)
    p.stage->exchange(std::move(instrument));
  else
    p.stage = std::make_unique<Stage>(std::move(instrument));
  p.what = what;
}
void send(Object* x, const NoteEvent& event) {
  if (x->player->stage) x->player->stage->playing().send(event);
}
std::string word(const t_atom& a) { return a.a_type == A_SYMBOL ? atom_getsymbol(&a)->s_name : ""; }

// Messages

void midi(Object* x, t_symbol*, int count, t_atom* list) {
  for (int i = 0; i < count; ++i) {
    const auto byte = static_cast<std::uint8_t>(std::clamp(atom_getfloat(&list[i]), 0.0f, 255.0f));
    x->player->midi.feed({&byte, 1}, 0, [&](const NoteEvent& e) { send(x, e); });
  }
}
/// Key, velocity from 0 (up) to 127, channel from 1 on: what [notein] gives.  Keys may lie between semitones.
void note(Object* x, t_symbol*, int count, t_atom* list) {
  if (count < 2) return pd_error(x, "jawari~: note needs a key and a velocity");
  const float velocity = atom_getfloat(&list[1]);
  NoteEvent e;
  e.type = velocity > 0 ? NoteEvent::note_on : NoteEvent::note_off;
  e.key = static_cast<double>(atom_getfloat(&list[0]));
  e.channel = static_cast<std::int8_t>(count > 2 ? std::clamp(atom_getfloat(&list[2]), 1.0f, 16.0f) - 1 : 0);
  e.value = velocity > 0 ? std::clamp((static_cast<double>(velocity) - 1) / 126, 0.0, 1.0) : usual_release;
  send(x, e);
}
/// Semitones, of a channel.
void tune_notes(Object* x, t_symbol*, int count, t_atom* list) {
  NoteEvent e;
  e.type = NoteEvent::tuning;
  e.value = count > 0 ? static_cast<double>(atom_getfloat(&list[0])) : 0;
  e.channel = static_cast<std::int8_t>(count > 1 ? std::clamp(atom_getfloat(&list[1]), 1.0f, 16.0f) - 1 : -1);
  send(x, e);
}
/// Several words may make the name of a control: set bridge height -0.1
void set(Object* x, t_symbol*, int count, t_atom* list) {
  if (!x->player->stage) return;
  std::string name;
  for (int i = 0; i + 1 < count; ++i) name += (i > 0 ? " " : "") + word(list[i]);
  const Instrument& instrument = x->player->stage->playing();
  const auto control = find_control(instrument, name);
  if (!control || count < 2)
    return pd_error(x, "jawari~: there is no control \"%s\"; ask with \"controls\"", name.c_str());
  NoteEvent e;
  e.type = NoteEvent::control;
  e.index = static_cast<std::uint16_t>(*control);
  e.value = static_cast<double>(atom_getfloat(&list[count - 1]));
  send(x, e);
}
void controls(Object* x) {
  if (!x->player->stage) return;
  const Instrument& instrument = x->player->stage->playing();
  for (std::size_t i = 0; i < instrument.controls().size(); ++i) {
    const ControlInfo& c = instrument.controls()[i];
    post("%s: %g, from %g to %g %s. %s", c.name.c_str(), instrument.control(i), c.least, c.most, c.unit.c_str(),
         c.text.c_str());
  }
}
void tuning(Object* x, t_symbol*, int count, t_atom* list) {
  guarded(x, [&] {
    const auto number = [&](int i, double usual) {
      return count > i ? static_cast<double>(atom_getfloat(&list[i])) : usual;
    };
    const KeyTuning t =
        tuning_by_name(count > 0 ? word(list[0]) : "12-tet", static_cast<int>(number(1, 60)), number(2, 440));
    if (x->player->stage) x->player->stage->playing().set_tuning(t);
  });
}
/// Another preset or scene, with a fade of 20 ms.
void scene(Object* x, t_symbol*, int count, t_atom* list) {
  std::string name;
  for (int i = 0; i < count; ++i) name += (i > 0 ? " " : "") + word(list[i]);
  guarded(x, [&] { open(x, name, x->player->stage ? x->player->stage->rate_hz() : static_cast<double>(sys_getsr())); });
}
void panic(Object* x) {
  NoteEvent e;
  e.type = NoteEvent::panic;
  send(x, e);
}

// Sound

t_int* perform(t_int* w) {
  auto* x = reinterpret_cast<Object*>(w[1]);
  const float* in[] = {reinterpret_cast<const float*>(w[2]), reinterpret_cast<const float*>(w[3])};
  float* out[] = {reinterpret_cast<float*>(w[4]), reinterpret_cast<float*>(w[5])};
  const auto frames = static_cast<std::size_t>(w[6]);
  if (x->player->stage) {
    x->player->stage->process(out, frames, {}, {in, x->player->stage->playing().engine().input().channels()});
    x->player->stage->collect();  // Pd has one thread
  } else {
    for (float* channel : out) std::fill_n(channel, frames, 0.0f);
  }
  return w + 7;
}
void dsp(Object* x, t_signal** signals) {
  const auto rate_hz = static_cast<double>(signals[0]->s_sr);
  if (x->player->stage && x->player->stage->rate_hz() != rate_hz)
    guarded(x, [&] { open(x, x->player->what, rate_hz); });
  dsp_add(perform, 6, x, signals[0]->s_vec, signals[1]->s_vec, signals[2]->s_vec, signals[3]->s_vec,
          static_cast<t_int>(signals[0]->s_n));
}

void* create(t_symbol*, int count, t_atom* list) {
  auto* x = reinterpret_cast<Object*>(pd_new(pd_class));
  x->player = nullptr;
  for (int i = 0; i < 2; ++i) inlet_new(&x->object, &x->object.ob_pd, &s_signal, &s_signal);
  for (auto*& outlet : x->outlets) outlet = outlet_new(&x->object, &s_signal);
  try {
    x->player = new Player;
    x->player->folder = canvas_getcurrentdir()->s_name;
    std::string what;
    for (int i = 0; i < count; ++i) what += (i > 0 ? " " : "") + word(list[i]);
    open(x, what.empty() ? "tanpura" : what, static_cast<double>(sys_getsr()));
  } catch (const std::exception& e) {
    pd_error(x, "jawari~: %s", e.what());
  }
  return x;
}
void destroy(Object* x) { delete x->player; }

}  // namespace
}  // namespace jawari::plugin

extern "C" __attribute__((visibility("default"))) void jawari_tilde_setup() {
  using namespace jawari::plugin;
  const auto method = [](auto* f) { return reinterpret_cast<t_method>(f); };
  pd_class = class_new(gensym("jawari~"), reinterpret_cast<t_newmethod>(method(create)), method(destroy),
                       sizeof(Object), CLASS_DEFAULT, A_GIMME, 0);
  class_addmethod(pd_class, method(dsp), gensym("dsp"), A_CANT, 0);
  class_addlist(pd_class, method(note));
  class_addmethod(pd_class, method(note), gensym("note"), A_GIMME, 0);
  class_addmethod(pd_class, method(midi), gensym("midi"), A_GIMME, 0);
  class_addmethod(pd_class, method(tune_notes), gensym("tune"), A_GIMME, 0);
  class_addmethod(pd_class, method(set), gensym("set"), A_GIMME, 0);
  class_addmethod(pd_class, method(controls), gensym("controls"), A_NULL);
  class_addmethod(pd_class, method(tuning), gensym("tuning"), A_GIMME, 0);
  class_addmethod(pd_class, method(scene), gensym("scene"), A_GIMME, 0);
  class_addmethod(pd_class, method(panic), gensym("panic"), A_NULL);
}
