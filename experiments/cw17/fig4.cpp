// SPDX-License-Identifier: MIT
// A contact of half a time step: two points can leave the wall after one sample, three points never.
#include <fmt/format.h>

#include <random>

#include "cw17/contact.h"
#include "cw17/cw17.h"

namespace jawari::experiments::paper_cw17 {
namespace {

constexpr double stiffness = 1e11;

/// Fewest samples in contact over exponents 1 to 4 and nine decades of stiffness (m = v = dt = 1).
rigs::Range samples(const std::string& scheme) {
  std::mt19937_64 bits{2017};
  const auto uniform = [&](double from, double to) {
    return from + (to - from) * static_cast<double>(bits() >> 11) * 0x1p-53;
  };
  rigs::Range found;
  for (int i = 0; i < 400; ++i) {
    const double K = std::pow(10, uniform(-2, 7)), exponent = uniform(1, 4), start = -1 - uniform(0, 1);
    const auto t = rigs::throw_mass(*rigs::mover(wall(K, exponent), {scheme}, 1), start, 1, 1);
    found.add(t.settled ? t.samples : std::numeric_limits<double>::quiet_NaN());
  }
  return found;
}

void run(Record& record) {
  contact_parameters(record);
  record.parameter("stiffness", stiffness, "N/m");
  const auto three = collide("three-point", stiffness), two = collide("two-variable", stiffness);
  const double tau = exact::contact_time(closed_form(stiffness)) / dt_s;
  Plot& p = record.plot("Displacement across the wall, 1e11 N/m", {.label = "time", .unit = "ms"},
                        {.label = "displacement", .unit = "µm"});
  p.curves = {exact_curve(stiffness, 7e-5, 1.5e-4), curve("two-point (8)", two, 7e-5, 1.5e-4),
              curve("three-point (7)", three, 7e-5, 1.5e-4)};
  Plot& zoom = record.plot("The same around the contact", {.label = "time", .unit = "ms", .from = 0.095, .to = 0.145},
                           {.label = "displacement", .unit = "µm", .from = -10.0, .to = 6.0});
  zoom.curves = p.curves;

  record.watched("exact contact time", tau, near(0.497, 5e-4), "steps");
  record.watched("contact time, two-point", two.delay_s / dt_s, near(1.18, 0.005), "steps");
  record.watched("contact time, three-point", three.delay_s / dt_s, near(2.03, 0.006), "steps");
  record.said("samples beyond the wall, two-point", two.samples, near(1, 0));
  record.said("samples beyond the wall, three-point", three.samples, near(2, 0));
  record.watched("displacement one step after touch, two-point: beyond the wall", two.u[6], near(1.81818e-6, 1e-11),
                 "m");
  record.watched("displacement two steps after touch, two-point: outside again", two.u[7], near(-1.63636e-5, 1e-10),
                 "m");
  record.watched("displacement one step after touch, three-point: beyond the wall", three.u[6], near(4.36436e-6, 1e-11),
                 "m");
  record.watched("displacement two steps after touch, three-point: still beyond it", three.u[7],
                 near(4.15653e-7, 1e-12), "m");
  record.said("energy drift, two-point", two.settled ? two.drift : 1, rounding(1e-14));
  record.said("energy drift, three-point", three.settled ? three.drift : 1, rounding(1e-14));
  const rigs::Range few3 = samples("three-point"), few2 = samples("two-variable");
  record.said("(9), any exponent and stiffness: fewest samples beyond the wall, three-point, 400 random contacts",
              few3.least(), near(2, 0));
  record.said("(13), any exponent and stiffness: fewest samples beyond the wall, two-point", few2.least(), near(1, 0));

  const rigs::EntryPhases rigid(wall(1e16), speed_m_s, dt_s, 48);
  const auto r3 = rigid.error({"three-point"}, 1, false), r2 = rigid.error({"two-variable"}, 1, false);
  const std::string note =
      "The bound counts samples. As a delay between the incoming and the outgoing line a rigid three-point contact "
      "lasts 1.59 to 1.99 steps.";
  record.refuted("shortest contact time as a delay, rigid wall (1e16 N/m), three-point, least of 48 entry phases", 2,
                 r3.delay.least(), near(1.59, 0.01), note, "steps");
  record.refuted("the same, mean of 48 entry phases", 2, r3.mean, near(1.72, 0.01), note, "steps");
  record.watched("the same for two-point, least", r2.delay.least(), near(1, 2e-3), "steps");
  record.watched("the same for two-point, largest", r2.delay.most(), near(1, 2e-3), "steps");

  Plot& phases = record.plot("Contact time as a delay over the stiffness, mean of 48 entry phases",
                             {.label = "stiffness", .unit = "N/m", .log = true},
                             {.label = "contact time", .unit = "steps", .from = 0.0, .to = 6.0});
  Curve e{"exact", {}, {}}, c2{"two-point", {}, {}, Curve::both}, c3{"three-point", {}, {}, Curve::both};
  for (double K = 1e9; K < 2e16; K *= 10) {
    const rigs::EntryPhases some(wall(K), speed_m_s, dt_s, 48);
    e.x.push_back(K);
    e.y.push_back(some.tau() / dt_s);
    c2.x.push_back(K);
    c2.y.push_back(some.error({"two-variable"}, 1, false).mean);
    c3.x.push_back(K);
    c3.y.push_back(some.error({"three-point"}, 1, false).mean);
  }
  phases.curves = {std::move(e), std::move(c2), std::move(c3)};

  std::vector<Today> rows;
  const rigs::EntryPhases here(wall(stiffness), speed_m_s, dt_s, 48);
  for (const auto& [name, scheme] : {std::pair{"three-point (7), Newton", "three-point"},
                                     {"two-point (8), Newton", "two-variable"},
                                     {"two-point for exponent 1, closed form", "two-point-linear"},
                                     {"secant-2 (no iteration)", "secant-2"},
                                     {"guarded-two-point (default)", "guarded-two-point"}})
    rows.push_back({name, here.error({scheme}, 1, false).duration, here.cost({scheme})});
  record.today(
      "the exact contact time, half a step; rms over 48 entry phases, relative. Below one step no stiffness can repair "
      "the contact time: "
      "the default leaves it alone and the monitor says that the contact is not resolved",
      rows);
}

}  // namespace

const Experiment fig4{
    "cw17-fig4",
    "CW17",
    "Fig. 4",
    "A contact shorter than a time step",
    "With a wall of 1e11 N/m the contact lasts half a time step. The three-point scheme is shown never to leave the "
    "wall after a single sample, the two-point scheme "
    "can, so that contact times of at least two and one steps follow.",
    "The two-point motion has one sample beyond the wall, the three-point motion two, whatever the stiffness. The last "
    "picture shows what that means for the contact time "
    "measured as a delay: it tends to 1 step with two points and to 1.72 steps on average with three.",
    run};

}  // namespace jawari::experiments::paper_cw17
