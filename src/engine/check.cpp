// SPDX-License-Identifier: MIT
#include "check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "jawari/impact/corrections.h"
#include "lower.h"

namespace jawari {

namespace {

template <class Spec>
void check_fields(std::span<const Field<Spec>> fields, const Spec& spec, std::string_view where,
                  std::string_view path) {
  for (const auto& f : fields)
    if (!f.param.fallback || spec.*f.member != *f.param.fallback)  // the default counts as not given
      check(f.param, spec.*f.member, where, fmt::format("{}{}{}", path, path.empty() ? "" : ".", f.param.name));
}
[[noreturn]] void refuse(const std::string& field, const std::string& sentence) { throw InputError(field, sentence); }

bool all_finite(const std::vector<double>& list) {
  return std::all_of(list.begin(), list.end(), [](double x) { return std::isfinite(x); });
}
/// A curve given by points: enough of them, finite, rising in x.  length > 0: inside the string.
void check_profile(const std::vector<double>& x, const std::vector<double>& y, std::size_t least, double length,
                   const std::string& field, std::string_view what) {
  if (x.size() < least || x.size() != y.size())
    refuse(field, fmt::format("{} holds {} points, but needs at least {}", what, std::min(x.size(), y.size()), least));
  for (std::size_t i = 0; i < x.size(); ++i) {
    if (!std::isfinite(x[i]) || !std::isfinite(y[i]))
      refuse(field, fmt::format("{} holds a value that is not finite in row {}", what, i + 1));
    if (i > 0 && !(x[i] > x[i - 1]))
      refuse(field, fmt::format("{} has x = {:g} after {:g} in row {}, but x must rise from row to row", what, x[i],
                                x[i - 1], i + 1));
    if (length > 0 && !(x[i] > 0 && x[i] < length))
      refuse(field, fmt::format("{} has x = {:g} in row {}, but it must lie on the string, in (0, {:g}) m", what, x[i],
                                i + 1, length));
  }
}
void check_law(const LawSpec& chosen, const std::optional<LawSpec>& scheme, const std::string& path) {
  at(path, [&] {
    resolve(law(chosen.type).params, chosen, "law");
    if (scheme && !is_integrator(scheme->type) && scheme->type != automatic)
      if (const auto why = misfit(chosen, *scheme); !why.empty()) refuse("scheme", why);
  });
}

bool is_in(const std::string& name, const auto& list) {
  return std::find(list.begin(), list.end(), name) != list.end();
}
std::string hint(std::string_view word, std::span<const std::string_view> names) {
  const auto near = nearest(word, names);
  return near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
}
const StringSpec* string_named(const Scene& scene, const std::string& name) {
  const auto it = std::find_if(scene.strings.begin(), scene.strings.end(), [&](auto& s) { return s.name == name; });
  return it == scene.strings.end() ? nullptr : &*it;
}
void check_place(double x, const StringSpec& s, const std::string& path, std::string_view field) {
  if (!(x > 0 && x < s.length_m))
    refuse(fmt::format("{}.{}", path, field.substr(field.find('.') + 1)),
           fmt::format("{} is {:g}, but must lie on the string \"{}\", in (0, {:g}) m", field, x, s.name, s.length_m));
}

void check_new(const std::string& name, std::string_view kind, const std::string& path, std::set<std::string>& seen) {
  if (!seen.insert(name).second)
    refuse(path + ".name", fmt::format("{}.name is \"{}\" twice, but names must differ", kind, name));
}
void check_body_name(const std::string& kind, const std::string& name, const std::string& field,
                     std::set<std::string>& seen) {
  if (name.empty()) refuse(field, fmt::format("{}.name is empty, but every body needs a name", kind));
  if (name == wall) refuse(field, fmt::format("{}.name is \"wall\", which is the name of the fixed barrier", kind));
  check_new(name, kind, field.substr(0, field.rfind('.')), seen);
}
void check_start(const StringSpec& s, const std::string& path) {
  const StartSpec& start = s.start;
  check_fields<StartSpec>(start_fields, start, "start", path);
  const bool wide = start.shape == StartShape::bump || start.shape == StartShape::strike;
  if (start.shape == StartShape::pluck && !(start.position_m > 0 && start.position_m < s.length_m))
    refuse(path + ".position_m",
           fmt::format("start.position_m is {:g}, but must lie in (0, {:g}) m", start.position_m, s.length_m));
  if (wide && !(start.width_m > 0)) refuse(path + ".width_m", "start.width_m is missing; it must lie in (0, 10000] m");
  if (wide && !(start.position_m - start.width_m / 2 >= 0 && start.position_m + start.width_m / 2 <= s.length_m))
    refuse(path + ".position_m",
           fmt::format("start.position_m is {:g} and width_m {:g}, but the whole of it must lie on the "
                       "string, in [0, {:g}] m",
                       start.position_m, start.width_m, s.length_m));
  if (start.shape == StartShape::profile)
    check_profile(start.x_m, start.u_m, 1, s.length_m, path + ".file", "start.file");
}
void check_strings(const Scene& scene, std::set<std::string>& seen) {
  for (std::size_t i = 0; i < scene.strings.size(); ++i) {
    const StringSpec& s = scene.strings[i];
    const auto path = fmt::format("string[{}]", i);
    check_body_name("string", s.name, path + ".name", seen);
    check_fields<StringSpec>(string_fields, s, fmt::format("string \"{}\"", s.name), path);
    if (s.op != GridOperator::gamma && s.gamma != 0)
      refuse(path + ".gamma", "string.gamma goes with operator = \"gamma\", and only with it");
    at(path, [&] { string_data(s); });
    check_start(s, path + ".start");
  }
}
bool carries(const Scene& scene, const std::string& name) {
  const auto named = [&](const auto& x) { return x.name == name; };
  return std::any_of(scene.masses.begin(), scene.masses.end(), named) ||
         std::any_of(scene.hands.begin(), scene.hands.end(), named);
}
void check_barriers(const Scene& scene, std::set<std::string>& seen) {
  std::vector<std::string_view> names;
  for (const auto& s : scene.strings) names.push_back(s.name);
  for (std::size_t i = 0; i < scene.barriers.size(); ++i) {
    const BarrierSpec& b = scene.barriers[i];
    const auto path = fmt::format("barrier[{}]", i);
    const StringSpec* string = string_named(scene, b.string);
    if (!string)
      refuse(path + ".string",
             fmt::format("barrier.string is \"{}\", but there is no such string{}", b.string, hint(b.string, names)));
    check_new(barrier_name(b), "barrier", path, seen);
    check_fields<BarrierSpec>(barrier_fields, b, "barrier", path);
    const double to = b.to_m > 0 ? b.to_m : string->length_m;
    if (!(b.from_m < to && to <= string->length_m * (1 + 1e-12)))
      refuse(path + ".to_m",
             fmt::format("barrier.from_m is {:g} and to_m {:g}, but they must rise within the string, [0, {:g}] m",
                         b.from_m, to, string->length_m));
    if (b.pointwise()) {
      if (b.per_length)
        refuse(path + ".law", "law.stiffness_per_m goes with a barrier that has an extent; points take law.stiffness");
      if (b.x_m.empty())
        refuse(path + ".positions_m", "barrier.positions_m is empty, but must name at least one point");
      for (const double x : b.x_m) check_place(x, *string, path, "barrier.positions_m");
      if (!b.heights_m.empty() && b.heights_m.size() != b.x_m.size())
        refuse(path + ".heights_m", fmt::format("barrier.heights_m has {} values, but positions_m has {}",
                                                b.heights_m.size(), b.x_m.size()));
      if (!all_finite(b.heights_m)) refuse(path + ".heights_m", "barrier.heights_m holds a value that is not finite");
    }
    if (b.shape == BarrierShape::profile) check_profile(b.x_m, b.heights_m, 2, 0, path + ".file", "barrier.file");
    if (b.shape == BarrierShape::polynomial && (b.coefficients.empty() || !all_finite(b.coefficients)))
      refuse(path + ".coefficients", "barrier.coefficients must be at least one number, all of them finite");
    if (b.shape == BarrierShape::function && !b.height)
      refuse(path + ".height", "barrier.height is missing; it must be a function of x");
    if (b.points > 0 && (string->method != StringMethod::modes || b.pointwise()))
      refuse(path + ".points", "barrier.points goes with a string of method \"modes\" and a barrier with an extent");
    if (b.points_per_cell != 0 && b.points_per_cell != 1 && b.points_per_cell != 2)
      refuse(path + ".points_per_cell",
             fmt::format("barrier.points_per_cell is {:g}, but must be 1 or 2", b.points_per_cell));
    if (b.points_per_cell != 0 && (b.points > 0 || b.pointwise()))
      refuse(path + ".points_per_cell",
             "barrier.points_per_cell goes with a barrier that has an extent and no points of its own");
    if (b.points_per_cell == 2 && string->nearest_node)
      refuse(path + ".points_per_cell",
             "barrier.points_per_cell is 2, but must be 1 with string.spreading = \"nearest\"");
    if (!b.on.empty() && !carries(scene, b.on))
      refuse(path + ".on", fmt::format("barrier.on is \"{}\", but must be a mass or a hand", b.on));
    check_law(b.law, b.scheme, path);
  }
}
void check_masses(const Scene& scene, std::set<std::string>& seen) {
  for (std::size_t i = 0; i < scene.masses.size(); ++i) {
    const MassSpec& m = scene.masses[i];
    const auto path = fmt::format("mass[{}]", i);
    check_body_name("mass", m.name, path + ".name", seen);
    check_fields<MassSpec>(mass_fields, m, fmt::format("mass \"{}\"", m.name), path);
  }
}
/// Bodies of one kind, in the words of their table.
template <class Spec>
void check_list(const char* kind, const std::vector<Spec>& list, std::span<const Field<Spec>> fields,
                std::set<std::string>& seen) {
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto path = fmt::format("{}[{}]", kind, i);
    check_body_name(kind, list[i].name, path + ".name", seen);
    check_fields<Spec>(fields, list[i], fmt::format("{} \"{}\"", kind, list[i].name), path);
  }
}
std::vector<std::string_view> body_names(const Scene& scene) {
  std::vector<std::string_view> names;
  const auto all = [&](const auto& list) {
    for (const auto& b : list) names.push_back(b.name);
  };
  all(scene.masses);
  all(scene.strings);
  all(scene.bars);
  all(scene.membranes);
  all(scene.plates);
  all(scene.modals);
  all(scene.hands);
  return names;
}
bool yields(const Scene& scene, const std::string& name) {
  return name != wall && std::none_of(scene.hands.begin(), scene.hands.end(), [&](auto& h) { return h.name == name; });
}
/// Two different bodies that exist, one of which can move.
void check_pair(const Scene& scene, const std::array<std::string, 2>& bodies, const std::string& kind,
                const std::string& path) {
  auto names = body_names(scene);
  names.push_back(wall);
  for (const auto& b : bodies)
    if (!is_in(b, names))
      refuse(path + ".bodies",
             fmt::format("{}.bodies names \"{}\", but there is no such body{}", kind, b, hint(b, names)));
  if (bodies[0] == bodies[1])
    refuse(path + ".bodies",
           fmt::format("{}.bodies names \"{}\" twice, but a {} needs two bodies", kind, bodies[0], kind));
  if (!yields(scene, bodies[0]) && !yields(scene, bodies[1]))
    refuse(path + ".bodies", fmt::format("{}.bodies are \"{}\" and \"{}\", but one of them must be able to yield", kind,
                                         bodies[0], bodies[1]));
}
void check_contacts(const Scene& scene, std::set<std::string>& seen) {
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const ContactSpec& c = scene.contacts[i];
    const auto path = fmt::format("contact[{}]", i);
    check_pair(scene, c.bodies, "contact", path);
    for (std::size_t side = 0; side < 2 && c.line.empty(); ++side)
      if (const StringSpec* s = string_named(scene, c.bodies[side]); s && !c.at[side])
        check_place(c.position_m, *s, path, "contact.position_m");
    check_new(contact_name(c), "contact", path, seen);
    check_fields<ContactSpec>(contact_fields, c, "contact", path);
    check_law(c.law, c.scheme, path);
  }
  for (std::size_t i = 0; i < scene.connections.size(); ++i) {
    const ConnectionSpec& c = scene.connections[i];
    const auto path = fmt::format("connection[{}]", i);
    check_pair(scene, c.bodies, "connection", path);
    check_new(connection_name(c), "connection", path, seen);
    check_fields<ConnectionSpec>(connection_fields, c, "connection", path);
  }
}
void check_frictions(const Scene& scene, std::set<std::string>& seen) {
  std::vector<std::string> pressing;
  for (const auto& c : scene.contacts) pressing.push_back(contact_name(c));
  for (const auto& b : scene.barriers) pressing.push_back(barrier_name(b));
  for (std::size_t i = 0; i < scene.frictions.size(); ++i) {
    const FrictionSpec& f = scene.frictions[i];
    const auto path = fmt::format("friction[{}]", i);
    check_pair(scene, f.bodies, "friction", path);
    check_new(friction_name(f), "friction", path, seen);
    check_fields<FrictionSpec>(friction_fields, f, "friction", path);
    if (!f.normal.empty() && !is_in(f.normal, pressing))
      refuse(path + ".normal", fmt::format("friction.normal is \"{}\", but there is no such contact", f.normal));
  }
}
/// The target of a gesture, and its law, in the gesture's own words.
template <class Spec>
void check_gestures(const char* kind, const Scene& scene, const std::vector<Spec>& list,
                    std::span<const Field<Spec>> fields, std::set<std::string>& seen, bool body) {
  const auto names = body_names(scene);
  for (std::size_t i = 0; i < list.size(); ++i) {
    const auto path = fmt::format("{}[{}]", kind, i);
    const Spec& g = list[i];
    if (body) {
      check_body_name(kind, g.name, path + ".name", seen);
    } else if (g.name.empty()) {
      refuse(path + ".name", fmt::format("{}.name is empty, but it needs a name", kind));
    }
    check_fields<Spec>(fields, g, fmt::format("{} \"{}\"", kind, g.name), path);
    if constexpr (requires { g.target; }) {
      if (!is_in(g.target, names))
        refuse(path + ".target",
               fmt::format("{}.target is \"{}\", but there is no such body{}", kind, g.target, hint(g.target, names)));
    } else {
      const StringSpec* s = string_named(scene, g.string);
      if (!s) refuse(path + ".string", fmt::format("{}.string is \"{}\", but there is no such string", kind, g.string));
      check_place(g.position_m, *s, path, fmt::format("{}.position_m", kind));
    }
    if constexpr (requires { g.law; }) {
      LawSpec law = g.law;
      if (auto per_m = law.values.extract("stiffness_per_m")) law.values["stiffness"] = per_m.mapped();
      bool play = false;
      if constexpr (requires {
                      g.gap_m;
                      g.hold_N;
                    })
        play = g.gap_m > 0;
      if (play && law.type == "power") {
        law.type = "centre-limited";
        law.values["gap_m"] = 1;
      }
      check_law(law, g.scheme, path);
    }
  }
}
void check_events(const Scene& scene) {
  for (std::size_t i = 0; i < scene.events.size(); ++i) {
    const EventSpec& e = scene.events[i];
    const auto path = fmt::format("event[{}]", i);
    check_fields<EventSpec>(event_fields, e, "event", path);
    if (!std::isfinite(e.value)) refuse(path + ".value", "event.value is not finite");
    if (e.type == EventType::strike && !(e.value > 0 && e.value <= 1e4))
      refuse(path + ".velocity_m_s",
             fmt::format("event.velocity_m_s is {:g}, but must lie in (0, 10000] m/s", e.value));
    const bool depth = e.type == EventType::pluck || e.type == EventType::press;
    if (depth && !(e.value > 0 && e.value <= 1))
      refuse(path + ".depth_m", fmt::format("event.depth_m is {:g}, but must lie in (0, 1] m", e.value));
    if (e.type == EventType::damp && !(e.value >= 0 && e.value <= 1e5))
      refuse(path + ".damping_1_s", fmt::format("event.damping_1_s is {:g}, but must lie in [0, 1e+05] 1/s", e.value));
    if (e.type == EventType::retune && !(e.value > 0))
      refuse(path + ".frequency_hz", fmt::format("event.frequency_hz is {:g}, but must lie above 0 Hz", e.value));
  }
}
void check_excitations(const Scene& scene) {
  const auto names = body_names(scene);
  for (std::size_t i = 0; i < scene.excitations.size(); ++i) {
    const ExcitationSpec& e = scene.excitations[i];
    const auto path = fmt::format("excitation[{}]", i);
    if (std::find(names.begin(), names.end(), e.body) == names.end())
      refuse(path + ".body",
             fmt::format("excitation.body is \"{}\", but there is no such body{}", e.body, hint(e.body, names)));
    if (!yields(scene, e.body))
      refuse(path + ".body", fmt::format("excitation.body is \"{}\", which does not yield to a force", e.body));
    if (const StringSpec* s = string_named(scene, e.body); s && !e.at)
      check_place(e.position_m, *s, path, "excitation.position_m");
    check_fields<ExcitationSpec>(excitation_fields, e, "excitation", path);
    if (e.type == SignalType::pulse && e.duration_s == 0)
      refuse(path + ".duration_s", "excitation.duration_s is 0, but a pulse needs a length in (0, 86400] s");
    if (e.type == SignalType::sine && !(e.frequency_hz > 0 && e.frequency_hz < scene.rate_hz / 2))
      refuse(path + ".frequency_hz", fmt::format("excitation.frequency_hz is {:g}, but must lie in (0, {:g}) Hz",
                                                 e.frequency_hz, scene.rate_hz / 2));
    if (!all_finite(e.samples_N)) refuse(path + ".file", "excitation.file holds a value that is not finite");
  }
}
void check_pickups(const Scene& scene) {
  std::vector<std::string> contact_names;
  for (const auto& c : scene.contacts) contact_names.push_back(contact_name(c));
  for (const auto& b : scene.barriers) contact_names.push_back(barrier_name(b));
  for (const auto& c : scene.connections) contact_names.push_back(connection_name(c));
  for (const auto& f : scene.frictions) contact_names.push_back(friction_name(f));
  auto names = body_names(scene);
  names.insert(names.end(), contact_names.begin(), contact_names.end());
  for (std::size_t i = 0; i < scene.pickups.size(); ++i) {
    const PickupSpec& p = scene.pickups[i];
    const auto path = fmt::format("pickup[{}]", i);
    if (!is_in(p.of, names))
      refuse(path + ".of",
             fmt::format("pickup.of is \"{}\", but there is no such body or contact{}", p.of, hint(p.of, names)));
    const bool contact = is_in(p.of, contact_names);
    const StringSpec* string = contact ? nullptr : string_named(scene, p.of);
    const bool support = p.quantity == Quantity::bridge_force || p.quantity == Quantity::nut_force;
    if (contact != (p.quantity == Quantity::force) || (support && !string))
      refuse(path + ".quantity",
             fmt::format("pickup.quantity is \"{}\", but {}", quantity_names[static_cast<std::size_t>(p.quantity)],
                         contact  ? "a contact has force only"
                         : string ? "a string has displacement, velocity, acceleration, bridge-force and nut-force"
                                  : "a body other than a string has displacement, velocity and acceleration"));
    if (string && !support && !p.at) check_place(p.position_m, *string, path, "pickup.position_m");
    check_fields<PickupSpec>(pickup_fields, p, "pickup", path);
  }
}

}  // namespace

void check_scene(const Scene& scene) {
  check_fields<Scene>(scene_fields, scene, "", "");
  if (scene.oversample != 0 && scene.oversample != 1 && scene.oversample != 2 && scene.oversample != 4 &&
      scene.oversample != 8)
    refuse("oversample", fmt::format("oversample is {:g}, but must be 1, 2, 4 or 8", scene.oversample));
  if (body_names(scene).empty())
    refuse("mass", "mass is missing; a scene needs at least one body, a [[mass]] or a [[string]]");
  const double steps = scene.duration_s * step_rate_hz(scene);
  if (steps > 2e9)
    refuse("duration_s", fmt::format("duration_s is {:g}, which is {:g} steps at {:g} Hz, but at most 2e9 are allowed",
                                     scene.duration_s, steps, step_rate_hz(scene)));
  std::set<std::string> seen;
  check_masses(scene, seen);
  check_strings(scene, seen);
  check_list<BarSpec>("bar", scene.bars, bar_fields, seen);
  check_list<MembraneSpec>("membrane", scene.membranes, membrane_fields, seen);
  check_list<PlateSpec>("plate", scene.plates, plate_fields, seen);
  check_list<ModalSpec>("modal", scene.modals, {}, seen);
  check_list<HandSpec>("hand", scene.hands, hand_fields, seen);
  check_gestures<HammerSpec>("hammer", scene, scene.hammers, hammer_fields, seen, true);
  check_gestures<TouchSpec>("plectrum", scene, scene.plectrums, plectrum_fields, seen, true);
  check_gestures<TouchSpec>("finger", scene, scene.fingers, finger_fields, seen, true);
  check_gestures<RattleSpec>("rattle", scene, scene.rattles, rattle_fields, seen, true);
  check_gestures<BoltSpec>("bolt", scene, scene.bolts, bolt_fields, seen, true);
  check_gestures<RubberSpec>("rubber", scene, scene.rubbers, rubber_fields, seen, false);
  check_gestures<FretSpec>("fret", scene, scene.frets, fret_fields, seen, false);
  check_gestures<FretSpec>("thread", scene, scene.threads, fret_fields, seen, false);
  check_gestures<SnareSpec>("snare", scene, scene.snares, snare_fields, seen, false);
  check_events(scene);
  const Scene plain = lower_scene(scene).scene;
  check_contacts(plain, seen);
  check_barriers(plain, seen);
  check_frictions(plain, seen);
  check_excitations(plain);
  check_pickups(plain);
  check_lists(plain);
}

}  // namespace jawari
