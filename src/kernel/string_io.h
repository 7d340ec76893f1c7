// SPDX-License-Identifier: MIT
// Drives, probes, external forces and account sums of a running string.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "jawari/body/string_step.h"
#include "jawari/core/sum.h"
#include "jawari/kernel/string_kernel.h"
#include "kernel/string_arrays.h"

namespace jawari::kernel {

struct StepIo {
  std::span<const StringDrive> drives;
  std::span<const StringProbe> probes;
  std::span<const StringForce> forces;
  double sign = 1;  ///< of the mirrored string
  bool accounting = true;
  Sum lost = {}, lost_in_contact = {}, landed = {}, given = {}, taken = {};
  ContactRecord record = {};
  std::size_t width = 2;  ///< of a vector
  double fastest_m = 0;   ///< largest free double step at the start of a contact
  int passes = 0;         ///< of the scheme; 0: counted by the lanes

  void forget() noexcept {
    lost = lost_in_contact = landed = given = taken = {};
    record = {};
    fastest_m = 0;
  }
  /// Adds what the lanes have counted, and clears them.
  template <class Number>
  void note(ContactCounts<Number>& t) noexcept {
    double idle = 0, solves = 0, iterations = 0, unsettled = 0, gone = 0, ended = 0, work = 0, absorbed = 0;
    for (std::size_t i = 0; i < ContactCounts<Number>::lanes; ++i) {
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
        record.shortest = std::min(record.shortest,
                                   static_cast<std::int64_t>(static_cast<double>(StringArrays<Number>::clock_period) -
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
    ContactCounts<Number> fresh;
    const auto keep = [](Number* to, const Number* from) { std::copy_n(from, ContactCounts<Number>::lanes, to); };
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

/// Loads of step n; their units become active, because the free pass has no loads.
template <class Number>
void push(StringArrays<Number>& v, const StepIo& t, std::size_t n, std::size_t unit) noexcept {
  for (const auto& drive : t.drives)
    for (std::size_t i = 0; i < drive.at.count; ++i) {
      const std::size_t node = drive.at.first + i;
      v.load[node] += static_cast<Number>(t.sign * drive.at.weight[i] * drive.force_N[n]);
      v.active_units[node / unit] = 1;
    }
}

/// As StringGrid::predict(), of one node: the change of its increment by loads alone.
template <class Number>
double free_change(const StringArrays<Number>& v, std::size_t node, double load_N) noexcept {
  const auto i = static_cast<std::ptrdiff_t>(node);
  const auto curve = [&](std::ptrdiff_t at) { return second_difference(v.now(at - 1), v.now(at), v.now(at + 1)); };
  const double before = i == 0 ? (1 + v.a.left_ghost) * v.now(0) : curve(i - 1);
  const double after = node + 1 == v.nodes ? (1 + v.a.right_ghost) * v.now(i) : curve(i + 1);
  const double bend = second_difference(before, curve(i), after);
  const double d_curve = second_difference(v.increment(i - 1), v.increment(i), v.increment(i + 1));
  const StringCoefficientsOf<double> a(v.a);
  return string_rhs<StringTerms{}>(a, curve(i), bend, v.increment(i), d_curve, load_N) * v.a.share;
}

/// Contacts that were solved elsewhere, after the pass: as advance() does it.
template <class Number>
void push_nodes(StringArrays<Number>& v, const StepIo& t, std::size_t unit) noexcept {
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
    v.active_units[node / unit] |=
        static_cast<double>(v.offset[node]) + v.after(at) > 0;  // a free step may leave the contact
  }
}

/// After the step, before old and new are exchanged: accounts for the work, clears the loads, fills the probes.
template <class Number>
void read_probes(StringArrays<Number>& v, StepIo& t, std::size_t n) noexcept {
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
  for (const auto& l : t.probes) {
    if (l.what == StringProbe::force) {
      double sum = 0;
      for (std::size_t i = 0; i < v.nodes; ++i) sum += static_cast<double>(v.phi[i]);
      l.to[n] = sum;
      continue;
    }
    double w = 0, d = 0, s = 0;
    for (std::size_t i = 0; i < l.at.count; ++i) {
      const auto node = static_cast<std::ptrdiff_t>(l.at.first + i);
      const double next = v.next_increment(node);
      w += l.at.weight[i] * v.after(node);
      d += l.at.weight[i] * next;
      s += l.at.weight[i] * (v.increment(node) + next);
    }
    l.to[n] = t.sign * read_tap(l.what, w, d, s);
  }
}

}  // namespace jawari::kernel
