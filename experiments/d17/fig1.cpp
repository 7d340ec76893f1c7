// SPDX-License-Identifier: MIT
// Three families of force: odd power law, one-sided barrier, free play.  No motion yet: laws as functions.
#include <fmt/format.h>

#include <array>
#include <cmath>

#include "d17/d17.h"
#include "jawari/contact/centre_limited.h"
#include "jawari/contact/odd_power.h"
#include "support/range.h"
#include "support/timing.h"

namespace jawari::experiments::paper_d17 {
namespace {

constexpr double K = 1, barrier_m = 0.2, gap_m = 0.3, reach_m = 1.5;

/// (3b) is written in u, the library's law in the compression u - h.
struct OneSided {
  PowerLaw law;
  double exponent() const { return law.exponent(); }
  double potential(double u) const { return law.potential(u - barrier_m); }
  double force(double u) const { return law.force(u - barrier_m); }
  double curvature(double u) const { return law.curvature(u - barrier_m); }
  double depth(double u) const { return u - barrier_m; }
  bool touches(double u) const { return law.touches(u - barrier_m); }
};

template <class Law>
void draw(Plot& plot, const Law& law) {
  Curve c{fmt::format("exponent {:g}", law.exponent()), {}, {}};
  for (int i = -300; i <= 300; ++i) {
    c.x.push_back(i * reach_m / 300);
    c.y.push_back(law.force(c.x.back()));
  }
  plot.curves.push_back(std::move(c));
}

/// Worst relative departure from (8), phi' = (alpha+1) phi/u and phi'' = alpha (alpha+1) phi/u^2, u the depth.
template <class Law>
void check_identities(const Law& law, rigs::Range& off, rigs::Range& potential) {
  for (int i = -300; i <= 300; ++i) {
    const double u = i * reach_m / 300, a = law.exponent();
    potential.add(law.potential(u));
    if (!law.touches(u)) continue;
    const double e = law.depth(u), phi = law.potential(u);
    off.add(std::abs(law.force(u) * e / ((a + 1) * phi) - 1));
    off.add(std::abs(law.curvature(u) * e * e / (a * (a + 1) * phi) - 1));
  }
}
/// phi(b) - phi(a) by the midpoint rule on the force, over phi(b) - phi(a) - 1: the force is the slope of the
/// potential.
template <class Law>
double work_error(const Law& law, double a, double b) {
  const int n = 4000;
  double work = 0;
  for (int i = 0; i < n; ++i) work += law.force(a + (b - a) * (i + 0.5) / n) * (b - a) / n;
  return work / (law.potential(b) - law.potential(a)) - 1;
}

/// Accuracy and cost of the force of exponent 2.8 and of its mean over a short step.
void add_today(Record& record) {
  const double a = 2.8, x = 1e-6;
  const PowerLaw law({K, a});
  rigs::Range pow_error, own_error, plain_error, mean_error;
  for (int i = 1; i <= 2000; ++i) {
    const double u = i * reach_m / 2000, r = x * u;
    const long double exact = std::pow(static_cast<long double>(u), static_cast<long double>(a));
    const auto off = [](double value, long double wanted) { return static_cast<double>(std::abs(value / wanted - 1)); };
    pow_error.add(off(std::pow(u, a), exact));
    own_error.add(off(law.force(u), exact));
    const long double ratio =
        r / static_cast<long double>(u);  // mean force: (1 + ratio)^(a+1) - 1 without cancellation
    const long double mean = u * exact / (a + 1) * std::expm1((a + 1) * std::log1p(ratio)) / r;
    plain_error.add(off((law.potential(u + r) - law.potential(u)) / r, mean));
    mean_error.add(off(law.mean_force(law.anchor(u), r).value, mean));
  }
  double u = 0.1, sum = 0;
  const auto next = [&] { return u = u < 1.4 ? u + 1e-4 : 0.1; };
  const long n = 200000;
  const double pow_ns = rigs::ns_per_step(n, [&] { sum += std::pow(next(), a); });
  const double own_ns = rigs::ns_per_step(n, [&] { sum += law.force(next()); });
  const double plain_ns = rigs::ns_per_step(n, [&] { sum += law.potential(next() * (1 + x)) - law.potential(u); });
  const double mean_ns = rigs::ns_per_step(n, [&] { sum += law.mean_force(law.anchor(next()), x * u).value; });
  [[maybe_unused]] volatile double kept = sum;  // nothing is optimised away
  record.today(
      "the same formulas in extended precision, exponent 2.8, 2000 depths; largest relative error, and CPU time per "
      "evaluation",
      {{"force by the C library's pow", pow_error.most(), pow_ns},
       {"force by our fitted power (same bits on every machine)", own_error.most(), own_ns},
       {"mean force over a step of 1e-6 u, plain difference quotient", plain_error.most(), plain_ns},
       {"mean force over a step of 1e-6 u, this library", mean_error.most(), mean_ns}});
}

void run(Record& record) {
  record.parameter("stiffness K", K, "N/m^alpha");
  record.parameter("barrier h of (3b)", barrier_m, "m");
  record.parameter("half free play h of (3c)", gap_m, "m");
  std::vector<OddPower> odd;
  std::vector<OneSided> one;
  std::vector<CentreLimited> gap;
  for (const double a : {1.0, 3.0, 5.0}) odd.push_back(OddPower({K, a}));
  for (const double a : {1.0, 1.7, 2.8}) {
    one.push_back({PowerLaw({K, a})});
    gap.push_back(CentreLimited({K, a, gap_m}));
  }

  const Axis x{.label = "displacement u", .unit = "m"};
  Plot& a = record.plot("(a) odd power law", x, {.label = "force", .unit = "N", .from = -3.0, .to = 3.0});
  for (const auto& law : odd) draw(a, law);
  Plot& b = record.plot("(b) one-sided power law, barrier at 0.2 m", x, {.label = "force", .unit = "N"});
  for (const auto& law : one) draw(b, law);
  Plot& c = record.plot("(c) free play of 0.3 m to either side", x, {.label = "force", .unit = "N"});
  for (const auto& law : gap) draw(c, law);

  rigs::Range off, potential, oddness, inside, meet, work, side;
  for (const auto& law : odd) {
    check_identities(law, off, potential);
    oddness.add(std::abs(law.force(-0.7) + law.force(0.7)));
    meet.add(law.force(1.0));
    work.add(work_error(law, 0, 1.2));
    work.add(work_error(law, -1.2, 0));
    side.add(law.force(-0.7));
  }
  for (const auto& law : one) {
    check_identities(law, off, potential);
    inside.add(std::abs(law.force(-1.5)));
    inside.add(std::abs(law.force(0.199)));
    meet.add(law.force(barrier_m + 1));
    work.add(work_error(law, barrier_m, 1.2));
  }
  for (const auto& law : gap) {
    check_identities(law, off, potential);
    oddness.add(std::abs(law.force(-0.7) + law.force(0.7)));
    inside.add(std::abs(law.force(-0.299)));
    inside.add(std::abs(law.force(0.299)));
    side.add(law.force(-0.7));
    meet.add(law.force(gap_m + 1));
    work.add(work_error(law, gap_m, 1.2));
    work.add(work_error(law, -1.2, -gap_m));
  }
  record.said("(8) phi' and phi'' from phi and the depth, all nine curves: largest relative departure", off.most(),
              rounding(2e-14));
  record.said("below (2), phi is never negative: smallest of all samples", potential.least(), between(0, 0), "J");
  record.said("(3b) below the barrier and (3c) in the free play there is no force: largest", inside.most(),
              between(0, 0), "N");
  record.said("K = 1: 1 m deep the force is 1 N for every exponent: smallest", meet.least(), near(1, 1e-14), "N");
  record.said("K = 1: 1 m deep the force is 1 N for every exponent: largest", meet.most(), near(1, 1e-14), "N");
  record.said("(3a), (3c) are odd: largest |F(0.7 m) + F(-0.7 m)|", oddness.most(), between(0, 0), "N");
  record.said("(3a), (3c) phi' has the sign of u: largest phi'(-0.7 m)", side.most(), between(-0.1, -0.05), "N");
  record.said("force is the slope of the potential: least work over phi, -1", work.least(), near(0, 2e-7));
  record.said("force is the slope of the potential: largest work over phi, -1", work.most(), rounding(1e-13));
  add_today(record);
}

}  // namespace

const Experiment fig1{"d17-fig1",
                      "D17",
                      "Fig. 1",
                      "Three families of contact force",
                      "The figure draws the force of an odd power law (exponents 1, 3, 5), of a barrier on one side "
                      "(1, 1.7, 2.8) and of a "
                      "free play with a barrier on either side (1, 1.7, 2.8), all with stiffness 1.",
                      "The derivative of the potential is drawn, as in the paper; the force on the mass is its "
                      "negative. There is no time "
                      "in this figure, so the comparison below is of evaluations instead of schemes: what a force and "
                      "a mean force over a "
                      "short step cost, and how many digits they keep.",
                      run};

}  // namespace jawari::experiments::paper_d17
