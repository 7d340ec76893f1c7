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
    throw Refusal(fmt::format("string[{}].{}", i, field), fmt::format("string[{}].{} {}", i, field, why));
  };
  const GridBand a = grid_band(s.numbers);
  if (a.side == 0 && a.far == 0) refuse("numbers", "are those of an explicit string, but a batch must have implicit ones");
  if (s.nodes < 3) refuse("nodes", fmt::format("is {}, but must be at least 3", s.nodes));
  if (s.barrier.first_node + s.barrier.offset_m.size() > s.nodes)
    refuse("offset_m", fmt::format("has {} entries from node {} on, but the string has {} nodes", s.barrier.offset_m.size(),
                                   s.barrier.first_node, s.nodes));
  if (!(s.barrier.weight > 0 && std::isfinite(s.barrier.weight)))
    refuse("weight", fmt::format("is {:g}, but must be above 0", s.barrier.weight));
}

class Batch final : public StringBatch {
 public:
  Batch(std::span<const String> strings, const Contact& contact, double dt_s, bool fused)
      : strings_(strings.begin(), strings.end()), law_(contact.law), scheme_(contact.scheme, kernel::Lossy{contact.mu}, dt_s),
        true_samples_(contact.law, dt_s), fused_(fused), width_(HWY_DYNAMIC_DISPATCH(batch_width)()), home_(strings.size()),
        given_(strings.size()) {
    for (std::size_t i = 0; i < size(); ++i) check(i, strings_[i]);
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
      longest = std::max(longest, groups_.back().nodes), at = end;
    }
    const std::size_t column = length(kernel::most_rows, longest);
    scratch_.assign((columns_of_scratch + kernel::step_room) * column, 0.0), active_.assign(kernel::most_rows * (longest + 1), 0);
    kernel::BatchScratch& m = view_.scratch;
    double* next = scratch_.data();
    for (double** c : {&m.e, &m.before, &m.held, &m.step, &m.pivot, &m.lower, &m.lower2, &m.f, &m.b, &m.s_free, &m.s, &m.old,
                       &m.gap, &m.phi, &m.silent, &m.reach})
      *c = next + kernel::batch_front * kernel::most_rows * width_, next += column;
    m.scheme = next, m.active = active_.data();
    view_.law = &law_, view_.scheme_numbers = scheme_.address(), view_.true_samples = &true_samples_, view_.dt_s = dt_s;
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
    for (std::size_t k = 0; k < count(i); ++k) group(i).offset[spot(i, first(i) + k)] = strings_[i].barrier.offset_m[k] = offset[k];
  }
  void weigh(double factor) noexcept override {
    law_ = law_.stiffened(factor);
    true_samples_.weigh(factor);
  }

  void place(std::size_t i, std::span<const double> u, std::span<const double> d) noexcept override {
    BatchGroup& g = group(i);
    flush(g);
    const Barrier& b = strings_[i].barrier;
    for (std::size_t n = 0; n < strings_[i].nodes; ++n) {
      const std::size_t at = spot(i, n);
      g.u[at] = b.sign * u[n], g.d[at] = b.sign * d[n], g.psi[at] = g.psi2[at] = g.phi[at] = g.samples[at] = 0;
    }
    scheme_.visit([&](const auto& s) {
      for (std::size_t n = 0; n < b.offset_m.size(); ++n) {
        const std::size_t at = spot(i, b.first_node + n);
        set(g, at, s.start(law_, g.offset[at] + g.u[at], g.d[at]), 1);
      }
    });
    hold(i);
  }
  void set_contact(std::size_t i, std::span<const std::byte> states) noexcept override {
    BatchGroup& g = group(i);
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t n = 0; n < count(i); ++n)
        std::memcpy(&e, &states[n * sizeof e], sizeof e), set(g, spot(i, first(i) + n), e, 1 / root_weight(i));
    });
    hold(i);
  }
  void set_under_way(std::size_t i, std::span<const std::int64_t> samples, std::span<const double> phi) noexcept override {
    BatchGroup& g = group(i);
    for (std::size_t n = 0; n < count(i); ++n) {
      if (samples[n] == 0 || phi[n] == 0) continue;
      const std::size_t at = spot(i, first(i) + n);
      g.samples[at] = static_cast<double>(samples[n]);
      g.phi[at] = phi[n] / weight(i);
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
      d[n] = sign * step, u[n] = sign * (g.pending ? g.u[at] + step : g.u[at]);
    }
  }
  void read_contact(std::size_t i, std::span<std::byte> states) const noexcept override {
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t n = 0; n < count(i); ++n)
        get(group(i), spot(i, first(i) + n), e, root_weight(i)), std::memcpy(&states[n * sizeof e], &e, sizeof e);
    });
  }
  void read_forces(std::size_t i, std::span<double> phi) const noexcept override {
    for (std::size_t n = 0; n < count(i); ++n) phi[n] = weight(i) * group(i).phi[spot(i, first(i) + n)];
  }
  void read_samples(std::size_t i, std::span<std::int64_t> samples) const noexcept override {
    for (std::size_t n = 0; n < count(i); ++n) samples[n] = static_cast<std::int64_t>(group(i).samples[spot(i, first(i) + n)]);
  }
  void run(std::size_t steps, std::span<const Drive> drives, std::span<const Listener> listeners) noexcept override {
    for (BatchGroup& g : groups_) {
      view_.group = &g, g.loaded = false;
      for (const Drive& drive : drives) g.loaded |= &group(drive.string) == &g;
      bool heard = g.loaded;
      for (const Listener& l : listeners) heard |= &group(l.string) == &g;
      for (std::size_t n = 0; n < steps; ++n) {
        if (g.loaded) push(g, drives, n);
        if (fused_) HWY_DYNAMIC_DISPATCH(batch_step_fused)(view_);
        else HWY_DYNAMIC_DISPATCH(batch_step_as_double)(view_);
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
      for (std::size_t n = 0; n < count(i); ++n) get(group(i), spot(i, first(i) + n), e, 1), sum += s.energy(law_, e);
    });
    return weight(i) * sum;
  }
  double lost_J(std::size_t i) const noexcept override { return lane(i, touches(i).lost) + lane(i, touches(i).lost_rest); }
  double lost_in_contact_J(std::size_t i) const noexcept override {
    return weight(i) * (lane(i, touches(i).lost_in_contact) + lane(i, touches(i).lost_in_contact_rest));
  }
  double given_J(std::size_t i) const noexcept override { return given_[i].value(); }
  double taken_J(std::size_t i) const noexcept override {
    return weight(i) * (lane(i, touches(i).taken) + lane(i, touches(i).taken_rest));
  }
  ContactRecord record(std::size_t i) const noexcept override {
    const auto& t = touches(i);
    const auto whole = [&](const LaneNumbers& x) { return static_cast<std::uint64_t>(lane(i, x)); };
    ContactRecord r;
    r.impacts = whole(t.impacts), r.touching_steps = whole(t.touching), r.solves = whole(t.solves);
    if (r.impacts > 0) r.shortest = static_cast<std::int64_t>(lane(i, t.shortest)), r.longest = static_cast<std::int64_t>(lane(i, t.longest));
    r.deepest_m = lane(i, t.deepest), r.deepest_half_m = lane(i, t.deepest_half);
    r.largest_force_N = weight(i) * lane(i, t.strongest), r.largest_left_J = weight(i) * lane(i, t.left);
    r.iterations = whole(t.iterations), r.most_iterations = static_cast<int>(lane(i, t.most_iterations));
    r.unsettled = whole(t.unsettled), r.fewest_true_samples = lane(i, t.fewest);
    return r;
  }
  void forget() noexcept override {
    for (auto& g : groups_) clear_touches(g);
    std::fill(given_.begin(), given_.end(), Sum());
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
    std::size_t group, row, lane;
  };
  static constexpr std::size_t columns_of_group = 14, columns_of_scratch = 16;

  bool is_penta(std::size_t i) const { return grid_band(strings_[i].numbers).far != 0; }
  std::size_t length(std::size_t rows, std::size_t nodes) const {
    return (2 * kernel::batch_front + 1 + nodes) * rows * width_ + 64 / sizeof(double);  // no two columns on the same lines
  }
  void add_group(std::size_t rows, std::span<const std::size_t> members) {
    BatchGroup& g = groups_.emplace_back();
    g.rows = rows, g.nodes = 0, g.least = std::numeric_limits<std::size_t>::max();
    for (const std::size_t i : members) {
      g.nodes = std::max(g.nodes, strings_[i].nodes), g.least = std::min(g.least, strings_[i].nodes);
      g.penta |= is_penta(i), g.lossy |= strings_[i].numbers.s0 != 0 || strings_[i].numbers.s1 != 0;
    }
    const std::size_t column = length(rows, g.nodes);
    auto& data = data_.emplace_back(columns_of_group * column, 0.0);
    double* next = data.data();
    for (double** c : {&g.u, &g.d, &g.change, &g.rhs, &g.pivot, &g.lower, &g.lower2, &g.offset, &g.q, &g.load, &g.psi, &g.psi2,
                       &g.phi, &g.samples})
      *c = next + kernel::batch_front * rows * width_, next += column;
    std::fill_n(g.offset, g.nodes * rows * width_, kernel::no_barrier);
    for (std::size_t r = 0; r < rows; ++r) {
      g.first[r] = g.nodes, g.last[r] = 0;
      for (double& x : g.a[r].nodes.at) x = static_cast<double>(g.nodes);  // lanes without a string: A = 1, at rest
      for (LaneNumbers* x : {&g.a[r].middle, &g.a[r].ends, &g.a[r].q0_weighted})
        for (double& y : x->at) y = 1;
    }
    clear_touches(g);
    for (std::size_t k = 0; k < members.size(); ++k) {
      home_[members[k]] = {groups_.size() - 1, k / width_, k % width_};
      add_string(members[k]);
    }
    for (std::size_t r = 0; r < rows; ++r) g.first[r] = std::min(g.first[r], g.last[r]);
    factor(g);
  }
  void factor(BatchGroup& g) noexcept {
    if (fused_) HWY_DYNAMIC_DISPATCH(batch_factor_fused)(g);
    else HWY_DYNAMIC_DISPATCH(batch_factor_as_double)(g);
  }
  void add_string(std::size_t i) {
    const String& s = strings_[i];
    BatchGroup& g = group(i);
    u_.resize(std::max(u_.size(), s.nodes)), d_.resize(u_.size()), inverse_.resize(u_.size());
    bands_.resize(strings_.size());
    bands_[i] = Band(std::vector<double>(s.nodes), 0, 0);
    put_numbers(i);
    for (std::size_t k = 0; k < count(i); ++k) g.offset[spot(i, first(i) + k)] = s.barrier.offset_m[k];
    if (count(i) > 0) {
      const std::size_t r = home_[i].row;
      g.first[r] = std::min(g.first[r], first(i)), g.last[r] = std::max(g.last[r], first(i) + count(i));
    }
  }
  void put_numbers(std::size_t i) noexcept {
    const String& s = strings_[i];
    const GridNumbers& n = s.numbers;
    const GridBand band = grid_band(n);
    BatchGroup& g = group(i);
    kernel::BatchNumbers& a = g.a[home_[i].row];
    const auto put = [&](LaneNumbers& to, double x) { to.at[home_[i].lane] = x; };
    put(a.nodes, static_cast<double>(s.nodes)), put(a.tension, n.tension), put(a.bending, n.bending);
    put(a.s0_2, 2 * n.s0), put(a.s1_2, 2 * n.s1), put(a.q0, n.q0), put(a.q0_weighted, n.q0 * s.barrier.weight);
    put(a.middle, band.middle), put(a.ends, band.ends), put(a.side, band.side), put(a.far, band.far);
    put(a.u0, -(2 * n.tension + 6 * n.bending)), put(a.u1, n.tension + 4 * n.bending), put(a.u2, -n.bending);
    put(a.d0, -(2 * n.s0 + 4 * n.s1)), put(a.d1, 2 * n.s1);
    put(a.half_s0, n.s0 / (2 * n.q0)), put(a.half_s1, n.s1 / (2 * n.q0));
    Band& own = bands_[i];
    own.change(band.middle, band.ends, band.side, band.far), own.factor({}), own.inverse_diagonal({inverse_.data(), s.nodes});
    for (std::size_t k = 0; k < s.nodes; ++k) g.q[spot(i, k)] = n.q0 * inverse_[k] * s.barrier.weight;
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
  double weight(std::size_t i) const noexcept { return strings_[i].barrier.weight; }
  double root_weight(std::size_t i) const noexcept { return std::sqrt(weight(i)); }

  template <class State>
  static void set(BatchGroup& g, std::size_t at, const State& e, double scale) noexcept {
    if constexpr (requires { e.psi; }) g.psi[at] = scale * e.psi;
    else g.psi[at] = e.to, g.psi2[at] = e.from;
  }
  template <class State>
  static void get(const BatchGroup& g, std::size_t at, State& e, double scale) noexcept {
    if constexpr (requires { e.psi; }) e.psi = scale * g.psi[at];
    else e.to = g.psi[at], e.from = g.psi2[at];
  }
  /// Does the contact of a string store something?
  void hold(std::size_t i) noexcept {
    BatchGroup& g = group(i);
    LaneNumbers& holds = g.holds[home_[i].row];
    double& own = holds.at[home_[i].lane] = 0;
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t n = 0; n < count(i) && !keeps_psi_; ++n)
        if (get(g, spot(i, first(i) + n), e, 1), s.holds(law_, e)) own = 1;
    });
    g.busy[home_[i].row] = std::any_of(holds.at, holds.at + width_, [](double x) { return x > 0; });
  }
  /// Brings a group to its last step's end, as the next step would do.
  void flush(BatchGroup& g) noexcept {
    for (std::size_t at = 0; g.pending && at < g.nodes * g.rows * width_; ++at)
      g.d[at] += g.change[at], g.u[at] += g.d[at];
    g.pending = false;
  }
  void push(BatchGroup& g, std::span<const Drive> drives, std::size_t n) noexcept {
    for (const Drive& drive : drives)
      if (&group(drive.string) == &g)
        for (std::size_t k = 0; k < drive.at.count; ++k)
          g.load[spot(drive.string, drive.at.first + k)] += strings_[drive.string].barrier.sign * drive.at.weight[k] * drive.force_N[n];
  }
  /// Between two steps: books the work, clears the loads, hands out what was asked for.
  void listen(BatchGroup& g, std::span<const Drive> drives, std::span<const Listener> listeners, std::size_t n) noexcept {
    for (const Drive& drive : drives) {
      if (&group(drive.string) != &g) continue;
      double work = 0;
      for (std::size_t k = 0; k < drive.at.count; ++k) {
        const std::size_t at = spot(drive.string, drive.at.first + k);
        work += std::exchange(g.load[at], 0.0) * (g.d[at] + (g.d[at] + g.change[at])) / 2;
      }
      if (work != 0) given_[drive.string].add(work);
    }
    for (const Listener& l : listeners) {
      if (&group(l.string) != &g) continue;
      double sum = 0;
      if (l.what == StringListener::force) {
        for (std::size_t k = 0; k < count(l.string); ++k) sum += weight(l.string) * g.phi[spot(l.string, first(l.string) + k)];
        l.to[n] = sum;
        continue;
      }
      double w = 0, d = 0, s = 0;  // of the tap, after the step
      for (std::size_t k = 0; k < l.at.count; ++k) {
        const std::size_t at = spot(l.string, l.at.first + k);
        const double next = g.d[at] + g.change[at];
        w += l.at.weight[k] * (g.u[at] + next), d += l.at.weight[k] * next, s += l.at.weight[k] * (g.d[at] + next);
      }
      l.to[n] = strings_[l.string].barrier.sign *
                (l.what == StringListener::displacement ? w - d : l.what == StringListener::double_step ? s : 2 * d - s);
    }
  }

  std::vector<String> strings_;
  PowerLaw law_;
  kernel::SchemeBox scheme_;
  ElasticSamples true_samples_;
  bool fused_, keeps_psi_ = false;
  std::size_t width_;
  std::vector<Home> home_;
  std::vector<BatchGroup> groups_;
  std::vector<std::vector<double, kernel::Aligned<double>>> data_;
  std::vector<double, kernel::Aligned<double>> scratch_;
  std::vector<std::uint8_t> active_;
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
    throw Refusal("scheme", "scheme is \"landing-two-point\", but a batch of implicit strings has no kernel for it");
  return std::make_unique<Batch>(strings, contact, dt_s, arithmetic == Arithmetic::fused);
}

}  // namespace jawari
#endif
