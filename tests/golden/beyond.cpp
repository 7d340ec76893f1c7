// SPDX-License-Identifier: MIT
// beyond_golden.json: the schemes beyond the five papers, on the oscillator of DB19 with an exact linear part and on
// lossy impacts.  Every number of the file is compared; its own names and tolerances.
#include <fmt/format.h>

#include <cstdio>
#include <map>
#include <numbers>
#include <utility>

#include "support/golden.h"
#include "support/reference.h"
#include "support/rig.h"

namespace jawari {
namespace {

using namespace test;
using nlohmann::json;

const json& values() {
  static const json file = golden("beyond_golden.json");
  return file;
}
constexpr double fs0 = 44100, v0 = 1, w0 = 2 * std::numbers::pi * 10, duration = 0.25;

Problem oscillator(const std::string& kind) {
  return {.mass_kg = 0.01,
          .stiffness = kind == "soft" ? 5e4 : 7e7,
          .exponent = 1.1,
          .omega_rad_s = w0,
          .barrier_m = 0.2,
          .stepping = Stepping::exact};
}
double start(int j) { return -0.5 + 0.0007 * j; }

/// Stiffness for the names with a star: the tan form with the exact duration of the first contact.
double matched(const Problem& p, const Reference& exact, double fs) {
  const double bias = exact::duration_bias(p.exponent);
  return p.stiffness * exact::duration_match(p.exponent, exact.duration() * fs, exact::Match::tan, bias);
}
const std::map<std::string, std::string> our_name = {
    {"EQ19", "quadratised"}, {"EXP4", "returning"},   {"EXP3", "bounded"},  {"SEC1", "secant-1"},
    {"SEC2", "secant-2"},    {"IMP1", "three-point"}, {"IMP2", "two-point"}};

/// The oscillator at one rate, by our name or with a golden one.  u^0 - u^{-1} comes from the exact solution.
class Oscillator {
 public:
  Oscillator(const std::string& scheme, const Problem& p, double fs) : p_(p), scheme_{scheme}, k_(1 / fs) {}
  static Oscillator golden(const std::string& name, Problem p, const Reference& exact, double fs) {
    const bool star = name.back() == '*';
    if (star) p.stiffness = matched(p, exact, fs);
    return {our_name.at(star ? name.substr(0, name.size() - 1) : name), p, fs};
  }
  /// u^n, n = 0 .. count - 1
  std::vector<double> run(double u0, std::size_t count) const {
    Rig m(p_, scheme_, k_);
    m.place(u0, first_increment(u0));
    std::vector<double> u;
    for (std::size_t n = 0; n < count; ++n, m.step()) u.push_back(m.next());
    EXPECT_TRUE(m.settled());
    return u;
  }
  /// The same as the file has it, u+ = 2 cos(w0 k) u - u- + Q f: the rounding of 2 cos detunes it by eps/(w0 k)^2.
  std::vector<double> run_with_positions(double u0, std::size_t count) const {
    const auto line = make_line(p_.choice(), scheme_, 1, k_);
    const double twice = 2 * std::cos(w0 * k_), Q = k_ * k_ * (2 + twice) / (4 * p_.mass_kg);
    double now = u0, before = u0 * (twice / 2) - v0 * std::sin(w0 * k_) / w0;
    line->port[0] = {now - p_.barrier_m, now - before, 0, Q};
    line->start();
    std::vector<double> u;
    for (std::size_t n = 0; n < count; ++n) {
      u.push_back(now);
      line->port[0] = {now - p_.barrier_m, now - before, twice * now - 2 * before, Q};
      if (line->detect()) {
        line->begin(false);
        line->solve_independent();
        line->finish();
      }
      before = std::exchange(now, twice * now - before + Q * line->phi[0]);
    }
    EXPECT_EQ(line->record.unsettled, 0u);
    return u;
  }

 private:
  double first_increment(double u0) const {  // u0 (1 - cos w0 k) + v0 sin(w0 k)/w0
    const double half = std::sin(w0 * k_ / 2);
    return 2 * half * half * u0 + v0 * std::sin(w0 * k_) / w0;
  }
  Problem p_;
  SchemeSpec scheme_;
  double k_;
};

double square(double x) { return x * x; }
double relative_error(const std::vector<double>& u, const std::vector<double>& exact) {
  return rms_difference(u, exact, u.size()) / rms_difference(exact, std::vector<double>(exact.size()), exact.size());
}

/// Four entries of the file are ruled by the rounding of its own recurrence in positions (hard EQ19 is chaotic, the
/// soft ones are down to 3e-8).  They are compared with that recurrence; the library's increments with values computed
/// in quadruple precision.
const std::map<std::string, double> without_rounding = {{"hard 4x EQ19", 0.0253242},
                                                        {"soft 4x IMP2*", 2.987062e-8},
                                                        {"soft 4x SEC1*", 3.045659e-8},
                                                        {"soft 4x SEC2*", 2.987061e-8}};

TEST(BeyondGolden, ErrorsOver24Starts) {
  int compared = 0;
  for (const auto& [label, schemes] : values()["rms_over_24_starts"].items()) {
    const std::string kind = label.substr(0, 4);
    const int times = label[5] - '0';
    ASSERT_TRUE((kind == "soft" || kind == "hard") && label == fmt::format("{} {}x", kind, times)) << label;
    const Problem p = oscillator(kind);
    const double fs = times * fs0;
    const auto count = static_cast<std::size_t>(std::lround(duration * fs));
    std::map<std::string, double> squares, squares_of_positions;
    for (int j = 0; j < 24; ++j) {
      const Reference exact(p, start(j), v0);
      const auto expected = exact.samples(1 / fs, count);
      for (const auto& [name, rms] : schemes.items()) {
        const auto osc = Oscillator::golden(name, p, exact, fs);
        squares[name] += square(relative_error(osc.run(start(j), count), expected));
        if (without_rounding.contains(label + " " + name))
          squares_of_positions[name] += square(relative_error(osc.run_with_positions(start(j), count), expected));
      }
    }
    for (const auto& [name, rms] : schemes.items()) {
      SCOPED_TRACE(label + " " + name);
      const double ours = std::sqrt(squares.at(name) / 24);
      if (const auto known = without_rounding.find(label + " " + name); known != without_rounding.end()) {
        EXPECT_TRUE(close(std::sqrt(squares_of_positions.at(name) / 24), rms, 0.03));
        EXPECT_TRUE(close(ours, known->second, 1e-4));
      } else {
        EXPECT_TRUE(close(ours, rms, 0.03));
      }
      ++compared;
    }
  }
  EXPECT_EQ(compared, 60);
}

TEST(BeyondGolden, Trajectories) {
  int compared = 0;
  for (const auto& [kind, e] : values()["trajectories_44100_j0"].items()) {
    const Problem p = oscillator(kind);
    const Reference exact(p, start(0), v0);
    // The file's own integration loses 5e-12 of the speed per contact, so its later contacts come 2e-11 early.
    ASSERT_EQ(e["contacts_exact"].size(), 4u);
    double t_in = exact.first_contact();
    for (const auto& c : e["contacts_exact"]) {
      EXPECT_TRUE(close(t_in, c["t_in"], 5e-11));
      EXPECT_TRUE(close(exact.duration(), c["tau"], 5e-11));
      EXPECT_TRUE(close(exact.speed(), c["v_in"], 5e-11));
      EXPECT_TRUE(close(-exact.speed(), c["v_out"], 5e-11));
      t_in += exact.period();
    }
    EXPECT_TRUE(close(matched(p, exact, fs0), e["K_matched"], 1e-11));

    const auto n = e["n"].get<std::vector<std::size_t>>();
    const double second = exact.first_contact() + exact.period();
    for (const auto& [name, u] : e.items()) {
      if (name == "contacts_exact" || name == "K_matched" || name == "n") continue;
      const auto ours = name == "exact" ? exact.samples(1 / fs0, n.back() + 1)
                                        : Oscillator::golden(name, p, exact, fs0).run(start(0), n.back() + 1);
      ASSERT_EQ(u.size(), n.size());
      for (std::size_t i = 0; i < n.size(); ++i, ++compared) {
        const double allowed = static_cast<double>(n[i]) / fs0 <= second ? 1e-9 : 1e-6;
        EXPECT_TRUE(close(ours[n[i]], u[i], 0, allowed)) << kind << " " << name << " u^" << n[i];
      }
    }
  }
  EXPECT_EQ(compared, 2 * 10 * 5);
}

/// The registered schemes find duration and mass at the port.  Against the hard barrier that is as good as the exact
/// duration; the soft contact is shortened 1.5 % by the spring, which they ignore: 1/30 of the bias is left.
TEST(BeyondGolden, MatchedSchemesFindTheDurationThemselves) {
  const auto count = static_cast<std::size_t>(std::lround(duration * fs0));
  for (const std::string kind : {"soft", "hard"}) {
    const Problem p = oscillator(kind);
    const json& rms = values()["rms_over_24_starts"][kind + " 1x"];
    std::map<std::string, double> squares;
    for (int j = 0; j < 24; ++j) {
      const auto expected = Reference(p, start(j), v0).samples(1 / fs0, count);
      for (const std::string name : {"two-point", "secant-1", "secant-2"})
        squares[name] += square(relative_error(Oscillator("matched-" + name, p, fs0).run(start(j), count), expected));
    }
    for (const auto& [name, golden] : {std::pair{"two-point", "IMP2"}, {"secant-1", "SEC1"}, {"secant-2", "SEC2"}}) {
      SCOPED_TRACE(kind + " " + name);
      const double error = std::sqrt(squares.at(name) / 24), raw = rms[golden];
      const double formula = rms[std::string(golden) + "*"];  // with the closed form in the place of measured tables
      EXPECT_LE(error, kind == "hard" ? 1.1 * formula : raw / 30);
    }
  }
}

/// 1 kg at 1 m/s on K = 1 with loss, elastic contact time Nc samples, 200 entry phases: error of the restitution E.
/// Where the file's own energy balance is open (psi left below zero, a matter of its rounding) it has no exact v_out
/// better than balance/E^2; ours closes.
TEST(BeyondGolden, LossyImpacts) {
  int compared = 0;
  const std::map<std::string, std::string> schemes = {{"bounded, R = mu_h psi g (published)", "bounded"},
                                                      {"secant SEC1", "secant-1"}};
  for (const auto& [label, e] : values()["damped_impact"]["values"].items()) {
    double alpha = 0, mu = 0, Nc = 0;
    ASSERT_EQ(std::sscanf(label.c_str(), "alpha %lf mu*v %lf Nc %lf", &alpha, &mu, &Nc), 3) << label;
    const double E = exact::restitution(mu);
    EXPECT_TRUE(close(E, e["restitution_exact"], 1e-12));
    const exact::Impact elastic{.mass_kg = 1, .stiffness = 1, .exponent = alpha, .speed_m_s = 1};
    const double dt = exact::elastic_contact_time(elastic) / Nc;
    for (const auto& [name, wanted] : e.items()) {
      if (name == "restitution_exact") continue;
      SCOPED_TRACE(label + " " + name);
      Rig m({.exponent = alpha, .law = "hunt-crossley", .mu = mu}, {schemes.at(name)}, dt);
      double sum = 0, squares = 0;
      Extremes open;
      for (int j = 0; j < 200; ++j) {
        m.start(-(2 + (j + 0.5) / 200) * dt, 1);
        const double before = m.energy() + m.lost();
        int n = 0;
        for (bool met = false; n < 100000 && !(met && m.u() < 0 && m.contact_energy() == 0); ++n) {
          m.step();
          met |= m.u() > 0;
        }
        ASSERT_LT(n, 100000);
        open.add(std::abs(m.energy() + m.lost() - before));
        const double error = -m.v() / E - 1;
        sum += error;
        squares += error * error;
      }
      const double mean = sum / 200, spread = std::sqrt(squares / 200 - mean * mean);
      const double unknown = 2e-5 + wanted["balance"].get<double>() / (E * E);
      EXPECT_TRUE(close(mean, wanted["mean_rel_error"], 0.03, unknown));
      EXPECT_TRUE(close(spread, wanted["std"], 0.03, unknown));
      EXPECT_TRUE(close(open.most(), 0, 0, 1e-13));
      ++compared;
    }
  }
  EXPECT_EQ(compared, 48);
}

}  // namespace
}  // namespace jawari
