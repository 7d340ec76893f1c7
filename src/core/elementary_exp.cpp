// SPDX-License-Identifier: MIT
// Exponentials, logarithms and what is made of them.
//   e^x = 2^n (1 + a_i)(1 + b_j)(1 + e^r - 1),  x = (4096 n + 64 i + j) ln2/4096 + r,  |r| <= ln2/8192           (R1)
//   log x = n ln2 - log c_i - log c'_j + log(1 + g),  1 + g = x 2^-n c_i c'_j,  |g| < 2^-13, c, c' of few bits   (R2)
// Tables are computed by the compiler, from series.
#include <array>
#include <cstddef>
#include <limits>

#include "core/double_double.h"
#include "jawari/core/elementary.h"

namespace jawari::elementary {
namespace {

using namespace wide;

constexpr double infinity = std::numeric_limits<double>::infinity(), none = std::numeric_limits<double>::quiet_NaN();
constexpr Wide ln2{0x1.62e42fefa39efp-1, 0x1.abc9e3b39803fp-56};
constexpr Wide third = Wide(1) / Wide(3), sixth = half_of(third);

/// e^x - 1 by its series, |x| < 0.4.
constexpr Wide series_expm1(Wide x) {
  Wide all = x, term = x;
  for (int n = 2; n < 30; ++n) {
    term = term * x / Wide(n);
    all = all + term;
  }
  return all;
}
/// log c by 2 artanh((c - 1)/(c + 1)), 0.6 < c < 1.5.
constexpr Wide series_log(double c) {
  const Wide s = Wide(c - 1) / Wide(c + 1), s2 = s * s;
  Wide all = s, power = s;
  for (int n = 3; n < 50 && power.hi != 0; n += 2) {
    power = power * s2;
    all = all + power / Wide(n);
  }
  return all + all;
}

using Row = std::array<Wide, 64>;
constexpr Row table_of_two_to(double unit) {  // 2^(i unit) - 1, i = -32..31
  Row t;
  for (int i = -32; i < 32; ++i) t[static_cast<std::size_t>(i + 32)] = series_expm1(ln2 * (i * unit));
  return t;
}
constexpr Row coarse = table_of_two_to(1.0 / 64), fine = table_of_two_to(1.0 / 4096);

struct Shrink {
  double by, less_one;  // c of (R2)
  Wide minus_log;
};
constexpr Shrink shrink(double from, double steps) {  // by about 1/from, in whole 1/steps
  const double c = static_cast<double>(static_cast<std::int64_t>(steps / from + 0.5)) / steps;
  return {c, c - 1, c == 1 ? Wide(0) : -series_log(c)};
}
constexpr int first_coarse = -38, first_fine = -66;
constexpr auto coarse_log = [] {
  std::array<Shrink, 92> t{};
  for (int i = 0; i < 92; ++i) t[static_cast<std::size_t>(i)] = shrink(1 + (i + first_coarse) / 128.0, 4096);
  return t;
}();
constexpr auto fine_log = [] {
  std::array<Shrink, 133> t{};
  for (int i = 0; i < 133; ++i) t[static_cast<std::size_t>(i)] = shrink(1 + (i + first_fine) / 8192.0, 1 << 20);
  return t;
}();

/// Nearest whole number, |x| < 2^51.
double nearest(double x) {
  const double shift = 6755399441055744.0;
  return (x + shift) - shift;
}

struct Exponential {  // 2^n (1 + less_one)
  Wide less_one;
  int n;
};
/// Of k ln2/4096 + r.
Exponential exponential(int k, Wide r) {
  const int j = ((k + 32) & 63) - 32, q = (k - j) / 64, i = ((q + 32) & 63) - 32, n = (q - i) / 64;
  const double x = r.hi, tail = x * (1.0 / 24 + x * (1.0 / 120 + x * (1.0 / 720)));
  const Wide s = add_smaller(r, r * r * add_smaller(Wide(0.5), r * add_smaller(sixth, tail)));
  const Wide a = coarse[static_cast<std::size_t>(i + 32)], b = fine[static_cast<std::size_t>(j + 32)];
  const Wide ab = add_smaller(a, add_smaller(b, a * b));
  return {add_smaller(ab, add_smaller(s, ab * s)), n};
}
/// |x| < 800.
Exponential exponential(Wide x) {
  const double k = nearest(x.hi * 0x1.71547652b82fep+12);  // 4096/ln2
  const Wide rest = sum(x.hi - k * 0x1.62e42fe000000p-13, x.lo);
  const Wide r = rest - (product(k, 0x1.f473de6af278fp-42) + k * -0x1.8cff81a12a17ep-97);
  return exponential(static_cast<int>(k), r);
}
double rounded(const Exponential& e) { return wide::rounded(Wide(1) + e.less_one, e.n); }
/// e^x - 1
Wide minus_one(const Exponential& e) {
  if (e.n == 0) return e.less_one;
  return scaled(Wide(1) + e.less_one, e.n) - 1.0;
}

/// log x, x = m 2^n, 0.7 < m < 1.42.
Wide logarithm(Wide m, int n) {
  const auto& c = coarse_log[static_cast<std::size_t>(nearest((m.hi - 1) * 128) - first_coarse)];
  const Wide p = product(m.hi, c.by), f = sum(p.hi - 1, p.lo + m.lo * c.by);
  const auto& d = fine_log[static_cast<std::size_t>(nearest(f.hi * 8192) - first_fine)];
  const Wide g = d.by == 1 ? f : f * d.by + d.less_one;
  const double x = g.hi, tail = x * (-1.0 / 4 + x * (1.0 / 5 + x * (-1.0 / 6 + x * (1.0 / 7))));
  const Wide s = add_smaller(g, g * g * add_smaller(Wide(-0.5), g * add_smaller(third, tail)));
  return add_smaller(ln2 * n, add_smaller(c.minus_log, add_smaller(d.minus_log, s)));
}
/// x > 0, finite.
Wide logarithm(Wide x) {
  int n = exponent_of(x.hi);
  if (n < -1000) {
    x = scaled(x, 60);
    return logarithm(x) - ln2 * 60;
  }
  if (x.hi > 0x1.6a09e667f3bcdp0 * two_to(n < 1023 ? n : 1022) * (n < 1023 ? 1 : 2)) ++n;
  return logarithm(scaled(x, -n), n);
}

bool whole(double y) { return y == std::floor(y); }
/// x^k, k >= 0, exact where 106 bits hold it; 1 <= x < 2, the power below 2^1000.
Wide whole_power(double x, int k) {
  Wide result(1), square(x);
  for (; k > 0; k /= 2) {
    if (k % 2 != 0) result = result * square;
    if (k > 1) square = square * square;
  }
  return result;
}
double positive_power(double x, double y) {  // 0 < x < infinity
  while (!whole(y) && std::abs(y) < 64) {    // x^(n/2) of a square: the power of its root
    const double r = std::sqrt(x);
    if (product(r, r).value() != x || product(r, r).lo != 0 || r < 1e-130 || r > 1e130) break;
    x = r;
    y *= 2;
  }
  if (whole(y) && std::abs(y) <= 64) {
    const int k = static_cast<int>(std::abs(y)), n = exponent_of(x);
    const Wide p = whole_power(scaled(x, -n).hi, k), q = y < 0 ? Wide(1) / p : p;
    const int e = exponent_of(q.hi);
    return wide::rounded(scaled(q, -e), e + (y < 0 ? -n * k : n * k));
  }
  const Wide l = logarithm(Wide(x));
  if (std::abs(l.hi * y) > 800) return (l.hi > 0) == (y > 0) ? infinity : 0;
  return rounded(exponential(l * y));
}

}  // namespace

double exp(double x) noexcept {
  if (!(std::abs(x) < 800)) return x != x ? x : x > 0 ? infinity : 0;
  return rounded(exponential(Wide(x)));
}
double exp2(double x) noexcept {
  if (!(std::abs(x) < 1100)) return x != x ? x : x > 0 ? infinity : 0;
  const double k = nearest(x * 4096);
  return rounded(exponential(static_cast<int>(k), ln2 * (x - k / 4096)));
}
double expm1(double x) noexcept {
  if (std::abs(x) < 0x1p-60) return x;
  if (!(x < 800)) return x;
  if (x < -100) return -1;
  const Exponential e = exponential(Wide(x));
  return e.n > 200 ? rounded(e) : minus_one(e).value();
}
double log(double x) noexcept {
  if (!(x > 0)) return x == 0 ? -infinity : none;
  if (x == infinity) return x;
  return logarithm(Wide(x)).value();
}
double log1p(double x) noexcept {
  if (std::abs(x) < 0x1p-60) return x;
  if (!(x > -1)) return x == -1 ? -infinity : none;
  if (x == infinity) return x;
  return logarithm(sum(1, x)).value();
}
double pow(double x, double y) noexcept {
  if (y == 0 || x == 1) return 1;
  if (x != x || y != y) return none;
  const bool odd = whole(y) && std::abs(y) < 0x1p53 && !whole(y / 2);
  const double sign = std::signbit(x) && odd ? -1 : 1, size = std::abs(x);
  if (std::abs(y) == infinity) return size == 1 ? 1 : (size > 1) == (y > 0) ? infinity : 0;
  if (size == 0 || size == infinity) return sign * ((size == 0) == (y > 0) ? 0 : infinity);
  if (x < 0 && !whole(y)) return none;
  return size == 1 ? sign : sign * positive_power(size, y);
}
double cbrt(double x) noexcept {
  if (x == 0 || x != x || std::abs(x) == infinity) return x;
  const double y = rounded(exponential(logarithm(Wide(std::abs(x))) * third));
  return x < 0 ? -y : y;
}
double sinh(double x) noexcept {
  if (std::abs(x) < 0x1p-40) return x;
  if (!(std::abs(x) < 800)) return x;
  const Exponential e = exponential(Wide(std::abs(x)));
  double y = 0;
  if (e.n > 60) {
    y = wide::rounded(half_of(Wide(1) + e.less_one), e.n);
  } else {
    const Wide m = minus_one(e);  // (m + m/(m+1))/2
    y = half_of(m + m / (m + 1.0)).value();
  }
  return x < 0 ? -y : y;
}
double cosh(double x) noexcept {
  if (!(std::abs(x) < 800)) return std::abs(x);
  const Exponential e = exponential(Wide(std::abs(x)));
  const Wide m = Wide(1) + e.less_one;
  if (e.n > 60) return wide::rounded(half_of(m), e.n);
  const Wide p = scaled(m, e.n);
  return half_of(p + Wide(1) / p).value();
}
/// Stirling's series from 32 on, and down again by z Gamma(z) = Gamma(z + 1).
double tgamma(double x) noexcept {
  if (!(x > 0)) return x == 0 ? infinity : none;
  if (x > 172) return infinity;
  if (x < 0x1p-60) return 1 / x;
  Wide z(x), down(1);
  for (; z.hi < 32; z = z + 1.0) down = down * z;
  constexpr double bernoulli[][2] = {{1, 12},         {-1, 360},         {1, 1260},     {-1, 1680},
                                     {1, 1188},       {-691, 360360},    {1, 156},      {-3617, 122400},
                                     {43867, 244188}, {-174611, 125400}, {77683, 5796}, {-236364091, 1506960},
                                     {657931, 300}};
  constexpr Wide half_log_2pi{0x1.d67f1c864beb5p-1, -0x1.65b5a1b7ff5dfp-55};
  const Wide w = Wide(1) / z, w2 = w * w;
  Wide series(0);
  for (std::size_t i = std::size(bernoulli); i-- > 0;)
    series = series * w2 + Wide(bernoulli[i][0]) / Wide(bernoulli[i][1]);
  const Exponential e = exponential((z - 0.5) * logarithm(z) - z + half_log_2pi + series * w);
  const Wide q = (Wide(1) + e.less_one) / down;
  const int n = exponent_of(q.hi);
  return wide::rounded(scaled(q, -n), e.n + n);
}

}  // namespace jawari::elementary
