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
    t2.y.push_back(1e6 * two / fs);
    t3.y.push_back(1e6 * three / fs);
    target.y.push_back(1e6 * tau);
    e2.y.push_back(1e6 * error(two, fs));
    e3.y.push_back(1e6 * error(three, fs));
  }
  // What the library's matched schemes do: right above the limit, as stiff as can be below it.
  Curve m2{"two-point, simulated", {}, {}, Curve::dots}, m3{"three-point, simulated", {}, {}, Curve::dots};
  rigs::Range above2, above3;
  const auto duration = [&](const char* scheme, double fs) {
    return rigs::EntryPhases(wall(stiffness), speed_m_s, 1 / fs, 48).error({scheme}, 1, false).mean;  // [steps]
  };
  for (double fs = 20e3; fs <= 100e3; fs += 5e3) {
    const auto late = [&](const char* scheme) { return duration(scheme, fs) / fs - tau; };
    m2.x.push_back(fs / 1e3);
    m2.y.push_back(1e6 * late("matched-two-point"));
    m3.x.push_back(fs / 1e3);
    m3.y.push_back(1e6 * late("matched-three-point"));
    if (fs >= 40e3) above2.add(std::abs(m2.y.back()) / (1e6 * tau));
    if (fs >= 80e3) above3.add(std::abs(m3.y.back()) / (1e6 * tau));
  }
  top.curves = {t2, t3, target};
  bottom.curves = {e2, e3, m2, m3};
  /// The lowest rate from which on the simulated contact time is right to 1 %, in steps of 1 kHz.
  const auto right_from = [&](const char* scheme) {
    double fs = 100e3;
    while (fs > 20e3 && std::abs(duration(scheme, fs - 1e3) / ((fs - 1e3) * tau) - 1) < 0.01) fs -= 1e3;
    return fs;
  };

  record.printed("(15): shortest contact time for which it gives a stiffness, two-point", 1, two, near(1, 1e-9),
                 "steps");
  record.printed("(16): shortest contact time for which it gives a stiffness, three-point", 2, three, near(2, 1e-9),
                 "steps");
  const double exact2 = right_from("matched-two-point"), exact3 = right_from("matched-three-point");
  record.said("simulated, right to 1 % from this rate on, two-point; one step lasts as long at 31.83 kHz", exact2,
              between(31.83e3, 34e3), "Hz");
  const std::string delays =
      "Two steps are a count of samples. As a delay between the incoming and the outgoing line, a three-point contact "
      "on "
      "the stiffest wall lasts 1.76 steps on average, so it is right from 56 kHz on.";
  record.refuted("simulated, right to 1 % from this rate on, three-point; two steps last as long at 63.66 kHz", {},
                 exact3, near(56e3, 1e3), delays, "Hz");
  record.refuted("conclusion (1), two points simulate contacts twice as short: ratio of these rates", 2,
                 exact3 / exact2, near(1.75, 0.06), delays);
  for (const double fs : {20e3, 30e3})
    record.printed(fmt::format("simulated below the limit, {:g} kHz, two-point: mean contact time", fs / 1e3), 1,
                   duration("matched-two-point", fs), near(1, 0.02), "steps");
  record.refuted("simulated below the limit, 30 kHz, three-point: mean contact time", 2,
                 duration("matched-three-point", 30e3), near(1.762, 0.01), delays, "steps");
  record.said("conclusion (2), below it three points err significantly more: error at 20 kHz over that of two points",
              m3.y[0] / m2.y[0], between(2, 4));
  record.watched("simulated, two-point from 40 kHz on: largest relative error of the mean contact time", above2.most(),
                 at_most(6e-4));
  record.watched("simulated, three-point from 80 kHz on: largest relative error of the mean contact time",
                 above3.most(), at_most(6e-4));

  std::vector<Today> rows;
  const rigs::EntryPhases phases(wall(stiffness), speed_m_s, dt_s, 48);
  for (const auto& [name, scheme] :
       {std::pair{"three-point (7), not corrected", "three-point"},
        {"two-point (8), not corrected", "two-variable"},
        {"matched-three-point (impossible here, taken to its limit)", "matched-three-point"},
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
    "Lines are the bounds of the paper. Dots are simulations with the matched schemes, means of 48 entry phases. Two "
    "points follow the bound, "
    "three points stay under it, since two samples in contact make a delay of less than two steps.",
    run};

}  // namespace jawari::experiments::paper_cw17
