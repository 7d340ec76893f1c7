// SPDX-License-Identifier: MIT
// The law of contact/power_law.h with a stiffness per lane.  psi' of every lane is read off its own table, so that it
// has the bits of a law by itself. Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_LANE_LAW_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_LANE_LAW_H
#undef JAWARI_KERNEL_LANE_LAW_H
#else
#define JAWARI_KERNEL_LANE_LAW_H
#endif

#include <algorithm>
#include <cstddef>
#include <cstdint>

#include "jawari/contact/hunt_crossley.h"
#include "kernel/batch_view.h"
#include "kernel/lanes.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {

template <class T>
struct LanePower {
  const kernel::LanePowers* powers;
};

/// (W1) as raise(Power, T) of lanes does it; only values and inverses are fetched from a table per lane.
template <class T>
HWY_ATTR inline T raise(const LanePower<T>& power, const T& x) {
  using Tag = typename T::Tag;
  using Whole = typename T::Whole;
  const Whole u;
  const kernel::LanePowers& p = *power.powers;
  const Power& one = *p.of[0];  // the exponent is the same in all lanes
  const auto b = hn::BitCast(u, x.v);
  const auto within = hn::Or(hn::And(b, hn::Set(u, Power::fraction & ~Power::cell)), hn::Set(u, Power::one));
  const T m_minus_c =
      hn::Sub(hn::BitCast(Tag(), within), hn::BitCast(Tag(), hn::Set(u, Power::one | Power::half_cell)));
  const std::uint64_t first = one.first_biased_exponent(), last = one.scale_count();
  T inverse, factor;
#if HWY_MAX_BYTES == 16
  HWY_ALIGN std::uint64_t bits[T::width];
  HWY_ALIGN double values[T::width], inverses[T::width], scales[T::width];
  hn::Store(b, u, bits);
  for (std::size_t i = 0; i < T::width; ++i) {
    const Power::Node& node = p.of[i]->nodes()[(bits[i] >> 44) & 0xff];
    inverses[i] = node.inverse;
    values[i] = node.value;
    scales[i] = one.scales()[std::min((bits[i] >> 52) - first, last)];
  }
  inverse = T::load(inverses);
  factor = T::load(values) * T::load(scales);
#else
  const hn::RebindToSigned<Tag> index;
  const double* nodes = &one.nodes()->inverse;
  const auto node = hn::BitCast(index, hn::ShiftLeft<1>(hn::And(hn::ShiftRight<44>(b), hn::Set(u, 0xff))));
  const auto scale = hn::Min(hn::Sub(hn::ShiftRight<52>(b), hn::Set(u, first)), hn::Set(u, last));
  inverse = hn::GatherIndex(Tag(), nodes, node);
  const T value = hn::GatherIndex(Tag(), nodes + 1, hn::Add(node, hn::Load(index, p.apart)));
  factor = value * T(hn::GatherIndex(Tag(), one.scales(), hn::BitCast(index, scale)));
#endif
  T result = one.evaluate(m_minus_c, inverse, factor);
  if (any_lane(result != result && x >= T(0))) {  // negative: NaN either way, and lanes outside a contact mostly are
    double from[T::width], to[T::width];
    x.store(from);
    result.store(to);
    for (std::size_t i = 0; i < T::width; ++i) to[i] = to[i] == to[i] ? to[i] : (*p.of[i])(from[i]);
    result = T::load(to);
  }
  return result;
}

/// A law of kernel_law.h with a stiffness per lane.  Loss factors are those of the scheme, the same in all lanes.
template <class Law, class T>
struct OnLanes;
template <class T>
struct OnLanes<HuntCrossley, T> {
  using type = PowerLawOf<T, LanePower<T>>;
  static HWY_ATTR type of(const kernel::LaneLaws& laws) {
    return type({T::load(laws.stiffness.at), T(laws.exponent)}, {&laws.force}, {&laws.slope});
  }
};

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
