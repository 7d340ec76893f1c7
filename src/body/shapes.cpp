// SPDX-License-Identifier: MIT
#include "jawari/body/shapes.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <memory>
#include <numbers>
#include <optional>

#include "bessel.h"
#include "core/root_between.h"
#include "jawari/core/elementary.h"

namespace jawari {
namespace {

constexpr double pi = std::numbers::pi;

double J(int m, double x) { return bessel_j(m, x).here; }

double decay(const Loss& loss, double beta) { return loss.sigma0_1_s + loss.sigma1_m2_s * beta * beta; }

/// A mode before it is sorted: its wave number, and two whole numbers and a phase that name it.
struct Raw {
  double omega, beta, mass;
  int m, n;
  bool sine;
};
/// What a place reads of one mode after the other; made for the place, so that what modes share is computed once.
using Reader = std::function<double(const Raw&)>;
ModeTable sorted(std::vector<Raw> raw, std::size_t most, const Loss& loss, bool bending,
                 const std::function<Reader(Place)>& at, std::function<bool(Place)> holds) {
  std::stable_sort(raw.begin(), raw.end(), [](const Raw& a, const Raw& b) { return a.omega < b.omega; });
  if (raw.size() > most) raw.resize(most);
  ModeTable t;
  for (const auto& r : raw) t.modes.push_back({r.mass, r.omega, decay(loss, r.beta), bending ? 1.0 : 0.0});
  const auto kept = std::make_shared<std::vector<Raw>>(std::move(raw));
  t.shape = [kept, at](std::size_t i, Place p) { return at(p)((*kept)[i]); };
  t.rows = [kept, at](Place p) {
    const Reader read = at(p);
    std::vector<double> row;
    for (const Raw& r : *kept) row.push_back(read(r));
    return row;
  };
  t.holds = std::move(holds);
  return t;
}

/// The sine products of a rectangle whose frequency lies below the limit.  (m, n) has m n - 1 modes below it: of a
/// narrow rectangle, which may have any number of modes below the limit, only those are listed that can be among the
/// lowest `most`.
ModeTable rectangle(double a, double b, double area_density, double limit, std::size_t most, const Loss& loss,
                    bool bending, const std::function<double(double)>& omega_of) {
  std::vector<Raw> raw;
  const auto lowest = [most](int m) { return static_cast<int>(most / static_cast<std::size_t>(m)); };
  for (int m = 1; lowest(m) > 0 && omega_of(pi * elementary::hypot(m / a, 1 / b)) < limit; ++m)
    for (int n = 1; n <= lowest(m); ++n) {
      const double beta = pi * elementary::hypot(m / a, n / b), omega = omega_of(beta);
      if (!(omega < limit)) break;
      raw.push_back({omega, beta, area_density * a * b / 4, m, n, false});
    }
  return sorted(
      std::move(raw), most, loss, bending,
      [a, b](Place p) -> Reader {
        std::vector<std::optional<double>> along_x, along_y;  // sines of the multiples met so far
        const auto sine = [](auto& known, int m, double angle) {
          const auto at = static_cast<std::size_t>(m);
          if (known.size() <= at) known.resize(at + 1);
          if (!known[at]) known[at] = elementary::sin(m * angle);
          return *known[at];
        };
        return [=](const Raw& r) mutable {
          return sine(along_x, r.m, pi * p.x_m / a) * sine(along_y, r.n, pi * p.y_m / b);
        };
      },
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
      [radial, R](Place p) -> Reader {
        const double phi = elementary::atan2(p.y_m, p.x_m), at = elementary::hypot(p.x_m, p.y_m) / R;
        std::vector<std::optional<elementary::SineCosine>> turns;  // of the multiples met so far
        std::map<std::pair<int, int>, double> radii;               // cosine and sine share them
        return [=](const Raw& r) mutable {
          const auto m = static_cast<std::size_t>(r.m);
          if (turns.size() <= m) turns.resize(m + 1);
          if (!turns[m]) turns[m] = elementary::sine_cosine(r.m * phi);
          const auto [found, fresh] = radii.try_emplace({r.m, r.n}, 0.0);
          if (fresh) found->second = radial(r.m, r.beta * R, at);
          return found->second * (r.sine ? turns[m]->sine : turns[m]->cosine);
        };
      },
      [R](Place p) { return elementary::hypot(p.x_m, p.y_m) <= R; });
}

/// lambda of bar mode n >= 1: zeros of cos + sech (clamped-free) or cos - sech (clamped, free).
double bar_root(Ends ends, int n) {
  if (ends == Ends::supported) return n * pi;
  const double sign = ends == Ends::clamped_free ? 1 : -1,
               middle = (ends == Ends::clamped_free ? n - 0.5 : n + 0.5) * pi;
  const auto f = [sign](double x) { return elementary::cos(x) + sign / elementary::cosh(x); };
  return root_between(f, middle - 0.5, middle + 0.5);
}
/// Shapes of clamped and free bars with growing exponentials taken from the far end: nothing overflows, nothing
/// cancels.
struct BarShape {
  double lambda, sigma, far;
  bool free;
  BarShape(Ends ends, double root) : lambda(root), free(ends == Ends::free) {
    const auto [c, s] = elementary::sine_cosine(lambda);
    const double e = elementary::exp(-lambda);
    if (ends == Ends::clamped_free) {
      const double under = 1 + e * e + 2 * e * c;
      sigma = (1 - e * e - 2 * e * s) / under;
      far = (e + c + s) / under;
    } else {
      const double under = 1 - e * e - 2 * e * s;
      sigma = (1 + e * e - 2 * e * c) / under;
      far = (c - s - e) / under;
    }
  }
  double operator()(double x) const {
    const auto [c, s] = elementary::sine_cosine(lambda * x);
    const double grow = elementary::exp(-lambda * x) * (1 + sigma) / 2 + far * elementary::exp(lambda * (x - 1));
    const double wave = c - sigma * s;
    return free ? grow + wave : grow - wave;
  }
};

}  // namespace

ModeTable bar_modes(const BarData& bar, double limit, std::size_t most) {
  const double L = bar.length_m, mass = bar.density_kg_m * L;
  const auto shapes = std::make_shared<std::vector<BarShape>>();  // of modes 1, 2, ...
  std::vector<Raw> raw;
  if (bar.ends == Ends::free)
    for (const int m : {-1, 0}) raw.push_back({0, 0, mass, m, 0, false});
  for (int n = 1;; ++n) {
    const double lambda = bar_root(bar.ends, n), beta = lambda / L,
                 omega = beta * beta * std::sqrt(bar.bending_N_m2 / bar.density_kg_m);
    if (!(omega < limit)) break;
    raw.push_back({omega, beta, bar.ends == Ends::supported ? mass / 2 : mass, n, 0, false});
    if (bar.ends != Ends::supported && shapes->size() < most) shapes->push_back(BarShape(bar.ends, lambda));
  }
  return sorted(
      std::move(raw), most, bar.loss, true,
      [ends = bar.ends, L, shapes](Place p) -> Reader {
        return [=, x = p.x_m / L](const Raw& r) {
          if (r.m == -1) return 1.0;
          if (r.m == 0) return std::sqrt(3.0) * (1 - 2 * x);
          return ends == Ends::supported ? elementary::sin(r.m * pi * x)
                                         : (*shapes)[static_cast<std::size_t>(r.m - 1)](x);
        };
      },
      [L](Place p) { return p.x_m >= 0 && p.x_m <= L; });
}

ModeTable membrane_modes(const MembraneData& d, double limit, std::size_t most) {
  const double c = std::sqrt(d.tension_N_m / d.density_kg_m2), R = d.radius_m;
  const auto omega = [c](double beta) { return c * beta; };
  if (!(R > 0)) return rectangle(d.width_m, d.height_m, d.density_kg_m2, limit, most, d.loss, false, omega);
  return circle(
      R, limit, most, d.loss, false, omega,
      [zeros = std::make_shared<BesselZeros>()](int m, int n) { return (*zeros)(m, n); },
      [](int m, double lambda, double r) { return J(m, lambda * r); },
      [&d, R](int m, double lambda) {
        const double next = J(m + 1, lambda);
        return d.density_kg_m2 * pi * R * R * next * next * (m == 0 ? 1 : 0.5);
      });
}

ModeTable plate_modes(const PlateData& d, double limit, std::size_t most) {
  const double bending =
      d.young_Pa * (d.thickness_m * d.thickness_m * d.thickness_m) / (12 * (1 - d.poisson * d.poisson));
  const double density = d.density_kg_m3 * d.thickness_m, kappa = std::sqrt(bending / density), R = d.radius_m;
  const auto omega = [kappa](double beta) { return kappa * beta * beta; };
  if (!(R > 0)) return rectangle(d.width_m, d.height_m, density, limit, most, d.loss, true, omega);
  // Clamped circle: J_m(x) I_{m+1}(x) + I_m(x) J_{m+1}(x) = 0; the roots lie between zeros of J_m.  I by ratios: e^x
  // leaves.
  const auto ratio = [](int m, double x) {
    const BesselPair i = scaled_bessel_i(m, x);
    return i.next / i.here;
  };
  const auto root = [ratio, zeros = std::make_shared<BesselZeros>()](int m, int n) {
    const double a = (*zeros)(m, n), b = (*zeros)(m + 1, n);
    const auto f = [&](double x) {
      const BesselPair j = bessel_j(m, x);
      return j.here * ratio(m, x) + j.next;
    };
    return root_between(f, a, b);
  };
  const auto radial = [](int m, double lambda, double r) {
    const double grown =
        scaled_bessel_i(m, lambda * r).here / scaled_bessel_i(m, lambda).here * elementary::exp(lambda * (r - 1));
    return J(m, lambda * r) - J(m, lambda) * grown;
  };
  // int_0^1 of radial^2 r dr = J_m(lambda)^2 for the clamped edge.
  return circle(R, limit, most, d.loss, true, omega, root, radial, [density, R](int m, double lambda) {
    const double edge = J(m, lambda);
    return density * R * R * edge * edge * (m == 0 ? 2 * pi : pi);
  });
}

}  // namespace jawari
