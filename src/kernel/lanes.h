// SPDX-License-Identifier: MIT
// A vector of doubles (or floats) as a number, so that laws and schemes (contact/, scheme/) run on lanes as they stand.
//   fused = false   every operation rounds as for double: the same bits as the reference path
//   fused = true    a product is pending (Product) until a sum fuses with it
//   any_argument         powers of any argument; otherwise NaN where Power takes its slow way (denormal, huge)
// The physics includes no Highway and is compiled for the base target.  It is still inlined into one loop: operators
// are inline but not always_inline, and the kernel around them is HWY_FLATTEN, so it takes in the physics first, then
// the operators inside it (always_inline goes into the physics at once: "target specific option mismatch").  Copying is
// not trivial, hence values travel in memory, alike for all targets, where nothing is inlined.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_LANES_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_LANES_H
#undef JAWARI_KERNEL_LANES_H
#else
#define JAWARI_KERNEL_LANES_H
#endif

#include <hwy/highway.h>

#include <algorithm>
#include <concepts>
#include <cstddef>
#include <cstdint>
#include <type_traits>

#include "jawari/core/power.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
namespace hn = hwy::HWY_NAMESPACE;

template <class Number>
struct MaskOf {
  using Tag = hn::ScalableTag<Number>;
  hn::Mask<Tag> v;
  HWY_ATTR MaskOf(hn::Mask<Tag> m) : v(m) {}
  HWY_ATTR MaskOf(const MaskOf& o) : v(o.v) {}
  HWY_ATTR MaskOf& operator=(const MaskOf& o) { return v = o.v, *this; }
  friend HWY_ATTR MaskOf operator&&(const MaskOf& a, const MaskOf& b) { return hn::And(a.v, b.v); }
  friend HWY_ATTR MaskOf operator||(const MaskOf& a, const MaskOf& b) { return hn::Or(a.v, b.v); }
  friend HWY_ATTR MaskOf operator!(const MaskOf& a) { return hn::Not(a.v); }
  friend HWY_ATTR MaskOf operator!=(const MaskOf& a, const MaskOf& b) { return hn::Xor(a.v, b.v); }
  /// Whether there may be work for any lane.  Vectors are filled so that there is: testing costs more than it saves.
  friend bool maybe_any(const MaskOf&) { return true; }
  /// The same, tested: where the test pays.
  friend HWY_ATTR bool any_lane(const MaskOf& a) { return !hn::AllFalse(Tag(), a.v); }
  friend HWY_ATTR bool every(const MaskOf& a) { return hn::AllTrue(Tag(), a.v); }
};

template <class L>
struct Product {
  L a, b;
};

/// two_level: a string's state as two levels of u, where sums are fused.
/// via_memory: for loops that are full of vector operations, as MassBatch's; a string's contact is 7 % slower with it.
template <bool fused, bool any_argument, class Number = double, bool two_level = fused&& std::is_same_v<Number, double>,
          bool via_memory = false>
struct Lanes {
  using Tag = hn::ScalableTag<Number>;
  using Whole = hn::RebindToUnsigned<Tag>;
  using Vector = hn::Vec<Tag>;
  using Mask = MaskOf<Number>;
  using PendingProduct = Product<Lanes>;
  using ProductType = std::conditional_t<fused, PendingProduct, Lanes>;
  using number = Number;
  static constexpr bool is_fused = fused, takes_any_argument = any_argument;
  static constexpr bool in_levels = two_level;
  static constexpr std::size_t width = hn::MaxLanes(Tag());
  Vector v;

  HWY_ATTR Lanes() {}
  HWY_ATTR Lanes(Vector x) : v(x) {}
  HWY_ATTR Lanes(double x) : v(hn::Set(Tag(), static_cast<Number>(x))) {}
  HWY_ATTR Lanes(const PendingProduct& p) : v(hn::Mul(p.a.v, p.b.v)) {}
  HWY_ATTR Lanes(const Lanes& o) : v(o.v) {}
  HWY_ATTR Lanes& operator=(const Lanes& o) { return v = o.v, *this; }
  static HWY_ATTR Lanes load(const Number* from) { return hn::LoadU(Tag(), from); }
  HWY_ATTR void store(Number* to) const { hn::StoreU(v, Tag(), to); }
  /// A load of its own, for a sum to start from: there NEON writes over its first operand, so that a value still needed
  /// would be copied first, which costs as much as adding.  Of memory that does not change while the kernel runs: the
  /// compiler does not see that this is a load.  apart: any number in use, so that the load stays in the loop.
  static HWY_ATTR Lanes load_anew(const Number* from, [[maybe_unused]] const Lanes& apart) {
#if HWY_TARGET == HWY_NEON && defined(__GNUC__)
    decltype(Vector::raw) x;
    asm("ldr %q0, [%1]" : "=w"(x) : "r"(from), "w"(apart.v.raw));
    return Vector(x);
#else
    return load(from);
#endif
  }
  friend HWY_ATTR Lanes minus_one(const Lanes& apart) {
    if constexpr (width * sizeof(Number) > 16) return Lanes(-1);
    alignas(16) static constexpr Number number[] = {-1, -1, -1, -1};
    return load_anew(number, apart);
  }
  /// Keeps the compiler to the order of the source.  It would group dependent operations; the core then stalls, because
  /// its window of instructions is limited.
  friend HWY_ATTR void keep_order([[maybe_unused]] const Lanes& x) {
#if HWY_ARCH_ARM_A64 && (HWY_COMPILER_GCC || HWY_COMPILER_CLANG)
    asm volatile("" : : "w"(x.v.raw));
#endif
  }

  friend HWY_ATTR Lanes operator-(const Lanes& a) { return hn::Neg(a.v); }
  friend HWY_ATTR Lanes operator+(const Lanes& a, const Lanes& b) { return hn::Add(a.v, b.v); }
  friend HWY_ATTR Lanes operator-(const Lanes& a, const Lanes& b) { return hn::Sub(a.v, b.v); }
  friend HWY_ATTR ProductType operator*(const Lanes& a, const Lanes& b) { return ProductType(PendingProduct{a, b}); }
  friend HWY_ATTR Lanes operator/(const Lanes& a, const Lanes& b) { return hn::Div(a.v, b.v); }
  /// Halves and quarters are exact as products, too.
  template <std::same_as<int> Int>
  friend HWY_ATTR ProductType operator/(const Lanes& a, Int n) {
    return (n & (n - 1)) == 0 ? a * Lanes(1.0 / n) : ProductType(PendingProduct{a / Lanes(n), Lanes(1)});
  }
  friend HWY_ATTR Lanes operator+(const Lanes& x, const PendingProduct& p) { return hn::MulAdd(p.a.v, p.b.v, x.v); }
  friend HWY_ATTR Lanes operator+(const PendingProduct& p, const Lanes& x) { return hn::MulAdd(p.a.v, p.b.v, x.v); }
  friend HWY_ATTR Lanes operator+(const PendingProduct& p, const PendingProduct& x) { return Lanes(x) + p; }
  friend HWY_ATTR Lanes operator-(const Lanes& x, const PendingProduct& p) { return hn::NegMulAdd(p.a.v, p.b.v, x.v); }
  friend HWY_ATTR Lanes operator-(const PendingProduct& p, const Lanes& x) { return hn::MulSub(p.a.v, p.b.v, x.v); }
  friend HWY_ATTR Lanes operator-(const PendingProduct& p, const PendingProduct& x) { return p - Lanes(x); }

  friend HWY_ATTR Mask operator>(const Lanes& a, const Lanes& b) { return hn::Gt(a.v, b.v); }
  friend HWY_ATTR Mask operator<(const Lanes& a, const Lanes& b) { return hn::Gt(b.v, a.v); }
  friend HWY_ATTR Mask operator>=(const Lanes& a, const Lanes& b) { return hn::Ge(a.v, b.v); }
  friend HWY_ATTR Mask operator<=(const Lanes& a, const Lanes& b) { return hn::Ge(b.v, a.v); }
  friend HWY_ATTR Mask operator==(const Lanes& a, const Lanes& b) { return hn::Eq(a.v, b.v); }
  /// True for NaN, as everywhere; hn::Ne is not on x86.
  friend HWY_ATTR Mask operator!=(const Lanes& a, const Lanes& b) { return hn::Not(hn::Eq(a.v, b.v)); }
  friend HWY_ATTR Lanes select(const Mask& which, const Lanes& yes, const Lanes& no) {
    return hn::IfThenElse(which.v, yes.v, no.v);
  }
  friend HWY_ATTR Lanes max(const Lanes& a, const Lanes& b) { return select(a > b, a, b); }
  friend HWY_ATTR Lanes min(const Lanes& a, const Lanes& b) { return select(a < b, a, b); }
  /// One operation instead of two, where neither is NaN; of NaN it makes NaN, or the other one.
#if HWY_TARGET == HWY_NEON
  static constexpr bool max_fast_keeps_nan = true;
  friend HWY_ATTR Lanes max_fast(const Lanes& a, const Lanes& b) {
    if constexpr (sizeof(Number) == 4)
      return Vector(vmaxq_f32(a.v.raw, b.v.raw));
    else
      return Vector(vmaxq_f64(a.v.raw, b.v.raw));
  }
  friend HWY_ATTR Lanes min_fast(const Lanes& a, const Lanes& b) {
    if constexpr (sizeof(Number) == 4)
      return Vector(vminq_f32(a.v.raw, b.v.raw));
    else
      return Vector(vminq_f64(a.v.raw, b.v.raw));
  }
#else
  static constexpr bool max_fast_keeps_nan = false;
  friend HWY_ATTR Lanes max_fast(const Lanes& a, const Lanes& b) { return hn::Max(a.v, b.v); }
  friend HWY_ATTR Lanes min_fast(const Lanes& a, const Lanes& b) { return hn::Min(a.v, b.v); }
#endif
  friend HWY_ATTR Lanes abs(const Lanes& a) { return hn::Abs(a.v); }
  friend HWY_ATTR Lanes sqrt(const Lanes& a) { return hn::Sqrt(a.v); }
  HWY_ATTR Number sum() const { return hn::GetLane(hn::SumOfLanes(Tag(), v)); }
  HWY_ATTR Number smallest() const { return hn::GetLane(hn::MinOfLanes(Tag(), v)); }
  HWY_ATTR Number largest() const { return hn::GetLane(hn::MaxOfLanes(Tag(), v)); }

  /// (W1): only fetches the tables; Power::evaluate does the arithmetic.
  friend HWY_ATTR Lanes raise(const Power& power, const Lanes& x) {
    if constexpr (std::is_same_v<Number, float>)
      return any_argument ? raise_as_double(power, x) : raise_single(power, x);
    else
      return raise_here(power, x);
  }

 private:
#if HWY_MAX_BYTES == 16
  // Two integers out of a vector, and into one.  On Arm a move between the two kinds of registers costs as much as
  // arithmetic, inserting two lanes the time of five operations: via_memory they travel by stores and loads, which are
  // free beside vector operations, and an empty asm keeps the compiler from undoing that; otherwise each is moved once,
  // not again for every use.  Each direction has memory of its own, or one stalls on the other.
  using Pair = hn::Repartition<std::uint64_t, Tag>;
  static HWY_ATTR void take_apart(hn::Vec<Whole> b, std::uint64_t& low, std::uint64_t& high) {
    const auto two = hn::BitCast(Pair(), b);
#if HWY_ARCH_ARM_A64 && defined(__GNUC__)
    if constexpr (via_memory && sizeof(Number) == 4) {  // double has more to keep in registers, and would spill
      HWY_ALIGN std::uint64_t there[2];
      hn::Store(two, Pair(), there);
      asm("" : "+m"(there));
      low = there[0];
      high = there[1];
      return;
    } else if constexpr (!via_memory) {
      asm("fmov %0, %d1" : "=r"(low) : "w"(two.raw));
      asm("mov %0, %1.d[1]" : "=r"(high) : "w"(two.raw));
      return;
    }
#endif
    low = hn::GetLane(two);
    high = hn::ExtractLane(two, 1);
  }
  static HWY_ATTR hn::Vec<Pair> put_together(std::uint64_t low, std::uint64_t high) {
#if HWY_ARCH_ARM_A64 && defined(__GNUC__)
    if constexpr (via_memory) {
      HWY_ALIGN std::uint64_t there[2];
      asm("" : "+r"(low), "+r"(high));
      there[0] = low;
      there[1] = high;
      asm("" : "+m"(there));
      return hn::Load(Pair(), there);
    }
#endif
    return hn::InsertLane(hn::Set(Pair(), low), 1, high);
  }
#endif
  /// (W3)
  static HWY_ATTR Lanes raise_single(const Power& power, const Lanes& x) {
    const Whole u;
    const auto b = hn::BitCast(u, x.v);
#if HWY_ARCH_ARM  // one operation, bit by bit; on x86 before AVX-512 it goes by whole bytes
    const auto m = hn::IfVecThenElse(hn::Set(u, 0x007fffff), b, hn::Set(u, 0x3f800000));
#else
    const auto m = hn::Or(hn::And(b, hn::Set(u, 0x007fffff)), hn::Set(u, 0x3f800000));
#endif
    const Lanes t = hn::Sub(hn::BitCast(Tag(), m), hn::Set(Tag(), Number(1.5)));
    const std::uint32_t* scales = power.single_scales();
#if HWY_MAX_BYTES == 16  // two lanes to an integer register and back
    const auto look_up = [scales](std::uint64_t two) {
      return scales[(two >> 23) & 0xff] | static_cast<std::uint64_t>(scales[(two >> 55) & 0xff]) << 32;
    };
    std::uint64_t low, high;
    take_apart(b, low, high);
    const Lanes scale = hn::BitCast(Tag(), put_together(look_up(low), look_up(high)));
#else
    const auto e = hn::BitCast(hn::RebindToSigned<Tag>(), hn::And(hn::ShiftRight<23>(b), hn::Set(u, 0xff)));
    const Lanes scale = hn::BitCast(Tag(), hn::GatherIndex(u, scales, e));
#endif
#if HWY_ARCH_ARM
    if constexpr (via_memory) {  // a constant that is added to would be copied first: an operation, where loads are
                                 // free
      const float* c = power.single_coefficients();
      asm volatile("" : "+r"(c));
      return power.evaluate_single(t, scale, [c](std::size_t i) HWY_ATTR { return load(c + 4 * i); });
    }
#endif
    return power.evaluate_single(t, scale);
  }
  /// float, where (W3) does not serve: the tables are double's, so each half goes there and back.
  static HWY_ATTR Lanes raise_as_double(const Power& power, const Lanes& x) {
    using Wide = Lanes<fused, any_argument, double>;
    const typename Wide::Tag wide;
    const hn::Rebind<float, typename Wide::Tag> half;
    const Wide low(hn::PromoteTo(wide, hn::LowerHalf(half, x.v))), high(hn::PromoteTo(wide, hn::UpperHalf(half, x.v)));
    return hn::Combine(Tag(), hn::DemoteTo(half, raise(power, high).v), hn::DemoteTo(half, raise(power, low).v));
  }
  static HWY_ATTR Lanes raise_here(const Power& power, const Lanes& x) {
    const Whole u;
    const auto b = hn::BitCast(u, x.v);
    // m - c is exact whatever the way there; this one masks once: (1 + what is within the cell) - (1 + half a cell).
    const auto within = hn::Or(hn::And(b, hn::Set(u, Power::fraction & ~Power::cell)), hn::Set(u, Power::one));
    const auto middle = hn::Set(u, Power::one | Power::half_cell);
    const Lanes m_minus_c = hn::Sub(hn::BitCast(Tag(), within), hn::BitCast(Tag(), middle));
    Lanes inverse, factor;
    fetch(power, b, inverse, factor);
    Lanes result = power.evaluate(m_minus_c, inverse, factor);
    if constexpr (any_argument) {
      // negative: NaN either way, and lanes outside a contact mostly are
      if (any_lane(result != result && x >= Lanes(0))) {
        double from[width], to[width];
        x.store(from);
        result.store(to);
        for (std::size_t i = 0; i < width; ++i) to[i] = to[i] == to[i] ? to[i] : power(from[i]);
        result = load(to);
      }
    }
    return result;
  }
  static HWY_ATTR void fetch(const Power& power, hn::Vec<Whole> b, Lanes& inverse, Lanes& factor) {
    const std::uint64_t first = power.first_biased_exponent(), last = power.scale_count();
    const double* scales = power.scales();
#if HWY_MAX_BYTES == 16  // two lanes and no gather instruction: each loads its node whole
    std::uint64_t b0, b1;
    take_apart(b, b0, b1);
    const Vector node0 = hn::LoadU(Tag(), &power.nodes()[(b0 >> 44) & 0xff].inverse);
    const Vector node1 = hn::LoadU(Tag(), &power.nodes()[(b1 >> 44) & 0xff].inverse);
    const auto scale = [&](std::uint64_t bits) { return scales[std::min((bits >> 52) - first, last)]; };
    const Lanes value = hn::InterleaveUpper(Tag(), node0, node1);
    inverse = hn::InterleaveLower(node0, node1);
    factor = value * Lanes(hn::InsertLane(hn::Set(Tag(), scale(b0)), 1, scale(b1)));
#else
    const Whole u;
    const hn::RebindToSigned<Tag> index;
    const double* nodes = &power.nodes()->inverse;
    const auto node = hn::BitCast(index, hn::ShiftLeft<1>(hn::And(hn::ShiftRight<44>(b), hn::Set(u, 0xff))));
    const auto scale = hn::Min(hn::Sub(hn::ShiftRight<52>(b), hn::Set(u, first)), hn::Set(u, last));
    inverse = hn::GatherIndex(Tag(), nodes, node);
    const Lanes value = hn::GatherIndex(Tag(), nodes + 1, node);
    factor = value * Lanes(hn::GatherIndex(Tag(), scales, hn::BitCast(index, scale)));
#endif
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
