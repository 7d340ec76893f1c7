// SPDX-License-Identifier: MIT
#include "jawari/engine/compile.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <set>

#include <fmt/format.h>

#include "jawari/engine/world.h"
#include "jawari/impact/corrections.h"
#include "one_mass_world.h"

namespace jawari {
namespace {

template <class Spec>
void check_fields(std::span<const Field<Spec>> fields, const Spec& spec, std::string_view where) {
  for (const auto& f : fields) check(f.param, spec.*f.member, where);
}
[[noreturn]] void refuse(const std::string& field, const std::string& sentence) { throw Refusal(field, sentence); }

void check_names(const Scene& scene) {
  std::set<std::string> seen;
  for (const auto& m : scene.masses) {
    if (m.name.empty()) refuse("mass.name", "mass.name is empty, but every mass needs a name");
    if (m.name == wall) refuse("mass.name", "mass.name is \"wall\", which is the name of the fixed barrier");
    if (!seen.insert(m.name).second)
      refuse("mass.name", fmt::format("mass.name is \"{}\" twice, but names must differ", m.name));
  }
}
std::string contact_name(const ContactSpec& c) {
  return c.name.empty() ? fmt::format("{}-{}", c.bodies[0], c.bodies[1]) : c.name;
}
void check_contacts(const Scene& scene) {
  std::set<std::string> seen;
  for (const auto& m : scene.masses) seen.insert(m.name);
  for (const auto& c : scene.contacts) {
    const auto name = contact_name(c);
    for (const auto& b : c.bodies)
      if (b != wall && std::none_of(scene.masses.begin(), scene.masses.end(), [&](auto& m) { return m.name == b; })) {
        std::vector<std::string_view> names{wall};
        for (const auto& m : scene.masses) names.push_back(m.name);
        const auto near = nearest(b, names);
        refuse("contact.bodies", fmt::format("contact.bodies names \"{}\", but there is no such body{}", b,
                                             near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
      }
    if (c.bodies[0] == c.bodies[1])
      refuse("contact.bodies", fmt::format("contact.bodies names \"{}\" twice, but a contact needs two bodies", c.bodies[0]));
    if (!seen.insert(name).second)
      refuse("contact.name", fmt::format("contact.name is \"{}\" twice, but names must differ", name));
    check_fields<ContactSpec>(contact_fields, c, "contact");
  }
}
void check_listeners(const Scene& scene) {
  const auto is_mass = [&](const std::string& name) {
    return std::any_of(scene.masses.begin(), scene.masses.end(), [&](auto& m) { return m.name == name; });
  };
  for (const auto& e : scene.excitations) {
    if (!is_mass(e.body)) refuse("excitation.body", fmt::format("excitation.body is \"{}\", but there is no such body", e.body));
    check_fields<ExcitationSpec>(excitation_fields, e, "excitation");
    if (e.type == SignalType::pulse && e.duration_s == 0)
      refuse("excitation.duration_s", "excitation.duration_s is 0, but a pulse needs a length in (0, 86400] s");
    if (e.type == SignalType::sine && !(e.frequency_hz > 0 && e.frequency_hz < scene.rate_hz / 2))
      refuse("excitation.frequency_hz", fmt::format("excitation.frequency_hz is {:g}, but must lie in (0, {:g}) Hz",
                                                    e.frequency_hz, scene.rate_hz / 2));
    for (const double x : e.samples_N)
      if (!std::isfinite(x)) refuse("excitation.file", "excitation.file holds a value that is not finite");
  }
  for (const auto& p : scene.pickups) {
    const bool contact = std::any_of(scene.contacts.begin(), scene.contacts.end(),
                                     [&](auto& c) { return contact_name(c) == p.of; });
    if (!contact && !is_mass(p.of))
      refuse("pickup.of", fmt::format("pickup.of is \"{}\", but there is no such body or contact", p.of));
    if (contact != (p.quantity == Quantity::force))
      refuse("pickup.quantity", fmt::format("pickup.quantity is \"{}\", but {}",
                                            quantity_names[static_cast<std::size_t>(p.quantity)],
                                            contact ? "a contact has force only" : "a body has no force"));
    check_fields<PickupSpec>(pickup_fields, p, "pickup");
  }
}

World::NamedBody make_mass(const MassSpec& spec, std::size_t taps, double gravity, double dt) {
  const double omega = std::sqrt(spec.spring_N_m / spec.mass_kg), decay = spec.damper_N_s_m / (2 * spec.mass_kg);
  auto body = std::make_unique<ModalBody>(std::vector<Mode>{{spec.mass_kg, omega, decay}},
                                          std::vector<std::vector<double>>(std::max<std::size_t>(taps, 1), {1.0}), dt,
                                          spec.stepping);
  body->load(0, spec.load_N - gravity * spec.mass_kg);
  body->throw_mode(0, spec.position_m - spec.rest_m, spec.velocity_m_s);
  return {spec.name, std::move(body), spec.rest_m};
}

/// A body that begins inside a contact: the sample before t = 0 follows the contact force too, or the whole run would be
/// first order.  Only where the step resolves the contact; elsewhere the half-step is meaningless.
void settle_into_contact(const World::Contact& c, std::vector<World::NamedBody>& bodies, double height_offset) {
  double y = height_offset, v = 0, q = 0;
  for (const auto& w : c.wires[0]) {
    const Body& b = *bodies[w.body].body;
    y += w.sign * b.w[w.tap], v += w.sign * b.d[w.tap], q += b.receptance(w.tap, w.tap);
  }
  (void)v;
  const double force = c.line->force_at(y, 0);
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
    bodies.push_back(make_mass(scene.masses[i], taps[i], scene.gravity_m_s2, dt));
  for (const auto& c : contacts) settle_into_contact(c, bodies, c.offset_m[0]);
  std::vector<World::Drive> drives;
  for (const auto& e : scene.excitations) drives.push_back({index(e.body), 0, std::make_unique<Signal>(e, dt)});
  return std::make_unique<World>(dt, std::move(bodies), std::move(contacts), std::move(drives), scene.pickups);
}

}  // namespace

long step_count(const Scene& scene) { return std::max(1L, std::lround(scene.duration_s * scene.rate_hz)); }

std::unique_ptr<System> compile(const Scene& scene) {
  check_fields<Scene>(scene_fields, scene, "");
  if (scene.masses.empty()) refuse("mass", "mass is missing; a scene needs at least one body");
  if (scene.duration_s * scene.rate_hz > 2e9)
    refuse("duration_s", fmt::format("duration_s is {:g}, which is {:g} steps at {:g} Hz, but at most 2e9 are allowed",
                                     scene.duration_s, scene.duration_s * scene.rate_hz, scene.rate_hz));
  check_names(scene);
  for (const auto& m : scene.masses) check_fields<MassSpec>(mass_fields, m, fmt::format("mass \"{}\"", m.name));
  check_contacts(scene), check_listeners(scene);
  for (const auto& c : scene.contacts)
    if (c.scheme && is_integrator(c.scheme->type)) return compile_one_mass(scene);
  return compile_world(scene);
}

}  // namespace jawari
