// SPDX-License-Identifier: MIT
// A law given by a table: its parts belong together, it converges to the law it was read from, and schemes keep its
// energy.
#include "jawari/contact/tabulated.h"

#include <cmath>
#include <functional>
#include <random>

#include "jawari/contact/hunt_crossley.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"
#include "support/golden.h"

namespace jawari {
namespace {

std::vector<double> sampled(const std::function<double(double)>& F, double max_m, int intervals) {
  std::vector<double> values;
  for (int i = 0; i <= intervals; ++i) values.push_back(F(max_m * i / intervals));
  return values;
}
double felt(double y) { return 1e6 * y * y + 1e9 * y * y * y; }
double play(double y) { return y > 2e-4 ? 1e5 * (y - 2e-4) : 0; }

TEST(Tabulated, PotentialForceAndPsiBelongTogether) {
  std::mt19937_64 random(1);
  std::uniform_real_distribution<double> depth(-1e-4, 1.5e-3);  // outside, inside, beyond the table
  for (const auto& F : {felt, play}) {
    const Tabulated law(sampled(F, 1e-3, 20), 1e-3, 0);
    for (int i = 0; i < 2000; ++i) {
      const double y = depth(random), h = 1e-9;
      SCOPED_TRACE(testing::Message() << "y " << y);
      EXPECT_EQ(law.touches(y), law.potential(y) > 0);
      EXPECT_TRUE(test::close(law.psi(y) * law.psi(y) / 2, law.potential(y), 1e-14));
      EXPECT_TRUE(test::close(law.psi(y) * law.psi_slope(y), law.force(y), 1e-14, 1e-300));
      EXPECT_GE(law.curvature(y), -1e-9);
      EXPECT_TRUE(test::close(law.force(y), (law.potential(y + h) - law.potential(y - h)) / (2 * h), 1e-4, 1e-3));
      EXPECT_TRUE(test::close(law.curvature(y), (law.force(y + h) - law.force(y - h)) / (2 * h), 1e-4, 5));
    }
  }
}

/// The mean force times the step is the work, however small the step and whatever borders lie between.
TEST(Tabulated, MeanForceIsTheWorkOverTheStep) {
  const Tabulated law(sampled(felt, 1e-3, 20), 1e-3, 0);
  std::mt19937_64 random(2);
  std::uniform_real_distribution<double> depth(-2e-4, 1.3e-3), step(-14, -2.8);
  for (int i = 0; i < 5000; ++i) {
    const double y = i % 5 == 0 ? 5e-5 * (i % 20) : depth(random), r = (i % 2 ? 1 : -1) * std::pow(10, step(random));
    SCOPED_TRACE(testing::Message() << "y " << y << ", r " << r);
    const Quotient m = law.mean_force(law.anchor(y), r);
    // Between the force at both ends, as F never falls; equal to the difference of potentials where that has digits.
    const double low = law.force(std::min(y, y + r)), high = law.force(std::max(y, y + r));
    EXPECT_GE(m.value, low * (1 - 1e-12) - 1e-300);
    EXPECT_LE(m.value, high * (1 + 1e-12) + 1e-300);
    EXPECT_GE(m.slope, 0);
    const double difference = (law.potential(y + r) - law.potential(y)) / r;
    const double digits = 4e-16 * law.potential(std::max(y, y + r)) / std::abs(r);
    EXPECT_NEAR(m.value, difference, 1e-13 * high + 4 * digits);
  }
}

TEST(Tabulated, ConvergesToItsFunctionWithTheSquareOfTheSteps) {
  double before = 0;
  for (const int n : {50, 100, 200, 400}) {
    const Tabulated law(sampled(felt, 1e-3, n), 1e-3, 0);
    double worst = 0;
    for (int i = 1; i < 4000; ++i) worst = std::max(worst, std::abs(law.force(i * 2.5e-7) - felt(i * 2.5e-7)));
    if (before > 0) {
      EXPECT_GT(before / worst, 3.5) << n;  // at least second order
      EXPECT_LT(before / worst, 30) << n;
    }
    before = worst;
  }
  EXPECT_LT(before, 1e-5 * felt(1e-3));
}

Scene thrown(const LawSpec& law, const std::string& scheme, double rate_hz) {
  Scene s;
  s.rate_hz = rate_hz;
  s.duration_s = 6e-3;
  s.masses = {{.name = "mass", .mass_kg = 0.01, .position_m = -1e-3, .velocity_m_s = 1}};
  s.contacts = {{.bodies = {"mass", "wall"}, .law = law, .scheme = LawSpec{scheme}}};
  return s;
}
struct Outcome {
  double velocity, imbalance;
};
Outcome after(const Scene& scene) {
  const auto system = compile(scene);
  run(*system, step_count(scene));
  EXPECT_FALSE(system->failed());
  std::vector<double> row(system->channels().size());
  system->read(row);
  return {row[1], system->ledger().imbalance()};  // "mass.velocity_m_s"
}

TEST(Tabulated, EverySchemeThatServesItKeepsTheEnergy) {
  LawSpec law{"tabulated", {{"max_m", 2e-3}}, sampled(felt, 2e-3, 64)};
  const auto names = schemes_for(law);
  EXPECT_GE(names.size(), 8u);
  for (const auto name : names) {
    const Outcome o = after(thrown(law, std::string(name), 96000));
    EXPECT_LT(o.imbalance, 1e-12) << name;
    EXPECT_NEAR(o.velocity, -1, 2e-3) << name;  // an elastic rebound
  }
}

/// A power law read into a table moves as the power law does, with and without loss.
TEST(Tabulated, ATableOfAPowerLawMovesLikeThePowerLaw) {
  const auto power = [](double y) { return 1e7 * std::pow(y, 1.5); };
  for (const double mu : {0.0, 0.3}) {
    const LawSpec exact{"hunt-crossley", {{"stiffness", 1e7}, {"exponent", 1.5}, {"mu", mu}}};
    const LawSpec table{"tabulated", {{"max_m", 4e-3}, {"mu", mu}}, sampled(power, 4e-3, 8000)};
    const double a = after(thrown(exact, "two-point", 192000)).velocity,
                 b = after(thrown(table, "two-point", 192000)).velocity;
    EXPECT_LT(a, -0.5);
    EXPECT_NEAR(a, b, 1e-6) << mu;
  }
}

TEST(Tabulated, RefusesWhatIsNoLaw) {
  const auto input_error = [](std::vector<double> forces) -> std::string {
    try {
      Tabulated(forces, 1e-3, 0);
    } catch (const InputError& r) {
      return r.what();
    }
    return "not refused";
  };
  EXPECT_EQ(input_error({0, 1}), "law.force_N holds 2 values, but must hold 3 to 1000001");
  EXPECT_EQ(input_error({1, 2, 3}), "law.force_N begins with 1, but must begin with 0, at the surface");
  EXPECT_EQ(input_error({0, 2, 1}), "law.force_N has 1 after 2, but must be finite and never fall");
  EXPECT_EQ(input_error({0, 0, 0}), "law.force_N holds zeros only, but must end above 0");
  EXPECT_EQ(input_error({0, 1, std::nan("")}), "law.force_N has nan after 1, but must be finite and never fall");
  EXPECT_EQ(misfit({"tabulated", {{"max_m", 1e-3}}, {0, 1, 2}}, {"guarded-two-point"}).substr(0, 68),
            "scheme is \"guarded-two-point\", which does not serve the law \"tabulat");
}

}  // namespace
}  // namespace jawari
