// SPDX-License-Identifier: MIT
#include "jawari/kernel/string_batch.h"

#include "kernel/targets.h"
#undef HWY_TARGET_INCLUDE
#define HWY_TARGET_INCLUDE "kernel/string_batch.cpp"
#include <hwy/foreach_target.h>
#include <hwy/highway.h>

#include "kernel/batch_steps.h"

HWY_BEFORE_NAMESPACE();
namespace jawari {
namespace HWY_NAMESPACE {
using BatchFused = Lanes<JAWARI_FUSED, true>;
using BatchAsDouble = Lanes<false, true>;
HWY_ATTR void batch_step_fused(kernel::BatchView& v) { batch::step_group<BatchFused>(v); }
HWY_ATTR void batch_step_as_double(kernel::BatchView& v) { batch::step_group<BatchAsDouble>(v); }
HWY_ATTR void batch_factor_fused(kernel::BatchGroup& g) { batch::factor_group<BatchFused>(g); }
HWY_ATTR void batch_factor_as_double(kernel::BatchGroup& g) { batch::factor_group<BatchAsDouble>(g); }
kernel::BatchScheme batch_scheme_fused(const kernel::ContactModel& contact) {
  return batch::contact_calls<BatchFused>(contact);
}
kernel::BatchScheme batch_scheme_as_double(const kernel::ContactModel& contact) {
  return batch::contact_calls<BatchAsDouble>(contact);
}
std::size_t batch_width() { return BatchFused::width; }
}  // namespace HWY_NAMESPACE
}  // namespace jawari
HWY_AFTER_NAMESPACE();

#if HWY_ONCE
#include <fmt/format.h>

#include <cmath>
#include <cstring>
#include <limits>
#include <numeric>

#include "jawari/core/param.h"
#include "kernel/string_kernel_base.h"

namespace jawari {
namespace {
HWY_EXPORT(batch_step_fused);
HWY_EXPORT(batch_step_as_double);
HWY_EXPORT(batch_factor_fused);
HWY_EXPORT(batch_factor_as_double);
HWY_EXPORT(batch_scheme_fused);
HWY_EXPORT(batch_scheme_as_double);
HWY_EXPORT(batch_width);
using kernel::BatchGroup;
using kernel::LaneNumbers;

void check(std::size_t i, const StringBatch::String& s) {
  const auto refuse = [&](const char* field, const std::string& why) {
    throw InputError(fmt::format("string[{}].{}", i, field), fmt::format("string[{}].{} {}", i, field, why));
  };
  const GridBand a = grid_band(s.numbers);
  if (a.side == 0 && a.far == 0)
    refuse("numbers", "are those of an explicit string, but a batch must have implicit ones");
  if (s.nodes < 3) refuse("nodes", fmt::format("is {}, but must be at least 3", s.nodes));
  if (s.barrier.first_node + s.barrier.offset_m.size() > s.nodes)
    refuse("offset_m", fmt::format("has {} entries from node {} on, but the string has {} nodes",
                                   s.barrier.offset_m.size(), s.barrier.first_node, s.nodes));
  if (!(s.barrier.stiffness >= 0 && std::isfinite(s.barrier.stiffness)))
    refuse("stiffness", fmt::format("is {:g}, but must be above 0, or 0 for that of the contact", s.barrier.stiffness));
}

class Batch final : public StringBatch {
  /// Entries of the contact points of a string.
  struct Entry {
    const Batch& batch;
    std::size_t string;
    std::size_t operator()(std::size_t n) const { return batch.index(string, batch.first(string) + n); }
  };

 public:
  Batch(std::span<const String> strings, const Contact& contact, double dt_s, bool fused)
      : strings_(strings.begin(), strings.end()),
        contact_(contact.law, contact.scheme, dt_s),
        fused_(fused),
        width_(HWY_DYNAMIC_DISPATCH(batch_width)()),
        slot_(strings.size()),
        active_(strings.size(), 1),
        given_(strings.size()) {
    for (std::size_t i = 0; i < size(); ++i) check(i, strings_[i]);
    contacts_.reserve(size());
    true_samples_.reserve(size());
    for (const String& s : strings_) {
      const double own = s.barrier.stiffness;
      contacts_.emplace_back(own == 0 ? contact.law : contact.law.with_stiffness(own), contact.scheme, dt_s);
      true_samples_.emplace_back(contacts_.back().law(), dt_s);
    }
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {  // by band width, then by length
      const bool x = is_penta(a), y = is_penta(b);
      return x != y ? x < y : strings_[a].nodes < strings_[b].nodes;
    });
    std::size_t longest = 0;
    for (std::size_t at = 0; at < size();) {
      const std::size_t rows = size() - at > width_ ? kernel::most_rows : 1, end = std::min(size(), at + rows * width_);
      add_group(rows, std::span(order).subspan(at, end - at));
      longest = std::max(longest, groups_.back().nodes);
      at = end;
    }
    const std::size_t column = length(kernel::most_rows, longest);
    scratch_.assign((columns_of_scratch + kernel::step_room) * column, 0.0);
    responds_.assign(kernel::most_rows * (longest + 1), 0);
    kernel::BatchScratch& m = view_.scratch;
    double* next = scratch_.data();
    for (double** c : {&m.e, &m.before, &m.held, &m.step, &m.pivot, &m.lower, &m.lower2, &m.f, &m.b, &m.s_free, &m.s,
                       &m.old, &m.gap, &m.phi, &m.silent, &m.reach}) {
      *c = next + kernel::batch_front * kernel::most_rows * width_;
      next += column;
    }
    m.scheme = next;
    m.active = responds_.data();
    view_.scheme_numbers = contact_.scheme_address();
    view_.law_of_any_lane = contact_.law_address();
    view_.dt_s = dt_s;
    view_.scheme = fused ? HWY_DYNAMIC_DISPATCH(batch_scheme_fused)(contact_)
                         : HWY_DYNAMIC_DISPATCH(batch_scheme_as_double)(contact_);
  }
  std::size_t size() const noexcept override { return strings_.size(); }
  std::size_t nodes(std::size_t i) const noexcept override { return strings_[i].nodes; }

  void set_string(std::size_t i, const GridNumbers& numbers) noexcept override {
    BatchGroup& g = group(i);
    flush(g);
    strings_[i].numbers = numbers;
    g.lossy |= numbers.s0 != 0 || numbers.s1 != 0;
    put_numbers(i);
    factor(g);
  }
  void set_offset(std::size_t i, std::span<const double> offset) noexcept override {
    std::copy_n(offset.begin(), count(i), strings_[i].barrier.offset_m.begin());
    if (active_[i] != 0) put_offset(i);
  }
  void scale_stiffness(double factor) noexcept override {
    for (std::size_t i = 0; i < size(); ++i) scale_stiffness(i, factor);
  }
  void scale_stiffness(std::size_t i, double factor) noexcept override {
    contacts_[i].scale_stiffness(factor);
    true_samples_[i].scale_stiffness(factor);
    group(i).law[slot_[i].row].stiffness.at[slot_[i].lane] = contacts_[i].law().stiffness();
  }
  void set_active(std::size_t i, bool active) noexcept override {
    if ((active_[i] != 0) == active) return;
    active_[i] = active ? 1 : 0;
    if (active)
      put_offset(i);
    else
      clear(i);
    update_row(slot_[i].group, slot_[i].row);
  }
  bool active(std::size_t i) const noexcept override { return active_[i] != 0; }

  void place(std::size_t i, std::span<const double> u, std::span<const double> d) noexcept override {
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
  void set_contact(std::size_t i, std::span<const std::byte> states) noexcept override {
    if (active_[i] == 0) return;
    BatchGroup& g = group(i);
    contacts_[i].load(g.state, states, count(i), entry(i));
    hold(i);
  }
  void set_under_way(std::size_t i, std::span<const std::int64_t> samples,
                     std::span<const double> phi) noexcept override {
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
  void set_landing(std::size_t i, std::span<const LandingPlace> place, double together,
                   std::span<const double> landed_at, double clock) noexcept override {
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
  void read_landing(std::size_t i, std::span<double> landed_at, double& clock) const noexcept override {
    const BatchGroup& g = group(i);
    if (!g.landing.share) return;
    clock = lane(i, g.clock[slot_[i].row]);
    for (std::size_t n = 0; n < count(i); ++n) landed_at[n] = g.landing.landed_at[entry(i)(n)];
  }
  void read(std::size_t i, std::span<double> u, std::span<double> d) const noexcept override {
    const BatchGroup& g = group(i);
    const double sign = strings_[i].barrier.sign;
    for (std::size_t n = 0; n < strings_[i].nodes; ++n) {
      const std::size_t at = index(i, n);
      const double step = g.pending ? g.d[at] + g.change[at] : g.d[at];
      d[n] = sign * step;
      u[n] = sign * (g.pending ? g.u[at] + step : g.u[at]);
    }
  }
  void read_contact(std::size_t i, std::span<std::byte> states) const noexcept override {
    contacts_[i].store(group(i).state, states, count(i), entry(i));
  }
  void read_forces(std::size_t i, std::span<double> phi) const noexcept override {
    for (std::size_t n = 0; n < count(i); ++n) phi[n] = group(i).phi[index(i, first(i) + n)];
  }
  void read_samples(std::size_t i, std::span<std::int64_t> samples) const noexcept override {
    for (std::size_t n = 0; n < count(i); ++n)
      samples[n] = static_cast<std::int64_t>(group(i).samples[index(i, first(i) + n)]);
  }
  void run(std::size_t steps, std::span<const Drive> drives, std::span<const Probe> probes) noexcept override {
    for (BatchGroup& g : groups_) {
      if (!g.on[0] && !g.on[1]) continue;
      view_.group = &g;
      g.loaded = false;
      for (const Drive& drive : drives) g.loaded |= meets(g, drive.string);
      bool heard = g.loaded;
      for (const Probe& l : probes) heard |= meets(g, l.string);
      for (std::size_t n = 0; n < steps; ++n) {
        if (g.loaded) push(g, drives, n);
        if (fused_)
          HWY_DYNAMIC_DISPATCH(batch_step_fused)(view_);
        else
          HWY_DYNAMIC_DISPATCH(batch_step_as_double)(view_);
        if (heard) read_probes(g, drives, probes, n);
      }
    }
  }
  Stored stored(std::size_t i) const noexcept override {
    const std::span u(u_.data(), strings_[i].nodes), d(d_.data(), strings_[i].nodes);
    read(i, u, d);
    return grid_energy(strings_[i].numbers, u, d);
  }
  double contact_J(std::size_t i) const noexcept override {
    return contacts_[i].energy_J(group(i).state, count(i), entry(i));
  }
  double lost_J(std::size_t i) const noexcept override {
    return lane(i, counts(i).lost) + lane(i, counts(i).lost_rest);
  }
  double lost_in_contact_J(std::size_t i) const noexcept override {
    return lane(i, counts(i).lost_in_contact) + lane(i, counts(i).lost_in_contact_rest);
  }
  double landed_J(std::size_t i) const noexcept override {
    return lane(i, counts(i).landed) + lane(i, counts(i).landed_rest);
  }
  double given_J(std::size_t i) const noexcept override { return given_[i].value(); }
  double taken_J(std::size_t i) const noexcept override {
    return lane(i, counts(i).taken) + lane(i, counts(i).taken_rest);
  }
  ContactRecord record(std::size_t i) const noexcept override {
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
  void forget() noexcept override {
    for (std::size_t i = 0; i < size(); ++i) forget(i);
  }
  void forget(std::size_t i) noexcept override {
    kernel::BatchCounts& t = group(i).counts[slot_[i].row];
    const std::size_t at = slot_[i].lane;
    for (LaneNumbers* x :
         {&t.deepest, &t.deepest_half, &t.strongest, &t.touching, &t.left, &t.solves, &t.iterations, &t.most_iterations,
          &t.unsettled, &t.impacts, &t.longest, &t.lost, &t.lost_rest, &t.lost_in_contact, &t.lost_in_contact_rest,
          &t.landed, &t.landed_rest, &t.taken, &t.taken_rest})
      x->at[at] = 0;
    for (LaneNumbers* x : {&t.shortest, &t.fewest}) x->at[at] = std::numeric_limits<double>::infinity();
    given_[i] = Sum();
  }

 private:
  static void clear_counts(BatchGroup& g) noexcept {
    for (auto& t : g.counts) {
      t = {};
      for (double& x : t.shortest.at) x = std::numeric_limits<double>::infinity();
      for (double& x : t.fewest.at) x = std::numeric_limits<double>::infinity();
    }
  }
  struct Slot {
    std::size_t group = 0, row = 0, lane = 0;
    bool used = false;
  };
  static constexpr std::size_t columns_of_group = 16, columns_of_landing = 4, columns_of_scratch = 16;

  bool is_penta(std::size_t i) const { return grid_band(strings_[i].numbers).far != 0; }
  std::size_t length(std::size_t rows, std::size_t nodes) const {
    return (2 * kernel::batch_front + 1 + nodes) * rows * width_ +
           64 / sizeof(double);  // no two columns on the same lines
  }
  void add_group(std::size_t rows, std::span<const std::size_t> members) {
    BatchGroup& g = groups_.emplace_back();
    g.rows = rows;
    g.nodes = 0;
    g.on[0] = g.on[1] = false;
    g.least = std::numeric_limits<std::size_t>::max();
    for (const std::size_t i : members) {
      g.nodes = std::max(g.nodes, strings_[i].nodes);
      g.least = std::min(g.least, strings_[i].nodes);
      g.penta |= is_penta(i);
      g.lossy |= strings_[i].numbers.s0 != 0 || strings_[i].numbers.s1 != 0;
    }
    const std::size_t column = length(rows, g.nodes);
    const bool landing = contact_.lands();
    auto& data = data_.emplace_back((columns_of_group + (landing ? columns_of_landing : 0)) * column, 0.0);
    double* next = data.data();
    const auto take = [&](double*& c) {
      c = next + kernel::batch_front * rows * width_;
      next += column;
    };
    for (double** c : {&g.u, &g.d, &g.change, &g.rhs, &g.pivot, &g.lower, &g.lower2, &g.offset, &g.q, &g.load,
                       &g.state[0], &g.state[1], &g.state[2], &g.state[3], &g.phi, &g.samples})
      take(*c);
    if (landing) {
      for (double** c : {&g.landing.share, &g.landing.stretch, &g.landing.landed_at, &g.landing.slaps}) take(*c);
      for (double* one : {g.landing.share, g.landing.stretch}) std::fill_n(one, g.nodes * rows * width_, 1.0);
    }
    std::fill_n(g.offset, g.nodes * rows * width_, kernel::no_barrier);
    for (std::size_t r = 0; r < rows; ++r) {
      for (double& x : g.a[r].nodes.at) x = static_cast<double>(g.nodes);  // lanes without a string: A = 1, at rest
      for (LaneNumbers* x : {&g.a[r].middle, &g.a[r].first, &g.a[r].last, &g.a[r].q0, &g.law[r].stiffness})
        for (double& y : x->at) y = 1;
    }
    clear_counts(g);
    for (std::size_t k = 0; k < members.size(); ++k) {
      slot_[members[k]] = {groups_.size() - 1, k / width_, k % width_, true};
      add_string(members[k]);
    }
    for (std::size_t r = 0; r < rows; ++r) {
      put_laws(members.subspan(std::min(members.size(), r * width_)), g.law[r]);
      update_row(groups_.size() - 1, r);
    }
    factor(g);
  }
  void factor(BatchGroup& g) noexcept {
    if (fused_)
      HWY_DYNAMIC_DISPATCH(batch_factor_fused)(g);
    else
      HWY_DYNAMIC_DISPATCH(batch_factor_as_double)(g);
  }
  void add_string(std::size_t i) {
    const String& s = strings_[i];
    u_.resize(std::max(u_.size(), s.nodes));
    d_.resize(u_.size());
    inverse_.resize(u_.size());
    bands_.resize(strings_.size());
    bands_[i] = Band(std::vector<double>(s.nodes), 0, 0);
    put_numbers(i);
    put_offset(i);
  }
  /// Of the row that begins with the first of these strings; lanes without a string have the law of that one.
  void put_laws(std::span<const std::size_t> strings, kernel::LaneLaws& to) noexcept {
    contacts_[strings[0]].law().visit([&](const auto& one) {
      using Law = std::remove_cvref_t<decltype(one)>;
      to.exponent = one.exponent();
      for (std::size_t lane = 0; lane < width_; ++lane) {
        const std::size_t i = strings[lane < strings.size() ? lane : 0];
        const Law& law = *static_cast<const Law*>(contacts_[i].law_address());
        to.stiffness.at[lane] = law.stiffness();
        to.force.of[lane] = &one.force_power();
        to.slope.of[lane] = &law.slope_power();
        to.slope.apart[lane] = &law.slope_power().nodes()->inverse - &one.slope_power().nodes()->inverse;
        to.true_samples[lane] = &true_samples_[i];
      }
    });
  }
  void put_offset(std::size_t i) noexcept {
    for (std::size_t k = 0; k < count(i); ++k)
      group(i).offset[index(i, first(i) + k)] = strings_[i].barrier.offset_m[k];
  }
  /// A lane at rest without barrier: it costs no more than its part of the vector, and its account sums stay.
  void clear(std::size_t i) noexcept {
    BatchGroup& g = group(i);
    for (std::size_t n = 0; n < g.nodes; ++n) {
      const std::size_t at = index(i, n);
      g.offset[at] = kernel::no_barrier;
      for (double* column :
           {g.u, g.d, g.change, g.load, g.state[0], g.state[1], g.state[2], g.state[3], g.phi, g.samples})
        column[at] = 0;
    }
    barrier(i) = {};
    g.holds[slot_[i].row].at[slot_[i].lane] = 0;
  }
  /// What the active strings of a row need.
  void update_row(std::size_t index, std::size_t row) noexcept {
    BatchGroup& g = groups_[index];
    g.on[row] = false;
    g.first[row] = g.nodes;
    g.last[row] = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (slot_[i].group != index || slot_[i].row != row || active_[i] == 0 || !slot_[i].used) continue;
      g.on[row] = true;
      if (count(i) == 0) continue;
      g.first[row] = std::min(g.first[row], first(i));
      g.last[row] = std::max(g.last[row], first(i) + count(i));
    }
    g.first[row] = std::min(g.first[row], g.last[row]);
    g.in_contact[row] = std::any_of(g.holds[row].at, g.holds[row].at + width_, [](double x) { return x > 0; });
  }
  void put_numbers(std::size_t i) noexcept {
    const String& s = strings_[i];
    const GridNumbers& n = s.numbers;
    const GridBand band = grid_band(n);
    BatchGroup& g = group(i);
    kernel::BatchNumbers& a = g.a[slot_[i].row];
    const auto put = [&](LaneNumbers& to, double x) { to.at[slot_[i].lane] = x; };
    put(a.nodes, static_cast<double>(s.nodes));
    put(a.tension, n.tension);
    put(a.bending, n.bending);
    put(a.s0_2, 2 * n.s0);
    put(a.s1_2, 2 * n.s1);
    put(a.q0, n.q0);
    put(a.middle, band.middle);
    put(a.first, band.first);
    put(a.last, band.last);
    put(a.left_ghost, n.left.ghost);
    put(a.right_ghost, n.right.ghost);
    put(a.side, band.side);
    put(a.far, band.far);
    const CollectedString collected(n);
    put(a.u0, collected.u0);
    put(a.u1, collected.u1);
    put(a.u2, collected.u2);
    put(a.d0, collected.d0);
    put(a.d1, collected.d1);
    put(a.half_s0, n.s0 / (2 * n.q0));
    put(a.half_s1, n.s1 / (2 * n.q0));
    Band& own = bands_[i];
    own.change(band.middle, band.first, band.last, band.side, band.far);
    own.factor({});
    own.inverse_diagonal({inverse_.data(), s.nodes});
    for (std::size_t k = 0; k < s.nodes; ++k) g.q[index(i, k)] = n.q0 * inverse_[k];
  }

  BatchGroup& group(std::size_t i) noexcept { return groups_[slot_[i].group]; }
  const BatchGroup& group(std::size_t i) const noexcept { return groups_[slot_[i].group]; }
  const kernel::BatchCounts& counts(std::size_t i) const noexcept { return group(i).counts[slot_[i].row]; }
  double lane(std::size_t i, const LaneNumbers& x) const noexcept { return x.at[slot_[i].lane]; }
  std::size_t index(std::size_t i, std::size_t node) const noexcept {
    return (node * group(i).rows + slot_[i].row) * width_ + slot_[i].lane;
  }
  std::size_t first(std::size_t i) const noexcept { return strings_[i].barrier.first_node; }
  std::size_t count(std::size_t i) const noexcept { return strings_[i].barrier.offset_m.size(); }
  bool meets(const BatchGroup& g, std::size_t i) const noexcept { return active_[i] != 0 && &group(i) == &g; }

  kernel::BatchBarrier& barrier(std::size_t i) noexcept {
    return group(i).barrier[slot_[i].row * kernel::most_width + slot_[i].lane];
  }
  Entry entry(std::size_t i) const noexcept { return {*this, i}; }
  /// Does the contact of a string store something?
  void hold(std::size_t i) noexcept {
    BatchGroup& g = group(i);
    LaneNumbers& holds = g.holds[slot_[i].row];
    double& own = holds.at[slot_[i].lane] = 0;
    if (!contacts_[i].keeps_psi())
      contacts_[i].each_point(g.state, count(i), entry(i), [&](std::size_t, const auto&, bool stores) {
        if (stores) own = 1;
      });
    g.in_contact[slot_[i].row] = std::any_of(holds.at, holds.at + width_, [](double x) { return x > 0; });
  }
  /// Adds the pending change of a group, as the next step would.
  void flush(BatchGroup& g) noexcept {
    for (std::size_t at = 0; g.pending && at < g.nodes * g.rows * width_; ++at) {
      g.d[at] += g.change[at];
      g.u[at] += g.d[at];
    }
    g.pending = false;
  }
  void push(BatchGroup& g, std::span<const Drive> drives, std::size_t n) noexcept {
    for (const Drive& drive : drives)
      if (meets(g, drive.string))
        for (std::size_t k = 0; k < drive.at.count; ++k)
          g.load[index(drive.string, drive.at.first + k)] +=
              strings_[drive.string].barrier.sign * drive.at.weight[k] * drive.force_N[n];
  }
  /// Between two steps: accounts for the work, clears the loads, fills the probes.
  void read_probes(BatchGroup& g, std::span<const Drive> drives, std::span<const Probe> probes,
                   std::size_t n) noexcept {
    for (const Drive& drive : drives) {
      if (!meets(g, drive.string)) continue;
      double work = 0;
      for (std::size_t k = 0; k < drive.at.count; ++k) {
        const std::size_t at = index(drive.string, drive.at.first + k);
        work += std::exchange(g.load[at], 0.0) * (g.d[at] + (g.d[at] + g.change[at])) / 2;
      }
      if (work != 0) given_[drive.string].add(work);
    }
    for (const Probe& l : probes) {
      if (!meets(g, l.string)) continue;
      double sum = 0;
      if (l.what == StringProbe::force) {
        for (std::size_t k = 0; k < count(l.string); ++k) sum += g.phi[index(l.string, first(l.string) + k)];
        l.to[n] = sum;
        continue;
      }
      double w = 0, d = 0, s = 0;  // of the tap, after the step
      for (std::size_t k = 0; k < l.at.count; ++k) {
        const std::size_t at = index(l.string, l.at.first + k);
        const double next = g.d[at] + g.change[at];
        w += l.at.weight[k] * (g.u[at] + next);
        d += l.at.weight[k] * next;
        s += l.at.weight[k] * (g.d[at] + next);
      }
      l.to[n] = strings_[l.string].barrier.sign * read_tap(l.what, w, d, s);
    }
  }

  std::vector<String> strings_;
  kernel::ContactModel contact_;
  std::vector<kernel::ContactModel> contacts_;  // per string; their addresses stay
  std::vector<kernel::KernelSamples> true_samples_;
  bool fused_;
  std::size_t width_;
  std::vector<Slot> slot_;
  std::vector<std::uint8_t> active_;
  std::vector<BatchGroup> groups_;
  std::vector<std::vector<double, kernel::Aligned<double>>> data_;
  std::vector<double, kernel::Aligned<double>> scratch_;
  std::vector<std::uint8_t> responds_;
  std::vector<Sum> given_;
  mutable std::vector<double> u_, d_;  // for the energies
  std::vector<Band> bands_;            // per string, for its receptances
  std::vector<double> inverse_;
  kernel::BatchView view_ = {};
};
}  // namespace

std::unique_ptr<StringBatch> StringBatch::make(std::span<const String> strings, const Contact& contact, double dt_s,
                                               Arithmetic arithmetic) {
  return std::make_unique<Batch>(strings, contact, dt_s, arithmetic == Arithmetic::fused);
}

}  // namespace jawari
#endif
