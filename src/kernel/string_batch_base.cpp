// SPDX-License-Identifier: MIT
// What goes into a batch of strings and comes out of it.
#include "kernel/string_batch_base.h"

#include <algorithm>
#include <limits>

namespace jawari::kernel {

void StringBatchBase::set_string(std::size_t i, const GridNumbers& numbers) noexcept {
  BatchGroup& g = group(i);
  flush(g);
  strings_[i].numbers = numbers;
  g.lossy |= numbers.s0 != 0 || numbers.s1 != 0;
  put_numbers(i);
  factor(g);
}

void StringBatchBase::set_offset(std::size_t i, std::span<const double> offset) noexcept {
  std::copy_n(offset.begin(), count(i), strings_[i].barrier.offset_m.begin());
  if (active_[i] != 0) put_offset(i);
}

void StringBatchBase::scale_stiffness(double factor) noexcept {
  for (std::size_t i = 0; i < size(); ++i) scale_stiffness(i, factor);
}

void StringBatchBase::scale_stiffness(std::size_t i, double factor) noexcept {
  contacts_[i].scale_stiffness(factor);
  true_samples_[i].scale_stiffness(factor);
  group(i).law[slot_[i].row].stiffness.at[slot_[i].lane] = contacts_[i].law().stiffness();
}

void StringBatchBase::set_active(std::size_t i, bool active) noexcept {
  if ((active_[i] != 0) == active) return;
  active_[i] = active ? 1 : 0;
  if (active)
    put_offset(i);
  else
    clear(i);
  update_row(slot_[i].group, slot_[i].row);
}

void StringBatchBase::place(std::span<const double> u, std::span<const double> d, std::size_t i) noexcept {
  if (active_[i] == 0) return;
  BatchGroup& g = group(i);
  flush(g);
  const Barrier& b = strings_[i].barrier;
  for (std::size_t n = 0; n < strings_[i].nodes; ++n) {
    const std::size_t at = index(i, n);
    g.u[at] = b.sign * u[n];
    g.d[at] = b.sign * d[n];
    for (double* column : g.state)
      if (column) column[at] = 0;
    g.phi[at] = g.samples[at] = 0;
  }
  contacts_[i].start(
      g.state, count(i), entry(i), [&](std::size_t n) { return g.offset[entry(i)(n)] + g.u[entry(i)(n)]; },
      [&](std::size_t n) { return g.d[entry(i)(n)]; });
  hold(i);
}

void StringBatchBase::set_contact(std::span<const std::byte> states, std::size_t i) noexcept {
  if (active_[i] == 0) return;
  BatchGroup& g = group(i);
  contacts_[i].load(g.state, states, count(i), entry(i));
  hold(i);
}

void StringBatchBase::set_under_way(std::span<const std::int64_t> samples, std::span<const double> phi,
                                    std::size_t i) noexcept {
  if (active_[i] == 0) return;
  BatchGroup& g = group(i);
  for (std::size_t n = 0; n < count(i); ++n) {
    if (samples[n] == 0 || phi[n] == 0) continue;
    const std::size_t at = index(i, first(i) + n);
    g.samples[at] = static_cast<double>(samples[n]);
    g.phi[at] = phi[n];
    g.holds[slot_[i].row].at[slot_[i].lane] = 1;
    g.in_contact[slot_[i].row] = 1;
  }
}

void StringBatchBase::set_landing(std::span<const LandingPlace> place, double together,
                                  std::span<const double> landed_at, double clock, std::size_t i) noexcept {
  BatchGroup& g = group(i);
  if (active_[i] == 0 || !g.landing.share) return;
  barrier(i) = {first(i), count(i), together};
  g.clock[slot_[i].row].at[slot_[i].lane] = clock;
  for (std::size_t n = 0; n < count(i); ++n) {
    const std::size_t at = entry(i)(n);
    g.landing.share[at] = place[n].share;
    g.landing.stretch[at] = place[n].stretch;
    g.landing.landed_at[at] = landed_at[n];
  }
}

void StringBatchBase::read_landing(std::span<double> landed_at, double& clock, std::size_t i) const noexcept {
  const BatchGroup& g = group(i);
  if (!g.landing.share) return;
  clock = lane(i, g.clock[slot_[i].row]);
  for (std::size_t n = 0; n < count(i); ++n) landed_at[n] = g.landing.landed_at[entry(i)(n)];
}

void StringBatchBase::read(std::span<double> u, std::span<double> d, std::size_t i) const noexcept {
  const BatchGroup& g = group(i);
  const double sign = strings_[i].barrier.sign;
  for (std::size_t n = 0; n < strings_[i].nodes; ++n) {
    const std::size_t at = index(i, n);
    const double step = g.pending ? g.d[at] + g.change[at] : g.d[at];
    d[n] = sign * step;
    u[n] = sign * (g.pending ? g.u[at] + step : g.u[at]);
  }
}

void StringBatchBase::read_contact(std::span<std::byte> states, std::size_t i) const noexcept {
  contacts_[i].store(group(i).state, states, count(i), entry(i));
}

void StringBatchBase::read_forces(std::span<double> phi, std::size_t i) const noexcept {
  for (std::size_t n = 0; n < count(i); ++n) phi[n] = group(i).phi[index(i, first(i) + n)];
}

void StringBatchBase::read_samples(std::span<std::int64_t> samples, std::size_t i) const noexcept {
  for (std::size_t n = 0; n < count(i); ++n)
    samples[n] = static_cast<std::int64_t>(group(i).samples[index(i, first(i) + n)]);
}

Stored StringBatchBase::stored(std::size_t i) const noexcept {
  const std::span u(u_.data(), strings_[i].nodes), d(d_.data(), strings_[i].nodes);
  read(u, d, i);
  return grid_energy(strings_[i].numbers, u, d);
}

double StringBatchBase::contact_J(std::size_t i) const noexcept {
  return contacts_[i].energy_J(group(i).state, count(i), entry(i));
}

double StringBatchBase::lost_J(std::size_t i) const noexcept {
  return lane(i, counts(i).lost) + lane(i, counts(i).lost_rest);
}

double StringBatchBase::lost_in_contact_J(std::size_t i) const noexcept {
  return lane(i, counts(i).lost_in_contact) + lane(i, counts(i).lost_in_contact_rest);
}

double StringBatchBase::landed_J(std::size_t i) const noexcept {
  return lane(i, counts(i).landed) + lane(i, counts(i).landed_rest);
}

double StringBatchBase::taken_J(std::size_t i) const noexcept {
  return lane(i, counts(i).taken) + lane(i, counts(i).taken_rest);
}

ContactRecord StringBatchBase::record(std::size_t i) const noexcept {
  const auto& t = counts(i);
  const auto whole = [&](const LaneNumbers& x) { return static_cast<std::uint64_t>(lane(i, x)); };
  ContactRecord r;
  r.impacts = whole(t.impacts);
  r.touching_steps = whole(t.touching);
  r.solves = whole(t.solves);
  if (r.impacts > 0) {
    r.shortest = static_cast<std::int64_t>(lane(i, t.shortest));
    r.longest = static_cast<std::int64_t>(lane(i, t.longest));
  }
  r.deepest_m = lane(i, t.deepest);
  r.deepest_half_m = lane(i, t.deepest_half);
  r.largest_force_N = lane(i, t.strongest);
  r.largest_left_J = lane(i, t.left);
  r.iterations = whole(t.iterations);
  r.most_iterations = static_cast<int>(lane(i, t.most_iterations));
  r.unsettled = whole(t.unsettled);
  r.fewest_true_samples = lane(i, t.fewest);
  return r;
}

void StringBatchBase::forget(std::size_t i) noexcept {
  BatchCounts& t = group(i).counts[slot_[i].row];
  const std::size_t at = slot_[i].lane;
  for (LaneNumbers* x :
       {&t.deepest, &t.deepest_half, &t.strongest, &t.touching, &t.left, &t.solves, &t.iterations, &t.most_iterations,
        &t.unsettled, &t.impacts, &t.longest, &t.lost, &t.lost_rest, &t.lost_in_contact, &t.lost_in_contact_rest,
        &t.landed, &t.landed_rest, &t.taken, &t.taken_rest})
    x->at[at] = 0;
  for (LaneNumbers* x : {&t.shortest, &t.fewest}) x->at[at] = std::numeric_limits<double>::infinity();
  given_[i] = Sum();
}

}  // namespace jawari::kernel
