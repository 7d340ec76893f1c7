// SPDX-License-Identifier: MIT
#include "lower.h"

#include <fmt/format.h>

#include <algorithm>

#include "string_method.h"

namespace jawari {
namespace {

/// Where a hammer waits: farther than anything swings [m].
constexpr double parking_m = 0.1;

class Lowering {
 public:
  explicit Lowering(const Scene& scene) : out_{scene, {}} {
    Scene& s = out_.scene;
    for (const auto& h : scene.hammers) add(h);
    for (const auto& p : scene.plectrums) add(p);
    for (const auto& f : scene.fingers) add(f);
    for (const auto& r : scene.rattles) add(r);
    for (const auto& b : scene.bolts) {
      MassSpec m;
      m.name = b.name;
      m.mass_kg = b.mass_kg;
      s.masses.push_back(m);
      ConnectionSpec c{b.name + "-grip", {b.name, b.target}, {Location{}, b.at}, b.stiffness_N_m, b.damping_N_s_m, 0};
      s.connections.push_back(std::move(c));
    }
    for (const auto& r : scene.rubbers)
      s.connections.push_back(
          {r.name, {r.target, std::string(wall)}, {r.at, Location{}}, r.stiffness_N_m, r.damping_N_s_m, 0});
    for (const auto* list : {&scene.frets, &scene.threads})
      for (const auto& f : *list) {
        BarrierSpec b;
        b.name = f.name;
        b.string = f.string;
        b.shape = BarrierShape::points;
        b.x_m = {f.position_m};
        b.height_m = f.height_m;
        b.law = f.law;
        b.scheme = f.scheme;
        s.barriers.push_back(std::move(b));
      }
    for (const auto& w : scene.snares) add(w);
    s.hammers.clear();
    s.plectrums.clear();
    s.fingers.clear();
    s.rattles.clear();
    s.bolts.clear();
    s.rubbers.clear();
    s.frets.clear();
    s.threads.clear();
    s.snares.clear();
    choose_methods(s);
  }
  Lowered take() { return std::move(out_); }

 private:
  /// `mover` lies below `target`, or above it.
  ContactSpec contact(const std::string& mover, const std::string& target, const Location& at, bool above) const {
    ContactSpec c;
    c.name = fmt::format("{}-{}", mover, target);
    c.bodies = above ? std::array{target, mover} : std::array{mover, target};
    c.at = above ? std::array{std::optional(at), std::optional(Location{})}
                 : std::array{std::optional(Location{}), std::optional(at)};
    return c;
  }
  void add(const HammerSpec& h) {
    const double sign = h.above ? -1 : 1;
    MassSpec m;
    m.name = h.name;
    m.mass_kg = h.mass_kg;
    m.position_m = h.velocity_m_s > 0 ? 0 : -sign * parking_m;
    m.velocity_m_s = sign * h.velocity_m_s;
    auto c = contact(h.name, h.target, h.at, h.above);
    c.law = h.law;
    c.scheme = h.scheme;
    out_.targets.push_back({h.name, c.name, sign, parking_m, !(h.velocity_m_s > 0)});
    out_.scene.masses.push_back(std::move(m));
    out_.scene.contacts.push_back(std::move(c));
  }
  void add(const TouchSpec& t) {
    const double toward = t.above ? -1 : 1;
    auto c = contact(t.name, t.target, t.at, t.above);
    c.law = t.law;
    c.scheme = t.scheme;
    out_.targets.push_back({t.name, c.name, toward, t.away_m});
    out_.scene.hands.push_back({t.name, t.start_m > 0 ? toward * t.start_m : -toward * t.away_m, {}});
    out_.scene.contacts.push_back(std::move(c));
  }
  void add(const RattleSpec& r) {
    MassSpec m;
    m.name = r.name;
    m.mass_kg = r.mass_kg;
    m.load_N = -r.hold_N;
    auto c = contact(r.name, r.target, r.at, true);  // it lies on the body
    c.law = r.law;
    c.scheme = r.scheme;
    if (r.gap_m > 0) {  // play between two stops that move with the body
      if (c.law.type != "power")
        throw InputError("rattle.law",
                         fmt::format("rattle.law is \"{}\", but play (gap_m above 0) goes with \"power\"", c.law.type));
      c.law.type = "centre-limited";
      c.law.values["gap_m"] = r.gap_m;
    }
    out_.scene.masses.push_back(std::move(m));
    out_.scene.contacts.push_back(std::move(c));
  }
  void add(const SnareSpec& w) {
    const auto& list = out_.scene.membranes;
    const auto skin = std::find_if(list.begin(), list.end(), [&](auto& m) { return m.name == w.target; });
    if (skin == list.end())
      throw InputError("snare.target", fmt::format("snare.target is \"{}\", but there is no such membrane", w.target));
    const double mid_x = skin->radius_m > 0 ? 0 : skin->width_m / 2,
                 mid_y = skin->radius_m > 0 ? 0 : skin->height_m / 2;
    const int count = static_cast<int>(w.wires), points = static_cast<int>(w.points);
    for (int i = 0; i < count; ++i) {
      StringSpec s;
      s.name = count == 1 ? w.name : fmt::format("{}-{}", w.name, i + 1);
      s.length_m = w.length_m;
      s.tension_N = w.tension_N;
      s.density_kg_m = w.density_kg_m;
      s.sigma0_1_s = w.sigma0_1_s;
      s.method = StringMethod::modes;
      s.bandwidth = 0.5;
      ContactSpec c;  // the wire hangs below the skin
      c.name = fmt::format("{}-{}", s.name, w.target);
      c.bodies = {s.name, w.target};
      c.height_m = -w.gap_m;
      c.law = w.law;
      c.scheme = w.scheme;
      for (int p = 1; p <= points; ++p) {
        const double x = w.length_m * p / (points + 1);
        c.line.push_back({Location{x, 0, {}},
                          Location{mid_x + x - w.length_m / 2, mid_y + (i - (count - 1) / 2.0) * w.spacing_m, {}}});
      }
      if (c.law.values.contains("stiffness_per_m")) {
        c.law.values["stiffness"] = c.law.values["stiffness_per_m"];
        c.law.values.erase("stiffness_per_m");
        c.weight_m = w.length_m / (points + 1);
      }
      out_.scene.strings.push_back(std::move(s));
      out_.scene.contacts.push_back(std::move(c));
    }
  }
  Lowered out_;
};

}  // namespace

Lowered lower_scene(const Scene& scene) { return Lowering(scene).take(); }

}  // namespace jawari
