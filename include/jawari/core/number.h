// SPDX-License-Identifier: MIT
// The operations on numbers that the physics uses, so that the same code serves double, a SIMD lane (src/kernel), a
// dual number (core/dual.h) and a device: selection without branches, and tests whether any lane needs some work.
// Another number type defines functions of the same names, found by argument type.  Code of the time loop calls these
// and no function of the C library.
#pragma once
#include <cmath>
#include <concepts>
#include <type_traits>

/// On every function of the time loop: a CUDA compiler makes it for the device, too.
#if defined(__CUDACC__) || defined(__CUDA__)
#define JAWARI_HD __host__ __device__
#else
#define JAWARI_HD
#endif

namespace jawari {

template <std::floating_point T>
JAWARI_HD inline T select(bool which, T yes, T no) noexcept {
  return which ? yes : no;
}
JAWARI_HD inline bool maybe_any(bool mask) noexcept { return mask; }
JAWARI_HD inline bool any_lane(bool mask) noexcept {
  return mask;
}  ///< the same, for work so long that lanes test before it
template <std::floating_point T>
JAWARI_HD inline T sqrt(T x) noexcept {
  return std::sqrt(x);
}
template <std::floating_point T>
JAWARI_HD inline T abs(T x) noexcept {
  return std::fabs(x);
}
/// As hardware does it: the second argument when the first is not the larger (also for NaN).
template <std::floating_point T>
JAWARI_HD inline T max(T a, T b) noexcept {
  return a > b ? a : b;
}
template <std::floating_point T>
JAWARI_HD inline T min(T a, T b) noexcept {
  return a < b ? a : b;
}
/// |x| with the sign of `sign`, also that of -0.
template <std::floating_point T>
JAWARI_HD inline T with_sign(T x, T sign) noexcept {
  return std::copysign(x, sign);
}
/// Equal in all parts: a derivative counts, other than with ==.
template <std::floating_point T>
JAWARI_HD inline bool same(T a, T b) noexcept {
  return a == b;
}
/// The number without derivatives.
template <std::floating_point T>
JAWARI_HD inline T plain(T x) noexcept {
  return x;
}

template <class T>
using PlainOf = std::remove_cvref_t<decltype(plain(std::declval<const T&>()))>;
/// Zero, and no derivative either: what depends on x may be left out.
template <class T>
JAWARI_HD inline bool vanishes(const T& x) noexcept {
  return same(x, T(0));
}

/// A function of doubles that is called at set-up, on another number type: that type overloads it with a derivative.
template <std::floating_point T, class F>
T at_set_up(F&& f, T x) {
  return static_cast<T>(f(static_cast<double>(x)));
}

/// The number type of a law or a scheme: its member Number, or double.
namespace detail {
template <class L>
struct NumberOf {
  using type = double;
};
template <class L>
requires requires { typename L::Number; }
struct NumberOf<L> {
  using type = typename L::Number;
};
}  // namespace detail
template <class L>
using NumberOf = typename detail::NumberOf<L>::type;

}  // namespace jawari
