// SPDX-License-Identifier: MIT
#include "jawari/body/single_mode.h"

#include <utility>

namespace jawari {

void SingleMode::load() noexcept {
  const auto& c = body_.c_;
  lag_ = c.lag[0];
  D_ = c.D[0];
  C_ = c.C[0];
  loss_ = c.loss[0];
  share_ = c.share[0];
  load_N_ = body_.load_[0];
  u_ = body_.u_[0];
  d_ = body_.d_[0];
  s_ = body_.s_[0];
  push_ = body_.push_[0];
  rest_u_ = body_.rest_u_[0];
  rest_d_ = body_.rest_d_[0];
  pushed_ = body_.pushed_;
  loaded_ = body_.loaded_;
}

void SingleMode::store_state() noexcept {
  body_.u_[0] = u_;
  body_.d_[0] = d_;
}

void SingleMode::store() noexcept {
  store_state();
  body_.s_[0] = s_;
  body_.push_[0] = push_;
  body_.rest_u_[0] = rest_u_;
  body_.rest_d_[0] = rest_d_;
  body_.pushed_ = pushed_;
  body_.project_rows(body_.s_, body_.s);
  body_.read(true);
}

void SingleMode::add_force(std::size_t tap, double force_N) noexcept {
  push_ += body_.shape(tap, 0) * (share_ * force_N);
  pushed_ = true;
}

void SingleMode::account_work() noexcept {
  body_.given.add(push_ * s_ / 2);
  push_ = 0;
  pushed_ = false;
}

}  // namespace jawari
