// SPDX-License-Identifier: MIT
// What a user would run instead, on one elastic impact: 10 g against K = 1e9 N/m^1.3 at 2 m/s (D17).  Boost.odeint and
// SUNDIALS with their own error control, this library with fixed steps.  Time per impact, error of the place it comes
// back to (against two-point at 2.9 GHz) and of the energy.
#include <cvode/cvode.h>
#include <fmt/format.h>
#include <nvector/nvector_serial.h>
#include <sunlinsol/sunlinsol_dense.h>
#include <sunmatrix/sunmatrix_dense.h>

#include <array>
#include <boost/numeric/odeint.hpp>
#include <cmath>
#include <functional>
#include <string>
#include <vector>

#include "jawari/contact/power_law.h"
#include "jawari/couple/single_port.h"
#include "jawari/engine/run.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"
#include "report.h"

namespace jawari::bench {
namespace {

constexpr double mass_kg = 0.01, K = 1e9, alpha = 1.3, speed_m_s = 2, start_m = -1e-5;
constexpr double end_s = 16 / 44100.0;  // a whole number of steps at every rate below
using State = std::array<double, 2>;
double force_N(double y) { return y > 0 ? K * std::pow(y, alpha) : 0; }

State by_odeint(double tolerance) {
  namespace ode = boost::numeric::odeint;
  State x{start_m, speed_m_s};
  ode::integrate_adaptive(
      ode::make_controlled(1e-3 * tolerance, tolerance, ode::runge_kutta_dopri5<State>()),
      [](const State& s, State& ds, double) {
        ds = {s[1], -force_N(s[0]) / mass_kg};
      },
      x, 0.0, end_s, 1e-6);
  return x;
}

int right_side(sunrealtype, N_Vector y, N_Vector dy, void*) {
  NV_Ith_S(dy, 0) = NV_Ith_S(y, 1);
  NV_Ith_S(dy, 1) = -force_N(NV_Ith_S(y, 0)) / mass_kg;
  return 0;
}
State by_sundials(double tolerance, int method) {
  SUNContext context;
  SUNContext_Create(nullptr, &context);
  N_Vector y = N_VNew_Serial(2, context);
  NV_Ith_S(y, 0) = start_m;
  NV_Ith_S(y, 1) = speed_m_s;
  void* solver = CVodeCreate(method, context);
  CVodeInit(solver, right_side, 0, y);
  CVodeSStolerances(solver, tolerance, 1e-5 * tolerance);
  CVodeSetMaxNumSteps(solver, 1000000);
  SUNMatrix matrix = SUNDenseMatrix(2, 2, context);
  SUNLinearSolver linear = SUNLinSol_Dense(y, matrix, context);
  CVodeSetLinearSolver(solver, linear, matrix);
  sunrealtype t = 0;
  const int status = CVode(solver, end_s, y, &t, CV_NORMAL);
  const State x{NV_Ith_S(y, 0), status < 0 ? NAN : NV_Ith_S(y, 1)};
  CVodeFree(&solver);
  SUNLinSolFree(linear);
  SUNMatDestroy(matrix);
  N_VDestroy(y);
  SUNContext_Free(&context);
  return x;
}

/// Leapfrog mass, one contact: what the engine does for a mass and a wall.  Speed of the last step.
template <class Scheme>
State by_jawari(const PowerLaw& law, double rate_hz) {
  const double dt = 1 / rate_hz;
  Scheme scheme;
  scheme.prepare(law, dt);
  double u = start_m, d = speed_m_s * dt;
  auto state = scheme.start(law, u, d);
  const auto steps = std::lround(end_s * rate_hz);
  for (long n = 0; n < steps; ++n) {
    const Port port{u, d, 2 * d, dt * dt / mass_kg};
    double f = 0;
    if (law.touches(u) || law.touches(u + d) || scheme.holds(law, state)) {
      auto step = scheme.begin(law, port, state);
      Outcome out;
      double s = 0;
      f = solve_single_port(scheme, law, step, port, s, out);
      scheme.finish(law, step, s, state);
    }
    d += dt * dt / mass_kg * f;
    u += d;
  }
  return {u, d / dt};
}

}  // namespace
}  // namespace jawari::bench

int main(int argc, char** argv) {
  using namespace jawari;
  using namespace jawari::bench;
  const Flags flags = take_flags(argc, argv);
  Yardstick yardstick;
  const PowerLaw law({K, alpha});
  struct Entry {
    std::string name;
    std::function<State()> run;
    std::vector<double> ns = {};
    State end = {};
  };
  std::vector<Entry> entries;
  for (const double tolerance : {1e-4, 1e-6, 1e-8, 1e-10, 1e-12}) {
    entries.push_back(
        {fmt::format("odeint, Dormand-Prince, tolerance {:.0e}", tolerance), [=] { return by_odeint(tolerance); }});
    entries.push_back({fmt::format("SUNDIALS CVODE, Adams, tolerance {:.0e}", tolerance),
                       [=] { return by_sundials(tolerance, CV_ADAMS); }});
    entries.push_back({fmt::format("SUNDIALS CVODE, BDF, tolerance {:.0e}", tolerance),
                       [=] { return by_sundials(tolerance, CV_BDF); }});
  }
  for (const double rate : {44100.0 * 8, 44100.0 * 64, 44100.0 * 512}) {
    entries.push_back({fmt::format("jawari, two-point, {:.0f} kHz", rate / 1000),
                       [&law, rate] { return by_jawari<Gradient<2>>(law, rate); }});
    entries.push_back({fmt::format("jawari, secant-2, {:.0f} kHz", rate / 1000),
                       [&law, rate] { return by_jawari<Quadratised<Rule::secant, 3>>(law, rate); }});
  }
  const State exact = by_jawari<Gradient<2>>(law, 44100.0 * 65536);
  for (int round = 0; round < 9; ++round)
    for (auto& e : entries) {  // interleaved
      yardstick.slice();
      long count = 0;
      const double start = thread_cpu_s();
      double used = 0;
      do {
        e.end = e.run();
        ++count;
        used = thread_cpu_s() - start;
      } while (used < 4e-3);
      e.ns.push_back(1e9 * used / static_cast<double>(count));
    }
  Findings found{.item = "impact", .yardstick = yardstick.row()};
  for (const auto& e : entries) found.rows.push_back(row(e.name, e.ns));
  print_rows(found);
  fmt::print("\n| | us per impact | position at the end, error [m] | energy, relative error |\n|---|---:|---:|---:|\n");
  for (std::size_t i = 0; i < entries.size(); ++i) {
    const State& end = entries[i].end;
    fmt::print("| {} | {:.3g} | {:.1e} | {:.1e} |\n", entries[i].name, found.rows[i].best_ns / 1000,
               std::abs(end[0] - exact[0]), std::abs(end[1] * end[1] / (speed_m_s * speed_m_s) - 1));
  }
  return conclude(found, flags);
}
