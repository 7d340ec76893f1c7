// SPDX-License-Identifier: MIT
// A contact line of which only some points take part in a step; an island sees a line of that length.
// The others have f = 0 and b = 0, so the solution is that of the whole line.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "jawari/couple/line.h"

namespace jawari {

class ActiveSubsetLine : public ContactLine {
 public:
  explicit ActiveSubsetLine(std::size_t points) : ContactLine(points), active_(points, 0) { selected_.reserve(points); }
  /// Positions and free steps of all points, also of those that take no part: for landing.  y = offset + w
  struct AllPoints {
    const double *offset = nullptr, *w = nullptr, *d = nullptr, *s_free = nullptr;
  };
  AllPoints around;
  virtual void select_points(std::span<const std::uint32_t> points) noexcept = 0;  ///< then fill `port`
  virtual void restore() noexcept = 0;                                             ///< to the state at select_points()
  /// Per point: something is stored, or a contact is under way.
  const char* active_points() const noexcept { return active_.data(); }
  virtual bool acts_ahead() const noexcept = 0;  ///< also in the step that arrives, where neighbours may push a point
  using ContactLine::start;
  virtual void start(std::size_t point, double y_m, double d_m) noexcept = 0;
  virtual void refresh_active() noexcept = 0;  ///< states() were written

 protected:
  std::vector<char> active_;
  std::vector<std::uint32_t> selected_;
};

}  // namespace jawari
