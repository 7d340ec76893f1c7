// SPDX-License-Identifier: MIT
// Every value of impact_golden.json: closed forms, trajectories and errors of the classic and geometric integrators,
// sequences of 100 rebounds, entry phases.  Conventions C1-C15 are in the file; tolerances are its own.
#include <algorithm>
#include <cmath>
#include <map>
#include <string>
#include <tuple>

#include "jawari/impact/closed_form.h"
#include "jawari/impact/corrections.h"
#include "jawari/impact/deviation.h"
#include "support/golden.h"

namespace jawari {
namespace {

using nlohmann::json;
using test::close;

const json& values() {
  static const json file = test::golden("impact_golden.json");
  return file;
}
const std::map<std::string, std::string> our_name = {{"AM1", "am1"},
                                                     {"Verlet", "verlet"},
                                                     {"Heun", "heun"},
                                                     {"RK4", "rk4"},
                                                     {"Verlet-reeval", "verlet-fresh"},
                                                     {"Heun-reeval", "heun-fresh"},
                                                     {"SympVerlet", "symplectic-verlet"},
                                                     {"Symp4", "symplectic-4"},
                                                     {"DG-passive", "two-variable"},
                                                     {"DG-invariant", "invariant"}};
std::string ours(const std::string& golden_name) {
  const auto plus = golden_name.find('+');
  std::string suffix = plus == std::string::npos ? "" : golden_name.substr(plus);
  if (suffix == "+proj") suffix = "+projected";
  if (suffix == "+hybrid+tilde") suffix = "+hybrid+approximate";
  return our_name.at(golden_name.substr(0, plus)) + suffix;
}
exact::Impact impact_of(const std::string& name) {
  const json& c = values()["constants"]["cases"][name];
  return {.mass_kg = values()["constants"]["M"],
          .stiffness = c["k"],
          .exponent = c["alpha"],
          .mu = c["mu"],
          .speed_m_s = c["v_in"]};
}
std::unique_ptr<Stepper> stepper(const std::string& golden_name, const exact::Impact& i, double fs = 44100) {
  const OneMass mass{HuntCrossley({i.stiffness, i.exponent, i.mu}), i.mass_kg};
  return make_stepper(ours(golden_name), mass, 1 / fs);
}

TEST(ImpactGolden, ClosedForms) {
  ASSERT_EQ(values()["closed_form"].size(), 43u);
  for (const auto& e : values()["closed_form"]) {
    const exact::Impact i{e["m"], e["k"], e["alpha"], e["mu"], e["v_in"]};
    const double U = i.mu * i.speed_m_s;
    SCOPED_TRACE(testing::Message() << "mu v " << U << ", alpha " << i.exponent);
    EXPECT_TRUE(close(exact::outbound_velocity(i), e["v_out"], 1e-12));
    EXPECT_TRUE(close(exact::restitution(U), e["E"], 1e-12));
    EXPECT_TRUE(close(exact::one_plus_mu_v_out(i), e["one_plus_mu_v_out"], 1e-12));
    EXPECT_TRUE(close(-i.speed_m_s * exact::restitution_approximate(U), e["v_out_tilde"], 1e-12));
    EXPECT_TRUE(close(exact::max_compression(i), e["x_max"], 1e-12));
    EXPECT_TRUE(close(exact::contact_time(i), e["tau"], 1e-12));
    EXPECT_TRUE(close(exact::energy_change(i), e["dH_tau"], 1e-12));
    EXPECT_TRUE(close(exact::hamiltonian(i, i.speed_m_s), e["H0"], 1e-12));
    EXPECT_TRUE(close(exact::hamiltonian(i, exact::outbound_velocity(i)), e["H_tau"], 1e-12));
    const auto& curve = e["v_x_H"];
    for (std::size_t k = 0; k < curve.size(); ++k) {  // the two end points carry only ten digits of v - v_out
      const bool end = k == 0 || k + 1 == curve.size();
      EXPECT_TRUE(close(exact::compression(i, curve[k][0]), curve[k][1], end ? 2e-10 : 1e-12)) << "v " << curve[k][0];
      EXPECT_TRUE(close(exact::hamiltonian(i, curve[k][0]), curve[k][2], end ? 5e-12 : 1e-12)) << "v " << curve[k][0];
    }
  }
}

TEST(ImpactGolden, ApproximateReboundOfFigure3) {
  for (const auto& [U, percent] : values()["fig3"]["error_percent"].get<std::vector<std::pair<double, double>>>()) {
    const double error = 100 * (exact::restitution_approximate(U) / exact::restitution(U) - 1);
    EXPECT_TRUE(close(error, percent, 1e-4, 1e-9)) << "mu v " << U;
  }
}

void expect_deviation(const json& e, const Deviation& d, double relative, double relative_x) {
  EXPECT_TRUE(close(d.x, e["dev_x"], relative_x, 1e-8)) << "dev_x";
  EXPECT_TRUE(close(d.H, e["dev_H"], relative, 1e-9)) << "dev_H";
  EXPECT_TRUE(close(d.v_out, e["err_v"], relative, 1e-9)) << "err_v";
}

TEST(ImpactGolden, SingleImpacts) {
  for (const auto& [name, schemes] : values()["single"].items()) {
    const exact::Impact i = impact_of(name);
    for (const auto& [scheme, e] : schemes.items()) {
      SCOPED_TRACE(name + " " + scheme);
      const auto s = stepper(scheme, i);
      const ContactSamples c = record_contact(*s, i.speed_m_s);
      EXPECT_EQ(c.exit(), e["samples"].get<std::size_t>());
      if (e.contains("x")) {
        ASSERT_LE(e["x"].size(), c.x_m.size());
        for (std::size_t k = 0; k < e["x"].size(); ++k) {
          EXPECT_TRUE(close(c.x_m[k], e["x"][k], 0, 1e-9 * exact::max_compression(i))) << "x_" << k;
          EXPECT_TRUE(close(c.v_m_s[k], e["v"][k], 0, 1e-9 * i.speed_m_s)) << "v_" << k;
        }
      }
      if (!e.contains("dev_x")) continue;
      expect_deviation(e, deviation(i, c), 1e-5, name == "noncritical" ? 1e-4 : 1e-5);
      EXPECT_TRUE(close(deviation(i, c, true).v_out, e["err_v_vs_tilde"], 1e-5, 1e-9));
      EXPECT_TRUE(close(deviation(i, c, true).H, e["dev_H_vs_tilde"], 1e-5, 1e-9));
      EXPECT_TRUE(close(deviation(i, c).exit_H, e["exit_dev_H"], 1e-5, 1e-9));
    }
  }
}

TEST(ImpactGolden, TimingOfEveryIntegrator) {
  for (const auto& name : {"case1", "case2"}) {
    const exact::Impact i = impact_of(name);
    for (const auto& [scheme, e] : values()["beyond"][name].items()) {
      SCOPED_TRACE(std::string(name) + " " + scheme);
      const ContactSamples c = record_contact(*stepper(scheme, i), i.speed_m_s);
      Deviation d = deviation(i, c);
      add_timing(i, c, scheme.find("hybrid") == std::string::npos, d);
      expect_deviation(e, d, 1e-6, 1e-6);
      EXPECT_TRUE(close(d.time_x, e["time_x"], 1e-6, 1e-9)) << "time_x";
      EXPECT_TRUE(close(d.time_v, e["time_v"], 1e-6, 1e-9)) << "time_v";
    }
  }
}

TEST(ImpactGolden, EntryPhases) {
  for (const auto& [name, schemes] : values()["entry_phase"].items()) {
    const exact::Impact i = impact_of(name);
    for (const auto& [scheme, e] : schemes.items()) {
      SCOPED_TRACE(name + " " + scheme);
      double sum = 0, squares = 0, least = 1e9, most = -1e9;
      for (int j = 0; j < 64; ++j) {
        const double start = -(j + 0.5) / 64 / 44100 * i.speed_m_s;
        const double error = deviation(i, record_contact(*stepper(scheme, i), i.speed_m_s, start)).v_out;
        sum += error;
        squares += error * error;
        least = std::min(least, error);
        most = std::max(most, error);
      }
      EXPECT_TRUE(close(sum / 64, e["mean"], 1e-6, 1e-9));
      EXPECT_TRUE(close(std::sqrt(squares / 64), e["rms"], 1e-6, 1e-9));
      EXPECT_TRUE(close(least, e["min"], 1e-6, 1e-9));
      EXPECT_TRUE(close(most, e["max"], 1e-6, 1e-9));
    }
  }
}

/// PAR11 Table III: each impact restarts on a sample with x = 0 and the speed the last one left with (C7).
struct Sequence {
  double accumulated = 0, max_dev = 0, max_dev_contact = 0;
  std::map<int, double> speed_after;
};
Sequence hundred_rebounds(const std::string& scheme, exact::Impact i, bool restart_with_predictor, double fs = 44100) {
  Sequence out;
  double exact_speed = i.speed_m_s, v_exit = 0;
  for (int n = 1; n <= 100; ++n) {
    const ContactSamples c = record_contact(*stepper(scheme, i, fs), i.speed_m_s);
    const Deviation d = deviation(i, c);
    out.max_dev_contact = std::max(out.max_dev_contact, d.H);
    out.max_dev = std::max({out.max_dev, d.H, std::abs(d.exit_H)});
    exact_speed *= exact::restitution(i.mu * exact_speed);
    v_exit = std::abs(c.v_m_s.back());
    i.speed_m_s = restart_with_predictor ? std::abs(c.exit_predicted_m_s) : v_exit;
    out.speed_after[n] = v_exit;
  }
  out.accumulated = 100 * (v_exit * v_exit / (exact_speed * exact_speed) - 1);
  return out;
}

TEST(ImpactGolden, HundredRebounds) {
  for (const auto& [name, schemes] : values()["sequences"].items())
    for (const auto& [scheme, e] : schemes.items()) {
      if (!e.contains("accum") || scheme == "tilde" || scheme == "RK4x16" || scheme.find("(") != std::string::npos)
        continue;  // in the other tests
      SCOPED_TRACE(name + " " + scheme);
      const Sequence s = hundred_rebounds(scheme, impact_of(name), false);
      EXPECT_TRUE(close(s.accumulated, e["accum"], 1e-5, 1e-8));
      EXPECT_TRUE(close(s.max_dev, e["max_dev"], 1e-5, 1e-8));
      EXPECT_TRUE(close(s.max_dev_contact, e["max_dev_contact_only"], 1e-5, 1e-8));
      for (const auto& [n, v] : e["v_after"].items()) EXPECT_TRUE(close(s.speed_after.at(std::stoi(n)), v, 1e-7)) << n;
    }
}

TEST(ImpactGolden, ExactSequence) {
  for (const auto& [name, schemes] : values()["sequences"].items()) {
    const exact::Impact i = impact_of(name);
    double exact_speed = i.speed_m_s, approximate = i.speed_m_s;
    for (int n = 1; n <= 100; ++n) {
      exact_speed *= exact::restitution(i.mu * exact_speed);
      approximate *= exact::restitution_approximate(i.mu * approximate);
      const auto key = std::to_string(n);
      if (!schemes["exact"]["v_after"].contains(key)) continue;
      EXPECT_TRUE(close(exact_speed, schemes["exact"]["v_after"][key], 1e-12));
      EXPECT_TRUE(close(approximate, schemes["tilde"]["v_after"][key], 1e-12));
    }
  }
}

/// The printed 147 % and 946 % of Heun are an artefact: the next impact was started with the predictor velocity.
TEST(ImpactGolden, TableIIIHeunRightAndAsPrinted) {
  for (const auto& [name, table] : {std::pair{"case1", "III(a)"}, {"case2", "III(b)"}}) {
    const auto& golden = values()["tables_reproduced"][table];
    const Sequence printed = hundred_rebounds("Heun", impact_of(name), true);
    EXPECT_TRUE(close(printed.accumulated, golden["Heun"]["accum"], 1e-5));
    EXPECT_TRUE(close(printed.max_dev, golden["Heun"]["max_dev"], 1e-5));
    const Sequence right = hundred_rebounds("Heun", impact_of(name), false);
    EXPECT_TRUE(close(right.accumulated, golden["Heun-corrector"]["accum"], 1e-5));
    const Sequence fast = hundred_rebounds("RK4", impact_of(name), false, 16 * 44100);
    EXPECT_TRUE(close(fast.accumulated, golden["RK4x16"]["accum"], 1e-5, 1e-8));
    EXPECT_TRUE(close(fast.max_dev, golden["RK4x16"]["max_dev"], 1e-5, 1e-8));
    const Sequence corrected = hundred_rebounds("Heun+hybrid+tilde", impact_of(name), false);
    EXPECT_TRUE(close(corrected.accumulated, golden["corrected(Heun)"]["accum"], 1e-5, 1e-8));
    const Sequence exactly = hundred_rebounds("Heun+hybrid", impact_of(name), false);
    EXPECT_TRUE(close(exactly.accumulated, 0, 0, 1e-8));
  }
  EXPECT_TRUE(close(hundred_rebounds("Heun", impact_of("case1"), false).accumulated, 9.41688, 1e-5));
  EXPECT_TRUE(close(hundred_rebounds("Heun", impact_of("case2"), false).accumulated, 0.246416, 1e-5));
}

/// The tables as printed: within one unit of the last digit.  Not reproducible, with reasons in docs/theory/impact.md:
/// err(v) of Verlet and RK4 and dev(H) of RK4 in Table I (a loose zero finder; ours are smaller), AM1 in Table III(b)
/// (a loose Newton, 0.1 %), Heun in Table III (the artefact above; signs of RK4 dropped).
TEST(ImpactGolden, PrintedTables) {
  const std::string order[] = {"AM1", "Verlet", "Heun", "RK4"};
  const auto printed = [](double value, double wanted, double unit) {
    return close(std::abs(value), std::abs(wanted), 0, unit);
  };
  const json& paper = values()["paper"];
  for (const auto& [table, name, approximate] :
       {std::tuple{"I", "noncritical", false}, {"II(a)", "case1", false}, {"II(b)", "case2", true}}) {
    const exact::Impact i = impact_of(name);
    for (std::size_t k = 0; k < 4; ++k) {
      SCOPED_TRACE(std::string(table) + " " + order[k]);
      const ContactSamples c = record_contact(*stepper(order[k], i), i.speed_m_s);
      const Deviation d = deviation(i, c, approximate);
      const bool first = std::string(table) == "I";
      EXPECT_TRUE(printed(d.x, paper[table]["dev_x"][k], 0.001));
      const double v = paper[table]["err_v"][k], H = paper[table]["dev_H"][k];
      const bool smaller_v = first && (k == 1 || k == 3), smaller_H = first && k == 3;
      EXPECT_TRUE(smaller_v ? close(0, d.v_out, 0, v) : printed(d.v_out, v, first ? 1e-5 : 0.001));
      EXPECT_TRUE(smaller_H ? close(0, d.H, 0, H) : printed(d.H, H, first && k != 1 ? 1e-4 : 0.001));
      EXPECT_TRUE(first || (d.v_out > 0) == (v > 0));
    }
  }
  for (const auto& [table, name] : {std::pair{"III(a)", "case1"}, {"III(b)", "case2"}})
    for (std::size_t k = 0; k < 4; ++k) {
      SCOPED_TRACE(std::string(table) + " " + order[k]);
      const bool heun = k == 2, loose = k == 0 && std::string(table) == "III(b)";
      const Sequence s = hundred_rebounds(order[k], impact_of(name), heun);
      EXPECT_TRUE(printed(s.accumulated, paper[table]["accum"][k], loose ? 1e-3 * 24.285 : 0.001));
      EXPECT_TRUE(printed(s.max_dev, paper[table]["max_dev"][k], loose ? 1e-3 * 69.156 : 0.001));
    }
}

/// PAR11 Fig. 5: a constant force into the wall stays on during contact (the printed sign of (21) is wrong).
TEST(ImpactGolden, ExternalForceOfFigure5) {
  for (const auto& e : values()["fig5"]) {
    const exact::Impact i{.mass_kg = 0.01, .stiffness = 1e7, .exponent = 1.5, .mu = 0.5, .speed_m_s = 0.5};
    const double load = e["f_e"], dt = 1 / (44100 * 2048.0);
    const OneMass mass{HuntCrossley({i.stiffness, i.exponent, i.mu}), i.mass_kg, load};
    const auto s = make_stepper("rk4", mass, dt);
    s->start(0, i.speed_m_s);
    double v_max = 0, x_max = 0, t = 0;
    do {
      s->step();
      t += dt;
      v_max = std::max(v_max, s->v());
      x_max = std::max(x_max, s->x());
    } while (s->x() > 0);
    const double v_out = -std::sqrt(s->v() * s->v() - 2 * load / i.mass_kg * s->x());  // back along the free flight
    EXPECT_TRUE(close(v_max, e["v_max"], 1e-9)) << load;
    EXPECT_TRUE(close(x_max, e["x_max"], 1e-9)) << load;
    EXPECT_TRUE(close(v_out, e["v_out"], 1e-9)) << load;
    EXPECT_TRUE(close(t - s->x() / s->v(), e["tau"], 1e-9)) << load;
    EXPECT_TRUE(close(std::pow(load / i.stiffness, 1 / i.exponent), e["x_eq"], 1e-12));
  }
}

/// PAR11 Fig. 12: rebounds of case 2 with free flights between them.
TEST(ImpactGolden, ReboundsOfFigure12) {
  for (const auto& [key, e] : values()["fig12"].items()) {
    exact::Impact i = impact_of("case2");
    for (std::size_t n = 0; n < e["v"].size(); ++n) {
      double v = i.speed_m_s * exact::restitution(i.mu * i.speed_m_s);
      if (key != "exact")
        v = std::abs(record_contact(*stepper(key == "Heun+corrections" ? "Heun+hybrid+tilde" : key, i), i.speed_m_s)
                         .v_m_s.back());
      EXPECT_TRUE(close(v, e["v"][n], 1e-6)) << key << n;
      EXPECT_TRUE(close(v * v / (2 * 9.81), e["apex"][n], 1e-6));
      EXPECT_TRUE(close(2 * v / 9.81, e["flight"][n], 1e-6));
      i.speed_m_s = v;
    }
  }
}

TEST(ImpactGolden, EnergyDeviationForSmallLossOfFigure11) {
  for (const auto& e : values()["fig11"])
    for (const bool mu_varies : {true, false}) {
      exact::Impact i{.mass_kg = 0.01, .stiffness = 1e9, .exponent = 1.5, .mu = 0.5, .speed_m_s = 0.5};
      (mu_varies ? i.mu : i.speed_m_s) = e["mu_v_in"].get<double>() / 0.5;
      const Deviation d = deviation(i, record_contact(*stepper("RK4", i), i.speed_m_s));
      const std::string which = mu_varies ? "mu_varies" : "v_in_varies";
      EXPECT_TRUE(close(d.H, e["dev_H_" + which], 1e-6, 1e-9)) << e["mu_v_in"];
      EXPECT_TRUE(close(d.exit_H, e["exit_dev_H_" + which], 1e-6, 1e-9)) << e["mu_v_in"];
    }
}

}  // namespace
}  // namespace jawari
