// SPDX-License-Identifier: MIT
// Bodies that hit one another: momentum, energy, symmetry, limits, and converged answers.
#include <boost/numeric/odeint.hpp>

#include "support.h"

namespace jawari {
namespace {

using test::close;
using test::play;
using test::scene_of;

std::string two_masses(const std::string& first, const std::string& second, double sign, const std::string& scheme) {
  const auto lower = sign > 0 ? first : second, upper = sign > 0 ? second : first;
  return "duration_s = 0.02\n"
         "[[mass]]\nname = \"a\"\nmass_kg = 0.02\nposition_m = " +
         std::to_string(-sign * 0.004) + "\nvelocity_m_s = " + std::to_string(sign * 1.5) +
         "\n[[mass]]\nname = \"b\"\nmass_kg = 0.05\nposition_m = 0.0\n"
         "[[contact]]\nname = \"hit\"\nbodies = [\"" +
         lower + "\", \"" + upper +
         "\"]\n"
         "law = { type = \"power\", stiffness = 2e7, exponent = 1.5 }\nscheme = \"" +
         scheme + "\"\n";
}

TEST(Coupled, TwoFreeBodiesConserveMomentumAndEnergy) {
  for (const auto* scheme : {"two-point", "three-point", "secant-2", "bounded", "guarded-two-point", "auto"}) {
    const auto p = play(two_masses("a", "b", 1, scheme));
    const auto &va = p.channels.of("a.velocity_m_s"), &vb = p.channels.of("b.velocity_m_s");
    double worst = 0;
    for (std::size_t i = 0; i < va.size(); ++i) {
      const double off = std::abs(0.02 * va[i] + 0.05 * vb[i] - 0.03) / 0.03;
      if (!(off <= worst)) worst = off;
    }
    EXPECT_LE(worst, 1e-12) << scheme;
    EXPECT_LE(p.world->ledger().imbalance(), 1e-12) << scheme;
    EXPECT_LE(test::worst_account(*p.world), 1e-12) << scheme;
    // and the motion is that of an elastic collision: v_b = 2 m_a v/(m_a + m_b)
    EXPECT_TRUE(close(vb.back(), 2 * 0.02 * 1.5 / 0.07, 1e-3)) << scheme << ' ' << vb.back();
  }
}

TEST(Coupled, ExchangingTheBodiesChangesNothing) {
  for (const auto* scheme : {"two-point", "secant-2"}) {
    const auto p = play(two_masses("a", "b", 1, scheme)), mirrored = play(two_masses("a", "b", -1, scheme));
    for (const auto* body : {"a", "b"}) {
      const auto &x = p.channels.of(std::string(body) + ".displacement_m"),
                 &y = mirrored.channels.of(std::string(body) + ".displacement_m");
      for (std::size_t i = 0; i < x.size(); ++i) ASSERT_EQ(x[i], -y[i]) << scheme << ' ' << body << ' ' << i;
    }
  }
}

TEST(Coupled, AMassSoHeavyThatItIsAWallGivesTheWallsAnswer) {
  const std::string head =
      "duration_s = 0.01\n[[mass]]\nname = \"a\"\nmass_kg = 0.01\nposition_m = 0.003\nvelocity_m_s = -2.0\n";
  const std::string law =
      "law = { type = \"hunt-crossley\", stiffness = 1e8, exponent = 1.5, mu = 0.3 }\nscheme = \"two-point\"\n";
  const auto against_wall = play(head + "[[contact]]\nname = \"c\"\nbodies = [\"wall\", \"a\"]\n" + law);
  const auto against_mass = play(
      head + "[[mass]]\nname = \"big\"\nmass_kg = 1e12\n[[contact]]\nname = \"c\"\nbodies = [\"big\", \"a\"]\n" + law);
  const auto &x = against_wall.channels.of("a.displacement_m"), &y = against_mass.channels.of("a.displacement_m");
  for (std::size_t i = 0; i < x.size(); ++i) ASSERT_TRUE(close(x[i], y[i], 0, 1e-14)) << i;
  EXPECT_LT(against_wall.channels.of("a.velocity_m_s").back(), 2.0);
  EXPECT_GT(against_wall.channels.of("a.velocity_m_s").back(), 0.5);
}

/// Five masses, four contacts that touch at once.
constexpr double chain_mass[] = {0.01, 0.013, 0.009, 0.012, 0.011};
constexpr double chain_K = 1e6, chain_alpha = 1.5, chain_overlap = 2e-4, chain_end = 2e-3;
double chain_start(int i) { return i == 0 ? 1e-5 - 2 * chain_overlap : -chain_overlap * i; }
std::string chain(double rate, const std::string& scheme) {
  std::string text =
      "rate_hz = " + std::to_string(rate) + "\nduration_s = " + std::to_string(chain_end + 1.5 / rate) + "\n";
  for (int i = 0; i < 5; ++i)  // pressed into one another, the first one thrown at the rest
    text += "[[mass]]\nname = \"m" + std::to_string(i) + "\"\nmass_kg = " + std::to_string(chain_mass[i]) +
            "\nposition_m = " + std::to_string(chain_start(i)) + "\nvelocity_m_s = " + (i == 0 ? "1.0" : "0.0") + "\n";
  for (int i = 0; i < 4; ++i)
    text += "[[contact]]\nbodies = [\"m" + std::to_string(i) + "\", \"m" + std::to_string(i + 1) +
            "\"]\nlaw = { type = \"power\", stiffness = 1e6, exponent = 1.5 }\nscheme = \"" + scheme + "\"\n";
  return text;
}
std::vector<double> chain_exact() {
  namespace ode = boost::numeric::odeint;
  using State = std::vector<double>;
  State x(10, 0.0);
  for (std::size_t i = 0; i < 5; ++i) x[i] = chain_start(static_cast<int>(i));
  x[5] = 1;
  const auto motion = [](const State& y, State& dy, double) {
    for (std::size_t i = 0; i < 5; ++i) {
      dy[i] = y[5 + i];
      dy[5 + i] = 0;
    }
    for (std::size_t i = 0; i < 4; ++i) {
      const double c = y[i] - y[i + 1], f = c > 0 ? chain_K * std::pow(c, chain_alpha) : 0;
      dy[5 + i] -= f / chain_mass[i];
      dy[6 + i] += f / chain_mass[i + 1];
    }
  };
  ode::integrate_adaptive(ode::make_controlled<ode::runge_kutta_dopri5<State>>(1e-13, 1e-13), motion, x, 0.0, chain_end,
                          1e-7);
  return x;
}

TEST(Coupled, AChainOfFiveAgreesWithAConvergedSolutionToTheSchemesOrder) {
  const auto exact = chain_exact();
  const auto error = [&](double rate, const std::string& scheme) {
    const auto p = play(chain(rate, scheme));
    const auto n = static_cast<std::size_t>(std::lround(chain_end * rate));
    double sum = 0;
    for (std::size_t i = 0; i < 5; ++i) {
      const double off = p.channels.of("m" + std::to_string(i) + ".displacement_m").at(n) - exact[i];
      sum += off * off;
    }
    EXPECT_LE(p.world->ledger().imbalance(), 1e-12);
    return std::sqrt(sum);
  };
  for (const auto& [scheme, low, high] :
       {std::tuple{"two-point", 1.9, 2.1}, {"three-point", 1.9, 2.1}, {"secant-2", 1.9, 2.1}, {"bounded", 1.2, 1.95}}) {
    const double coarse = error(100000, scheme), fine = error(400000, scheme),
                 order = std::log(coarse / fine) / std::log(4);
    EXPECT_GE(order, low) << scheme << ' ' << coarse << ' ' << fine;
    EXPECT_LE(order, high) << scheme << ' ' << coarse << ' ' << fine;
    EXPECT_LE(fine, 2e-6) << scheme;  // the masses have moved by 1 mm and more
  }
}

TEST(Coupled, ASpringAndADamperMoveTwoMassesAsTheyShould) {
  const double K = 4000, m1 = 0.1, m2 = 0.3, m = m1 * m2 / (m1 + m2), R = 0.8;
  const auto text = [&](double damping) {
    return "rate_hz = 96000\nduration_s = 0.1\n[[mass]]\nname = \"a\"\nmass_kg = 0.1\nposition_m = "
           "0.01\n[[mass]]\nname = \"b\"\nmass_kg = 0.3\n"
           "[[connection]]\nbodies = [\"a\", \"b\"]\nstiffness_N_m = 4000\ndamping_N_s_m = " +
           std::to_string(damping) + "\n";
  };
  for (const double damping : {0.0, R}) {
    const auto p = play(text(damping));
    const auto &a = p.channels.of("a.displacement_m"), &b = p.channels.of("b.displacement_m");
    const double sigma = damping / (2 * m), omega = std::sqrt(K / m - sigma * sigma);
    for (std::size_t n = 0; n < a.size(); n += 97) {
      const double t = static_cast<double>(n) / 96000;
      const double exact = 0.01 * std::exp(-sigma * t) * (std::cos(omega * t) + sigma / omega * std::sin(omega * t));
      ASSERT_TRUE(close(a[n] - b[n], exact, 0, 1e-5)) << damping << ' ' << t;
      ASSERT_TRUE(close(m1 * a[n] + m2 * b[n], m1 * 0.01, 1e-12)) << t;
    }
    EXPECT_LE(p.world->ledger().imbalance(), 1e-12);
    EXPECT_LE(test::worst_account(*p.world), 1e-12);
  }
}

TEST(Coupled, ModalAndGridStringInOneSceneAgreeAsTheyConverge) {
  const auto distance = [](double rate) {
    std::string text = "rate_hz = " + std::to_string(rate) + "\nduration_s = 0.01\n";
    for (const auto* method : {"grid", "modes"})
      text += std::string("[[string]]\nname = \"") + method +
              "\"\nlength_m = 0.7\ntension_N = 60\nradius_m = 3e-4\nmethod = \"" + method +
              "\"\n[[hammer]]\nname = \"h-" + method + "\"\ntarget = \"" + method +
              "\"\nposition_m = 0.1\nmass_kg = 0.004\nvelocity_m_s = 1.5\n"
              "law = { type = \"power\", stiffness = 4e7, exponent = 2.3 }\nscheme = \"two-point\"\n"
              "[[pickup]]\nname = \"" +
              method + "\"\nof = \"" + method + "\"\nposition_m = 0.5\nquantity = \"displacement\"\n";
    const auto p = play(text);
    EXPECT_LE(p.world->ledger().imbalance(), 1e-12);
    EXPECT_LE(test::worst_account(*p.world), 1e-12);
    const auto &a = p.channels.of("grid.displacement_m"), &b = p.channels.of("modes.displacement_m");
    double off = 0, motion = 0;
    for (std::size_t i = 0; i < a.size(); ++i) {
      off += (a[i] - b[i]) * (a[i] - b[i]);
      motion += b[i] * b[i];
    }
    return std::sqrt(off / motion);
  };
  const double coarse = distance(44100), fine = distance(4 * 44100), finest = distance(16 * 44100);
  EXPECT_LE(coarse, 3e-3);
  EXPECT_LE(fine, 2e-3);
  EXPECT_LE(finest, fine / 2.5) << fine << ' ' << finest;
}

}  // namespace
}  // namespace jawari
