// SPDX-License-Identifier: MIT
// The shortest contact each scheme can be made to simulate exactly, over the sample rate, and the error below it.
#include <fmt/format.h>

#include "cw17/contact.h"
#include "cw17/cw17.h"

namespace jawari::experiments::paper_cw17 {
namespace {

constexpr double stiffness = 1e10;

/// The shortest contact, in steps, for which a stiffness with the right contact time exists.
double shortest(exact::Match form) {
  double low = 0.1, high = 10;
  for (int i = 0; i < 80; ++i) {
    const double middle = (low + high) / 2;
    (exact::duration_match(1, middle, form, exact::duration_bias(1)) > 0 ? high : low) = middle;
  }
  return high;
}

void run(Record& record) {
  contact_parameters(record, "15 to 100 kHz");
  record.parameter("stiffness", stiffness, "N/m");
  const double tau = exact::contact_time(closed_form(stiffness));
  const double two = shortest(exact::Match::tan), three = shortest(exact::Match::sec);
  const auto error = [&](double steps, double fs) { return std::max(steps / fs - tau, 0.0); };
  record.parameter("target contact time", tau, "s");

  const Axis x{.label = "sample rate", .unit = "kHz"};
  Plot& top = record.plot("Shortest contact that can be simulated exactly", x,
                          {.label = "contact time", .unit = "µs", .from = 0.0});
  Plot& bottom = record.plot("Error of the contact time where it is too short", x, {.label = "error", .unit = "µs"});
  Curve t2{"two-point", {}, {}}, t3{"three-point", {}, {}}, target{"hard contact of Fig. 3", {}, {}, Curve::dashed},
      e2 = t2, e3 = t3;
  for (double fs = 15e3; fs <= 100e3; fs += 250) {
    for (Curve* c : {&t2, &t3, &target, &e2, &e3}) c->x.push_back(fs / 1e3);
    t2.y.push_back(1e6 * two / fs), t3.y.push_back(1e6 * three / fs), target.y.push_back(1e6 * tau);
    e2.y.push_back(1e6 * error(two, fs)), e3.y.push_back(1e6 * error(three, fs));
  }
  // What a simulation does: matched above the limit, and below it as stiff as can be.
  Curve m2{"two-point, simulated", {}, {}, Curve::dots}, m3{"three-point, simulated", {}, {}, Curve::dots};
  rigs::Range above2, above3;
  for (double fs = 20e3; fs <= 100e3; fs += 5e3) {
    const rigs::EntryPhases phases(wall(stiffness), speed_m_s, 1 / fs, 48);
    const auto late = [&](double limit, const char* plain, const char* matched) {
      const bool possible = tau * fs > limit;
      return (possible ? phases.error({matched}, 1, false) : phases.error({plain}, 1e6, false)).mean / fs - tau;
    };
    m2.x.push_back(fs / 1e3), m2.y.push_back(1e6 * late(two, "two-variable", "matched-two-point"));
    m3.x.push_back(fs / 1e3), m3.y.push_back(1e6 * late(three, "three-point", "matched-three-point"));
    if (fs >= 40e3) above2.add(std::abs(m2.y.back()) / (1e6 * tau));
    if (fs >= 80e3) above3.add(std::abs(m3.y.back()) / (1e6 * tau));
  }
  const double simulated3 = m3.y[2], simulated2 = m2.y[0];
  top.curves = {t2, t3, target}, bottom.curves = {e2, e3, m2, m3};

  record.printed("(15): shortest contact time, two-point", 1, two, near(1, 1e-9), "steps");
  record.printed("(16): shortest contact time, three-point", 2, three, near(2, 1e-9), "steps");
  record.said("twice as short for two points: ratio", three / two, near(2, 1e-9));
  record.said("target: contact time of the hard collision, pi/omega_c", tau, within(pi / 1e5, 1e-12), "s");
  record.said("the target is exact from this sample rate on, two-point", two / tau, near(31830, 5), "Hz");
  record.said("the target is exact from this sample rate on, three-point", three / tau, near(63660, 5), "Hz");
  for (const double fs : {20e3, 30e3})
    record.said(fmt::format("error at {:g} kHz, two-point, dt - tau", fs / 1e3), error(two, fs),
                near(1 / fs - pi / 1e5, 1e-13), "s");
  for (const double fs : {20e3, 30e3, 40e3, 50e3, 60e3})
    record.said(fmt::format("error at {:g} kHz, three-point, 2 dt - tau", fs / 1e3), error(three, fs),
                near(2 / fs - pi / 1e5, 1e-13), "s");
  record.said("no error left at 40 kHz, two-point", error(two, 40e3), near(0, 0), "s");
  record.said("no error left at 70 kHz, three-point", error(three, 70e3), near(0, 0), "s");
  record.said("error of three-point over that of two-point at 20 kHz: significantly larger",
              error(three, 20e3) / error(two, 20e3), near(3.69, 0.01));
  record.said(
      "simulated with matched stiffness, two-point from 40 kHz on: largest relative error of the mean contact time",
      above2.most(), between(0, 0.015));
  record.said(
      "simulated with matched stiffness, three-point from 80 kHz on: largest relative error of the mean contact time",
      above3.most(), between(0, 0.02));
  record.said("simulated below the limit with a rigid wall, 20 kHz, two-point: error of the mean over dt - tau",
              1e-6 * simulated2 / error(two, 20e3), near(1, 0.02));
  record.refuted("simulated below the limit with a rigid wall, 30 kHz, three-point: mean contact time", 2,
                 (1e-6 * simulated3 + tau) * 30e3, near(1.72, 0.01),
                 "Two steps are a count of samples; as a delay a rigid three-point contact lasts 1.72 steps on "
                 "average, so the drawn error is an upper bound.",
                 "steps");

  std::vector<Today> rows;
  const rigs::EntryPhases phases(wall(stiffness), speed_m_s, dt_s, 48);
  for (const auto& [name, scheme] : {std::pair{"three-point (7), not corrected", "three-point"},
                                     {"two-point (8), not corrected", "two-variable"},
                                     {"matched-three-point (impossible here, left alone)", "matched-three-point"},
                                     {"matched-secant-2 (no iteration)", "matched-secant-2"},
                                     {"guarded-two-point (default)", "guarded-two-point"}})
    rows.push_back({name, phases.error({scheme}, 1, false).duration, phases.cost({scheme})});
  record.today("the exact contact time, 1.57 steps at 50 kHz; rms over 48 entry phases, relative", rows);
}

}  // namespace

const Experiment fig6{
    "cw17-fig6",
    "CW17",
    "Fig. 6",
    "The shortest contact that can be made exact",
    "The upper part draws the shortest contact time that (15) and (16) can give over the sample rate, one and two time "
    "steps, with the hard contact of Fig. 3 as target; the lower part the error "
    "where the target is shorter. Two points need half the rate, and below it three points err more.",
    "Lines are the bounds of the paper. Dots are simulations, means of 48 entry phases: with matched stiffness where "
    "it exists, with a wall as good as rigid below. Two points follow the bound, "
    "three points stay under it, since two samples in contact make a delay of 1.59 to 1.99 steps.",
    run};

}  // namespace jawari::experiments::paper_cw17
