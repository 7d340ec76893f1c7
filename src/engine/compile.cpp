// SPDX-License-Identifier: MIT
#include "jawari/engine/compile.h"

#include <algorithm>
#include <cmath>
#include <set>

#include <fmt/format.h>

#include "jawari/engine/world.h"
#include "jawari/impact/corrections.h"
#include "one_mass_world.h"

namespace jawari {
namespace {

template <class Spec>
void check_fields(std::span<const Field<Spec>> fields, const Spec& spec, std::string_view where, std::string_view path) {
  for (const auto& f : fields)
    check(f.param, spec.*f.member, where, fmt::format("{}{}{}", path, path.empty() ? "" : ".", f.param.name));
}
/// Runs a check and says where in the scene its value stands.
template <class Check>
void at(const std::string& path, Check&& check_it) {
  try {
    check_it();
  } catch (const Refusal& r) {
    throw Refusal(fmt::format("{}.{}", path, r.field()), r.what());
  }
}
[[noreturn]] void refuse(const std::string& field, const std::string& sentence) { throw Refusal(field, sentence); }

void check_masses(const Scene& scene) {
  std::set<std::string> seen;
  for (std::size_t i = 0; i < scene.masses.size(); ++i) {
    const MassSpec& m = scene.masses[i];
    const auto path = fmt::format("mass[{}]", i), field = path + ".name";
    if (m.name.empty()) refuse(field, "mass.name is empty, but every mass needs a name");
    if (m.name == wall) refuse(field, "mass.name is \"wall\", which is the name of the fixed barrier");
    if (!seen.insert(m.name).second) refuse(field, fmt::format("mass.name is \"{}\" twice, but names must differ", m.name));
    check_fields<MassSpec>(mass_fields, m, fmt::format("mass \"{}\"", m.name), path);
  }
}
std::string contact_name(const ContactSpec& c) {
  return c.name.empty() ? fmt::format("{}-{}", c.bodies[0], c.bodies[1]) : c.name;
}
std::string hint(std::string_view word, std::span<const std::string_view> names) {
  const auto near = nearest(word, names);
  return near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near);
}
void check_contacts(const Scene& scene) {
  std::set<std::string> seen;
  std::vector<std::string_view> names{wall};
  for (const auto& m : scene.masses) seen.insert(m.name), names.push_back(m.name);
  for (std::size_t i = 0; i < scene.contacts.size(); ++i) {
    const ContactSpec& c = scene.contacts[i];
    const auto path = fmt::format("contact[{}]", i);
    for (const auto& b : c.bodies)
      if (std::find(names.begin(), names.end(), b) == names.end())
        refuse(path + ".bodies",
               fmt::format("contact.bodies names \"{}\", but there is no such body{}", b, hint(b, names)));
    if (c.bodies[0] == c.bodies[1])
      refuse(path + ".bodies", fmt::format("contact.bodies names \"{}\" twice, but a contact needs two bodies", c.bodies[0]));
    if (!seen.insert(contact_name(c)).second)
      refuse(path + ".name", fmt::format("contact.name is \"{}\" twice, but names must differ", contact_name(c)));
    check_fields<ContactSpec>(contact_fields, c, "contact", path);
    at(path, [&] {
      resolve(law(c.law.type).params, c.law, "law");
      if (c.scheme && !is_integrator(c.scheme->type))
        if (const auto why = misfit(c.law, *c.scheme); !why.empty()) refuse("scheme", why);
    });
  }
}
void check_excitations(const Scene& scene) {
  std::vector<std::string_view> names;
  for (const auto& m : scene.masses) names.push_back(m.name);
  for (std::size_t i = 0; i < scene.excitations.size(); ++i) {
    const ExcitationSpec& e = scene.excitations[i];
    const auto path = fmt::format("excitation[{}]", i);
    if (std::find(names.begin(), names.end(), e.body) == names.end())
      refuse(path + ".body",
             fmt::format("excitation.body is \"{}\", but there is no such body{}", e.body, hint(e.body, names)));
    check_fields<ExcitationSpec>(excitation_fields, e, "excitation", path);
    if (e.type == SignalType::pulse && e.duration_s == 0)
      refuse(path + ".duration_s", "excitation.duration_s is 0, but a pulse needs a length in (0, 86400] s");
    if (e.type == SignalType::sine && !(e.frequency_hz > 0 && e.frequency_hz < scene.rate_hz / 2))
      refuse(path + ".frequency_hz", fmt::format("excitation.frequency_hz is {:g}, but must lie in (0, {:g}) Hz",
                                                 e.frequency_hz, scene.rate_hz / 2));
    if (std::any_of(e.samples_N.begin(), e.samples_N.end(), [](double x) { return !std::isfinite(x); }))
      refuse(path + ".file", "excitation.file holds a value that is not finite");
  }
}
void check_pickups(const Scene& scene) {
  std::vector<std::string> contact_names;
  std::vector<std::string_view> names;
  for (const auto& c : scene.contacts) contact_names.push_back(contact_name(c));
  for (const auto& m : scene.masses) names.push_back(m.name);
  names.insert(names.end(), contact_names.begin(), contact_names.end());
  for (std::size_t i = 0; i < scene.pickups.size(); ++i) {
    const PickupSpec& p = scene.pickups[i];
    const auto path = fmt::format("pickup[{}]", i);
    if (std::find(names.begin(), names.end(), p.of) == names.end())
      refuse(path + ".of",
             fmt::format("pickup.of is \"{}\", but there is no such body or contact{}", p.of, hint(p.of, names)));
    const bool contact = std::find(contact_names.begin(), contact_names.end(), p.of) != contact_names.end();
    if (contact != (p.quantity == Quantity::force))
      refuse(path + ".quantity", fmt::format("pickup.quantity is \"{}\", but {}",
                                             quantity_names[static_cast<std::size_t>(p.quantity)],
                                             contact ? "a contact has force only" : "a body has no force"));
    check_fields<PickupSpec>(pickup_fields, p, "pickup", path);
  }
}

/// Where the energy of a constant force is zero: at the wall the mass can hit, else where it starts.
double ground(const Scene& scene, const MassSpec& mass) {
  for (const auto& c : scene.contacts)
    if ((c.bodies[0] == mass.name && c.bodies[1] == wall) || (c.bodies[1] == mass.name && c.bodies[0] == wall))
      return c.height_m;
  return mass.position_m;
}

World::NamedBody make_mass(const MassSpec& spec, std::size_t taps, double gravity, double ground_m, double dt) {
  const double omega = std::sqrt(spec.spring_N_m / spec.mass_kg), decay = spec.damper_N_s_m / (2 * spec.mass_kg);
  auto body = std::make_unique<ModalBody>(std::vector<Mode>{{spec.mass_kg, omega, decay}},
                                          std::vector<std::vector<double>>(std::max<std::size_t>(taps, 1), {1.0}), dt,
                                          spec.stepping);
  body->load(0, spec.load_N - gravity * spec.mass_kg, ground_m - spec.rest_m);
  body->throw_mode(0, spec.position_m - spec.rest_m, spec.velocity_m_s);
  return {spec.name, std::move(body), spec.rest_m};
}

/// A body that begins inside a contact: the sample before t = 0 follows the contact force too, or the whole run would be
/// first order.  Only where the step resolves the contact; elsewhere the half-step is meaningless.
void settle_into_contact(const World::Contact& c, std::vector<World::NamedBody>& bodies, double height_offset,
                         double dt_s) {
  double y = height_offset, step = 0, q = 0;
  for (const auto& w : c.wires[0]) {
    const Body& b = *bodies[w.body].body;
    y += w.sign * b.w[w.tap], step += w.sign * b.d[w.tap], q += b.receptance(w.tap, w.tap);
  }
  const double force = c.line->force_at(y, step / dt_s);
  if (force == 0 || q * c.line->slope_at(y) > 1) return;
  for (const auto& w : c.wires[0]) {
    auto& b = static_cast<ModalBody&>(*bodies[w.body].body);
    b.place(0, b.w[0], b.d[0] + w.sign * force * b.receptance(w.tap, w.tap) / 2);
  }
}

std::unique_ptr<System> compile_world(const Scene& scene) {
  const double dt = 1 / scene.rate_hz;
  std::vector<std::size_t> taps(scene.masses.size(), 0);
  const auto index = [&](const std::string& name) {
    return static_cast<std::size_t>(std::find_if(scene.masses.begin(), scene.masses.end(),
                                                 [&](auto& m) { return m.name == name; }) - scene.masses.begin());
  };
  std::vector<World::Contact> contacts;
  for (const auto& spec : scene.contacts) {
    const Choice chosen = spec.scheme.value_or(Choice{std::string(default_scheme(spec.law.type))});
    const SchemeInfo& info = jawari::scheme(chosen.type);
    World::Contact c;
    c.name = contact_name(spec), c.law = spec.law.type, c.scheme = chosen.type;
    c.line = make_line(spec.law, chosen, 1, dt);
    c.couples = info.couples;
    c.half_step = chosen.type.find("two-point") != std::string::npos;
    if (info.iterative && law(spec.law.type).sides == Sides::one && chosen.type.find("softened") == std::string::npos &&
        chosen.type.find("guarded") == std::string::npos && chosen.type.find("matched") == std::string::npos)
      c.stiffness = spec.law.values.at("stiffness"), c.exponent = spec.law.values.at("exponent");
    std::vector<World::Wire> wires;
    double offset = 0;
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      const auto& name = spec.bodies[static_cast<std::size_t>(side)];
      if (name == wall) {
        offset += sign * spec.height_m;
        continue;
      }
      const std::size_t b = index(name);
      wires.push_back({b, taps[b]++, sign});
      offset += sign * scene.masses[b].rest_m;
    }
    if (spec.bodies[0] != wall && spec.bodies[1] != wall) offset -= spec.height_m;
    c.wires.push_back(std::move(wires)), c.offset_m.push_back(offset);
    contacts.push_back(std::move(c));
  }
  std::vector<World::NamedBody> bodies;
  for (std::size_t i = 0; i < scene.masses.size(); ++i)
    bodies.push_back(make_mass(scene.masses[i], taps[i], scene.gravity_m_s2, ground(scene, scene.masses[i]), dt));
  for (const auto& c : contacts) settle_into_contact(c, bodies, c.offset_m[0], dt);
  std::vector<World::Drive> drives;
  for (const auto& e : scene.excitations) drives.push_back({index(e.body), 0, std::make_unique<Signal>(e, dt)});
  return std::make_unique<World>(dt, std::move(bodies), std::move(contacts), std::move(drives), scene.pickups);
}

}  // namespace

long step_count(const Scene& scene) { return std::max(1L, std::lround(scene.duration_s * scene.rate_hz)); }

std::unique_ptr<System> compile(const Scene& scene) {
  check_fields<Scene>(scene_fields, scene, "", "");
  if (scene.masses.empty()) refuse("mass", "mass is missing; a scene needs at least one body");
  if (scene.duration_s * scene.rate_hz > 2e9)
    refuse("duration_s", fmt::format("duration_s is {:g}, which is {:g} steps at {:g} Hz, but at most 2e9 are allowed",
                                     scene.duration_s, scene.duration_s * scene.rate_hz, scene.rate_hz));
  check_masses(scene), check_contacts(scene), check_excitations(scene), check_pickups(scene);
  for (const auto& c : scene.contacts)
    if (c.scheme && is_integrator(c.scheme->type)) return compile_one_mass(scene);
  return compile_world(scene);
}

}  // namespace jawari
