// SPDX-License-Identifier: MIT
#include "kernel/modal_line.h"

#include <algorithm>
#include <utility>
#include <vector>

#include "kernel/schemes.h"

namespace jawari::kernel {
namespace {

template <class S>
class Picked final : public PickedLine {
 public:
  Picked(const PowerLaw& law, const S& scheme, std::size_t points, double dt_s)
      : PickedLine(points),
        law_(law),
        scheme_(scheme),
        state_(points),
        saved_(points),
        step_(points),
        samples_(points, 0),
        saved_samples_(points, 0),
        true_samples_(law, dt_s),
        dt_(dt_s) {
    who_.reserve(points);
    if constexpr (lands<S>) {
      landed_at.assign(points, 0);
      saved_landed_at_.assign(points, 0);
    }
  }
  std::unique_ptr<ContactLine> clone() const override { return std::make_unique<Picked>(*this); }
  int passes() const noexcept override { return S::passes; }
  void pick(std::span<const std::uint32_t> points) noexcept override {
    who_.assign(points.begin(), points.end());
    port.resize(who_.size());
    s.resize(who_.size());
    phi.resize(who_.size());
    for (std::size_t i = 0; i < who_.size(); ++i) {
      saved_[i] = state(i);
      saved_samples_[i] = samples_[who_[i]];
    }
    saved_record_ = record;
    saved_lost_ = lost;
    saved_landed_ = landed;
    if constexpr (lands<S>)
      for (std::size_t i = 0; i < who_.size(); ++i) saved_landed_at_[i] = landed_at[who_[i]];
  }
  void restore() noexcept override {
    for (std::size_t i = 0; i < who_.size(); ++i) {
      state(i) = saved_[i];
      samples_[who_[i]] = saved_samples_[i];
      look_at(who_[i]);
    }
    record = saved_record_;
    lost = saved_lost_;
    landed = saved_landed_;
    if constexpr (lands<S>)
      for (std::size_t i = 0; i < who_.size(); ++i) landed_at[who_[i]] = saved_landed_at_[i];
  }
  void look_again() noexcept override {
    for (std::size_t i = 0; i < state_.size(); ++i) look_at(i);
  }
  bool acts_ahead() const noexcept override { return S::acts_ahead; }
  void start() noexcept override {
    for (std::size_t i = 0; i < who_.size(); ++i) start(who_[i], port[i].y, port[i].d);
  }
  void start(std::size_t point, double y, double d) noexcept override {
    state_[point] = scheme_.start(law_, y, d);
    samples_[point] = 0;
    look_at(point);
  }
  bool detect() noexcept override {
    bool any = false;
    for (std::size_t i = 0; i < port.size(); ++i) {
      const Port& p = port[i];
      any = any || law_.touches(p.y) || law_.touches(p.y - p.d) || law_.touches(p.y - p.d + p.s_free) ||
            restless_[who_[i]];
      s[i] = p.s_free;
      phi[i] = 0;
    }
    return any;
  }
  void begin(bool) noexcept override {
    for (std::size_t i = 0; i < port.size(); ++i) {
      if constexpr (lands<S>) {
        const bool together_now = slaps(Side{*this, clock}, who_[i], state_.size(), together);
        step_[i] = scheme_.begin(law_, port[i], state(i), place[who_[i]], together_now);
      } else {
        step_[i] = scheme_.begin(law_, port[i], state(i));
      }
    }
  }
  void solve_independent() noexcept override {}
  double answer(std::size_t point, double s_free_m, double q) noexcept override {
    const auto trial = [&](double s_m) { return scheme_.respond(law_, step_[point], s_m); };
    Outcome out;
    double s_m = s_free_m;
    return newton_bracketed(trial, s_free_m, q, s_m, out);
  }
  void respond(std::span<const double> trial, std::span<double> f, std::span<double> b) noexcept override {
    for (std::size_t i = 0; i < port.size(); ++i) {
      const Response a = scheme_.respond(law_, step_[i], trial[i]);
      f[i] = a.f;
      b[i] = a.b;
    }
  }
  void refine(std::span<const double> trial, std::span<const double> f) noexcept override {
    for (std::size_t i = 0; i < port.size(); ++i) scheme_.refine(law_, step_[i], trial[i], trial[i] - port[i].q * f[i]);
  }
  void finish() noexcept override {
    for (std::size_t i = 0; i < port.size(); ++i) {
      lost.add(scheme_.finish(law_, step_[i], s[i], phi[i], state(i)));
      if constexpr (lands<S>) {
        landed.add(state(i).landed);
        const double before = step_[i].half.y;
        if (before <= 0 && before + s[i] / 2 > 0) landed_at[who_[i]] = landing_time(clock, before, s[i]);
      }
      note(i);
      look_at(who_[i]);
    }
  }
  double stored() const noexcept override {
    double sum = 0;
    for (const auto& e : state_) sum += scheme_.energy(law_, e);
    return sum;
  }
  double stored(std::size_t point) const noexcept override { return scheme_.energy(law_, state_[point]); }
  double force_at(double y, double) const noexcept override { return law_.force(y); }
  double slope_at(double y) const noexcept override { return law_.curvature(y); }
  bool scale_stiffness(double factor) noexcept override {
    law_ = law_.stiffened(factor);
    if constexpr (requires { scheme_.rescale(law_, factor); }) scheme_.rescale(law_, factor);
    true_samples_.scale_stiffness(factor);
    const double ratio = factor / std::exchange(factor_, factor);
    if constexpr (requires { scheme_.stiffen(state_[0], ratio); })
      for (auto& e : state_) scheme_.stiffen(e, ratio);
    return true;
  }
  using ContactLine::states;
  std::span<std::byte> states() noexcept override { return std::as_writable_bytes(std::span(state_)); }
  std::span<std::int64_t> samples() noexcept override { return samples_; }

 private:
  /// What (LD4) asks of the points; those that take no part hold nothing.
  struct Side {
    const Picked& line;
    double clock;
    double half(std::size_t k) const noexcept {
      return line.around.offset[k] + line.around.w[k] - line.around.d[k] / 2;
    }
    double s_free(std::size_t k) const noexcept { return line.around.s_free[k]; }
    bool holds(std::size_t k) const noexcept { return line.scheme_.holds(line.law_, line.state_[k]); }
    double apart(std::size_t k, double when) const noexcept { return std::abs(line.landed_at[k] - when); }
  };
  void look_at(std::size_t point) noexcept {
    restless_[point] = samples_[point] > 0 || (!S::keeps_psi && scheme_.holds(law_, state_[point]));
  }
  typename S::State& state(std::size_t i) noexcept { return state_[who_[i]]; }
  void note(std::size_t i) noexcept {  // as Line
    const Port& p = port[i];
    std::int64_t& samples = samples_[who_[i]];
    const double next = p.y - p.d + s[i], half = p.y + (next - p.y) / 2;
    record.deepest_m = std::max(record.deepest_m, p.y);
    record.deepest_half_m = std::max(record.deepest_half_m, half);
    if (!law_.touches(next) && !law_.touches(p.y) && scheme_.holds(law_, state(i)))
      record.largest_left_J = std::max(record.largest_left_J, scheme_.energy(law_, state(i)));
    if (phi[i] != 0) {
      ++record.touching_steps;
      record.largest_force_N = std::max(record.largest_force_N, std::abs(phi[i]));
      if (samples++ == 0 && p.s_free > 0)
        record.fewest_true_samples = std::min(record.fewest_true_samples, true_samples_(p.s_free / (2 * dt_), p.q));
    } else if (samples > 0) {
      record.ended(std::exchange(samples, 0));
    }
  }

  PowerLaw law_;
  S scheme_;
  std::vector<std::uint32_t> who_;
  std::vector<typename S::State> state_, saved_;
  std::vector<typename S::Step> step_;
  std::vector<std::int64_t> samples_, saved_samples_;
  ContactRecord saved_record_;
  Sum saved_lost_, saved_landed_;
  std::vector<double> saved_landed_at_;
  ElasticSamples true_samples_;
  double dt_, factor_ = 1;
};

}  // namespace

std::unique_ptr<PickedLine> make_picked(KernelScheme scheme, const PowerLaw& law, double mu, double dt_s,
                                        std::size_t points) {
  return SchemeBox(scheme, Lossy(law, mu), dt_s).visit([&](const auto& s) -> std::unique_ptr<PickedLine> {
    return std::make_unique<Picked<std::remove_cvref_t<decltype(s)>>>(law, s, points, dt_s);
  });
}

}  // namespace jawari::kernel
