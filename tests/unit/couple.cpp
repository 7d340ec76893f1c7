// SPDX-License-Identifier: MIT
// Coupled ports: dense islands against residuals, against single ports, and chains of masses.
#include <cmath>
#include <memory>
#include <random>
#include <utility>

#include "jawari/body/string_grid.h"
#include "jawari/couple/connection.h"
#include "jawari/couple/dense.h"
#include "jawari/couple/island.h"
#include "jawari/registry.h"
#include "support/golden.h"

namespace jawari {
namespace {

std::unique_ptr<ContactLine> line(double stiffness, double exponent, double mu, const std::string& scheme,
                                  std::size_t points) {
  return make_line({"hunt-crossley", {{"stiffness", stiffness}, {"exponent", exponent}, {"mu", mu}}}, {scheme}, points,
                   1e-4);
}

/// Random symmetric positive semidefinite Q, sometimes of low rank (more ports than modes).
void fill(DenseCompliance& q, std::size_t n, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  const std::size_t rank = 1 + random() % (n + 1);
  std::vector<std::vector<double>> shape(rank, std::vector<double>(n));
  for (auto& mode : shape)
    for (auto& x : mode) x = normal(random);
  for (std::size_t i = 0; i < n; ++i)
    for (std::size_t j = 0; j < n; ++j) {
      double sum = 0;
      for (const auto& mode : shape) sum += mode[i] * mode[j];
      q.at(i, j) = 1e-6 * sum;
    }
}

TEST(Island, EveryRandomProblemSettlesAndSolvesItsEquation) {
  std::mt19937_64 random(5);
  std::uniform_real_distribution<double> u(-1, 1), stiff(3, 16);
  test::Extremes residual;
  int most = 0;
  for (int problem = 0; problem < 2000; ++problem) {
    const std::size_t n = 2 + random() % 10;
    DenseCompliance q(n);
    fill(q, n, random);
    auto contacts = line(std::pow(10, stiff(random)), 1 + 3 * std::abs(u(random)), problem % 2 ? 0.5 : 0,
                         problem % 3 ? "two-point" : "three-point", n);
    std::vector<double> free(n);
    for (std::size_t i = 0; i < n; ++i) {
      free[i] = 2e-3 * u(random);
      contacts->port[i] = {1e-3 * u(random), 1e-3 * u(random), free[i], q.at(i, i)};
    }
    contacts->start();
    Island island(q, {contacts.get()});
    const Outcome out = island.solve();
    ASSERT_TRUE(out.settled) << "problem " << problem;
    most = std::max(most, out.passes);
    for (std::size_t i = 0; i < n; ++i) {  // s = s_free + Q phi
      double s = free[i], terms = std::abs(free[i]);
      for (std::size_t j = 0; j < n; ++j) {
        s += q.at(i, j) * contacts->phi[j];
        terms += std::abs(q.at(i, j) * contacts->phi[j]);
      }
      residual.add(std::abs(s - contacts->s[i]) / terms);
    }
  }
  EXPECT_LE(residual.most(), 1e-12);
  EXPECT_LE(most, 170);  // 166 of 80,000 in the study this came from
}

/// Two lines of points that meet pairwise, and a third contact that meets a few of them: with the pattern of Q and
/// without.
TEST(Island, APatternOfZerosChangesNoBit) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> u(-1, 1);
  constexpr std::size_t pairs = 20, n = 2 * pairs + 1;
  const auto coupled = [&](std::size_t i, std::size_t j) {
    return i == j || i % pairs == j % pairs || (std::max(i, j) == n - 1 && std::min(i, j) % pairs < 3);
  };
  int touched = 0;
  for (int problem = 0; problem < 200; ++problem) {
    DenseCompliance whole(n), sparse(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        const double q = coupled(i, j) ? (i == j ? 2e-6 : 3e-7 * u(random)) : 0;
        for (auto* m : {&whole, &sparse}) m->at(i, j) = m->at(j, i) = q;
      }
    sparse.set_pattern(coupled);
    auto first = line(1e9, 1.5, problem % 2 ? 0.5 : 0, "two-point", n),
         second = line(1e9, 1.5, problem % 2 ? 0.5 : 0, "two-point", n);
    for (std::size_t i = 0; i < n; ++i)
      first->port[i] = second->port[i] = {1e-3 * u(random), 1e-3 * u(random), 2e-3 * u(random), whole.at(i, i)};
    first->start();
    second->start();
    Island a(whole, {first.get()}), b(sparse, {second.get()});
    const Outcome one = a.solve(), two = b.solve();
    ASSERT_TRUE(one.settled);
    ASSERT_EQ(one.passes, two.passes);
    for (std::size_t i = 0; i < n; ++i) {
      ASSERT_EQ(first->phi[i], second->phi[i]) << problem << ' ' << i;
      ASSERT_EQ(first->s[i], second->s[i]) << problem << ' ' << i;
      touched += first->phi[i] != 0;
    }
  }
  EXPECT_GT(touched, 200);
}

/// Ports that pull back by a spring where they are pressed, and not otherwise.
struct OneSided final : PortAnswers {
  double answer(std::size_t, double s_free_m, double q) noexcept override {
    return s_free_m > 0 ? -stiffness * s_free_m / (1 + stiffness * q) : 0;
  }
  double stiffness = 1;
};
/// After sweeps alone every port answers as it should, and a Newton step from there moves nothing.
void expect_sweeps_to_solve(Compliance& compliance, std::span<const double> free, double stiffness) {
  const std::size_t n = free.size();
  std::vector<double> s(free.begin(), free.end()), phi(n), f(n), b(n);
  OneSided ports;
  ports.stiffness = stiffness;
  compliance.start(free);
  for (int i = 0; i < 2000; ++i) compliance.sweep(ports, s);
  compliance.forces(phi);
  std::size_t pressed = 0;
  double largest = 0;
  for (std::size_t i = 0; i < n; ++i) {
    b[i] = s[i] > 0 ? -stiffness : 0;
    f[i] = b[i] * s[i];
    pressed += s[i] > 0;
    EXPECT_NEAR(phi[i], f[i], 1e-12 * stiffness * compliance.magnitude(i));
    largest = std::max(largest, compliance.magnitude(i));
  }
  EXPECT_GT(pressed, 0u);
  EXPECT_LT(pressed, n);
  const std::vector<double> before = s;
  compliance.newton_step(f, b, s);
  for (std::size_t i = 0; i < n; ++i) EXPECT_NEAR(s[i], before[i], 1e-11 * largest);
}
TEST(Sweeps, SolveDenseIslands) {
  std::mt19937_64 random(11);
  std::uniform_real_distribution<double> u(-1, 1);
  for (int problem = 0; problem < 20; ++problem) {
    const std::size_t n = 3 + random() % 10;
    DenseCompliance q(n);
    fill(q, n, random);
    std::vector<double> free(n);
    for (double& x : free) x = 1e-3 * u(random);
    free[0] = 1e-3;
    free[1] = -1e-1;
    expect_sweeps_to_solve(q, free, 1e5);
  }
}
TEST(Sweeps, SolveImplicitStringsWithTensionModulation) {
  const StringData data{.length_m = 0.65,
                        .tension_N = 60,
                        .density_kg_m = 2e-3,
                        .bending_N_m2 = 1e-3,
                        .stretching_N = 1e5,
                        .sigma0_1_s = 1,
                        .sigma1_m2_s = 1e-3};
  const StringTap taps[] = {{StringTap::point, 0.123}};
  StringGrid string(data, {.op = GridOperator::unconditional, .intervals = 30}, 1e-4, taps);
  std::vector<double> u(string.nodes()), d(string.nodes());
  for (std::size_t i = 0; i < u.size(); ++i) {
    u[i] = 1e-2 * std::sin(3 * string.position_m(i) / 0.65);
    d[i] = 1e-5;
  }
  string.place(u, d);
  string.predict();
  GridCompliance compliance(string, 4, 20);
  compliance.refresh();
  std::vector<double> free(20);
  for (std::size_t i = 0; i < free.size(); ++i) free[i] = 1e-3 * std::sin(static_cast<double>(i));
  expect_sweeps_to_solve(compliance, free, 1e3);
}

TEST(Island, OfOnePortIsThePortAlone) {
  std::mt19937_64 random(6);
  std::uniform_real_distribution<double> u(-1, 1);
  for (const auto* scheme : {"two-point", "three-point", "quadratised", "bounded", "secant-2", "guarded-two-point"})
    for (int i = 0; i < 200; ++i) {
      DenseCompliance q(1);
      q.at(0, 0) = 1e-6;
      auto together = line(1e6, 1.5, 0.3, scheme, 1), alone = line(1e6, 1.5, 0.3, scheme, 1);
      together->port[0] = alone->port[0] = {1e-3 * u(random), 1e-3 * u(random), 2e-3 * u(random), 1e-6};
      together->start();
      alone->start();
      Island island(q, {together.get()});
      island.solve();
      if (alone->detect()) {
        alone->begin(false);
        alone->solve_independent();
        alone->finish();
      }
      EXPECT_TRUE(test::close(together->s[0], alone->s[0], 0, 1e-16)) << scheme;
      EXPECT_TRUE(test::close(together->phi[0], alone->phi[0], 1e-10, 1e-12)) << scheme;
    }
}

/// A point that takes part alone has the step of a point that is not coupled, bit for bit; where it pushes another one
/// into contact, both are solved together.
TEST(Island, OneOfManyPortsIsThatPortAlone) {
  std::mt19937_64 random(61);
  std::uniform_real_distribution<double> u(-1, 1);
  int touched = 0;
  for (const auto* scheme : {"two-point", "three-point", "guarded-two-point", "landing-two-point"})
    for (int i = 0; i < 200; ++i) {
      DenseCompliance q(3);
      for (std::size_t a = 0; a < 3; ++a)
        for (std::size_t b = 0; b < 3; ++b) q.at(a, b) = a == b ? 1e-6 : -4e-7;
      auto together = line(1e6, 1.5, 0.3, scheme, 3), alone = line(1e6, 1.5, 0.3, scheme, 1);
      const Port port{1e-3 * u(random), 1e-3 * u(random), 2e-3 * u(random), 1e-6};
      together->port = {{-1, 0, 0, 1e-6}, port, {-1, 0, 0, 1e-6}};
      alone->port[0] = port;
      together->start();
      alone->start();
      Island island(q, {together.get()});
      ASSERT_TRUE(island.solve().settled);
      if (alone->detect()) {
        alone->begin(false);
        alone->solve_independent();
        alone->finish();
      }
      ASSERT_EQ(together->s[1], alone->s[0]) << scheme;
      ASSERT_EQ(together->phi[1], alone->phi[0]) << scheme;
      ASSERT_EQ(together->stored(1), alone->stored(0)) << scheme;
      touched += together->phi[1] != 0;
    }
  EXPECT_GT(touched, 300);
}

TEST(Island, MixesIterativeAndFixedSchemesAndKeepsEnergy) {
  // Five masses in a row, four contacts with four schemes, all touching at once.
  const double dt = 1 / 44100.0, m = 0.01;
  const char* schemes[] = {"two-point", "secant-2", "three-point", "bounded"};
  std::vector<std::unique_ptr<ContactLine>> lines;
  std::vector<ContactLine*> raw;
  for (const auto* s : schemes) {
    lines.push_back(make_line({"power", {{"stiffness", 1e7}, {"exponent", 1.5}}}, {s}, 1, dt));
    raw.push_back(lines.back().get());
  }
  DenseCompliance q(4);
  for (std::size_t i = 0; i < 4; ++i)
    for (std::size_t j = 0; j < 4; ++j) q.at(i, j) = dt * dt / m * (i == j ? 2 : i + 1 == j || j + 1 == i ? -1 : 0);
  std::vector<double> u{-1e-3, 0, 0, 0, 0}, d{3 * dt, 0, 0, 0, 0};
  const auto ports = [&] {
    for (std::size_t i = 0; i < 4; ++i)
      raw[i]->port[0] = {u[i] - u[i + 1] - (i ? 0 : 0), d[i] - d[i + 1], 2 * (d[i] - d[i + 1]), q.at(i, i)};
  };
  ports();
  for (auto* l : raw) l->start();
  Island island(q, raw);
  const auto energy = [&] {
    double e = 0;
    for (const double x : d) e += m * x * x / (2 * dt * dt);
    for (auto* l : raw) e += l->stored();
    return e;
  };
  const double start = energy();
  test::Extremes off, momentum;
  for (int n = 0; n < 2000; ++n) {
    ports();
    ASSERT_TRUE(island.solve().settled);
    for (std::size_t i = 0; i < 5; ++i) {
      const double f = (i < 4 ? raw[i]->phi[0] : 0) - (i > 0 ? raw[i - 1]->phi[0] : 0);
      d[i] += dt * dt / m * f;
      u[i] += d[i];
    }
    double sum = 0;
    for (const double x : d) sum += x / dt;
    off.add(std::abs(energy() / start - 1));
    momentum.add(std::abs(sum / 3 - 1));
  }
  EXPECT_LE(off.most(), 1e-12);
  EXPECT_LE(momentum.most(), 1e-13);
  EXPECT_GT(u[4], 0.1);  // the last one flies off
}

/// A point that its own motion leads away from the wall, and that another one pushes into it.
TEST(Island, PointsThatOthersPushTakePart) {
  DenseCompliance q(3);
  for (std::size_t i = 0; i < 3; ++i)
    for (std::size_t j = 0; j < 3; ++j) q.at(i, j) = i == j ? 1e-6 : i + j == 1 ? -9e-7 : 0;
  auto contacts = line(1e9, 1.5, 0.1, "two-point", 3);
  contacts->port = {{1e-3, 1e-3, 1e-3, 1e-6}, {-1e-5, -1e-5, -2e-5, 1e-6}, {-1, 0, 0, 1e-6}};
  contacts->start();
  Island island(q, {contacts.get()});
  ASSERT_TRUE(island.solve().settled);
  EXPECT_LT(contacts->phi[0], 0);
  EXPECT_LT(contacts->phi[1], 0);
  EXPECT_EQ(contacts->phi[2], 0);
  EXPECT_EQ(contacts->taking_part.size(), 2u);  // the third one stays away
  for (std::size_t i = 0; i < 2; ++i) {
    const double terms = std::abs(contacts->port[i].s_free) + 1e-6 * std::abs(contacts->phi[0]);
    EXPECT_NEAR(contacts->s[i], contacts->port[i].s_free + 1e-6 * contacts->phi[i] - 9e-7 * contacts->phi[1 - i],
                1e-12 * terms);
    double f = 0, b = 0;
    auto alone = line(1e9, 1.5, 0.1, "two-point", 1);
    alone->port[0] = contacts->port[i];
    alone->start();
    alone->begin(true);
    alone->respond({&contacts->s[i], 1}, {&f, 1}, {&b, 1});
    EXPECT_NEAR(f, contacts->phi[i], 1e-10 * std::abs(f) + 1e-12 * std::abs(b) * terms);
  }
}

/// The same step once more, from where its forces were: nothing is left to do, and the solution is the same.
TEST(Island, BeginsWithTheForcesOfTheLastStep) {
  std::mt19937_64 random(23);
  std::uniform_real_distribution<double> u(-1, 1);
  int first = 0, again = 0;
  for (int problem = 0; problem < 100; ++problem) {
    constexpr std::size_t n = 6;
    DenseCompliance q(n);
    fill(q, n, random);
    auto contacts = line(1e9, 1.7, 0.2, "two-point", n);
    for (auto& p : contacts->port) p = {1e-3 * u(random), 1e-3 * u(random), 2e-3 * u(random), 0};
    contacts->start();
    Island island(q, {contacts.get()});
    first += island.solve().passes;
    const std::vector<double> phi = contacts->phi, s = contacts->s;
    contacts->start();
    again += island.solve().passes;
    double most = 0, largest = 0;
    for (std::size_t i = 0; i < n; ++i) {
      most = std::max(most, std::abs(contacts->phi[i] - phi[i]));
      largest = std::max(largest, std::abs(phi[i]));
    }
    EXPECT_LE(most, 1e-8 * largest) << problem;
  }
  EXPECT_LT(2 * again, first);
}

/// (K9) Springs with nothing beside them: the solution of Newton's step, whatever was solved before.
TEST(Island, SpringsAloneAreSolvedByAMatrixThatIsKept) {
  std::mt19937_64 random(21);
  std::uniform_real_distribution<double> u(-1, 1), stiff(2, 9);
  unsigned alone = 0, beside = 0;
  for (int problem = 0; problem < 60; ++problem) {
    const std::size_t n = 1 + random() % 14, m = random() % 3;
    DenseCompliance kept(n + m), plain(n + m);
    fill(kept, n + m, random);
    const auto copy_to = [&](DenseCompliance& other) {
      for (std::size_t i = 0; i < n + m; ++i)
        for (std::size_t j = 0; j < n + m; ++j) other.at(i, j) = std::as_const(kept).at(i, j);
    };
    copy_to(plain);
    SpringLine springs(n, std::pow(10, stiff(random)), problem % 2 ? 1e-2 : 0, 1e-4);
    auto contact = line(1e6, 1.5, 0, "two-point", m);
    for (std::size_t i = 0; i < n; ++i) springs.port[i] = {1e-3 * u(random), 1e-4 * u(random), 0, kept.at(i, i)};
    springs.start();
    SpringLine other_springs = springs;
    auto other_contact = contact->clone();
    std::vector<ContactLine*> lines{&springs}, others{&other_springs};
    if (m > 0) lines.push_back(contact.get());
    if (m > 0) others.push_back(other_contact.get());
    Island island(kept, lines), other(plain, others);
    island.keep_springs();
    for (int step = 0; step < 20; ++step) {
      if (step == 7)
        for (auto* l : {&springs, &other_springs}) l->scale_stiffness(1.7);
      if (step == 12) {
        kept.at(0, 0) *= 1.5;
        plain.at(0, 0) *= 1.5;
      }
      const bool touches = step % 5 == 3;
      for (std::size_t i = 0; i < n + m; ++i) {
        const Port port{i < n     ? 0
                        : touches ? 1e-4
                                  : -1,
                        i < n ? 0 : 1e-5 * u(random), 1e-3 * u(random), std::as_const(kept).at(i, i)};
        (i < n ? springs.port[i] : contact->port[i - n]) = port;
        (i < n ? other_springs.port[i] : other_contact->port[i - n]) = port;
      }
      // Another island that has solved nothing before has the same bits.
      DenseCompliance fresh(n + m);
      copy_to(fresh);
      SpringLine new_springs = springs;
      auto new_contact = contact->clone();
      std::vector<ContactLine*> now{&new_springs};
      if (m > 0) now.push_back(new_contact.get());
      Island begun(fresh, now);
      begun.keep_springs();
      ASSERT_TRUE(begun.solve().settled);
      const Outcome out = island.solve();
      ASSERT_TRUE(out.settled && other.solve().settled);
      EXPECT_EQ(springs.phi, new_springs.phi);
      EXPECT_EQ(springs.s, new_springs.s);
      (m > 0 && !contact->taking_part.empty() ? beside : alone) += 1;
      double largest_m = 0;
      for (std::size_t i = 0; i < n; ++i)
        largest_m = std::max({largest_m, std::abs(other_springs.s[i]), std::abs(springs.port[i].s_free)});
      for (std::size_t i = 0; i < n; ++i) {
        double s = springs.port[i].s_free, terms = std::abs(s);
        for (std::size_t j = 0; j < n; ++j) {
          s += std::as_const(kept).at(i, j) * springs.phi[j];
          terms += std::abs(std::as_const(kept).at(i, j) * springs.phi[j]);
        }
        for (std::size_t j = 0; j < m; ++j) s += std::as_const(kept).at(i, n + j) * contact->phi[j];
        ASSERT_NEAR(springs.s[i], s, 1e-12 * terms) << problem << ' ' << step << ' ' << i;
        ASSERT_NEAR(springs.s[i], other_springs.s[i], 1e-11 * largest_m) << problem << ' ' << step << ' ' << i;
      }
    }
  }
  EXPECT_GT(alone, 500u);
  EXPECT_GT(beside, 50u);
}

/// Springs and contacts that come and go, step after step: what is kept of the factor changes no bit.
TEST(Island, KeptRowsOfTheFactorChangeNoBit) {
  std::mt19937_64 random(17);
  std::uniform_real_distribution<double> u(-1, 1);
  constexpr std::size_t springs = 9, points = 8, n = springs + points;
  DenseCompliance kept(n);
  fill(kept, n, random);
  SpringLine spring(springs, 3e5, 1, 1e-4);
  auto contacts = line(1e8, 1.5, 0.2, "two-point", points);
  spring.start();
  contacts->start();
  Island island(kept, {&spring, contacts.get()});
  std::size_t touched = 0;
  for (int step = 0; step < 300; ++step) {
    if (step % 100 == 50) {  // tuned
      for (std::size_t i = 0; i < n; ++i) kept.at(i, i) *= 1.1;
      spring.scale_stiffness(0.5 + step / 100.0);
    }
    for (auto& p : spring.port) p = {1e-3 * u(random), 1e-3 * u(random), 2e-3 * u(random), 0};
    for (auto& p : contacts->port) p = {1e-3 * u(random), 1e-3 * u(random), 2e-3 * u(random) - 1e-3, 0};
    DenseCompliance fresh(n);
    for (std::size_t i = 0; i < n; ++i)
      for (std::size_t j = 0; j < n; ++j) fresh.at(i, j) = std::as_const(kept).at(i, j);
    const auto other_spring = spring.clone(), other_contacts = contacts->clone();
    Island other(fresh, {other_spring.get(), other_contacts.get()});
    ASSERT_EQ(island.solve().passes, other.solve().passes);
    ASSERT_EQ(spring.phi, other_spring->phi) << step;
    ASSERT_EQ(contacts->phi, other_contacts->phi) << step;
    ASSERT_EQ(contacts->s, other_contacts->s) << step;
    for (const double phi : contacts->phi) touched += phi != 0;
  }
  EXPECT_GT(touched, 300u);
  EXPECT_LT(touched, 300 * points);
}

}  // namespace
}  // namespace jawari
