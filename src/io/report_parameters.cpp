// SPDX-License-Identifier: MIT
// What the scene is made of, from the tables that also read and check it.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "report_parts.h"

namespace jawari {
namespace {

using Facts = ReportPage::Facts;

std::string pretty(std::string_view unit) {  // "kg/m3" is read as kg/m³
  std::string out;
  for (std::size_t i = 0; i < unit.size(); ++i) {
    const bool power =
        i > 0 && std::isalpha(static_cast<unsigned char>(unit[i - 1])) && (unit[i] == '2' || unit[i] == '3');
    out += power ? (unit[i] == '2' ? "²" : "³") : std::string(1, unit[i]);
  }
  return out;
}
std::string symbol(std::string_view name) {
  static const std::map<std::string_view, const char*> greek{{"rho", "ρ"},   {"sigma0", "σ₀"}, {"sigma1", "σ₁"},
                                                             {"gamma", "γ"}, {"nu", "ν"},      {"theta", "θ"},
                                                             {"f1", "f₁"},   {"mu", "μ"},      {"alpha", "α"}};
  const auto at = greek.find(name);
  return at != greek.end() ? at->second : std::string(name);
}
/// "density_kg_m3" is called density: what stands before the unit.
std::string key(std::string_view name) {
  static constexpr std::string_view units[] = {"kg", "m", "m2", "m3", "s", "s2", "N", "hz", "Pa", "1"};
  std::string out;
  for (std::size_t from = 0; from < name.size();) {
    const std::size_t to = std::min(name.find('_', from), name.size());
    const auto word = name.substr(from, to - from);
    if (!out.empty() && std::find(std::begin(units), std::end(units), word) != std::end(units)) break;
    out += (out.empty() ? "" : " ") + std::string(word);
    from = to + 1;
  }
  return out;
}
/// Metres, seconds and the like with a prefix: 0.2 mm.
std::string number(double x, std::string_view unit) {
  const double size = std::abs(x);
  struct Scale {
    double from, factor;
    const char* unit;
  };
  static constexpr Scale metres[] = {{1, 1, "m"}, {1e-2, 1e2, "cm"}, {1e-4, 1e3, "mm"}, {1e-9, 1e6, "µm"}},
                         kilograms[] = {{1, 1, "kg"}, {1e-3, 1e3, "g"}, {1e-9, 1e6, "mg"}},
                         pascals[] = {{1e9, 1e-9, "GPa"}, {1e6, 1e-6, "MPa"}, {0, 1, "Pa"}},
                         seconds[] = {{1, 1, "s"}, {1e-9, 1e3, "ms"}};
  const auto scaled = [&](std::span<const Scale> list) {
    for (const auto& s : list)
      if (size >= s.from) return fmt::format("{:.5g} {}", x * s.factor, s.unit);
    return fmt::format("{:.5g} {}", x, pretty(unit));
  };
  if (size > 0 && unit == "m") return scaled(metres);
  if (size > 0 && unit == "kg") return scaled(kilograms);
  if (size > 0 && unit == "Pa") return scaled(pascals);
  if (size > 0 && unit == "s") return scaled(seconds);
  return unit.empty() ? fmt::format("{:.6g}", x) : fmt::format("{:.6g} {}", x, pretty(unit));
}

void add(Facts& facts, std::string what, std::string value, std::string sign = "", bool usual = false) {
  facts.rows.push_back({std::move(what), "", std::move(sign), std::move(value), usual});
}
/// What was given, and defaults that mean something.
template <class Spec, std::size_t N>
Facts from_table(const Spec& spec, const Field<Spec> (&fields)[N], std::string name, std::string kind) {
  Facts facts{std::move(name), std::move(kind), {}};
  for (const auto& f : fields) {
    const double x = spec.*f.member;
    const bool usual = f.param.fallback && x == *f.param.fallback;
    if (usual && (x == 0 || !f.param.allows(x))) continue;
    facts.rows.push_back(
        {key(f.param.name), std::string(f.param.text), symbol(f.param.symbol), number(x, f.param.unit), usual});
  }
  return facts;
}
void say_law(Facts& facts, const LawSpec& choice, bool per_length) {
  if (choice.type.empty()) return;
  facts.rows.push_back({"law", std::string(law(choice.type).text), "", choice.type});
  for (const Param& p : law(choice.type).params) {
    const auto at = choice.values.find(p.name);
    if (at == choice.values.end() && !p.fallback) continue;
    const double x = at != choice.values.end() ? at->second : *p.fallback;
    const double exponent = choice.values.contains("exponent") ? choice.values.at("exponent") : 1;
    const auto value =
        p.name == "stiffness" ? fmt::format("{:.4g} N/m^{:g}", x, exponent + (per_length ? 1 : 0)) : number(x, p.unit);
    facts.rows.push_back({key(p.name), std::string(p.text), symbol(p.symbol), value, at == choice.values.end()});
  }
}
std::string where(const Location& at) {
  if (!at.point.empty()) return at.point;
  return at.y_m != 0 ? fmt::format("{}, {}", number(at.x_m, "m"), number(at.y_m, "m")) : number(at.x_m, "m");
}
void say_decay(Facts& facts, const std::vector<DecayTime>& decay) {
  for (const auto& d : decay)
    add(facts, fmt::format("decay by 60 dB at {:g} Hz", d.frequency_hz), number(d.seconds, "s"), "T₆₀");
}
void say_lowest(Facts& facts, const System& system) {
  for (const auto& s : system.shapes())
    if (s.name == facts.name && s.period_s > 0) {
      add(facts, "lowest mode, computed", fmt::format("{:.5g} Hz", 1 / s.period_s), "f₁", true);
      return;
    }
}

class Parameters {
 public:
  Parameters(const Scene& scene, const System& system) : scene_(scene), system_(system) {}

  std::vector<Facts> bodies() const {
    std::vector<Facts> list;
    for (const auto& s : scene_.masses) list.push_back(from_table(s, mass_fields, s.name, "mass"));
    for (const auto& s : scene_.strings) {
      auto f = from_table(s, string_fields, s.name, "string");
      if (s.radius_m <= 0) std::erase_if(f.rows, [](auto& r) { return r.usual && r.text.ends_with("(steel)"); });
      const StringData d = string_data(s);
      if (s.tension_N == 0) add(f, "tension, computed", number(d.tension_N, "N"), "T", true);
      say_decay(f, s.decay);
      say_lowest(f, system_);
      add(f, "method", std::string(string_method_names[static_cast<std::size_t>(s.method)]));
      if (s.start.shape != StartShape::rest && s.start.shape != StartShape::function &&
          s.start.shape != StartShape::profile) {
        add(f, "begins with", std::string(start_names[static_cast<std::size_t>(s.start.shape)]));
        for (auto& r : from_table(s.start, start_fields, "", "").rows)
          if (!r.usual) f.rows.push_back(std::move(r));
      }
      list.push_back(std::move(f));
    }
    for (const auto& s : scene_.bars) list.push_back(modal(from_table(s, bar_fields, s.name, "bar"), s.decay));
    for (const auto& s : scene_.membranes)
      list.push_back(modal(from_table(s, membrane_fields, s.name, "membrane"), s.decay));
    for (const auto& s : scene_.plates) list.push_back(modal(from_table(s, plate_fields, s.name, "plate"), s.decay));
    for (const auto& s : scene_.modals) {
      Facts f{s.name, "modes", {}};
      add(f, "number of modes", fmt::format("{}", s.frequencies_hz.size()), "P");
      if (!s.frequencies_hz.empty())
        add(f, "frequencies", fmt::format("{:.5g} to {:.5g} Hz", s.frequencies_hz.front(), s.frequencies_hz.back()));
      list.push_back(std::move(f));
    }
    for (const auto& s : scene_.hands) list.push_back(from_table(s, hand_fields, s.name, "hand"));
    for (const auto& s : scene_.hammers) list.push_back(touching(from_table(s, hammer_fields, s.name, "hammer"), s));
    for (const auto& s : scene_.plectrums)
      list.push_back(touching(from_table(s, plectrum_fields, s.name, "plectrum"), s));
    for (const auto& s : scene_.fingers) list.push_back(touching(from_table(s, finger_fields, s.name, "finger"), s));
    for (const auto& s : scene_.rattles) list.push_back(touching(from_table(s, rattle_fields, s.name, "rattle"), s));
    for (const auto& s : scene_.bolts) list.push_back(at(from_table(s, bolt_fields, s.name, "bolt"), s.target, s.at));
    for (const auto& s : scene_.rubbers)
      list.push_back(at(from_table(s, rubber_fields, s.name, "rubber"), s.target, s.at));
    for (const auto& s : scene_.snares) {
      auto f = from_table(s, snare_fields, s.name, "snare");
      add(f, "along", s.target);
      say_law(f, s.law, s.law.values.contains("stiffness_per_m"));
      list.push_back(std::move(f));
    }
    return list;
  }

  std::vector<Facts> contacts() const {
    std::vector<Facts> list;
    for (const auto& s : scene_.contacts) {
      auto f = from_table(s, contact_fields, contact_name(s), "contact");
      add(f, "lower and upper", fmt::format("{}, {}", s.bodies[0], s.bodies[1]));
      for (const std::size_t side : {std::size_t{0}, std::size_t{1}})
        if (s.at[side] && s.bodies[side] != wall) add(f, "at, on " + s.bodies[side], where(*s.at[side]));
      say_law(f, s.law, s.weight_m > 0);
      say_scheme(f);
      list.push_back(std::move(f));
    }
    for (const auto& s : scene_.barriers) {
      auto f = from_table(s, barrier_fields, barrier_name(s), "barrier");
      add(f, s.above ? "above" : "below", s.string);
      add(f, "shape", std::string(barrier_names[static_cast<std::size_t>(s.shape)]));
      if (s.shape == BarrierShape::points) add(f, "number of points", fmt::format("{}", s.x_m.size()));
      if (!s.on.empty()) add(f, "carried by", s.on);
      say_law(f, s.law, s.per_length);
      say_scheme(f);
      list.push_back(std::move(f));
    }
    for (const auto* frets : {&scene_.frets, &scene_.threads})
      for (const auto& s : *frets) {
        auto f = from_table(s, fret_fields, s.name, frets == &scene_.frets ? "fret" : "thread");
        add(f, "below", s.string);
        say_law(f, s.law, false);
        say_scheme(f);
        list.push_back(std::move(f));
      }
    for (const auto& s : scene_.connections) {
      auto f = from_table(s, connection_fields, connection_name(s), "spring and damper");
      add(f, "between", fmt::format("{}, {}", s.bodies[0], s.bodies[1]));
      list.push_back(std::move(f));
    }
    for (const auto& s : scene_.frictions) {
      auto f = from_table(s, friction_fields, friction_name(s), "friction");
      add(f, "between", fmt::format("{}, {}", s.bodies[0], s.bodies[1]));
      if (!s.normal.empty()) add(f, "pressed by", s.normal);
      list.push_back(std::move(f));
    }
    return list;
  }

  std::vector<Facts> rest() const {
    std::vector<Facts> list{from_table(scene_, scene_fields, "scene", "")};
    add(list[0], "time steps", fmt::format("{:g} per second", 1 / system_.dt_s()), "1/dt", true);
    for (const auto& s : scene_.excitations) {
      auto f = from_table(s, excitation_fields, s.body, "signal");
      add(f, "type", std::string(signal_names[static_cast<std::size_t>(s.type)]));
      list.push_back(std::move(f));
    }
    for (const auto& s : scene_.pickups) {
      auto f = from_table(s, pickup_fields, s.name.empty() ? s.of : s.name, "pickup");
      if (s.at) add(f, "at", where(*s.at));
      add(f, "hears", std::string(quantity_names[static_cast<std::size_t>(s.quantity)]));
      list.push_back(std::move(f));
    }
    return list;
  }

 private:
  Facts modal(Facts f, const std::vector<DecayTime>& decay) const {
    say_decay(f, decay);
    say_lowest(f, system_);
    return f;
  }
  static Facts at(Facts f, const std::string& target, const Location& spot) {
    add(f, "on " + target + " at", where(spot), "x");
    return f;
  }
  template <class Spec>
  Facts touching(Facts f, const Spec& s) const {
    f = at(std::move(f), s.target, s.at);
    say_law(f, s.law, false);
    for (const auto& c : system_.contacts())
      if (c.name == fmt::format("{}-{}", s.name, s.target)) add(f, "scheme", c.scheme);
    return f;
  }
  void say_scheme(Facts& f) const {
    for (const auto& c : system_.contacts())
      if (c.name == f.name) return add(f, "scheme", c.why.empty() ? c.scheme : c.scheme + " (chosen)");
  }
  const Scene& scene_;
  const System& system_;
};

void add_events(ReportPage& page, const std::vector<EventSpec>& events) {
  static constexpr std::size_t most = 100;
  static constexpr const char* units[] = {"m/s", "m", "m", "", "1/s", "m", "Hz", ""};
  std::vector<std::vector<std::string>> rows;
  for (const auto& e : events) {
    if (rows.size() == most) break;
    const auto type = static_cast<std::size_t>(e.type);
    rows.push_back({number(e.time_s, "s"), std::string(event_names[type]),
                    e.parameter.empty() ? e.target : e.target + " " + e.parameter,
                    e.type == EventType::release ? "" : number(e.value, units[type]),
                    e.duration_s > 0 ? number(e.duration_s, "s") : ""});
  }
  if (rows.empty()) return;
  page.table("Events",
             events.size() > most ? fmt::format("The first {} of {}.", most, events.size()) : "What happens when.",
             {"time", "what", "who", "how much", "takes"}, rows);
}

}  // namespace

void add_parameters(ReportPage& page, const Scene& scene, const System& system) {
  const Parameters all(scene, system);
  const std::string soft = "Grey values are defaults or computed; everything else is in the scene.";
  page.facts("Bodies and hands", soft, all.bodies());
  if (const auto list = all.contacts(); !list.empty()) page.facts("What they meet", "", list);
  page.facts("Scene and pickups", "", all.rest());
  add_events(page, scene.events);
}

}  // namespace jawari
