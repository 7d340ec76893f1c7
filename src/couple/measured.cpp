// SPDX-License-Identifier: MIT
#include "jawari/scheme/measured.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <mutex>
#include <utility>

#include "jawari/contact/power_law.h"
#include "jawari/contact/scaled.h"
#include "jawari/core/elementary.h"
#include "jawari/couple/single_port.h"
#include "jawari/impact/closed_form.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"

namespace jawari {
namespace {

struct Bounce {
  double lasts, speed;  // from touch to touch along the straight lines before and after; away from the wall
};
/// A mass of 1 kg at 1 m/s and a time step of 1 s, thrown from y.
template <class S, class Law>
Bounce bounce(const S& scheme, const Law& law, double y) {
  const double from = y;
  double d = 1;
  auto state = scheme.start(law, y, d);
  int steps = 0;
  while (steps < 4000 && !(d < 0 && y <= 0 && !scheme.holds(law, state))) {
    const Port p{y, d, 2 * d, 1};
    auto t = scheme.begin(law, p, state);
    double s = 0;
    Outcome out;
    solve_single_port(scheme, law, t, p, s, out);
    scheme.finish(law, t, s, state);
    d = s - d;
    y += d;
    ++steps;
  }
  return {steps - y / d + from, -d};
}
/// Stiffness of an elastic contact of so many samples, for that mass.
double stiffness(double exponent, double unit_s, double samples) {
  return elementary::pow(unit_s / samples, exponent + 1);
}
double unit_time(double exponent) { return exact::elastic_contact_time({1, 1, exponent, 0, 1}); }

template <class S>
DurationTable measure(double exponent, bool by_phase) {
  const PowerLaw law({1, exponent});
  const double unit_s = unit_time(exponent);
  S scheme;
  scheme.prepare(law, 1);
  DurationTable t;
  const std::size_t phases = by_phase ? 16 : 64;
  t.lasts.resize(by_phase ? phases : 1);
  for (std::size_t i = 0; i < DurationTable::knots; ++i) {
    const Scaled stiff(law, stiffness(exponent, unit_s, DurationTable::nominal(i)));
    double mean = 0;
    for (std::size_t j = 0; j < phases; ++j) {
      const double phase = (static_cast<double>(j) + (by_phase ? 0 : 0.5)) / static_cast<double>(phases);
      const double lasts = bounce(scheme, stiff, by_phase ? 0.5 - phase : -1 - phase).lasts;
      if (by_phase) t.lasts[j][i] = lasts;
      mean += lasts / static_cast<double>(phases);
    }
    if (!by_phase) t.lasts[0][i] = mean;
  }
  for (const auto& row : t.lasts)
    for (std::size_t i = DurationTable::knots - 1; i > t.limit; --i)
      if (!(row[i - 1] < row[i])) t.limit = i;
  while (!by_phase && DurationTable::nominal(t.limit) < 0.1)
    ++t.limit;  // stiffer changes next to nothing, and costs digits
  return t;
}
DurationTable measure(Measured scheme, double exponent) {
  switch (scheme) {
    case Measured::two_point:
      return measure<TwoPoint>(exponent, true);
    case Measured::three_point:
      return measure<ThreePoint>(exponent, false);
    case Measured::secant_once:
      return measure<SecantOnce>(exponent, false);
    case Measured::secant_twice:
      break;
  }
  return measure<SecantTwice>(exponent, false);
}

/// What a scheme asks a law when it is prepared.
struct Lossy {
  double mu;
  double loss_factor() const noexcept { return mu; }
};
/// (A3)  The loss factor whose simulated rebound is that of mu v, found by asking which mu v the rebound would be that
/// of.
double raised(const Scaled<PowerLaw>& stiff, double mu_v, int phases) {
  const double right = exact::restitution(mu_v), x = right * mu_v;
  const double slope = (mu_v * (1 - x) / ((1 + mu_v) * x) - right) / mu_v;  // dE/d(mu v), from x/(1-x) dx = U/(1+U) dU
  double factor = 1;
  for (int turn = 0; turn < 4; ++turn) {
    TwoPoint scheme;
    scheme.prepare(Lossy{factor * mu_v}, 1);
    double mean = 0;
    for (int j = 0; j < phases; ++j) mean += bounce(scheme, stiff, 0.5 - (j + 0.5) / phases).speed / phases;
    const double seen = std::max(mu_v + (mean - right) / slope, mu_v / 4);
    factor *= mu_v / seen;
    if (std::abs(mu_v / seen - 1) < 1e-5) break;
  }
  return factor;
}

LossTable measure_loss(double exponent) {
  const PowerLaw law({1, exponent});
  const double unit_s = unit_time(exponent);
  const auto raise = [&](double mu_v, double M, int phases) {
    return (raised(Scaled(law, stiffness(exponent, unit_s, M)), mu_v, phases) - 1) * M * M;
  };
  LossTable t;
  t.entry = entry_table(exponent);
  for (std::size_t i = 0; i < LossTable::rows; ++i)
    for (std::size_t j = 0; j < LossTable::columns; ++j)
      t.raise[i][j] = raise(EntryTable::knot(i), octave_knot(j, 0) * t.entry.needed[i], 2);
  for (std::size_t j = 0; j < LossTable::small_knots; ++j)
    t.small[j] = raise(EntryTable::knot(0), octave_knot(j, LossTable::small_first), 8);
  return t;
}

/// Tables by what they are of.  Set-ups of several threads may ask at a time.
template <class Key, class Table, class Make>
std::shared_ptr<const Table> kept(Key key, Make make) {
  static std::mutex mutex;
  static std::map<Key, std::shared_ptr<const Table>> tables;
  {
    const std::lock_guard lock(mutex);
    if (const auto found = tables.find(key); found != tables.end()) return found->second;
  }
  auto table = std::make_shared<const Table>(make());
  const std::lock_guard lock(mutex);
  if (tables.size() >= 64) tables.clear();  // a sweep over exponents
  tables.emplace(key, table);
  return table;
}

}  // namespace

std::shared_ptr<const DurationTable> duration_table(Measured scheme, double exponent) {
  return kept<std::pair<Measured, double>, DurationTable>({scheme, exponent},
                                                          [&] { return measure(scheme, exponent); });
}
std::shared_ptr<const LossTable> loss_table(double exponent) {
  return kept<double, LossTable>(exponent, [&] { return measure_loss(exponent); });
}

}  // namespace jawari
