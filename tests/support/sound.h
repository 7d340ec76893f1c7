// SPDX-License-Identifier: MIT
// A sound that is known.
#pragma once
#include <cmath>
#include <functional>
#include <numbers>
#include <vector>

namespace jawari::test {

inline std::vector<double> sound(double duration_s, double rate_hz, const std::function<double(double t_s)>& at) {
  std::vector<double> out;
  for (std::size_t i = 0; i < static_cast<std::size_t>(duration_s * rate_hz); ++i)
    out.push_back(at(static_cast<double>(i) / rate_hz));
  return out;
}
inline double sine(double cycles) { return std::sin(2 * std::numbers::pi * cycles); }

}  // namespace jawari::test
