// SPDX-License-Identifier: MIT
// Excitations, pickups, events, and settings of every parameter that may change.
#include <algorithm>
#include <cmath>

#include "draw.h"
#include "jawari/engine/world.h"
#include "jawari/io/scene_file.h"

namespace jawari::attack {
namespace {

std::string any(Dice& d, const std::vector<std::string>& names) { return names[d.next() % names.size()]; }

std::string when(Sketch& s) { return s.dice.percent(20) ? "0.0" : Dice::number(500 / s.step_rate * s.dice.share(), 4); }
void lasting(Sketch& s, Part& p, int percent) {
  if (s.dice.percent(percent)) p.set("duration_s", Dice::number(500 / s.step_rate * (0.02 + 1.2 * s.dice.share())));
}

}  // namespace

void draw_excitation(Sketch& s) {
  Dice& d = s.dice;
  const Sketch::Body b = s.any_body();
  Part& p = s.add("excitation");
  p.name("body", b.name);
  if (const auto at = s.location(b); !at.empty()) p.set("at", at);
  const auto type = signal_names[d.next() % 4];  // no sound comes in
  p.name("type", std::string(type));
  if (d.percent(80)) p.set("amplitude_N", s.either("excitation", "amplitude_N", 1e-3, 10));
  if (type == "sine") p.set("frequency_hz", Dice::number(s.rate * (0.001 + 0.48 * d.share())));
  if (d.percent(30)) p.set("start_s", when(s));
  if (type == "pulse" || d.percent(30)) p.set("duration_s", Dice::number(500 / s.step_rate * (0.02 + d.share())));
  if (type == "file") {
    std::string list;
    for (int i = d.between(1, 40); i > 0; --i) list += (list.empty() ? "" : ", ") + d.evenly(-1, 1);
    p.set("samples_N", "[" + list + "]");
  }
}

void draw_pickup(Sketch& s) {
  Dice& d = s.dice;
  Part& p = s.add("pickup");
  if (!s.contacts.empty() && d.percent(35)) {
    p.name("of", any(d, s.contacts));
  } else if (!s.joints.empty() && d.percent(20)) {
    p.name("of", any(d, s.joints));
  } else {
    const Sketch::Body b = s.any_body();
    p.name("of", b.name);
    const bool support = b.kind == "string" && d.percent(40);
    if (support) {
      p.name("quantity", d.percent(50) ? "bridge-force" : "nut-force");
    } else {
      if (const auto at = s.location(b); !at.empty()) p.set("at", at);
      if (d.percent(70)) p.name("quantity", std::string(quantity_names[d.next() % 3]));
    }
  }
  if (d.percent(20)) p.set("gain", s.either("pickup", "gain", 1e-2, 100));
  if (d.percent(20)) p.set("pan", d.evenly(-1, 1));
}

void draw_event(Sketch& s) {
  Dice& d = s.dice;
  Part p{"[[event]]", {}};
  p.set("time_s", when(s));
  const auto say = [&](const char* what, const std::string& target) {
    p.name("do", what);
    p.name("target", target);
  };
  const bool far = s.width == Width::legal && d.percent(20);
  const int kind = d.upto(6);
  if (kind == 0 && !s.masses.empty()) {
    say("strike", any(d, s.masses));
    p.set("velocity_m_s", far ? d.decades(1e-12, 1e4) : d.decades(1e-2, 10));
  } else if (kind == 1 && !s.touches.empty()) {
    const bool pluck = d.percent(50);
    say(pluck ? "pluck" : "press", any(d, s.touches));
    p.set("depth_m", far ? d.decades(1e-12, 1) : d.decades(1e-5, 3e-3));
    lasting(s, p, 70);
  } else if (kind == 2 && !s.touches.empty()) {
    say("release", any(d, s.touches));
    lasting(s, p, 60);
  } else if (kind == 3 && !s.hands.empty()) {
    say("move", any(d, s.hands));
    p.set("height_m", (d.percent(50) ? "-" : "") + (far ? d.decades(1e-12, 1e3) : d.decades(1e-5, 3e-3)));
    lasting(s, p, 80);
  } else {
    const Sketch::Body b = s.any_body();
    if (b.kind == "mass" || b.kind == "hand") return;
    if (kind >= 4) {
      const double factor = 0.7 + (d.percent(20) ? 0.6 : 0.3) * d.share();
      say("retune", b.name);
      p.set("frequency_hz", Dice::number(b.kind == "string" ? b.frequency * factor : factor, 4));
    } else {
      say("damp", b.name);
      p.set("damping_1_s", far ? d.decades(1e-12, 1e5) : d.decades(0.1, 1e3));
    }
    lasting(s, p, 50);
  }
  s.recipe.push_back(p);
}

void draw_settings(Sketch& s) {
  Dice& d = s.dice;
  std::unique_ptr<World> world;
  try {
    SceneFile file = parse_scene(text_of(s.recipe), "attack");
    file.scene.limits = {.memory_MB = 64, .setup_s = 0.3};
    world = compile_world(file.scene, Kernels::off);
  } catch (const InputError&) {
    return;
  }
  const auto& parameters = world->model().parameters;
  if (parameters.empty()) return;
  for (int i = d.between(1, 3); i > 0; --i) {
    const Parameter& k = parameters[d.next() % parameters.size()];
    const auto dot = k.name.rfind('.');
    double value = 0;
    if (s.width == Width::legal && d.percent(20)) {
      value = d.percent(50) ? k.least : k.most;
    } else if (k.start != 0) {
      value = std::clamp(k.start * std::strtod(d.decades(0.1, 10).c_str(), nullptr), k.least, k.most);
      if (d.percent(30)) value = std::clamp(k.start * (0.8 + 0.4 * d.share()), k.least, k.most);
    } else {
      value = std::clamp(std::strtod(d.decades(1e-6, k.least < 0 ? 1e-2 : 100).c_str(), nullptr), k.least, k.most);
    }
    if (k.name.substr(dot) == ".height_m" && d.percent(50))
      value = std::clamp(k.start + std::strtod(d.evenly(-1e-3, 1e-3).c_str(), nullptr), k.least, k.most);
    Part p{"[[event]]", {}};
    p.set("time_s", when(s));
    p.name("do", "set");
    p.name("target", k.name.substr(0, dot));
    p.name("parameter", k.name.substr(dot + 1));
    p.set("value", Dice::number(value, 4));
    lasting(s, p, 65);
    s.recipe.push_back(p);
  }
}

void draw_spreading(Sketch& s) {
  for (Part& p : s.recipe)
    if (p.head == "[[string]]" && p.get("method") != "\"modes\"")
      p.name("spreading", s.dice.percent(80) ? "nearest" : "cubic");
}

/// Notes about the pitch that the string has anyway: copies of it have about as many nodes.
void draw_voice(Sketch& s) {
  Dice& d = s.dice;
  std::vector<std::pair<const Sketch::Body*, Part>> players;
  for (const Part& p : s.recipe) {
    if (p.head != "[[hammer]]" && p.head != "[[plectrum]]") continue;
    for (const auto& b : s.bodies)
      if (b.kind == "string" && p.get("target") == "\"" + b.name + "\"") players.emplace_back(&b, p);
  }
  if (players.empty()) return;
  const auto& [body, player] = players[static_cast<std::size_t>(d.upto(static_cast<int>(players.size())))];
  const bool hammer = player.head == "[[hammer]]";
  Part& voice = s.recipe.emplace_back(Part{"[voice]", {}});
  voice.name("string", body->name);
  voice.set(hammer ? "strike" : "pluck", player.get("name"));
  voice.set("soft", s.value("voice", "soft", hammer ? 0.1 : 1e-5, hammer ? 1 : 1e-3));
  voice.set("loud", s.value("voice", "loud", hammer ? 1 : 1e-4, hammer ? 10 : 1e-2));
  voice.set("tail_s", Dice::number(200 / s.step_rate));
  if (d.percent(40)) voice.set("voices", std::to_string(d.between(1, 3)));
  if (d.percent(40)) voice.set("damping_1_s", s.value("voice", "damping_1_s", 1, 1e3));
  for (const char* key :
       {"length_exponent", "radius_exponent", "mass_exponent", "stiffness_exponent", "decay_exponent"})
    if (d.percent(15)) voice.set(key, d.evenly(-1, 1));
  const int key = static_cast<int>(std::lround(69 + 12 * std::log2(std::max(body->frequency, 10.0) / 440)));
  for (int i = d.between(1, 4); i > 0; --i) {
    Part& note = s.recipe.emplace_back(Part{"[[note]]", {}});
    note.set("pitch", std::to_string(std::clamp(key + d.between(-3, 7), 0, 127)));
    note.set("time_s", Dice::number(300 * d.share() / s.step_rate));
    note.set("duration_s", Dice::number((1 + 200 * d.share()) / s.step_rate));
    if (d.percent(60)) note.set("velocity", d.evenly(0, 1));
  }
}

}  // namespace jawari::attack
