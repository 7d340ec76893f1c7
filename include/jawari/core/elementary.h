// SPDX-License-Identifier: MIT
// Elementary functions for set-up: the same bits on every target, from + - * / sqrt and tables alone.  The C library's
// differ between systems in the last place, contacts amplify that, and then two machines play different samples.
//
// All compute in double-double (relative error below 2^-90, most below 2^-98) and round once: correctly rounded except
// with a probability below 1e-11 per call.  Exact cases of pow (squares, cubes, x^1.5 of squares, ...) are rounded
// correctly too. About 50 to 150 ns a call; tgamma 2 us.  None allocates, locks, throws or sets errno.
#pragma once
#include <cstdint>
#include <vector>

namespace jawari::elementary {

double exp(double x) noexcept;
double exp2(double x) noexcept;
double expm1(double x) noexcept;
double log(double x) noexcept;
double log1p(double x) noexcept;
double pow(double x, double y) noexcept;  ///< special values as in IEEE 754 and C
double cbrt(double x) noexcept;
double sinh(double x) noexcept;
double cosh(double x) noexcept;
double tgamma(double x) noexcept;  ///< x > 0; NaN below

/// Any finite argument: reduction by all bits of 2/pi that matter.  NaN at infinity.
double sin(double x) noexcept;
double cos(double x) noexcept;
double tan(double x) noexcept;
double asin(double x) noexcept;
double acos(double x) noexcept;
double atan(double x) noexcept;
double atan2(double y, double x) noexcept;
double hypot(double x, double y) noexcept;

struct SineCosine {
  double cosine, sine;
};
SineCosine sine_cosine(double x) noexcept;  ///< both at the price of one
/// sin(pi i/n) and cos(pi i/n), n > 0, reduced in whole numbers: 0, 1/2 and 1 are met exactly, and all symmetries hold.
double sin_pi(std::int64_t i, std::int64_t n) noexcept;
double cos_pi(std::int64_t i, std::int64_t n) noexcept;
/// sin(pi i/n), i = 0 .. 2n-1: sin(pi j k/n) is entry j k mod 2n.
std::vector<double> sine_table(std::size_t n);

}  // namespace jawari::elementary
