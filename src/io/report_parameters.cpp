// SPDX-License-Identifier: MIT
// What the scene is made of, from the descriptions that also read and check it.
#include <fmt/format.h>
#include <fmt/ranges.h>

#include <algorithm>
#include <cmath>
#include <map>

#include "engine/lower.h"
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
/// A card from the description of a part: what was given, and defaults that mean something.
class CardMaker : public FieldVisitor<CardMaker> {
 public:
  CardMaker(std::string name, std::string kind) : card{std::move(name), std::move(kind), {}} {}
  Facts card;

  void number(const Param& p, double x) {
    const bool usual = p.fallback && x == *p.fallback;
    if (usual && (x == 0 || !p.allows(x))) return;
    card.rows.push_back({key(p.name), std::string(p.text), symbol(p.symbol), jawari::number(x, p.unit), usual});
  }
  void integer(const Param& p, int x) { number(p, x); }
  template <class Enum>
  void word(const WordInfo& key, const Enum& value) {
    const auto index = static_cast<std::size_t>(value);
    if (index < key.words.size() && key.words[index] != key.usual)
      add(jawari::key(key.name), std::string(key.words[index]), key.text);
  }
  template <class Enum>
  void word(const WordInfo& key, const std::optional<Enum>& value) {
    if (value) word(key, *value);
  }
  void flag(const KeyInfo& key, bool value) {
    if (value) add(jawari::key(key.name), "yes", key.text);
  }
  void list(const ListInfo& key, const std::vector<double>& values) {
    if (values.empty()) return;
    const auto [least, most] = std::minmax_element(values.begin(), values.end());
    add(jawari::key(key.name),
        values.size() <= 3 ? fmt::format("{:.5g} {}", fmt::join(values, ", "), pretty(key.unit))
                           : fmt::format("{} values from {} to {}", values.size(), jawari::number(*least, key.unit),
                                         jawari::number(*most, key.unit)),
        key.text);
  }
  void reference(const KeyInfo& key, Refers, const std::string& name) {
    if (!name.empty() && name != card.name) add(jawari::key(key.name), name, key.text);
  }
  void pair(const KeyInfo& key, const std::array<std::string, 2>& bodies) {
    two_bodies_ = true;
    add("lower and upper", fmt::format("{}, {}", bodies[0], bodies[1]), key.text);
  }
  void location(const KeyInfo& key, const Location& at, const std::string& body) {
    if (body != wall) add(two_bodies_ ? "at, on " + body : jawari::key(key.name), where(at), key.text, "x");
  }
  void location(const KeyInfo& key, const std::optional<Location>& at, const std::string& body) {
    if (at) location(key, *at, body);
  }
  void shapes(const KeyInfo& key, const auto& points) {
    std::string names;
    for (const auto& [name, shape] : points) names += (names.empty() ? "" : ", ") + name;
    add(jawari::key(key.name), names, key.text);
  }
  void law(const KeyInfo&, const LawSpec& law) { say_law(card, law, false); }
  void law_along(const KeyInfo&, const LawSpec& law, bool per_length) { say_law(card, law, per_length); }
  template <class Spec>
  void table(const KeyInfo& key, const Spec& spec, bool present) {
    if (!present) return;
    CardMaker inner("", "");
    visit(inner, spec);
    add(key.name == "start" ? "begins with" : jawari::key(key.name), "", key.text);
    for (auto& row : inner.card.rows)
      if (!row.usual) card.rows.push_back(std::move(row));
  }
  void add(std::string_view what, std::string value, std::string_view text = {}, std::string sign = {},
           bool usual = false) {
    card.rows.push_back({std::string(what), std::string(text), std::move(sign), std::move(value), usual});
  }

 private:
  bool two_bodies_ = false;
};

/// Cards of all parts of some roles.
class Cards {
 public:
  Cards(const Scene& scene, const System& system) : scene_(scene), system_(system), made_(names_made(scene, scene)) {}

  /// Bodies and what moves or burdens them; what they meet; signals and pickups.
  std::vector<Facts> of(std::initializer_list<Role> roles) const {
    std::vector<Facts> cards;
    for_each_part(scene_, [&](auto kind, const auto& list, auto how) {
      if (std::find(roles.begin(), roles.end(), kind.role) == roles.end()) return;
      for (std::size_t i = 0; i < list.size(); ++i) {
        CardMaker maker(title(list[i]), std::string(kind.name));
        how(maker, list[i]);
        complete(maker, list[i]);
        say_schemes(maker, kind.name, i);
        cards.push_back(std::move(maker.card));
      }
    });
    return cards;
  }
  Facts scene() const {
    CardMaker maker("scene", "");
    visit(maker, scene_);
    maker.add("time steps", fmt::format("{:g} per second", 1 / system_.dt_s()), {}, "1/dt", true);
    return std::move(maker.card);
  }

 private:
  template <class Spec>
  static std::string title(const Spec& spec) {
    if constexpr (requires { spec.body; }) return spec.body;
    if constexpr (requires { spec.of; }) return spec.name.empty() ? spec.of : spec.name;
    return part_name(spec);
  }
  /// What follows from the rest.
  template <class Spec>
  void complete(CardMaker& maker, const Spec& spec) const {
    if constexpr (Is<Spec, StringSpec>) {
      if (spec.radius_m <= 0)
        std::erase_if(maker.card.rows, [](auto& r) { return r.usual && r.text.ends_with("steel."); });
      if (spec.tension_N == 0) maker.add("tension, computed", number(string_data(spec).tension_N, "N"), {}, "T", true);
    }
    if constexpr (requires { spec.decay; }) {
      std::erase_if(maker.card.rows, [](auto& r) { return r.key == "decay"; });
      for (const DecayTime& d : spec.decay)
        maker.add(fmt::format("decay by 60 dB at {:g} Hz", d.frequency_hz), number(d.seconds, "s"), {}, "T₆₀");
    }
    if constexpr (requires { spec.frequencies_hz; })
      maker.add("number of modes", fmt::format("{}", spec.frequencies_hz.size()), {}, "P");
    for (const auto& s : system_.shapes())
      if (s.name == maker.card.name && s.period_s > 0) {
        maker.add("lowest mode, computed", fmt::format("{:.5g} Hz", 1 / s.period_s), {}, "f₁", true);
        return;
      }
  }
  /// The schemes of the contacts that a part makes.
  void say_schemes(CardMaker& maker, std::string_view kind, std::size_t index) const {
    for (const Made& m : made_) {
      if (m.from_kind != kind || m.from_index != index || m.role != Role::joint) continue;
      for (const auto& c : system_.contacts())
        if (c.name == m.name && (m.kind == "contact" || m.kind == "barrier"))
          return maker.add("scheme", c.why.empty() ? c.scheme : c.scheme + " (chosen)");
    }
  }
  const Scene& scene_;
  const System& system_;
  std::vector<Made> made_;
};

/// The unit that the name of a parameter ends with.
std::string_view unit_of(std::string_view parameter) {
  constexpr std::pair<std::string_view, std::string_view> units[] = {
      {"_hz", "Hz"}, {"_1_s", "1/s"}, {"_N", "N"}, {"_m", "m"}};
  for (const auto& [end, unit] : units)
    if (parameter.ends_with(end)) return unit;
  return "";
}

void add_events(ReportPage& page, const std::vector<EventSpec>& events) {
  static constexpr std::size_t most = 100;
  std::vector<std::vector<std::string>> rows;
  for (const auto& e : events) {
    if (rows.size() == most) break;
    const auto type = static_cast<std::size_t>(e.type);
    const std::string_view unit = e.type == EventType::set ? unit_of(e.parameter) : event_value(e.type).unit;
    rows.push_back({number(e.time_s, "s"), std::string(event_names[type]),
                    e.parameter.empty() ? e.target : e.target + " " + e.parameter,
                    e.type == EventType::release ? "" : number(e.value, unit),
                    e.duration_s > 0 ? number(e.duration_s, "s") : ""});
  }
  if (rows.empty()) return;
  page.table("Events",
             events.size() > most ? fmt::format("The first {} of {}.", most, events.size()) : "What happens when.",
             {"time", "what", "part", "how much", "takes"}, rows);
}

}  // namespace

void add_parameters(ReportPage& page, const Scene& scene, const System& system) {
  const Cards cards(scene, system);
  const std::string soft = "Grey values are defaults or computed; everything else is in the scene.";
  page.facts("Bodies and hands", soft, cards.of({Role::body, Role::tool}));
  if (const auto list = cards.of({Role::joint}); !list.empty()) page.facts("What they meet", "", list);
  auto rest = cards.of({Role::signal});
  rest.insert(rest.begin(), cards.scene());
  page.facts("Scene and pickups", "", rest);
  add_events(page, played_events(scene));
}

}  // namespace jawari
