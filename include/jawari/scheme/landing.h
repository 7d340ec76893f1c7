// SPDX-License-Identifier: MIT
// Landing: the two-point discrete gradient beside an end-point force.  A contact point of a string lands with the mass of its
// cell, rho h, which belongs to the mesh and not to the string.  A scheme that conserves energy makes that mass bounce, and
// the bounce piles up below the cutoff as brightness.  A share theta of the force is therefore taken at the end of the step,
// which is passive by convexity and removes the bounce that the mesh does not resolve.
//   f(s) = -[(1-theta) m(a, s/2) + theta F(y^{n-1} + s)] (1 + mu s/2dt)+                                      (LD1), (G3)
//   stored (1-theta) Phi(a^{n+1/2}) + theta (Phi(y^{n+1}) + Phi(y^n))/2
//   lost   (theta/2) [F(y^{n+1}) s - Phi(y^{n+1}) + Phi(y^{n-1})] >= 0, to waves that the mesh does not carry     (LD2)
// theta is chosen while the contact stores nothing, from how well it would be resolved:
//   Lambda = q K x^(alpha-1)/4 at the deepest compression x of the cell's own impact,  X = (Lambda/0.3)^2,
//   theta = 0.15 X/(1 + X)                                                                                       (LD3)
// Contacts of many samples have theta ~ dt^4: two-point, order two.  0.15 and 0.3 are fitted (docs/theory/landing.md).
// A point whose two neighbours land at the same time bounces as the string does: theta = 0                       (LD4)
#pragma once
#include <cmath>

#include "jawari/core/facts.h"
#include "jawari/core/number.h"
#include "jawari/core/port.h"
#include "jawari/core/power.h"

namespace jawari {

/// What a contact point meets, as far as landing needs it.
struct LandingPlace {
  double share = 1;    ///< of the receptance that belongs to distributed bodies; a lumped mass keeps its bounce
  double stretch = 1;  ///< (pi/(omega_max dt))^2 relative to a bandwidth of 0.9, at least 1: modes that end far below Nyquist
};

class LandingTwoPoint {
 public:
  static constexpr Facts facts{"landing-two-point", "two-point; bounces that the mesh does not resolve are absorbed: the default for barriers",
                               "this library", order_two, 8.7};
  static constexpr int passes = 0;
  static constexpr bool half_step = true;
  static constexpr double samples = 3;
  static constexpr double most = 0.15, knee = 0.3;  ///< (LD3)
  static constexpr double together = 0.5;           ///< (LD4) landing times of points a cell apart that count as equal [steps]
  struct State {
    double half = 0;           ///< y^{n+1/2} [m]
    double from = 0, to = 0;   ///< y^n, y^{n+1} [m]
    double theta = 0;
    double landed = 0;         ///< lost to unresolved waves in the last step [J]
  };
  struct Step {
    Anchor half;          ///< y^{n-1/2}
    double back, middle;  ///< y^{n-1}, y^n [m]
    double theta;
  };

  template <class Law>
  void prepare(const Law& law, double dt_s) {
    loss_ = law.loss_factor() / (2 * dt_s);
    stiffness_ = law.stiffness();
    exponent_ = law.exponent();
    depth_ = Power((exponent_ - 1) / (exponent_ + 1));
  }
  /// prepare() for the same law, so many times as stiff: no table is made again.
  template <class Law>
  void reweigh(const Law& law, double) noexcept { stiffness_ = law.stiffness(); }

  template <class Law>
  State start(const Law&, double y_m, double d_m) const noexcept {
    return {y_m - d_m / 2, y_m - d_m, y_m, 0, 0};
  }
  /// Inside a contact Lambda is that of the compression there.
  template <class Law>
  State start(const Law& law, const Port& p, const LandingPlace& place) const noexcept {
    State e = start(law, p.y, p.d);
    if (holds(law, e)) e.theta = place.share * share(place.stretch * p.q * law.curvature(std::fmax(e.half, e.to)) / (4 * exponent_));
    return e;
  }
  template <class Law>
  Step begin(const Law& law, const Port& p, const State& state) const noexcept {
    return begin(law, p, state, LandingPlace{}, false);
  }
  /// slaps: (LD4)
  template <class Law>
  Step begin(const Law& law, const Port& p, const State& state, const LandingPlace& place, bool slaps) const noexcept {
    if (!holds(law, state)) {
      const State e = start(law, p.y, p.d);
      const double theta = slaps ? 0 : place.share * share(place.stretch * entry(p));
      return {law.anchor(e.half), e.from, e.to, theta};
    }
    return {law.anchor(state.half), state.from, state.to, state.theta};
  }
  template <class Law>
  Response respond(const Law& law, const Step& t, double s_m) const noexcept {
    const Quotient m = law.mean_force(t.half, 0.5 * s_m);
    const double end = t.back + s_m, F = t.theta == 0 ? 0 : law.force(end);
    const double M = (1 - t.theta) * m.value + t.theta * F;
    const double rise = (1 - t.theta) * 0.5 * m.slope + (F > 0 ? t.theta * exponent_ * F / end : 0);
    if (loss_ == 0) return {-M, -rise};
    const double gain = 1 + loss_ * s_m;
    if (gain <= 0) return {0, 0};
    return {-M * gain, -(rise * gain + M * loss_)};
  }
  template <class Law>
  void refine(const Law&, Step&, double, double) const noexcept {}

  /// (LD2); with loss also what (G3) takes.
  template <class Law>
  double finish(const Law& law, const Step& t, double s_m, State& state) const noexcept {
    const double end = t.back + s_m, F = t.theta == 0 ? 0 : law.force(end);
    state = {t.half.y + 0.5 * s_m, t.middle, end, t.theta, 0};
    if (t.theta != 0) {
      const double gained = F * end / (exponent_ + 1) - law.potential(t.back);
      state.landed = std::fmax(t.theta / 2 * (F * s_m - gained), 0.0);
    }
    if (loss_ == 0) return state.landed;
    const double M = (1 - t.theta) * law.mean_force(t.half, 0.5 * s_m).value + t.theta * F;
    return state.landed + M * std::fmax(loss_ * s_m, -1.0) * s_m / 2;
  }
  template <class Law>
  double energy(const Law& law, const State& e) const noexcept {
    const double middle = law.potential(e.half);
    if (e.theta == 0) return middle;
    return (1 - e.theta) * middle + e.theta * (law.potential(e.from) + law.potential(e.to)) / 2;
  }
  template <class Law>
  bool holds(const Law& law, const State& e) const noexcept {
    return law.touches(e.half) || law.touches(e.from) || law.touches(e.to);
  }

 private:
  /// Lambda of the impact of the cell's mass dt^2/q at the speed s_free/2dt.
  double entry(const Port& p) const noexcept {
    if (!(p.s_free > 0)) return 0;
    const double qK = p.q * stiffness_;
    return qK / 4 * depth_((exponent_ + 1) * p.s_free * p.s_free / (8 * qK));
  }
  static double share(double lambda) noexcept {
    const double x = lambda / knee;
    const double X = x * x;
    return X < 1e15 ? most * X / (1 + X) : most;
  }
  double loss_ = 0, stiffness_ = 1, exponent_ = 1;
  Power depth_{0};
};

}  // namespace jawari
