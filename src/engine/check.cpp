// SPDX-License-Identifier: MIT
#include "check.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <set>

#include "jawari/impact/corrections.h"

namespace jawari {

namespace {

template <class Spec>
void check_fields(std::span<const Field<Spec>> fields, const Spec& spec, std::string_view where,
                  std::string_view path) {
  for (const auto& f : fields)
    if (!f.param.fallback || spec.*f.member != *f.param.fallback)  // the default counts as not given
      check(f.param, spec.*f.member, where, fmt::format("{}{}{}", path, path.empty() ? "" : ".", f.param.name));
}
[[noreturn]] void refuse(const std::string& field, const std::string& sentence) { throw Refusal(field, sentence); }

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
void check_law(const Choice& chosen, const std::optional<Choice>& scheme, const std::string& path) {
  at(path, [&] {
    resolve(law(chosen.type).params, chosen, "law");
    if (scheme && !is_integrator(scheme->type))
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

void check_body_name(const std::string& kind, const std::string& name, const std::string& field,
                     std::set<std::string>& seen) {
  if (name.empty()) refuse(field, fmt::format("{}.name is empty, but every body needs a name", kind));
  if (name == wall) refuse(field, fmt::format("{}.name is \"wall\", which is the name of the fixed barrier", kind));
  if (!seen.insert(name).second)
    refuse(field, fmt::format("{}.name is \"{}\" twice, but names must differ", kind, name));
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
    if (!seen.insert(barrier_name(b)).second)
      refuse(path + ".name", fmt::format("barrier.name is \"{}\" twice, but names must differ", barrier_name(b)));
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
std::vector<std::string_view> body_names(const Scene& scene) {
  std::vector<std::string_view> names;
  for (const auto& m : scene.masses) names.push_back(m.name);
  for (const auto& s : scene.strings) names.push_back(s.name);
  return names;
}
void check_contacts(const Scene& scene, std::set<std::string>& seen) {
  auto names = body_names(scene);
  names.push_back(wall);
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const ContactSpec& c = scene.contacts[i];
    const auto path = fmt::format("contact[{}]", i);
    for (const auto& b : c.bodies) {
      if (!is_in(b, names))
        refuse(path + ".bodies",
               fmt::format("contact.bodies names \"{}\", but there is no such body{}", b, hint(b, names)));
      if (const StringSpec* s = string_named(scene, b)) check_place(c.position_m, *s, path, "contact.position_m");
    }
    if (c.bodies[0] == c.bodies[1])
      refuse(path + ".bodies",
             fmt::format("contact.bodies names \"{}\" twice, but a contact needs two bodies", c.bodies[0]));
    if (!seen.insert(contact_name(c)).second)
      refuse(path + ".name", fmt::format("contact.name is \"{}\" twice, but names must differ", contact_name(c)));
    check_fields<ContactSpec>(contact_fields, c, "contact", path);
    check_law(c.law, c.scheme, path);
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
    if (const StringSpec* s = string_named(scene, e.body)) check_place(e.position_m, *s, path, "excitation.position_m");
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
                                  : "a mass has displacement, velocity and acceleration"));
    if (string && !support) check_place(p.position_m, *string, path, "pickup.position_m");
    check_fields<PickupSpec>(pickup_fields, p, "pickup", path);
  }
}

}  // namespace

void check_scene(const Scene& scene) {
  check_fields<Scene>(scene_fields, scene, "", "");
  if (scene.masses.empty() && scene.strings.empty())
    refuse("mass", "mass is missing; a scene needs at least one body, a [[mass]] or a [[string]]");
  if (scene.duration_s * scene.rate_hz > 2e9)
    refuse("duration_s", fmt::format("duration_s is {:g}, which is {:g} steps at {:g} Hz, but at most 2e9 are allowed",
                                     scene.duration_s, scene.duration_s * scene.rate_hz, scene.rate_hz));
  std::set<std::string> seen;
  check_masses(scene, seen), check_strings(scene, seen);
  check_contacts(scene, seen), check_barriers(scene, seen);
  check_excitations(scene), check_pickups(scene);
}

}  // namespace jawari
