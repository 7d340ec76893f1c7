// SPDX-License-Identifier: MIT
// Barriers, contacts, connections, friction, hands and preparations.
#include <algorithm>

#include "draw.h"
#include "jawari/engine/scene.h"

namespace jawari::attack {
namespace {

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

void place(Sketch& s, Part& p, const Sketch::Body& b, const char* key) {
  if (const auto at = s.location(b); !at.empty()) p.set(key, at);
}

/// Two bodies, or one and the wall.
void pair(Sketch& s, Part& p) {
  Dice& d = s.dice;
  const Sketch::Body a = s.any_body();
  Sketch::Body b = d.percent(30) ? Sketch::Body{.kind = "wall", .name = "wall"} : s.any_body();
  if (a.name == b.name) b = {.kind = "wall", .name = "wall"};
  const auto held = [](const Sketch::Body& x) { return x.kind == "wall" || x.kind == "hand"; };
  for (int tries = 0; held(a) && (held(b) || a.name == b.name) && tries < 5; ++tries) b = s.any_body();
  const bool turned = d.percent(50);
  const auto &lower = turned ? b : a, &upper = turned ? a : b;
  p.set("bodies", "[\"" + lower.name + "\", \"" + upper.name + "\"]");
  place(s, p, lower, "lower_at");
  place(s, p, upper, "upper_at");
  const bool line = lower.length > 0 && upper.length > 0 && p.head == "[[contact]]" && d.percent(30);
  if (line)
    p.set("line", "{ points = " + std::to_string(d.between(2, 10)) + ", lower_from = " +
                      Dice::number(0.1 * lower.length) + ", lower_to = " + Dice::number(0.9 * lower.length) +
                      ", upper_from = " + Dice::number(0.2 * upper.length) +
                      ", upper_to = " + Dice::number(0.8 * upper.length) + " }");
}

/// Name, target and place of a gesture on a body.
const Sketch::Body aim(Sketch& s, Part& p, const std::string& name) {
  const Sketch::Body target = s.any_body();
  p.name("name", name);
  p.name("target", target.name);
  place(s, p, target, "at");
  return target;
}

void fret(Sketch& s, const char* kind) {
  for (const auto& b : s.bodies) {
    if (b.kind != "string") continue;
    const Sketch::Body string = b;
    const auto name = s.fresh("f");
    Part& p = s.add(kind);
    p.name("name", name);
    p.name("string", string.name);
    p.set("position_m", s.location(string));
    if (s.dice.percent(80)) p.set("height_m", s.either("fret", "height_m", 1e-5, 2e-3));
    s.law_and_scheme(p, 1e4, 1e9);
    s.contacts.push_back(name);
    return;
  }
}

void snare(Sketch& s) {
  Dice& d = s.dice;
  for (const auto& b : s.bodies) {
    if (b.kind != "membrane") continue;
    const Sketch::Body skin = b;
    const double size = skin.radius > 0 ? skin.radius : std::min(skin.wide, skin.high);
    Part& p = s.add("snare");
    p.name("name", s.fresh("w"));
    p.name("target", skin.name);
    const double length = size * (0.3 + 0.6 * d.share()), density = number(d.decades(1e-4, 1e-2));
    const double f = s.step_rate / number(d.decades(20, 100));
    p.set("wires", std::to_string(d.between(1, 3)));
    p.set("length_m", Dice::number(length));
    p.set("spacing_m", Dice::number(0.05 * size));
    p.set("tension_N", Dice::number(density * 4 * f * f * length * length));
    p.set("density_kg_m", Dice::number(density));
    if (d.percent(60)) p.set("sigma0_1_s", s.value("snare", "sigma0_1_s", 0.1, 100));
    p.set("points", std::to_string(d.between(1, 8)));
    if (d.percent(50)) p.set("gap_m", d.percent(30) ? "-" + d.decades(1e-6, 1e-4) : d.decades(1e-6, 1e-3));
    s.law_and_scheme(p, 1e4, 1e9);
    return;
  }
}

}  // namespace

void draw_barrier(Sketch& s, const Sketch::Body& string) {
  Dice& d = s.dice;
  std::string carrier;
  if (d.percent(15))
    for (const auto& b : s.bodies)
      if (b.kind == "mass" || b.kind == "hand") carrier = b.name;
  Part& p = s.add("barrier");
  const auto name = s.fresh("r");
  p.name("name", name);
  p.name("string", string.name);
  if (!carrier.empty()) p.name("on", carrier);
  if (d.percent(20)) p.name("side", "above");
  const auto height = [&] { return d.percent(25) ? std::string("0.0") : s.either("barrier", "height_m", 1e-5, 3e-3); };
  const int shape = d.upto(8);
  const double L = string.length;
  bool extent = true;
  if (shape <= 2) {
    p.name("shape", "flat");
    p.set("height_m", height());
  } else if (shape == 3) {
    p.name("shape", "parabola");
    p.set("height_m", height());
    p.set("centre_m", Dice::number(L * d.share()));
    p.set("curvature_1_m", s.either("barrier", "curvature_1_m", 1e-2, 10));
  } else if (shape == 4) {
    p.name("shape", "polynomial");
    p.set("coefficients", "[" + height() + ", " + d.evenly(-1e-2, 1e-2) + ", " + d.evenly(-1e-2, 1e-2) + "]");
  } else if (shape == 5) {
    p.name("shape", "point");
    p.set("position_m", s.location(string));
    p.set("height_m", height());
    extent = false;
  } else if (shape == 6) {
    p.name("shape", "points");
    extent = false;
    p.set("positions_m",
          "[" + Dice::number(0.2 * L) + ", " + Dice::number(0.4 * L) + ", " + Dice::number(0.75 * L) + "]");
    if (d.percent(50))
      p.set("heights_m", "[" + height() + ", " + height() + ", " + height() + "]");
    else
      p.set("height_m", height());
  } else {
    p.name("shape", "file");
    p.set("positions_m", "[0.0, " + Dice::number(0.5 * L) + ", " + Dice::number(L) + "]");
    p.set("heights_m", "[" + height() + ", " + height() + ", " + height() + "]");
  }
  if (extent && d.percent(40)) {
    const double a = 0.8 * L * d.share(), b = a + (L - a) * (0.2 + 0.79 * d.share());
    p.set("from_m", Dice::number(a));
    p.set("to_m", Dice::number(b * 0.999));
  }
  if (extent && string.modes && d.percent(40)) p.set("points", std::to_string(d.between(1, 40)));
  const bool per_length = extent && d.percent(80);
  s.law_and_scheme(p, per_length ? 1e6 : 1e4, per_length ? 1e11 : 1e9, per_length);
  s.contacts.push_back(name);
}

void draw_joint(Sketch& s) {
  Dice& d = s.dice;
  const int kind = d.upto(100);
  const auto name = s.fresh("c");
  if (kind < 50) {
    Part& p = s.add("contact");
    p.name("name", name);
    pair(s, p);
    if (d.percent(70)) p.set("height_m", s.either("contact", "height_m", 1e-6, 3e-3));
    const bool line = p.keys.back().first == "line" ||
                      std::any_of(p.keys.begin(), p.keys.end(), [](auto& k) { return k.first == "line"; });
    s.law_and_scheme(p, 1e3, 1e10, line && d.percent(50));
    s.contacts.push_back(name);
  } else if (kind < 75) {
    Part& p = s.add("connection");
    p.name("name", name);
    pair(s, p);
    if (d.percent(85)) p.set("stiffness_N_m", s.value("connection", "stiffness_N_m", 10, 1e7));
    if (d.percent(50)) p.set("damping_N_s_m", s.value("connection", "damping_N_s_m", 1e-3, 100));
    if (d.percent(30)) p.set("rest_m", s.either("connection", "rest_m", 1e-5, 1e-2));
    s.joints.push_back(name);
  } else {
    Part& p = s.add("friction");
    p.name("name", name);
    pair(s, p);
    p.set("coefficient", s.value("friction", "coefficient", 1e-2, 1));
    if (!s.contacts.empty() && d.percent(50))
      p.name("normal", s.contacts[d.next() % s.contacts.size()]);
    else
      p.set("normal_N", s.value("friction", "normal_N", 1e-3, 100));
    s.joints.push_back(name);
  }
}

void draw_gesture(Sketch& s) {
  Dice& d = s.dice;
  switch (d.upto(10)) {
    case 0:
    case 1: {
      Part& p = s.add("hammer");
      const auto name = s.fresh("q");
      const auto target = aim(s, p, name);
      if (d.percent(40)) p.name("side", "above");
      p.set("mass_kg", s.value("hammer", "mass_kg", 1e-4, 0.1));
      if (d.percent(70)) p.set("velocity_m_s", s.value("hammer", "velocity_m_s", 0.1, 10));
      s.law_and_scheme(p, 1e5, 1e9);
      s.masses.push_back(name);
      s.contacts.push_back(name + "-" + target.name);
      return;
    }
    case 2:
    case 3: {
      const bool finger = d.percent(50);
      Part& p = s.add(finger ? "finger" : "plectrum");
      const auto name = s.fresh("z");
      const auto target = aim(s, p, name);
      if (d.percent(40)) p.name("side", d.percent(50) ? "above" : "below");
      if (d.percent(40)) p.set("away_m", s.value(finger ? "finger" : "plectrum", "away_m", 1e-4, 1e-2));
      if (finger && d.percent(40)) p.set("start_m", s.value("finger", "start_m", 1e-5, 1e-3));
      s.law_and_scheme(p, 1e4, 1e8);
      s.touches.push_back(name);
      s.hands.push_back(name);
      s.contacts.push_back(name + "-" + target.name);
      return;
    }
    case 4: {
      Part& p = s.add("rattle");
      const auto name = s.fresh("l");
      const auto target = aim(s, p, name);
      p.set("mass_kg", s.value("rattle", "mass_kg", 1e-5, 1e-2));
      if (d.percent(60)) p.set("gap_m", s.value("rattle", "gap_m", 1e-6, 1e-3));
      if (d.percent(50)) p.set("hold_N", s.value("rattle", "hold_N", 1e-3, 1));
      s.law_and_scheme(p, 1e4, 1e9);
      if (p.keys.end() != std::find_if(p.keys.begin(), p.keys.end(), [](auto& k) { return k.first == "gap_m"; })) {
        p.set("law",
              "{ type = \"power\", stiffness = " + d.decades(1e4, 1e9) + ", exponent = " + d.evenly(1, 3) + " }");
        std::erase_if(p.keys, [](auto& k) { return k.first == "scheme"; });
      }
      s.masses.push_back(name);
      s.contacts.push_back(name + "-" + target.name);
      return;
    }
    case 5: {
      Part& p = s.add("bolt");
      const auto name = s.fresh("o");
      aim(s, p, name);
      p.set("mass_kg", s.value("bolt", "mass_kg", 1e-4, 1e-1));
      if (d.percent(60)) p.set("stiffness_N_m", s.value("bolt", "stiffness_N_m", 1e3, 1e8));
      if (d.percent(60)) p.set("damping_N_s_m", s.value("bolt", "damping_N_s_m", 1e-2, 100));
      return;
    }
    case 6: {
      Part& p = s.add("rubber");
      aim(s, p, s.fresh("g"));
      if (d.percent(80)) p.set("stiffness_N_m", s.value("rubber", "stiffness_N_m", 1e2, 1e7));
      if (d.percent(60)) p.set("damping_N_s_m", s.value("rubber", "damping_N_s_m", 1e-3, 100));
      return;
    }
    case 7:
      return fret(s, "fret");
    case 8:
      return fret(s, "thread");
    default:
      return snare(s);
  }
}

}  // namespace jawari::attack
