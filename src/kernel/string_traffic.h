// SPDX-License-Identifier: MIT
// What goes in and out of a running string, step by step, and the books.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "jawari/core/sum.h"
#include "jawari/kernel/string_kernel.h"
#include "kernel/string_view.h"

namespace jawari::kernel {

struct StringTraffic {
  std::span<const StringDrive> drives;
  std::span<const StringListener> listeners;
  std::span<const StringForce> forces;
  double sign = 1;  ///< of the mirrored string
  bool books = true;
  Sum lost = {}, lost_in_contact = {}, landed = {}, given = {}, taken = {};
  ContactRecord record = {};
  std::size_t width = 2;  ///< of a vector
  double fastest_m = 0;   ///< largest free double step of a node that entered
  int passes = 0;         ///< of the scheme; 0: counted by the lanes

  void forget() noexcept {
    lost = lost_in_contact = landed = given = taken = {};
    record = {};
    fastest_m = 0;
  }
  /// Adds what the lanes have counted, and lets them begin again.
  template <class Number>
  void note(StringTouches<Number>& t) noexcept {
    double idle = 0, solves = 0, iterations = 0, unsettled = 0, gone = 0, ended = 0, work = 0, absorbed = 0;
    for (std::size_t i = 0; i < StringTouches<Number>::lanes; ++i) {
      record.deepest_m = std::max<double>(record.deepest_m, t.deepest[i]);
      record.largest_force_N = std::max<double>(record.largest_force_N, t.strongest[i]);
      solves += t.solves[i];
      iterations += t.iterations[i];
      unsettled += t.unsettled[i];
      idle += t.free_lanes[i];
      gone += t.lost[i];
      absorbed += t.landed[i];
      ended += t.ended[i];
      work += t.work[i];
      record.deepest_half_m = std::max<double>(record.deepest_half_m, t.deepest_half[i]);
      record.largest_left_J = std::max<double>(record.largest_left_J, t.left[i] / 2);
      record.longest = std::max(record.longest, static_cast<std::int64_t>(t.longest[i]));
      if (t.shortest[i] > 0)
        record.shortest =
            std::min(record.shortest, static_cast<std::int64_t>(static_cast<double>(StringView<Number>::clock_turn) -
                                                                static_cast<double>(t.shortest[i])));
      fastest_m = std::max<double>(fastest_m, t.entry[i]);
    }
    const double touching = static_cast<double>(t.units) * static_cast<double>(unit_rows * width) - idle;
    record.touching_steps += static_cast<std::uint64_t>(touching);
    record.impacts += static_cast<std::uint64_t>(ended);
    if (passes > 0) {
      solves = touching;
      iterations = passes * touching;
      t.most_iterations = touching > 0 ? passes : 0;
    }
    record.solves += static_cast<std::uint64_t>(solves);
    record.iterations += static_cast<std::uint64_t>(iterations);
    record.unsettled += static_cast<std::uint64_t>(unsettled);
    record.most_iterations = std::max(record.most_iterations, t.most_iterations);
    if (gone != 0) lost_in_contact.add(gone);
    if (absorbed != 0) landed.add(absorbed);
    if (work != 0) taken.add(-work / 2);
    StringTouches<Number> fresh;
    const auto keep = [](Number* to, const Number* from) { std::copy_n(from, StringTouches<Number>::lanes, to); };
    keep(fresh.deepest, t.deepest);
    keep(fresh.deep, t.deep);
    keep(fresh.deepest_half, t.deepest_half);
    keep(fresh.strongest, t.strongest);
    keep(fresh.left, t.left);
    keep(fresh.entry, t.entry);
    keep(fresh.longest, t.longest);
    keep(fresh.shortest, t.shortest);
    t = fresh;
  }
};

/// Loads of step n; their units take the long way, which looks at loads.
template <class Number>
void push(StringView<Number>& v, const StringTraffic& t, std::size_t n, std::size_t unit) noexcept {
  for (const auto& drive : t.drives)
    for (std::size_t i = 0; i < drive.at.count; ++i) {
      const std::size_t node = drive.at.first + i;
      v.load[node] += static_cast<Number>(t.sign * drive.at.weight[i] * drive.force_N[n]);
      v.busy[node / unit] = 1;
    }
}

/// What predict() makes of a node: the change of its increment if nothing but loads pushed.
template <class Number>
double free_change(const StringView<Number>& v, std::size_t node, double load_N) noexcept {
  const auto bend = [](double left, double middle, double right) { return (right - middle) - (middle - left); };
  const auto i = static_cast<std::ptrdiff_t>(node);
  const auto curve = [&](std::ptrdiff_t at) { return bend(v.now(at - 1), v.now(at), v.now(at + 1)); };
  const StringNumbers& a = v.a;
  double rhs = a.tension * curve(i) + a.q0 * load_N;
  if (a.bending != 0) rhs -= a.bending * bend(curve(i - 1), curve(i), curve(i + 1));
  if (a.s0 != 0) rhs -= 2 * a.s0 * v.increment(i);
  if (a.s1 != 0) rhs += 2 * a.s1 * bend(v.increment(i - 1), v.increment(i), v.increment(i + 1));
  return rhs * a.share;
}

/// Contacts that were solved elsewhere, after the pass: as advance() does it.
template <class Number>
void push_nodes(StringView<Number>& v, const StringTraffic& t, std::size_t unit) noexcept {
  for (std::size_t k = 0; k < t.forces.size(); ++k) {
    const std::size_t node = t.forces[k].node;
    const auto same = [node](const StringForce& f) { return f.node == node; };
    if (std::any_of(t.forces.begin(), t.forces.begin() + static_cast<std::ptrdiff_t>(k), same)) continue;
    double push = 0;
    for (const StringForce& f : t.forces.subspan(k))
      if (f.node == node) push += f.push_m;
    const double change = free_change(v, node, static_cast<double>(v.load[node])) + t.sign * push;
    const auto at = static_cast<std::ptrdiff_t>(node);
    const auto next = static_cast<Number>(v.increment(at) + change);
    v.u_next[node] = static_cast<Number>(v.now(at) + static_cast<double>(next));
    if (v.in_levels())
      v.u_next[node] *= static_cast<Number>(v.sign(1));
    else
      v.d_next[node] = next;
    v.busy[node / unit] |= static_cast<double>(v.offset[node]) + v.after(at) > 0;  // a free step may lead out again
  }
}

/// After the step, before old and new are exchanged: books the work, clears the loads, hands out what was asked for.
template <class Number>
void listen(StringView<Number>& v, StringTraffic& t, std::size_t n) noexcept {
  double work = 0;
  for (const auto& drive : t.drives)
    for (std::size_t i = 0; i < drive.at.count; ++i) {
      const auto node = static_cast<std::ptrdiff_t>(drive.at.first + i);
      Number& load = v.load[node];
      const double s = v.increment(node) + v.next_increment(node);
      work += static_cast<double>(load) * s / 2;
      load = 0;
    }
  if (work != 0) t.given.add(work);
  for (const auto& l : t.listeners) {
    double sum = 0, minus = 0;
    if (l.what == StringListener::force) {
      for (std::size_t i = 0; i < v.nodes; ++i) sum += static_cast<double>(v.phi[i]);
      l.to[n] = sum;
      continue;
    }
    for (std::size_t i = 0; i < l.at.count; ++i) {
      const auto node = static_cast<std::ptrdiff_t>(l.at.first + i);
      const double d = v.increment(node), next = v.next_increment(node);
      const double value = l.what == StringListener::displacement  ? v.after(node)
                           : l.what == StringListener::double_step ? d + next
                                                                   : next;
      sum += l.at.weight[i] * value;
      if (l.what == StringListener::displacement) minus += l.at.weight[i] * next;
      if (l.what == StringListener::second_difference) minus += l.at.weight[i] * (d + next);
    }
    l.to[n] = t.sign * ((l.what == StringListener::second_difference ? 2 * sum : sum) - minus);
  }
}

}  // namespace jawari::kernel
