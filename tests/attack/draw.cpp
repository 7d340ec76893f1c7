// SPDX-License-Identifier: MIT
#include "draw.h"

#include <algorithm>

#include "jawari/engine/scene.h"
#include "jawari/io/scene_keys.h"

namespace jawari::attack {
namespace {

const Param* param_of(std::string_view table, std::string_view key) {
  for (const auto& t : scene_keys())
    if (t.name == table)
      for (const auto& k : t.keys)
        if (k.name == key && k.type == Key::number) return &k.param;
  return nullptr;
}

/// Anything the table allows: its ends, or alike in every decade.
std::string legal(Dice& d, const Param& p) {
  if (p.from.included && d.percent(8)) return Dice::number(p.from.value, 17);
  if (p.to.included && d.percent(8)) return Dice::number(p.to.value, 17);
  if (p.from.value >= 0 || d.percent(50)) {
    const double small = std::max(p.from.value, std::min(p.to.value, 1.0) * (d.percent(5) ? 1e-300 : 1e-12));
    return d.decades(small, p.to.value);
  }
  return "-" + d.decades(std::min(-p.from.value, 1.0) * 1e-12, -p.from.value);
}

}  // namespace

Part& Sketch::add(const std::string& kind) { return recipe.emplace_back(Part{"[[" + kind + "]]", {}}); }
std::string Sketch::fresh(const char* letter) { return letter + std::to_string(count_++); }

std::string Sketch::value(const char* table, const char* key, double least, double most) {
  const Param* p = param_of(table, key);
  if (p && width == Width::legal && dice.percent(20)) return legal(dice, *p);
  if (width != Width::usual && dice.percent(30)) {
    double low = least * 1e-3, high = most * 1e3;
    if (p) {
      low = std::max(low, p->from.value);
      high = std::min(high, p->to.value);
    }
    if (low > 0 && low < high) return dice.decades(low, high);
  }
  return dice.decades(least, most);
}
std::string Sketch::either(const char* table, const char* key, double least, double most) {
  std::string text = value(table, key, least, most);
  return text[0] != '-' && dice.percent(50) ? "-" + text : text;
}

std::string Sketch::law(double least, double most, bool per_length, LawSpec& chosen) {
  static constexpr std::string_view names[] = {"power",     "power",          "hunt-crossley", "hunt-crossley",
                                               "odd-power", "centre-limited", "tabulated"};
  const std::string type(dice.word(names));
  if (type == "tabulated" && !per_length) {
    std::string forces = "0.0";
    double sum = 0;
    for (int i = dice.between(2, 6); i > 0; --i) {
      sum += std::strtod(dice.decades(1e-2, 1e4).c_str(), nullptr);
      forces += ", " + Dice::number(sum);
    }
    chosen = {"tabulated", {{"max_m", 1}}, {0, 1}};
    return "{ type = \"tabulated\", max_m = " + dice.decades(1e-4, 1e-1) + ", force_N = [" + forces + "]" +
           (dice.percent(50) ? ", mu = " + dice.decades(1e-3, 10) : "") + " }";
  }
  const std::string known = type == "tabulated" ? "power" : type;
  const LawInfo& info = jawari::law(known);
  std::string text = "{ type = \"" + known + "\"";
  chosen.type = known;
  for (const Param& p : info.params) {
    std::string value;
    if (width == Width::legal && dice.percent(15)) {
      value = legal(dice, p);
    } else if (p.name == "stiffness") {
      value = width != Width::usual && dice.percent(40) ? dice.decades(1, 1e16) : dice.decades(least, most);
    } else if (p.name == "exponent") {
      static constexpr std::string_view few[] = {"1.0", "1.3", "1.5", "2.0", "2.3", "2.5", "3.0"};
      value = width != Width::usual && dice.percent(20) ? dice.evenly(1, 8) : std::string(dice.word(few));
    } else if (p.name == "mu") {
      value = dice.percent(10) ? "0.0" : dice.decades(1e-3, width == Width::usual ? 5 : 1e3);
    } else {
      value = dice.percent(20) ? "0.0" : dice.decades(1e-5, 1e-2);
    }
    chosen.values[std::string(p.name)] = std::strtod(value.c_str(), nullptr);
    text += ", " + std::string(p.name == "stiffness" && per_length ? "stiffness_per_m" : p.name) + " = " + value;
  }
  return text + " }";
}

void Sketch::scheme(Part& part, const LawSpec& law) {
  if (dice.percent(35)) return;
  if (dice.percent(12)) return part.name("scheme", "auto");
  const auto all = schemes_for(law);
  if (all.empty()) return;
  std::string name(dice.percent(98) ? dice.word(all) : schemes()[dice.next() % schemes().size()].facts.name);
  for (int tries = 0; tries < 3 && recipe.size() > 3 && !jawari::scheme(name).couples; ++tries) name = dice.word(all);
  const SchemeInfo& info = jawari::scheme(name);
  if (info.params.empty() || dice.percent(50)) return part.name("scheme", name);
  std::string text = "{ type = \"" + name + "\"";
  for (const Param& p : info.params)
    text += ", " + std::string(p.name) + " = " +
            (p.fallback && dice.percent(40) ? Dice::number(*p.fallback, 17) : legal(dice, p));
  part.set("scheme", text + " }");
}
void Sketch::law_and_scheme(Part& part, double least, double most, bool per_length) {
  LawSpec chosen;
  part.set("law", law(least, most, per_length, chosen));
  scheme(part, chosen);
}

std::string Sketch::location(const Body& b) {
  if (!b.points.empty())
    return "\"" + b.points[static_cast<std::size_t>(dice.upto(static_cast<int>(b.points.size())))] + "\"";
  if (b.length > 0) {
    const double t = dice.percent(10) ? 0.001 : dice.percent(10) ? 0.999 : 0.01 + 0.98 * dice.share();
    return Dice::number(b.length * t, 4);
  }
  if (b.radius > 0)
    return "[" + dice.evenly(-0.69 * b.radius, 0.69 * b.radius) + ", " +
           dice.evenly(-0.69 * b.radius, 0.69 * b.radius) + "]";
  if (b.wide > 0)
    return "[" + dice.evenly(0.01 * b.wide, 0.99 * b.wide) + ", " + dice.evenly(0.01 * b.high, 0.99 * b.high) + "]";
  return {};
}

Drawn draw(std::uint64_t seed) {
  Sketch s(seed);
  Dice& d = s.dice;
  s.width = d.percent(40) ? Width::usual : d.percent(60) ? Width::wide : Width::legal;
  s.width = std::min(s.width, widest);
  static constexpr std::string_view rates[] = {"44100.0", "44100.0", "48000.0", "48000.0", "96000.0",
                                               "22050.0", "8000.0",  "1000.0",  "192000.0"};
  const std::string rate = d.percent(70) ? std::string(d.word(rates)) : d.decades(1e3, 7.68e5);
  s.rate = std::strtod(rate.c_str(), nullptr);
  static constexpr std::string_view factors[] = {"2", "2", "4", "8"};
  const std::string factor = d.percent(85) ? "1" : std::string(d.word(factors));
  s.step_rate = s.rate * std::strtod(factor.c_str(), nullptr);
  s.recipe[0].set("rate_hz", rate);
  s.recipe[0].set("duration_s", Dice::number(500 / s.step_rate, 6));
  if (factor != "1") s.recipe[0].set("oversample", factor);
  if (d.percent(30)) s.recipe[0].set("gravity_m_s2", d.percent(70) ? "9.81" : s.either("", "gravity_m_s2", 0.1, 100));
  for (int i = d.percent(45) ? 1 : d.between(1, 4); i > 0; --i) draw_body(s);
  const auto bodies = s.bodies;
  for (const auto& b : bodies)
    if (b.kind == "string")
      for (int i = d.percent(60) ? 1 : d.upto(3); i > 0; --i) draw_barrier(s, b);
  for (int i = d.upto(4); i > 0; --i) draw_joint(s);
  for (int i = d.percent(40) ? 0 : d.upto(4); i > 0; --i) draw_gesture(s);
  if (d.percent(30)) draw_excitation(s);
  if (d.percent(40))
    for (int i = d.between(1, 3); i > 0; --i) draw_pickup(s);
  if (d.percent(50))
    for (int i = d.between(1, 4); i > 0; --i) draw_event(s);
  if (d.percent(40)) draw_settings(s);
  if (d.percent(10)) draw_spreading(s);
  if (d.percent(15)) draw_voice(s);
  return {s.recipe, s.width};
}

}  // namespace jawari::attack
