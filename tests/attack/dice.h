// SPDX-License-Identifier: MIT
// Numbers drawn from a 64-bit seed, the same on every machine: splitmix64, and decimals of two digits as text, so that
// the drawn value is the one in the scene file.
#pragma once
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <span>
#include <string>
#include <string_view>

namespace jawari::attack {

class Dice {
 public:
  explicit Dice(std::uint64_t seed) : state_(seed) {}

  std::uint64_t next() {
    std::uint64_t z = state_ += 0x9e3779b97f4a7c15u;
    z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9u;
    z = (z ^ (z >> 27)) * 0x94d049bb133111ebu;
    return z ^ (z >> 31);
  }
  int upto(int n) { return static_cast<int>(next() % static_cast<std::uint64_t>(n)); }  ///< 0 .. n - 1
  int between(int a, int b) { return a + upto(b - a + 1); }                             ///< a .. b
  bool percent(int p) { return upto(100) < p; }
  double share() { return static_cast<double>(next() >> 11) * 0x1p-53; }  ///< [0, 1)
  std::string_view word(std::span<const std::string_view> words) { return words[next() % words.size()]; }

  /// Two digits, alike in every decade from `least` > 0 to `most`.
  std::string decades(double least, double most) {
    const int low = decade(least), high = decade(most);
    for (int tries = 0; tries < 100; ++tries) {
      char text[40];
      const int digits = between(10, 99);
      std::snprintf(text, sizeof text, "%d.%de%d", digits / 10, digits % 10, between(low, high));
      const double x = std::strtod(text, nullptr);
      if (x >= least && x <= most) return text;
    }
    return number(least);
  }
  /// Three digits, alike between `a` and `b`.
  std::string evenly(double a, double b) { return number(a + (b - a) * share()); }

  static std::string number(double x, int digits = 3) {
    char text[40];
    std::snprintf(text, sizeof text, "%.*g", digits, x);
    std::string s = text;
    if (s.find_first_of(".e") == std::string::npos) s += ".0";
    return s;
  }

 private:
  static int decade(double x) {
    int e = 0;
    while (e < 308 && power(e + 1) <= x) ++e;
    while (e > -323 && power(e) > x) --e;
    return e;
  }
  static double power(int e) { return std::strtod(("1e" + std::to_string(e)).c_str(), nullptr); }

  std::uint64_t state_;
};

}  // namespace jawari::attack
