// SPDX-License-Identifier: MIT
// The integral of a smooth function: Gauss's rule of 16 points on the whole and on its halves, halved again until both
// agree.
#pragma once
#include <cmath>

namespace jawari::exact {

struct Impact;
/// contact_time(), halving intervals only until both rules agree to `tolerance`: for tables.
double contact_time_within(const Impact& impact, double tolerance);

template <class F>
double gauss(F&& f, double a, double b) {
  constexpr double rule[8][2] = {
      {0.9894009349916499, 0.027152459411754096}, {0.9445750230732326, 0.062253523938647894},
      {0.8656312023878318, 0.09515851168249279},  {0.755404408355003, 0.12462897125553388},
      {0.6178762444026438, 0.14959598881657674},  {0.45801677765722737, 0.16915651939500254},
      {0.2816035507792589, 0.18260341504492358},  {0.09501250983763744, 0.1894506104550685}};  // abscissa, weight
  const double middle = (a + b) / 2, half = (b - a) / 2;
  double sum = 0;
  for (const auto& [x, w] : rule) sum += w * (f(middle - half * x) + f(middle + half * x));
  return half * sum;
}
/// whole: the rule on (a, b); all: the size that errors are compared with.
template <class F>
double refined(F&& f, double a, double b, double whole, double all, double tolerance, int depth) {
  const double middle = (a + b) / 2, left = gauss(f, a, middle), right = gauss(f, middle, b);
  if (depth == 0 || std::abs(left + right - whole) <= tolerance * all) return left + right;
  return refined(f, a, middle, left, all, tolerance, depth - 1) +
         refined(f, middle, b, right, all, tolerance, depth - 1);
}
template <class F>
double integral_of(F&& f, double a, double b, double tolerance) {
  const double whole = gauss(f, a, b);
  return refined(f, a, b, whole, std::abs(whole), tolerance, 12);
}

}  // namespace jawari::exact
