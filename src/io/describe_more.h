// SPDX-License-Identifier: MIT
// What the tables of bodies and gestures hold, and the list of all parts of a scene; see describe.h.
#pragma once
#include "describe.h"

namespace jawari {

template <class V, class Spec>
void describe_modes(V& v, const Spec& s, std::span<const Field<Spec>> fields) {
  v.text("name", s.name, "a name of its own", required_key);
  v.template numbers<Spec>(fields, s);
  describe_decay(v, s.decay);
}
template <class V>
void describe(V& v, const BarSpec& s) {
  describe_modes<V, BarSpec>(v, s, bar_fields);
  v.word("ends", ends_names, s.ends, "free", "how its ends are held");
}
template <class V>
void describe(V& v, const MembraneSpec& s) {
  describe_modes<V, MembraneSpec>(v, s, membrane_fields);
}
template <class V>
void describe(V& v, const PlateSpec& s) {
  describe_modes<V, PlateSpec>(v, s, plate_fields);
}
template <class V>
void describe(V& v, const ModalSpec& s) {
  v.text("name", s.name, "a name of its own", required_key);
  v.list("frequencies_hz", s.frequencies_hz, "Hz", "of the modes");
  v.list("decay_s", s.decay_s, "s", "time for 60 dB of every mode");
  v.list("masses_kg", s.masses_kg, "kg", "of the modes");
  v.points("points", s.points, "named points: the shape of every mode there");
}
template <class V>
void describe(V& v, const HandSpec& s) {
  v.text("name", s.name, "a name of its own", required_key);
  v.template numbers<HandSpec>(hand_fields, s);
  v.list("samples_m", s.samples_m, "m", "added to its height, one value per time step");
  v.file("the same from a file: one value per line, or a sound file at the same rate");
}

inline constexpr Param along{"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, "where along the body"};
template <class V>
void describe_place(V& v, const Location& at) {
  if (v.lists()) v.number(along, 0);
  v.spot("at", at, "where on the body: x, [x, y] or the name of a point");
}
template <class V, class Spec>
void describe_pair(V& v, const Spec& s) {
  v.text("name", s.name, "by default \"lower-upper\"");
  v.names("bodies", s.bodies, "lower and upper body, one of which may be \"wall\"");
  if (v.lists()) describe_place(v, {});
  v.spot("lower_at", s.at[0], "where on the lower body");
  v.spot("upper_at", s.at[1], "where on the upper body");
}
template <class V>
void describe(V& v, const ConnectionSpec& s) {
  describe_pair(v, s);
  v.template numbers<ConnectionSpec>(connection_fields, s);
}
template <class V>
void describe(V& v, const FrictionSpec& s) {
  describe_pair(v, s);
  v.template numbers<FrictionSpec>(friction_fields, s);
  v.text("normal", s.normal, "a contact or barrier whose force presses");
}

template <class V, class Spec>
void describe_aim(V& v, const Spec& s) {
  v.text("name", s.name, "a name of its own", required_key);
  v.text("target", s.target, "the name of a body", required_key);
  if constexpr (requires { s.at; }) describe_place(v, s.at);
}
template <class V>
void describe(V& v, const HammerSpec& s) {
  describe_aim(v, s);
  v.word("side", side_names, s.above ? 1 : 0, "below", "where it comes from");
  v.template numbers<HammerSpec>(hammer_fields, s);
  v.law(s.law, false, false);
  v.scheme(s.scheme);
}
template <class V>
void describe_touch(V& v, const TouchSpec& s, std::span<const Field<TouchSpec>> fields, std::string_view usual) {
  describe_aim(v, s);
  v.word("side", side_names, s.above ? 1 : 0, usual, "where it comes from");
  v.template numbers<TouchSpec>(fields, s);
  v.law(s.law, false, false);
  v.scheme(s.scheme);
}
template <class V>
void describe(V& v, const RattleSpec& s) {
  describe_aim(v, s);
  v.template numbers<RattleSpec>(rattle_fields, s);
  v.law(s.law, false, false);
  v.scheme(s.scheme);
}
template <class V>
void describe(V& v, const BoltSpec& s) {
  describe_aim(v, s);
  v.template numbers<BoltSpec>(bolt_fields, s);
}
template <class V>
void describe(V& v, const RubberSpec& s) {
  describe_aim(v, s);
  v.template numbers<RubberSpec>(rubber_fields, s);
}
template <class V>
void describe(V& v, const FretSpec& s) {
  v.text("name", s.name, "a name of its own", required_key);
  v.text("string", s.string, "the name of a string", required_key);
  v.template numbers<FretSpec>(fret_fields, s);
  v.law(s.law, false, false);
  v.scheme(s.scheme);
}
template <class V>
void describe(V& v, const SnareSpec& s) {
  describe_aim(v, s);
  v.template numbers<SnareSpec>(snare_fields, s);
  v.law(s.law, false, false);
  v.scheme(s.scheme);
}

template <class V>
void describe(V& v, const EventSpec& s) {
  v.word("do", event_names, s.type, {}, "what happens", required_key);
  v.text("target", s.target, "the name of a body; of set: of what owns the parameter", required_key);
  v.template numbers<EventSpec>(event_fields, s);
  if (v.lists()) {
    static constexpr std::string_view says[] = {
        "strike: speed [m/s]", "pluck, press: depth [m]",       "",          "", "damp: added decay [1/s]",
        "move: height [m]",    "retune: lowest frequency [Hz]", "set: value"};
    for (std::size_t i = 0; i < std::size(says); ++i)
      if (!says[i].empty()) v.number({event_value_keys[i], "", "", at_least(-1e25), at_most(1e25), 0.0, says[i]}, 0);
  } else if (const auto key = event_value_keys[static_cast<std::size_t>(s.type)]; !key.empty()) {
    v.number({key, "", "", at_least(-1e25), at_most(1e25), required, ""}, s.value);
  }
  v.text("parameter", s.parameter, "set: the name of a parameter that may change");
}

template <class V>
void describe_parts(V& v, const Scene& s) {
  v.part("mass", s.masses, "A point mass, with or without a spring and a damper to the ground.");
  v.part("string", s.strings, "A stiff string with losses between two supports.");
  v.part("barrier", s.barriers, "What a string meets along its length, or in points.");
  v.part("bar", s.bars, "A bar, made of its modes.");
  v.part("membrane", s.membranes, "A membrane, circle or rectangle, made of its modes.");
  v.part("plate", s.plates, "A plate, circle or rectangle, made of its modes.");
  v.part("modal", s.modals, "A measured object or a soundboard: modes, and their shapes at named points.");
  v.part("hand", s.hands, "A point that is moved, by events or by a list of positions.");
  v.part("contact", s.contacts, "Where two bodies, or a body and a wall, touch.");
  v.part("connection", s.connections, "A spring with a damper between two bodies, or a body and the wall.");
  v.part("friction", s.frictions, "Dry friction between two bodies that move along one another.");
  v.part("hammer", s.hammers, "A mass thrown at a body, with felt between.");
  v.part("plectrum", s.plectrums, "A point that plucks a body, moved by events.",
         [](auto& w, const TouchSpec& t) { describe_touch(w, t, plectrum_fields, "below"); });
  v.part("finger", s.fingers, "A point that presses on a body, moved by events.",
         [](auto& w, const TouchSpec& t) { describe_touch(w, t, finger_fields, "above"); });
  v.part("rattle", s.rattles, "A loose piece on a body.");
  v.part("bolt", s.bolts, "A mass screwed to a body: a stiff spring and a damper between.");
  v.part("rubber", s.rubbers, "Rubber, felt, cloth between a body and the frame.");
  v.part("fret", s.frets, "A fret: a point below a string.");
  v.part("thread", s.threads, "A thread: a point below a string.");
  v.part("snare", s.snares, "Wires stretched along a membrane.");
  v.part("event", s.events, "What happens when.");
  v.part("excitation", s.excitations, "A force on a body.");
  v.part("pickup", s.pickups, "What is heard.");
}

}  // namespace jawari
