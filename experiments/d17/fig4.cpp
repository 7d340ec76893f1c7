// SPDX-License-Identifier: MIT
// A fast mass against a stiff barrier: displacement and velocity through the contact, by weight s and rate.
#include <fmt/format.h>

#include "d17/d17.h"
#include "d17/impact.h"
#include "d17/roots.h"
#include "jawari/impact/closed_form.h"

namespace jawari::experiments::paper_d17 {
namespace {

const exact::Impact closed{1, 5e9, 1.3, 0, impact_speed};
constexpr double touch_s = -impact_start / impact_speed;

void add_pictures(Record& record, const std::vector<rigs::Thrown>& thrown, double rate_hz) {
  const Axis x{.label = "time since touch", .unit = "ms", .from = -0.02, .to = 0.18};
  Plot& depth = record.plot(fmt::format("(a) Displacement beyond the barrier, {:g} kHz", rate_hz / 1e3), x,
                            {.label = "compression", .unit = "mm", .from = -0.7, .to = 1.0});
  Plot& speed = record.plot(fmt::format("(b) Velocity, {:g} kHz", rate_hz / 1e3), x,
                            {.label = "velocity", .unit = "m/s", .from = -28.0, .to = 22.0});
  for (std::size_t i = 0; i < thrown.size(); ++i) {
    const auto style = rate_hz < 1e5 ? Curve::both : Curve::line;
    Curve u{impact_schemes()[i].first, {}, {}, style}, v = u;
    for (std::size_t n = 0; n < thrown[i].u.size(); ++n) {
      const double t = static_cast<double>(n) / rate_hz - touch_s;
      if (t < -0.05e-3 || t > 0.22e-3) continue;
      u.x.push_back(1e3 * t);
      u.y.push_back(1e3 * thrown[i].u[n]);
      v.x.push_back(1e3 * (t + 0.5 / rate_hz));
      v.y.push_back(thrown[i].v[n]);  // (u^{n+1} - u^n)/k belongs half a step later
    }
    depth.curves.push_back(std::move(u));
    speed.curves.push_back(std::move(v));
  }
  Curve u{"exact", {}, {}, Curve::dashed}, v = u;
  for (int i = -20; i <= 180; i += 2) {
    const auto at = exact::motion(closed, 1e-6 * i);
    u.x.push_back(1e-3 * i);
    u.y.push_back(1e3 * at.x_m);
    v.x.push_back(1e-3 * i);
    v.y.push_back(at.v_m_s);
  }
  depth.curves.push_back(std::move(u));
  speed.curves.push_back(std::move(v));
}

double deepest(const rigs::Thrown& t) { return *std::max_element(t.u.begin(), t.u.end()); }

/// Share of 200 entry phases in which s = 1/2 meets a complex root.
double complex_share(double rate_hz) {
  const PowerLaw law({closed.stiffness, closed.exponent});
  const double d = impact_speed / rate_hz;
  int failed = 0;
  for (int j = 0; j < 200; ++j)
    failed +=
        fly(law, 0.5, 1 / rate_hz, -(4 + (j + 0.5) / 200) * d, d, static_cast<int>(rate_hz / 2000)).first_complex > 0;
  return failed / 200.0;
}

void add_today(Record& record) {
  const rigs::EntryPhases phases(impact_problem(), impact_speed, 1 / 44100.0, 12);
  std::vector<Today> rows;
  for (const auto& [name, how] :
       {std::pair<const char*, LawSpec>{"benchmark (23), three-point, Newton", {"three-point"}},
        {"D17, s = 1/2 (s raised where complex)", rigs::taylor(0.5)},
        {"D17, s = 1", rigs::taylor(1)},
        {"D17, s = 3", rigs::taylor(3)},
        {"quadratised (DB19)", {"quadratised"}},
        {"two-point", {"two-point"}},
        {"secant-2 (no iteration)", {"secant-2"}},
        {"matched-secant-2 (no iteration)", {"matched-secant-2"}},
        {"guarded-two-point (default: matched contact time)", {"guarded-two-point"}}})
    rows.push_back({name, phases.error(how).motion, phases.cost(how)});
  record.today(
      "the exact motion (1e-12), rms over 12 entry phases from touch to 1.3 contact times, over the largest "
      "compression; "
      "44.1 kHz, 5.8 samples per contact, cost of the steps in contact",
      rows);
}

void run(Record& record) {
  impact_parameters(record);
  const double tau = exact::contact_time(closed), depth = exact::max_compression(closed);
  record.watched("exact contact time", tau, near(1.3147e-4, 5e-9), "s");
  record.watched("exact largest compression", depth, near(8.725e-4, 5e-8), "m");
  Table& table =
      record.table("Contact time and compression against the exact ones",
                   {"scheme", "rate [kHz]", "contact time [ms]", "error", "largest compression [mm]", "error"});
  const double wanted[2][4] = {{6.7, 5.9, -13, -45}, {0.07, 0.07, -2, -12}},
               allowed[2][4] = {{0.3, 0.3, 1, 1}, {0.02, 0.02, 0.5, 0.7}};
  double late[2][4];
  rigs::Range drift, out, deep;
  std::vector<rigs::Thrown> thrown[2];
  for (int r = 0; r < 2; ++r) {
    const double fs = r ? 441000 : 44100;
    for (std::size_t i = 0; i < 4; ++i) {
      const auto& [name, how] = impact_schemes()[i];
      thrown[r].push_back(impact(how, fs));
      const auto& t = thrown[r].back();
      late[r][i] = 100 * (t.delay_s / tau - 1);
      drift.add(t.settled ? t.drift : std::numeric_limits<double>::quiet_NaN());
      out.add(t.v.back() / impact_speed);
      deep.add(deepest(t) / depth);
      record.watched(fmt::format("{}, {:g} kHz: error of the contact time", name, fs / 1e3), late[r][i],
                     near(wanted[r][i], allowed[r][i]), "%");
      table.rows.push_back({name, fmt::format("{:g}", fs / 1e3), fmt::format("{:.5f}", 1e3 * t.delay_s),
                            fmt::format("{:+.2f} %", late[r][i]), fmt::format("{:.5f}", 1e3 * deepest(t)),
                            fmt::format("{:+.2f} %", 100 * (deepest(t) / depth - 1))});
    }
    add_pictures(record, thrown[r], fs);
  }
  const auto& a = thrown[0];
  double apart[2] = {};  // largest distance of s = 1/2 and of s = 3 from the benchmark while it is inside
  for (std::size_t n = 0; n < a[0].u.size() && n < a[1].u.size() && n < a[3].u.size(); ++n)
    if (a[0].u[n] > 0) {
      apart[0] = std::max(apart[0], std::abs(a[1].u[n] - a[0].u[n]) / depth);
      apart[1] = std::max(apart[1], std::abs(a[3].u[n] - a[0].u[n]) / depth);
    }
  record.said("44.1 kHz: s = 1/2 lies on the benchmark; largest distance inside the barrier, of the compression",
              100 * apart[0], between(0, 5), "%");
  record.said("44.1 kHz: s = 3 does not; the same distance", 100 * apart[1], between(100, 250), "%");
  record.said("differences shrink with the rate: s = 1, error at 441 kHz over that at 44.1 kHz",
              late[1][2] / late[0][2], between(0.1, 0.25));
  record.said("differences shrink with the rate: s = 3, the same", late[1][3] / late[0][3], between(0.1, 0.4));
  record.said("benchmark is of second order: order from 44.1 to 441 kHz", std::log10(late[0][0] / late[1][0]),
              near(2, 0.1));
  record.watched("s = 1/2 too", std::log10(late[0][1] / late[1][1]), near(2, 0.15));
  record.watched("thrown back: least velocity after the contact over v0", out.least(), near(-1, 1e-12));
  record.watched("thrown back: largest velocity after the contact over v0", out.most(), near(-1, 1e-12));
  record.watched(
      "all runs go into the barrier (u - h > 0): largest compression over exact, least of eight (s = 3, 44.1 kHz)",
      deep.least(), near(0.70, 0.03));
  record.watched("the same, largest of eight (s = 1/2, 44.1 kHz)", deep.most(), near(1.034, 0.01));
  record.said("energy drift, largest of eight runs", drift.most(), rounding(2e-13));

  const PowerLaw law({closed.stiffness, closed.exponent});
  const double d = impact_speed / 44100;
  record.refuted("s = 1/2 at 44.1 kHz, the curve of the paper: first step with a complex root", {},
                 fly(law, 0.5, 1 / 44100.0, impact_start + d, d, 1400).first_complex, between(1323, 1330),
                 "The printed scheme cannot draw this curve; ours raises s for that one step, which keeps the energy.");
  record.refuted("44.1 kHz: share of entry phases with a complex root, s = 1/2", {}, complex_share(44100),
                 near(0.085, 0.011), "Not an accident of the printed start.");
  record.refuted("88.2 kHz: the same", {}, complex_share(88200), near(0.02, 0.011), "Rarer at higher rates.");
  add_today(record);
}

}  // namespace

const Experiment fig4{"d17-fig4",
                      "D17",
                      "Fig. 4",
                      "A fast mass against a stiff barrier",
                      "Displacement and velocity of a 1 kg mass at 20 m/s through a contact of six samples, at 44.1 "
                      "and 441 kHz. The weight 1/2 is said to be "
                      "indistinguishable from the iterative benchmark, 1 and 3 to depart from it, and all to come "
                      "together at the higher rate.",
                      "Contact time is the delay between the incoming and the outgoing straight line. A larger s "
                      "leaves too early: with s = 3 the contact "
                      "lasts half as long as it should. At 44.1 kHz and s = 1/2 the printed start meets a complex root "
                      "inside the barrier; the weight is raised for that step.",
                      run};

}  // namespace jawari::experiments::paper_d17
