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
// Written on a number type T: double here, SIMD lanes in src/kernel.
#pragma once
#include <cmath>
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

class LandingTwoPoint {
 public:
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
  };
  using State = StateOf<double>;
  using Step = StepOf<double>;

  template <class Law>
  void prepare(const Law& law, double dt_s) {
    loss_ = law.loss_factor() / (2 * dt_s);
    stiffness_ = law.stiffness();
    exponent_ = law.exponent();
    depth_ = Power((exponent_ - 1) / (exponent_ + 1));
  }
  /// prepare() for the same law, so many times as stiff: no table is made again.
  template <class Law>
  void rescale(const Law& law, double) noexcept {
    stiffness_ = law.stiffness();
  }

  template <class Law, class T>
  StateOf<T> start(const Law&, T y_m, T d_m) const noexcept {
    return {y_m - d_m / 2, y_m - d_m, y_m, T(0), T(0)};
  }
  /// Inside a contact Lambda is that of the compression there.
  template <class Law>
  State start(const Law& law, const Port& p, const LandingPlace& place) const noexcept {
    State e = start(law, p.y, p.d);
    if (holds(law, e))
      e.theta = place.share * share(place.stretch * p.q * law.curvature(std::fmax(e.half, e.to)) / (4 * exponent_));
    return e;
  }
  template <class Law>
  Step begin(const Law& law, const Port& p, const State& state) const noexcept {
    return begin(law, p, state, LandingPlace{}, false);
  }
  /// slaps: both neighbours land at the same time (LD4)
  template <class Law, class T, class Mask>
  StepOf<T> begin(const Law& law, const PortOf<T>& p, const StateOf<T>& state, const LandingPlaceOf<T>& place,
                  const Mask& slaps) const noexcept {
    const auto kept = holds(law, state), empty = !kept;
    const StateOf<T> fresh = start(law, p.y, p.d);
    T theta = state.theta;
    if (any_lane(empty))
      theta = select(empty, select(slaps, T(0), T(place.share * share(T(place.stretch * entry(p))))), theta);
    return {law.anchor(select(kept, state.half, fresh.half)), select(kept, state.from, fresh.from),
            select(kept, state.to, fresh.to), theta};
  }
  template <class Law, class T>
  ResponseOf<T> respond(const Law& law, const StepOf<T>& t, T s_m) const noexcept {
    const QuotientOf<T> m = law.mean_force(t.half, T(0.5 * s_m));
    const T end = t.back + s_m, F = end_force(law, t, end);
    const T M = (1 - t.theta) * m.value + t.theta * F;
    T rise = (1 - t.theta) * 0.5 * m.slope;
    if (const auto pushes = F > 0.0; any_lane(pushes))
      rise = rise + select(pushes, t.theta * exponent_ * F / end, T(0));
    if (loss_ == 0) return {-M, -rise};
    const T gain = 1 + loss_ * s_m;
    const auto pulls = gain <= 0.0;
    return {select(pulls, T(0), -M * gain), select(pulls, T(0), -(rise * gain + M * loss_))};
  }
  template <class Law, class T>
  void refine(const Law&, StepOf<T>&, T, T) const noexcept {}

  /// (LD2); with loss also what (G3) takes.
  template <class Law, class T>
  T finish(const Law& law, const StepOf<T>& t, T s_m, StateOf<T>& state) const noexcept {
    const T end = t.back + s_m, F = end_force(law, t, end);
    state = {t.half.y + 0.5 * s_m, t.middle, end, t.theta, T(0)};
    if (const auto absorbs = t.theta != 0.0; any_lane(absorbs)) {
      const T gained = F * end / (exponent_ + 1) - law.potential(t.back);
      state.landed = select(absorbs, max(T(t.theta / 2 * T(F * s_m - gained)), T(0)), T(0));
    }
    if (loss_ == 0) return state.landed;
    const T M = (1 - t.theta) * law.mean_force(t.half, T(0.5 * s_m)).value + t.theta * F;
    return state.landed + M * max(T(loss_ * s_m), T(-1.0)) * s_m / 2;
  }
  template <class Law, class T>
  T finish(const Law& law, const StepOf<T>& t, T s_m, T, StateOf<T>& state) const noexcept {
    return finish(law, t, s_m, state);
  }
  template <class Law>
  double energy(const Law& law, const State& e) const noexcept {
    const double middle = law.potential(e.half);
    if (e.theta == 0) return middle;
    return (1 - e.theta) * middle + e.theta * (law.potential(e.from) + law.potential(e.to)) / 2;
  }
  template <class Law, class T>
  auto holds(const Law& law, const StateOf<T>& e) const noexcept {
    return law.touches(e.half) || law.touches(e.from) || law.touches(e.to);
  }

 private:
  template <class Law, class T>
  static T end_force(const Law& law, const StepOf<T>& t, T end_m) noexcept {
    const auto absorbs = t.theta != 0.0;
    if (!any_lane(absorbs)) return T(0);
    return select(absorbs, law.force(end_m), T(0));
  }
  /// Lambda of the impact of the cell's mass dt^2/q at the speed s_free/2dt.
  template <class T>
  T entry(const PortOf<T>& p) const noexcept {
    const T qK = p.q * stiffness_;
    const auto comes = p.s_free > 0.0 && qK > 0.0;  // q = 0: no force moves the point
    if (!any_lane(comes)) return T(0);
    return select(comes, qK / 4 * raise(depth_, T((exponent_ + 1) * p.s_free * p.s_free / (8 * qK))), T(0));
  }
  template <class T>
  static T share(T lambda) noexcept {
    const T x = lambda / knee;
    const T X = x * x;
    return select(X >= 1e15, T(most), most * X / (1 + X));
  }
  double loss_ = 0, stiffness_ = 1, exponent_ = 1;
  Power depth_{0};
};

/// Schemes that absorb landings: they are given the place of the point and the times of its neighbours.
template <class Scheme>
inline constexpr bool lands = requires(typename Scheme::State state) {
  state.landed;
};

/// When the mean position of two samples meets the barrier, in steps; for a point on its way there.
inline double landing_time(double clock, double half_m, double s_m) noexcept { return clock - 2 * half_m / s_m; }

/// (LD4) Both neighbours, where there are two, land at the same time as this point, by the free motion.
/// line: points side by side; half(k) = y^{n-1/2}, s_free(k), holds(k), apart(k, time) from when its contact began.
template <class Points>
bool slaps(const Points& line, std::size_t i, std::size_t count, double together) noexcept {
  if (together == 0 || count < 2 || !(line.s_free(i) > 0)) return false;
  const double when = landing_time(line.clock, line.half(i), line.s_free(i));
  const auto with = [&](std::size_t k) {
    if (line.holds(k)) return line.apart(k, when) <= together;
    return line.s_free(k) > 0 && std::abs(landing_time(line.clock, line.half(k), line.s_free(k)) - when) <= together;
  };
  return (i == 0 || with(i - 1)) && (i + 1 == count || with(i + 1));
}

}  // namespace jawari
