// SPDX-License-Identifier: MIT
// A float as the number type of laws and schemes.  Constants in the text of the physics are doubles, and float times
// double is double in C++: here they are rounded first, as SIMD lanes of floats do it (kernel/lanes.h).
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>
#include <limits>

#include "jawari/core/number.h"

namespace jawari::warp {

struct Single {
  float v = 0;

  constexpr Single() noexcept = default;
  JAWARI_HD constexpr Single(double x) noexcept : v(static_cast<float>(x)) {}
  JAWARI_HD static constexpr Single of(float x) noexcept {
    Single s;
    s.v = x;
    return s;
  }
  JAWARI_HD constexpr explicit operator float() const noexcept { return v; }
  JAWARI_HD constexpr explicit operator double() const noexcept { return static_cast<double>(v); }

  friend JAWARI_HD constexpr Single operator+(Single a, Single b) noexcept { return of(a.v + b.v); }
  friend JAWARI_HD constexpr Single operator-(Single a, Single b) noexcept { return of(a.v - b.v); }
  friend JAWARI_HD constexpr Single operator*(Single a, Single b) noexcept { return of(a.v * b.v); }
  friend JAWARI_HD constexpr Single operator/(Single a, Single b) noexcept { return of(a.v / b.v); }
  JAWARI_HD constexpr Single operator-() const noexcept { return of(-v); }
  JAWARI_HD constexpr Single& operator+=(Single o) noexcept { return *this = *this + o; }
  JAWARI_HD constexpr Single& operator-=(Single o) noexcept { return *this = *this - o; }
  JAWARI_HD constexpr Single& operator*=(Single o) noexcept { return *this = *this * o; }
  friend JAWARI_HD constexpr bool operator==(Single a, Single b) noexcept { return a.v == b.v; }
  friend JAWARI_HD constexpr bool operator!=(Single a, Single b) noexcept { return a.v != b.v; }
  friend JAWARI_HD constexpr bool operator<(Single a, Single b) noexcept { return a.v < b.v; }
  friend JAWARI_HD constexpr bool operator>(Single a, Single b) noexcept { return a.v > b.v; }
  friend JAWARI_HD constexpr bool operator<=(Single a, Single b) noexcept { return a.v <= b.v; }
  friend JAWARI_HD constexpr bool operator>=(Single a, Single b) noexcept { return a.v >= b.v; }
};

// What core/number.h has for floating-point numbers.
JAWARI_HD inline Single select(bool which, Single yes, Single no) noexcept { return which ? yes : no; }
JAWARI_HD inline Single sqrt(Single x) noexcept { return Single::of(std::sqrt(x.v)); }
JAWARI_HD inline Single abs(Single x) noexcept { return Single::of(std::fabs(x.v)); }
JAWARI_HD inline Single max(Single a, Single b) noexcept { return a > b ? a : b; }
JAWARI_HD inline Single min(Single a, Single b) noexcept { return a < b ? a : b; }
JAWARI_HD inline Single with_sign(Single x, Single sign) noexcept { return Single::of(std::copysign(x.v, sign.v)); }
JAWARI_HD inline bool same(Single a, Single b) noexcept { return a == b; }
JAWARI_HD inline Single plain(Single x) noexcept { return x; }

}  // namespace jawari::warp

template <>
struct std::numeric_limits<jawari::warp::Single> {
  static constexpr bool is_specialized = true;
  JAWARI_HD static constexpr jawari::warp::Single epsilon() noexcept { return jawari::warp::Single(0x1p-23); }
};
