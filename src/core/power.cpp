// SPDX-License-Identifier: MIT
#include "jawari/core/power.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <iterator>
#include <limits>
#include <stdexcept>

#include "core/double_double.h"
#include "core/power_walks.h"

namespace jawari {

using wide::Wide;

Power::Power(double exponent, double factor) : exponent_(exponent) {
  if (!(exponent >= 0 && exponent <= largest)) throw std::domain_error("Power: exponent must lie in [0, 14]");
  // (W2) binomial coefficients; r^6 replaced by its best lower polynomial on |r| <= h (Chebyshev T6), r^7 by T7.  The
  // polynomial is 1 at r = 0: what economising adds there goes into the table.
  std::array<double, 8> b;
  Wide t{1};
  for (int j = 0; j < 8; ++j) {
    b[static_cast<std::size_t>(j)] = t.hi + t.lo;
    t = over(t * Wide{exponent - j}, j + 1);
  }
  const double h2 = 1.0 / (512.0 * 512.0), at_0 = 1 + h2 * h2 * h2 / 32 * b[6];
  c_[0] = b[1] + 7 * h2 * h2 * h2 / 64 * b[7];
  c_[1] = b[2] - 18 * h2 * h2 / 32 * b[6];
  c_[2] = b[3] - 56 * h2 * h2 / 64 * b[7];
  c_[3] = b[4] + 48 * h2 / 32 * b[6];
  c_[4] = b[5] + 112 * h2 / 64 * b[7];
  for (double& c : c_) c /= at_0;
  const Wide all = Wide{factor} * (Wide{1} + Wide{h2 * h2 * h2 / 32 * b[6]});

  const PowerWalk walk = power_walks().of(exponent);
  for (std::size_t j = 0; j < node_count; ++j) {
    const double c = 1 + (2 * static_cast<double>(j) + 1) / 512.0;
    const Wide scaled = walk.cells[j] * all;
    node_[j] = {1 / c, scaled.hi + scaled.lo};
  }
  const Wide two = walk.two;  // 2^p

  // 2^(pe) only where it is far from overflow and underflow; the rest is rare().
  const int reach = exponent > 0 ? static_cast<int>(std::min(900 / exponent, 256.0)) : 256;
  const int below = reach, above = std::min(reach, 63);
  first_ = static_cast<std::uint64_t>(1023 - below);
  count_ = static_cast<std::uint64_t>(below + above + 1);
  std::fill(std::begin(scale_), std::end(scale_), std::numeric_limits<double>::quiet_NaN());
  Wide up{1}, down{1};
  const Wide half = [&] {  // 2^-p, one Newton step beyond double
    const double y = 1 / two.hi;
    const Wide rest = Wide{1} + two * Wide{-y};
    return Wide{y} + rest * Wide{y};
  }();
  for (int e = 0; e <= above; ++e, up = up * two) scale_[static_cast<std::size_t>(below + e)] = up.hi + up.lo;
  for (int e = 0; e <= below; ++e, down = down * half) scale_[static_cast<std::size_t>(below - e)] = down.hi + down.lo;
  fit_single();
}

/// (W3): through (W1) at the zeros of Chebyshev's T7, by divided differences.
void Power::fit_single() {
  constexpr double zero[] = {0.97492791218182362, 0.78183148246802981, 0.43388373911755812, 0};
  const double a = (*this)(1);
  std::array<double, 7> t, f, c{};
  for (std::size_t k = 0; k < 7; ++k) {
    t[k] = (k < 4 ? zero[k] : -zero[6 - k]) / 2;
    f[k] = (*this)(1.5 + t[k]) / a;
  }
  for (std::size_t j = 1; j < 7; ++j)
    for (std::size_t k = 6; k >= j; --k) f[k] = (f[k] - f[k - 1]) / (t[k] - t[k - j]);
  for (std::size_t k = 7; k-- > 0;) {  // Newton's form multiplied out
    for (std::size_t i = 6; i > 0; --i) c[i] = c[i - 1] - t[k] * c[i];
    c[0] = f[k] - t[k] * c[0];
  }
  for (std::size_t k = 0; k < 7; ++k) std::fill(std::begin(single_[k]), std::end(single_[k]), static_cast<float>(c[k]));
  std::fill(std::begin(single_scale_), std::end(single_scale_),
            std::bit_cast<std::uint32_t>(std::numeric_limits<float>::quiet_NaN()));
  for (std::uint32_t e = 1; e < 255 && exponent_ <= largest_single; ++e) {
    const double scale = (*this)(std::bit_cast<float>(e << 23));
    const bool normal = scale >= std::numeric_limits<float>::min();  // flushed here, not where it costs time
    const bool finite = scale <= std::numeric_limits<float>::max();
    const float in_range = finite ? static_cast<float>(scale) : std::numeric_limits<float>::infinity();
    single_scale_[e] = std::bit_cast<std::uint32_t>(normal ? in_range : 0.0f);
  }
}

}  // namespace jawari
