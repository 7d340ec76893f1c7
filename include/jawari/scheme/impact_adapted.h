// SPDX-License-Identifier: MIT
// Wrappers that choose stiffness and loss of one impact when it begins.  The contact stores nothing at that instant,
// and both stay until it stores nothing again, so the energy is untouched.  Speed and mass come from the port: v =
// s_free/2dt, m = dt^2/q.  All work with one-sided laws.
//   Matched   elastic stiffness such that the simulated contact lasts as long as the exact one, or as briefly as the
//             scheme allows: from measured durations up to 12 samples, beyond by the tan and sec forms, CW17 (15),
//             (16) at exponent 1, any exponent (E9)                                                              (A1)
//   Softened  a lossy contact of too few time steps is softened until its rebound is the same at any phase. Restitution
//             depends on mu v only (PAR11 (6)), so the audible part of an unresolved lossy impact is kept        (A2)
//             and mu is raised by what the scheme loses too little at so few samples                             (A3)
//   Guarded   matched as far as the rebound allows, softened where it does not: the default.  Continuous in mu: where
//             hardly anything is lost nothing is softened
#pragma once
#include <memory>
#include <optional>
#include <type_traits>

#include "jawari/contact/scaled.h"
#include "jawari/core/number.h"
#include "jawari/core/power.h"
#include "jawari/impact/closed_form.h"
#include "jawari/impact/elastic_samples.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/measured.h"
#include "jawari/scheme/quadratised.h"

namespace jawari {

/// The changes made for the present impact.
template <class T>
struct EntryNoteOf {
  T factor = T(1);   ///< K_used/K
  T samples = T(0);  ///< contact time of the unchanged impact, in samples
  T loss = T(1);     ///< mu_used/mu
};
using StiffnessChange = EntryNoteOf<double>;

/// (A1)  phase: distance of the last half-step y^{n-1/2} before the surface, in steps.
template <Measured scheme, class P = double>
class MatchDuration {
 public:
  template <class Law>
  MatchDuration(const Law& law, double dt_s)
      : samples_(law, dt_s),
        power_(law.exponent() + 1),
        angle_(
            sqrt(P(12 * at_set_up([](double exponent) { return exact::duration_bias(exponent); }, P(law.exponent()))))),
        owned_(duration_table(scheme, static_cast<double>(plain(law.exponent())))),
        table_(owned_->view()) {}

  template <class T>
  JAWARI_HD EntryNoteOf<T> operator()(std::type_identity_t<T> v_m_s, T q,
                                      std::type_identity_t<T> phase = T(0.5)) const noexcept {
    const T N = samples_(v_m_s, q);
    return {raise(power_, T(N / nominal(N, phase))), N};
  }
  /// Elastic samples of the stiffness that makes the contact last N samples; never more than N.
  template <class T>
  JAWARI_HD T nominal(T N, T phase) const noexcept {
    if (const T M = table_.nominal_for(N, phase); M > 0.0) return min(N, M);
    const T theta = angle_ / N, ratio = tan_over(T(theta / 2)), t = ratio * theta / 2;
    return scheme == Measured::three_point ? T(N / ratio * sqrt(T(1 - t * t))) : T(N / ratio);
  }
  void scale_stiffness(P factor) noexcept {
    samples_.scale_stiffness(factor);
  }  ///< the law as built, so many times as stiff

 private:
  /// tan(x)/x for 0 <= x < pi/2 by its continued fraction.
  template <class T>
  JAWARI_HD static T tan_over(T x) noexcept {
    T below(29);
    for (int n = 27; n >= 1; n -= 2) below = n - x * x / below;
    return 1 / below;
  }
  ElasticSamplesOf<P> samples_;
  PowerOf<P> power_;
  P angle_;
  std::shared_ptr<const DurationTable> owned_;  // set-up; the time loop reads the view
  DurationView table_;
};

/// (A2), (A3)  Resolved means EntryTable::samples, about 3 to 6, and a damping rate mu K x^alpha/m of at most 1.2 per
/// sample at the largest compression.  The second condition rules from mu v of about 3 on, where the mass stops in a
/// fraction of the contact and creeps out; without it the rebound at mu v = 20 is several times too fast.
template <class P>
class SoftenUnresolvedOf {
 public:
  template <class Law>
  SoftenUnresolvedOf(const Law& law, double dt_s)
      : mu_(law.loss_factor()), exponent_(law.exponent()), elastic_(law, dt_s), power_(law.exponent() + 1) {
    if (!vanishes(mu_)) owned_ = loss_table(static_cast<double>(plain(exponent_)));
    table_ = owned_.get();
  }
  template <class T>
  JAWARI_HD EntryNoteOf<T> operator()(std::type_identity_t<T> v_m_s, T q,
                                      std::type_identity_t<T> = T(0.5)) const noexcept {
    const T N = elastic_(v_m_s, q);
    return vanishes(mu_) ? EntryNoteOf<T>{T(1), N} : note(v_m_s, N, N);
  }
  /// An impact of N elastic samples that would be simulated with the stiffness of M.
  template <class T>
  JAWARI_HD EntryNoteOf<T> note(T v_m_s, T N, T M) const noexcept {
    const T mu_v = mu_ * v_m_s, needed = table_->needed(exponent_, mu_v), used = max(M, needed);
    return {same(used, N) ? T(1) : raise(power_, T(N / used)), N * table_->longer(mu_v),
            table_->factor(mu_v, used, needed)};
  }
  template <class T>
  JAWARI_HD T samples(T v_m_s, T q) const noexcept {
    return elastic_(v_m_s, q);
  }
  JAWARI_HD P mu() const noexcept { return mu_; }
  void scale_stiffness(P factor) noexcept { elastic_.scale_stiffness(factor); }

 private:
  P mu_, exponent_;
  ElasticSamplesOf<P> elastic_;
  PowerOf<P> power_;
  std::shared_ptr<const LossTable> owned_;  // set-up; the time loop reads the pointer
  const LossTable* table_ = nullptr;
};
using SoftenUnresolved = SoftenUnresolvedOf<double>;

/// The elastic match serves lossy contacts the less the more they lose: fitted, it leaves a fifth of the bias up to mu
/// v = 2.
template <class P>
class MatchOrSoftenOf {
 public:
  template <class Law>
  MatchOrSoftenOf(const Law& law, double dt_s)
      : fade_(0.55 * law.exponent() - 0.4), match_(law, dt_s), soften_(law, dt_s) {}
  template <class T>
  JAWARI_HD EntryNoteOf<T> operator()(std::type_identity_t<T> v_m_s, T q,
                                      std::type_identity_t<T> phase) const noexcept {
    if (vanishes(soften_.mu())) return match_(v_m_s, q, phase);
    const T N = soften_.samples(v_m_s, q), less = N - match_.nominal(N, phase);
    return soften_.note(v_m_s, N, T(N - less / (1 + fade_ * soften_.mu() * v_m_s)));
  }
  void scale_stiffness(P factor) noexcept {
    match_.scale_stiffness(factor);
    soften_.scale_stiffness(factor);
  }

 private:
  P fade_;
  MatchDuration<Measured::two_point, P> match_;
  SoftenUnresolvedOf<P> soften_;
};
using MatchOrSoften = MatchOrSoftenOf<double>;

/// On numbers with derivatives: those with respect to speed, mass, stiffness and loss factor are whole; the one with
/// respect to the exponent is without that of the measured tables.
template <class S, class Policy>
class ImpactAdapted {
 public:
  using Number = NumberOf<S>;
  static constexpr int passes = S::passes;
  static constexpr bool own_stiffness = true, half_step = requires { requires S::half_step; };
  static constexpr bool one_sided = true, needs_power_form = true;
  static constexpr double samples = S::samples;
  template <class T>
  struct StateOf {
    typename S::template StateOf<T> inner;
    EntryNoteOf<T> note;
  };
  template <class T>
  struct StepOf {
    typename S::template StepOf<T> inner;
    EntryNoteOf<T> note;
  };
  using State = StateOf<Number>;
  using Step = StepOf<Number>;

  template <class Law>
  void prepare(const Law& law, double dt_s) {
    inner_.prepare(law, dt_s);
    dt_ = Number(dt_s);
    policy_.emplace(law, dt_s);
  }
  /// prepare() for the law as built, so many times as stiff: no table is made again.
  template <class Law>
  void rescale(const Law& law, double factor) noexcept {
    inner_.prepare(law, static_cast<double>(plain(dt_)));
    policy_->scale_stiffness(Number(factor));
  }
  template <class T>
  JAWARI_HD void stiffen(StateOf<T>& e, T factor) const noexcept {
    if constexpr (requires { inner_.stiffen(e.inner, factor); }) inner_.stiffen(e.inner, factor);
  }
  template <class Law, class T>
  JAWARI_HD StateOf<T> start(const Law& law, T y_m, T d_m) const noexcept {
    return {inner_.start(law, y_m, d_m), {}};
  }

  template <class Law, class T>
  JAWARI_HD StepOf<T> begin(const Law& law, const PortOf<T>& p, const StateOf<T>& state) const noexcept {
    EntryNoteOf<T> note = state.note;
    if (!holds(law, state)) {
      const bool gives = p.q > 0.0;  // else nothing moves by the contact: the impact lasts forever, and is resolved
      const bool enters = gives && p.s_free > 0.0 && p.y + max(T(p.s_free - p.d), T(0)) > 0.0;
      const T phase = (p.d - 2 * p.y) / p.s_free;  // of y^{n-1/2}, in steps of s_free/2
      note = enters ? (*policy_)(T(p.s_free / (2 * dt_)), p.q, phase) : EntryNoteOf<T>{};
    }
    return {inner_.begin(Scaled(law, note.factor, note.loss), p, state.inner), note};
  }
  template <class Law, class T>
  JAWARI_HD ResponseOf<T> respond(const Law& law, const StepOf<T>& t, T s_m) const noexcept {
    return inner_.respond(Scaled(law, t.note.factor, t.note.loss), t.inner, s_m);
  }
  template <class Law, class T>
  JAWARI_HD void refine(const Law& law, StepOf<T>& t, T s_m, T s_alone_m) const noexcept {
    inner_.refine(Scaled(law, t.note.factor, t.note.loss), t.inner, s_m, s_alone_m);
  }
  template <class Law, class T>
  JAWARI_HD T finish(const Law& law, const StepOf<T>& t, T s_m, StateOf<T>& state) const noexcept {
    state.note = t.note;
    return inner_.finish(Scaled(law, t.note.factor, t.note.loss), t.inner, s_m, state.inner);
  }
  template <class Law, class T>
  JAWARI_HD T finish(const Law& law, const StepOf<T>& t, T s_m, T f_N, StateOf<T>& state) const noexcept {
    state.note = t.note;
    return inner_.finish(Scaled(law, t.note.factor, t.note.loss), t.inner, s_m, f_N, state.inner);
  }
  template <class Law, class T>
  JAWARI_HD T energy(const Law& law, const StateOf<T>& e) const noexcept {
    return inner_.energy(Scaled(law, e.note.factor, e.note.loss), e.inner);
  }
  template <class Law, class T>
  JAWARI_HD auto holds(const Law& law, const StateOf<T>& e) const noexcept {
    return inner_.holds(law, e.inner);
  }

 private:
  S inner_;
  Number dt_ = Number(1);
  std::optional<Policy> policy_;
};

template <class P>
struct MatchedTwoPointOf : ImpactAdapted<TwoPointOf<P>, MatchDuration<Measured::two_point, P>> {
  static constexpr Facts facts{"matched-two-point", "two-point with the right contact time (elastic)",
                               "CW17 (15), any exponent: this library", order_two, 3.8};
};
using MatchedTwoPoint = MatchedTwoPointOf<double>;
template <class P>
struct MatchedThreePointOf : ImpactAdapted<ThreePointOf<P>, MatchDuration<Measured::three_point, P>> {
  static constexpr Facts facts{"matched-three-point", "three-point with the right contact time (elastic)",
                               "CW17 (16), any exponent: this library", order_two, 3.8};
};
using MatchedThreePoint = MatchedThreePointOf<double>;
template <class P>
struct MatchedSecantOnceOf : ImpactAdapted<SecantOnceOf<P>, MatchDuration<Measured::secant_once, P>> {
  static constexpr Facts facts{"matched-secant-1", "secant-1 with the right contact time (elastic)", "this library",
                               order_two, 2.7};
};
using MatchedSecantOnce = MatchedSecantOnceOf<double>;
template <class P>
struct MatchedSecantTwiceOf : ImpactAdapted<SecantTwiceOf<P>, MatchDuration<Measured::secant_twice, P>> {
  static constexpr Facts facts{"matched-secant-2", "secant-2 with the right contact time (elastic)", "this library",
                               order_two, 3.6};
};
using MatchedSecantTwice = MatchedSecantTwiceOf<double>;
template <class P>
struct SoftenedTwoPointOf : ImpactAdapted<TwoPointOf<P>, SoftenUnresolvedOf<P>> {
  static constexpr Facts facts{"softened-two-point", "two-point; unresolved lossy impacts are softened",
                               "PAR11 (6), this library", order_two, 3.8};
};
using SoftenedTwoPoint = SoftenedTwoPointOf<double>;
template <class P>
struct GuardedTwoPointOf : ImpactAdapted<TwoPointOf<P>, MatchOrSoftenOf<P>> {
  static constexpr Facts facts{
      "guarded-two-point",
      "right contact time as far as the rebound allows, softened where not: the default for masses", "this library",
      order_two, 3.8};
};
using GuardedTwoPoint = GuardedTwoPointOf<double>;

}  // namespace jawari
