// SPDX-License-Identifier: MIT
#include "jawari/body/shapes.h"

#include <algorithm>
#include <boost/math/special_functions/bessel.hpp>
#include <boost/math/tools/toms748_solve.hpp>
#include <cmath>
#include <memory>
#include <numbers>

namespace jawari {
namespace {

constexpr double pi = std::numbers::pi;

/// In double: by default Boost computes in long double, which is software on some machines.
using InDouble = boost::math::policies::policy<boost::math::policies::promote_double<false>>;
double J(int m, double x) { return boost::math::cyl_bessel_j(m, x, InDouble()); }
double I(int m, double x) { return boost::math::cyl_bessel_i(m, x, InDouble()); }
double J_zero(int m, int n) { return boost::math::cyl_bessel_j_zero(static_cast<double>(m), n, InDouble()); }

double bracketed(const std::function<double(double)>& f, double a, double b) {
  std::uintmax_t steps = 200;
  const auto [low, high] =
      boost::math::tools::toms748_solve(f, a, b, boost::math::tools::eps_tolerance<double>(52), steps);
  return (low + high) / 2;
}
double decay(const Loss& loss, double beta) { return loss.sigma0_1_s + loss.sigma1_m2_s * beta * beta; }

/// A mode before it is sorted: its wave number, and two whole numbers and a phase that name it.
struct Raw {
  double omega, beta, mass;
  int m, n;
  bool sine;
};
ModeTable sorted(std::vector<Raw> raw, std::size_t most, const Loss& loss, bool bending,
                 const std::function<double(const Raw&, Place)>& shape, std::function<bool(Place)> holds) {
  std::stable_sort(raw.begin(), raw.end(), [](const Raw& a, const Raw& b) { return a.omega < b.omega; });
  if (raw.size() > most) raw.resize(most);
  ModeTable t;
  for (const auto& r : raw) t.modes.push_back({r.mass, r.omega, decay(loss, r.beta), bending ? 1.0 : 0.0});
  t.shape = [raw = std::make_shared<std::vector<Raw>>(std::move(raw)), shape](std::size_t i, Place p) {
    return shape((*raw)[i], p);
  };
  t.holds = std::move(holds);
  return t;
}

/// All sine products of a rectangle whose frequency lies below the limit.
ModeTable rectangle(double a, double b, double area_density, double limit, std::size_t most, const Loss& loss,
                    bool bending, const std::function<double(double)>& omega_of) {
  std::vector<Raw> raw;
  for (int m = 1; omega_of(pi * std::hypot(m / a, 1 / b)) < limit; ++m)
    for (int n = 1;; ++n) {
      const double beta = pi * std::hypot(m / a, n / b), omega = omega_of(beta);
      if (!(omega < limit)) break;
      raw.push_back({omega, beta, area_density * a * b / 4, m, n, false});
    }
  return sorted(
      std::move(raw), most, loss, bending,
      [a, b](const Raw& r, Place p) { return std::sin(r.m * pi * p.x_m / a) * std::sin(r.n * pi * p.y_m / b); },
      [a, b](Place p) { return p.x_m >= 0 && p.x_m <= a && p.y_m >= 0 && p.y_m <= b; });
}

/// Modes f(r) cos or sin(m phi) of a circle, for radial shapes with a growing sequence of roots for every m.
/// mass: the integral of the squared radial shape times the density.
ModeTable circle(double R, double limit, std::size_t most, const Loss& loss, bool bending,
                 const std::function<double(double)>& omega_of, const std::function<double(int m, int n)>& root,
                 const std::function<double(int m, double lambda, double r)>& radial,
                 const std::function<double(int m, double lambda)>& mass) {
  std::vector<Raw> raw;
  for (int m = 0; omega_of(root(m, 1) / R) < limit; ++m)
    for (int n = 1;; ++n) {
      const double lambda = root(m, n), omega = omega_of(lambda / R);
      if (!(omega < limit)) break;
      for (const bool sine : {false, true})
        if (m > 0 || !sine) raw.push_back({omega, lambda / R, mass(m, lambda), m, n, sine});
    }
  return sorted(
      std::move(raw), most, loss, bending,
      [radial, R](const Raw& r, Place p) {
        const double phi = std::atan2(p.y_m, p.x_m), at = std::hypot(p.x_m, p.y_m) / R;
        return radial(r.m, r.beta * R, at) * (r.sine ? std::sin(r.m * phi) : std::cos(r.m * phi));
      },
      [R](Place p) { return std::hypot(p.x_m, p.y_m) <= R; });
}

/// lambda of bar mode n >= 1: zeros of cos + sech (clamped-free) or cos - sech (clamped, free).
double bar_root(Ends ends, int n) {
  if (ends == Ends::supported) return n * pi;
  const double sign = ends == Ends::clamped_free ? 1 : -1,
               middle = (ends == Ends::clamped_free ? n - 0.5 : n + 0.5) * pi;
  return bracketed([sign](double x) { return std::cos(x) + sign / std::cosh(x); }, middle - 0.5, middle + 0.5);
}
/// Shapes of clamped and free bars with growing exponentials taken from the far end: nothing overflows, nothing
/// cancels.
double bar_shape(Ends ends, double lambda, double x) {
  const double c = std::cos(lambda), s = std::sin(lambda), e = std::exp(-lambda);
  double sigma, far;
  if (ends == Ends::clamped_free) {
    const double under = 1 + e * e + 2 * e * c;
    sigma = (1 - e * e - 2 * e * s) / under, far = (e + c + s) / under;
  } else {
    const double under = 1 - e * e - 2 * e * s;
    sigma = (1 + e * e - 2 * e * c) / under, far = (c - s - e) / under;
  }
  const double grow = std::exp(-lambda * x) * (1 + sigma) / 2 + far * std::exp(lambda * (x - 1));
  const double wave = std::cos(lambda * x) - sigma * std::sin(lambda * x);
  return ends == Ends::free ? grow + wave : grow - wave;
}

}  // namespace

ModeTable bar_modes(const BarData& bar, double limit, std::size_t most) {
  const double L = bar.length_m, mass = bar.density_kg_m * L;
  std::vector<Raw> raw;
  if (bar.ends == Ends::free)
    for (const int m : {-1, 0}) raw.push_back({0, 0, mass, m, 0, false});
  for (int n = 1;; ++n) {
    const double lambda = bar_root(bar.ends, n), beta = lambda / L,
                 omega = beta * beta * std::sqrt(bar.bending_N_m2 / bar.density_kg_m);
    if (!(omega < limit)) break;
    raw.push_back({omega, beta, bar.ends == Ends::supported ? mass / 2 : mass, n, 0, false});
  }
  return sorted(
      std::move(raw), most, bar.loss, true,
      [ends = bar.ends, L](const Raw& r, Place p) {
        const double x = p.x_m / L;
        if (r.m == -1) return 1.0;
        if (r.m == 0) return std::sqrt(3.0) * (1 - 2 * x);
        return ends == Ends::supported ? std::sin(r.m * pi * x) : bar_shape(ends, r.beta * L, x);
      },
      [L](Place p) { return p.x_m >= 0 && p.x_m <= L; });
}

ModeTable membrane_modes(const MembraneData& d, double limit, std::size_t most) {
  const double c = std::sqrt(d.tension_N_m / d.density_kg_m2), R = d.radius_m;
  const auto omega = [c](double beta) { return c * beta; };
  if (!(R > 0)) return rectangle(d.width_m, d.height_m, d.density_kg_m2, limit, most, d.loss, false, omega);
  return circle(
      R, limit, most, d.loss, false, omega, [](int m, int n) { return J_zero(m, n); },
      [](int m, double lambda, double r) { return J(m, lambda * r); },
      [&d, R](int m, double lambda) {
        const double next = J(m + 1, lambda);
        return d.density_kg_m2 * pi * R * R * next * next * (m == 0 ? 1 : 0.5);
      });
}

ModeTable plate_modes(const PlateData& d, double limit, std::size_t most) {
  const double bending = d.young_Pa * std::pow(d.thickness_m, 3) / (12 * (1 - d.poisson * d.poisson));
  const double density = d.density_kg_m3 * d.thickness_m, kappa = std::sqrt(bending / density), R = d.radius_m;
  const auto omega = [kappa](double beta) { return kappa * beta * beta; };
  if (!(R > 0)) return rectangle(d.width_m, d.height_m, density, limit, most, d.loss, true, omega);
  // Clamped circle: J_m(x) I_{m+1}(x) + I_m(x) J_{m+1}(x) = 0; the roots lie between zeros of J_m.  I by ratios: e^x
  // leaves.
  const auto ratio = [](int m, double x) { return I(m + 1, x) / I(m, x); };
  const auto root = [ratio](int m, int n) {
    const double a = J_zero(m, n), b = J_zero(m + 1, n);
    return bracketed([&](double x) { return J(m, x) * ratio(m, x) + J(m + 1, x); }, a, b);
  };
  const auto radial = [](int m, double lambda, double r) {
    return J(m, lambda * r) - J(m, lambda) * I(m, lambda * r) / I(m, lambda);
  };
  // int_0^1 of radial^2 r dr = J_m(lambda)^2 for the clamped edge.
  return circle(R, limit, most, d.loss, true, omega, root, radial, [density, R](int m, double lambda) {
    const double edge = J(m, lambda);
    return density * R * R * edge * edge * (m == 0 ? 2 * pi : pi);
  });
}

}  // namespace jawari
