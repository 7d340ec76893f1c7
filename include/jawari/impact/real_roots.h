// SPDX-License-Identifier: MIT
// Whether the quadratic of D17 has real roots through an impact, for a time step k: the condition of D17 3.3 on k.
// For a free lossless mass everything depends on alpha, s and kappa = k^2 K (v k)^(alpha-1)/M.  In units of M, k and
// the speed v the mass enters at a depth in (0, 1] with the energy 1/2, and a step is real exactly if
// (docs/theory/taylor.md)
//   s^2 phi'^2 + 2 (1 + s phi'') (1/2 - phi) >= 0                                                 (T6)   D17 (18)
// On entering with exponent 1 this is kappa (1 - s)(1 + s kappa) <= 1, the exact form of D17's case 3.         (T7)
#pragma once

namespace jawari {

/// kappa of an impact.
double taylor_stiffness(double stiffness, double exponent, double mass_kg, double speed_m_s, double dt_s) noexcept;
/// Share of the phases of entry whose impact meets a complex root, of `phases` equally spaced ones.
double complex_share(double exponent, double kappa, double s, int phases = 256) noexcept;
/// Largest kappa up to which no phase of entry meets a complex root; 0: some do at every time step, infinity: at none.
double largest_real_kappa(double exponent, double s) noexcept;
/// 2 alpha/(alpha+1): the weight with real roots in every state.
constexpr double safe_weight(double exponent) noexcept { return 2 * exponent / (exponent + 1); }

}  // namespace jawari
