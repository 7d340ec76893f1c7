// SPDX-License-Identifier: MIT
#include "budget.h"

#include <fmt/format.h>

#include <string>

#include "jawari/core/param.h"

namespace jawari {

void Budget::spend(double numbers, double operations, std::string_view field, std::string_view what) {
  numbers_ += numbers;
  operations_ += operations;
  const double MB = 8e-6 * numbers_, s = 1e-9 * operations_;
  if (!(MB <= limits_.memory_MB))
    throw InputError(std::string(field),
                     fmt::format("{} brings the scene to about {:.3g} MB, but at most {:g} MB are "
                                 "allowed; use fewer modes, points or bodies, or a lower rate",
                                 what, MB, limits_.memory_MB),
                     fmt::format("{:.3g} MB", MB), fmt::format("be at most {:g} MB in all", limits_.memory_MB));
  if (!(s <= limits_.setup_s))
    throw InputError(std::string(field),
                     fmt::format("{} brings the set-up to about {:.3g} s, but at most {:g} s are "
                                 "allowed; use fewer modes, points or bodies, or a lower rate",
                                 what, s, limits_.setup_s),
                     fmt::format("{:.3g} s", s), fmt::format("be at most {:g} s in all", limits_.setup_s));
}

}  // namespace jawari
