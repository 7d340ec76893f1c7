// SPDX-License-Identifier: MIT
#include <fmt/format.h>

#include <algorithm>
#include <boost/multiprecision/cpp_bin_float.hpp>
#include <cmath>

#include "jawari/impact/rebound_series.h"
#include "par11/par11.h"

namespace jawari::experiments::par11_items {
namespace {

/// Error of formula (7) at U = mu v_in [%].
double error(double U) { return 100 * (exact::restitution_approximate(U) / exact::restitution(U) - 1); }
/// Where f changes sign between a and b.
template <class F>
double zero(F&& f, double a, double b) {
  const bool rises = f(b) > 0;
  for (int n = 0; n < 60; ++n) {
    const double c = (a + b) / 2;
    ((f(c) > 0) == rises ? b : a) = c;
  }
  return (a + b) / 2;
}

/// a_1 ... a_n of v_out = sum a_j v^j at mu = 1: the polynomial through -E(U) at U = 0.02, 0.04, ...
std::vector<double> series(std::size_t n) {
  std::vector<double> u, c;
  for (std::size_t i = 0; i < n; ++i) {
    u.push_back(0.02 * static_cast<double>(i + 1));
    c.push_back(exact::restitution_deficit(u[i]) / u[i]);
  }
  for (std::size_t j = 1; j < n; ++j)
    for (std::size_t i = n - 1; i >= j; --i) c[i] = (c[i] - c[i - 1]) / (u[i] - u[i - j]);
  for (std::size_t k = n - 1; k-- > 0;)  // Newton's form to powers
    for (std::size_t i = k; i + 1 < n; ++i) c[i] -= u[k] * c[i + 1];
  c.insert(c.begin(), -1.0);
  return c;
}

/// The zero of (6) in fifty digits.
double converged(double U) {
  using Real = boost::multiprecision::cpp_bin_float_50;
  const Real wanted = Real(U) - log(1 + Real(U));
  Real w = -Real(U) * exact::restitution_approximate(U);
  for (int n = 0; n < 12; ++n) w -= (w - log(1 + w) - wanted) * (1 + w) / w;
  return static_cast<double>(-w / Real(U));
}

void run(Record& record) {
  record.parameter("formula (7), order", 4);
  Plot& plot = record.plot("Error of the closed formula for the rebound", {"mu v_in", "", true},
                           {"|error of v_out|", "%", true, 1e-6, 10});
  Curve c{"formula (7)", {}, {}};
  for (double U = 0.03; U < 30; U *= 1.01) {
    c.x.push_back(U);
    c.y.push_back(std::abs(error(U)));
  }
  plot.curves = {c, {"0.1 %", {0.03, 30}, {0.1, 0.1}, Curve::dashed}, {"1 %", {0.03, 30}, {1, 1}, Curve::dashed}};
  plot.caption = "The dip on the left is a change of sign.";

  const auto edge = [](double percent, double a, double b) {
    return zero([&](double U) { return error(U) - percent; }, a, b);
  };
  double worst = 0, where = 0;
  for (double U = 1; U < 10; U += 1e-3)
    if (error(U) > worst) {
      worst = error(U);
      where = U;
    }
  record.watched("error below 0.1 % up to mu v_in =", edge(0.1, 0.3, where), near(0.798, 0.001));
  record.watched("error below 1 % up to mu v_in =", edge(1, 0.3, where), near(1.659, 0.001));
  record.watched("error below 1 % again from mu v_in =", edge(1, where, 20), near(5.003, 0.001));
  record.watched("error below 0.1 % again from mu v_in =", edge(0.1, where, 20), near(8.054, 0.001));
  record.watched("largest error of (7)", worst, near(2.045, 0.001), "%");
  record.watched("largest error of (7), at mu v_in =", where, near(3.0, 0.01));
  record.watched("(7) is too slow below, too fast above mu v_in =", zero(error, 0.1, 0.5), near(0.2404, 0.0005));

  const auto a = series(8);
  const double wanted_a[] = {-1, 2.0 / 3, -4.0 / 9, 44.0 / 135};
  for (std::size_t j = 0; j < 4; ++j)
    record.printed(fmt::format("(33), a_{} at mu = 1", j + 1), wanted_a[j], a[j], near(wanted_a[j], 1e-6));
  const double mu = 2, a1 = a[0], a2 = a[1] * mu;
  record.erratum("(32), right side of the second line over mu^2/3, at mu = 2", 1,
                 (std::pow(mu * a1, 3) / 3 - mu * mu * a1 * a2) / (mu * mu / 3), near(2, 1e-5),
                 "printed mu^2/3, mu^2/4, mu^2/5; right are mu^3/3, mu^4/4, mu^5/5");
  const exact::ReboundSeries four(4);
  const double wanted_b[] = {1, 1, 2.0 / 3, 2.0 / 9, 14.0 / 135};
  for (int j = 1; j <= 4; ++j)  // the recursion (38) of the library, with c_0 = 1 in (37)
    record.printed(fmt::format("(8), b_{} at mu = 1", j), wanted_b[j], four.b(j), near(wanted_b[j], 1e-14));
  Plot& orders = record.plot("Formula (7) with other orders n, by (30) and (38)", {"mu v_in", "", true},
                             {"|error of v_out|", "%", true, 1e-6, 100});
  orders.caption = "More terms are better for small mu v_in only.";
  const double largest[] = {2.045, 2.38, 2.35, 0, 29};
  for (const int n : {2, 3, 4, 5, 6, 8}) {
    const exact::ReboundSeries formula(n);
    Curve of_n{fmt::format("n = {}", n), {}, {}};
    double most = 0;
    for (double U = 0.03; U < 30; U *= 1.01) {
      of_n.x.push_back(U);
      of_n.y.push_back(100 * std::abs(formula.restitution(U) / exact::restitution(U) - 1));
      most = std::max(most, of_n.y.back());
    }
    if (n >= 4)
      record.watched(fmt::format("(7) with n = {}: largest error", n), most, within(largest[n - 4], 0.01), "%");
    orders.curves.push_back(std::move(of_n));
  }
  const double h = 1e-3, plain = (1 - (1 + h) * std::exp(-2 * h)) / h;  // (35)
  record.said("(35) misses the second coefficient: ours of it, where (33) has 2/3", (1 - plain) / h, near(0, 1e-3));

  std::vector<Today> rows;
  volatile double sink = 0;
  const auto add = [&](const char* name, auto&& f) {
    double off = 0;
    for (double U = 1e-3; U < 20; U *= 1.3) off = std::max(off, std::abs(f(U) / converged(U) - 1));
    double U = 1;
    rows.push_back({name, off, rigs::ns_per_step(20000, [&] {
                      U = U < 2 ? U + 1e-3 : 0.1;
                      sink = f(U);
                    })});
  };
  add("series (33) to fourth order", [](double U) { return 1 - U * (2.0 / 3 - U * (4.0 / 9 - U * 44.0 / 135)); });
  add("formula (7)", [](double U) { return exact::restitution_approximate(U); });
  add("exact::restitution", [](double U) { return exact::restitution(U); });
  record.today("zero of (6) in fifty digits, mu v_in from 0.001 to 20; error: largest of E; time: of one evaluation",
               rows);
}

}  // namespace

const Experiment fig3{
    "par11-fig3",
    "PAR11",
    "Fig. 3",
    "How good the closed formula for the rebound is",
    "One formula for the rebound velocity, right in both limits of small and large mu v_in; between them its error "
    "passes 0.1 % and 1 %. The "
    "picture marks these ranges.",
    "Error of formula (7) over mu v_in with the two limits. The coefficients of (8) and (33) are computed anew.",
    run};

}  // namespace jawari::experiments::par11_items
