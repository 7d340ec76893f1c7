// SPDX-License-Identifier: MIT
// A point with prescribed motion: a finger, a plectrum, a hand that holds a bridge.  It does not yield (receptance
// 0), so its contacts see it as a wall on the move; what the mover puts in is -f s/2 per step and added to given. (V1)
// A glide from a to b in the time T follows a + (b - a)(10 t^3 - 15 t^4 + 6 t^5): speed and acceleration vanish at both
// ends, and it is made of + and * only.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "jawari/body/body.h"

namespace jawari {

class DrivenBody final : public Body {
 public:
  /// samples_m: a motion given sample by sample, added to the glides; it stays where it ends.
  DrivenBody(std::size_t taps, double height_m, double dt_s, std::vector<double> samples_m = {});
  std::unique_ptr<Body> clone() const override { return std::make_unique<DrivenBody>(*this); }

  void glide(double to_m, double duration_s) noexcept;  ///< from where it is, now; forgets earlier plans
  void then(double to_m, double duration_s) noexcept;   ///< after the glides under way; a fifth plan replaces the last
  double height_m() const noexcept { return now_; }
  double goal_m() const noexcept { return plans_ == 0 ? base_ : plan_[plans_ - 1].to; }

  void predict() noexcept override;
  void advance() noexcept override;
  void apply_initial_forces() noexcept override;
  double receptance(std::size_t, std::size_t) const noexcept override { return 0; }
  bool coupled(std::size_t, std::size_t) const noexcept override { return false; }
  Stored stored() const noexcept override { return {}; }
  void add_force(std::size_t, double) noexcept override {}  // it would not move
  bool is_silent(double) const noexcept override { return plans_ == 0 && played_ + 1 >= samples_.size(); }
  void archive(Archive& a) noexcept override {
    Body::archive(a);
    a(base_, now_, next_, plan_, done_);
    a.index(plans_, plan_.size());
    a.index(played_, samples_.size());
  }

 private:
  struct Plan {
    double from, to;
    std::int64_t steps;
  };
  std::int64_t steps(double duration_s) const noexcept;
  double next_base() const noexcept;
  std::size_t next_sample() const noexcept;

  double dt_, base_, now_, next_;
  std::array<Plan, 4> plan_{};
  std::size_t plans_ = 0;
  std::int64_t done_ = 0;  // steps of the first plan
  std::vector<double> samples_;
  std::size_t played_ = 0;
};

}  // namespace jawari
