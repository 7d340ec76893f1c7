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
using BatchFused = Lanes<true, true>;
using BatchAsDouble = Lanes<false, true>;
HWY_ATTR void batch_step_fused(kernel::BatchView& v) { batch::step_group<BatchFused>(v); }
HWY_ATTR void batch_step_as_double(kernel::BatchView& v) { batch::step_group<BatchAsDouble>(v); }
HWY_ATTR void batch_factor_fused(kernel::BatchGroup& g) { batch::factor_group<BatchFused>(g); }
HWY_ATTR void batch_factor_as_double(kernel::BatchGroup& g) { batch::factor_group<BatchAsDouble>(g); }
kernel::BatchScheme batch_scheme_fused(KernelScheme name) { return batch::scheme_named<BatchFused>(name); }
kernel::BatchScheme batch_scheme_as_double(KernelScheme name) { return batch::scheme_named<BatchAsDouble>(name); }
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
#include "kernel/string_record.h"

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
 public:
  Batch(std::span<const String> strings, const Contact& contact, double dt_s, bool fused)
      : strings_(strings.begin(), strings.end()),
        scheme_(contact.scheme, kernel::Lossy{contact.mu}, dt_s),
        fused_(fused),
        width_(HWY_DYNAMIC_DISPATCH(batch_width)()),
        home_(strings.size()),
        active_(strings.size(), 1),
        given_(strings.size()) {
    for (std::size_t i = 0; i < size(); ++i) check(i, strings_[i]);
    laws_.reserve(size());
    true_samples_.reserve(size());
    for (const String& s : strings_) {
      const double own = s.barrier.stiffness;
      const bool same = own == 0 || own == contact.law.stiffness();
      laws_.push_back(same ? contact.law : PowerLaw({own, contact.law.exponent()}));
      true_samples_.emplace_back(laws_.back(), dt_s);
    }
    std::vector<std::size_t> order(size());
    std::iota(order.begin(), order.end(), std::size_t{0});
    std::stable_sort(order.begin(), order.end(), [&](std::size_t a, std::size_t b) {  // like beside like
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
    speaks_.assign(kernel::most_rows * (longest + 1), 0);
    kernel::BatchScratch& m = view_.scratch;
    double* next = scratch_.data();
    for (double** c : {&m.e, &m.before, &m.held, &m.step, &m.pivot, &m.lower, &m.lower2, &m.f, &m.b, &m.s_free, &m.s,
                       &m.old, &m.gap, &m.phi, &m.silent, &m.reach}) {
      *c = next + kernel::batch_front * kernel::most_rows * width_;
      next += column;
    }
    m.scheme = next;
    m.active = speaks_.data();
    view_.scheme_numbers = scheme_.address();
    view_.dt_s = dt_s;
    view_.scheme = fused ? HWY_DYNAMIC_DISPATCH(batch_scheme_fused)(contact.scheme)
                         : HWY_DYNAMIC_DISPATCH(batch_scheme_as_double)(contact.scheme);
    keeps_psi_ = contact.scheme == KernelScheme::plain || contact.scheme == KernelScheme::sign;
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
    laws_[i] = laws_[i].stiffened(factor);
    true_samples_[i].scale_stiffness(factor);
    group(i).law[home_[i].row].stiffness.at[home_[i].lane] = laws_[i].stiffness();
  }
  void set_active(std::size_t i, bool active) noexcept override {
    if ((active_[i] != 0) == active) return;
    active_[i] = active ? 1 : 0;
    if (active)
      put_offset(i);
    else
      clear(i);
    look_over(home_[i].group, home_[i].row);
  }
  bool active(std::size_t i) const noexcept override { return active_[i] != 0; }

  void place(std::size_t i, std::span<const double> u, std::span<const double> d) noexcept override {
    if (active_[i] == 0) return;
    BatchGroup& g = group(i);
    flush(g);
    const Barrier& b = strings_[i].barrier;
    for (std::size_t n = 0; n < strings_[i].nodes; ++n) {
      const std::size_t at = spot(i, n);
      g.u[at] = b.sign * u[n];
      g.d[at] = b.sign * d[n];
      g.psi[at] = g.psi2[at] = g.phi[at] = g.samples[at] = 0;
    }
    scheme_.visit([&](const auto& s) {
      for (std::size_t n = 0; n < b.offset_m.size(); ++n) {
        const std::size_t at = spot(i, b.first_node + n);
        set(g, at, s.start(laws_[i], g.offset[at] + g.u[at], g.d[at]));
      }
    });
    hold(i);
  }
  void set_contact(std::size_t i, std::span<const std::byte> states) noexcept override {
    if (active_[i] == 0) return;
    BatchGroup& g = group(i);
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t n = 0; n < count(i); ++n) {
        std::memcpy(&e, &states[n * sizeof e], sizeof e);
        set(g, spot(i, first(i) + n), e);
      }
    });
    hold(i);
  }
  void set_under_way(std::size_t i, std::span<const std::int64_t> samples,
                     std::span<const double> phi) noexcept override {
    if (active_[i] == 0) return;
    BatchGroup& g = group(i);
    for (std::size_t n = 0; n < count(i); ++n) {
      if (samples[n] == 0 || phi[n] == 0) continue;
      const std::size_t at = spot(i, first(i) + n);
      g.samples[at] = static_cast<double>(samples[n]);
      g.phi[at] = phi[n];
      g.holds[home_[i].row].at[home_[i].lane] = 1;
      g.busy[home_[i].row] = 1;
    }
  }
  void read(std::size_t i, std::span<double> u, std::span<double> d) const noexcept override {
    const BatchGroup& g = group(i);
    const double sign = strings_[i].barrier.sign;
    for (std::size_t n = 0; n < strings_[i].nodes; ++n) {
      const std::size_t at = spot(i, n);
      const double step = g.pending ? g.d[at] + g.change[at] : g.d[at];
      d[n] = sign * step;
      u[n] = sign * (g.pending ? g.u[at] + step : g.u[at]);
    }
  }
  void read_contact(std::size_t i, std::span<std::byte> states) const noexcept override {
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t n = 0; n < count(i); ++n) {
        get(group(i), spot(i, first(i) + n), e);
        std::memcpy(&states[n * sizeof e], &e, sizeof e);
      }
    });
  }
  void read_forces(std::size_t i, std::span<double> phi) const noexcept override {
    for (std::size_t n = 0; n < count(i); ++n) phi[n] = group(i).phi[spot(i, first(i) + n)];
  }
  void read_samples(std::size_t i, std::span<std::int64_t> samples) const noexcept override {
    for (std::size_t n = 0; n < count(i); ++n)
      samples[n] = static_cast<std::int64_t>(group(i).samples[spot(i, first(i) + n)]);
  }
  void run(std::size_t steps, std::span<const Drive> drives, std::span<const Listener> listeners) noexcept override {
    for (BatchGroup& g : groups_) {
      if (!g.on[0] && !g.on[1]) continue;
      view_.group = &g;
      g.loaded = false;
      for (const Drive& drive : drives) g.loaded |= meets(g, drive.string);
      bool heard = g.loaded;
      for (const Listener& l : listeners) heard |= meets(g, l.string);
      for (std::size_t n = 0; n < steps; ++n) {
        if (g.loaded) push(g, drives, n);
        if (fused_)
          HWY_DYNAMIC_DISPATCH(batch_step_fused)(view_);
        else
          HWY_DYNAMIC_DISPATCH(batch_step_as_double)(view_);
        if (heard) listen(g, drives, listeners, n);
      }
    }
  }
  Stored stored(std::size_t i) const noexcept override {
    const std::span u(u_.data(), strings_[i].nodes), d(d_.data(), strings_[i].nodes);
    read(i, u, d);
    return grid_energy(strings_[i].numbers, u, d);
  }
  double contact_J(std::size_t i) const noexcept override {
    double sum = 0;
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t n = 0; n < count(i); ++n) {
        get(group(i), spot(i, first(i) + n), e);
        sum += s.energy(laws_[i], e);
      }
    });
    return sum;
  }
  double lost_J(std::size_t i) const noexcept override {
    return lane(i, touches(i).lost) + lane(i, touches(i).lost_rest);
  }
  double lost_in_contact_J(std::size_t i) const noexcept override {
    return lane(i, touches(i).lost_in_contact) + lane(i, touches(i).lost_in_contact_rest);
  }
  double given_J(std::size_t i) const noexcept override { return given_[i].value(); }
  double taken_J(std::size_t i) const noexcept override {
    return lane(i, touches(i).taken) + lane(i, touches(i).taken_rest);
  }
  ContactRecord record(std::size_t i) const noexcept override {
    const auto& t = touches(i);
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
    kernel::BatchTouches& t = group(i).touches[home_[i].row];
    const std::size_t at = home_[i].lane;
    for (LaneNumbers* x : {&t.deepest, &t.deepest_half, &t.strongest, &t.touching, &t.left, &t.solves, &t.iterations,
                           &t.most_iterations, &t.unsettled, &t.impacts, &t.longest, &t.lost, &t.lost_rest,
                           &t.lost_in_contact, &t.lost_in_contact_rest, &t.taken, &t.taken_rest})
      x->at[at] = 0;
    for (LaneNumbers* x : {&t.shortest, &t.fewest}) x->at[at] = std::numeric_limits<double>::infinity();
    given_[i] = Sum();
  }

 private:
  static void clear_touches(BatchGroup& g) noexcept {
    for (auto& t : g.touches) {
      t = {};
      for (double& x : t.shortest.at) x = std::numeric_limits<double>::infinity();
      for (double& x : t.fewest.at) x = std::numeric_limits<double>::infinity();
    }
  }
  struct Home {
    std::size_t group = 0, row = 0, lane = 0;
    bool used = false;
  };
  static constexpr std::size_t columns_of_group = 14, columns_of_scratch = 16;

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
    auto& data = data_.emplace_back(columns_of_group * column, 0.0);
    double* next = data.data();
    for (double** c : {&g.u, &g.d, &g.change, &g.rhs, &g.pivot, &g.lower, &g.lower2, &g.offset, &g.q, &g.load, &g.psi,
                       &g.psi2, &g.phi, &g.samples}) {
      *c = next + kernel::batch_front * rows * width_;
      next += column;
    }
    std::fill_n(g.offset, g.nodes * rows * width_, kernel::no_barrier);
    for (std::size_t r = 0; r < rows; ++r) {
      for (double& x : g.a[r].nodes.at) x = static_cast<double>(g.nodes);  // lanes without a string: A = 1, at rest
      for (LaneNumbers* x : {&g.a[r].middle, &g.a[r].ends, &g.a[r].q0, &g.law[r].stiffness})
        for (double& y : x->at) y = 1;
    }
    clear_touches(g);
    for (std::size_t k = 0; k < members.size(); ++k) {
      home_[members[k]] = {groups_.size() - 1, k / width_, k % width_, true};
      add_string(members[k]);
    }
    for (std::size_t r = 0; r < rows; ++r) {
      put_laws(members.subspan(std::min(members.size(), r * width_)), g.law[r]);
      look_over(groups_.size() - 1, r);
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
    const PowerLaw& one = laws_[strings[0]];
    to.exponent = one.exponent();
    for (std::size_t lane = 0; lane < width_; ++lane) {
      const std::size_t i = strings[lane < strings.size() ? lane : 0];
      to.stiffness.at[lane] = laws_[i].stiffness();
      to.force.of[lane] = &one.force_power();
      to.slope.of[lane] = &laws_[i].slope_power();
      to.slope.apart[lane] = &laws_[i].slope_power().nodes()->inverse - &one.slope_power().nodes()->inverse;
      to.true_samples[lane] = &true_samples_[i];
    }
  }
  void put_offset(std::size_t i) noexcept {
    for (std::size_t k = 0; k < count(i); ++k) group(i).offset[spot(i, first(i) + k)] = strings_[i].barrier.offset_m[k];
  }
  /// A lane at rest, far from everything: it costs no more than its part of the vector, and its account sums stay.
  void clear(std::size_t i) noexcept {
    BatchGroup& g = group(i);
    for (std::size_t n = 0; n < g.nodes; ++n) {
      const std::size_t at = spot(i, n);
      g.offset[at] = kernel::no_barrier;
      for (double* column : {g.u, g.d, g.change, g.load, g.psi, g.psi2, g.phi, g.samples}) column[at] = 0;
    }
    g.holds[home_[i].row].at[home_[i].lane] = 0;
  }
  /// What the active strings of a row need.
  void look_over(std::size_t index, std::size_t row) noexcept {
    BatchGroup& g = groups_[index];
    g.on[row] = false;
    g.first[row] = g.nodes;
    g.last[row] = 0;
    for (std::size_t i = 0; i < size(); ++i) {
      if (home_[i].group != index || home_[i].row != row || active_[i] == 0 || !home_[i].used) continue;
      g.on[row] = true;
      if (count(i) == 0) continue;
      g.first[row] = std::min(g.first[row], first(i));
      g.last[row] = std::max(g.last[row], first(i) + count(i));
    }
    g.first[row] = std::min(g.first[row], g.last[row]);
    g.busy[row] = std::any_of(g.holds[row].at, g.holds[row].at + width_, [](double x) { return x > 0; });
  }
  void put_numbers(std::size_t i) noexcept {
    const String& s = strings_[i];
    const GridNumbers& n = s.numbers;
    const GridBand band = grid_band(n);
    BatchGroup& g = group(i);
    kernel::BatchNumbers& a = g.a[home_[i].row];
    const auto put = [&](LaneNumbers& to, double x) { to.at[home_[i].lane] = x; };
    put(a.nodes, static_cast<double>(s.nodes));
    put(a.tension, n.tension);
    put(a.bending, n.bending);
    put(a.s0_2, 2 * n.s0);
    put(a.s1_2, 2 * n.s1);
    put(a.q0, n.q0);
    put(a.middle, band.middle);
    put(a.ends, band.ends);
    put(a.side, band.side);
    put(a.far, band.far);
    put(a.u0, -(2 * n.tension + 6 * n.bending));
    put(a.u1, n.tension + 4 * n.bending);
    put(a.u2, -n.bending);
    put(a.d0, -(2 * n.s0 + 4 * n.s1));
    put(a.d1, 2 * n.s1);
    put(a.half_s0, n.s0 / (2 * n.q0));
    put(a.half_s1, n.s1 / (2 * n.q0));
    Band& own = bands_[i];
    own.change(band.middle, band.ends, band.side, band.far);
    own.factor({});
    own.inverse_diagonal({inverse_.data(), s.nodes});
    for (std::size_t k = 0; k < s.nodes; ++k) g.q[spot(i, k)] = n.q0 * inverse_[k];
  }

  BatchGroup& group(std::size_t i) noexcept { return groups_[home_[i].group]; }
  const BatchGroup& group(std::size_t i) const noexcept { return groups_[home_[i].group]; }
  const kernel::BatchTouches& touches(std::size_t i) const noexcept { return group(i).touches[home_[i].row]; }
  double lane(std::size_t i, const LaneNumbers& x) const noexcept { return x.at[home_[i].lane]; }
  std::size_t spot(std::size_t i, std::size_t node) const noexcept {
    return (node * group(i).rows + home_[i].row) * width_ + home_[i].lane;
  }
  std::size_t first(std::size_t i) const noexcept { return strings_[i].barrier.first_node; }
  std::size_t count(std::size_t i) const noexcept { return strings_[i].barrier.offset_m.size(); }
  bool meets(const BatchGroup& g, std::size_t i) const noexcept { return active_[i] != 0 && &group(i) == &g; }

  template <class State>
  static void set(BatchGroup& g, std::size_t at, const State& e) noexcept {
    if constexpr (requires { e.psi; })
      g.psi[at] = e.psi;
    else {
      g.psi[at] = e.to;
      g.psi2[at] = e.from;
    }
  }
  template <class State>
  static void get(const BatchGroup& g, std::size_t at, State& e) noexcept {
    if constexpr (requires { e.psi; })
      e.psi = g.psi[at];
    else {
      e.to = g.psi[at];
      e.from = g.psi2[at];
    }
  }
  /// Does the contact of a string store something?
  void hold(std::size_t i) noexcept {
    BatchGroup& g = group(i);
    LaneNumbers& holds = g.holds[home_[i].row];
    double& own = holds.at[home_[i].lane] = 0;
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t n = 0; n < count(i) && !keeps_psi_; ++n)
        if (get(g, spot(i, first(i) + n), e), s.holds(laws_[i], e)) own = 1;
    });
    g.busy[home_[i].row] = std::any_of(holds.at, holds.at + width_, [](double x) { return x > 0; });
  }
  /// Brings a group to its last step's end, as the next step would do.
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
          g.load[spot(drive.string, drive.at.first + k)] +=
              strings_[drive.string].barrier.sign * drive.at.weight[k] * drive.force_N[n];
  }
  /// Between two steps: books the work, clears the loads, hands out what was asked for.
  void listen(BatchGroup& g, std::span<const Drive> drives, std::span<const Listener> listeners,
              std::size_t n) noexcept {
    for (const Drive& drive : drives) {
      if (!meets(g, drive.string)) continue;
      double work = 0;
      for (std::size_t k = 0; k < drive.at.count; ++k) {
        const std::size_t at = spot(drive.string, drive.at.first + k);
        work += std::exchange(g.load[at], 0.0) * (g.d[at] + (g.d[at] + g.change[at])) / 2;
      }
      if (work != 0) given_[drive.string].add(work);
    }
    for (const Listener& l : listeners) {
      if (!meets(g, l.string)) continue;
      double sum = 0;
      if (l.what == StringListener::force) {
        for (std::size_t k = 0; k < count(l.string); ++k) sum += g.phi[spot(l.string, first(l.string) + k)];
        l.to[n] = sum;
        continue;
      }
      double w = 0, d = 0, s = 0;  // of the tap, after the step
      for (std::size_t k = 0; k < l.at.count; ++k) {
        const std::size_t at = spot(l.string, l.at.first + k);
        const double next = g.d[at] + g.change[at];
        w += l.at.weight[k] * (g.u[at] + next);
        d += l.at.weight[k] * next;
        s += l.at.weight[k] * (g.d[at] + next);
      }
      l.to[n] = strings_[l.string].barrier.sign * (l.what == StringListener::displacement  ? w - d
                                                   : l.what == StringListener::double_step ? s
                                                                                           : 2 * d - s);
    }
  }

  std::vector<String> strings_;
  std::vector<PowerLaw> laws_;  // per string; they stay where they are
  std::vector<ElasticSamples> true_samples_;
  kernel::SchemeBox scheme_;
  bool fused_, keeps_psi_ = false;
  std::size_t width_;
  std::vector<Home> home_;
  std::vector<std::uint8_t> active_;
  std::vector<BatchGroup> groups_;
  std::vector<std::vector<double, kernel::Aligned<double>>> data_;
  std::vector<double, kernel::Aligned<double>> scratch_;
  std::vector<std::uint8_t> speaks_;
  std::vector<Sum> given_;
  mutable std::vector<double> u_, d_;  // for the books
  std::vector<Band> bands_;            // per string, for its receptances
  std::vector<double> inverse_;
  kernel::BatchView view_ = {};
};
}  // namespace

std::unique_ptr<StringBatch> StringBatch::make(std::span<const String> strings, const Contact& contact, double dt_s,
                                               Arithmetic arithmetic) {
  if (contact.scheme == KernelScheme::landing)
    throw InputError("scheme", "scheme is \"landing-two-point\", but a batch of implicit strings has no kernel for it");
  return std::make_unique<Batch>(strings, contact, dt_s, arithmetic == Arithmetic::fused);
}

}  // namespace jawari
#endif
