// SPDX-License-Identifier: MIT
// Nodes in contact: law and scheme as they stand in contact/ and scheme/, on lanes, unit by unit.
// Included once per target (hwy/foreach_target.h), hence the unusual guard.
#if defined(JAWARI_KERNEL_STRING_CONTACT_H) == defined(HWY_TARGET_TOGGLE)
#ifdef JAWARI_KERNEL_STRING_CONTACT_H
#undef JAWARI_KERNEL_STRING_CONTACT_H
#else
#define JAWARI_KERNEL_STRING_CONTACT_H
#endif

#include <algorithm>
#include <cstddef>
#include <type_traits>

#include "jawari/scheme/gradient.h"
#include "jawari/scheme/quadratised.h"
#include "kernel/each.h"
#include "kernel/lanes.h"
#include "kernel/string_view.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using kernel::unit_rows;
using kernel::StringColumns;
using kernel::StringNumbers;
using kernel::StringView;
using kernel::Way;

/// Five neighbours of a vector of nodes, and three increments.
template <class T>
struct Around {
  T u, left, right, left2, right2;
  T d, d_left, d_right;

  template <class Number>
  HWY_ATTR void load(const StringColumns<Number>& v, std::size_t at) {
    u = T::load(v.u + at), left = T::load(v.u + at - 1), right = T::load(v.u + at + 1);
    left2 = T::load(v.u + at - 2), right2 = T::load(v.u + at + 2), d = T::load(v.d + at);
  }
  template <class Number>
  HWY_ATTR void load_sides(const StringColumns<Number>& v, std::size_t at) {
    d_left = T::load(v.d + at - 1), d_right = T::load(v.d + at + 1);
  }
};

enum class Loss { none, sigma0, both };

template <class T>
HWY_ATTR inline T second_difference(const T& left, const T& middle, const T& right) {
  return (right - middle) - (middle - left);
}
template <Loss loss, class T>
HWY_ATTR inline T finish_rhs(const StringNumbers& a, const Around<T>& n, T rhs) {
  if (a.bending != 0) {
    const T before = second_difference(n.left2, n.left, n.u), here = second_difference(n.left, n.u, n.right),
            after = second_difference(n.u, n.right, n.right2);
    rhs = rhs - T(a.bending) * second_difference(before, here, after);
  }
  if constexpr (loss != Loss::none) {
    if (a.s0 != 0) rhs = rhs - T(2 * a.s0) * n.d;
    if constexpr (loss == Loss::both)
      if (a.s1 != 0) rhs = rhs + T(2 * a.s1) * second_difference(n.d_left, n.d, n.d_right);
    rhs = rhs * T(a.share);
  }
  return rhs;
}

/// Without contact, rounded as StringGrid::predict() does it: the change of the increment.
/// In levels: the next level with its sign, terms collected.
template <Loss loss, class T>
HWY_ATTR inline T free_step(const StringNumbers& a, const Around<T>& n, [[maybe_unused]] double turn = 1) {
  if constexpr (T::in_levels) {
    T next = n.d;
    if constexpr (loss == Loss::sigma0) next = T(a.d0) * n.d;
    if constexpr (loss == Loss::both) next = T(a.d0) * n.d + T(a.d1) * (n.d_left + n.d_right);
    return next + T(turn * a.l0) * n.u + T(turn * a.l1) * (n.left + n.right) + T(turn * a.u2) * (n.left2 + n.right2);
  } else {
    return finish_rhs<loss>(a, n, T(T(a.tension) * second_difference(n.left, n.u, n.right)));
  }
}
/// The same with a load on the nodes; not for levels.
template <Loss loss, class T>
HWY_ATTR inline T loaded_step(const StringNumbers& a, const Around<T>& n, const typename T::number* load) {
  return finish_rhs<loss>(a, n, T(a.tension) * second_difference(n.left, n.u, n.right) + T(a.q0) * T::load(load));
}

/// Rules that leave psi standing after the contact, where it does nothing.
template <class Scheme>
inline constexpr bool keeps_psi = false;
template <Rule rule, int passes>
inline constexpr bool keeps_psi<Quadratised<rule, passes>> = rule == Rule::plain || rule == Rule::sign;

/// Schemes that act in the very step that arrives; otherwise a step that begins outside is free.
template <class Scheme>
inline constexpr bool acts_ahead = true;
template <Rule rule, int passes>
inline constexpr bool acts_ahead<Quadratised<rule, passes>> = rule == Rule::secant;

/// What stays the same through a step, away from the memory it writes to.
template <class T>
struct StringConstants {
  using Number = typename T::number;
  StringColumns<Number> columns;
  StringNumbers a;
  const PowerLaw& law;
  double before = 1, now = 1, after = 1;  ///< signs of levels

  HWY_ATTR explicit StringConstants(const StringView<Number>& v) : columns(v), a(v.a), law(*v.law) {
    if constexpr (T::in_levels) before = v.sign(-1), now = v.sign(), after = v.sign(1);
  }
};

template <class Scheme, class T>
struct StringRow {
  using State = typename Scheme::template StateOf<T>;
  T u, d, free, f, s, lost;
  State state;
  PortOf<T> port;
  typename Scheme::template StepOf<T> step;

  template <class Number>
  HWY_ATTR void load_state(const StringColumns<Number>& v, std::size_t at) {
    if constexpr (requires { state.psi; }) state.psi = T::load(v.psi + at);
    else state.from = T::load(v.psi2 + at), state.to = T::load(v.psi + at);
  }
  HWY_ATTR void store(const StringConstants<T>& c, std::size_t at) const {
    const auto& v = c.columns;
    if constexpr (requires { state.psi; }) state.psi.store(v.psi + at);
    else state.from.store(v.psi2 + at), state.to.store(v.psi + at);
    f.store(v.phi + at);
    if constexpr (T::in_levels) T(T(c.after) * u).store(v.u_next + at);
    else u.store(v.u_next + at), d.store(v.d_next + at);
  }
  /// plain: neither loss nor load.
  template <bool plain>
  HWY_ATTR void begin(const Scheme& scheme, const StringConstants<T>& c, std::size_t at) {
    const auto& v = c.columns;
    Around<T> n;
    n.load(v, at);
    if constexpr (!plain) n.load_sides(v, at);
    T s_free;
    if constexpr (T::in_levels) {
      free = T(c.after) * free_step<plain ? Loss::none : Loss::both>(c.a, n, c.now * c.after);
      if constexpr (!plain) free = free + T(c.a.q) * T::load(v.load + at);
      const T before = T(c.before) * n.d;
      u = T(c.now) * n.u, d = u - before, s_free = free - before;
    } else {
      if constexpr (plain) free = free_step<Loss::none>(c.a, n);
      else free = loaded_step<Loss::both>(c.a, n, v.load + at);
      u = n.u, d = n.d;
      s_free = T(2) * d + free;
    }
    load_state(v, at);
    port = {T::load(v.offset + at) + u, d, s_free, T(c.a.q)};
    step = scheme.begin(c.law, port, state);
  }
  /// As solve_alone() does.
  HWY_ATTR void solve(const PowerLaw& law, const Scheme& scheme) {
    for (int pass = 1;; ++pass) {
      const ResponseOf<T> a = scheme.respond(law, step, port.s_free);
      f = -a.f / (port.q * a.b - T(1));  // (K3) with both signs turned: one operation less
      s = port.s_free + port.q * f;
      if (pass == Scheme::passes) break;
      scheme.refine(law, step, s, port.s_free);
    }
    if constexpr (acts_ahead<Scheme>) {
      const auto takes_part = near(law, scheme);
      f = select(takes_part, f, T(0)), s = select(takes_part, s, port.s_free);
    }
  }
  /// As look() of a line: the others do not take part, whatever rounding makes of their half-steps.
  HWY_ATTR typename T::Truth near(const PowerLaw& law, const Scheme& scheme) const {
    const T before = port.y - d;
    return law.touches(port.y) || law.touches(before) || law.touches(before + port.s_free) || scheme.holds(law, state);
  }
  HWY_ATTR void finish(const PowerLaw& law, const Scheme& scheme, const StringNumbers& a) {
    State next = state;
    lost = scheme.finish(law, step, s, next);
    if constexpr (acts_ahead<Scheme>) {
      const auto takes_part = near(law, scheme);
      if constexpr (requires { state.psi; }) next.psi = select(takes_part, next.psi, state.psi);
      else next = {select(takes_part, next.from, state.from), select(takes_part, next.to, state.to)};
    }
    state = next;
    if constexpr (T::in_levels) {
      const T from = u;
      u = free + port.q * f, d = u - from;
      return;
    } else {
      T push = T(a.q0) * f;
      if (a.s0 != 0) push = push * T(a.share);
      d = d + (free + push);
    }
    u = u + d;
  }
  /// Something that is above zero while the block must be looked at again.
  HWY_ATTR T activity(const T& next) const {
    const T acting = most(next, size(f));
    if constexpr (requires { state.psi; }) {
      if constexpr (keeps_psi<Scheme>) return acting;
      else if constexpr (acts_ahead<Scheme>) return most(most(acting, port.y), size(state.psi));
      else return most(acting, size(state.psi));
    } else {
      return most(most(acting, port.y), most(state.from, state.to));
    }
  }
};

/// Newton as solve_alone() has it, every lane until it is settled; those that are wait.
template <class Scheme, class T>
struct NewtonRow {
  T s, lo, hi, f_held;
  ResponseOf<T> a;
  typename T::Truth open;  ///< not settled

  HWY_ATTR NewtonRow() : open(T(0) > T(0)) {}
  HWY_ATTR void begin(const PowerLaw& law, const Scheme& scheme, const StringRow<Scheme, T>& row) {
    open = row.near(law, scheme);
    s = row.port.s_free, a = scheme.respond(law, row.step, s), f_held = T(0);
    const T reach = row.port.q * a.f, room = T(4 * eps) * (size(s) + size(reach));
    lo = s + smaller(reach, T(0)) - room, hi = s + larger(reach, T(0)) + room;
  }
  HWY_ATTR void improve(const PowerLaw& law, const Scheme& scheme, StringRow<Scheme, T>& row) {
    const T q = row.port.q, s_free = row.port.s_free;
    const T G = s - s_free - q * a.f, ds = -G / (1 - q * a.b);
    const auto settled = size(ds) <= T(4 * eps) * (size(s) + size(s_free));
    f_held = select(open && settled, a.f + a.b * ds, f_held);
    open = open && !settled;
    const auto above = G > T(0);
    hi = select(above, s, hi), lo = select(above, lo, s);
    const T next = s + ds;
    s = select(next > lo && next < hi, next, lo + (hi - lo) / 2);
    a = scheme.respond(law, row.step, s);
  }
  HWY_ATTR void end(StringRow<Scheme, T>& row) const {
    const T s_free = row.port.s_free, q = row.port.q;
    row.f = select(open, (s - s_free) / q, f_held);
    row.s = select(open, s, s_free + q * row.f);
  }
  static constexpr double eps = std::is_same_v<typename T::number, float> ? 0x1p-23 : 0x1p-52;
};

template <class T>
HWY_ATTR inline void count(typename T::number* lanes, const T& more) {
  (T::load(lanes) + more).store(lanes);
}
template <class T>
HWY_ATTR inline void keep_largest(typename T::number* lanes, const T& x) {
  most(T::load(lanes), x).store(lanes);
}
template <class T>
HWY_ATTR inline T ones(const typename T::Truth& where) {
  return select(where, T(1), T(0));
}

template <class Scheme, class T>
HWY_ATTR inline void solve_newton(StringRow<Scheme, T>* row, const PowerLaw& law, const Scheme& scheme,
                                  kernel::StringTouches<typename T::number>& touches) {
  NewtonRow<Scheme, T> n[unit_rows];
  T solves(0), iterations(0), unsettled(0);
  each<unit_rows>([&](auto i) HWY_ATTR { n[i].begin(law, scheme, row[i]), solves = solves + ones<T>(n[i].open); });
  const auto open = [&]() HWY_ATTR {
    typename T::Truth all = n[0].open;
    each<unit_rows>([&](auto i) HWY_ATTR { all = all || n[i].open; });
    return some(all);
  };
  int used = 0;
  for (; used < 100 && open(); ++used)
    each<unit_rows>([&](auto i) HWY_ATTR {
      n[i].improve(law, scheme, row[i]), iterations = iterations + ones<T>(n[i].open);
    });
  each<unit_rows>([&](auto i) HWY_ATTR { n[i].end(row[i]), unsettled = unsettled + ones<T>(n[i].open); });
  count(touches.solves, solves), count(touches.iterations, iterations), count(touches.unsettled, unsettled);
  touches.most_iterations = std::max(touches.most_iterations, used - 1);
}

/// `unit_rows` vectors on their way through one step.
template <class Scheme, class T, bool lossy>
struct StringUnit {
  using Number = typename T::number;
  StringRow<Scheme, T> row[unit_rows];

  /// Stores, and notes as Line::note() does, for all lanes: those outside change nothing.
  /// False: a power left its tables, nothing was written.
  HWY_ATTR bool store(StringView<Number>& v, const StringConstants<T>& c, std::size_t at) {
    auto& t = v.touches;
    T active, deep, strong, free_lanes, left, lost, work, all;
    typename T::Truth rare = T(0) > T(0);  // a contact begins or ends, a record falls
    each<unit_rows>([&](auto i) HWY_ATTR {
      const StringRow<Scheme, T>& r = row[i];
      was_[i] = T::load(c.columns.phi + at + i * T::width);
      const auto is_free = r.f == T(0), turned = is_free != (was_[i] == T(0));
      const T next = r.port.y + r.d, acts = r.activity(next), depth = most(r.port.y, next), force = size(r.f),
              one = select(is_free, T(1), T(0));
      if constexpr (i == 0) {
        rare = turned, active = acts, deep = depth, strong = force, free_lanes = one, work = r.f * r.s, all = r.u;
        if constexpr (counts_left) left = left_behind(r);
        if constexpr (lossy) lost = r.lost;
      } else {
        rare = rare || turned, active = most(active, acts), deep = most(deep, depth), strong = most(strong, force);
        free_lanes = free_lanes + one, work = work + r.f * r.s, all = all + r.u;
        if constexpr (counts_left) left = most(left, left_behind(r));
        if constexpr (lossy) lost = lost + r.lost;
      }
    });
    rare = rare || strong > T::load(t.strongest) || deep > T::load(t.deep);
    if constexpr (!T::is_careful) rare = rare || !(all == all);
    const bool busy = some(active > T(0));
    if (some(rare) || (keeps_psi<Scheme> && !busy)) [[unlikely]] {
      if constexpr (!T::is_careful)
        if (some(all != all)) return false;
      note(t, T(static_cast<double>(v.clock % StringView<Number>::clock_turn)), c.columns.began + at);
    }
    each<unit_rows>([&](auto i) HWY_ATTR { row[i].store(c, at + i * T::width); });
    v.busy[at / (unit_rows * T::width)] = busy;
    count(t.free_lanes, free_lanes), count(t.work, work), ++t.units;
    if constexpr (counts_left) keep_largest(t.left, left);
    if constexpr (lossy) count(t.lost, lost);
    return true;
  }

 private:
  HWY_ATTR static T half_way(const StringRow<Scheme, T>& r) {
    const T y = r.port.y, next = y - r.port.d + r.s;
    return y + (next - y) / 2;
  }
  HWY_ATTR static T left_behind(const StringRow<Scheme, T>& r) {
    const T y = r.port.y, next = y - r.port.d + r.s;
    return select(most(y, next) > T(0), T(0), T(r.state.psi * r.state.psi));
  }
  HWY_ATTR void note(kernel::StringTouches<Number>& t, const T& now, Number* began) {
    each<unit_rows>([&](auto i) HWY_ATTR {
      const StringRow<Scheme, T>& r = row[i];
      keep_largest(t.deepest, r.port.y), keep_largest(t.deepest_half, half_way(r)), keep_largest(t.strongest, size(r.f));
      T(T::load(t.deepest_half) * T(1 - 1e-6)).store(t.deep);
      if constexpr (keeps_psi<Scheme>) keep_largest(t.left, left_behind(r));
      const auto touches = r.f != T(0), did = was_[i] != T(0), ended = did && !touches, entered = touches && !did;
      const T since = T::load(began + i * T::width), turns = now - since;
      const T samples = select(turns < T(0), turns + T(longest), turns);
      select(entered, now, since).store(began + i * T::width);
      count(t.ended, ones<T>(ended)), keep_largest(t.longest, select(ended, samples, T(0)));
      keep_largest(t.shortest, select(ended, T(longest) - samples, T(0)));
      keep_largest(t.entry, select(entered, r.port.s_free, T(0)));
    });
  }
  static constexpr bool counts_left = requires(StringRow<Scheme, T> r) { r.state.psi; } && !keeps_psi<Scheme>;
  static constexpr double longest = static_cast<double>(StringView<Number>::clock_turn);

  T was_[unit_rows];  // forces a step ago
};

template <class Scheme, class T, class Number>
HWY_NOINLINE JAWARI_FLATTEN void touch_carefully(StringView<Number>& v, std::size_t at) {
  static_assert(T::is_careful);
  const Scheme scheme = *static_cast<const Scheme*>(v.scheme);
  const StringConstants<T> c(v);
  StringUnit<Scheme, T, true> unit;
  each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].template begin<false>(scheme, c, at + i * T::width); });
  if constexpr (Scheme::passes > 0) each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].solve(*v.law, scheme); });
  else solve_newton(unit.row, *v.law, scheme, v.touches);
  each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].finish(*v.law, scheme, v.a); });
  unit.store(v, c, at);
}

/// Two units side by side: a single one would mostly wait for its own division and look-ups.
/// plain: neither loss nor load on the string.
template <class Scheme, class T, class Careful, bool lossy, bool plain>
HWY_NOINLINE JAWARI_FLATTEN void touch_units(StringView<typename T::number>& v, std::size_t count) noexcept {
  const Scheme scheme = lossy ? *static_cast<const Scheme*>(v.scheme) : Scheme();
  const StringConstants<T> c(v);
  const PowerLaw& law = c.law;
  const std::uint32_t* const units = v.units;
  std::size_t again = 0;
  const auto keep = [&](auto& unit, std::size_t at) HWY_ATTR {
    if (!unit.store(v, c, at)) [[unlikely]] v.units[again++] = static_cast<std::uint32_t>(at);
  };
  if constexpr (Scheme::passes > 0) {
    StringUnit<Scheme, T, lossy> pair[2];
    for (std::size_t k = 0; k < count; k += 2) {
      const std::size_t at[2] = {units[k], units[std::min(k + 1, count - 1)]};
      each<2>([&](auto j) HWY_ATTR {
        each<unit_rows>([&](auto i) HWY_ATTR { pair[j].row[i].template begin<plain>(scheme, c, at[j] + i * T::width); });
      });
      each<2>([&](auto j) HWY_ATTR { each<unit_rows>([&](auto i) HWY_ATTR { pair[j].row[i].solve(law, scheme); }); });
      each<2>([&](auto j) HWY_ATTR { each<unit_rows>([&](auto i) HWY_ATTR { pair[j].row[i].finish(law, scheme, c.a); }); });
      keep(pair[0], at[0]);
      if (k + 1 < count) keep(pair[1], at[1]);
    }
  } else {
    StringUnit<Scheme, T, lossy> unit;
    for (std::size_t k = 0; k < count; ++k) {
      each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].template begin<plain>(scheme, c, units[k] + i * T::width); });
      solve_newton(unit.row, law, scheme, v.touches);
      each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].finish(law, scheme, c.a); });
      keep(unit, units[k]);
    }
  }
  for (std::size_t k = 0; k < again; ++k) touch_carefully<Scheme, Careful>(v, v.units[k]);
}

/// lossy: with the scheme's own loss; otherwise its constants are known here.
template <class Scheme, class T, class Careful, bool lossy>
HWY_NOINLINE JAWARI_FLATTEN void touch(StringView<typename T::number>& v, std::size_t blocks) noexcept {
  constexpr std::size_t unit = unit_rows * T::width;
  const auto *u = acts_ahead<Scheme> ? v.u_next : v.u, *offset = v.offset;
  std::size_t found = 0;
  const T sign(T::in_levels ? v.sign(acts_ahead<Scheme> ? 1 : 0) : 1);
  const auto depth = [&](std::size_t at) HWY_ATTR -> T {
    if constexpr (T::in_levels) return T::load(offset + at) + sign * T::load(u + at);
    else return T::load(offset + at) + T::load(u + at);
  };
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t at = v.blocks[b], end = at + kernel::block_size(T::width); at < end; at += unit) {
      T y = depth(at);
      each<unit_rows - 1>([&](auto i) HWY_ATTR { y = most(y, depth(at + (i + 1) * T::width)); });
      v.units[found] = static_cast<std::uint32_t>(at);
      found += v.busy[at / unit] || some(y > T(0));
    }
  if (found == 0) return;
  if constexpr (T::is_careful) {
    for (std::size_t k = 0; k < found; ++k) touch_carefully<Scheme, Careful>(v, v.units[k]);
  } else {
    if constexpr (lossy) touch_units<Scheme, T, Careful, lossy, false>(v, found);
    else if (v.loaded || v.a.lossy()) touch_units<Scheme, T, Careful, lossy, false>(v, found);
    else touch_units<Scheme, T, Careful, lossy, true>(v, found);
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
