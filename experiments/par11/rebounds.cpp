// SPDX-License-Identifier: MIT
#include "par11/rebounds.h"

#include <fmt/format.h>

#include <cmath>

namespace jawari::experiments::par11_items {
namespace {

Curve excess(const std::string& label, const exact::Impact& impact, const rigs::Rebounds& r,
             Curve::Style style = Curve::line) {
  Curve c{label, {}, {}, style};
  double speed = impact.speed_m_s;
  for (std::size_t n = 0; n < r.speed.size(); ++n) {
    speed *= exact::restitution(impact.mu * speed);
    c.x.push_back(static_cast<double>(n + 1));
    c.y.push_back(std::pow(r.speed[n] / speed, 2));
  }
  return c;
}

/// Schemes of the registry, impact by impact: relative error of the energy after a hundred.
double after_hundred(const std::string& name, exact::Impact i) {
  double exact_speed = i.speed_m_s;
  for (int n = 0; n < 100; ++n) {
    exact_speed *= exact::restitution(i.mu * exact_speed);
    i.speed_m_s = std::abs(rigs::leaving_velocity(name, i));
  }
  return std::pow(i.speed_m_s / exact_speed, 2) - 1;
}

}  // namespace

std::array<rigs::Rebounds, 4> hundred_rebounds(Record& record, const std::string& where, const exact::Impact& impact,
                                               const PrintedRebounds& printed) {
  parameters(record, impact);
  record.parameter("between the impacts",
                   "none is sampled: each starts on a sample at x = 0 with the speed the last one left with");
  std::array<rigs::Rebounds, 4> ours;
  Table& table = record.table(where + ", printed and ours",
                              {"errors of H [%]", "", "AM1", "Verlet", "Heun", "RK4", "corrected Heun"});
  Plot& plot = record.plot("Energy after every rebound", {"rebound"}, {"energy over the exact one", "", true});
  for (std::size_t k = 0; k < 4; ++k) {
    ours[k] = rigs::rebounds(methods[k], impact, 100);
    plot.curves.push_back(excess(labels[k], impact, ours[k]));
  }
  const auto corrected = rigs::rebounds("heun+hybrid+approximate", impact, 100);
  plot.curves.push_back(excess("Heun, corrected", impact, corrected));
  plot.curves.push_back(
      excess("Heun as printed", impact, rigs::rebounds("heun", impact, 100, rigs::par11_rate_hz, true), Curve::dashed));
  const auto row = [&](const char* name, const char* whose, const auto& value, double last) {
    std::vector<std::string> cells{name, whose};
    for (std::size_t k = 0; k < 4; ++k) cells.push_back(fmt::format("{:.3f}", value(k)));
    cells.push_back(fmt::format("{:.2g}", last));
    table.rows.push_back(cells);
  };
  row(
      "accumulated", "printed", [&](std::size_t k) { return printed.accumulated[k]; }, impact.mu < 0.1 ? 1e-7 : 0.001);
  row(
      "", "ours", [&](std::size_t k) { return ours[k].accumulated; }, corrected.accumulated);
  row(
      "largest deviation", "printed", [&](std::size_t k) { return printed.max_dev[k]; }, 0);
  row(
      "", "ours", [&](std::size_t k) { return ours[k].max_dev; }, corrected.max_dev_contact);

  std::vector<Today> rows;
  for (const char* name : {"am1", "verlet", "heun", "rk4", "heun+hybrid+approximate", "two-point", "guarded-two-point",
                           "invariant", "rk4+projected"})
    rows.push_back({name, std::abs(after_hundred(name, impact)), rigs::contact_cost_ns(name, impact)});
  record.today("zero of (6), a hundred times (1e-14); error: of the energy after 100 rebounds", rows);
  return ours;
}

void heun_and_rk4(Record& record, const std::string& where, const exact::Impact& impact, const PrintedRebounds& printed,
                  const std::array<rigs::Rebounds, 4>& ours, double heun_right) {
  const auto artefact = rigs::rebounds("heun", impact, 100, rigs::par11_rate_hz, true);
  const std::string predictor =
      "only if every impact is restarted with the predicted velocity of the step before it left, and the energy taken "
      "from the corrected one";
  record.erratum(where + ", accumulated error, Heun", printed.accumulated[2], artefact.accumulated,
                 near(printed.accumulated[2], 0.001), predictor, "%");
  record.erratum(where + ", largest deviation of H, Heun", printed.max_dev[2], artefact.max_dev,
                 near(printed.max_dev[2], 0.001), predictor, "%");
  record.refuted(where + ", Heun is by far the worst: accumulated error, restarted with the velocity it leaves with",
                 printed.accumulated[2], ours[2].accumulated, within(heun_right, 1e-5),
                 "the figure in print is an artefact of the restart", "%");
  record.erratum(where + ", accumulated error, RK4", printed.accumulated[3], ours[3].accumulated,
                 near(-printed.accumulated[3], 0.001), "the sign was dropped: Runge-Kutta loses energy", "%");
  record
      .printed(where + ", largest deviation of H, RK4", printed.max_dev[3], ours[3].max_dev,
               near(printed.max_dev[3], 0.001), "%")
      .note = fmt::format("with the exit samples, which the text does not mention; {:.3f} % without them",
                          ours[3].max_dev_contact);
}

void flights(Record& record, const exact::Impact& impact, const std::array<rigs::Rebounds, 4>& ours) {
  const std::string choice =
      "the text speaks of flights under gravity, the figures in print only follow without; with flights touch falls "
      "anywhere between samples ";
  for (std::size_t k = 0; k < 4; ++k) {
    const double error = rigs::accumulated_with_flights(methods[k], impact, 100, 9.81);
    const std::string what =
        fmt::format("IV-B2, sampled flights between the impacts: accumulated error, {}", labels[k]);
    constexpr std::string_view phases = "the phase of a touch follows from all impacts before it: one value of many";
    if (k == 2)
      record.open(what, std::nullopt, error, near(0, 20).because(phases),
                  choice + "and Heun does not gain a multiple of its energy", "%");
    else
      record.open(what, std::nullopt, error, near(0, 0.67 * std::abs(ours[k].accumulated)).because(phases),
                  choice + "and errors partly cancel", "%");
  }
}

}  // namespace jawari::experiments::par11_items
