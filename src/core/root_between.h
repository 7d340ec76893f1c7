// SPDX-License-Identifier: MIT
// A zero of f between a and b, where f has different signs, to the last places of a double: false position with halved
// weights (Illinois), every third step a bisection.  + - * / alone, so equal functions give equal bits everywhere.
#pragma once
#include <cmath>

namespace jawari {

template <class F>
double root_between(F&& f, double a, double b) {
  double fa = f(a), fb = f(b);
  if (fa == 0) return a;
  if (fb == 0) return b;
  bool moved_a = false, moved_b = false;
  for (int i = 0; i < 300 && b - a > 4e-16 * std::fmax(std::abs(a), std::abs(b)); ++i) {
    const double middle = a + (b - a) / 2, line = a - fa * (b - a) / (fb - fa);
    const double c = i % 3 != 2 && line > a && line < b ? line : middle;
    if (!(c > a && c < b)) break;
    const double fc = f(c);
    if (fc == 0) return c;
    if ((fc < 0) == (fa < 0)) {
      a = c;
      fa = fc;
      if (moved_a) fb /= 2;
      moved_a = true;
      moved_b = false;
    } else {
      b = c;
      fb = fc;
      if (moved_b) fa /= 2;
      moved_b = true;
      moved_a = false;
    }
  }
  return a + (b - a) / 2;
}

}  // namespace jawari
