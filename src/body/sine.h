// SPDX-License-Identifier: MIT
// The sine transform between modes and the points j L/(P+1):  out_j = sum_p x_p sin(p j pi/(P+1)),  its own inverse but
// for the factor 2/(P+1).  With N = P + 1 and y_j = sin(j pi/N) (x_j + x_{N-j}) + (x_j - x_{N-j})/2, the real Fourier
// transform R - iI of y gives  out_2k = I_k,  out_{2k+1} = out_{2k-1} + R_k,  out_1 = R_0/2                     (F1)
// (Press et al., Numerical Recipes, 12.4), and that is a complex one of length N/2: radices 8, 4, 2, 3, 5,
// self-sorting. Written on a number type: double here; in src/kernel a SIMD lane is a string, and the bits are the
// same. Lengths with other factors take the sum as it stands.
#pragma once
#include <cstddef>
#include <span>
#include <utility>
#include <vector>

namespace jawari {

class SineTransform {
 public:
  /// copies: lanes of the number type that it will run on.  Allocates.
  explicit SineTransform(std::size_t modes, std::size_t copies = 1);
  void apply(std::span<const double> x, std::span<double> out) noexcept;
  /// Largest count <= `modes` whose transform is fast: count + 1 even and made of 2, 3 and 5.
  static std::size_t good_count(std::size_t modes);
  bool fast() const noexcept { return !stages_.empty(); }

  /// Only where fast(): x and out are P cells of T and may be the same.
  template <class T>
  void run(const double* x, double* out) noexcept {
    double *z = work_.data(), *other = z + n_ * copies_;
    fold<T>(x, z);
    for (const Stage& s : stages_) {
      switch (s.radix) {
        case 2:
          stage<T, 2>(s, z, other);
          break;
        case 3:
          stage<T, 3>(s, z, other);
          break;
        case 4:
          stage<T, 4>(s, z, other);
          break;
        case 8:
          stage<T, 8>(s, z, other);
          break;
        default:
          stage<T, 5>(s, z, other);
          break;
      }
      std::swap(z, other);
    }
    unfold<T>(z, out);
  }

 private:
  struct Stage {
    std::size_t radix, groups, stride;  // groups of butterflies, each of `stride` with the same factors
    std::size_t factors;                // where they begin in factors_: groups x (radix - 1) complex numbers
  };
  template <class T>
  struct Complex {
    T re, im;
    friend Complex operator+(const Complex& a, const Complex& b) { return {a.re + b.re, a.im + b.im}; }
    friend Complex operator-(const Complex& a, const Complex& b) { return {a.re - b.re, a.im - b.im}; }
    Complex turned() const { return {im, -re}; }  ///< times -i
  };

  template <class T>
  static constexpr std::size_t lanes = [] {
    if constexpr (requires { T::width; })
      return T::width;
    else
      return std::size_t{1};
  }();
  template <class T>
  static T cell(const double* x, std::size_t i) noexcept {
    if constexpr (requires { T::width; })
      return T::load(x + i * T::width);
    else
      return x[i];
  }
  template <class T>
  static void put(double* x, std::size_t i, const T& v) noexcept {
    if constexpr (requires { T::width; })
      v.store(x + i * T::width);
    else
      x[i] = v;
  }
  template <class T>
  static Complex<T> pair(const double* z, std::size_t i) noexcept {
    return {cell<T>(z, 2 * i), cell<T>(z, 2 * i + 1)};
  }
  template <class T>
  static void put(double* z, std::size_t i, const Complex<T>& v) noexcept {
    put<T>(z, 2 * i, v.re);
    put<T>(z, 2 * i + 1, v.im);
  }
  template <class T>
  static Complex<T> times(const Complex<T>& a, const Complex<T>& w) noexcept {
    const T re = a.re * w.re, im = a.im * w.re;
    return {re - a.im * w.im, im + a.re * w.im};
  }

  // Members are copied before the loops: the compiler must assume that a store of lanes changes them.

  /// y of (F1), halved, as complex numbers (y_2m, y_2m+1).
  template <class T>
  void fold(const double* x, double* __restrict y) const noexcept {
    const T quarter(0.25);
    const std::size_t n = n_, half = n_ / 2;
    const double* sine = sine_.data();
    put<T>(y, 0, T(0));
    for (std::size_t j = 1; j < half; ++j) {
      const T a = cell<T>(x, j - 1), b = cell<T>(x, n - j - 1), difference = a - b;
      const T sum = cell<T>(sine, j) * (a + b);
      put<T>(y, j, sum + quarter * difference);
      put<T>(y, n - j, sum - quarter * difference);
    }
    put<T>(y, half, cell<T>(x, half - 1));
  }

  template <class T, std::size_t radix>
  void stage(const Stage& s, const double* __restrict from, double* __restrict to) const noexcept {
    const std::size_t stride = s.stride, groups = s.groups, apart = groups * stride;
    const double* w = factors_.data() + s.factors;
    for (std::size_t q = 0; q < stride; ++q) {  // the twiddle factors of the first group are 1
      Complex<T> v[radix];
      butterfly<T>(from, q, apart, v);
      for (std::size_t t = 0; t < radix; ++t) put<T>(to, q + stride * t, v[t]);
    }
    if (stride == 1)
      for (std::size_t p = 1; p < groups; ++p) turned_stage<T, radix>(from, to, p, 1, apart, p, w);
    else
      for (std::size_t p = 1; p < groups; ++p)
        for (std::size_t q = 0; q < stride; ++q)
          turned_stage<T, radix>(from, to + 2 * q * lanes<T>, p, stride, apart, stride * p + q, w);
  }
  template <class T, std::size_t radix>
  static void turned_stage(const double* __restrict from, double* __restrict to, std::size_t p, std::size_t stride,
                           std::size_t apart, std::size_t at, const double* w) noexcept {
    Complex<T> v[radix];
    butterfly<T>(from, at, apart, v);
    put<T>(to, stride * radix * p, v[0]);
    for (std::size_t t = 1; t < radix; ++t)
      put<T>(to, stride * (radix * p + t), times(v[t], pair<T>(w, (radix - 1) * p + t - 1)));
  }
  template <class T>
  static void butterfly(const double* z, std::size_t at, std::size_t apart, Complex<T> (&v)[2]) noexcept {
    const Complex<T> a = pair<T>(z, at), b = pair<T>(z, at + apart);
    v[0] = a + b;
    v[1] = a - b;
  }
  template <class T>
  static void butterfly(const double* z, std::size_t at, std::size_t apart, Complex<T> (&v)[3]) noexcept {
    const Complex<T> a = pair<T>(z, at), b = pair<T>(z, at + apart), c = pair<T>(z, at + 2 * apart);
    const Complex<T> sum = b + c, turned = (b - c).turned();
    const T half(0.5), height(0.86602540378443865);
    const Complex<T> middle{a.re - half * sum.re, a.im - half * sum.im};
    v[0] = a + sum;
    v[1] = {middle.re + height * turned.re, middle.im + height * turned.im};
    v[2] = {middle.re - height * turned.re, middle.im - height * turned.im};
  }
  template <class T>
  static void butterfly(const double* z, std::size_t at, std::size_t apart, Complex<T> (&v)[4]) noexcept {
    const Complex<T> a = pair<T>(z, at), b = pair<T>(z, at + apart), c = pair<T>(z, at + 2 * apart),
                     d = pair<T>(z, at + 3 * apart);
    const Complex<T> even = a + c, odd = b + d, even2 = a - c, odd2 = (b - d).turned();
    v[0] = even + odd;
    v[1] = even2 + odd2;
    v[2] = even - odd;
    v[3] = even2 - odd2;
  }
  template <class T>
  static void butterfly(const double* z, std::size_t at, std::size_t apart, Complex<T> (&v)[8]) noexcept {
    Complex<T> a[4], b[4];
    butterfly<T>(z, at, 2 * apart, a);
    butterfly<T>(z, at + apart, 2 * apart, b);
    const T r(0.70710678118654752);
    const Complex<T> b1{b[1].re + b[1].im, b[1].im - b[1].re}, b2 = b[2].turned(),
                                                               b3{b[3].im - b[3].re, b[3].re + b[3].im};
    v[0] = a[0] + b[0];
    v[4] = a[0] - b[0];
    v[2] = a[2] + b2;
    v[6] = a[2] - b2;
    v[1] = {a[1].re + r * b1.re, a[1].im + r * b1.im};
    v[5] = {a[1].re - r * b1.re, a[1].im - r * b1.im};
    v[3] = {a[3].re + r * b3.re, a[3].im - r * b3.im};
    v[7] = {a[3].re - r * b3.re, a[3].im + r * b3.im};
  }
  template <class T>
  static void butterfly(const double* z, std::size_t at, std::size_t apart, Complex<T> (&v)[5]) noexcept {
    const Complex<T> a = pair<T>(z, at), b = pair<T>(z, at + apart), c = pair<T>(z, at + 2 * apart),
                     d = pair<T>(z, at + 3 * apart), e = pair<T>(z, at + 4 * apart);
    const Complex<T> outer = b + e, inner = c + d, outer2 = (b - e).turned(), inner2 = (c - d).turned();
    const T c1(0.30901699437494742), c2(-0.80901699437494742), s1(0.95105651629515357), s2(0.58778525229247313);
    const auto mix = [](const T& x, const T& f, const T& y, const T& g, const T& z0) -> T {
      return z0 + f * x + g * y;
    };
    const Complex<T> even1{mix(outer.re, c1, inner.re, c2, a.re), mix(outer.im, c1, inner.im, c2, a.im)};
    const Complex<T> even2{mix(outer.re, c2, inner.re, c1, a.re), mix(outer.im, c2, inner.im, c1, a.im)};
    const T re1 = s1 * outer2.re, im1 = s1 * outer2.im, re2 = s2 * outer2.re, im2 = s2 * outer2.im;
    const Complex<T> odd1{re1 + s2 * inner2.re, im1 + s2 * inner2.im}, odd2{re2 - s1 * inner2.re, im2 - s1 * inner2.im};
    v[0] = a + outer + inner;
    v[1] = even1 + odd1;
    v[2] = even2 + odd2;
    v[3] = even2 - odd2;
    v[4] = even1 - odd1;
  }

  /// From the transform of (y_2m + i y_2m+1)/2 to that of y, and (F1).
  template <class T>
  void unfold(double* __restrict z, double* __restrict out) const noexcept {
    const std::size_t m = n_ / 2;
    const double* turn = turn_.data();
    T sum = cell<T>(z, 0) + cell<T>(z, 1);
    put<T>(out, 0, sum);
    for (std::size_t k = 1; 2 * k <= m; ++k) {
      const Complex<T> a = pair<T>(z, k), b = pair<T>(z, m - k), w = pair<T>(turn, k);
      const Complex<T> even{a.re + b.re, a.im - b.im}, odd = times<T>({a.im + b.im, b.re - a.re}, w);
      put<T>(z, 2 * (m - k), even.re - odd.re);  // R_{m-k}, for later
      sum = sum + (even.re + odd.re);
      put<T>(out, 2 * (m - k) - 1, even.im - odd.im);  // at 2k = m the next line overwrites it
      put<T>(out, 2 * k - 1, -(even.im + odd.im));
      put<T>(out, 2 * k, sum);
    }
    for (std::size_t k = m / 2 + 1; k < m; ++k) {
      sum = sum + cell<T>(z, 2 * k);
      put<T>(out, 2 * k, sum);
    }
  }
  void sum_up(std::span<const double> x, std::span<double> out) noexcept;

  std::size_t n_, copies_;
  std::vector<Stage> stages_;
  std::vector<double> sine_, turn_, factors_, work_;  // each number `copies` times: a load, not a broadcast
};

}  // namespace jawari
