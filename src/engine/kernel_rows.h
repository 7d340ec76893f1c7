// SPDX-License-Identifier: MIT
// What kernels with accounts write into rows, and when: the energy of a body costs more than its step, so it is read in
// the steps in which it is due.
#pragma once
#include <algorithm>
#include <cstddef>
#include <span>

#include "body_kernel.h"
#include "jawari/kernel/kernel_state.h"

namespace jawari {

inline KernelTotals totals_of(const KernelAccounts& kernel, std::size_t string = 0) noexcept {
  return {kernel.lost_J(string),   kernel.given_J(string), kernel.lost_in_contact_J(string),
          kernel.landed_J(string), kernel.taken_J(string), kernel.record(string)};
}

/// What is wanted of the step just taken, but for forces and compression.
inline void fill_row(const KernelAccounts& kernel, const KernelRowProbe& wanted, std::size_t step, bool contact,
                     std::size_t string = 0) noexcept {
  KernelRow& row = wanted.to[step];
  const bool due = wanted.due(step);
  if (due) {
    row.stored = kernel.stored(string);
    row.lost_J = kernel.lost_J(string);
    row.given_J = kernel.given_J(string);
  }
  if (!contact) return;
  if (due || wanted.channels) row.contact_J = kernel.contact_J(string);
  if (due) {
    row.lost_in_contact_J = kernel.lost_in_contact_J(string);
    row.landed_J = kernel.landed_J(string);
  }
}

/// Stretches of steps up to the next that something is wanted of.  `before(last)` sees the state before its last step
/// where a stretch is one step, `run(count, from)` plays it, `after(last)` sees the state after it.  `contact`: there
/// are points, of which forces and compressions may be wanted in every step.
template <class Before, class Run, class After>
void run_in_stretches(std::size_t steps, std::span<const KernelRowProbe> rows, bool contact, Before&& before, Run&& run,
                      After&& after) noexcept {
  const auto reads_each = [](const KernelRowProbe& r) { return r.channels || !r.largest_force_N.empty(); };
  const bool each = contact && std::any_of(rows.begin(), rows.end(), reads_each);
  for (std::size_t n = 0; n < steps;) {
    std::size_t count = steps - n;
    for (const auto& r : rows) count = std::min(count, r.steps_to_reading(n, steps, each));
    before(n + count - 1);
    run(count, n);
    after(n + count - 1);
    n += count;
  }
}

}  // namespace jawari
