// SPDX-License-Identifier: MIT
// a x^p for fixed a and p >= 0: fitted once, then + - * only, so that every target computes the same bits (libm's pow
// differs between systems in the last place, and contacts amplify such differences until they are audible).
//   x = 2^e c (1 + r),   c the centre of one of 256 mantissa cells,   a x^p = 2^(pe) a c^p (1 + r)^p           (W1)
// 2^(pe) and a c^p are tables, (1 + r)^p - 1 a polynomial of degree 5, economised on |r| <= 1/512 (W2).  Tables are
// built from + - * / in double-double (src/core/power.cpp), hence equal everywhere too.
// For float lanes one polynomial serves the whole mantissa, and only 2^(pe) is a table:
//   a x^p = a 2^(pe) P(m - 3/2),   1 <= m < 2,   P of degree 6 through (W1)                                     (W3)
// (relative error 5e-7 for p <= 3, 3e-6 for p <= 6; one degree more halves it and costs a kernel 2 % of its time).
// Relative error of (W1) for p <= 8 at most 5e-16 between 1e-33 and 1e18 and 2e-15 elsewhere, 7e-15 for p <= 14,
// wherever the result is a normal number.
#pragma once
#include <bit>
#include <cstddef>
#include <cstdint>

#include "jawari/core/number.h"

namespace jawari {

/// 1/c and a c^p of a mantissa cell.
struct PowerNode {
  double inverse, value;
};

/// (W1) and (W3) on tables that `Tables` owns or points to.
template <class Tables>
class PowerFormulas {
 public:
  JAWARI_HD double operator()(double x) const noexcept {
    if (self().exponent() == 0) return self().nodes()[0].value;  // 0^0 = 1, as std::pow
    const std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
    const std::uint64_t e =
        (bits >> 52) - self().first_biased_exponent();  // wraps for small, negative and NaN arguments
    if (e >= self().scale_count()) [[unlikely]]
      return rare(x);
    const PowerNode& n = self().nodes()[(bits >> 44) & 0xff];
    const double m = std::bit_cast<double>((bits & fraction) | one);
    const double c = std::bit_cast<double>((bits & cell) | one | half_cell);
    return evaluate(m - c, n.inverse, n.value * self().scales()[e]);
  }

  /// (W1) for doubles and lanes: m - c is exact, factor = a c^p 2^(pe).
  template <class T>
  JAWARI_HD T evaluate(T m_minus_c, T inverse, T factor) const noexcept {
    const double* c = self().coefficients();
    const T r = m_minus_c * inverse, r2 = r * r;
    const T more = r * ((c[0] + c[1] * r) + r2 * ((c[2] + c[3] * r) + r2 * c[4]));
    return factor + factor * more;
  }

  /// (W3) for lanes of floats; scale from single_scales() at the biased exponent.
  template <class T>
  JAWARI_HD T evaluate_single(T m_minus_middle, T scale) const noexcept {
    const float* c = self().single_coefficients();
    return evaluate_single(m_minus_middle, scale, [c](std::size_t i) { return T(c[4 * i]); });
  }
  /// c(0) ... c(6): the coefficients as T, from wherever they are at hand.
  template <class T, class Coefficient>
  JAWARI_HD T evaluate_single(T m_minus_middle, T scale, const Coefficient& c) const noexcept {
    const T t = m_minus_middle, t2 = t * t, t4 = t2 * t2;
    const T low = (c(0) + c(1) * t) + t2 * (c(2) + c(3) * t), high = (c(4) + c(5) * t) + t2 * c(6);
    return scale * (low + t4 * high);
  }

  static constexpr std::uint64_t fraction = 0x000fffffffffffffULL, one = 0x3ff0000000000000ULL,
                                 cell = 0x000ff00000000000ULL, half_cell = 0x0000080000000000ULL;

 private:
  JAWARI_HD const Tables& self() const noexcept { return static_cast<const Tables&>(*this); }
  /// 0, denormal, huge, infinite, negative (NaN)
  [[gnu::noinline, gnu::cold]] JAWARI_HD double rare(double x) const noexcept;
};

class PowerView;

class Power : public PowerFormulas<Power> {
 public:
  static constexpr double largest = 14;  ///< exponents above are refused by the constructor
  using Node = PowerNode;
  using View = PowerView;

  /// Takes about 60 us and allocates nothing.  Throws std::domain_error unless 0 <= exponent <= largest.
  explicit Power(double exponent, double factor = 1);
  JAWARI_HD double exponent() const noexcept { return exponent_; }
  inline PowerView view() const noexcept;

  static constexpr double largest_single = 6;  ///< (W3): exponents above are not served
  /// The coefficients of (W3), each four times in a row.
  JAWARI_HD const float* single_coefficients() const noexcept { return &single_[0][0]; }
  /// 256 of them, as bits; NaN where floats are denormal, infinite or NaN, or (W3) does not serve.
  JAWARI_HD const std::uint32_t* single_scales() const noexcept { return single_scale_; }

  JAWARI_HD const double* coefficients() const noexcept { return c_; }  ///< of (W2)
  JAWARI_HD const Node* nodes() const noexcept { return node_; }
  JAWARI_HD const double* scales() const noexcept { return scale_; }  ///< [scale_count()] is NaN: not the short way
  JAWARI_HD std::uint64_t first_biased_exponent() const noexcept { return first_; }
  JAWARI_HD std::uint64_t scale_count() const noexcept { return count_; }

  static constexpr std::size_t node_count = 256, most_scales = 321;  ///< 320 and one NaN at least

 private:
  void fit_single();

  double exponent_;
  std::uint64_t first_, count_;  // biased exponents first_ .. first_ + count_ - 1 take the short way
  double c_[5];
  Node node_[node_count];
  double scale_[most_scales];
  alignas(16) float single_[7][4];
  std::uint32_t single_scale_[256];
};

/// A power whose tables lie elsewhere: in a Power, or in the memory of a device that they were copied to.
class PowerView : public PowerFormulas<PowerView> {
 public:
  JAWARI_HD PowerView(double exponent, std::uint64_t first, std::uint64_t count, const double* coefficients,
                      const PowerNode* nodes, const double* scales) noexcept
      : exponent_(exponent),
        first_(first),
        count_(count),
        coefficients_(coefficients),
        nodes_(nodes),
        scales_(scales) {}
  JAWARI_HD double exponent() const noexcept { return exponent_; }
  JAWARI_HD const double* coefficients() const noexcept { return coefficients_; }
  JAWARI_HD const PowerNode* nodes() const noexcept { return nodes_; }
  JAWARI_HD const double* scales() const noexcept { return scales_; }
  JAWARI_HD std::uint64_t first_biased_exponent() const noexcept { return first_; }
  JAWARI_HD std::uint64_t scale_count() const noexcept { return count_; }

 private:
  double exponent_;
  std::uint64_t first_, count_;
  const double* coefficients_;
  const PowerNode* nodes_;
  const double* scales_;
};

inline PowerView Power::view() const noexcept { return {exponent_, first_, count_, c_, node_, scale_}; }

template <class Tables>
JAWARI_HD double PowerFormulas<Tables>::rare(double x) const noexcept {
  constexpr std::uint64_t infinity = 0x7ff0000000000000ULL, not_a_number = 0x7ff8000000000000ULL;
  if (!(x > 0)) return x == 0 ? 0 : std::bit_cast<double>(not_a_number);
  if (x == std::bit_cast<double>(infinity)) return x;
  // x = m 2^e with 1 <= m < 2: the mantissa the short way, then 2^(pe) in pieces that neither over- nor underflow
  // before the last one does.
  int e = -1023;
  std::uint64_t bits = std::bit_cast<std::uint64_t>(x);
  if ((bits >> 52) == 0) {  // denormal
    bits = std::bit_cast<std::uint64_t>(x * 0x1p54);
    e -= 54;
  }
  e += static_cast<int>(bits >> 52);
  double result = (*this)(std::bit_cast<double>((bits & fraction) | one));
  const double* scales = self().scales();
  const int middle = static_cast<int>(1023 - self().first_biased_exponent());
  const int largest_piece = static_cast<int>(self().scale_count()) - 1 - middle;
  while (e > 0) {
    const int piece = e < largest_piece ? e : largest_piece;
    result *= scales[middle + piece];
    e -= piece;
  }
  while (e < 0) {
    const int piece = -e < middle ? -e : middle;
    result *= scales[middle - piece];
    e += piece;
  }
  return result;
}

/// Found by argument type: lanes bring their own (src/kernel).
JAWARI_HD inline double raise(const Power& power, double x) noexcept { return power(x); }
JAWARI_HD inline double raise(const PowerView& power, double x) noexcept { return power(x); }

/// The fitted power of a number type, made from exponent and factor, with raise(power, x); another number type
/// specialises it.
template <class P>
struct PowerTable;
template <>
struct PowerTable<double> {
  using type = Power;
};
template <class P>
using PowerOf = typename PowerTable<P>::type;

}  // namespace jawari
