// SPDX-License-Identifier: MIT
// Landing: the two-point discrete gradient beside an end-point force.  A contact point of a string lands with the mass
// of its cell, rho h, which belongs to the mesh and not to the string.  A scheme that conserves energy makes that mass
// bounce, and the bounce piles up below the cutoff as brightness.  A share theta of the force is therefore taken at the
// end of the step, which is passive by convexity and removes the bounce that the mesh does not resolve.
//   f(s) = -[(1-theta) m(a, s/2) + theta F(y^{n-1} + s)] (1 + mu s/2dt)+                                  (LD1), (G3)
//   stored (1-theta) Phi(a^{n+1/2}) + theta (Phi(y^{n+1}) + Phi(y^n))/2
//   lost   (theta/2) [F(y^{n+1}) s - Phi(y^{n+1}) + Phi(y^{n-1})] >= 0, to waves that the mesh does not carry    (LD2)
// theta is chosen while the contact stores nothing, from how well it would be resolved:
//   Lambda = q K x^(alpha-1)/4 at the deepest compression x of the cell's own impact,  X = (Lambda/0.3)^2,
//   theta = 0.15 X/(1 + X)                                                                                       (LD3)
// Contacts of many samples have theta ~ dt^4: two-point, order two.  0.15 and 0.3 are fitted (docs/theory/landing.md).
// A point whose two neighbours land at the same time bounces as the string does: theta = 0                       (LD4)
// Written on a number type T: double here, SIMD lanes in src/kernel; P is that of the law's parameters.
#pragma once
#include <cstddef>

#include "jawari/core/facts.h"
#include "jawari/core/number.h"
#include "jawari/core/port.h"
#include "jawari/core/power.h"

namespace jawari {

/// What a contact point meets, as far as landing needs it.
template <class T>
struct LandingPlaceOf {
  T share = T(1);  ///< of the receptance that belongs to distributed bodies; a lumped mass keeps its bounce
  T stretch =
      T(1);  ///< (pi/(omega_max dt))^2 relative to a bandwidth of 0.9, at least 1: modes that end far below Nyquist
};
using LandingPlace = LandingPlaceOf<double>;

template <class P>
class LandingTwoPointOf {
 public:
  using Number = P;
  static constexpr Facts facts{
      "landing-two-point", "two-point; bounces that the mesh does not resolve are absorbed: the default for barriers",
      "this library", order_two, 8.7};
  static constexpr int passes = 0;
  static constexpr bool half_step = true;
  static constexpr bool keeps_psi = false, acts_ahead = true;
  static constexpr bool one_sided = true, needs_power_form = true;
  static constexpr double samples = 3;
  static constexpr double most = 0.15, knee = 0.3;  ///< (LD3)
  static constexpr double together = 0.5;  ///< (LD4) landing times of points a cell apart that count as equal [steps]
  template <class T>
  struct StateOf {
    T half = T(0);             ///< y^{n+1/2} [m]
    T from = T(0), to = T(0);  ///< y^n, y^{n+1} [m]
    T theta = T(0);
    T landed = T(0);  ///< lost to unresolved waves in the last step [J]
    static constexpr T StateOf::*kept[] = {&StateOf::to, &StateOf::from, &StateOf::half, &StateOf::theta};
  };
  template <class T>
  struct StepOf {
    AnchorOf<T> half;  ///< y^{n-1/2}
    T back, middle;    ///< y^{n-1}, y^n [m]
    T theta;
    template <class Visit>
    JAWARI_HD void each_number(Visit&& visit) {
      visit(half.y);
      visit(half.force);
      visit(half.potential);
      visit(back);
      visit(middle);
      visit(theta);
    }
  };
  /// A point that stores nothing and does not touch stays silent while reach + reach_share s <= 0: the end of the step
  /// is deeper than its middle there.
  static constexpr double reach_share = 1;
  template <class T>
  JAWARI_HD static T reach(T y_m, T d_m) noexcept {
    return y_m - d_m;
  }
  using State = StateOf<P>;
  using Step = StepOf<P>;

  template <class Law>
  void prepare(const Law& law, double dt_s) {
    loss_ = law.loss_factor() / P(2 * dt_s);
    exponent_ = law.exponent();
    depth_ = PowerOf<P>((exponent_ - 1) / (exponent_ + 1));
  }
  /// prepare() for the same law, so many times as stiff: no table is made again.
  template <class Law>
  void rescale(const Law&, double) noexcept {}

  template <class Law, class T>
  JAWARI_HD StateOf<T> start(const Law&, T y_m, T d_m) const noexcept {
    return {y_m - d_m / 2, y_m - d_m, y_m, T(0), T(0)};
  }
  /// Inside a contact Lambda is that of the compression there.
  template <class Law, class T>
  JAWARI_HD StateOf<T> start(const Law& law, const PortOf<T>& p, const LandingPlaceOf<T>& place) const noexcept {
    StateOf<T> e = start(law, p.y, p.d);
    if (holds(law, e))
      e.theta = place.share * share(T(place.stretch * p.q * law.curvature(max(e.half, e.to)) / (4 * exponent_)));
    return e;
  }
  template <class Law, class T>
  JAWARI_HD StepOf<T> begin(const Law& law, const PortOf<T>& p, const StateOf<T>& state) const noexcept {
    return begin(law, p, state, LandingPlaceOf<T>{}, false);
  }
  /// slaps: both neighbours land at the same time (LD4)
  template <class Law, class T, class Mask>
  JAWARI_HD StepOf<T> begin(const Law& law, const PortOf<T>& p, const StateOf<T>& state, const LandingPlaceOf<T>& place,
                            const Mask& slaps) const noexcept {
    const auto kept = holds(law, state), empty = !kept;
    const StateOf<T> fresh = start(law, p.y, p.d);
    T theta = state.theta;
    if (any_lane(empty))
      theta = select(empty, select(slaps, T(0), T(place.share * share(T(place.stretch * entry(law, p))))), theta);
    return {law.anchor(select(kept, state.half, fresh.half)), select(kept, state.from, fresh.from),
            select(kept, state.to, fresh.to), theta};
  }
  template <class Law, class T>
  JAWARI_HD ResponseOf<T> respond(const Law& law, const StepOf<T>& t, T s_m) const noexcept {
    const QuotientOf<T> m = law.mean_force(t.half, T(0.5 * s_m));
    const T end = t.back + s_m;
    const T F = end_force(law, t, end);
    const T M = (1 - t.theta) * m.value + t.theta * F;
    T rise = (1 - t.theta) * 0.5 * m.slope;
    if (const auto pushes = F > 0.0; any_lane(pushes))
      rise = rise + select(pushes, t.theta * exponent_ * F / end, T(0));
    if (vanishes(loss_)) return {-M, -rise};
    const T gain = 1 + loss_ * s_m;
    const auto pulls = gain <= 0.0;
    return {select(pulls, T(0), -M * gain), select(pulls, T(0), -(rise * gain + M * loss_))};
  }
  template <class Law, class T>
  JAWARI_HD void refine(const Law&, StepOf<T>&, T, T) const noexcept {}

  /// (LD2); with loss also what (G3) takes.
  template <class Law, class T>
  JAWARI_HD T finish(const Law& law, const StepOf<T>& t, T s_m, StateOf<T>& state) const noexcept {
    const T end = t.back + s_m;
    const T F = end_force(law, t, end);
    state = {t.half.y + 0.5 * s_m, t.middle, end, t.theta, T(0)};
    if (const auto absorbs = t.theta != 0.0; any_lane(absorbs)) {
      const T gained = F * end / (exponent_ + 1) - law.potential(t.back);
      state.landed = select(absorbs, max(T(t.theta / 2 * T(F * s_m - gained)), T(0)), T(0));
    }
    if (vanishes(loss_)) return state.landed;
    const T M = (1 - t.theta) * law.mean_force(t.half, T(0.5 * s_m)).value + t.theta * F;
    return state.landed + M * max(T(loss_ * s_m), T(-1.0)) * s_m / 2;
  }
  template <class Law, class T>
  JAWARI_HD T finish(const Law& law, const StepOf<T>& t, T s_m, T, StateOf<T>& state) const noexcept {
    return finish(law, t, s_m, state);
  }
  template <class Law, class T>
  JAWARI_HD T energy(const Law& law, const StateOf<T>& e) const noexcept {
    const T middle = law.potential(e.half);
    if (vanishes(e.theta)) return middle;
    return (1 - e.theta) * middle + e.theta * (law.potential(e.from) + law.potential(e.to)) / 2;
  }
  template <class Law, class T>
  JAWARI_HD auto holds(const Law& law, const StateOf<T>& e) const noexcept {
    return law.touches(e.half) || law.touches(e.from) || law.touches(e.to);
  }

 private:
  template <class Law, class T>
  JAWARI_HD static T end_force(const Law& law, const StepOf<T>& t, T end_m) noexcept {
    const auto absorbs = t.theta != 0.0;
    if (!any_lane(absorbs)) return T(0);
    return select(absorbs, law.force(end_m), T(0));
  }
  /// Lambda of the impact of the cell's mass dt^2/q at the speed s_free/2dt.
  template <class Law, class T>
  JAWARI_HD T entry(const Law& law, const PortOf<T>& p) const noexcept {
    const T qK = p.q * T(law.stiffness());
    const auto comes = p.s_free > 0.0 && qK > 0.0;  // q = 0: no force moves the point
    if (!any_lane(comes)) return T(0);
    return select(comes, qK / 4 * raise(depth_, T((exponent_ + 1) * p.s_free * p.s_free / (8 * qK))), T(0));
  }
  template <class T>
  JAWARI_HD static T share(T lambda) noexcept {
    const T x = lambda / knee;
    const T X = x * x;
    return select(X >= 1e15, T(most), most * X / (1 + X));
  }
  P loss_ = P(0), exponent_ = P(1);
  PowerOf<P> depth_{P(0)};
};
using LandingTwoPoint = LandingTwoPointOf<double>;

/// Schemes that absorb landings: they are given the place of the point and the times of its neighbours.
template <class Scheme>
inline constexpr bool lands = requires(typename Scheme::State state) {
  state.landed;
};

/// When the mean position of two samples meets the barrier, in steps; for a point on its way there.
JAWARI_HD inline double landing_time(double clock, double half_m, double s_m) noexcept {
  return clock - 2 * half_m / s_m;
}

/// (LD4) Both neighbours, where there are two, land at the same time as this point, by the free motion.
/// line: points side by side; half(k) = y^{n-1/2}, s_free(k), holds(k), apart(k, time) from when its contact began.
template <class Points>
JAWARI_HD bool slaps(const Points& line, std::size_t i, std::size_t count, double together) noexcept {
  if (together == 0 || count < 2 || !(line.s_free(i) > 0)) return false;
  const double when = landing_time(line.clock, line.half(i), line.s_free(i));
  const auto with = [&](std::size_t k) {
    if (line.holds(k)) return line.apart(k, when) <= together;
    return line.s_free(k) > 0 && abs(landing_time(line.clock, line.half(k), line.s_free(k)) - when) <= together;
  };
  return (i == 0 || with(i - 1)) && (i + 1 == count || with(i + 1));
}

}  // namespace jawari
