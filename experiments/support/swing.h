// SPDX-License-Identifier: MIT
// A mass on a two-sided spring that swings for ever: D17 Figures 2, 3 and 6.
#pragma once
#include <boost/math/special_functions/ellint_1.hpp>
#include <boost/math/special_functions/jacobi_elliptic.hpp>
#include <cmath>
#include <cstdint>
#include <vector>

#include "experiments/support/range.h"
#include "experiments/support/rig.h"
#include "experiments/support/timing.h"

namespace jawari::rigs {

inline LawSpec taylor(double s) { return {"taylor", {{"s", s}}}; }

struct Swing {
  std::vector<double> u;     ///< [m], from t = 0
  double drift = 0;          ///< of the energy, relative
  std::uint64_t raised = 0;  ///< steps whose roots would have been complex
  bool settled = false;
};
/// Starts at u0 with the increment k v0 + k^2 a0/2; a0 = 0 is the papers' u^1 = u^0 + k v0.  Of the two-point scheme
/// its own Y is read, which lies half a step after u and starts on u0 with v0.
inline Swing swing(const Problem& p, const LawSpec& how, double dt_s, double u0_m, double v0_m_s, std::size_t samples,
                   double a0_m_s2 = 0) {
  Rig m(p, how, dt_s);
  const bool two = how.type == "two-point";
  const double d = dt_s * v0_m_s + (two ? 0 : dt_s * dt_s * a0_m_s2 / 2);
  m.place(two ? u0_m + d / 2 : u0_m + d, d);
  Swing out;
  Range energy;
  out.u.reserve(samples);
  for (std::size_t n = 0; n < samples; ++n, m.step()) {
    out.u.push_back(two ? m.middle() : m.u());
    energy.add(m.energy());
  }
  out.drift = energy.width() / energy.most();
  out.raised = m.record().raised;
  out.settled = m.settled();
  return out;
}
/// CPU time of one step [ns]
inline double swing_cost(const Problem& p, const LawSpec& how, double dt_s, double u0_m, double v0_m_s,
                         long steps = 100000) {
  Rig m(p, how, dt_s);
  m.place(u0_m + dt_s * v0_m_s, dt_s * v0_m_s);
  return ns_per_step(steps, [&] { m.step(); });
}

/// M u'' = -K u^3 from u = 0 with v0: u = A cn(W t - K(1/sqrt 2)), A = (2 M v0^2/K)^(1/4), W = A sqrt(K/M).
class CubicOscillator {
 public:
  CubicOscillator(double mass_kg, double stiffness, double v0_m_s)
      : amplitude_(std::pow(2 * mass_kg * v0_m_s * v0_m_s / stiffness, 0.25)),
        rate_(amplitude_ * std::sqrt(stiffness / mass_kg)),
        quarter_(boost::math::ellint_1(std::sqrt(0.5))) {}
  double amplitude() const { return amplitude_; }              ///< [m]
  double frequency() const { return rate_ / (4 * quarter_); }  ///< [Hz]
  double operator()(double t_s) const {
    return amplitude_ * boost::math::jacobi_cn(std::sqrt(0.5), rate_ * t_s - quarter_);
  }
  std::vector<double> samples(double dt_s, std::size_t count, double from_s = 0) const {
    std::vector<double> u(count);
    for (std::size_t n = 0; n < count; ++n) u[n] = (*this)(from_s + static_cast<double>(n) * dt_s);
    return u;
  }

 private:
  double amplitude_, rate_, quarter_;
};

}  // namespace jawari::rigs
