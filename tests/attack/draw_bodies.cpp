// SPDX-License-Identifier: MIT
// Masses, strings, bars, membranes, plates, tables of modes, hands.
#include "draw.h"
#include "jawari/engine/scene.h"

namespace jawari::attack {
namespace {

double number(const std::string& text) { return std::strtod(text.c_str(), nullptr); }

/// Two decay times, two losses, or none.
void losses(Sketch& s, Part& p, const char* table) {
  Dice& d = s.dice;
  if (d.percent(25)) return;
  if (d.percent(40)) {
    const double f = s.rate / number(d.decades(20, 500));
    const double slow = number(d.decades(2e-3, 10));
    p.set("decay_s", "[" + Dice::number(slow) + ", " + Dice::number(slow / (1.1 + 4 * d.share())) + "]");
    p.set("decay_hz", "[" + Dice::number(f) + ", " + Dice::number(f * 8) + "]");
    return;
  }
  if (d.percent(80)) p.set("sigma0_1_s", s.value(table, "sigma0_1_s", 1e-2, 100));
  if (d.percent(60)) p.set("sigma1_m2_s", s.value(table, "sigma1_m2_s", 1e-6, 1e-2));
}

void mass(Sketch& s) {
  Dice& d = s.dice;
  Part& p = s.add("mass");
  const auto name = s.fresh("m");
  p.name("name", name);
  p.set("mass_kg", s.value("mass", "mass_kg", 1e-4, 1));
  if (d.percent(50)) p.set("position_m", s.either("mass", "position_m", 1e-5, 1e-2));
  if (d.percent(60)) p.set("velocity_m_s", s.either("mass", "velocity_m_s", 1e-2, 10));
  if (d.percent(50)) p.set("spring_N_m", s.value("mass", "spring_N_m", 1, 1e6));
  if (d.percent(20)) p.set("rest_m", s.either("mass", "rest_m", 1e-5, 1e-2));
  if (d.percent(35)) p.set("damper_N_s_m", s.value("mass", "damper_N_s_m", 1e-3, 10));
  if (d.percent(15)) p.set("load_N", s.either("mass", "load_N", 1e-3, 10));
  if (d.percent(25)) p.name("stepping", std::string(d.word(stepping_names)));
  s.bodies.push_back({.kind = "mass", .name = name});
  s.masses.push_back(name);
}

std::string start(Sketch& s, double length) {
  Dice& d = s.dice;
  const auto height = [&] { return s.either("start", "height_m", 1e-5, 5e-3); };
  const double x = length * (0.05 + 0.9 * d.share());
  const double width = 2 * std::min(x, length - x) * (0.1 + 0.89 * d.share());
  const std::string place = "position_m = " + Dice::number(x);
  switch (d.upto(5)) {
    case 0:
      return "{ shape = \"pluck\", " + place + ", height_m = " + height() + " }";
    case 1:
      return "{ shape = \"bump\", " + place + ", width_m = " + Dice::number(width * 0.99) + ", height_m = " + height() +
             " }";
    case 2:
      return "{ shape = \"strike\", " + place + ", width_m = " + Dice::number(width * 0.99) +
             ", velocity_m_s = " + s.either("start", "velocity_m_s", 1e-2, 10) + " }";
    case 3:
      return "{ shape = \"mode\", number = " + std::to_string(d.between(1, 5)) + ", height_m = " + height() + " }";
    default:
      return "{ shape = \"file\", x_m = [" + Dice::number(length * 0.2) + ", " + Dice::number(length * 0.5) + ", " +
             Dice::number(length * 0.9) + "], u_m = [" + height() + ", " + height() + ", " + height() + "] }";
  }
}

void string(Sketch& s) {
  Dice& d = s.dice;
  Part& p = s.add("string");
  const auto name = s.fresh("s");
  p.name("name", name);
  const auto length_text = s.value("string", "length_m", 0.2, 2);
  const double length = number(length_text);
  p.set("length_m", length_text);
  const bool modes = d.percent(40), few = d.percent(25);
  const int nodes = few ? d.between(modes ? 1 : 4, 7) : d.between(8, d.percent(2) ? 120 : 36);  // modes or intervals
  std::string frequency_text = Dice::number(s.step_rate / (2.3 * nodes * (d.percent(50) ? 1 : 1 + 2 * d.share())));
  if (s.width == Width::legal && d.percent(10)) frequency_text = s.value("string", "frequency_hz", 20, 2000);
  const double frequency = number(frequency_text);
  const auto density_text = s.value("string", "density_kg_m", 1e-4, 2e-2);
  const double tension = number(density_text) * 4 * frequency * frequency * length * length;
  const bool round = d.percent(55);
  const bool stretches = d.percent(15);
  if (round) {
    p.set("radius_m", s.value("string", "radius_m", 5e-5, 1e-3));
    if (d.percent(60) && !stretches)
      p.set("young_Pa", "0.0");
    else if (d.percent(40))
      p.set("young_Pa", s.value("string", "young_Pa", 1e9, 2e11));
    if (d.percent(30)) p.set("density_kg_m3", s.value("string", "density_kg_m3", 800, 20000));
    p.set("frequency_hz", frequency_text);
  } else {
    p.set("density_kg_m", density_text);
    if (d.percent(50))
      p.set("frequency_hz", frequency_text);
    else
      p.set("tension_N", Dice::number(tension));
    if (d.percent(50)) p.set("bending_N_m2", Dice::number(tension * length * length * number(d.decades(1e-8, 1e-3))));
    if (stretches || d.percent(20)) p.set("stretching_N", Dice::number(tension * number(d.decades(1, 1e3))));
  }
  if (d.percent(25)) p.set("highest_hz", Dice::number(frequency * (1 + 0.5 * d.share()), 4));
  losses(s, p, "string");
  if (stretches) p.set("tension_modulation", "true");
  if (modes) {
    p.name("method", "modes");
    if (d.percent(30)) p.name("stepping", std::string(d.word(stepping_names)));
    if (d.percent(80)) p.set("modes", std::to_string(nodes));
    if (d.percent(20)) p.set("bandwidth", d.percent(50) ? "0.999" : d.evenly(0.1, 0.99));
  } else {
    if (d.percent(60)) p.name("operator", std::string(d.word(grid_operator_names)));
    if (p.keys.back().second == "\"gamma\"")
      p.set("gamma", d.percent(15) ? s.value("string", "gamma", 1e-2, 10) : d.evenly(-0.2, 1));
    if (d.percent(30)) p.name("loss", std::string(d.word(grid_loss_names)));
    if (d.percent(40)) p.set("intervals", std::to_string(nodes));
  }
  if (d.percent(70)) p.set("start", start(s, length));
  s.bodies.push_back({.kind = "string", .name = name, .length = length, .frequency = frequency, .modes = modes});
}

void bar(Sketch& s) {
  Dice& d = s.dice;
  Part& p = s.add("bar");
  const auto name = s.fresh("b");
  p.name("name", name);
  const auto length = s.value("bar", "length_m", 0.1, 0.6);
  p.set("length_m", length);
  p.set("width_m", s.value("bar", "width_m", 1e-2, 5e-2));
  p.set("thickness_m", s.value("bar", "thickness_m", 1e-3, 1e-2));
  p.set("density_kg_m3", s.value("bar", "density_kg_m3", 500, 9000));
  p.set("young_Pa", s.value("bar", "young_Pa", 1e9, 2e11));
  losses(s, p, "bar");
  if (d.percent(70)) p.set("modes", std::to_string(d.between(1, 12)));
  if (d.percent(70)) p.set("bandwidth", "0.999");
  if (d.percent(70)) p.name("ends", std::string(d.word(ends_names)));
  s.bodies.push_back({.kind = "bar", .name = name, .length = number(length)});
}

/// Circle or rectangle; bounds of its size.
Sketch::Body outline(Sketch& s, Part& p, const char* table, double least, double most) {
  Sketch::Body b;
  if (s.dice.percent(50)) {
    const auto r = s.value(table, "radius_m", least, most);
    p.set("radius_m", r);
    b.radius = number(r);
  } else {
    const auto w = s.value(table, "width_m", least, most), h = s.value(table, "height_m", least, most);
    p.set("width_m", w);
    p.set("height_m", h);
    b.wide = number(w);
    b.high = number(h);
  }
  return b;
}

void surface(Sketch& s, bool stiff) {
  Dice& d = s.dice;
  const char* table = stiff ? "plate" : "membrane";
  Part& p = s.add(table);
  const auto name = s.fresh("p");
  p.name("name", name);
  Sketch::Body b = outline(s, p, table, 0.05, 0.6);
  if (stiff) {
    p.set("thickness_m", s.value(table, "thickness_m", 3e-4, 3e-3));
    if (d.percent(30)) p.set("young_Pa", s.value(table, "young_Pa", 1e9, 2e11));
    if (d.percent(30)) p.set("density_kg_m3", s.value(table, "density_kg_m3", 400, 9000));
    if (d.percent(20)) p.set("poisson", d.evenly(0, 0.49));
  } else {
    p.set("density_kg_m2", s.value(table, "density_kg_m2", 0.05, 2));
    if (d.percent(80))
      p.set("frequency_hz", Dice::number(std::min(s.step_rate / number(d.decades(12, 200)), 9e4)));
    else
      p.set("tension_N_m", s.value(table, "tension_N_m", 100, 1e4));
  }
  losses(s, p, table);
  if (d.percent(80))
    p.set("modes", std::to_string(d.between(1, 20)));
  else
    p.set("bandwidth", d.evenly(0.2, 0.6));
  b.kind = table;
  b.name = name;
  s.bodies.push_back(b);
}

void table(Sketch& s) {
  Dice& d = s.dice;
  Part& p = s.add("modal");
  const auto name = s.fresh("t");
  p.name("name", name);
  std::string f, decay, masses, here, there;
  const bool wide = s.width != Width::usual;
  for (int i = d.between(1, 12); i > 0; --i) {
    const char* comma = f.empty() ? "" : ", ";
    f += comma + Dice::number(s.step_rate * number(d.decades(1e-3, 0.45)));
    decay += comma + (wide ? d.decades(1e-5, 1e3) : d.decades(1e-2, 10));
    masses += comma + (wide ? d.decades(1e-9, 1e3) : d.decades(1e-3, 1));
    here += comma + d.evenly(-1, 1);
    there += comma + (d.percent(10) ? "0.0" : d.evenly(-1, 1));
  }
  p.set("frequencies_hz", "[" + f + "]");
  p.set("decay_s", "[" + decay + "]");
  p.set("masses_kg", "[" + masses + "]");
  p.set("points", "{ here = [" + here + "], there = [" + there + "] }");
  s.bodies.push_back({.kind = "modal", .name = name, .points = {"here", "there"}});
}

void hand(Sketch& s) {
  Dice& d = s.dice;
  Part& p = s.add("hand");
  const auto name = s.fresh("h");
  p.name("name", name);
  if (d.percent(60)) p.set("height_m", s.either("hand", "height_m", 1e-5, 1e-2));
  if (d.percent(30)) {
    std::string list = "0.0";
    double at = 0;
    for (int i = d.between(3, 60); i > 0; --i) {
      at += number(d.evenly(-2e-5, 2e-5));
      list += ", " + Dice::number(at);
    }
    p.set("samples_m", "[" + list + "]");
  }
  s.bodies.push_back({.kind = "hand", .name = name});
  s.hands.push_back(name);
}

}  // namespace

void draw_body(Sketch& s) {
  switch (s.dice.upto(14)) {
    case 0:
    case 1:
    case 2:
      return mass(s);
    case 3:
    case 4:
    case 5:
    case 6:
    case 7:
      return string(s);
    case 8:
      return bar(s);
    case 9:
      return surface(s, false);
    case 10:
      return surface(s, true);
    case 11:
    case 12:
      return table(s);
    default:
      return hand(s);
  }
}

}  // namespace jawari::attack
