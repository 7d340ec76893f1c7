// SPDX-License-Identifier: MIT
// What must hold for every law and every scheme of the registry, by name, over the whole range of masses, stiffnesses,
// exponents, rates and speeds that are allowed: finite, settled, and never more energy than was put in.
// RC_PARAMS chooses how many problems (script/soak: 100,000) and the seed; the quick run is reproducible.
#include <rapidcheck.h>

#include <cmath>
#include <cstdlib>
#include <limits>

#include "jawari/engine/compile.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/run.h"
#include "support/golden.h"

namespace jawari {
namespace {

const int quick = ::setenv("RC_PARAMS", "max_success=1500 seed=1", 0);

double uniform(double from, double to) { return from + (to - from) * *rc::gen::inRange(0, 1000001) / 1e6; }
double logarithmic(double from, double to) { return std::pow(10, uniform(std::log10(from), std::log10(to))); }
template <class T>
T one_of(const std::vector<T>& list) {
  return list[static_cast<std::size_t>(*rc::gen::inRange(0, static_cast<int>(list.size())))];
}

LawSpec random_law() {
  std::vector<LawInfo> known;
  for (const auto& l : laws())
    if (l.power_form) known.push_back(l);
  const LawInfo& info = one_of(known);
  LawSpec c{std::string(info.name)};
  c.values["stiffness"] = logarithmic(1e3, 1e15);
  c.values["exponent"] = one_of<double>({1, 1, 3, uniform(1, 4), uniform(1, 4), uniform(1, 4)});
  if (info.name == "hunt-crossley") c.values["mu"] = one_of<double>({0, logarithmic(1e-3, 1e2)});
  if (info.name == "centre-limited") c.values["gap_m"] = logarithmic(1e-5, 1e-2);
  return c;
}

Scene random_scene(bool forces) {
  Scene s;
  s.limits.release_m_s = s.limits.stiffness = 1e300;  // beyond what scenes may have by default, too
  s.rate_hz = logarithmic(1e3, 768e3);
  MassSpec m{.name = "mass", .mass_kg = logarithmic(1e-5, 10)};
  m.velocity_m_s = one_of<double>({0, uniform(-100, 100), logarithmic(1e-3, 100)});
  const double way = std::abs(m.velocity_m_s) / s.rate_hz;
  m.position_m = one_of<double>({0, -uniform(0, 5) * way, uniform(-1, 1) * 1e-3});  // outside, at the surface, inside
  ContactSpec c{.bodies = {"mass", "wall"}, .law = random_law()};
  c.scheme = LawSpec{std::string(one_of(schemes_for(c.law)))};
  if (forces) {
    if (*rc::gen::arbitrary<bool>()) s.gravity_m_s2 = uniform(-20, 20);
    if (*rc::gen::arbitrary<bool>()) m.spring_N_m = m.mass_kg * std::pow(logarithmic(1e-4, 1.5) * s.rate_hz, 2);
    if (*rc::gen::arbitrary<bool>()) m.damper_N_s_m = m.mass_kg * logarithmic(1e-3, 1e3);
    m.stepping = one_of<Stepping>({Stepping::exact, Stepping::constant, Stepping::leapfrog, Stepping::midpoint});
    if (*rc::gen::arbitrary<bool>())
      s.excitations = {{.body = "mass",
                        .type = SignalType::sine,
                        .amplitude_N = m.mass_kg * uniform(0, 100),
                        .frequency_hz = s.rate_hz * 0.01}};
  }
  s.masses = {m};
  s.contacts = {c};
  s.duration_s = 400 / s.rate_hz;
  return s;
}

/// kappa = k^2 K (v k)^(alpha-1)/M with the largest speed the energy allows.
double kappa(const Scene& s, const Ledger& l) {
  const double k = 1 / s.rate_hz, m = s.masses[0].mass_kg, v = std::sqrt(2 * l.largest_J / m);
  const auto& law = s.contacts[0].law.values;
  return k * k * law.at("stiffness") * std::pow(v * k, law.at("exponent") - 1) / m;
}

/// Allowed imbalance, relative to the largest energy: 1e-12 for resolved contacts; beyond that rounding costs at most
/// eps kappa for every step in contact, and 6 eps kappa for an impact that begins and ends within a step or two.
/// (Elastic impacts of a free mass do far better, see tests/analytic/promises.cpp and docs/theory/rounding.md.)
double allowance(const Scene& s, const Ledger& l, std::uint64_t touching) {
  const double eps = std::numeric_limits<double>::epsilon();
  return 1e-12 + (6 + static_cast<double>(touching)) * eps * kappa(s, l);
}

void expect_sound(const Scene& scene) {
  auto system = compile(scene);
  const Run r = run(*system, step_count(scene));
  const Ledger& l = system->ledger();
  RC_LOG() << "rate " << scene.rate_hz << ", mass " << scene.masses[0].mass_kg << ", law " << scene.contacts[0].law.type
           << " K " << scene.contacts[0].law.values.at("stiffness") << " alpha "
           << scene.contacts[0].law.values.at("exponent") << ", scheme " << scene.contacts[0].scheme->type << ", u "
           << scene.masses[0].position_m << ", v " << scene.masses[0].velocity_m_s << ", kappa " << kappa(scene, l)
           << ", imbalance " << l.imbalance() << ", largest " << l.largest_J << std::endl;
  if (scene.contacts[0].scheme->type == "taylor-strict" && system->failed()) return;  // as announced
  RC_ASSERT(!system->failed());
  RC_ASSERT(r.steps == step_count(scene));
  for (const double x : r.sound) RC_ASSERT(std::isfinite(x));
  RC_ASSERT(std::isfinite(l.stored_J()));
  RC_ASSERT(l.dissipated_J >= 0);
  RC_ASSERT(l.imbalance() <= allowance(scene, l, system->contacts()[0].record.touching_steps));
}

TEST(EverySchemeAndLaw, NeverGainsEnergyOnAFreeMass) {
  EXPECT_TRUE(rc::check("free mass", [] { expect_sound(random_scene(false)); }));
}
TEST(EverySchemeAndLaw, NeverGainsEnergyWithSpringsDampersLoadsAndDrives) {
  EXPECT_TRUE(rc::check("forced mass", [] { expect_sound(random_scene(true)); }));
}

/// Two masses that meet: momentum and energy kept, and nothing changes when the two are exchanged.
TEST(EverySchemeAndLaw, TwoMassesKeepMomentumAndEnergyWhicheverIsCalledFirst) {
  EXPECT_TRUE(rc::check("two masses", [] {
    Scene s = random_scene(false);
    const auto& chosen = s.contacts[0].scheme->type;
    RC_PRE(chosen != "taylor-strict");
    MassSpec other{.name = "other", .mass_kg = logarithmic(1e-5, 10)};
    other.velocity_m_s = uniform(-50, 50);
    s.masses.push_back(other), s.contacts[0].bodies = {"mass", "other"};
    auto system = compile(s);
    const double m1 = s.masses[0].mass_kg, m2 = other.mass_kg;
    const double momentum = m1 * s.masses[0].velocity_m_s + m2 * other.velocity_m_s;
    const double scale = m1 * std::abs(s.masses[0].velocity_m_s) + m2 * std::abs(other.velocity_m_s);
    std::vector<double> row(system->channels().size());
    std::vector<double> path;
    for (long n = 0; n < step_count(s); ++n) system->step(), system->read(row), path.push_back(row[0]);
    RC_ASSERT(!system->failed());
    RC_LOG() << chosen << " imbalance " << system->ledger().imbalance() << " kappa " << kappa(s, system->ledger())
             << std::endl;
    const double v_typical = std::sqrt(2 * system->ledger().largest_J * (1 / m1 + 1 / m2));
    RC_ASSERT(std::abs(m1 * row[1] + m2 * row[3] - momentum) <= 1e-12 * (scale + std::min(m1, m2) * v_typical));
    if (s.contacts[0].law.type == "power" || s.contacts[0].law.type == "hunt-crossley") return;
    // A two-sided law is odd in y: the same contact with its bodies exchanged is the same contact.
    Scene exchanged = s;
    std::swap(exchanged.contacts[0].bodies[0], exchanged.contacts[0].bodies[1]);
    auto again = compile(exchanged);
    for (long n = 0; n < step_count(s); ++n) {
      again->step(), again->read(row);
      RC_ASSERT(row[0] == path[static_cast<std::size_t>(n)]);
    }
  }));
}

}  // namespace
}  // namespace jawari
