// SPDX-License-Identifier: MIT
// Kernels inside a world: blocks give the samples, accounts and records of single steps, also across events.
#include <cmath>
#include <string>

#include "coupled/support.h"
#include "support/scene_files.h"

namespace jawari {
namespace {

using test::close;
using test::scene_of;
#if defined(__SANITIZE_ADDRESS__) || defined(__SANITIZE_THREAD__)  // thirty times slower, and after other things
constexpr double longest_s = 0.04;
#else
constexpr double longest_s = 0.4;
#endif

const std::string bare = R"(
rate_hz = 44100
duration_s = 0.4
[[string]]
name = "s"
length_m = 0.65
tension_N = 60
density_kg_m = 2e-3
bending_N_m2 = 1e-3
sigma0_1_s = 1.5
sigma1_m2_s = 2e-3
start = { shape = "pluck", position_m = 0.2, height_m = 2e-3 }
)";
const std::string barrier = R"(
[[barrier]]
name = "b"
string = "s"
shape = "parabola"
centre_m = 0
height_m = -1e-4
curvature_1_m = 0.02
from_m = 0.05
to_m = 0.5
law = { type = "hunt-crossley", stiffness_per_m = 1e9, exponent = 1.3, mu = 0.2 }
)";
const std::string pickups = R"(
[[pickup]]
of = "s"
position_m = 0.1234
quantity = "velocity"
gain = 3.1
[[pickup]]
of = "s"
position_m = 0.1
quantity = "displacement"
[[pickup]]
of = "s"
position_m = 0.3
quantity = "acceleration"
[[pickup]]
of = "s"
quantity = "bridge-force"
)";
const std::string heard_contact = R"(
[[pickup]]
of = "b"
quantity = "force"
gain = 0.7
)";
const std::string hammer = R"(
[[hammer]]
name = "h"
target = "s"
position_m = 0.5678
mass_kg = 3e-3
velocity_m_s = 1.5
law = { type = "power", stiffness = 1e7, exponent = 2.3 }
scheme = "two-point"
)";

struct Sound {
  std::unique_ptr<World> world;
  std::vector<std::vector<double>> tracks;
};
Sound by_steps(const Scene& scene) {
  Sound s{compile_world(scene, Kernels::off), {}};
  s.tracks.resize(s.world->pickup_count());
  std::vector<double> now(s.tracks.size());
  s.world->audit_every(64);
  for (long n = 0; n < step_count(scene); ++n) {
    s.world->step();
    s.world->read_pickups(now);
    for (std::size_t i = 0; i < now.size(); ++i) s.tracks[i].push_back(now[i]);
  }
  return s;
}
Sound by_blocks(const Scene& scene, Kernels kernels, const std::vector<long>& sizes) {
  Sound s{compile_world(scene, kernels), {}};
  const long steps = step_count(scene);
  s.tracks.resize(s.world->pickup_count(), std::vector<double>(static_cast<std::size_t>(steps)));
  s.world->audit_every(64);
  std::size_t turn = 0;
  for (long n = 0; n < steps;) {
    const long block = std::min(steps - n, sizes[turn++ % sizes.size()]);
    std::vector<double*> to;
    for (auto& t : s.tracks) to.push_back(t.data() + n);
    if (s.world->play(block, to.data()) != block) {
      ADD_FAILURE() << "stopped near step " << n;
      break;
    }
    n += block;
  }
  return s;
}
/// Bit for bit, but for the sign of zero.  NaN is never the same.
::testing::AssertionResult same_sound(const Sound& a, const Sound& b) {
  if (a.tracks.size() != b.tracks.size()) return ::testing::AssertionFailure() << "other tracks";
  for (std::size_t i = 0; i < a.tracks.size(); ++i)
    for (std::size_t n = 0; n < a.tracks[i].size(); ++n)
      if (!(a.tracks[i][n] == b.tracks[i][n]))
        return ::testing::AssertionFailure()
               << "track " << i << ", sample " << n << ": " << a.tracks[i][n] << " and " << b.tracks[i][n];
  return ::testing::AssertionSuccess();
}
void expect_same_accounts(const World& a, const World& b) {
  const double scale = a.ledger().largest_J;
  EXPECT_LT(b.ledger().imbalance(), 1e-11);
  EXPECT_LT(test::worst_account(b), 1e-10);
  EXPECT_TRUE(close(a.ledger().stored_J(), b.ledger().stored_J(), 1e-12, 1e-15 * scale));
  EXPECT_TRUE(close(a.ledger().dissipated_J, b.ledger().dissipated_J, 1e-11, 1e-14 * scale));
  EXPECT_TRUE(close(a.ledger().injected_J, b.ledger().injected_J, 1e-11, 1e-14 * scale));
  EXPECT_TRUE(close(a.ledger().unresolved_J, b.ledger().unresolved_J, 1e-11, 1e-14 * scale));
  const auto accounts = a.accounts(), others = b.accounts();
  for (std::size_t i = 0; i < accounts.size(); ++i) {
    EXPECT_TRUE(close(accounts[i].received_J, others[i].received_J, 1e-9, 1e-12 * scale)) << accounts[i].name;
    EXPECT_TRUE(close(accounts[i].changed_J, others[i].changed_J, 1e-9, 1e-12 * scale)) << accounts[i].name;
    EXPECT_TRUE(close(accounts[i].unresolved_J, others[i].unresolved_J, 1e-9, 1e-12 * scale)) << accounts[i].name;
  }
  std::vector<double> row(a.channels().size()), other(row.size());
  a.read(row);
  b.read(other);
  for (std::size_t i = 0; i < row.size(); ++i)
    if (!a.channels()[i].starts_with("ledger")) {
      EXPECT_TRUE(close(row[i], other[i], 1e-11, 1e-15)) << a.channels()[i];
    }
  for (std::size_t i = 0; i < a.model().contacts.size(); ++i) {
    const ContactRecord &x = a.instance().contacts[i].line->record, &y = b.instance().contacts[i].line->record;
    EXPECT_EQ(x.impacts, y.impacts);
    EXPECT_EQ(x.touching_steps, y.touching_steps);
    EXPECT_EQ(x.shortest, y.shortest);
    EXPECT_EQ(x.longest, y.longest);
    EXPECT_EQ(x.largest_force_N, y.largest_force_N);
    EXPECT_EQ(x.deepest_m, y.deepest_m);
    EXPECT_TRUE(x.fewest_true_samples == y.fewest_true_samples ||
                close(x.fewest_true_samples, y.fewest_true_samples, 1e-14));
  }
}
void expect_same(Scene scene, const std::vector<long>& sizes = {256, 64, 1, 7, 300}) {
  scene.duration_s = std::min(scene.duration_s, longest_s);
  std::erase_if(scene.events, [&](const EventSpec& e) { return e.time_s > scene.duration_s; });
  const Sound reference = by_steps(scene), quick = by_blocks(scene, Kernels::exact, sizes);
  EXPECT_TRUE(same_sound(reference, quick));
  expect_same_accounts(*reference.world, *quick.world);
}

TEST(WorldKernels, StringsAloneAreTheReadableOnes) {
  for (const auto& text : {bare + pickups, bare + barrier + pickups + heard_contact}) {
    const Scene scene = scene_of(text);
    EXPECT_EQ(compile_world(scene)->kernel_bodies(), 1u);
    for (const std::vector<long>& sizes : {std::vector<long>{1}, {64}, {4096}, {256, 64, 1, 7, 300}})
      expect_same(scene, sizes);
  }
  EXPECT_EQ(compile_world(scene_of(bare), Kernels::off)->kernel_bodies(), 0u);
}

TEST(WorldKernels, OtherBodiesMeetTheString) {
  const std::string more = R"(
[[connection]]
name = "tie"
bodies = ["s", "wall"]
at = [0.61, 0]
stiffness_N_m = 2e4
damping_N_s_m = 0.1
)";
  for (const auto& text : {bare + hammer + pickups, bare + barrier + hammer + pickups + heard_contact,
                           bare + barrier + hammer + pickups + more}) {
    const Scene scene = scene_of(text);
    EXPECT_EQ(compile_world(scene)->kernel_bodies(), 1u);
    expect_same(scene);
  }
}

/// Modes and implicit grids that meet nothing but a barrier; after a change of tuning the reference path goes on.
TEST(WorldKernels, ModesAndImplicitStringsAlone) {
  const auto with = [&](const std::string& lines) {
    std::string text = bare + barrier + pickups + heard_contact;
    return text.insert(text.find("length_m"), lines);
  };
  const std::string retune =
      "[[event]]\ntime_s = 0.02\ndo = \"retune\"\ntarget = \"s\"\nfrequency_hz = 130\nduration_s = 0.01\n";
  for (const auto& lines : {"operator = \"gamma\"\ngamma = 0.2\n", "operator = \"optimal\"\n",
                            "operator = \"unconditional\"\nintervals = 60\n", "loss = \"centred\"\n",
                            "method = \"modes\"\nstepping = \"constant\"\n"})
    for (const auto& scheme : {"landing-two-point", "two-point", "secant-2", "bounded", "quadratised"})
      for (const auto& end : {std::string(), retune}) {
        SCOPED_TRACE(std::string(lines) + scheme + end);
        Scene scene = scene_of(with(lines) + end);
        scene.duration_s = 0.12;
        scene.barriers[0].scheme = LawSpec{scheme};
        if (std::string_view(scheme) == "landing-two-point" && scene.strings[0].method != StringMethod::modes)
          continue;  // no batch lands
        EXPECT_EQ(compile_world(scene)->kernel_bodies(), 1u);
        expect_same(scene);
      }
}
/// The default of barriers, on points j L/(P+1), on two points per cell, which are coupled, over a bridge, and on the
/// grid, while height and stiffness change.
TEST(WorldKernels, LandingKeepsTheBits) {
  const std::string changes = R"(
[[event]]
time_s = 0.02
do = "set"
target = "b"
parameter = "height_m"
value = 2e-4
duration_s = 0.01
[[event]]
time_s = 0.05
do = "set"
target = "b"
parameter = "stiffness"
value = 3e8
)";
  const std::string modes = "method = \"modes\"\nstepping = \"exact\"\n",
                    even = "method = \"modes\"\nstepping = \"constant\"\n";
  for (const auto& [lines, to_m, per_cell] :
       {std::tuple{even, 0.5, 1.0}, {modes, 0.07, 2.0}, {even, 0.06, 2.0}, {std::string(), 0.5, 1.0}})
    for (const bool flat : {false, true})
      for (const auto& end : {std::string(), changes}) {
        SCOPED_TRACE(lines + std::to_string(to_m) + (flat ? ", flat" : "") + end);
        std::string text = bare + barrier + pickups + heard_contact + end;
        Scene scene = scene_of(text.insert(text.find("length_m"), lines));
        scene.duration_s = 0.1;
        scene.barriers[0].to_m = to_m;
        scene.barriers[0].points_per_cell = per_cell;
        if (flat) scene.barriers[0].shape = BarrierShape::flat;
        const auto world = compile_world(scene);
        ASSERT_EQ(world->kernel_bodies(), 1u);
        ASSERT_EQ(world->contacts()[0].scheme, "landing-two-point");
        expect_same(scene);
        const Sound sound = by_blocks(scene, Kernels::exact, {64});
        EXPECT_GT(sound.world->ledger().unresolved_J, 0);
      }
}
/// Where points of modes are left out, samples agree to rounding: not with kernels that must be exact.
TEST(WorldKernels, ModesThatAreCoupled) {
  std::string text = bare + pickups + barrier;
  text.insert(text.find("length_m"), "method = \"modes\"\nstepping = \"exact\"\n");
  Scene scene = scene_of(text);
  scene.duration_s = 0.05;
  for (const auto* scheme : {"two-point", "landing-two-point"}) {
    scene.barriers[0].scheme = LawSpec{scheme};
    EXPECT_EQ(compile_world(scene)->kernel_bodies(), 0u);
    EXPECT_EQ(compile_world(scene, Kernels::fused)->kernel_bodies(), 1u);
    const Sound fused = by_blocks(scene, Kernels::fused, {64});
    EXPECT_LT(fused.world->ledger().imbalance(), 1e-11);
    EXPECT_LT(test::worst_account(*fused.world), 1e-10);
  }
}

TEST(WorldKernels, EveryScheme) {
  for (const auto& s : schemes()) {
    const std::string law = "law = { type = \"hunt-crossley\", stiffness_per_m = 1e9, exponent = 1.3, mu = 0.2 }\n";
    const LawSpec choice{"hunt-crossley", {{"stiffness", 1e9}, {"exponent", 1.3}, {"mu", 0.2}}};
    if (!misfit(choice, {std::string(s.facts.name)}).empty() || s.facts.name == "taylor-strict") continue;
    SCOPED_TRACE(s.facts.name);
    Scene scene = scene_of(bare + barrier + pickups);
    scene.duration_s = 0.05;
    scene.barriers[0].scheme = LawSpec{std::string(s.facts.name)};
    std::unique_ptr<World> world;
    try {
      world = compile_world(scene);
    } catch (const InputError&) {
      continue;
    }
    expect_same(scene);
  }
}

TEST(WorldKernels, ServeEveryExponentInSinglePrecision) {
  for (const auto* scheme : {"two-point", "three-point", "secant-2"})
    for (const double exponent : {1.0, 3.0, 5.9, 6.1, 8.0, 13.0}) {
      SCOPED_TRACE(std::string(scheme) + " " + std::to_string(exponent));
      Scene scene = scene_of(bare + barrier + pickups);
      scene.duration_s = 0.02;
      scene.barriers[0].shape = BarrierShape::flat;
      scene.barriers[0].height_m = 1e-4;
      scene.barriers[0].law = {"power", {{"stiffness", 1e6}, {"exponent", exponent}}};
      scene.barriers[0].scheme = LawSpec{scheme};
      const Sound single = by_blocks(scene, Kernels::single, {64});
      ASSERT_EQ(single.world->kernel_bodies(), 1u);
      EXPECT_FALSE(single.world->failed());
      EXPECT_EQ(single.world->contacts()[0].record.unsettled, 0u);
      EXPECT_LT(single.world->ledger().imbalance(), 1e-3);
    }
}

TEST(WorldKernels, EventsAndSignalsOnTheWay) {
  const std::string events = R"(
[[excitation]]
body = "s"
position_m = 0.31
type = "pulse"
start_s = 0.02
duration_s = 1e-3
amplitude_N = 2
[[event]]
time_s = 0.03
do = "retune"
target = "s"
frequency_hz = 120
duration_s = 0.05
[[event]]
time_s = 0.05
do = "set"
target = "b"
parameter = "height_m"
value = 2e-4
duration_s = 0.02
[[event]]
time_s = 0.101
do = "set"
target = "b"
parameter = "stiffness"
value = 3e8
[[event]]
time_s = 0.15
do = "damp"
target = "s"
damping_1_s = 4
duration_s = 0.01
)";
  const std::string strike = "[[event]]\ntime_s = 0.2\ndo = \"strike\"\ntarget = \"h\"\nvelocity_m_s = 2\n";
  Scene alone = scene_of(bare + barrier + pickups + events),
        with = scene_of(bare + barrier + hammer + pickups + events + strike);
  expect_same(alone);
  expect_same(with);
}

TEST(WorldKernels, SilentStringsSleepAtTheSameSample) {
  Scene scene = scene_of(bare + barrier + pickups);
  scene.strings[0].sigma0_1_s = 400;
  scene.duration_s = 0.3;
  expect_same(scene);
}

TEST(WorldKernels, AutoSwitchesToItsFallback) {
  Scene scene = scene_of(bare + barrier + pickups);
  scene.barriers[0].scheme = LawSpec{"auto"};
  expect_same(scene);
}

/// Every scene of the repository, the beginning of each, and what has strings in modes also with its strings on grids.
TEST(WorldKernels, ScenesOfTheRepository) {
  std::size_t kernels = 0;
  for (const auto& path : test::scene_files()) {
    SCOPED_TRACE(path);
    Scene scene = read_scene(path).scene;
    kernels += compile_world(scene)->kernel_bodies();
    expect_same(scene);
    const auto modal = [](const StringSpec& s) { return s.method == StringMethod::modes && !s.tension_modulation; };
    if (scene.voice || std::none_of(scene.strings.begin(), scene.strings.end(), modal)) continue;
    for (auto& s : scene.strings) s.method = StringMethod::grid;
    kernels += compile_world(scene)->kernel_bodies();
    expect_same(scene);
  }
  EXPECT_GT(kernels, 20u);
}

/// Other rounding: near at first, and the accounts close.
TEST(WorldKernels, FusedAndSingle) {
  for (const auto& text : {bare + barrier + pickups, bare + barrier + hammer + pickups}) {
    const Scene scene = scene_of(text);
    const Sound reference = by_steps(scene), fused = by_blocks(scene, Kernels::fused, {64}),
                single = by_blocks(scene, Kernels::single, {64});
    EXPECT_LT(fused.world->ledger().imbalance(), 1e-11);
    EXPECT_LT(test::worst_account(*fused.world), 1e-10);
    EXPECT_LT(single.world->ledger().imbalance(), 1e-3);
    test::Extremes off, rough, loud;
    for (std::size_t n = 0; n < 200; ++n) {
      loud.add(std::abs(reference.tracks[0][n]));
      off.add(std::abs(reference.tracks[0][n] - fused.tracks[0][n]));
      rough.add(std::abs(reference.tracks[0][n] - single.tracks[0][n]));
    }
    EXPECT_LT(off.most(), 1e-9 * loud.most());
    EXPECT_GT(off.most(), 0) << "this is not fused";
    EXPECT_LT(rough.most(), 1e-2 * loud.most());
    EXPECT_GT(rough.most(), 1e-9 * loud.most()) << "this is no float";
    EXPECT_TRUE(same_sound(fused, by_blocks(scene, Kernels::fused, {1, 300, 7})));
    EXPECT_TRUE(same_sound(single, by_blocks(scene, Kernels::single, {1, 300, 7})));
  }
}

}  // namespace
}  // namespace jawari
