// SPDX-License-Identifier: MIT
// Wrappers that choose the stiffness of one impact when it begins.  The contact stores nothing at that instant, and
// the stiffness stays until it stores nothing again, so the energy is untouched.  Speed and mass come from the port:
// v = s_free/2dt, m = dt^2/q.  All work with one-sided laws.
//   Matched   elastic stiffness such that the simulated contact lasts as long as the real one         (A1), exact (E9)
//             two-point and secant by the tan form, three-point by the sec form; exponent 1: CW17 (15), (16)
//   Softened  a lossy contact of too few time steps is softened until it is resolved.  Restitution depends on mu v
//             only (PAR11 (6)), so this keeps what one hears of an unresolved lossy impact                (A2)
//   Guarded   Softened where there is loss, Matched where there is none: the default
#pragma once
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <optional>

#include "jawari/contact/scaled.h"
#include "jawari/core/power.h"
#include "jawari/impact/closed_form.h"
#include "jawari/impact/elastic_samples.h"
#include "jawari/impact/entry_table.h"
#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"

namespace jawari {

/// What was done to the stiffness of the impact under way.
struct EntryNote {
  double factor = 1;   ///< K_used/K
  double samples = 0;  ///< contact time of the unchanged impact, in samples
};

/// (A1)
template <exact::Match form>
class MatchDuration {
 public:
  template <ContactLaw Law>
  MatchDuration(const Law& law, double dt_s)
      : samples_(law, dt_s), power_(law.exponent() + 1), angle_(std::sqrt(12 * exact::duration_bias(law.exponent()))) {}

  EntryNote operator()(double v_m_s, double q) const noexcept {
    const double N = samples_(v_m_s, q), theta = angle_ / N;
    if (!(theta < (form == exact::Match::tan ? std::numbers::pi : std::numbers::pi / 2))) return {1, N};
    const double ratio = tan_over(theta / 2), t = ratio * theta / 2;
    return {power_(form == exact::Match::tan ? ratio : ratio / root(1 - t * t)), N};
  }
  void weigh(double factor) noexcept { samples_.weigh(factor); }  ///< the same law, so many times as stiff

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
};

/// (A2)  Resolved means 8 + 1.5 alpha samples in contact, and a damping rate mu K x^alpha/m of at most 1.5 per sample at
/// the largest compression: restitution is then within 1.6 % at any entry phase and mu v.  The second condition rules from
/// mu v of about 3 (exponent 4) to 8 (exponent 1) on, where the mass stops in a fraction of the contact and creeps out;
/// without it the rebound at mu v = 20 is several times too fast.
class SoftenUnresolved {
 public:
  static double samples(double exponent) noexcept { return EntryTable::samples(exponent); }

  template <ContactLaw Law>
  SoftenUnresolved(const Law& law, double dt_s)
      : mu_(law.loss_factor()), elastic_(law, dt_s), power_(law.exponent() + 1) {
    if (mu_ > 0) table_ = entry_table(law.exponent());
  }
  EntryNote operator()(double v_m_s, double q) const noexcept {
    const double N = elastic_(v_m_s, q);
    if (mu_ == 0) return {1, N};
    const double needed = read(table_.needed, mu_ * v_m_s);  // elastic samples
    return {N < needed ? power_(N / needed) : 1, N * read(table_.longer, mu_ * v_m_s)};
  }
  void weigh(double factor) noexcept { elastic_.weigh(factor); }

 private:
  static double knot(std::size_t j) noexcept { return EntryTable::knot(j); }
  static double read(const EntryTable::Column& table, double mu_v) noexcept {
    if (!(mu_v > knot(0))) return table.front();
    if (mu_v >= knot(EntryTable::knots - 1)) return table.back();
    const auto j = static_cast<std::size_t>((std::bit_cast<std::uint64_t>(mu_v) >> 51) - 2 * (1023 + EntryTable::first));
    return table[j] + (mu_v - knot(j)) / (knot(j + 1) - knot(j)) * (table[j + 1] - table[j]);
  }
  double mu_;
  ElasticSamples elastic_;
  Power power_;
  EntryTable table_;
};

class Guard {
 public:
  template <ContactLaw Law>
  Guard(const Law& law, double dt_s) : lossy_(law.loss_factor() > 0), match_(law, dt_s), soften_(law, dt_s) {}
  EntryNote operator()(double v_m_s, double q) const noexcept {
    return lossy_ ? soften_(v_m_s, q) : match_(v_m_s, q);
  }
  void weigh(double factor) noexcept {
    match_.weigh(factor);
    soften_.weigh(factor);
  }

 private:
  bool lossy_;
  MatchDuration<exact::Match::tan> match_;
  SoftenUnresolved soften_;
};

template <class S, class Policy>
class AtEntry {
 public:
  static constexpr int passes = S::passes;
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
  /// prepare() for the same law, so many times as stiff: no table is made again.
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
      const bool enters = p.s_free > 0 && p.y + std::fmax(p.s_free - p.d, 0.0) > 0;
      note = enters ? (*policy_)(p.s_free / (2 * dt_), p.q) : EntryNote{};
    }
    return {inner_.begin(Scaled(law, note.factor), p, state.inner), note};
  }
  template <ContactLaw Law>
  Response respond(const Law& law, const Step& t, double s_m) const noexcept {
    return inner_.respond(Scaled(law, t.note.factor), t.inner, s_m);
  }
  template <ContactLaw Law>
  void refine(const Law& law, Step& t, double s_m, double s_alone_m) const noexcept {
    inner_.refine(Scaled(law, t.note.factor), t.inner, s_m, s_alone_m);
  }
  template <ContactLaw Law>
  double finish(const Law& law, const Step& t, double s_m, State& state) const noexcept {
    state.note = t.note;
    return inner_.finish(Scaled(law, t.note.factor), t.inner, s_m, state.inner);
  }
  template <ContactLaw Law>
  double finish(const Law& law, const Step& t, double s_m, double f_N, State& state) const noexcept {
    state.note = t.note;
    return inner_.finish(Scaled(law, t.note.factor), t.inner, s_m, f_N, state.inner);
  }
  template <ContactLaw Law>
  double energy(const Law& law, const State& e) const noexcept {
    return inner_.energy(Scaled(law, e.note.factor), e.inner);
  }
  template <ContactLaw Law>
  bool holds(const Law& law, const State& e) const noexcept { return inner_.holds(law, e.inner); }

 private:
  S inner_;
  double dt_ = 1;
  std::optional<Policy> policy_;
};

struct MatchedTwoPoint : AtEntry<TwoPoint, MatchDuration<exact::Match::tan>> {
  static constexpr Facts facts{"matched-two-point", "two-point with the right contact time (elastic)",
                               "CW17 (15), any exponent: this library", order_two, 3.8};
};
struct MatchedThreePoint : AtEntry<ThreePoint, MatchDuration<exact::Match::sec>> {
  static constexpr Facts facts{"matched-three-point", "three-point with the right contact time (elastic)",
                               "CW17 (16), any exponent: this library", order_two, 3.8};
};
struct MatchedSecantOnce : AtEntry<SecantOnce, MatchDuration<exact::Match::tan>> {
  static constexpr Facts facts{"matched-secant-1", "secant-1 with the right contact time (elastic)", "this library",
                               order_two, 2.7};
};
struct MatchedSecantTwice : AtEntry<SecantTwice, MatchDuration<exact::Match::tan>> {
  static constexpr Facts facts{"matched-secant-2", "secant-2 with the right contact time (elastic)", "this library",
                               order_two, 3.6};
};
struct SoftenedTwoPoint : AtEntry<TwoPoint, SoftenUnresolved> {
  static constexpr Facts facts{"softened-two-point", "two-point; unresolved lossy impacts are softened",
                               "PAR11 (6), this library", order_two, 3.8};
};
struct GuardedTwoPoint : AtEntry<TwoPoint, Guard> {
  static constexpr Facts facts{"guarded-two-point", "softened with loss, matched without: the default for masses",
                               "this library", order_two, 3.8};
};

}  // namespace jawari
