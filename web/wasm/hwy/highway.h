// SPDX-License-Identifier: MIT
// Highway with doubles on WebAssembly.  Its release 1.0.3 has integers and floats there and would emulate vectors of
// doubles one by one, which is slower than the reference path; WebAssembly itself has pairs of doubles in every engine
// since 2023.  Overloads of what the kernels need; this folder comes before Highway's own in the search for headers.
// Included again where Highway's header is: it has its own guards.
#include_next <hwy/highway.h>

#if HWY_TARGET == HWY_WASM && !defined(JAWARI_WEB_DOUBLES_H)
#define JAWARI_WEB_DOUBLES_H

HWY_BEFORE_NAMESPACE();
namespace hwy {
namespace HWY_NAMESPACE {

template <size_t N>
using Doubles = Vec128<double, N>;
template <size_t N>
using DoubleMask = Mask128<double, N>;

template <size_t N>
HWY_API Doubles<N> Set(Simd<double, N, 0>, const double x) {
  return Doubles<N>{wasm_f64x2_splat(x)};
}

#define JAWARI_DOUBLES_2(name, instruction)             \
  template <size_t N>                                   \
  HWY_API Doubles<N> name(Doubles<N> a, Doubles<N> b) { \
    return Doubles<N>{instruction(a.raw, b.raw)};       \
  }
#define JAWARI_DOUBLES_1(name, instruction) \
  template <size_t N>                       \
  HWY_API Doubles<N> name(Doubles<N> a) {   \
    return Doubles<N>{instruction(a.raw)};  \
  }
#define JAWARI_DOUBLES_COMPARED(name, instruction)         \
  template <size_t N>                                      \
  HWY_API DoubleMask<N> name(Doubles<N> a, Doubles<N> b) { \
    return DoubleMask<N>{instruction(a.raw, b.raw)};       \
  }
JAWARI_DOUBLES_2(operator+, wasm_f64x2_add)
JAWARI_DOUBLES_2(operator-, wasm_f64x2_sub)
JAWARI_DOUBLES_2(operator*, wasm_f64x2_mul)
JAWARI_DOUBLES_2(operator/, wasm_f64x2_div)
// The names are templates over all vectors that were defined before these operators, hence once more.
JAWARI_DOUBLES_2(Add, wasm_f64x2_add)
JAWARI_DOUBLES_2(Sub, wasm_f64x2_sub)
JAWARI_DOUBLES_2(Mul, wasm_f64x2_mul)
JAWARI_DOUBLES_2(Div, wasm_f64x2_div)
JAWARI_DOUBLES_2(Min, wasm_f64x2_pmin)
JAWARI_DOUBLES_2(Max, wasm_f64x2_pmax)
JAWARI_DOUBLES_1(Neg, wasm_f64x2_neg)
JAWARI_DOUBLES_1(Abs, wasm_f64x2_abs)
JAWARI_DOUBLES_1(Sqrt, wasm_f64x2_sqrt)
JAWARI_DOUBLES_COMPARED(operator>, wasm_f64x2_gt)
JAWARI_DOUBLES_COMPARED(operator>=, wasm_f64x2_ge)
JAWARI_DOUBLES_COMPARED(operator==, wasm_f64x2_eq)
JAWARI_DOUBLES_COMPARED(operator!=, wasm_f64x2_ne)
JAWARI_DOUBLES_COMPARED(Gt, wasm_f64x2_gt)
JAWARI_DOUBLES_COMPARED(Ge, wasm_f64x2_ge)
JAWARI_DOUBLES_COMPARED(Eq, wasm_f64x2_eq)
JAWARI_DOUBLES_COMPARED(Ne, wasm_f64x2_ne)
#undef JAWARI_DOUBLES_COMPARED
#undef JAWARI_DOUBLES_1
#undef JAWARI_DOUBLES_2

/// There is no fused instruction; only kernels that round once would ask for it.
template <size_t N>
HWY_API Doubles<N> MulAdd(Doubles<N> a, Doubles<N> b, Doubles<N> c) {
  return a * b + c;
}
template <size_t N>
HWY_API Doubles<N> NegMulAdd(Doubles<N> a, Doubles<N> b, Doubles<N> c) {
  return c - a * b;
}
template <size_t N>
HWY_API Doubles<N> MulSub(Doubles<N> a, Doubles<N> b, Doubles<N> c) {
  return a * b - c;
}

template <size_t N>
HWY_API double GetLane(Doubles<N> a) {
  return wasm_f64x2_extract_lane(a.raw, 0);
}
HWY_API double ExtractLane(Doubles<2> a, size_t i) {
  return i == 0 ? wasm_f64x2_extract_lane(a.raw, 0) : wasm_f64x2_extract_lane(a.raw, 1);
}
HWY_API Doubles<2> InsertLane(Doubles<2> a, size_t i, double x) {
  return Doubles<2>{i == 0 ? wasm_f64x2_replace_lane(a.raw, 0, x) : wasm_f64x2_replace_lane(a.raw, 1, x)};
}
HWY_API Doubles<2> PromoteTo(Simd<double, 2, 0>, Vec128<float, 2> a) {
  return Doubles<2>{wasm_f64x2_promote_low_f32x4(a.raw)};
}
HWY_API Vec128<float, 2> DemoteTo(Simd<float, 2, 0>, Doubles<2> a) {
  return Vec128<float, 2>{wasm_f32x4_demote_f64x2_zero(a.raw)};
}

}  // namespace HWY_NAMESPACE
}  // namespace hwy
HWY_AFTER_NAMESPACE();
#endif
