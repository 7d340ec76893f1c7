// SPDX-License-Identifier: MIT
// Where the strings of a batch lie: groups of like strings, their columns, and the numbers of every lane.
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>

#include "jawari/core/param.h"
#include "kernel/string_batch_base.h"

namespace jawari::kernel {
namespace {

void check(std::size_t i, const StringBatch::String& s) {
  const auto refuse = [&](const char* field, const std::string& why, const std::string& allowed) {
    throw InputError(fmt::format("string[{}].{}", i, field), fmt::format("string[{}].{} {}", i, field, why), {},
                     allowed);
  };
  const GridBand a = grid_band(s.numbers);
  if (a.side == 0 && a.far == 0)
    refuse("numbers", "are those of an explicit string, but a batch must have implicit ones",
           "be those of implicit strings");
  if (s.nodes < 3) refuse("nodes", fmt::format("is {}, but must be at least 3", s.nodes), "be at least 3");
  if (s.barrier.first_node + s.barrier.offset_m.size() > s.nodes)
    refuse("offset_m",
           fmt::format("has {} entries from node {} on, but the string has {} nodes", s.barrier.offset_m.size(),
                       s.barrier.first_node, s.nodes),
           "lie on the nodes of the string");
  if (!(s.barrier.stiffness >= 0 && std::isfinite(s.barrier.stiffness)))
    refuse("stiffness", fmt::format("is {:g}, but must be above 0, or 0 for that of the contact", s.barrier.stiffness),
           "be above 0, or 0");
}

void clear_counts(BatchGroup& g) noexcept {
  for (auto& t : g.counts) {
    t = {};
    for (double& x : t.shortest.at) x = std::numeric_limits<double>::infinity();
    for (double& x : t.fewest.at) x = std::numeric_limits<double>::infinity();
  }
}

}  // namespace

StringBatchBase::StringBatchBase(std::span<const String> strings, const Contact& contact, double dt_s,
                                 std::size_t width)
    : strings_(strings.begin(), strings.end()),
      contact_(contact.law, contact.scheme, dt_s),
      given_(strings.size()),
      dt_s_(dt_s),
      width_(width),
      slot_(strings.size()),
      active_(strings.size(), 1) {
  for (std::size_t i = 0; i < strings_.size(); ++i) check(i, strings_[i]);
  contacts_.reserve(strings_.size());
  true_samples_.reserve(strings_.size());
  for (const String& s : strings_) {
    const double own = s.barrier.stiffness;
    contacts_.emplace_back(own == 0 ? contact.law : contact.law.with_stiffness(own), contact.scheme, dt_s);
    true_samples_.emplace_back(contacts_.back().law(), dt_s);
  }
}

void StringBatchBase::build() {
  std::vector<std::size_t> order(size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {  // by band width, then by length
    const bool x = is_penta(a), y = is_penta(b);
    return x != y ? x < y : strings_[a].nodes < strings_[b].nodes;
  });
  std::size_t longest = 0;
  for (std::size_t at = 0; at < size();) {
    const std::size_t rows = size() - at > width_ ? most_rows : 1, end = std::min(size(), at + rows * width_);
    add_group(rows, std::span(order).subspan(at, end - at));
    longest = std::max(longest, groups_.back().nodes);
    at = end;
  }
  const std::size_t column = length(most_rows, longest);
  scratch_.assign((columns_of_scratch + step_room) * column, 0.0);
  responds_.assign(most_rows * (longest + 1), 0);
  BatchScratch& m = view_.scratch;
  double* next = scratch_.data();
  for (double** c : {&m.e, &m.before, &m.held, &m.step, &m.pivot, &m.lower, &m.lower2, &m.f, &m.b, &m.s_free, &m.s,
                     &m.old, &m.gap, &m.phi, &m.silent, &m.reach}) {
    *c = next + batch_front * most_rows * width_;
    next += column;
  }
  m.scheme = next;
  m.active = responds_.data();
  view_.scheme_numbers = contact_.scheme_address();
  view_.law_of_any_lane = contact_.law_address();
  view_.dt_s = dt_s_;
}

bool StringBatchBase::is_penta(std::size_t i) const { return grid_band(strings_[i].numbers).far != 0; }
std::size_t StringBatchBase::length(std::size_t rows, std::size_t nodes) const {
  return (2 * batch_front + 1 + nodes) * rows * width_ + 64 / sizeof(double);  // no two columns on the same lines
}

void StringBatchBase::add_group(std::size_t rows, std::span<const std::size_t> members) {
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
    c = next + batch_front * rows * width_;
    next += column;
  };
  for (double** c : {&g.u, &g.d, &g.change, &g.rhs, &g.pivot, &g.lower, &g.lower2, &g.offset, &g.q, &g.load,
                     &g.state[0], &g.state[1], &g.state[2], &g.state[3], &g.phi, &g.samples})
    take(*c);
  if (landing) {
    for (double** c : {&g.landing.share, &g.landing.stretch, &g.landing.landed_at, &g.landing.slaps}) take(*c);
    for (double* one : {g.landing.share, g.landing.stretch}) std::fill_n(one, g.nodes * rows * width_, 1.0);
  }
  std::fill_n(g.offset, g.nodes * rows * width_, no_barrier);
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

void StringBatchBase::add_string(std::size_t i) {
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
void StringBatchBase::put_laws(std::span<const std::size_t> strings, LaneLaws& to) noexcept {
  contacts_[strings[0]].law().visit([&](const auto& one) {
    using Law = std::remove_cvref_t<decltype(one)>;
    to.law = &one;
    to.exponent = one.exponent();
    for (std::size_t lane = 0; lane < width_; ++lane) {
      const std::size_t i = strings[lane < strings.size() ? lane : 0];
      const Law& law = *static_cast<const Law*>(contacts_[i].law_address());
      to.stiffness.at[lane] = law.stiffness();
      to.true_samples[lane] = &true_samples_[i];
      if constexpr (requires { law.slope_power(); }) {
        to.force.of[lane] = &one.force_power();
        to.slope.of[lane] = &law.slope_power();
        to.slope.apart[lane] = &law.slope_power().nodes()->inverse - &one.slope_power().nodes()->inverse;
      }
    }
  });
}

void StringBatchBase::put_offset(std::size_t i) noexcept {
  for (std::size_t k = 0; k < count(i); ++k) group(i).offset[index(i, first(i) + k)] = strings_[i].barrier.offset_m[k];
}

/// A lane at rest without barrier: it costs no more than its part of the vector, and its account sums stay.
void StringBatchBase::clear(std::size_t i) noexcept {
  BatchGroup& g = group(i);
  for (std::size_t n = 0; n < g.nodes; ++n) {
    const std::size_t at = index(i, n);
    g.offset[at] = no_barrier;
    for (double* column :
         {g.u, g.d, g.change, g.load, g.state[0], g.state[1], g.state[2], g.state[3], g.phi, g.samples})
      column[at] = 0;
  }
  barrier(i) = {};
  g.holds[slot_[i].row].at[slot_[i].lane] = 0;
}

/// What the active strings of a row need.
void StringBatchBase::update_row(std::size_t index, std::size_t row) noexcept {
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

void StringBatchBase::put_numbers(std::size_t i) noexcept {
  const String& s = strings_[i];
  const GridNumbers& n = s.numbers;
  const GridBand band = grid_band(n);
  BatchGroup& g = group(i);
  BatchNumbers& a = g.a[slot_[i].row];
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
  put(a.s0, n.s0);
  put(a.s1, n.s1);
  Band& own = bands_[i];
  own.change(band.middle, band.first, band.last, band.side, band.far);
  own.factor({});
  own.inverse_diagonal({inverse_.data(), s.nodes});
  for (std::size_t k = 0; k < s.nodes; ++k) g.q[index(i, k)] = n.q0 * inverse_[k];
}

/// Does the contact of a string store something?
void StringBatchBase::hold(std::size_t i) noexcept {
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
void StringBatchBase::flush(BatchGroup& g) noexcept {
  for (std::size_t at = 0; g.pending && at < g.nodes * g.rows * width_; ++at) {
    g.d[at] += g.change[at];
    g.u[at] += g.d[at];
  }
  g.pending = false;
}

}  // namespace jawari::kernel
