// SPDX-License-Identifier: MIT
// A soft and a hard contact with the three-point and the two-point scheme: both last too long, three points longer.
#include <fmt/format.h>

#include "cw17/contact.h"
#include "cw17/cw17.h"

namespace jawari::experiments::paper_cw17 {
namespace {

struct Wall {
  const char* name;
  double stiffness, two, three;  // durations in steps
};
constexpr Wall walls[] = {{"soft", 1e9, 5.126, 5.362}, {"hard", 1e10, 2.000, 2.546}};

/// Order of the motion through a contact whose depth does not depend on the exponent, 88.2 kHz times 1 to 16.
double order(const std::string& scheme, double exponent) {
  const double v = 20, depth = 8.725e-4, K = (exponent + 1) * v * v / (2 * std::pow(depth, exponent + 1));
  std::vector<double> rates, errors;
  for (double fs = 88200; fs < 2e6; fs *= 2) {
    rates.push_back(fs);
    errors.push_back(rigs::EntryPhases(wall(K, exponent), v, 1 / fs, 6).error({scheme}).motion);
  }
  return -rigs::fitted_slope(rates, errors);
}

void run(Record& record) {
  contact_parameters(record);
  record.parameter("stiffness, soft and hard", "1e9 and 1e10 N/m");
  Table& table =
      record.table("Contact time in time steps, largest compression, samples in contact",
                   {"wall", "motion", "contact time [steps]", "error", "largest compression [µm]", "samples"});
  for (const Wall& w : walls) {
    const auto three = collide("three-point", w.stiffness), two = collide("two-variable", w.stiffness);
    const double tau = exact::contact_time(closed_form(w.stiffness)) / dt_s;
    const std::string name = w.name;
    rigs::Range off;
    for (int i = 0; i <= 300; ++i) {
      const double t = 1e-6 * i;
      off.add(std::abs(exact::motion(closed_form(w.stiffness), t + start_m / speed_m_s).x_m -
                       printed_solution(w.stiffness, t)));
    }
    record.said(name + ": (14) as printed against our closed form, largest distance", off.most(), rounding(1e-15), "m");
    record.watched(name + ": contact time, two-point", two.delay_s / dt_s, near(w.two, 6e-4), "steps");
    record.watched(name + ": contact time, three-point", three.delay_s / dt_s, near(w.three, 6e-4), "steps");
    record.said(name + ": both too long, error of three-point over that of two-point",
                (three.delay_s / dt_s - tau) / (two.delay_s / dt_s - tau), between(2, 2.8));
    record.watched(name + ": into the wall y is positive; largest y of two-point over the exact v0/omega_c",
                   deepest(two) * std::sqrt(w.stiffness), between(0.9, 1.05));
    record.watched(name + ": and comes back; velocity after the contact, two-point", two.v.back() / speed_m_s,
                   near(-1, 1e-13));
    record.watched(name + ": velocity after the contact, three-point", three.v.back() / speed_m_s, near(-1, 1e-13));
    record.said(name + ": energy drift, two-point", two.settled ? two.drift : 1, rounding(1e-14));
    record.said(name + ": energy drift, three-point", three.settled ? three.drift : 1, rounding(1e-14));
    const double end = 1e-4 + (tau + 3) * dt_s;
    Plot& p = record.plot(fmt::format("{} contact, {:g} N/m", w.name, w.stiffness), {.label = "time", .unit = "ms"},
                          {.label = "displacement", .unit = "µm"});
    p.curves = {exact_curve(w.stiffness, 6e-5, end), curve("two-point (8)", two, 6e-5, end),
                curve("three-point (7)", three, 6e-5, end)};
    p.curves.back().style = Curve::dashed;
    const auto row = [&](const char* method, double time, double depth, const std::string& samples) {
      table.rows.push_back({w.name, method, fmt::format("{:.4f}", time),
                            fmt::format("{:+.1f} %", 100 * (time / tau - 1)), fmt::format("{:.3f}", 1e6 * depth),
                            samples});
    };
    row("exact", tau, exact::max_compression(closed_form(w.stiffness)), "");
    row("two-point", two.delay_s / dt_s, deepest(two), fmt::format("{}", two.samples));
    row("three-point", three.delay_s / dt_s, deepest(three), fmt::format("{}", three.samples));
  }
  record.watched("soft: samples in contact, two-point", collide("two-variable", 1e9).samples, near(5, 0));
  record.watched("soft: samples in contact, three-point", collide("three-point", 1e9).samples, near(5, 0));
  record.said("exponent 2, order of accuracy, two-point", order("two-variable", 2), near(2, 0.1));
  record.said("exponent 2, order of accuracy, three-point", order("three-point", 2), near(2, 0.1));
  record.refuted("exponent 1 (footnote 2), order of accuracy, two-point", 1, order("two-variable", 1), near(2, 0.1),
                 "The footnote can infer first order only; measured it is second order, kink or not.");
  record.refuted("exponent 1 (footnote 2), order of accuracy, three-point", 1, order("three-point", 1), near(2, 0.1),
                 "Second order too.");

  const rigs::EntryPhases phases(wall(1e9), speed_m_s, dt_s, 48);
  record.today(
      "the exact motion (1e-12) of the soft contact at 50 kHz, five samples long; rms over 48 entry phases up to 1.3 "
      "contact times, over the largest "
      "compression; cost of the steps in contact",
      contact_today(phases, {{"three-point (7), Newton", "three-point"},
                             {"two-point (8), Newton", "two-variable"},
                             {"two-point for exponent 1, closed form", "two-point-linear"},
                             {"secant-2 (no iteration)", "secant-2"},
                             {"matched-three-point", "matched-three-point"},
                             {"matched-secant-2 (no iteration)", "matched-secant-2"},
                             {"guarded-two-point (default: matched contact time)", "guarded-two-point"}}));
}

}  // namespace

const Experiment fig3{
    "cw17-fig3",
    "CW17",
    "Fig. 3",
    "A soft and a hard contact, two and three points",
    "A 1 kg mass meets a linear wall of 1e9 and of 1e10 N/m at 50 kHz. Both schemes stay in contact too long, the "
    "three-point scheme more than the two-point "
    "scheme, and the harder the wall the more.",
    "Five steps before the wall to a few after it. The start is a whole number of steps away, so a sample falls on the "
    "wall up to rounding. The variable y of (8) "
    "lies half way between two samples of the library's two-point scheme: the same motion, read at other instants.",
    run};

}  // namespace jawari::experiments::paper_cw17
