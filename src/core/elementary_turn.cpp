// SPDX-License-Identifier: MIT
// Sines, arcs and lengths.
//   sin(t_j + h) = S_j cos h + C_j sin h,   t_j = j/128,  |h| <= 1/256                                           (R3)
//   atan(y/x) = atan t_j + atan((y - t_j x)/(x + t_j y))                                                         (R4)
// Angles are reduced by pi/2 in three parts below 2^27, by Payne and Hanek's product of whole numbers above.
#include <array>
#include <cstddef>
#include <limits>

#include "core/double_double.h"
#include "jawari/core/elementary.h"

namespace jawari::elementary {
namespace {

using namespace wide;

constexpr double none = std::numeric_limits<double>::quiet_NaN();
constexpr Wide half_pi{0x1.921fb54442d18p+0, 0x1.1a62633145c07p-54}, whole_pi{2 * half_pi.hi, 2 * half_pi.lo};

struct Pair {
  Wide sine, cosine;
};
constexpr Pair series_turn(double t) {
  const Wide x2 = product(t, t);
  Wide sine(t), cosine(1), odd(t), even(1);
  for (int n = 1; n < 16; ++n) {
    even = -(even * x2 / Wide((2 * n - 1) * (2 * n)));
    odd = -(odd * x2 / Wide((2 * n) * (2 * n + 1)));
    cosine = cosine + even;
    sine = sine + odd;
  }
  return {sine, cosine};
}
constexpr auto turns = [] {
  std::array<Pair, 102> t;
  for (int j = 0; j < 102; ++j)
    t[static_cast<std::size_t>(j)] = j == 0 ? Pair{Wide(0), Wide(1)} : series_turn(j / 128.0);
  return t;
}();
constexpr auto arcs = [] {  // atan(j/128), step by step: atan a - atan b = atan((a - b)/(1 + a b))
  std::array<Wide, 129> t;
  for (int j = 1; j < 129; ++j) {
    const Wide u = Wide(128) / Wide(16384 + j * (j - 1)), u2 = u * u;
    Wide power = u, all = u;
    for (int n = 3; n < 20; n += 2) {
      power = -(power * u2);
      all = all + power / Wide(n);
    }
    t[static_cast<std::size_t>(j)] = t[static_cast<std::size_t>(j - 1)] + all;
  }
  return t;
}();

/// |r| <= 0.79
Pair small_turn(Wide r) {
  const bool negative = r.hi < 0;
  if (negative) r = -r;
  const double shift = 6755399441055744.0, k = (r.hi * 128 + shift) - shift;
  const Wide h = sum(r.hi - k / 128, r.lo), z = h * h;
  constexpr Wide s3 = -(Wide(1) / Wide(6)), s5 = Wide(1) / Wide(120), c4 = Wide(1) / Wide(24);
  const double x = z.hi, more_sine = x * (-1.0 / 5040 + x * (1.0 / 362880 + x * (-1.0 / 39916800)));
  const double more_cosine = x * (-1.0 / 720 + x * (1.0 / 40320 + x * (-1.0 / 3628800)));
  const Wide sine = add_smaller(h, h * (z * add_smaller(s3, z * add_smaller(s5, more_sine))));
  const Wide less = z * add_smaller(Wide(-0.5), z * add_smaller(c4, more_cosine));  // cos h - 1
  const Pair& at = turns[static_cast<std::size_t>(k)];
  Pair p{sine, add_smaller(Wide(1), less)};
  if (k != 0) p = {at.sine + (at.cosine * sine + at.sine * less), at.cosine + (at.cosine * less - at.sine * sine)};
  return {negative ? -p.sine : p.sine, p.cosine};
}

struct Reduced {
  Wide rest;  // |rest| <= pi/4 or so
  unsigned quadrant;
};
/// x - quadrant pi/2 for |x| >= 2^27: x 2/pi modulo 4 as a whole number of 32-bit digits.
Reduced reduce_large(double x) {
  static constexpr std::array<std::uint32_t, 42> two_over_pi = {
      0xa2f9836e, 0x4e441529, 0xfc2757d1, 0xf534ddc0, 0xdb629599, 0x3c439041, 0xfe5163ab, 0xdebbc561, 0xb7246e3a,
      0x424dd2e0, 0x06492eea, 0x09d1921c, 0xfe1deb1c, 0xb129a73e, 0xe88235f5, 0x2ebb4484, 0xe99c7026, 0xb45f7e41,
      0x3991d639, 0x835339f4, 0x9c845f8b, 0xbdf9283b, 0x1ff897ff, 0xde05980f, 0xef2f118b, 0x5a0a6d1f, 0x6d367ecf,
      0x27cb09b7, 0x4f463f66, 0x9e5fea2d, 0x7527bac7, 0xebe5f17b, 0x3d0739f7, 0x8a5292ea, 0x6bfb5fb1, 0x1f8d5d08,
      0x56033046, 0xfc7b6bab, 0xf0cfbc20, 0x9af4361d, 0xa9e39161, 0x5ee61b08};
  constexpr int digits = 8;
  const std::uint64_t bits = std::bit_cast<std::uint64_t>(std::abs(x));
  const std::uint64_t mantissa = (bits & 0xfffffffffffffu) | 0x10000000000000u;
  const int exponent = static_cast<int>(bits >> 52) - 1075;  // |x| = mantissa 2^exponent
  const int first = exponent > 2 ? (exponent - 2) / 32 : 0;  // digits before it give multiples of 4
  // product = mantissa * (digits first .. first+7), lowest digit first; its unit is 2^(exponent - 32 (first + 8))
  std::array<std::uint32_t, digits + 2> product{};
  for (const int part : {0, 1}) {
    const std::uint64_t factor = part == 0 ? mantissa & 0xffffffffu : mantissa >> 32;
    std::uint64_t carry = 0;
    for (int i = 0; i < digits; ++i) {
      const auto at = static_cast<std::size_t>(i + part);
      carry += factor * two_over_pi[static_cast<std::size_t>(first + digits - 1 - i)] + product[at];
      product[at] = static_cast<std::uint32_t>(carry);
      carry >>= 32;
    }
    product[static_cast<std::size_t>(digits + part)] = static_cast<std::uint32_t>(carry);
  }
  const int point = 32 * (first + digits) - exponent;  // bits after the binary point
  const auto bit = [&](int i) -> unsigned {
    return i < 0 || i >= 32 * (digits + 2) ? 0u : product[static_cast<std::size_t>(i / 32)] >> (i % 32) & 1u;
  };
  unsigned quadrant = bit(point) + 2 * bit(point + 1);
  const bool upper = bit(point - 1) == 1;  // fraction at least 1/2: from the other side
  int at = point - 1;
  while (at > 0 && (bit(at) == 1) == upper) --at;
  Wide fraction(0);  // 1 - fraction where upper, but for the last bit of hundreds
  for (int piece = 0; piece < 3; ++piece) {
    double value = 0;
    for (int i = 0; i < 40 && at >= 0; ++i, --at)
      if ((bit(at) == 1) != upper) value += two_to(at - point);
    fraction = fraction + value;
  }
  if (upper) {
    fraction = -fraction;
    ++quadrant;
  }
  Wide rest = fraction * half_pi;
  if (x < 0) {
    rest = -rest;
    quadrant = 0u - quadrant;
  }
  return {rest, quadrant & 3u};
}
Reduced reduce(double x) {
  if (std::abs(x) < 0.78) return {Wide(x), 0};
  if (!(std::abs(x) < 0x1p27)) return reduce_large(x);
  const double shift = 6755399441055744.0, k = (x * 0x1.45f306dc9c883p-1 + shift) - shift;  // 2/pi
  const Wide rest = sum(x - k * 0x1.921fb50000000p+0, -k * 0x1.110b460000000p-26);
  const Wide r = rest - (product(k, 0x1.1a62633145c07p-54) + k * -0x1.f1976b7ed8fbcp-110);
  return {r, static_cast<unsigned>(static_cast<std::int64_t>(k) & 3)};
}
Pair wide_turn(double x) {
  const Reduced r = reduce(x);
  const Pair p = small_turn(r.rest);
  switch (r.quadrant) {
    case 0:
      return p;
    case 1:
      return {p.cosine, -p.sine};
    case 2:
      return {-p.sine, -p.cosine};
    default:
      return {-p.cosine, p.sine};
  }
}

/// atan(y/x), 0 <= y <= x, x > 0, both far from overflow and underflow.
Wide small_arc(Wide y, Wide x) {
  const double shift = 6755399441055744.0, k = (y.hi / x.hi * 128 + shift) - shift, t = k / 128;
  const Wide u = (y - x * t) / (x + y * t), w = u * u;
  constexpr Wide a3 = -(Wide(1) / Wide(3)), a5 = Wide(1) / Wide(5);
  const double v = w.hi, more = v * (-1.0 / 7 + v * (1.0 / 9 + v * (-1.0 / 11 + v * (1.0 / 13))));
  const Wide arc = u + u * (w * (a3 + w * (a5 + more)));
  return k == 0 ? arc : arcs[static_cast<std::size_t>(k)] + arc;
}
/// The angle of (x, y), both >= 0 and not both 0, sizes alike within 2^70.
Wide arc(Wide y, Wide x) { return y.hi > x.hi ? half_pi - small_arc(x, y) : small_arc(y, x); }

/// Of the angle pi i/n, 0 <= i <= n/4.
Pair turn_of_pi(std::int64_t i, std::int64_t n) {
  return small_turn(whole_pi * static_cast<double>(i) / Wide(static_cast<double>(n)));
}

}  // namespace

double sin(double x) noexcept {
  if (std::abs(x) < 0x1p-40) return x;
  return std::isfinite(x) ? wide_turn(x).sine.value() : none;
}
double cos(double x) noexcept { return std::isfinite(x) ? wide_turn(x).cosine.value() : none; }
SineCosine sine_cosine(double x) noexcept {
  if (!std::isfinite(x)) return {none, none};
  const Pair p = wide_turn(x);
  return {p.cosine.value(), std::abs(x) < 0x1p-40 ? x : p.sine.value()};
}
double tan(double x) noexcept {
  if (std::abs(x) < 0x1p-40) return x;
  if (!std::isfinite(x)) return none;
  const Pair p = wide_turn(x);
  return (p.sine / p.cosine).value();
}
double sin_pi(std::int64_t i, std::int64_t n) noexcept {
  i %= 2 * n;
  if (i < 0) i += 2 * n;
  if (i == 0 || i == n) return 0;
  if (i > n) return -sin_pi(i - n, n);
  if (2 * i > n) i = n - i;
  return (4 * i > n ? turn_of_pi(n - 2 * i, 2 * n).cosine : turn_of_pi(i, n).sine).value();
}
double cos_pi(std::int64_t i, std::int64_t n) noexcept { return sin_pi(2 * i + n, 2 * n); }
std::vector<double> sine_table(std::size_t n) {
  std::vector<double> t(2 * n);
  const auto set = [&](std::size_t i, double s) {  // and all that mirror it
    t[i] = s;
    t[n - i] = s;
    t[n + i == 2 * n ? 0 : n + i] = i == 0 ? 0 : -s;
    t[i == 0 ? 0 : 2 * n - i] = i == 0 ? 0 : -s;
  };
  // sin(a + b), cos(a + b) up to pi/4 from few angles a and b; beyond it the cosine of what is missing to pi/2.
  const std::size_t quarter = n / 4;
  std::size_t few = 1;
  while (few * few < quarter) ++few;
  std::vector<Pair> fine;
  const auto angle = [&](std::size_t i) {
    return turn_of_pi(static_cast<std::int64_t>(i), static_cast<std::int64_t>(n));
  };
  for (std::size_t i = 0; i < few; ++i) fine.push_back(angle(i));
  for (std::size_t from = 0; from <= quarter; from += few) {
    const Pair a = angle(from);
    for (std::size_t j = 0; j < few && from + j <= quarter; ++j) {
      const Pair& b = fine[j];
      set(from + j, (a.sine * b.cosine + a.cosine * b.sine).value());
      if (n % 2 == 0) set(n / 2 - (from + j), (a.cosine * b.cosine - a.sine * b.sine).value());
    }
  }
  for (std::size_t i = quarter + 1; i <= n / 2 && n % 2 != 0; ++i)
    set(i, sin_pi(static_cast<std::int64_t>(i), static_cast<std::int64_t>(n)));
  return t;
}

double atan2(double y, double x) noexcept {
  if (x != x || y != y) return none;
  const double a = std::abs(y), b = std::abs(x);
  const bool left = std::signbit(x);
  double size = 0;
  if (a == 0 || (b == std::numeric_limits<double>::infinity() && a < b)) {
    size = left ? whole_pi.hi : 0;
  } else if (b == 0 || (std::isinf(a) && b < a)) {
    size = half_pi.hi;
  } else if (std::isinf(a)) {  // both
    size = left ? (whole_pi - half_of(half_pi)).value() : half_pi.hi / 2;
  } else {
    const int ea = exponent_of(a), eb = exponent_of(b);
    if (ea - eb > 70) {
      size = (left ? half_pi + two_to(-71) : half_pi - two_to(-71)).value();
    } else if (eb - ea > 70) {
      size = left ? (whole_pi - two_to(-71)).value() : a / b;
    } else {
      const Wide u = arc(scaled(Wide(a), -eb), scaled(Wide(b), -eb));
      size = (left ? whole_pi - u : u).value();
    }
  }
  return std::signbit(y) ? -size : size;
}
double atan(double x) noexcept {
  if (std::abs(x) < 0x1p-40) return x;
  return atan2(x, 1);
}
double asin(double x) noexcept {
  if (!(std::abs(x) <= 1)) return none;
  if (std::abs(x) < 0x1p-40) return x;
  const double size = std::abs(x);
  const double y = size == 1 ? half_pi.hi : arc(Wide(size), sqrt(Wide(1) - product(size, size))).value();
  return x < 0 ? -y : y;
}
double acos(double x) noexcept {
  if (!(std::abs(x) <= 1)) return none;
  if (x == 1) return 0;
  if (std::abs(x) < 0x1p-60) return half_pi.hi;
  const double size = std::abs(x);
  const Wide other = size == 1 ? Wide(0) : sqrt(Wide(1) - product(size, size));
  const Wide u = size == 1 ? Wide(0) : arc(other, Wide(size));
  return (x < 0 ? whole_pi - u : u).value();
}
double hypot(double x, double y) noexcept {
  double a = std::abs(x), b = std::abs(y);
  if (std::isinf(a) || std::isinf(b)) return std::numeric_limits<double>::infinity();
  if (a != a || b != b) return none;
  if (a < b) {
    const double c = a;
    a = b;
    b = c;
  }
  if (b == 0) return a;
  const int e = exponent_of(a);
  if (e - exponent_of(b) > 60) return a;
  const double p = scaled(Wide(a), -e).hi, q = scaled(Wide(b), -e).hi;
  return rounded(sqrt(product(p, p) + product(q, q)), e);
}

}  // namespace jawari::elementary
