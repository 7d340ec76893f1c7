// SPDX-License-Identifier: MIT
// Wrappers that choose stiffness and loss of one impact when it begins.  The contact stores nothing at that instant, and
// both stay until it stores nothing again, so the energy is untouched.  Speed and mass come from the port:
// v = s_free/2dt, m = dt^2/q.  All work with one-sided laws.
//   Matched   elastic stiffness such that the simulated contact lasts as long as the real one, or as briefly as the scheme
//             can: from measured durations up to 12 samples, beyond by the tan and sec forms, CW17 (15), (16) at exponent 1,
//             any exponent (E9)                                                                               (A1)
//   Softened  a lossy contact of too few time steps is softened until its rebound is the same at any phase.  Restitution
//             depends on mu v only (PAR11 (6)), so this keeps what one hears of an unresolved lossy impact       (A2)
//             and mu is raised by what the scheme loses too little at so few samples                             (A3)
//   Guarded   matched as far as the rebound allows, softened where it does not: the default.  Continuous in mu: where
//             hardly anything is lost nothing is softened
#pragma once
#include <cmath>
#include <memory>
#include <numbers>
#include <optional>

#include "jawari/contact/scaled.h"
#include "jawari/core/power.h"
#include "jawari/impact/closed_form.h"
#include "jawari/impact/elastic_samples.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/measured.h"
#include "jawari/scheme/quadratised.h"

namespace jawari {

/// What was done to the impact under way.
struct EntryNote {
  double factor = 1;   ///< K_used/K
  double samples = 0;  ///< contact time of the unchanged impact, in samples
  double loss = 1;     ///< mu_used/mu
};

/// (A1)  phase: how far before the surface the last half-step y^{n-1/2} was, in steps.
template <Measured scheme>
class MatchDuration {
 public:
  template <ContactLaw Law>
  MatchDuration(const Law& law, double dt_s)
      : samples_(law, dt_s), power_(law.exponent() + 1), angle_(std::sqrt(12 * exact::duration_bias(law.exponent()))),
        table_(duration_table(scheme, law.exponent())) {}

  EntryNote operator()(double v_m_s, double q, double phase = 0.5) const noexcept {
    const double N = samples_(v_m_s, q);
    return {power_(N / nominal(N, phase)), N};
  }
  /// Elastic samples of the stiffness that makes the contact last N samples; never more than N.
  double nominal(double N, double phase) const noexcept {
    if (const double M = table_->nominal_for(N, phase); M > 0) return std::fmin(M, N);
    const double theta = angle_ / N, ratio = tan_over(theta / 2), t = ratio * theta / 2;
    return scheme == Measured::three_point ? N / ratio * root(1 - t * t) : N / ratio;
  }
  void weigh(double factor) noexcept { samples_.weigh(factor); }  ///< the law as built, so many times as stiff

 private:
  /// tan(x)/x for 0 <= x < pi/2 by its continued fraction.
  static double tan_over(double x) noexcept {
    double below = 29;
    for (int n = 27; n >= 1; n -= 2) below = n - x * x / below;
    return 1 / below;
  }
  ElasticSamples samples_;
  Power power_;
  double angle_;
  std::shared_ptr<const DurationTable> table_;
};

/// (A2), (A3)  Resolved means EntryTable::samples, about 3 to 6, and a damping rate mu K x^alpha/m of at most 1.2 per sample at
/// the largest compression.  The second condition rules from mu v of about 3 on, where the mass stops in a fraction of the
/// contact and creeps out; without it the rebound at mu v = 20 is several times too fast.
class SoftenUnresolved {
 public:
  template <ContactLaw Law>
  SoftenUnresolved(const Law& law, double dt_s)
      : mu_(law.loss_factor()), exponent_(law.exponent()), elastic_(law, dt_s), power_(law.exponent() + 1) {
    if (mu_ != 0) table_ = loss_table(exponent_);
  }
  EntryNote operator()(double v_m_s, double q, double = 0.5) const noexcept {
    const double N = elastic_(v_m_s, q);
    return mu_ == 0 ? EntryNote{1, N} : note(v_m_s, N, N);
  }
  /// An impact of N elastic samples that would be simulated with the stiffness of M.
  EntryNote note(double v_m_s, double N, double M) const noexcept {
    const double mu_v = mu_ * v_m_s, needed = table_->needed(exponent_, mu_v), used = std::fmax(M, needed);
    return {used == N ? 1 : power_(N / used), N * table_->longer(mu_v), table_->factor(mu_v, used, needed)};
  }
  double samples(double v_m_s, double q) const noexcept { return elastic_(v_m_s, q); }
  double mu() const noexcept { return mu_; }
  void weigh(double factor) noexcept { elastic_.weigh(factor); }

 private:
  double mu_, exponent_;
  ElasticSamples elastic_;
  Power power_;
  std::shared_ptr<const LossTable> table_;
};

/// The elastic match serves lossy contacts the less the more they lose: fitted, it leaves a fifth of the bias up to mu v = 2.
class Guard {
 public:
  template <ContactLaw Law>
  Guard(const Law& law, double dt_s) : fade_(0.55 * law.exponent() - 0.4), match_(law, dt_s), soften_(law, dt_s) {}
  EntryNote operator()(double v_m_s, double q, double phase) const noexcept {
    if (soften_.mu() == 0) return match_(v_m_s, q, phase);
    const double N = soften_.samples(v_m_s, q), less = N - match_.nominal(N, phase);
    return soften_.note(v_m_s, N, N - less / (1 + fade_ * soften_.mu() * v_m_s));
  }
  void weigh(double factor) noexcept {
    match_.weigh(factor);
    soften_.weigh(factor);
  }

 private:
  double fade_;
  MatchDuration<Measured::two_point> match_;
  SoftenUnresolved soften_;
};

template <class S, class Policy>
class AtEntry {
 public:
  static constexpr int passes = S::passes;
  static constexpr bool own_stiffness = true, half_step = requires { requires S::half_step; };
  static constexpr double samples = S::samples;
  struct State {
    typename S::State inner;
    EntryNote note;
  };
  struct Step {
    typename S::Step inner;
    EntryNote note;
  };

  template <ContactLaw Law>
  void prepare(const Law& law, double dt_s) {
    inner_.prepare(law, dt_s), dt_ = dt_s, policy_.emplace(law, dt_s);
  }
  /// prepare() for the law as built, so many times as stiff: no table is made again.
  template <ContactLaw Law>
  void reweigh(const Law& law, double factor) noexcept {
    inner_.prepare(law, dt_);
    policy_->weigh(factor);
  }
  void stiffen(State& e, double factor) const noexcept {
    if constexpr (requires { inner_.stiffen(e.inner, factor); }) inner_.stiffen(e.inner, factor);
  }
  template <ContactLaw Law>
  State start(const Law& law, double y_m, double d_m) const noexcept { return {inner_.start(law, y_m, d_m), {}}; }

  template <ContactLaw Law>
  Step begin(const Law& law, const Port& p, const State& state) const noexcept {
    EntryNote note = state.note;
    if (!holds(law, state)) {
      const bool gives = p.q > 0;  // else nothing moves by the contact: the impact lasts forever, and is resolved
      const bool enters = gives && p.s_free > 0 && p.y + std::fmax(p.s_free - p.d, 0.0) > 0;
      const double phase = (p.d - 2 * p.y) / p.s_free;  // of y^{n-1/2}, in steps of s_free/2
      note = enters ? (*policy_)(p.s_free / (2 * dt_), p.q, phase) : EntryNote{};
    }
    return {inner_.begin(Scaled(law, note.factor, note.loss), p, state.inner), note};
  }
  template <ContactLaw Law>
  Response respond(const Law& law, const Step& t, double s_m) const noexcept {
    return inner_.respond(Scaled(law, t.note.factor, t.note.loss), t.inner, s_m);
  }
  template <ContactLaw Law>
  void refine(const Law& law, Step& t, double s_m, double s_alone_m) const noexcept {
    inner_.refine(Scaled(law, t.note.factor, t.note.loss), t.inner, s_m, s_alone_m);
  }
  template <ContactLaw Law>
  double finish(const Law& law, const Step& t, double s_m, State& state) const noexcept {
    state.note = t.note;
    return inner_.finish(Scaled(law, t.note.factor, t.note.loss), t.inner, s_m, state.inner);
  }
  template <ContactLaw Law>
  double finish(const Law& law, const Step& t, double s_m, double f_N, State& state) const noexcept {
    state.note = t.note;
    return inner_.finish(Scaled(law, t.note.factor, t.note.loss), t.inner, s_m, f_N, state.inner);
  }
  template <ContactLaw Law>
  double energy(const Law& law, const State& e) const noexcept {
    return inner_.energy(Scaled(law, e.note.factor, e.note.loss), e.inner);
  }
  template <ContactLaw Law>
  bool holds(const Law& law, const State& e) const noexcept { return inner_.holds(law, e.inner); }

 private:
  S inner_;
  double dt_ = 1;
  std::optional<Policy> policy_;
};

struct MatchedTwoPoint : AtEntry<TwoPoint, MatchDuration<Measured::two_point>> {
  static constexpr Facts facts{"matched-two-point", "two-point with the right contact time (elastic)",
                               "CW17 (15), any exponent: this library", order_two, 3.8};
};
struct MatchedThreePoint : AtEntry<ThreePoint, MatchDuration<Measured::three_point>> {
  static constexpr Facts facts{"matched-three-point", "three-point with the right contact time (elastic)",
                               "CW17 (16), any exponent: this library", order_two, 3.8};
};
struct MatchedSecantOnce : AtEntry<SecantOnce, MatchDuration<Measured::secant_once>> {
  static constexpr Facts facts{"matched-secant-1", "secant-1 with the right contact time (elastic)", "this library",
                               order_two, 2.7};
};
struct MatchedSecantTwice : AtEntry<SecantTwice, MatchDuration<Measured::secant_twice>> {
  static constexpr Facts facts{"matched-secant-2", "secant-2 with the right contact time (elastic)", "this library",
                               order_two, 3.6};
};
struct SoftenedTwoPoint : AtEntry<TwoPoint, SoftenUnresolved> {
  static constexpr Facts facts{"softened-two-point", "two-point; unresolved lossy impacts are softened",
                               "PAR11 (6), this library", order_two, 3.8};
};
struct GuardedTwoPoint : AtEntry<TwoPoint, Guard> {
  static constexpr Facts facts{"guarded-two-point", "right contact time as far as the rebound allows, softened where not: the default for masses",
                               "this library", order_two, 3.8};
};

}  // namespace jawari
