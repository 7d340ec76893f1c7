// SPDX-License-Identifier: MIT
#include "jawari/impact/closed_form.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <stdexcept>
#include <utility>

#include "core/root_between.h"
#include "jawari/core/elementary.h"
#include "quadrature.h"

namespace jawari::exact {
namespace {

/// (u - log(1+u))/u^2; 1/2 at u = 0.  log1p alone is not enough: u - log1p(u) still cancels.
double g(double u) {
  if (std::abs(u) > 0.3) return (u - elementary::log1p(u)) / (u * u);
  const double w = 2 + u, s = u / w, s2 = s * s;
  double sum = 0;
  for (int j = 27; j >= 3; j -= 2) sum = sum * s2 + 1.0 / j;  // s/3 + s^3/5 + ..., without the factor s
  return (1 - 2 * s * sum / w) / w;
}
/// q (e^z - 1 - z)/z^2 for q = e^log_q, which may underflow while q e^z does not; q/2 at z = 0.
double psi(double log_q, double q, double z) {
  if (std::abs(z) > 0.5) return (elementary::exp(log_q + z) - q * (1 + z)) / (z * z);
  double sum = 0;
  for (int j = 18; j >= 2; --j) sum = (sum * z + 1) / j;
  return q * sum;
}
/// x - log(1+x)-like equations below are solved for x = -mu v_out in (0, 1).
struct Rebound {
  double E, deficit, p, log_p;  // restitution, 1 - E, 1 + mu v_out and its logarithm
};
Rebound rebound(double U) {
  if (U == 0) return {1, 0, 1, 0};
  if (U < 0.02) {  // series reversion of (6)
    constexpr double a[] = {2.0 / 3,         -4.0 / 9,       44.0 / 135,        -104.0 / 405,          40.0 / 189,
                            -7648.0 / 42525, 2848.0 / 18225, -31712.0 / 229635, 23429344.0 / 189448875};
    double sum = 0;
    for (int j = 8; j >= 0; --j) sum = sum * U + a[j];
    const double deficit = U * sum, x = U * (1 - deficit);
    return {1 - deficit, deficit, 1 - x, elementary::log1p(-x)};
  }
  if (U < 1) {  // Newton on x^2 g(-x) = U^2 g(U)
    const double target = U * U * g(U);
    double x = U * restitution_approximate(U);
    for (int i = 0; i < 4; ++i) x -= (x * x * g(-x) - target) * (1 - x) / x;
    return {x / U, (U - x) / U, 1 - x, elementary::log1p(-x)};
  }
  // log p - p = log(1+U) - (1+U); for large U p underflows, its logarithm does not.
  const double rhs = elementary::log1p(U) - (1 + U);
  double p = elementary::exp(rhs);
  for (int i = 0; i < 60; ++i) {
    const double next = p - (p - elementary::exp(rhs + p)) / (1 - p);
    if (std::abs(next - p) <= 1e-16 * p) break;
    p = next;
  }
  const double x = 1 - p;
  return {x / U, (U - x) / U, p, rhs + p};
}
/// (m (alpha+1)/K B)^(1/(alpha+1)): compression that stores the specific energy B = Phi(v_in) - Phi(v).
double compression_of(const Impact& i, double B) {
  return elementary::pow(i.mass_kg * (i.exponent + 1) / i.stiffness * std::max(B, 0.0), 1 / (i.exponent + 1));
}
/// B(v) = Phi(v_in) - Phi(v), Phi(v) = v^2 g(mu v), expanded about the nearer of its two zeros.
double stored(const Impact& i, double v) {
  const Rebound back = rebound(i.mu * i.speed_m_s);
  const double r = v >= 0 ? i.speed_m_s : -back.E * i.speed_m_s, q = v >= 0 ? 1 + i.mu * r : back.p, d = r - v;
  if (std::abs(i.mu * d) < q) {
    const double x = d / q;
    return x * r - x * x * g(-i.mu * x);
  }
  const double v_in = i.speed_m_s;
  return v_in * v_in * g(i.mu * v_in) - v * v * g(i.mu * v);
}
/// One half of a contact, seen from the zero u_r of B where it begins or ends; u = log(1+mu v)/mu.
///   B = d v_r - q d^2 psi(-mu d), d = u_r - u, q = 1 + mu v_r = exp(mu u_r);   |d| = t^(alpha+1) removes the
/// singularity of B^(-alpha/(alpha+1)) at d = 0.
struct Half {
  double alpha, mu, v_r, u_r, q = elementary::exp(mu * u_r);

  double end() const { return elementary::pow(std::abs(u_r), 1 / (alpha + 1)); }  // t at u = 0
  double integrand(double t) const {
    const double n = alpha + 1, sign = u_r < 0 ? -1 : 1, size = elementary::pow(t, n);
    const double per_d = sign * v_r - size * psi(mu * u_r, q, -mu * sign * size);  // B/|d| > 0
    return n * elementary::pow(std::max(per_d, std::numeric_limits<double>::min()), -alpha / n);
  }
  double integral(double to, double tolerance = 1e-13) const {
    // The turning at u = 0 is as sharp as 1/mu in u; a far zero (mu v large) needs its own panel before it.
    const double far = std::abs(u_r) - 40 / std::max(mu, 1e-300);
    const double knee = far > 0 ? std::min(elementary::pow(far, 1 / (alpha + 1)), to) : 0;
    const auto f = [this](double t) { return integrand(t); };
    double sum = knee < to ? integral_of(f, knee, to, tolerance) : 0;
    if (knee > 0) sum += integral_of(f, 0.0, knee, tolerance);
    return sum;
  }
};
Half incoming(const Impact& i) {
  const double U = i.mu * i.speed_m_s;
  return {i.exponent, i.mu, i.speed_m_s, U == 0 ? i.speed_m_s : elementary::log1p(U) / i.mu};
}
Half outgoing(const Impact& i) {
  const Rebound back = rebound(i.mu * i.speed_m_s);
  const double v_out = -back.E * i.speed_m_s;
  return {i.exponent, i.mu, v_out, i.mu == 0 ? v_out : back.log_p / i.mu};
}
/// sqrt(pi) Gamma(1+p)/Gamma(1/2+p) = p B(p, 1/2): compression time over x_max/v of an elastic impact.
double elastic_shape(double p) {
  return std::sqrt(std::numbers::pi) * elementary::tgamma(1 + p) / elementary::tgamma(0.5 + p);
}
struct Phase {
  double z_to_p, rest;  // z^p and 1 - z
};
/// z of I_z(p, 1/2) = share, the regularised incomplete beta function, by Newton on its series:
///   p B_z(p, 1/2) = y (1 + sum (1/2)_k/k! p/(p+k) z^k), y = z^p
///   B_w(1/2, p) = 2 r sum (1-p)_k/k! w^k/(1+2k), r^2 = w = 1-z
Phase elastic_phase(double p, double share) {
  const double all = elastic_shape(p);                          // p B(p, 1/2)
  const auto series = [](double first, double per, double x) {  // sum of (first)_k/k! per/(per+k) x^k
    double sum = 1, term = 1;
    for (int k = 1; k < 200 && term > 1e-18; ++k) {
      term *= (first + k - 1) / k * x;
      sum += term * per / (per + k);
    }
    return sum;
  };
  const auto from_below = [&](double y) { return y * series(0.5, p, elementary::pow(y, 1 / p)); };
  const double middle = elementary::pow(0.5, p);
  if (share * all <= from_below(middle)) {
    double y = std::min(share * all, middle);
    for (int n = 0; n < 40; ++n) {
      const double old = y;
      y -= (from_below(y) - share * all) * std::sqrt(1 - elementary::pow(y, 1 / p));
      if (std::abs(y - old) <= 2e-16 * y) break;
    }
    return {y, 1 - elementary::pow(y, 1 / p)};
  }
  double r = std::sqrt(0.5);
  const double wanted = (1 - share) * all / p;  // B_w(1/2, p)
  r = std::min(r, wanted / 2);
  for (int n = 0; n < 40; ++n) {
    const double old = r, slope = 2 * elementary::pow(1 - r * r, p - 1);
    r -= (2 * r * series(1 - p, 0.5, r * r) - wanted) / slope;
    if (std::abs(r - old) <= 2e-16 * r) break;
  }
  return {elementary::pow(1 - r * r, p), r * r};
}
/// dt = -m/(K x^alpha) du = -(this) B^(-alpha/(alpha+1)) du.
double time_scale(const Impact& i) {
  const double n = i.exponent + 1;
  return i.mass_kg / i.stiffness * elementary::pow(i.mass_kg * n / i.stiffness, -i.exponent / n);
}

}  // namespace

double restitution(double mu_v) noexcept { return rebound(mu_v).E; }
double restitution_deficit(double mu_v) noexcept { return rebound(mu_v).deficit; }

double restitution_approximate(double U) noexcept {
  const double P = 1 + U * (1 + U * (2.0 / 3 + U * (2.0 / 9 + U * 14.0 / 135)));
  if (U > 1) return (1 - P * elementary::exp(-2 * U)) / U;
  const double e = U == 0 ? 2 : -elementary::expm1(-2 * U) / U, Q = 1 + U * (2.0 / 3 + U * (2.0 / 9 + U * 14.0 / 135));
  return e * P - Q;
}

double mu_v_for_restitution(double e) {
  if (!(e > 0 && e <= 1)) throw std::domain_error("restitution must lie in (0, 1]");
  if (e == 1) return 0;
  const double deficit = 1 - e;
  // E(U) < 1/U, and 1 - E < 2U/3: both ends of a bracket, in the deficit for small U where E itself has no digits.
  const auto miss = [&](double U) { return deficit < 0.5 ? rebound(U).deficit - deficit : e - rebound(U).E; };
  return root_between(miss, deficit, 2 / e);
}

double specific_kinetic(double mu, double v) noexcept { return v * v * g(mu * v); }
double outbound_velocity(const Impact& i) noexcept { return -restitution(i.mu * i.speed_m_s) * i.speed_m_s; }
double one_plus_mu_v_out(const Impact& i) noexcept { return rebound(i.mu * i.speed_m_s).p; }

double max_compression(const Impact& i) noexcept {
  return compression_of(i, i.speed_m_s * i.speed_m_s * g(i.mu * i.speed_m_s));
}
double compression(const Impact& i, double v) noexcept { return compression_of(i, stored(i, v)); }
double hamiltonian(const Impact& i, double v) noexcept { return i.mass_kg * (v * v / 2 + stored(i, v)); }

double energy_change(const Impact& i) noexcept {
  const double lost = restitution_deficit(i.mu * i.speed_m_s);
  return -i.mass_kg * i.speed_m_s * i.speed_m_s / 2 * lost * (2 - lost);
}
double force(const Impact& i, double v) noexcept {
  return i.stiffness * elementary::pow(compression(i, v), i.exponent) * (1 + i.mu * v);
}
double peak_force(const Impact& i) {
  if (i.speed_m_s == 0) return 0;
  if (i.mu == 0) return force(i, 0);
  // F = K x^alpha (1 + mu v), x^(alpha+1) ~ B, B' = -v/(1 + mu v): dF/dv = 0 where mu B = alpha/(alpha+1) v.
  const auto slope = [&](double v) { return i.mu * stored(i, v) - i.exponent / (i.exponent + 1) * v; };
  return force(i, root_between(slope, 0.0, i.speed_m_s));
}

double rest_compression(const Impact& i, double force_N) noexcept {
  return force_N > 0 ? elementary::pow(force_N / i.stiffness, 1 / i.exponent) : 0;
}

double elastic_contact_time(const Impact& i) noexcept {
  if (i.speed_m_s == 0 && i.exponent > 1) return std::numeric_limits<double>::infinity();
  const double p = 1 / (i.exponent + 1);
  if (i.exponent == 1) return std::numbers::pi * std::sqrt(i.mass_kg / i.stiffness);
  const double v = i.speed_m_s;
  return 2 * elastic_shape(p) * compression_of(i, v * v / 2) / v;
}
double contact_time_within(const Impact& i, double tolerance) {
  if (i.mu * i.speed_m_s == 0) return elastic_contact_time(i);
  const Half in = incoming(i), out = outgoing(i);
  return time_scale(i) * in.integral(in.end(), tolerance) + time_scale(i) * out.integral(out.end(), tolerance);
}
double contact_time(const Impact& i) { return contact_time_within(i, 1e-13); }
double compression_time(const Impact& i) {
  if (i.mu * i.speed_m_s == 0) return elastic_contact_time(i) / 2;
  const Half in = incoming(i);
  return time_scale(i) * in.integral(in.end());
}
Motion motion(const Impact& i, double t_s) {
  const double v_out = outbound_velocity(i), whole = contact_time(i), first = compression_time(i);
  if (t_s <= 0) return {i.speed_m_s * t_s, i.speed_m_s};
  if (t_s >= whole) return {v_out * (t_s - whole), v_out};
  const bool in = t_s <= first;
  if (i.mu == 0) {  // (x/x_max)^(alpha+1) = I^-1(t/first; p, 1/2), and the energy gives v
    const double p = 1 / (i.exponent + 1);
    const auto [z_to_p, rest] = elastic_phase(p, std::min((in ? t_s : whole - t_s) / first, 1.0));
    return {max_compression(i) * z_to_p, (in ? 1 : -1) * i.speed_m_s * std::sqrt(rest)};
  }
  const Half half = in ? incoming(i) : outgoing(i);
  const double wanted = (in ? t_s : whole - t_s) / time_scale(i);
  double lo = 0, hi = half.end(), t = hi / 2;
  for (int n = 0; n < 100; ++n) {  // Newton inside a bracket: the integral rises with t
    const double miss = half.integral(t) - wanted, next = t - miss / half.integrand(t);
    (miss > 0 ? hi : lo) = t;
    const double old = std::exchange(t, next > lo && next < hi ? next : (lo + hi) / 2);
    if (std::abs(t - old) <= 4e-16 * hi) break;
  }
  const double size = elementary::pow(t, i.exponent + 1), u = half.u_r - (half.u_r < 0 ? -size : size);
  const double v = i.mu == 0 ? u : elementary::expm1(i.mu * u) / i.mu;
  const double per_d = (in ? half.v_r : -half.v_r) - size * psi(i.mu * half.u_r, half.q, (in ? -1 : 1) * i.mu * size);
  return {compression_of(i, size * per_d), v};
}

double duration_bias(double a) noexcept {
  constexpr double pi = std::numbers::pi;
  if (std::abs(a - 1) < 1e-6) return pi * pi / 12 * (1 + (a - 1) / 2);  // the limit of the next line
  return pi / 3 * a / (a - 1) / elementary::tan(pi / (a + 1));
}
double duration_match(double exponent, double samples, Match form, double bias) noexcept {
  const double n = exponent + 1;
  if (form == Match::polynomial) return elementary::pow(1 + bias / (samples * samples), n);
  const double theta = std::sqrt(12 * bias) / samples;
  if (!(theta < (form == Match::tan ? std::numbers::pi : std::numbers::pi / 2))) return 0;
  const double t = elementary::tan(theta / 2), ratio = theta == 0 ? 1 : t / (theta / 2);
  return elementary::pow(form == Match::tan ? ratio : ratio / std::sqrt(1 - t * t), n);
}

}  // namespace jawari::exact
