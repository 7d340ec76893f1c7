// SPDX-License-Identifier: MIT
// The smallest legal body of every kind, at every operator, loss, method, stepping and end condition, with taps at both
// ends and in the middle: nothing is read or written outside it (sanitizers), its account closes, and kernels play the
// samples of single steps.
#include <fmt/format.h>

#include <cmath>

#include "coupled/support.h"
#include "jawari/body/string_grid.h"
#include "jawari/engine/engine.h"

namespace jawari {
namespace {

constexpr double rate_hz = 8000, length_m = 1;
constexpr long steps = 96;
const LawSpec soft{"power", {{"stiffness", 1e5}, {"exponent", 1.5}}};
const LawSpec lossy{"hunt-crossley", {{"stiffness", 1e5}, {"exponent", 1.5}, {"mu", 0.5}}};
const LawSpec iterated{"two-point"}, direct{"secant-2"};  // without tables of impacts, which take longer than the steps

struct Short {
  std::string what;
  Scene scene;
  std::string body;
  std::vector<Location> locations;  ///< both ends and the middle
  bool string = false;
};

Scene empty() {
  Scene s;
  s.rate_hz = rate_hz;
  s.duration_s = static_cast<double>(steps) / rate_hz;
  return s;
}
/// Beside the supports, beside the nodes and on a node.
std::vector<Location> along(double length) {
  return {{1e-3 * length}, {0.12 * length}, {0.3 * length}, {0.5 * length}, {0.66 * length}, {0.999 * length}};
}

StringSpec string_of(double frequency_hz) {
  StringSpec t;
  t.name = "b";
  t.length_m = length_m;
  t.frequency_hz = frequency_hz;
  t.density_kg_m = 4e-3;
  t.start = {.shape = StartShape::pluck, .position_m = 0.3, .height_m = 1e-3};
  return t;
}

std::vector<Short> grid_strings(const std::vector<int>& counts) {
  std::vector<Short> list;
  int turn = 0;
  for (const int intervals : counts)
    for (const GridOperator op :
         {GridOperator::explicit_, GridOperator::gamma, GridOperator::optimal, GridOperator::unconditional})
      for (const int loss : {0, 1, 2, 3})
        for (const bool modulated : {false, true}) {
          const double bending = turn++ % 2 == 0 ? 0 : 0.3;
          Scene s = empty();
          StringSpec t = string_of(100);
          t.op = op;
          t.intervals = intervals;
          t.bending_N_m2 = bending;
          t.centred_loss = loss == 3;
          t.gamma = op == GridOperator::gamma ? (turn % 3 == 0 ? -0.3 : 0.5) : 0;
          t.sigma0_1_s = loss > 0 ? 2 : 0;
          t.sigma1_m2_s = loss > 1 ? 0.1 : 0;
          if (modulated) {
            t.tension_modulation = true;
            t.stretching_N = 1e5;
          }
          s.strings.push_back(t);
          list.push_back({fmt::format("grid, {} intervals, {}, loss {}, bending {}{}", intervals,
                                      grid_operator_names[static_cast<std::size_t>(op)], loss, bending,
                                      modulated ? ", modulated" : ""),
                          s, "b", along(length_m), true});
        }
  for (const double low : {1000.0, 1100.0, 1300.0}) {  // what the rate leaves by itself: 4, 5, 5
    Scene s = empty();
    s.rate_hz = low;
    s.strings.push_back(string_of(110));
    list.push_back({fmt::format("grid, at {} Hz", low), s, "b", along(length_m), true});
  }
  return list;
}

std::vector<Short> modal_bodies() {
  std::vector<Short> list;
  for (const int modes : {3, 4, 5, 7})
    for (std::size_t i = 0; i < std::size(stepping_names); ++i)
      for (const bool modulated : {false, true}) {
        Scene s = empty();
        StringSpec t = string_of(100);
        t.method = StringMethod::modes;
        t.modes = modes;
        t.stepping = static_cast<Stepping>(i);
        t.sigma0_1_s = modes;
        if (modulated) {
          t.tension_modulation = true;
          t.stretching_N = 1e5;
        }
        s.strings.push_back(t);
        const auto what = fmt::format("{} modes, {}{}", modes, stepping_names[i], modulated ? ", modulated" : "");
        list.push_back({what, s, "b", along(length_m), true});
      }
  for (std::size_t i = 0; i < std::size(ends_names); ++i) {
    Scene s = empty();
    BarSpec b;
    b.name = "b";
    b.length_m = 0.3;
    b.width_m = 0.03;
    b.thickness_m = 0.005;
    b.density_kg_m3 = 1000;
    b.young_Pa = 1e10;
    b.modes = 1;
    b.ends = static_cast<Ends>(i);
    b.sigma0_1_s = 3;
    s.bars.push_back(b);
    list.push_back({fmt::format("bar, {}", ends_names[i]), s, "b", {{0}, {0.14}, {0.3}}});
  }
  for (const bool round : {false, true}) {
    const Location middle{0.09, round ? 0.03 : 0.08}, edge = round ? Location{-0.0999, 0} : Location{0.2, 0.1};
    const std::vector<Location> locations{{0, 0}, middle, edge};
    MembraneSpec m;
    m.name = "b";
    m.radius_m = round ? 0.1 : 0;
    m.width_m = round ? 0 : 0.2;
    m.height_m = round ? 0 : 0.1;
    m.frequency_hz = 200;
    m.density_kg_m2 = 0.3;
    m.modes = 1;
    m.sigma0_1_s = 3;
    Scene s = empty();
    s.membranes.push_back(m);
    list.push_back({round ? "round membrane" : "rectangular membrane", s, "b", locations});
    PlateSpec p;
    p.name = "b";
    p.radius_m = m.radius_m;
    p.width_m = m.width_m;
    p.height_m = m.height_m;
    p.thickness_m = 5e-4;
    p.modes = 1;
    Scene t = empty();
    t.plates.push_back(p);
    list.push_back({round ? "round plate" : "rectangular plate", t, "b", locations});
  }
  Scene s = empty();
  s.modals.push_back({"b", {200}, {0.5}, {0.01}, {{"here", {1}}, {"there", {-0.5}}}});
  list.push_back({"table of one mode", s, "b", {{0, 0, "here"}, {0, 0, "there"}}});
  Scene m = empty();
  m.masses.push_back({"b", 0.01, 0, 0.2, 100});
  list.push_back({"mass", m, "b", {{}}});
  return list;
}

void hear(Short& s) {
  for (const Location& location : s.locations)
    for (const Quantity q : {Quantity::displacement, Quantity::velocity, Quantity::acceleration}) {
      PickupSpec p;
      p.of = s.body;
      p.quantity = q;
      p.at = location;
      s.scene.pickups.push_back(p);
    }
  for (const double x : {1e-12, length_m - 1e-12})  // as good as on a support
    if (s.string) s.scene.pickups.push_back({.of = s.body, .position_m = x});
  for (const Quantity q : {Quantity::bridge_force, Quantity::nut_force})
    if (s.string) s.scene.pickups.push_back({.of = s.body, .quantity = q});
}
void drive(Short& s) {
  for (const Location& location : s.locations) {
    ExcitationSpec e;
    e.body = s.body;
    e.at = location;
    e.type = SignalType::pulse;
    e.amplitude_N = 0.1;
    e.duration_s = 1e-3;
    s.scene.excitations.push_back(e);
  }
}
/// A barrier of few points: `part` 0: everywhere, otherwise a piece of the string.
void lay(Short& s, int part) {
  BarrierSpec b;
  b.string = s.body;
  b.height_m = -1e-4;
  b.law = part % 2 == 0 ? soft : lossy;
  b.scheme = part == 2 ? iterated : direct;
  if (part > 0) {
    b.from_m = part == 1 ? 0 : part == 2 ? 0.3 : 0.6;
    b.to_m = part == 1 ? 0.35 : part == 2 ? 0.7 : 1;
  }
  if (s.scene.strings[0].method == StringMethod::modes) b.points = part == 0 ? 0 : 3;
  s.scene.barriers.push_back(b);
}
void touch(Short& s) {
  Scene& scene = s.scene;
  const Location &first = s.locations.front(), &last = s.locations.back(),
                 &middle = s.locations[s.locations.size() / 2];
  scene.hammers.push_back({"hammer", s.body, first, false, 2e-3, 0.5, lossy, direct});
  scene.hammers.push_back({"other", s.body, last, true, 2e-3, 0.5, soft, iterated});
  scene.fingers.push_back({"finger", s.body, middle, true, 1e-4, 0, lossy, direct});
  scene.plectrums.push_back(
      {"pick", s.body, s.locations[s.locations.size() > 1 ? 1 : 0], false, 1e-4, 0, lossy, direct});
  scene.events.push_back({2e-3, EventType::press, "finger", {}, 1e-3, 2e-3});
  scene.events.push_back({1e-3, EventType::pluck, "pick", {}, 1e-3, 5e-3});
}
void join(Short& s) {
  Scene& scene = s.scene;
  for (std::size_t i = 0; i < s.locations.size(); ++i) {
    const std::string id = std::to_string(i);
    switch (i % 3) {
      case 0:
        scene.bolts.push_back({"bolt" + id, s.body, s.locations[i], 1e-3, 1e3, 0.01});
        break;
      case 1:
        scene.rubbers.push_back({"rubber" + id, s.body, s.locations[i], 100, 0.02});
        break;
      default:
        scene.rattles.push_back({"ring" + id, s.body, s.locations[i], 1e-3, 1e-4, 0, soft, iterated});
        break;
    }
    ContactSpec c;
    c.name = "stop" + id;
    c.bodies = {std::string(wall), s.body};
    c.at = {std::nullopt, s.locations[i]};
    c.height_m = -2e-4;
    c.law = soft;
    c.scheme = direct;
    scene.contacts.push_back(c);
    if (i == 1) scene.frictions.push_back({"rub", {s.body, std::string(wall)}, {s.locations[i], {}}, 0.1, 0.1, {}});
  }
}

std::vector<std::vector<double>> played(const Scene& scene, Kernels kernels, World& world) {
  std::vector<std::vector<double>> heard(world.pickup_count(), std::vector<double>(steps));
  std::vector<double> now(heard.size());
  std::vector<double*> at(heard.size());
  world.audit_every(16);
  if (kernels == Kernels::off) {
    for (std::size_t n = 0; n < steps; ++n) {
      world.step();
      world.read_pickups(now);
      for (std::size_t i = 0; i < now.size(); ++i) heard[i][n] = now[i];
    }
  } else {
    for (long n = 0; n < steps; n += 32) {
      for (std::size_t i = 0; i < at.size(); ++i) at[i] = heard[i].data() + n;
      world.play(32, at.data());
    }
  }
  EXPECT_FALSE(world.failed()) << scene.title;
  return heard;
}

void check(const Short& s) try {
  SCOPED_TRACE(s.what);
  std::vector<std::vector<double>> readable;
  const bool explicit_step = !s.scene.strings.empty() && s.scene.strings[0].op == GridOperator::explicit_;
  for (const Kernels kernels : {Kernels::off, Kernels::exact, Kernels::fused, Kernels::single}) {
    if (kernels > Kernels::exact && !explicit_step && s.scene.barriers.empty()) continue;  // as with exact
    SCOPED_TRACE("kernels " + std::to_string(static_cast<int>(kernels)));
    const auto world = compile_world(s.scene, kernels);
    const auto heard = played(s.scene, kernels, *world);
    for (const auto& track : heard)
      for (const double x : track) ASSERT_TRUE(std::isfinite(x));
    if (kernels != Kernels::single) {
      EXPECT_LE(world->ledger().imbalance(), 1e-10);
      EXPECT_LE(test::worst_account(*world), 1e-10);
    }
    if (kernels == Kernels::off) readable = heard;
    if (kernels != Kernels::exact) continue;
    for (std::size_t i = 0; i < heard.size(); ++i)
      for (std::size_t n = 0; n < steps; ++n) ASSERT_EQ(readable[i][n], heard[i][n]) << "track " << i << ", step " << n;
  }
} catch (const InputError& r) {
  ADD_FAILURE() << s.what << ": " << r.what();
}

/// Every string or body in each of the situations that `change` makes.
template <class Change>
void check_all(const std::vector<Short>& list, int situations, Change&& change) {
  int turn = 0;
  for (const Short& one : list)
    for (int k = 0; k < situations; ++k) {
      if (situations > 2 && turn++ % 2 == 1) continue;
      Short s = one;
      hear(s);
      change(s, k);
      check(s);
      if (::testing::Test::HasFailure()) return;
    }
}

TEST(ShortBodies, OfTheGridAreDrivenAndHeardAtBothEnds) {
  check_all(grid_strings({4, 5, 6, 7, 9}), 1, [](Short& s, int) { drive(s); });
}
TEST(ShortBodies, OfTheGridMeetBarriersOfFewPoints) {
  check_all(grid_strings({4, 5}), 4, [](Short& s, int k) {
    drive(s);
    lay(s, k);
  });
}
TEST(ShortBodies, OfTheGridAreTouchedAtBothEnds) {
  check_all(grid_strings({4}), 2, [](Short& s, int k) { k == 0 ? touch(s) : join(s); });
}
TEST(ShortBodies, OfModesAreDrivenTouchedAndHeardAtBothEnds) {
  check_all(modal_bodies(), 6, [](Short& s, int k) {
    if (k == 0) drive(s);
    if (k == 1) touch(s);
    if (k == 2) join(s);
    if (k > 2 && s.string) lay(s, k - 3);
  });
}

/// u(x) = x - x^3 is odd about the left support and cubic: its interpolation is exact up to the middle, and by symmetry
/// in the right half.  A push at a tap moves all taps by their receptances: reading and spreading have the same
/// weights.
TEST(ShortBodies, TapsBetweenFewNodesReadACubicAndSpreadWithTheSameWeights) {
  const StringData data{
      .length_m = length_m, .tension_N = 60, .density_kg_m = 4e-3, .bending_N_m2 = 0.1, .sigma0_1_s = 2};
  for (const int intervals : {4, 5, 6, 8})
    for (const GridOperator op : {GridOperator::explicit_, GridOperator::gamma, GridOperator::unconditional})
      for (const double x : {1e-4, 0.07, 0.13, 0.24, 0.31, 0.49, 0.51, 0.7, 0.74, 0.76, 0.93, 0.9999}) {
        const auto name = grid_operator_names[static_cast<std::size_t>(op)];
        SCOPED_TRACE(fmt::format("{} intervals, {}, at {}", intervals, name, x));
        const StringTap tap[] = {{StringTap::point, x}, {StringTap::left_bridge}, {StringTap::right_bridge}};
        StringGrid string(data, {.op = op, .gamma = 0.4, .intervals = intervals}, 1 / rate_hz, tap);
        const std::size_t n = string.nodes(), t = n;
        const double mirror = x > 0.5 ? 1 - x : x;
        std::vector<double> u(n), still(n, 0.0);
        for (std::size_t i = 0; i < n; ++i) {
          const double at = x > 0.5 ? 1 - string.position_m(i) : string.position_m(i);
          u[i] = at - at * at * at;
        }
        string.place(u, still);
        const double h = string.spacing_m();
        if (mirror + 2 * h <= 1 - 1e-12) {
          EXPECT_NEAR(string.w[t], mirror - mirror * mirror * mirror, 1e-15);
        }
        string.predict();
        const auto free = string.s_free;
        string.force[t] = 2;
        std::vector<double> q;
        for (std::size_t other = 0; other < string.taps(); ++other) q.push_back(string.receptance(other, t));
        for (std::size_t other = 0; other < string.taps(); ++other)
          EXPECT_NEAR(q[other], string.receptance(t, other), 1e-12 * std::abs(q[other]));
        string.advance();
        for (std::size_t other = 0; other < string.taps(); ++other)
          EXPECT_NEAR(string.s[other], free[other] + 2 * q[other],
                      1e-12 * (std::abs(free[other]) + std::abs(q[other])));
      }
}

TEST(ShortBodies, FourIntervalsKeepTheirAccount) {
  for (const std::string name : {"01-four-intervals-heap", "02-low-rate-four-intervals"}) {
    SCOPED_TRACE(name);
    const Scene scene = read_scene(std::string(JAWARI_SOURCE_DIR) + "/tests/cases/" + name + ".toml").scene;
    const auto world = compile_world(scene);
    run(*world, step_count(scene));
    EXPECT_FALSE(world->failed());
    EXPECT_LE(world->ledger().imbalance(), 1e-12);
    EXPECT_LE(test::worst_account(*world), 1e-12);
  }
}

}  // namespace
}  // namespace jawari
