// SPDX-License-Identifier: MIT
#include "jawari/engine/compile.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "build_string.h"
#include "check.h"
#include "jawari/engine/world.h"
#include "jawari/impact/corrections.h"
#include "one_mass_world.h"

namespace jawari {
namespace {

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
  return {spec.name,
          std::move(body),
          spec.rest_m,
          {{spec.name, 0, Quantity::displacement}, {spec.name, 0, Quantity::velocity}}};
}

/// Bodies are numbered masses first, then strings.
class Compiler {
 public:
  explicit Compiler(const Scene& scene) : scene_(scene), taps_(scene.masses.size(), 0) {
    parts_.dt_s = 1 / scene.rate_hz;
    for (std::size_t i = 0; i < scene.strings.size(); ++i)
      at(fmt::format("string[{}]", i), [&] {
        const auto& spec = scene.strings[i];
        const bool along = std::any_of(scene.barriers.begin(), scene.barriers.end(), [&](const BarrierSpec& b) {
          return b.string == spec.name && !b.pointwise() && b.points == 0;
        });
        strings_.emplace_back(spec, parts_.dt_s, along);
      });
  }
  std::unique_ptr<System> compile() {
    for (std::size_t i = 0; i < scene_.contacts.size(); ++i)
      at(fmt::format("contact[{}]", i), [&] { add(scene_.contacts[i]); });
    for (std::size_t i = 0; i < scene_.barriers.size(); ++i)
      at(fmt::format("barrier[{}]", i), [&] { add(scene_.barriers[i]); });
    for (const auto& e : scene_.excitations)
      parts_.drives.push_back({index(e.body),
                               is_string(e.body) ? string(e.body).tap({StringTap::point, e.position_m}) : 0,
                               std::make_unique<Signal>(e, parts_.dt_s)});
    listen();
    for (std::size_t i = 0; i < scene_.masses.size(); ++i)
      parts_.bodies.push_back(
          make_mass(scene_.masses[i], taps_[i], scene_.gravity_m_s2, ground(scene_, scene_.masses[i]), parts_.dt_s));
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      parts_.bodies.push_back({scene_.strings[i].name, strings_[i].build(), 0, std::move(readings_[i])});
      parts_.drawings.push_back(strings_[i].drawing(parts_.bodies.size() - 1));
    }
    return std::make_unique<World>(std::move(parts_));
  }

 private:
  std::size_t index(const std::string& name) const {
    std::size_t i = 0;
    for (const auto& m : scene_.masses)
      if (m.name == name)
        return i;
      else
        ++i;
    for (const auto& s : scene_.strings)
      if (s.name == name)
        return i;
      else
        ++i;
    return i;
  }
  bool is_string(const std::string& name) const { return index(name) >= scene_.masses.size(); }
  StringBuilder& string(const std::string& name) { return strings_[index(name) - scene_.masses.size()]; }

  World::Contact contact(std::string name, const Choice& law, const Choice& scheme, std::size_t points,
                         double weight) const {
    const SchemeInfo& info = jawari::scheme(scheme.type);
    World::Contact c;
    c.name = std::move(name), c.law = law.type, c.scheme = scheme.type;
    c.line = make_line(law, scheme, points, parts_.dt_s, weight);
    c.couples = info.couples;
    c.half_step = scheme.type.find("two-point") != std::string::npos;
    const bool chooses = std::any_of(std::begin(own_stiffness), std::end(own_stiffness),
                                     [&](const char* word) { return scheme.type.find(word) != std::string::npos; });
    if (info.iterative && jawari::law(law.type).sides == Sides::one && !chooses && law.values.contains("stiffness"))
      c.stiffness = weight * law.values.at("stiffness"), c.exponent = law.values.at("exponent");
    return c;
  }
  void add(const ContactSpec& spec) {
    auto c = contact(contact_name(spec), spec.law,
                     spec.scheme.value_or(Choice{std::string(default_scheme(spec.law.type))}), 1, 1);
    double offset = 0;
    for (const int side : {0, 1}) {
      const double sign = side == 0 ? 1 : -1;
      const auto& name = spec.bodies[static_cast<std::size_t>(side)];
      if (name == wall) {
        offset += sign * spec.height_m;
      } else if (const std::size_t b = index(name); is_string(name)) {
        c.sides.push_back({b, string(name).tap({StringTap::point, spec.position_m}), sign});
      } else {
        c.sides.push_back({b, taps_[b]++, sign});
        offset += sign * scene_.masses[b].rest_m;
      }
    }
    if (spec.bodies[0] != wall && spec.bodies[1] != wall) offset -= spec.height_m;
    c.offset_m.push_back(offset);
    parts_.contacts.push_back(std::move(c));
  }
  void add(const BarrierSpec& spec) {
    StringBuilder& builder = string(spec.string);
    const double length = builder.data().length_m;
    World::DrawnBarrier drawn{
        {barrier_name(spec), index(spec.string) - scene_.masses.size(), {}, {}, spec.above, spec.pointwise()},
        parts_.contacts.size()};
    StringBuilder::Along line{0, spec.x_m, 1};
    if (spec.pointwise()) {
      for (const double x : spec.x_m) {
        const std::size_t tap = builder.tap({StringTap::point, x});
        if (drawn.view.x_m.empty()) line.first_tap = tap;
        drawn.view.x_m.push_back(x);
      }
    } else {
      line = builder.along(spec.from_m, spec.to_m > 0 ? spec.to_m : length, static_cast<std::size_t>(spec.points));
      if (line.x_m.empty())
        throw Refusal(
            "to_m",
            fmt::format(
                "barrier.from_m is {:g} and to_m {:g}, but no contact point lies between; they are {:g} m apart",
                spec.from_m, spec.to_m > 0 ? spec.to_m : length, line.weight_m));
      drawn.view.x_m = line.x_m;
    }
    auto c = contact(barrier_name(spec), spec.law, spec.scheme.value_or(Choice{"two-point"}), line.x_m.size(),
                     spec.per_length ? line.weight_m : 1);
    c.on_string = true;
    const double sign = spec.above ? 1 : -1;  // y = u - b above, b - u below
    c.sides.push_back({index(spec.string), line.first_tap, sign});
    for (std::size_t i = 0; i < line.x_m.size(); ++i) {
      const double b = spec.pointwise() && !spec.heights_m.empty() ? spec.heights_m[i] : spec.height_at(line.x_m[i]);
      if (!std::isfinite(b))
        throw Refusal("height",
                      fmt::format("barrier.height at x = {:g} m is {:g}, but must be finite", line.x_m[i], b));
      drawn.view.height_m.push_back(b), c.offset_m.push_back(-sign * b);
    }
    parts_.contacts.push_back(std::move(c)), parts_.barriers.push_back(std::move(drawn));
  }
  /// Every pickup of a string is a channel; a string without one is read at nine tenths of its length.
  void listen() {
    readings_.resize(strings_.size());
    for (const auto& p : scene_.pickups) {
      const auto contact =
          std::find_if(parts_.contacts.begin(), parts_.contacts.end(), [&](auto& c) { return c.name == p.of; });
      if (contact != parts_.contacts.end()) {
        parts_.pickups.push_back(
            {true, static_cast<std::size_t>(contact - parts_.contacts.begin()), 0, p.quantity, p.gain});
        continue;
      }
      std::size_t tap = 0;
      if (is_string(p.of)) {
        const bool support = p.quantity == Quantity::bridge_force || p.quantity == Quantity::nut_force;
        tap = string(p.of).tap(support_or_point(p.quantity, p.position_m));
        const auto place = support ? std::string(quantity_names[static_cast<std::size_t>(p.quantity)])
                                   : fmt::format("{:g}m", p.position_m);
        const auto name = p.name.empty() ? fmt::format("{}@{}", p.of, place) : p.name;
        read(p.of, name, tap, p.quantity);
      }
      parts_.pickups.push_back({false, index(p.of), tap, p.quantity, p.gain});
    }
    for (std::size_t i = 0; i < strings_.size(); ++i) {
      const auto& name = scene_.strings[i].name;
      const bool seen = std::any_of(readings_[i].begin(), readings_[i].end(),
                                    [](auto& r) { return r.quantity == Quantity::displacement; });
      if (!seen)
        read(name, name, strings_[i].tap({StringTap::point, 0.9 * strings_[i].data().length_m}),
             Quantity::displacement);
      if (scene_.pickups.empty()) {
        const std::size_t tap = strings_[i].tap({StringTap::right_bridge});
        readings_[i].push_back({name + "@bridge-force", tap, Quantity::bridge_force});
        parts_.pickups.push_back({false, index(name), tap, Quantity::bridge_force, 1});
      }
    }
    if (scene_.pickups.empty() && strings_.empty())
      for (std::size_t i = 0; i < parts_.contacts.size(); ++i)
        parts_.pickups.push_back({true, i, 0, Quantity::force, 1});
  }
  static StringTap support_or_point(Quantity q, double x) {
    if (q == Quantity::bridge_force) return {StringTap::right_bridge};
    return q == Quantity::nut_force ? StringTap{StringTap::left_bridge} : StringTap{StringTap::point, x};
  }
  /// A motion is read whole: displacement and velocity.
  void read(const std::string& string_name, const std::string& name, std::size_t tap, Quantity quantity) {
    auto& list = readings_[index(string_name) - scene_.masses.size()];
    if (quantity == Quantity::bridge_force || quantity == Quantity::nut_force) {
      list.push_back({name, tap, quantity});
      return;
    }
    list.push_back({name, tap, Quantity::displacement}), list.push_back({name, tap, Quantity::velocity});
    if (quantity == Quantity::acceleration) list.push_back({name, tap, quantity});
  }

  static constexpr const char* own_stiffness[] = {"softened", "guarded", "matched"};
  const Scene& scene_;
  World::Parts parts_;
  std::vector<std::size_t> taps_;  // of the masses
  std::vector<StringBuilder> strings_;
  std::vector<std::vector<World::Reading>> readings_;  // of the strings
};

}  // namespace

long step_count(const Scene& scene) { return std::max(1L, std::lround(scene.duration_s * scene.rate_hz)); }

std::unique_ptr<System> compile(const Scene& scene) {
  check_scene(scene);
  for (const auto& c : scene.contacts)
    if (c.scheme && is_integrator(c.scheme->type)) return compile_one_mass(scene);
  return Compiler(scene).compile();
}

}  // namespace jawari
