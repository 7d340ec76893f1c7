// SPDX-License-Identifier: MIT
// A line of contact points that share one law and one scheme, both types erased: the only place where law x scheme
// is a product.  One virtual call per line and pass, not per point; the loops inside are monomorphic.
// Energy is read from the state (positions, psi), never summed up from f s/2: that would balance any error away.
#pragma once
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <limits>
#include <memory>
#include <span>
#include <type_traits>
#include <utility>
#include <vector>

#include "jawari/core/archive.h"
#include "jawari/core/sum.h"
#include "jawari/couple/contact_point.h"
#include "jawari/couple/contact_record.h"
#include "jawari/couple/single_port.h"
#include "jawari/impact/elastic_samples.h"
#include "jawari/scheme/landing.h"

namespace jawari {

/// Some points of a line, ascending.  Room for all of them, also in a copy.
class PointList {
 public:
  explicit PointList(std::size_t points) : at_(points) {}
  std::size_t size() const noexcept { return count_; }
  bool empty() const noexcept { return count_ == 0; }
  std::uint32_t operator[](std::size_t i) const noexcept { return at_[i]; }
  const std::uint32_t* begin() const noexcept { return at_.data(); }
  const std::uint32_t* end() const noexcept { return at_.data() + count_; }
  void clear() noexcept { count_ = 0; }
  void add(std::size_t point) noexcept { at_[count_++] = static_cast<std::uint32_t>(point); }
  void all(std::size_t points) noexcept {
    clear();
    for (std::size_t i = 0; i < points; ++i) add(i);
  }

 private:
  std::vector<std::uint32_t> at_;
  std::size_t count_ = 0;
};

class ContactLine {
 public:
  explicit ContactLine(std::size_t points) : taking_part(points), port(points), s(points), phi(points), place(points) {}
  virtual ~ContactLine() = default;
  virtual std::unique_ptr<ContactLine> clone() const = 0;  ///< another one in the same state; allocates
  virtual int passes() const noexcept = 0;
  virtual bool smooth() const noexcept { return true; }  ///< false: friction, whose answer depends on phi too
  /// Friction: a curve that rises over this width, for an island whose active set goes in circles; 0: an active set.
  virtual void widen(double /*width_m*/) noexcept {}
  virtual void start() noexcept = 0;  ///< state from port y and d: first step, or a change of scheme
  /// Lists the points that take part in a step: those that can touch by their own motion.  False: none, s_free is the
  /// step.
  virtual bool detect() noexcept = 0;
  virtual void begin(bool all) noexcept = 0;  ///< the step of those points, or of all of them
  /// Points that others have pushed so far that they touch, by `s` of all points, take part too.  False: there are
  /// none.
  virtual bool join() noexcept { return false; }
  virtual void solve_independent() noexcept = 0;  ///< Q diagonal: point by point, between begin(false) and finish
  /// Of the points that take part; the spans are as long as their list.
  virtual void respond(std::span<const double> s_m, std::span<double> f_N, std::span<double> b) noexcept = 0;
  /// One port by itself, as it answers in this step: the force that holds s = s_free + q f.
  virtual double answer(std::size_t point, double s_free_m, double q, Outcome& out) noexcept = 0;
  virtual void refine(std::span<const double> s_m, std::span<const double> phi_N) noexcept = 0;
  virtual void finish() noexcept = 0;
  /// All of a step of a line of independent points, from their ports to their state.  Returns the force of the first
  /// one.
  virtual double step_independent() noexcept { return step_as(*this); }
  virtual double stored() const noexcept = 0;  ///< [J]
  virtual double stored(std::size_t point) const noexcept = 0;
  /// The law at rest: elastic force with its loss at a speed, never pulling back, and the slope of the elastic force.
  virtual double force_at(double y_m, double v_m_s) const noexcept = 0;
  virtual double slope_at(double y_m) const noexcept = 0;
  /// So many times the stiffness it was made with; what is stored follows, the owner accounts for the difference.
  /// False: it has none.
  virtual bool scale_stiffness(double /*factor*/) noexcept { return false; }
  /// The scheme's states as they lie in memory, for kernels of the same scheme (kernel/kernel_factory.h).
  virtual std::span<std::byte> states() noexcept = 0;
  std::span<const std::byte> states() const noexcept { return const_cast<ContactLine*>(this)->states(); }
  /// How long the contacts under way have lasted, per point; for the same kernels.
  virtual std::span<std::int64_t> samples() noexcept { return {}; }

  /// (P3) s is known to eps times the terms that it is the sum of, and f(s) to |b| times that: the work of a step to
  /// eps terms (|f| + |b s|)/2.  No account is kept better than the sum of these; summed up where it is asked for.
  void watch_rounding() {
    for (auto* v : {&slopes_, &forces_, &trials_}) v->assign(port.size(), 0.0);
  }
  bool watched() const noexcept { return !slopes_.empty(); }
  void note_rounding(std::size_t point, double terms_m, double b) noexcept {
    constexpr double eps = std::numeric_limits<double>::epsilon();
    const double slope = smooth() ? b : 0;  // friction is what it is whatever s
    if (phi[point] != 0) rounding_J += eps * terms_m * (std::abs(phi[point]) + std::abs(slope * s[point])) / 2;
  }
  void note_rounding() noexcept {  ///< of points solved one by one, before finish()
    for (std::size_t k = 0; k < taking_part.size(); ++k) trials_[k] = s[taking_part[k]];
    respond(trials_, forces_, slopes_);
    for (std::size_t k = 0; k < taking_part.size(); ++k) {
      const std::size_t i = taking_part[k];
      note_rounding(i, std::abs(port[i].s_free) + std::abs(port[i].q * phi[i]), slopes_[k]);
    }
  }

  /// What it carries from step to step; not its stiffness, which the owner sets first.
  virtual void archive(Archive& a) noexcept {
    a(port, s, phi, scale_m, lost, landed, rounding_J, record);
    a.raw(states());
    a.raw(std::as_writable_bytes(samples()));
  }

  PointList taking_part;            ///< points, in this step
  std::vector<Port> port;           ///< written before begin()
  std::vector<double> s, phi;       ///< solution: double step [m], force along +y [N]
  double scale_m = 0;               ///< largest free step of its island, written before begin()
  Sum lost;                         ///< [J]
  Sum landed;                       ///< of it: to waves that the mesh does not carry (scheme/landing.h) [J]
  std::vector<LandingPlace> place;  ///< per point, for landing; written before start()
  double together =
      0;  ///< (LD4) points side by side on a string whose landing times differ by less bounce [steps]; 0: none
  std::vector<double>
      landed_at;     ///< per point, for landing: when the contact under way began, by `clock`; empty: it does not land
  double clock = 0;  ///< for landing: steps so far
  double rounding_J = 0;  ///< (P3), since watch_rounding()
  ContactRecord record;

 protected:
  /// A line of a type that is known calls its own functions directly.
  template <class L>
  static double step_as(L& line) noexcept {
    if (!line.detect()) return 0;
    line.begin(false);
    line.solve_independent();
    if (line.watched()) line.note_rounding();
    line.finish();
    return line.phi[0];
  }

 private:
  std::vector<double> forces_, slopes_, trials_;  // of note_rounding
};

class ActiveSubsetLine;  // active_subset_line.h

/// subset: only selected points take part in a step, and ports are those of the selected points.
template <ContactLaw Law, class S, bool subset = false>
requires SchemeFor<S, Law>
class Line final : public std::conditional_t<subset, ActiveSubsetLine, ContactLine> {
  using Base = std::conditional_t<subset, ActiveSubsetLine, ContactLine>;

 public:
  using Base::port, Base::s, Base::phi, Base::taking_part, Base::place, Base::together, Base::landed_at, Base::clock,
      Base::lost, Base::landed, Base::record;
  Line(Law law, S scheme, std::size_t points, double dt_s)
      : Base(points),
        law_(std::move(law)),
        scheme_(std::move(scheme)),
        state_(points),
        step_(points),
        near_(points, 0),
        samples_(points, 0),
        true_samples_(law_, dt_s),
        dt_(dt_s) {
    scheme_.prepare(law_, dt_s);
    if constexpr (lands<S>) landed_at.assign(points, -1e300);
  }
  std::unique_ptr<ContactLine> clone() const override { return std::make_unique<Line>(*this); }
  int passes() const noexcept override { return S::passes; }
  void start() noexcept override {
    for (std::size_t i = 0; i < port.size(); ++i) {
      if constexpr (lands<S>)
        state(i) = scheme_.start(law_, port[i], place[point(i)]);
      else
        state(i) = scheme_.start(law_, port[i].y, port[i].d);
    }
  }
  bool detect() noexcept override {
    if constexpr (lands<S> && !subset) clock += 1;
    for (std::size_t i = 0; i < port.size(); ++i) {
      const Port& p = port[i];
      near_[i] = may_touch(law_, p) || samples_[point(i)] > 0 || scheme_.holds(law_, state(i));
      s[i] = p.s_free;
      phi[i] = 0;
    }
    return list_near();
  }
  void begin(bool all) noexcept override {
    if (all) {
      std::fill_n(near_.begin(), port.size(), char{1});
      list_near();
    }
    for (const std::size_t i : taking_part) {
      if constexpr (lands<S>)
        step_[i] = scheme_.begin(law_, port[i], state(i), place[point(i)],
                                 slaps(Side{*this, clock}, point(i), state_.size(), together));
      else
        step_[i] = scheme_.begin(law_, port[i], state(i));
    }
  }
  bool join() noexcept override {
    bool any = false;
    for (std::size_t i = 0; i < port.size(); ++i) {
      if (near_[i] || !law_.touches(port[i].y - port[i].d + s[i])) continue;
      near_[i] = 1;
      any = true;
    }
    if (any) list_near();
    return any;
  }
  void solve_independent() noexcept override {
    for (const std::size_t i : taking_part) {  // for all others s_free is the exact step
      Outcome out;
      phi[i] = solve_single_port(scheme_, law_, step_[i], port[i], s[i], out);
      record.solved(out.passes, out.settled);
    }
  }
  void respond(std::span<const double> trial, std::span<double> f, std::span<double> b) noexcept override {
    for (std::size_t k = 0; k < taking_part.size(); ++k) {
      const Response a = scheme_.respond(law_, step_[taking_part[k]], trial[k]);
      f[k] = a.f;
      b[k] = a.b;
    }
  }
  double answer(std::size_t point, double s_free_m, double q, Outcome& out) noexcept override {
    const auto trial = [&](double s_m) { return scheme_.respond(law_, step_[point], s_m); };
    double s_m = s_free_m;
    return newton_bracketed(trial, s_free_m, q, s_m, out);
  }
  void refine(std::span<const double> trial, std::span<const double> f) noexcept override {
    for (std::size_t k = 0; k < taking_part.size(); ++k) {
      const std::size_t i = taking_part[k];
      scheme_.refine(law_, step_[i], trial[k], trial[k] - port[i].q * f[k]);
    }
  }
  void finish() noexcept override {
    for (const std::size_t i : taking_part) {
      if constexpr (requires { scheme_.finish(law_, step_[i], s[i], phi[i], state(i)); })
        lost.add(scheme_.finish(law_, step_[i], s[i], phi[i], state(i)));
      else
        lost.add(scheme_.finish(law_, step_[i], s[i], state(i)));
      if constexpr (lands<S>) {
        landed.add(state(i).landed);
        note_landing(i);
      }
      note(i);
      if constexpr (subset) update_active(point(i));
    }
  }
  double step_independent() noexcept override { return ContactLine::step_as(*this); }
  double stored() const noexcept override {
    double sum = 0;
    for (const auto& e : state_) sum += scheme_.energy(law_, e);
    return sum;
  }
  double stored(std::size_t point) const noexcept override { return scheme_.energy(law_, state_[point]); }
  double force_at(double y_m, double v_m_s) const noexcept override {
    return law_.force(y_m) * std::max(1 + law_.loss_factor() * v_m_s, 0.0);
  }
  double slope_at(double y_m) const noexcept override { return law_.curvature(y_m); }
  bool scale_stiffness(double factor) noexcept override {  // a table is fitted anew: 0.1 ms, nothing allocated
    const double ratio = factor / std::exchange(factor_, factor);
    law_ = law_.stiffened(factor);
    true_samples_.scale_stiffness(factor);
    if constexpr (requires { scheme_.rescale(law_, factor); })
      scheme_.rescale(law_, factor);
    else
      scheme_.prepare(law_, dt_);
    if constexpr (requires { scheme_.stiffen(state_[0], ratio); })
      for (auto& e : state_) scheme_.stiffen(e, ratio);
    return true;
  }
  using Base::states;
  std::span<std::byte> states() noexcept override { return std::as_writable_bytes(std::span(state_)); }
  std::span<std::int64_t> samples() noexcept override { return samples_; }
  void archive(Archive& a) noexcept override {
    ContactLine::archive(a);
    a(landed_at, clock);
  }

  // Of ActiveSubsetLine, which these override.
  void select_points(std::span<const std::uint32_t> points) noexcept {
    this->selected_.assign(points.begin(), points.end());
    for (auto* v : {&s, &phi}) v->resize(points.size());
    port.resize(points.size());
    for (std::size_t i = 0; i < points.size(); ++i) {
      saved_.state[i] = state(i);
      saved_.samples[i] = samples_[point(i)];
      if constexpr (lands<S>) saved_.landed_at[i] = landed_at[point(i)];
    }
    saved_.record = record;
    saved_.lost = lost;
    saved_.landed = landed;
  }
  void restore() noexcept {
    for (std::size_t i = 0; i < this->selected_.size(); ++i) {
      state(i) = saved_.state[i];
      samples_[point(i)] = saved_.samples[i];
      if constexpr (lands<S>) landed_at[point(i)] = saved_.landed_at[i];
      update_active(point(i));
    }
    record = saved_.record;
    lost = saved_.lost;
    landed = saved_.landed;
  }
  void refresh_active() noexcept {
    for (std::size_t i = 0; i < state_.size(); ++i) update_active(i);
  }
  bool acts_ahead() const noexcept { return S::acts_ahead; }
  void start(std::size_t at, double y_m, double d_m) noexcept {
    state_[at] = scheme_.start(law_, y_m, d_m);
    samples_[at] = 0;
    update_active(at);
  }

 private:
  bool list_near() noexcept {
    taking_part.clear();
    for (std::size_t i = 0; i < port.size(); ++i)
      if (near_[i]) taking_part.add(i);
    return !taking_part.empty();
  }
  static_assert(std::is_trivially_copyable_v<typename S::State>, "states are copied as bytes");
  struct Nothing {
    explicit Nothing(std::size_t) {}
  };
  /// What the step of the selected points may change.
  struct Saved {
    explicit Saved(std::size_t points) : state(points), samples(points), landed_at(points) {}
    std::vector<typename S::State> state;
    std::vector<std::int64_t> samples;
    std::vector<double> landed_at;
    ContactRecord record;
    Sum lost, landed;
  };
  /// The point of port i.
  std::size_t point(std::size_t i) const noexcept {
    if constexpr (subset)
      return this->selected_[i];
    else
      return i;
  }
  typename S::State& state(std::size_t i) noexcept { return state_[point(i)]; }
  void update_active(std::size_t at) noexcept {
    this->active_[at] = samples_[at] > 0 || (!S::keeps_psi && scheme_.holds(law_, state_[at]));
  }
  /// The points as (LD4) needs them.
  struct Side {
    const Line& line;
    double clock;
    double half(std::size_t i) const noexcept {
      if constexpr (subset)
        return line.around.offset[i] + line.around.w[i] - line.around.d[i] / 2;
      else
        return line.port[i].y - line.port[i].d / 2;
    }
    double s_free(std::size_t i) const noexcept {
      if constexpr (subset)
        return line.around.s_free[i];
      else
        return line.port[i].s_free;
    }
    bool holds(std::size_t i) const noexcept { return line.scheme_.holds(line.law_, line.state_[i]); }
    double apart(std::size_t i, double when) const noexcept { return std::abs(line.landed_at[i] - when); }
  };
  void note_landing(std::size_t i) noexcept {
    const double before = step_[i].half.y;
    if (before <= 0 && before + s[i] / 2 > 0) landed_at[point(i)] = landing_time(clock, before, s[i]);
  }
  void note(std::size_t i) noexcept {
    constexpr bool one_sided = Law::sides == Sides::one;
    const StepDepths<double> depth = step_depths(port[i], s[i]);
    const auto& e = state(i);
    const double now = one_sided ? depth.now : std::abs(depth.now);
    const double half = one_sided ? depth.half : std::abs(depth.half);
    if (record.step(now, half, phi[i], phi[i] != 0, samples_[point(i)])) entered(i);
    if (!law_.touches(depth.next) && !law_.touches(depth.now) && scheme_.holds(law_, e))
      record.largest_left_J = std::max(record.largest_left_J, std::abs(scheme_.energy(law_, e)));
    if constexpr (requires { e.raised; })
      if (e.raised > 0) {
        ++record.raised;
        record.largest_s = std::max(record.largest_s, e.raised);
      }
  }
  void entered(std::size_t i) noexcept {
    if (Law::sides == Sides::one && port[i].s_free > 0)
      record.fewest_true_samples =
          std::min(record.fewest_true_samples, true_samples_(port[i].s_free / (2 * dt_), port[i].q));
    if constexpr (requires { state(i).note; }) {
      const auto& n = state(i).note;
      if (n.samples == 0) return;
      record.smallest_factor = std::min(record.smallest_factor, n.factor);
      record.largest_factor = std::max(record.largest_factor, n.factor);
      if (n.factor < 1) ++record.softened;
      if (n.factor > 1) ++record.matched;
    }
  }

  Law law_;
  S scheme_;
  std::vector<typename S::State> state_;
  std::vector<typename S::Step> step_;
  std::vector<char> near_;             // per point: it takes part in this step
  std::vector<std::int64_t> samples_;  // length of the contact under way
  ElasticSamples true_samples_;
  double dt_;
  double factor_ = 1;  // of the stiffness it was made with
  [[no_unique_address]] std::conditional_t<subset, Saved, Nothing> saved_{state_.size()};
};

}  // namespace jawari
