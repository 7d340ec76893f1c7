// SPDX-License-Identifier: MIT
// a x^p for fixed a and p >= 0: fitted once, then + - * only, so that every target computes the same bits (libm's pow
// differs between systems in the last place, and contact is chaotic enough to hear it).
//   x = 2^e c (1 + r),   c the centre of one of 256 mantissa cells,   a x^p = 2^(pe) a c^p (1 + r)^p           (W1)
// 2^(pe) and a c^p are tables, (1 + r)^p - 1 a polynomial of degree 5, economised on |r| <= 1/512 (W2).  Tables are
// built from + - * / in double-double (src/core/power.cpp), hence equal everywhere too.
// For float lanes one polynomial serves the whole mantissa, and only 2^(pe) is a table:
//   a x^p = a 2^(pe) P(m - 3/2),   1 <= m < 2,   P of degree 6 through (W1)                                     (W3)
// (relative error 5e-7 for p <= 3, 3e-6 for p <= 6; one degree more halves it and costs a kernel 2 % of its time).
// Relative error of (W1) for p <= 8 at most 5e-16 between 1e-33 and 1e18 and 2e-15 elsewhere, 7e-15 for p <= 14, wherever the
// result is a normal number.
#pragma once
#include <array>
#include <bit>
#include <cstddef>
#include <cstdint>

namespace jawari {

class Power {
 public:
  static constexpr double largest = 14;  ///< exponents above are refused by the constructor

  /// Takes about 60 us and allocates nothing.  Throws std::domain_error unless 0 <= exponent <= largest.
  explicit Power(double exponent, double factor = 1);
  double exponent() const noexcept { return exponent_; }

  double operator()(double x) const noexcept {
    if (exponent_ == 0) return node_[0].value;  // 0^0 = 1, as std::pow
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t e = (bits >> 52) - first_;  // wraps for small, negative and NaN arguments
    if (e >= count_) [[unlikely]] return rare(x);
    const Node& n = node_[(bits >> 44) & 0xff];
    const double m = std::bit_cast<double>((bits & fraction) | one);
    const double c = std::bit_cast<double>((bits & cell) | one | half_cell);
    return evaluate(m - c, n.inverse, n.value * scale_[e]);
  }

  /// (W1) for doubles and lanes: m - c is exact, factor = a c^p 2^(pe).
  template <class T>
  T evaluate(T m_minus_c, T inverse, T factor) const noexcept {
    const T r = m_minus_c * inverse, r2 = r * r;
    const T more = r * ((c_[0] + c_[1] * r) + r2 * ((c_[2] + c_[3] * r) + r2 * c_[4]));
    return factor + factor * more;
  }

  /// (W3) for lanes of floats; scale from single_scales() at the biased exponent.
  template <class T>
  T evaluate_single(T m_minus_middle, T scale) const noexcept {
    return evaluate_single(m_minus_middle, scale, [this](std::size_t i) { return T(single_[i][0]); });
  }
  /// c(0) ... c(6): the coefficients as T, from wherever they are at hand.
  template <class T, class Coefficient>
  T evaluate_single(T m_minus_middle, T scale, const Coefficient& c) const noexcept {
    const T t = m_minus_middle, t2 = t * t, t4 = t2 * t2;
    const T low = (c(0) + c(1) * t) + t2 * (c(2) + c(3) * t), high = (c(4) + c(5) * t) + t2 * c(6);
    return scale * (low + t4 * high);
  }
  /// The coefficients of (W3), each four times in a row.
  const float* single_coefficients() const noexcept { return single_[0].data(); }
  static constexpr double largest_single = 6;  ///< exponents above are not served
  /// 256 of them, as bits; NaN where floats are denormal, infinite or NaN, or (W3) does not serve.
  const std::uint32_t* single_scales() const noexcept { return single_scale_.data(); }

  struct Node {
    double inverse, value;  ///< 1/c and a c^p
  };
  static constexpr std::uint64_t fraction = 0x000fffffffffffffULL, one = 0x3ff0000000000000ULL,
                                 cell = 0x000ff00000000000ULL, half_cell = 0x0000080000000000ULL;
  const Node* nodes() const noexcept { return node_.data(); }
  const double* scales() const noexcept { return scale_.data(); }  ///< [scale_count()] is NaN: not the short way
  std::uint64_t first_biased_exponent() const noexcept { return first_; }
  std::uint64_t scale_count() const noexcept { return count_; }

 private:
  double rare(double x) const noexcept;  // 0, denormal, huge, infinite, negative (NaN)
  void fit_single();

  double exponent_;
  std::uint64_t first_, count_;  // biased exponents first_ .. first_ + count_ - 1 take the short way
  std::array<double, 5> c_;
  std::array<Node, 256> node_;
  std::array<double, 321> scale_;  // 320 and one NaN at least
  alignas(16) std::array<std::array<float, 4>, 7> single_;
  std::array<std::uint32_t, 256> single_scale_;
};

/// Found by argument type: lanes bring their own (src/kernel).
inline double raise(const Power& power, double x) noexcept { return power(x); }

}  // namespace jawari
