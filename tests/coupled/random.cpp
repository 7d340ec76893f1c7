// SPDX-License-Identifier: MIT
// Random scenes: bodies, contacts, gestures and events with extreme but legal values, from 8 to 384 kHz.  None may run
// away, make energy, or take longer than a stated bound.  150 here, 10,000 in script/soak (JAWARI_SCENES); tests/attack
// draws more kinds of them.
#include <cstdlib>

#include "support.h"
#include "support/dice.h"
#include "support/effort.h"

namespace jawari {
namespace {

using test::Dice;

LawSpec law(Dice& d) {
  LawSpec c{d.often(0.6) ? "power" : "hunt-crossley",
            {{"stiffness", d.spread(1e3, 1e13)}, {"exponent", d.between(1, 3)}}};
  if (c.type == "hunt-crossley") c.values["mu"] = d.spread(1e-3, 1e2);
  return c;
}
std::optional<SchemeSpec> scheme(Dice& d) {
  static const char* names[] = {"two-point", "three-point", "secant-2",          "secant-1",
                                "bounded",   "returning",   "guarded-two-point", "auto"};
  return LawSpec{names[d.upto(8)]};
}

Scene random_scene(unsigned seed) {
  Dice d(seed);
  Scene s;
  s.rate_hz = d.spread(8000, 384000);
  s.duration_s = 400 / s.rate_hz;
  s.gravity_m_s2 = d.often(0.3) ? 9.81 : 0;
  if (d.often(0.1)) s.oversample = 2;
  std::vector<std::string> bodies;
  const auto name = [&](const char* kind) { return bodies.emplace_back(kind + std::to_string(bodies.size())); };
  const int count = 1 + d.upto(4);
  for (int i = 0; i < count; ++i) switch (d.upto(6)) {
      case 0: {
        MassSpec m;
        m.name = name("mass");
        m.mass_kg = d.spread(1e-5, 10);
        m.position_m = d.between(-1e-3, 1e-3);
        m.velocity_m_s = d.between(-20, 20);
        if (d.often(0.5)) m.spring_N_m = d.spread(1e-2, 1e7);
        if (d.often(0.3)) m.damper_N_s_m = d.spread(1e-4, 1e3);
        s.masses.push_back(m);
        break;
      }
      case 1:
      case 2: {
        StringSpec t;
        t.name = name("string");
        t.length_m = d.spread(0.2, 2);
        t.frequency_hz = step_rate_hz(s) / d.spread(40, 500);
        t.density_kg_m = d.spread(1e-4, 2e-2);
        t.bending_N_m2 = d.often(0.5) ? 0
                                      : d.spread(1e-9, 1e-3) * t.density_kg_m *
                                            std::pow(t.frequency_hz * t.length_m, 2) * t.length_m * t.length_m;
        t.method = d.often(0.5) ? StringMethod::modes : StringMethod::grid;
        if (t.method == StringMethod::grid && d.often(0.4)) {
          t.op = d.often(0.5) ? GridOperator::optimal : GridOperator::unconditional;
          t.intervals = t.op == GridOperator::unconditional ? 20 + d.upto(60) : 0;
        }
        if (d.often(0.5)) t.sigma0_1_s = d.spread(1e-2, 1e3);
        if (d.often(0.3)) {
          t.stretching_N = d.spread(1, 1e2) * t.density_kg_m * std::pow(2 * t.frequency_hz * t.length_m, 2);
          t.tension_modulation = true;
        }
        t.start = {.shape = StartShape::pluck,
                   .position_m = t.length_m * d.between(0.1, 0.9),
                   .height_m = d.between(-3e-3, 3e-3)};
        t.highest_hz = t.frequency_hz * 1.2;
        s.strings.push_back(t);
        if (d.often(0.6)) {
          BarrierSpec b;
          b.string = t.name;
          b.height_m = d.between(-3e-3, 1e-3);
          b.from_m = 0;
          b.to_m = d.often(0.5) ? 0 : t.length_m * d.between(0.4, 1);
          b.per_length = true;
          b.law = law(d);
          b.scheme = scheme(d);
          b.above = d.often(0.2);
          if (t.method == StringMethod::modes) b.points = 4 + d.upto(20);
          s.barriers.push_back(b);
        }
        break;
      }
      case 3: {
        BarSpec b;
        b.name = name("bar");
        b.length_m = d.spread(0.05, 0.5);
        b.width_m = 0.03;
        b.thickness_m = d.spread(2e-3, 2e-2);
        b.density_kg_m3 = d.spread(500, 9000);
        b.young_Pa = d.spread(1e9, 2e11);
        b.ends = static_cast<Ends>(d.upto(4));
        b.modes = 1;
        b.sigma0_1_s = d.spread(1e-2, 1e2);
        b.bandwidth = 0.99;
        s.bars.push_back(b);
        break;
      }
      case 4: {
        MembraneSpec m;
        m.name = name("skin");
        m.radius_m = d.spread(0.05, 0.3);
        m.frequency_hz = step_rate_hz(s) / d.spread(20, 60);
        m.density_kg_m2 = d.spread(0.05, 1);
        m.sigma0_1_s = d.spread(0.1, 50);
        s.membranes.push_back(m);
        break;
      }
      default: {
        ModalSpec m;
        m.name = name("thing");
        std::vector<double> here, there;
        for (int k = 0; k < 1 + d.upto(12); ++k) {
          m.frequencies_hz.push_back(step_rate_hz(s) * d.spread(1e-3, 0.49));
          m.decay_s.push_back(d.spread(1e-3, 10));
          m.masses_kg.push_back(d.spread(1e-4, 1));
          here.push_back(d.between(-1, 1));
          there.push_back(d.between(-1, 1));
        }
        m.points = {{"here", here}, {"there", there}};
        s.modals.push_back(m);
      }
    }
  const auto location = [&](const std::string& b) {
    for (const auto& x : s.strings)
      if (x.name == b) return Location{x.length_m * d.between(0.02, 0.98), 0, {}};
    for (const auto& x : s.bars)
      if (x.name == b) return Location{x.length_m * d.between(0, 1), 0, {}};
    for (const auto& x : s.membranes)
      if (x.name == b) return Location{x.radius_m * d.between(-0.6, 0.6), x.radius_m * d.between(-0.6, 0.6), {}};
    return Location{0, 0, d.often(0.5) ? "here" : "there"};
  };
  const int joints = d.upto(5);
  for (int i = 0; i < joints; ++i) {
    const auto a = bodies[static_cast<std::size_t>(d.upto(static_cast<int>(bodies.size())))];
    auto b =
        d.often(0.3) ? std::string(wall) : bodies[static_cast<std::size_t>(d.upto(static_cast<int>(bodies.size())))];
    if (a == b) b = wall;
    const auto id = "joint" + std::to_string(i);
    if (const int kind = d.upto(4); kind < 2) {
      ContactSpec c;
      c.name = id;
      c.bodies = {a, b};
      c.at = {location(a), location(b)};
      c.height_m = d.between(-1e-3, 1e-3);
      c.law = law(d);
      c.scheme = scheme(d);
      s.contacts.push_back(c);
    } else if (kind == 2) {
      s.connections.push_back(
          {id, {a, b}, {location(a), location(b)}, d.spread(1, 1e8), d.often(0.5) ? 0 : d.spread(1e-4, 1e2), 0});
    } else {
      s.frictions.push_back({id, {a, b}, {location(a), location(b)}, d.spread(1e-2, 2), d.spread(1e-3, 1e2), {}});
    }
  }
  const auto target = bodies[0];
  s.hammers.push_back({"hammer", target, location(target), d.often(0.5), d.spread(1e-4, 0.1),
                       d.often(0.5) ? d.spread(0.1, 20) : 0, law(d), scheme(d)});
  s.fingers.push_back({"finger", target, location(target), d.often(0.5), 0.005, 0, law(d), scheme(d)});
  for (int i = 0; i < d.upto(5); ++i) {
    const double at = d.between(0, s.duration_s);
    switch (d.upto(4)) {
      case 0:
        s.events.push_back({at, EventType::strike, "hammer", {}, d.spread(0.1, 20), 0});
        break;
      case 1:
        s.events.push_back({at, EventType::press, "finger", {}, d.spread(1e-4, 1e-2), d.spread(1e-4, 1e-1)});
        break;
      case 2:
        if (!s.strings.empty())
          s.events.push_back({at,
                              EventType::retune,
                              s.strings[0].name,
                              {},
                              s.strings[0].frequency_hz * d.between(0.8, 1.15),
                              d.often(0.5) ? 0 : 1e-3});
        break;
      default:
        if (!s.contacts.empty())
          s.events.push_back({at, EventType::set, s.contacts[0].name, "stiffness",
                              s.contacts[0].law.values["stiffness"] * d.spread(0.1, 10), 0});
    }
  }
  return s;
}

/// What did not settle, for the message of a failure.
std::string told(const World& world) {
  std::string text;
  for (const auto& c : world.contacts())
    if (c.record.unsettled > 0)
      text += c.name + " " + c.law + " " + c.scheme + " " + std::to_string(c.record.unsettled) + " of " +
              std::to_string(c.record.solves) + "; ";
  return text;
}

TEST(RandomScenes, NoneRunsAwayMakesEnergyOrTakesTooLong) {
  const char* wanted = std::getenv("JAWARI_SCENES");
  const int count = wanted ? std::atoi(wanted) : 150;
  int refused = 0, compiled = 0;
  double slowest = 0;
  unsigned slowest_seed = 0;
  for (unsigned seed = 1; seed <= static_cast<unsigned>(count); ++seed) {
    SCOPED_TRACE(seed);
    const Scene scene = random_scene(seed);
    std::unique_ptr<World> world;
    const double before = thread_cpu_s();
    try {
      world = compile_world(scene);
    } catch (const InputError& r) {  // too few modes at this rate, a barrier without points: said in a sentence
      EXPECT_GT(std::string(r.what()).size(), 20u);
      ++refused;
      continue;
    }
    ++compiled;
    const auto result = run(*world, step_count(scene));
    if (const double seconds = thread_cpu_s() - before; seconds > slowest) {
      slowest = seconds;
      slowest_seed = seed;
    }
    const Ledger& l = world->ledger();
    EXPECT_TRUE(std::isfinite(l.stored_J()));
    EXPECT_FALSE(world->failed()) << told(*world);
    // Rounding: eps times the stiffest contact against the step, measured in tests/property/strings.cpp.
    EXPECT_LE(l.imbalance(), 1e-8);
    EXPECT_GE(l.dissipated_J, -1e-10 * l.largest_J);
    for (const double x : result.sound) ASSERT_TRUE(std::isfinite(x));
    EXPECT_LE(test::worst_account(*world), 1e-8);
  }
  EXPECT_GE(compiled, count * 3 / 4) << refused;
  EXPECT_LE(slowest, test::bound_s(2)) << "seed " << slowest_seed;  // CPU seconds for set-up and 400 or 800 steps
}

}  // namespace
}  // namespace jawari
