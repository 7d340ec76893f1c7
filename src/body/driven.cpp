// SPDX-License-Identifier: MIT
#include "jawari/body/driven.h"

#include <algorithm>
#include <cmath>
#include <utility>

namespace jawari {

DrivenBody::DrivenBody(std::size_t taps, double height_m, double dt_s, std::vector<double> samples_m)
    : dt_(dt_s), base_(height_m), samples_(std::move(samples_m)) {
  now_ = next_ = base_ + (samples_.empty() ? 0 : samples_[0]);
  w.assign(taps, now_);
  for (auto* v : {&d, &s_free, &s, &force}) v->assign(taps, 0.0);
}

std::int64_t DrivenBody::steps(double duration_s) const noexcept {
  return std::max<std::int64_t>(1, std::llround(std::min(duration_s / dt_, 1e15)));
}

void DrivenBody::glide(double to_m, double duration_s) noexcept {
  plans_ = 1;
  done_ = 0;
  plan_[0] = {base_, to_m, steps(duration_s)};
}

void DrivenBody::then(double to_m, double duration_s) noexcept {
  if (plans_ == 0) return glide(to_m, duration_s);
  const std::size_t at = std::min(plans_, plan_.size() - 1);
  plan_[at] = {plan_[at - 1].to, to_m, steps(duration_s)};
  plans_ = at + 1;
}

double DrivenBody::next_base() const noexcept {
  if (plans_ == 0) return base_;
  const Plan& p = plan_[0];
  if (done_ + 1 >= p.steps) return p.to;
  const double t = static_cast<double>(done_ + 1) / static_cast<double>(p.steps);
  return p.from + (p.to - p.from) * (t * t * t * (10 + t * (6 * t - 15)));
}

std::size_t DrivenBody::next_sample() const noexcept { return std::min(played_ + 1, samples_.size() - 1); }

/// Changes no state: it may be called any number of times before advance().
void DrivenBody::predict() noexcept {
  next_ = next_base();
  if (!samples_.empty()) next_ += samples_[next_sample()];
  for (std::size_t t = 0; t < taps(); ++t) s_free[t] = d[t] + (next_ - now_);
}

void DrivenBody::advance() noexcept {
  double work = 0;
  const double step = next_ - now_;
  for (std::size_t t = 0; t < taps(); ++t) {
    s[t] = d[t] + step;
    work -= std::exchange(force[t], 0.0) * s[t] / 2;  // (V1)
    d[t] = step;
    w[t] = next_;
  }
  now_ = next_;
  base_ = next_base();
  if (!samples_.empty()) played_ = next_sample();
  if (plans_ > 0 && ++done_ >= plan_[0].steps) {
    done_ = 0;
    --plans_;
    std::move(plan_.begin() + 1, plan_.end(), plan_.begin());
  }
  if (work != 0) given.add(work);
}

void DrivenBody::apply_initial_forces() noexcept { std::fill(force.begin(), force.end(), 0.0); }

}  // namespace jawari
