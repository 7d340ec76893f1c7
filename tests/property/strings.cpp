// SPDX-License-Identifier: MIT
// What must hold for every string that is allowed, every way of computing it, every law and every scheme of the
// registry by name: finite, every solve settled, and never more energy than was put in.
// RC_PARAMS chooses how many strings (script/soak: 10,000) and the seed; the quick run is reproducible.
#include <rapidcheck.h>

#include <algorithm>
#include <cmath>
#include <cstdlib>
#include <limits>
#include <numbers>

#include "jawari/body/string_grid.h"
#include "jawari/couple/line.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "support/effort.h"
#include "support/golden.h"

namespace jawari {
namespace {

const int quick = ::setenv("RC_PARAMS", test::sanitized ? "max_success=150 seed=1" : "max_success=1000 seed=1", 0);
constexpr int steps = 300;

double uniform(double from, double to) { return from + (to - from) * *rc::gen::inRange(0, 1000001) / 1e6; }
double logarithmic(double from, double to) { return std::pow(10, uniform(std::log10(from), std::log10(to))); }
bool maybe() { return *rc::gen::arbitrary<bool>(); }
template <class T>
T one_of(const std::vector<T>& list) {
  return list[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(list.size())))];
}

/// Short strings, so that 10 to 50 points carry them at any rate; speed of waves 50 to 500 m/s.
StringSpec random_string(double rate_hz) {
  const double k = 1 / rate_hz, c = logarithmic(50, 500), h = c * k, n = uniform(10, 50);
  StringSpec s{.name = "string", .length_m = n * h};
  s.density_kg_m = logarithmic(1e-4, 0.1);
  s.tension_N = s.density_kg_m * c * c;
  if (maybe()) s.bending_N_m2 = s.tension_N * h * h * logarithmic(1e-4, 0.5);
  if (maybe()) s.sigma0_1_s = logarithmic(0.1, 1e3);
  if (maybe()) s.sigma1_m2_s = std::min(1e3, h * h / k * logarithmic(1e-4, 0.2));
  s.centred_loss = maybe();
  if (*rc::gen::inRange(0, 4) == 0) {
    s.tension_modulation = true;
    s.stretching_N = s.tension_N * logarithmic(1, 1e4);
  }
  s.method = one_of<StringMethod>({StringMethod::grid, StringMethod::modes});
  s.op = one_of<GridOperator>({GridOperator::explicit_, GridOperator::explicit_, GridOperator::gamma,
                               GridOperator::optimal, GridOperator::unconditional});
  if (s.op == GridOperator::gamma) s.gamma = uniform(-0.5, 0.5);
  if (s.op == GridOperator::unconditional) s.intervals = static_cast<int>(n * uniform(0.5, 3));
  s.stepping = one_of<Stepping>({Stepping::constant, Stepping::exact, Stepping::leapfrog, Stepping::midpoint});
  const double high = one_of<double>({1e-5, 1e-3, 0.05}) * s.length_m;
  s.start = {.shape = one_of<StartShape>(
                 {StartShape::rest, StartShape::pluck, StartShape::bump, StartShape::strike, StartShape::mode})};
  s.start.position_m = uniform(0.2, 0.8) * s.length_m;
  s.start.height_m = uniform(-1, 1) * high;
  s.start.width_m = uniform(0.1, 0.3) * s.length_m;
  s.start.velocity_m_s = uniform(-1, 1) * c * high / s.length_m;
  return s;
}

BarrierSpec random_barrier(const StringSpec& s) {
  BarrierSpec b{.string = "string"};
  const double size = std::max(std::abs(s.start.height_m), 1e-6 * s.length_m);
  b.above = maybe();
  b.shape = one_of<BarrierShape>({BarrierShape::flat, BarrierShape::parabola, BarrierShape::points});
  b.height_m = uniform(-1.2, 1.2) * size;  // below, above, or through the string at rest
  if (*rc::gen::inRange(0, 3) == 0) b.height_m = (b.above ? 1 : -1) * size * uniform(0, 0.5);
  b.centre_m = uniform(0, 1) * s.length_m;
  b.curvature_1_m = std::min(1e6, size / (s.length_m * s.length_m) * logarithmic(0.1, 100));
  if (b.shape == BarrierShape::points) b.x_m = {0.31 * s.length_m, uniform(0.4, 0.9) * s.length_m};
  const double K = logarithmic(1e3, 1e16), alpha = one_of<double>({1, uniform(1, 3.5), uniform(1, 3.5)});
  b.law = {"power", {{"stiffness", K}, {"exponent", alpha}}};
  b.per_length = b.shape != BarrierShape::points && maybe();
  if (*rc::gen::inRange(0, 3) == 0) {
    b.law.type = "hunt-crossley";
    b.law.values["mu"] = logarithmic(1e-3, 1e2);
  }
  return b;
}

Scene random_scene() {
  Scene s;
  s.limits.release_m_s = s.limits.stiffness = 1e300;  // beyond what scenes may have by default, too
  s.rate_hz = logarithmic(4e3, 384e3);
  s.strings = {random_string(s.rate_hz)};
  s.barriers = {random_barrier(s.strings[0])};
  const bool lossy = s.barriers[0].law.type == "hunt-crossley";
  std::vector<std::string_view> names;
  for (const auto name : schemes_for(s.barriers[0].law))
    if (!(lossy && name.starts_with("taylor"))) names.push_back(name);  // see below
  s.barriers[0].scheme = LawSpec{std::string(one_of(names))};
  const double L = s.strings[0].length_m;
  if (*rc::gen::inRange(0, 3) == 0)
    s.excitations = {{.body = "string",
                      .position_m = 0.37 * L,
                      .type = SignalType::sine,
                      .amplitude_N = s.strings[0].tension_N * logarithmic(1e-6, 1e-2),
                      .frequency_hz = s.rate_hz * 0.01}};
  s.pickups = {{.of = "string", .quantity = Quantity::displacement, .position_m = 0.63 * L}};
  s.duration_s = steps / s.rate_hz;
  return s;
}

/// Lam = k^2 K_d alpha eta^(alpha-1)/rho with the deepest compression: how much stiffer a point is than its inertia.
double stiffness_number(const Scene& s, const ContactReport& c) {
  const StringSpec& string = s.strings[0];
  const StringData data = string_data(string);
  const double k = 1 / s.rate_hz,
               limit = string.stepping == Stepping::leapfrog ? 2 : string.bandwidth * std::numbers::pi;
  const int n =
      string.method == StringMethod::modes
          ? static_cast<int>(data.modes(limit / k, 100000).size()) + 1
          : plan_grid(data, {string.op, string.gamma, string.centred_loss, static_cast<int>(string.intervals)}, k)
                .intervals;
  const double h = data.length_m / n, K = s.barriers[0].law.values.at("stiffness") * (s.barriers[0].per_length ? h : 1);
  const double alpha = s.barriers[0].law.values.at("exponent"),
               deepest = std::max(c.record.deepest_m, c.record.deepest_half_m);
  return k * k / (data.density_kg_m * h) * K * alpha * std::pow(std::max(deepest, 0.0), alpha - 1);
}

std::string describe(const Scene& s) {
  const StringSpec& t = s.strings[0];
  const BarrierSpec& b = s.barriers[0];
  std::ostringstream text;
  text << std::string(t.method == StringMethod::grid ? grid_operator_names[static_cast<std::size_t>(t.op)]
                                                     : stepping_names[static_cast<std::size_t>(t.stepping)])
       << (t.tension_modulation ? " modulated" : "") << ", " << b.law.type << " K " << b.law.values.at("stiffness")
       << " alpha " << b.law.values.at("exponent") << ", " << b.scheme->type << ", rate " << s.rate_hz << ", L "
       << t.length_m << ", start " << start_names[static_cast<std::size_t>(t.start.shape)] << ' ' << t.start.height_m
       << ", barrier " << (b.above ? "above " : "below ") << barrier_names[static_cast<std::size_t>(b.shape)] << ' '
       << b.height_m << ", losses " << t.sigma0_1_s << ' ' << t.sigma1_m2_s << ", EI " << t.bending_N_m2 << ", rho "
       << t.density_kg_m << ", T " << t.tension_N << ", EA " << t.stretching_N << ", mu "
       << (b.law.values.contains("mu") ? b.law.values.at("mu") : 0) << ", curvature " << b.curvature_1_m << " at "
       << b.centre_m << ", start at " << t.start.position_m << " width " << t.start.width_m << " v "
       << t.start.velocity_m_s << ", gamma " << t.gamma << ", N " << t.intervals << (t.centred_loss ? ", centred" : "")
       << (b.per_length ? ", per length" : "") << (s.excitations.empty() ? ", free" : ", driven");
  return text.str();
}

/// M = EA H/(L T^2): to how many times its tension the string can be stretched by the energy it was given.
double stretching_number(const Scene& s, const Ledger& l) {
  const StringSpec& t = s.strings[0];
  return t.stretching_N * (l.start_J + std::abs(l.injected_J)) / (t.length_m * t.tension_N * t.tension_N);
}

/// Allowed imbalance, relative to the largest energy: 1e-11, and c eps Lam where one step cannot resolve the contact.
/// Measured over 100,000 strings: c = 0.35, for Taylor 13; tension modulation adds 13 eps M + 1e-3 eps M Lam.
double allowance(const Scene& s, const Ledger& l, double Lam) {
  const double c = s.barriers[0].scheme->type.starts_with("taylor") ? 40 : 1, M = stretching_number(s, l);
  return 1e-11 + std::numeric_limits<double>::epsilon() * (c * Lam + 50 * M + 0.01 * M * Lam);
}

ContactRecord expect_sound(const Scene& scene) {
  std::unique_ptr<System> system;
  try {
    system = compile(scene);
  } catch (const InputError&
               input_error) {  // Taylor serves single points, and no loss at exponent 1; everything else must compile
    RC_LOG() << describe(scene) << ": " << input_error.what() << std::endl;
    RC_ASSERT(!jawari::scheme(scene.barriers[0].scheme->type).couples);
    RC_DISCARD("single points only");
  }
  const Run r = run(*system, step_count(scene));
  const Ledger& l = system->ledger();
  const ContactReport c = system->contacts()[0];
  const double Lam = stiffness_number(scene, c);
  RC_LOG() << describe(scene) << ", Lam " << Lam << ", imbalance " << l.imbalance() << ", largest " << l.largest_J
           << ", iterations " << c.record.most_iterations << std::endl;
  if (scene.barriers[0].scheme->type == "taylor-strict" && system->failed()) return {};  // as announced
  // Pressed 11 mm into a barrier of 1e14 N/m a string holds 1e11 J: modulation has no digits left for its tension.
  if (stretching_number(scene, l) > 1e6) RC_DISCARD("stretched beyond reason");
  RC_ASSERT(c.record.unsettled == 0u);
  RC_ASSERT(!system->failed());
  RC_ASSERT(r.steps == step_count(scene));
  for (const double x : r.sound) RC_ASSERT(std::isfinite(x));
  RC_ASSERT(std::isfinite(l.stored_J()));
  RC_ASSERT(l.dissipated_J >= 0);
  RC_ASSERT(l.imbalance() <= allowance(scene, l, Lam));
  return c.record;
}

TEST(EveryString, NeverGainsEnergyAgainstAnyBarrier) {
  EXPECT_TRUE(rc::check("strings", [] { expect_sound(random_scene()); }));
}

/// B14: Newton, from the contact-free guess, on the three operators.
TEST(EveryString, SettlesEveryNewtonSolveWithin100Iterations) {
  EXPECT_TRUE(rc::check("newton", [] {
    Scene s = random_scene();
    s.strings[0].method = StringMethod::grid;
    s.strings[0].tension_modulation = false;
    s.strings[0].stretching_N = 0;
    s.strings[0].op =
        one_of<GridOperator>({GridOperator::explicit_, GridOperator::optimal, GridOperator::unconditional});
    if (s.strings[0].op == GridOperator::unconditional && s.strings[0].intervals == 0) s.strings[0].intervals = 30;
    if (s.strings[0].op != GridOperator::unconditional) s.strings[0].intervals = 0;
    s.strings[0].gamma = 0;
    s.barriers[0].scheme = LawSpec{one_of<std::string>({"two-point", "three-point"})};
    RC_ASSERT(expect_sound(s).most_iterations <= 100);
  }));
}

/// Exponent 1 with loss is refused (registry): pressed into the barrier the account was off by 2e-9 at Lam = 1e3 and 80
/// % at 3e7.
TEST(EveryString, NeverGainsEnergyWithTaylorAndLoss) {
  EXPECT_TRUE(rc::check("taylor with loss", [] {
    Scene s = random_scene();
    StringSpec& string = s.strings[0];  // points that are not coupled
    string.method = StringMethod::grid;
    string.op = GridOperator::explicit_;
    string.gamma = 0;
    string.intervals = 0;
    string.centred_loss = string.tension_modulation = false;
    s.barriers[0].points = 0;
    s.barriers[0].law = {"hunt-crossley",
                         {{"stiffness", logarithmic(1e3, 1e16)},
                          {"exponent", one_of<double>({1.01, 1.05, 1.3, 2})},
                          {"mu", logarithmic(1e-3, 1e2)}}};
    s.barriers[0].scheme = LawSpec{one_of<std::string>({"taylor", "taylor-star"})};
    expect_sound(s);
  }));
}

}  // namespace
}  // namespace jawari
