// SPDX-License-Identifier: MIT
// What the tables of a scene file hold, said once for those who write scenes and for those who list keys.  A visitor
// gets every key with its value: numbers by their Field tables, the rest here.  A new key that is a number appears by
// itself; any other is a line in describe(), a new kind of body a describe() and a line in describe_parts().
// tests/unit/scene_writer.cpp compares with what the reader takes.
#pragma once
#include "jawari/engine/scene.h"
#include "jawari/io/scene_keys.h"

namespace jawari {

inline constexpr bool required_key = true;

template <class V>
void describe_decay(V& v, const std::vector<DecayTime>& decay) {
  std::vector<double> times, frequencies;
  for (const auto& d : decay) {
    times.push_back(d.seconds);
    frequencies.push_back(d.frequency_hz);
  }
  v.list("decay_s", times, "s", "two decay times, 60 dB, instead of sigma0_1_s and sigma1_m2_s");
  v.list("decay_hz", frequencies, "Hz", "at these frequencies");
}

template <class V>
void describe(V& v, const MassSpec& s) {
  v.text("name", s.name, "a name of its own", required_key);
  v.template numbers<MassSpec>(mass_fields, s);
  v.word("stepping", stepping_names, s.stepping, "exact", "how spring and damper are stepped");
}

template <class V>
void describe(V& v, const StartSpec& s) {
  if (s.shape == StartShape::function)
    throw InputError("start.shape", "start.shape is a function, which a scene file cannot say; give a profile");
  v.word("shape", start_names, s.shape, {}, "how the string begins", required_key);
  v.template numbers<StartSpec>(start_fields, s);
  v.list("x_m", s.x_m, "m", "of shape \"file\" without a file: positions");
  v.list("u_m", s.u_m, "m", "of shape \"file\" without a file: heights, straight between the positions");
  v.file("two columns, x and height in metres");
}

template <class V>
void describe(V& v, const StringSpec& s) {
  v.text("name", s.name, "a name of its own", required_key);
  const bool grid = s.method != StringMethod::modes;
  const auto wanted = [&](std::string_view key) {  // what the other method takes is refused, even if it is not used
    const bool of_grid = key == "gamma" || key == "intervals", of_modes = key == "modes" || key == "bandwidth";
    return v.lists() || !(grid ? of_modes : of_grid);
  };
  v.template numbers<StringSpec>(string_fields, s, wanted);
  describe_decay(v, s.decay);
  v.flag("tension_modulation", s.tension_modulation, "adds the tension of its own stretching");
  v.word("method", string_method_names, s.method, "auto",
         "finite differences, exact modes, or the better for the string");
  if (grid || v.lists()) {
    v.word("operator", grid_operator_names, s.op, "explicit", "of the grid");
    v.word("loss", grid_loss_names, s.centred_loss ? 1 : 0, "explicit", "grid: how sigma1_m2_s is stepped");
    v.word("spreading", grid_spreading_names, s.nearest_node ? 1 : 0, "cubic",
           "grid: how a place between nodes is read and pushed");
  }
  if (!grid || v.lists()) v.word("stepping", stepping_names, s.stepping, "constant", "of the modes");
  if (s.start.shape != StartShape::rest || v.lists()) v.table("start", s.start, "how it begins; at rest if absent");
}

template <class V>
void describe(V& v, const BarrierSpec& s) {
  if (s.shape == BarrierShape::function)
    throw InputError("barrier.shape", "barrier.shape is a function, which a scene file cannot say; give a profile");
  v.text("name", s.name, "by default the name of the string and \"-barrier\"");
  v.text("string", s.string, "the name of the string that meets it", required_key);
  v.text("on", s.on, "a mass or hand that carries it");
  v.word("side", side_names, s.above ? 1 : 0, "below", "where it is, seen from the string");
  v.word("shape", barrier_names, s.shape, {}, "where its surface is", required_key);
  v.template numbers<BarrierSpec>(barrier_fields, s);
  v.list("coefficients", s.coefficients, "", "of a polynomial in x, from the constant on");
  v.list("positions_m", s.x_m, "m", "of points, or of shape \"file\" without a file");
  v.list("heights_m", s.heights_m, "m", "at these positions, where they differ");
  if (v.lists()) v.number({"position_m", "x", "m", above(0), at_most(1e4), 0.0, "of shape \"point\""}, 0);
  v.file("two columns, x and height in metres");
  v.law(s.law, s.per_length, true);
  v.scheme(s.scheme);
}

/// A line of contact points as a file says it: straight on either body, from the first to the last.
struct LineEnds {
  std::optional<Location> lower_from = {}, lower_to = {}, upper_from = {}, upper_to = {};
  double points = 0;
};
inline LineEnds ends_of(const std::vector<std::array<Location, 2>>& line) {
  if (line.empty()) return {};
  const auto same = [](const Location& a, const Location& b) { return a.x_m == b.x_m && a.y_m == b.y_m; };
  LineEnds e{line.front()[0], line.back()[0], line.front()[1], line.back()[1], static_cast<double>(line.size())};
  if (same(*e.lower_from, *e.lower_to)) e.lower_to.reset();  // the other one is the longer
  if (same(*e.upper_from, *e.upper_to)) e.upper_to.reset();
  return e;
}
template <class V>
void describe(V& v, const LineEnds& e) {
  v.number({"points", "", "", at_least(2), at_most(10000), required, "of contact"}, e.points);
  v.spot("lower_from", e.lower_from, "the first point on the lower body");
  v.spot("lower_to", e.lower_to, "the last");
  v.spot("upper_from", e.upper_from, "the first point on the upper body");
  v.spot("upper_to", e.upper_to, "the last");
}

template <class V>
void describe(V& v, const ContactSpec& s) {
  v.text("name", s.name, "by default \"lower-upper\"");
  v.names("bodies", s.bodies, "lower and upper body, one of which may be \"wall\"");
  v.template numbers<ContactSpec>(contact_fields, s);
  if (v.lists()) v.spot("at", {}, "where on both bodies");
  v.spot("lower_at", s.at[0], "where on the lower body");
  v.spot("upper_at", s.at[1], "where on the upper body");
  if (!s.line.empty() || v.lists()) v.table("line", ends_of(s.line), "many points of contact instead of one");
  v.law(s.law, s.weight_m > 0, true);
  v.scheme(s.scheme);
}

template <class V>
void describe(V& v, ExcitationSpec s) {
  if (s.type == SignalType::samples) s.amplitude_N = 1;  // they are multiplied already
  v.text("body", s.body, "the name of the body it pushes", required_key);
  v.word("type", signal_names, s.type, "constant", "course of the force");
  v.template numbers<ExcitationSpec>(excitation_fields, s);
  v.spot("at", s.at, "where on the body");
  v.list("samples_N", s.samples_N, "N", "of type \"file\" without a file: one value per time step, times amplitude_N");
  v.file("one value per line, or a sound file at the same rate; times amplitude_N");
}

template <class V>
void describe(V& v, const PickupSpec& s) {
  v.text("name", s.name, "of its channel; by default made of the rest");
  v.text("of", s.of, "the name of a body, contact or barrier", required_key);
  v.word("quantity", quantity_names, s.quantity, {}, "what is heard; a contact has force only");
  v.template numbers<PickupSpec>(pickup_fields, s);
  v.spot("at", s.at, "where on the body");
}

template <class V>
void describe(V& v, const Scene& s) {
  v.text("title", s.title, "of reports");
  v.template numbers<Scene>(scene_fields, s);
  if (s.quality || v.lists())
    v.word("quality", quality_names, s.quality.value_or(Quality::draft), {},
           "how finely it is computed; by default standard where it is rendered, draft where it is played");
}

}  // namespace jawari
