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
#include <cstdint>
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
template <Loss loss, class T>
HWY_ATTR inline T free_step(const StringNumbers& a, const Around<T>& n) {
  return finish_rhs<loss>(a, n, T(T(a.tension) * second_difference(n.left, n.u, n.right)));
}
/// The same with a load on the nodes.
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
  T free;  ///< what the pass along the string has found: level or increment; as readable: change of the increment
  T f, s, lost;
  T u, d;  ///< after the step; in levels: u as it is stored, and no d
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
    f.store(v.phi + at), u.store(v.u_next + at);
    if constexpr (!T::in_levels) d.store(v.d_next + at);
  }
  HWY_ATTR static T increment(const StringConstants<T>& c, std::size_t at) {
    const auto& v = c.columns;
    if constexpr (T::in_levels) return T(c.now) * T::load(v.u + at) - T(c.before) * T::load(v.d + at);
    else return T::load(v.d + at);
  }
  /// y a step later.
  HWY_ATTR T next(const StringConstants<T>& c, std::size_t at) const {
    const T offset = T::load_anew(c.columns.offset + at, u);
    if constexpr (T::in_levels) return offset + T(c.after) * u;
    else return offset + u;
  }
  /// plain: neither loss nor load, as far as the pass along the string has not seen to it.
  /// lossy: with the scheme's own loss.
  template <bool plain, bool lossy>
  HWY_ATTR void begin(const Scheme& scheme, const StringConstants<T>& c, std::size_t at) {
    const auto& v = c.columns;
    const T offset = T::load(v.offset + at);
    T y, s_free, before = offset;
    if constexpr (!T::in_levels || lossy || acts_ahead<Scheme>) before = increment(c, at);  // otherwise nobody asks
    if constexpr (T::in_levels) {
      free = T::load(v.u_next + at);
      if constexpr (!plain) free = free + T(c.after * c.a.q) * T::load(v.load + at);
      y = offset + T(c.now) * T::load(v.u + at);
      s_free = T(c.after) * (free + T::load(v.d + at));  // two steps apart signs differ
    } else if constexpr (T::is_fused) {
      free = T::load(v.d_next + at);
      if constexpr (!plain) free = free + T(c.a.q) * T::load(v.load + at);
      y = offset + T::load(v.u + at), s_free = before + free;
    } else {
      Around<T> n;
      n.load(v, at);
      if constexpr (!plain) n.load_sides(v, at);
      if constexpr (plain) free = free_step<Loss::none>(c.a, n);
      else free = loaded_step<Loss::both>(c.a, n, v.load + at);
      y = offset + n.u, s_free = T(2) * before + free;
    }
    load_state(v, at);
    port = {y, before, s_free, T(c.a.q)};
    step = scheme.begin(c.law, port, state);
  }
  /// As solve_alone() does.
  HWY_ATTR void solve(const PowerLaw& law, const Scheme& scheme) {
    for (int pass = 1;; ++pass) {
      const ResponseOf<T> a = scheme.respond(law, step, port.s_free);
      f = -a.f / (T::minus_one(port.s_free) - port.q * -a.b);  // (K3) with both signs turned: one operation less
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
    const T before = port.y - port.d;
    return law.touches(port.y) || law.touches(before) || law.touches(before + port.s_free) || scheme.holds(law, state);
  }
  HWY_ATTR void finish(const PowerLaw& law, const Scheme& scheme) {
    State next = state;
    lost = scheme.finish(law, step, s, next);
    if constexpr (acts_ahead<Scheme>) {
      const auto takes_part = near(law, scheme);
      if constexpr (requires { state.psi; }) next.psi = select(takes_part, next.psi, state.psi);
      else next = {select(takes_part, next.from, state.from), select(takes_part, next.to, state.to)};
    }
    state = next;
  }
  HWY_ATTR void move(const StringConstants<T>& c, std::size_t at) {
    if constexpr (T::in_levels) {
      u = free + T(c.after * c.a.q) * f;
      return;
    } else if constexpr (T::is_fused) {
      d = free + port.q * f;
    } else {
      T push = T(c.a.q0) * f;
      if (c.a.s0 != 0) push = push * T(c.a.share);
      d = port.d + (free + push);
    }
    u = T::load(c.columns.u + at) + d;
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

/// What a note wants to know of a vector.
template <class T>
struct StringNote {
  T y, d, s, s_free, f, was, left;  ///< was: force a step ago; left: psi^2 of what does not touch
};

/// A contact begins or ends, or a record falls: as Line::note() does it, for all lanes.  Those outside change nothing.
template <class T>
HWY_NOINLINE JAWARI_FLATTEN void note_unit(kernel::StringTouches<typename T::number>& t, std::uint64_t clock,
                                           typename T::number* began, const StringNote<T>* rows) noexcept {
  using View = StringView<typename T::number>;
  constexpr double longest = static_cast<double>(View::clock_turn);
  const T now(static_cast<double>(clock % View::clock_turn));
  each<unit_rows>([&](auto i) HWY_ATTR {
    const StringNote<T>& r = rows[i];
    const T next = r.y - r.d + r.s, half = r.y + (next - r.y) / 2;
    keep_largest(t.deepest, r.y), keep_largest(t.deepest_half, half), keep_largest(t.strongest, size(r.f));
    T(T::load(t.deepest_half) * T(1 - 1e-6)).store(t.deep);
    keep_largest(t.left, r.left);
    const auto touches = r.f != T(0), did = r.was != T(0), ended = did && !touches, entered = touches && !did;
    const T since = T::load(began + i * T::width), turns = now - since;
    const T samples = select(turns < T(0), turns + T(longest), turns);
    select(entered, now, since).store(began + i * T::width);
    count(t.ended, ones<T>(ended)), keep_largest(t.longest, select(ended, samples, T(0)));
    keep_largest(t.shortest, select(ended, T(longest) - samples, T(0)));
    keep_largest(t.entry, select(entered, r.s_free, T(0)));
  });
}

/// Sums of a step, kept out of memory.
template <class T>
struct StringSums {
  T work = T(0), lost = T(0);

  HWY_ATTR void hand_in(kernel::StringTouches<typename T::number>& t) const { count(t.work, work), count(t.lost, lost); }
};

/// `unit_rows` vectors on their way through one step.
template <class Scheme, class T, bool lossy>
struct StringUnit {
  using Number = typename T::number;
  static constexpr std::size_t nodes = unit_rows * T::width;
  StringRow<Scheme, T> row[unit_rows];

  HWY_ATTR void write(const StringConstants<T>& c, std::size_t at) const {
    each<unit_rows>([&](auto i) HWY_ATTR { row[i].store(c, at + i * T::width); });
  }
  /// Stores, and notes what there is to note.  False: a power left its tables, nothing was written.
  HWY_ATTR bool store(StringView<Number>& v, const StringConstants<T>& c, std::size_t at, StringSums<T>& sums) const {
    auto& t = v.touches;
    T was[unit_rows], active, deep, strong, free_lanes, left, lost, work;
    typename T::Truth rare = T(0) > T(0), pauses = rare;  // a contact begins or ends, a record falls; a lane is free
    each<unit_rows>([&](auto i) HWY_ATTR {
      const StringRow<Scheme, T>& r = row[i];
      was[i] = T::load(c.columns.phi + at + i * T::width);
      const auto is_free = r.f == T(0), turned = is_free != (was[i] == T(0));
      const T next = r.next(c, at + i * T::width), acts = r.activity(next), depth = most(r.port.y, next), force = size(r.f),
              one = select(is_free, T(1), T(0));
      if constexpr (i == 0) {
        rare = turned, pauses = is_free, active = acts, deep = depth, strong = force, free_lanes = one, work = r.f * r.s;
        if constexpr (counts_left) left = left_behind(r, r.increment(c, at + i * T::width));
        if constexpr (lossy) lost = r.lost;
      } else {
        rare = rare || turned, pauses = pauses || is_free, active = most(active, acts), deep = most(deep, depth);
        strong = most(strong, force), free_lanes = free_lanes + one, work = work + r.f * r.s;
        if constexpr (counts_left) left = most(left, left_behind(r, r.increment(c, at + i * T::width)));
        if constexpr (lossy) lost = lost + r.lost;
      }
    });
    rare = rare || strong > T::load(t.strongest) || deep > T::load(t.deep);
    if constexpr (!T::is_careful) rare = rare || !(work == work);
    const bool busy = some(active > T(0)), noted = some(rare) || (keeps_psi<Scheme> && !busy);
    if (noted) [[unlikely]] {
      if constexpr (!T::is_careful)
        if (some(work != work)) return false;
      StringNote<T> notes[unit_rows];
      each<unit_rows>([&](auto i) HWY_ATTR {
        const StringRow<Scheme, T>& r = row[i];
        notes[i] = {r.port.y, r.increment(c, at + i * T::width), r.s, r.port.s_free, r.f, was[i], T(0)};
        if constexpr (has_psi) notes[i].left = left_behind(r, notes[i].d);
      });
      note_unit<T>(t, v.clock, c.columns.began + at, notes);
    }
    write(c, at);
    v.busy[at / nodes] = noted || some(pauses) ? busy : kernel::steady;
    count(t.free_lanes, free_lanes), sums.work = sums.work + work;
    if constexpr (counts_left) keep_largest(t.left, left);
    if constexpr (lossy) sums.lost = sums.lost + lost;
    return true;
  }
  /// The same for a steady unit: false when something is to be noted after all, and nothing was written.
  /// y was looked at a step ago, as next().
  HWY_ATTR bool store_steady(const kernel::StringTouches<Number>& t, const StringConstants<T>& c, std::size_t at,
                             StringSums<T>& sums) const {
    T weakest, strongest, deep, shallow, lost, work;
    each<unit_rows>([&](auto i) HWY_ATTR {
      const StringRow<Scheme, T>& r = row[i];
      const T next = r.next(c, at + i * T::width);
      if constexpr (i == 0) {
        weakest = strongest = r.f, deep = next, work = r.f * r.s, shallow = r.port.y;
        if constexpr (lossy) lost = r.lost;
      } else {
        weakest = most(weakest, r.f), strongest = least(strongest, r.f), deep = most(deep, next), work = work + r.f * r.s;
        if constexpr (counts_left) shallow = least(shallow, r.port.y);
        if constexpr (lossy) lost = lost + r.lost;
      }
    });
    auto steady = weakest < T(0) && size(T::load(t.strongest)) >= size(strongest) && T::load(t.deep) >= deep;
    if constexpr (!T::most_keeps_nan) steady = steady && work == work;
    if constexpr (counts_left) steady = steady && shallow > T(0);
    if (!every(steady)) [[unlikely]] return false;
    write(c, at);
    sums.work = sums.work + work;
    if constexpr (lossy) sums.lost = sums.lost + lost;
    return true;
  }

 private:
  static constexpr bool has_psi = requires(StringRow<Scheme, T> r) { r.state.psi; };
  static constexpr bool counts_left = has_psi && !keeps_psi<Scheme>;

  HWY_ATTR static T left_behind(const StringRow<Scheme, T>& r, const T& d) {
    const T y = r.port.y, next = y - d + r.s;
    return select(most(y, next) > T(0), T(0), T(r.state.psi * r.state.psi));
  }
};

template <class Scheme, class T, class Number>
HWY_NOINLINE JAWARI_FLATTEN void touch_carefully(StringView<Number>& v, std::size_t at) {
  static_assert(T::is_careful);
  const Scheme scheme = *static_cast<const Scheme*>(v.scheme);
  const StringConstants<T> c(v);
  StringUnit<Scheme, T, true> unit;
  StringSums<T> sums;
  each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].template begin<false, true>(scheme, c, at + i * T::width); });
  if constexpr (Scheme::passes > 0) each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].solve(*v.law, scheme); });
  else solve_newton(unit.row, *v.law, scheme, v.touches);
  each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].finish(*v.law, scheme), unit.row[i].move(c, at + i * T::width); });
  unit.store(v, c, at, sums), sums.hand_in(v.touches), ++v.touches.units;
}

/// Two units side by side: a single one would mostly wait for its own division and look-ups.
/// plain: see StringRow::begin().
template <bool plain, class Scheme, class T, bool lossy>
HWY_ATTR inline void step_pair(StringUnit<Scheme, T, lossy> (&pair)[2], const Scheme& scheme, const StringConstants<T>& c,
                               std::size_t at0, std::size_t at1) {
  each<unit_rows>([&](auto i) HWY_ATTR { pair[0].row[i].template begin<plain, lossy>(scheme, c, at0 + i * T::width); });
  each<unit_rows>([&](auto i) HWY_ATTR { pair[1].row[i].template begin<plain, lossy>(scheme, c, at1 + i * T::width); });
  each<2>([&](auto j) HWY_ATTR { each<unit_rows>([&](auto i) HWY_ATTR { pair[j].row[i].solve(c.law, scheme); }); });
  each<2>([&](auto j) HWY_ATTR { each<unit_rows>([&](auto i) HWY_ATTR { pair[j].row[i].finish(c.law, scheme); }); });
  each<unit_rows>([&](auto i) HWY_ATTR { pair[0].row[i].move(c, at0 + i * T::width); });
  each<unit_rows>([&](auto i) HWY_ATTR { pair[1].row[i].move(c, at1 + i * T::width); });
}

template <class Scheme, class T, class Careful, bool lossy, bool plain>
HWY_NOINLINE JAWARI_FLATTEN void touch_units(StringView<typename T::number>& v, std::uint32_t* units, std::size_t count) noexcept {
  const Scheme scheme = lossy ? *static_cast<const Scheme*>(v.scheme) : Scheme();
  const StringConstants<T> c(v);
  std::size_t again = 0;
  StringSums<T> sums;
  const auto keep = [&](auto& unit, std::size_t at) HWY_ATTR {
    if (!unit.store(v, c, at, sums)) [[unlikely]] units[again++] = static_cast<std::uint32_t>(at);
  };
  if constexpr (Scheme::passes > 0) {
    StringUnit<Scheme, T, lossy> pair[2];
    for (std::size_t k = 0; k < count; k += 2) {
      const std::size_t at0 = units[k], at1 = units[std::min(k + 1, count - 1)];
      step_pair<plain>(pair, scheme, c, at0, at1);
      keep(pair[0], at0);
      if (k + 1 < count) keep(pair[1], at1);
    }
  } else {
    StringUnit<Scheme, T, lossy> unit;
    for (std::size_t k = 0; k < count; ++k) {
      const std::size_t at = units[k];
      each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].template begin<plain, lossy>(scheme, c, at + i * T::width); });
      solve_newton(unit.row, c.law, scheme, v.touches);
      each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].finish(c.law, scheme), unit.row[i].move(c, at + i * T::width); });
      keep(unit, at);
    }
  }
  sums.hand_in(v.touches), v.touches.units += static_cast<int>(count - again);
  for (std::size_t k = 0; k < again; ++k) touch_carefully<Scheme, Careful>(v, units[k]);
}

/// For steady units; says how many are left to touch_units().  While one unit waits for its division, the next one looks
/// up its powers, two by turns: a pair in lock-step is longer than what a core sees at a time.
template <class Scheme, class T, bool lossy, bool plain>
HWY_NOINLINE JAWARI_FLATTEN std::size_t touch_steady(StringView<typename T::number>& v, std::uint32_t* units, std::size_t count) noexcept {
  const Scheme scheme = lossy ? *static_cast<const Scheme*>(v.scheme) : Scheme();
  const StringConstants<T> c(v);
  StringUnit<Scheme, T, lossy> a, b;
  std::size_t again = 0, k = 0;
  StringSums<T> sums;
  const auto begin = [&](auto& unit, std::size_t at) HWY_ATTR {
    each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].template begin<plain, lossy>(scheme, c, at + i * T::width); });
  };
  const auto solve = [&](auto& unit) HWY_ATTR {
    each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].solve(c.law, scheme); });
  };
  const auto end = [&](auto& unit, std::uint32_t at) HWY_ATTR {
    each<unit_rows>([&](auto i) HWY_ATTR { unit.row[i].finish(c.law, scheme), unit.row[i].move(c, at + i * T::width); });
    if (!unit.store_steady(v.touches, c, at, sums)) [[unlikely]] units[again++] = at;
  };
  const auto unit_at = [&](std::size_t i) { return units[std::min(i, count - 1)]; };
  begin(a, unit_at(0)), solve(a), begin(b, unit_at(1));
  for (; k + 1 < count; k += 2) {
    const std::uint32_t at0 = units[k], at1 = units[k + 1], at2 = unit_at(k + 2), at3 = unit_at(k + 3);
    end(a, at0), solve(b), begin(a, at2);
    end(b, at1), solve(a), begin(b, at3);
  }
  if (k < count) end(a, units[k]);
  sums.hand_in(v.touches), v.touches.units += static_cast<int>(count - again);
  return again;
}

/// lossy: with the scheme's own loss; otherwise its constants are known here.
template <class Scheme, class T, class Careful, bool lossy>
HWY_NOINLINE JAWARI_FLATTEN void touch(StringView<typename T::number>& v, std::size_t blocks) noexcept {
  constexpr std::size_t unit = unit_rows * T::width;
  const auto *u = acts_ahead<Scheme> ? v.u_next : v.u, *offset = v.offset;
  const T sign(T::in_levels ? v.sign(acts_ahead<Scheme> ? 1 : 0) : 1);
  const auto depth = [&](std::size_t at) HWY_ATTR -> T {
    if constexpr (T::in_levels) return T::load(offset + at) + sign * T::load(u + at);
    else return T::load(offset + at) + T::load(u + at);
  };
  const auto arrives = [&](std::size_t at) HWY_ATTR {
    T y = depth(at);
    each<unit_rows - 1>([&](auto i) HWY_ATTR { y = most(y, depth(at + (i + 1) * T::width)); });
    return some(y > T(0));
  };
  constexpr bool two_ways = !T::is_careful && Scheme::passes > 0;
  std::uint32_t *steady = v.units, *others = v.units + v.padded / unit;  // from both ends
  for (std::size_t b = 0; b < blocks; ++b)
    for (std::size_t at = v.blocks[b], end = at + kernel::block_size(T::width); at < end; at += unit) {
      const std::uint8_t busy = v.busy[at / unit];
      if (two_ways && busy == kernel::steady) *steady++ = static_cast<std::uint32_t>(at);
      else if (busy != 0 || arrives(at)) *--others = static_cast<std::uint32_t>(at);
    }
  const auto found = static_cast<std::size_t>(steady - v.units), rest = static_cast<std::size_t>(v.units + v.padded / unit - others);
  if constexpr (T::is_careful) {
    for (std::size_t k = 0; k < rest; ++k) touch_carefully<Scheme, Careful>(v, others[k]);
  } else {
    const auto go = [&](auto plain) HWY_ATTR {
      std::size_t left = 0;
      if constexpr (two_ways)
        if (found > 0) left = touch_steady<Scheme, T, lossy, plain>(v, v.units, found);
      if (left > 0) touch_units<Scheme, T, Careful, lossy, plain>(v, v.units, left);
      if (rest > 0) touch_units<Scheme, T, Careful, lossy, plain>(v, others, rest);
    };
    if (lossy || v.loaded || (!T::is_fused && v.a.lossy())) go(std::false_type());
    else if constexpr (!lossy) go(std::true_type());
  }
}

}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();
#endif
