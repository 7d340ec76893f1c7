// SPDX-License-Identifier: MIT
// A contact line of which only some points take part in a step; to an island it is as long as there are such points.
// What others would do (f = 0, b = 0) changes nothing, so the island's answer is that of the whole line.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jawari/couple/line.h"
#include "jawari/kernel/string_kernel.h"

namespace jawari::kernel {

class PickedLine : public ContactLine {
 public:
  explicit PickedLine(std::size_t points) : ContactLine(points), restless_(points, 0) {}
  /// Where all points are and how they would go, also those that take no part: for landing.  y = offset + w
  struct Around {
    const double *offset = nullptr, *w = nullptr, *d = nullptr, *s_free = nullptr;
  };
  Around around;
  virtual void pick(std::span<const std::uint32_t> points) noexcept = 0;  ///< then fill `port`
  virtual void restore() noexcept = 0;                                    ///< as it was when they were picked
  /// Per point: something is stored, or a contact is under way.
  const char* restless() const noexcept { return restless_.data(); }
  virtual bool acts_ahead() const noexcept = 0;  ///< also in the step that arrives, where neighbours may push it
  virtual void start(std::size_t point, double y_m, double d_m) noexcept = 0;
  virtual void look_again() noexcept = 0;  ///< states() were written

 protected:
  std::vector<char> restless_;
};

std::unique_ptr<PickedLine> make_picked(KernelScheme scheme, const PowerLaw& law, double mu, double dt_s,
                                        std::size_t points);

}  // namespace jawari::kernel
