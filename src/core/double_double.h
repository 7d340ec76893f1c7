// SPDX-License-Identifier: MIT
// Numbers of about 106 bits as an unevaluated sum of two doubles, |lo| <= ulp(hi)/2, from + - * / alone: every target
// that rounds to nearest gives the same bits.  Relative error of a sum of one sign, a product, a quotient or a root:
// below 2^-102. No fused multiply-add: without hardware it is a call of the C library.
#pragma once
#include <bit>
#include <cmath>
#include <cstdint>

namespace jawari::wide {

struct Wide {
  double hi = 0, lo = 0;
  constexpr Wide() = default;
  constexpr Wide(double high, double low = 0) : hi(high), lo(low) {}
  constexpr double value() const { return hi + lo; }
};

/// a + b, exact; |a| >= |b| or a = 0.
constexpr Wide ordered_sum(double a, double b) {
  const double s = a + b;
  return {s, b - (s - a)};
}
/// a + b, exact.
constexpr Wide sum(double a, double b) {
  const double s = a + b, t = s - a;
  return {s, (a - (s - t)) + (b - t)};
}
/// a b, exact (Dekker), for |a|, |b| < 2^990 and |a b| > 2^-960.
constexpr Wide product(double a, double b) {
  constexpr double split = 134217729;  // 2^27 + 1
  const double p = a * b, x = split * a, y = split * b;
  const double a1 = x - (x - a), a2 = a - a1, b1 = y - (y - b), b2 = b - b1;
  return {p, ((a1 * b1 - p) + (a1 * b2 + a2 * b1)) + a2 * b2};
}
constexpr Wide operator-(Wide a) { return {-a.hi, -a.lo}; }
constexpr Wide operator+(Wide a, Wide b) {
  const Wide s = sum(a.hi, b.hi), t = sum(a.lo, b.lo);
  const Wide u = ordered_sum(s.hi, s.lo + t.hi);
  return ordered_sum(u.hi, u.lo + t.lo);
}
constexpr Wide operator+(Wide a, double b) {
  const Wide s = sum(a.hi, b);
  return ordered_sum(s.hi, s.lo + a.lo);
}
constexpr Wide operator-(Wide a, Wide b) { return a + -b; }
constexpr Wide operator-(Wide a, double b) { return a + -b; }
constexpr Wide operator*(Wide a, Wide b) {
  const Wide p = product(a.hi, b.hi);
  return ordered_sum(p.hi, p.lo + (a.hi * b.lo + a.lo * b.hi));
}
constexpr Wide operator*(Wide a, double b) {
  const Wide p = product(a.hi, b);
  return ordered_sum(p.hi, p.lo + a.lo * b);
}
constexpr Wide operator/(Wide a, Wide b) {
  const double q = a.hi / b.hi;
  const Wide rest = a - b * q;
  const double more = rest.hi / b.hi;
  const Wide rest2 = rest - b * more;
  return ordered_sum(q, more) + rest2.hi / b.hi;
}
/// a / b where b is a double.
inline Wide over(Wide a, double b) {
  const double q = a.hi / b;
  const Wide back = product(q, b);
  return ordered_sum(q, (((a.hi - back.hi) - back.lo) + a.lo) / b);
}
/// a + b where |a| >= |b| or a = 0: cheaper.
constexpr Wide add_smaller(Wide a, Wide b) {
  const Wide s = ordered_sum(a.hi, b.hi);
  return ordered_sum(s.hi, s.lo + (a.lo + b.lo));
}
constexpr Wide half_of(Wide a) { return {a.hi / 2, a.lo / 2}; }
inline Wide sqrt(Wide a) {  // a > 0
  const double r = std::sqrt(a.hi);
  const Wide rest = a - product(r, r);
  return ordered_sum(r, rest.value() / (2 * r));
}

/// 2^n, -1022 <= n <= 1023.
constexpr double two_to(int n) { return std::bit_cast<double>(static_cast<std::uint64_t>(1023 + n) << 52); }
/// a 2^n without rounding, where nothing leaves the range of normal numbers.
constexpr Wide scaled(Wide a, int n) {
  const double first = two_to(n / 2), rest = two_to(n - n / 2);
  return {a.hi * first * rest, a.lo * first * rest};
}
/// Exponent e of x = m 2^e, 1 <= |m| < 2; x is finite and not 0.
constexpr int exponent_of(double x) {
  const auto field = [](double y) { return static_cast<int>(std::bit_cast<std::uint64_t>(y) >> 52 & 0x7ff); };
  const int e = field(x);
  return e > 0 ? e - 1023 : field(x * 0x1p54) - 1023 - 54;
}
/// a 2^n for 0.1 < |a| < 10 rounded once, also where the result overflows or is subnormal.
inline double rounded(Wide a, int n) {
  if (n > 1100) n = 1100;
  if (n < -1200) n = -1200;
  if (exponent_of(a.hi) + n >= -1022) {
    const double first = two_to(n / 2);
    return a.value() * first * two_to(n - n / 2);
  }
  const double unit = two_to(-1074 - n);           // of the last place of the result
  const double shift = 6755399441055744.0 * unit;  // 1.5 2^52: adding it rounds to units
  const Wide s = sum(shift, a.hi);
  double whole = s.hi - shift;
  if ((s.lo - unit / 2) + a.lo > 0) whole += unit;
  if ((s.lo + unit / 2) + a.lo < 0) whole -= unit;
  return whole * two_to(n / 2) * two_to(n - n / 2);
}

}  // namespace jawari::wide
