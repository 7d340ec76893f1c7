// SPDX-License-Identifier: MIT
// Strings of scenes: data, starts, barriers, pickups, and what the film keeps.
#include <numbers>

#include "jawari/body/string_grid.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/instance.h"
#include "jawari/engine/motion_recorder.h"
#include "jawari/engine/world.h"
#include "jawari/io/scene_file.h"
#include "support/golden.h"

namespace jawari {
namespace {

using test::close;
constexpr double pi = std::numbers::pi;

Scene one_string(StringMethod method = StringMethod::grid) {
  Scene scene;
  scene.duration_s = 0.02;
  StringSpec s;
  s.name = "s";
  s.length_m = 0.8;
  s.tension_N = 40;
  s.radius_m = 2e-4;
  s.method = method;
  s.start.shape = StartShape::pluck;
  s.start.position_m = 0.25;
  s.start.height_m = 2e-3;
  scene.strings = {s};
  return scene;
}
/// A wide bump instead of a pluck: the corners of a pluck fall flat onto a flat barrier, and all depends on everything.
Scene smooth_string(StringMethod method) {
  Scene scene = one_string(method);
  scene.strings[0].start = {.shape = StartShape::bump, .position_m = 0.4, .height_m = 2e-3, .width_m = 0.6};
  return scene;
}
BarrierSpec flat(double height_m) {
  BarrierSpec b;
  b.string = "s";
  b.height_m = height_m;
  b.per_length = true;
  b.law = {"power", {{"stiffness", 1e9}, {"exponent", 1.3}}};
  return b;
}
/// All displacement samples of a channel.
class Channel final : public RowSink {
 public:
  explicit Channel(std::string name) : name_(std::move(name)) {}
  void begin(const std::vector<std::string>& channels, double, std::int64_t) override {
    const auto it = std::find(channels.begin(), channels.end(), name_);
    if (it == channels.end()) throw std::runtime_error("no channel " + name_);
    column_ = static_cast<std::size_t>(it - channels.begin());
  }
  void row(double, std::span<const double> values) override { data.push_back(values[column_]); }
  std::vector<double> data;

 private:
  std::string name_;
  std::size_t column_ = 0;
};
std::vector<double> played(const Scene& scene, const std::string& channel) {
  auto system = compile(scene);
  Channel c(channel);
  RowSink* sinks[] = {&c};
  run(*system, step_count(scene), sinks);
  EXPECT_FALSE(system->failed());
  EXPECT_LE(system->ledger().imbalance(), 2e-12);
  return c.data;
}
double distance(const std::vector<double>& a, const std::vector<double>& b, std::size_t every = 1) {
  double off = 0, size = 0;
  for (std::size_t i = 0; i < a.size() && i * every < b.size(); ++i) {
    off += (a[i] - b[i * every]) * (a[i] - b[i * every]);
    size += a[i] * a[i];
  }
  return std::sqrt(off / size);
}

TEST(StringData, FrequencyAndTensionSayTheSame) {
  StringSpec s = one_string().strings[0];
  const StringData by_tension = string_data(s);
  s.frequency_hz = by_tension.omega(1) / (2 * pi);
  s.tension_N = 0;
  EXPECT_TRUE(close(string_data(s).tension_N, 40, 1e-13));
  EXPECT_TRUE(close(by_tension.density_kg_m, 7850 * pi * 4e-8, 1e-14));
  EXPECT_TRUE(close(by_tension.bending_N_m2, 2e11 * pi * 1.6e-15 / 4, 1e-14));
  EXPECT_EQ(by_tension.stretching_N, 0);  // unless modulated
  s.tension_modulation = true;
  EXPECT_TRUE(close(string_data(s).stretching_N, 2e11 * pi * 4e-8, 1e-14));
}

TEST(StringData, DecayTimesAreThoseAskedFor) {
  StringSpec s = one_string().strings[0];
  s.decay = {{100, 6.0}, {3000, 1.5}};
  const StringData d = string_data(s);
  for (const auto& [hz, seconds] : s.decay) {  // sigma at the mode number that has this frequency
    const double T = d.tension_N, w = 2 * pi * hz, a = 4 * d.bending_N_m2 * d.density_kg_m * w * w / (T * T);
    const double beta2 = T / (2 * d.bending_N_m2) * (std::sqrt(1 + a) - 1);
    EXPECT_TRUE(close(std::log(1000.0) / (d.sigma0_1_s + d.sigma1_m2_s * beta2), seconds, 1e-9));
  }
  s.decay = {{100, 1.5}, {3000, 6.0}};
  EXPECT_THROW(string_data(s), InputError);
}

TEST(StringScene, LowModeSoundsAndDecaysAsPredicted) {
  for (const auto method : {StringMethod::grid, StringMethod::modes}) {
    Scene scene = one_string(method);
    scene.duration_s = 0.5;
    scene.strings[0].decay = {{100, 2.0}, {3000, 0.5}};
    scene.strings[0].start = {StartShape::mode, 0, 1e-3};
    const StringData d = string_data(scene.strings[0]);
    const auto u = played(scene, "s.displacement_m");
    const double sigma = d.decay(1), w = std::sqrt(d.omega(1) * d.omega(1) - sigma * sigma),
                 shape = 1e-3 * std::sin(0.9 * pi);
    test::Extremes off;
    for (std::size_t n = 0; n < u.size(); ++n) {
      const double t = static_cast<double>(n) / 44100;
      off.add(std::abs(u[n] - shape * std::exp(-sigma * t) * (std::cos(w * t) + sigma / w * std::sin(w * t))));
    }
    EXPECT_LE(off.most(), method == StringMethod::modes ? 1e-12 * shape : 0.02 * shape);
  }
}

TEST(StringScene, GridAndModesAgreeAsTheyAreRefined) {
  std::vector<double> off;
  for (const int times : {1, 4, 16}) {
    std::vector<double> u[2];
    for (const auto method : {StringMethod::grid, StringMethod::modes}) {
      Scene scene = smooth_string(method);
      scene.rate_hz *= times;
      scene.barriers = {flat(-1e-3)};
      scene.barriers[0].scheme =
          LawSpec{"two-point"};  // landing depends on the mesh as long as contacts are not resolved
      u[static_cast<int>(method)] = played(scene, "s.displacement_m");
    }
    off.push_back(distance(u[0], u[1]));
  }
  EXPECT_LE(off[0], 0.008);  // 0.0059, 0.0030, 0.0015: the dispersion of the grid, which is stiff: h^2 ~ k
  EXPECT_LE(off[1], off[0] / 1.7);
  EXPECT_LE(off[2], off[1] / 1.7);
}

TEST(StringScene, StiffnessPerLengthSurvivesAChangeOfRate) {
  Scene scene = smooth_string(StringMethod::modes);
  scene.barriers = {flat(-1e-3)};
  scene.barriers[0].scheme = LawSpec{"two-point"};
  const auto low = played(scene, "s.displacement_m");
  scene.rate_hz *= 8;
  const auto high = played(scene, "s.displacement_m");
  EXPECT_LE(distance(low, high, 8), 0.03);
  scene.barriers[0].per_length = false;
  scene.barriers[0].law.values["stiffness"] *= 1e-5;  // a number per point is another problem
  EXPECT_GE(distance(low, played(scene, "s.displacement_m"), 8), 0.1);
}

TEST(StringScene, BarrierAboveIsTheMirrorOfOneBelow) {
  for (const auto method : {StringMethod::grid, StringMethod::modes}) {
    Scene below = one_string(method), above = below;
    below.barriers = {flat(-1e-3)};
    above.barriers = {flat(1e-3)};
    above.barriers[0].above = true;
    above.strings[0].start.height_m = -2e-3;
    const auto a = played(below, "s.displacement_m"), b = played(above, "s.displacement_m");
    for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(a[i], -b[i]) << i;
  }
}

TEST(StringScene, ShapesOfABarrierAgreeWhereTheyDescribeTheSame) {
  Scene scene = one_string();
  BarrierSpec parabola = flat(-5e-4), polynomial = parabola, function = parabola, profile = parabola;
  parabola.shape = BarrierShape::parabola;
  parabola.centre_m = 0.4;
  parabola.curvature_1_m = 0.05;
  polynomial.shape = BarrierShape::polynomial;
  polynomial.coefficients = {-5e-4 - 0.025 * 0.16, 0.025 * 0.8, -0.025};
  function.shape = BarrierShape::function;
  function.height = [](double x) { return -5e-4 - 0.025 * (x - 0.4) * (x - 0.4); };
  profile.shape = BarrierShape::profile;
  for (int i = 0; i <= 4000; ++i) {
    profile.x_m.push_back(i * 2e-4);
    profile.heights_m.push_back(function.height(i * 2e-4));
  }
  scene.barriers = {parabola};
  const auto reference = played(scene, "s.displacement_m");
  for (const auto& other : {polynomial, function, profile}) {
    scene.barriers = {other};
    EXPECT_LE(distance(reference, played(scene, "s.displacement_m")),
              other.shape == BarrierShape::profile ? 1e-4 : 1e-9);
  }
}

TEST(StringScene, APointIsAListOfOneAndActsBetweenNodes) {
  Scene scene = one_string();
  BarrierSpec point;
  point.string = "s";
  point.shape = BarrierShape::points;
  point.x_m = {0.4321};
  point.height_m = -1e-4;
  point.law = {"power", {{"stiffness", 1e7}, {"exponent", 1.3}}};
  scene.barriers = {point};
  const auto grid = played(scene, "s.displacement_m");
  scene.strings[0].method = StringMethod::modes;
  EXPECT_LE(distance(grid, played(scene, "s.displacement_m")), 0.1);
  const auto bare = played(one_string(), "s.displacement_m");
  EXPECT_GE(distance(grid, bare), 0.2);
}

TEST(StringScene, PickupsReadWhatTheySay) {
  for (const auto method : {StringMethod::grid, StringMethod::modes}) {
    Scene scene = one_string(method);
    scene.strings[0].start = {StartShape::mode, 0, 1e-3};
    const StringData d = string_data(scene.strings[0]);
    const double beta = d.wave_number(1), force = 1e-3 * (d.tension_N * beta + d.bending_N_m2 * beta * beta * beta);
    for (const auto& [quantity, peak] : {std::pair{Quantity::displacement, 1e-3 * std::sin(beta * 0.3)},
                                         {Quantity::bridge_force, force},
                                         {Quantity::nut_force, force}}) {
      scene.pickups = {{.of = "s", .quantity = quantity, .position_m = 0.3}};
      auto system = compile(scene);
      system->step();
      EXPECT_TRUE(close(system->sound(), peak, 1e-3)) << quantity_names[static_cast<std::size_t>(quantity)];
    }
  }
}

TEST(StringScene, PushedAndStruckStringsCloseTheirAccounts) {
  for (const auto method : {StringMethod::grid, StringMethod::modes}) {
    Scene scene = one_string(method);
    scene.duration_s = 0.05;
    scene.strings[0].sigma0_1_s = 1;
    scene.strings[0].sigma1_m2_s = 1e-3;
    scene.strings[0].start = {.shape = StartShape::strike, .position_m = 0.3, .width_m = 0.1, .velocity_m_s = 2};
    scene.barriers = {flat(-5e-4)};
    scene.excitations = {{.body = "s",
                          .position_m = 0.377,
                          .type = SignalType::pulse,
                          .amplitude_N = 1,
                          .start_s = 0.01,
                          .duration_s = 2e-3}};
    scene.masses = {{.name = "hammer", .mass_kg = 2e-3, .position_m = 1e-3, .velocity_m_s = -1}};
    scene.contacts = {{.bodies = {"s", "hammer"},
                       .position_m = 0.1234,
                       .law = {"hunt-crossley", {{"stiffness", 1e8}, {"exponent", 2.3}, {"mu", 0.2}}},
                       .scheme = LawSpec{"two-point"}}};
    auto system = compile(scene);
    run(*system, step_count(scene));
    const Ledger& l = system->ledger();
    EXPECT_LE(l.imbalance(), 2e-12);
    EXPECT_GT(l.injected_J, 1e-5);
    EXPECT_GT(l.dissipated_J, 1e-5);
    for (const auto& c : system->contacts()) EXPECT_GT(c.record.touching_steps, 0u) << c.name;
  }
}

TEST(StringScene, FilmKeepsShapesAndTouches) {
  for (const auto method : {StringMethod::grid, StringMethod::modes}) {
    Scene scene = one_string(method);
    scene.barriers = {flat(-1e-3)};
    auto system = compile(scene);
    MotionRecorder film({0.005, 0.01, 100});
    RowSink* sinks[] = {&film};
    run(*system, step_count(scene), sinks);
    ASSERT_EQ(film.close.shapes.size(), 1u);
    EXPECT_GE(film.close.shapes[0].size(), 80u);
    EXPECT_LE(film.close.shapes[0].size(), 100u);
    EXPECT_TRUE(close(film.close.start_s, 0.005, 0, 1e-4));
    float touched = 0;
    for (const auto& column : film.touches[0].columns)
      for (const float f : column) touched = std::max(touched, f);
    EXPECT_TRUE(close(touched, system->contacts()[0].record.largest_force_N, 1e-6));
    for (const auto& frame : film.close.shapes[0]) {
      ASSERT_EQ(frame.size(), system->shapes()[0].x_m.size());
      EXPECT_EQ(frame.front(), 0);
      for (const float u : frame) ASSERT_LE(std::abs(u), 2.1e-3);
    }
  }
}

TEST(StringFile, ReadsWhatTheLibraryTakes) {
  const auto file = parse_scene(R"(
duration_s = 0.02
[[string]]
name = "s"
length_m = 0.8
tension_N = 40
radius_m = 2e-4
operator = "optimal"
start = { shape = "pluck", position_m = 0.25, height_m = 2e-3 }
[[barrier]]
string = "s"
shape = "flat"
height_m = -1e-3
law = { type = "power", stiffness_per_m = 1e9, exponent = 1.3 }
[[pickup]]
of = "s"
position_m = 0.72
quantity = "displacement"
)",
                                "text");
  Scene scene = one_string();
  scene.strings[0].op = GridOperator::optimal;
  scene.barriers = {flat(-1e-3)};
  scene.pickups = {{.of = "s", .quantity = Quantity::displacement, .position_m = 0.72}};
  const auto a = played(file.scene, "s@0.72m.displacement_m"), b = played(scene, "s@0.72m.displacement_m");
  EXPECT_EQ(a, b);
}

/// `points` as many as there are without it: the same taps, which the sine transform reads, the same kernel and bits.
TEST(StringScene, StatingTheUsualPointsChangesNothing) {
  Scene usual = smooth_string(StringMethod::modes);
  usual.barriers = {flat(-1e-4)};
  usual.barriers[0].scheme = SchemeSpec{"two-point"};
  PickupSpec pickup;
  pickup.of = "s";
  pickup.position_m = 0.3;
  usual.pickups = {pickup};
  const auto model = compile_model(usual);
  const std::size_t count = model->barriers[0].view.x_m.size();
  ASSERT_GT(count, 50u);
  const auto sound_of = [](const Scene& scene, std::size_t& kernels) {
    const auto world = compile_world(scene);
    kernels = world->kernel_bodies();
    return run(*world, step_count(scene)).sound;
  };
  std::size_t kernels = 0;
  const std::vector<double> sound = sound_of(usual, kernels);
  EXPECT_EQ(kernels, 1u);
  for (const std::size_t points : {count, count + 1}) {
    Scene stated = usual;
    stated.barriers[0].points = static_cast<int>(points);
    const auto same = points == count;
    EXPECT_EQ(compile_model(stated)->fingerprint == model->fingerprint, same) << points;
    std::size_t its_kernels = 0;
    EXPECT_EQ(sound_of(stated, its_kernels) == sound, same) << points;
    EXPECT_TRUE(!same || its_kernels == kernels) << its_kernels;
  }
}

/// A tap costs a kernel more than the reference path: from some on a string without a barrier along it goes without.
TEST(StringScene, ManyFretsLeaveTheStringToTheReferencePath) {
  const auto fretted = [](std::size_t frets) {
    Scene scene = one_string();
    BarrierSpec points = flat(-2e-4);
    points.shape = BarrierShape::points;
    points.per_length = false;
    points.law.values["stiffness"] = 1e6;
    for (std::size_t i = 0; i < frets; ++i)
      points.x_m.push_back(0.8 * (static_cast<double>(i) + 0.537) / (static_cast<double>(frets) + 1));
    scene.barriers = {points};
    scene.pickups = {{.of = "s", .quantity = Quantity::velocity, .position_m = 0.3}};
    return scene;
  };
  const auto model = compile_model(fretted(1));
  const std::size_t nodes = dynamic_cast<const StringGrid&>(*model->start->bodies[0].body).nodes();
  ASSERT_GT(nodes, 50u);
  for (const std::size_t frets : {nodes / 11 - 1, nodes / 11 + 2}) {
    const Scene scene = fretted(frets);
    const auto world = compile_world(scene);
    EXPECT_EQ(world->kernel_bodies(), frets <= nodes / 11 ? 1u : 0u) << frets << " frets, " << nodes << " nodes";
    EXPECT_EQ(compile_world(scene, Kernels::fused)->kernel_bodies(), 1u);
    const auto sound = run(*world, step_count(scene)).sound;
    EXPECT_EQ(sound, run(*compile_world(scene, Kernels::off), step_count(scene)).sound);
    EXPECT_GT(world->contacts()[0].record.touching_steps, 0u);
  }
}

}  // namespace
}  // namespace jawari
