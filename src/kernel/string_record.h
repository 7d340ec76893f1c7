// SPDX-License-Identifier: MIT
// The memory of one StringKernel: columns in one aligned record, filled and read; what is left to do is run().
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstring>
#include <limits>
#include <memory>
#include <new>
#include <numbers>
#include <vector>

#include "jawari/impact/elastic_samples.h"
#include "jawari/kernel/string_kernel.h"
#include "kernel/schemes.h"
#include "kernel/string_traffic.h"
#include "kernel/string_view.h"

namespace jawari::kernel {

template <class Number>
struct Aligned {
  using value_type = Number;
  Aligned() = default;
  template <class Other>
  Aligned(const Aligned<Other>&) {}
  Number* allocate(std::size_t n) {
    return static_cast<Number*>(::operator new(n * sizeof(Number), std::align_val_t(64)));
  }
  void deallocate(Number* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
  bool operator==(const Aligned&) const = default;
};

/// May terms be collected?  They then round as u does, and the energy wanders: in double by 2e-12 in five seconds of a
/// string that turns by 0.006 a step, by 3e-11 at five times the rate; in float by 1e-4 a second, and at five times the
/// rate it is no longer the same motion.  Slow strings are played by differences; so are those on a grid much coarser
/// than stability asks for, where the terms are small against u.
inline bool is_fast(const GridNumbers& string, std::size_t nodes) noexcept {
  const double wave = std::numbers::pi / static_cast<double>(nodes + 1), slowest = 5e-3;
  return wave * wave * (string.tension + string.bending * wave * wave) > slowest * slowest &&
         2 * string.tension + 6 * string.bending > 1;
}

template <class Number>
class StringRecord : public StringKernel {
 public:
  StringRecord(const GridNumbers& a, std::size_t nodes, const Barrier& b, double dt_s, std::size_t width, Way way)
      : grid_(a),
        law_(b.law),
        scheme_(b.scheme, Lossy(b.law, b.mu), dt_s),
        scheme_name_(b.scheme),
        true_samples_(b.law, dt_s),
        dt_(dt_s),
        mu_(b.mu),
        first_(b.first_node),
        count_(b.offset_m.size()) {
    const std::size_t block = block_size(width), unit = unit_rows * width;
    const std::size_t padded = (nodes + block - 1) / block * block, length = padded + 3 * front;
    data_.assign((scheme_.absorbs() ? columns_with_landing : columns) * length, 0);
    busy_.assign(padded / unit, 0);
    const auto column = [&](std::size_t i) { return data_.data() + i * length + front; };
    offset_ = column(8);
    std::fill_n(offset_, padded, Number(nowhere));
    list_.assign(padded / block + padded / unit + 1, 0);
    level_.assign(padded / block, Number(-nowhere));
    view_ = {{column(0),
              column(1),
              column(2),
              column(3),
              {column(4), column(5)},
              column(6),
              column(9),
              offset_,
              column(7),
              {}},
             &law_,
             scheme_.address(),
             collect(a),
             nodes,
             padded,
             level_.data(),
             busy_.data(),
             false,
             b.mu != 0 || scheme_.absorbs(),
             list_.data(),
             list_.data() + padded / block,
             nullptr,
             {}};
    if (scheme_.absorbs()) {
      view_.state[2] = column(10);
      view_.state[3] = column(11);
      view_.landing = {column(12), column(13), column(14), column(15), column(16)};
      for (Number* one : {view_.landing.share, view_.landing.stretch}) std::fill_n(one, padded, Number(1));
    }
    traffic_.passes = scheme_.passes();
    traffic_.sign = b.sign;
    traffic_.width = width;
    u_.resize(nodes);
    d_.resize(nodes);
    unit_ = unit;
    block_ = block;
    view_.phase = way == Way::levels ? 0 : -1;
    view_.way = way;
    set_offset(b.offset_m);
  }
  void set_string(const GridNumbers& a) noexcept override {
    grid_ = a;
    view_.a = collect(a);
    gap_ |= !traffic_.books && view_.a.lossy();
    look_out();
  }
  void set_offset(std::span<const double> offset) noexcept override {
    for (std::size_t i = 0; i < count_; ++i) offset_[first_ + i] = static_cast<Number>(offset[i]);
    for (std::size_t b = 0; b < level_.size(); ++b)
      level_[b] = -*std::max_element(offset_ + b * block_, offset_ + (b + 1) * block_);
    look_out();
    for (auto& unit : busy_) unit = unit != 0;  // depths are looked at again
  }
  void set_law(const PowerLaw& law, double mu) noexcept override {
    mu_ = mu;
    law_ = law;
    scheme_.prepare(Lossy(law, mu), dt_);
    true_samples_ = ElasticSamples(law_, dt_);
    view_.lossy_contact = mu != 0 || scheme_.absorbs();
    look_out();
  }
  void scale_stiffness(double factor) noexcept override { set_law(law_.stiffened(factor), mu_); }
  void place(std::span<const double> u, std::span<const double> d) noexcept override {
    for (std::size_t i = 0; i < view_.nodes; ++i) {
      view_.u[i] = static_cast<Number>(traffic_.sign * u[i]);
      view_.d[i] = static_cast<Number>(traffic_.sign * d[i]);
      if (view_.in_levels()) view_.d[i] -= view_.u[i];  // the level before, with its sign
      view_.phi[i] = 0;
      for (Number* column : view_.state)
        if (column) column[i] = 0;
    }
    if (view_.in_levels()) {
      view_.phase = 0;
      view_.d[view_.nodes + 1] = -view_.d[view_.nodes - 1];
    }
    view_.u[-2] = -view_.u[0];
    view_.u[view_.nodes + 1] = -view_.u[view_.nodes - 1];
    scheme_.visit([&](const auto& s) {
      for (std::size_t i = first_; i < first_ + count_; ++i) {
        const double y = static_cast<double>(view_.offset[i] + view_.u[i]);
        set_state(view_.state, i, s.start(law_, y, view_.increment(at(i))));
      }
    });
    find_busy();
  }
  void set_contact(std::span<const std::byte> states) noexcept override {
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t i = 0; i < count_; ++i) {
        std::memcpy(&e, &states[i * sizeof e], sizeof e);
        set_state(view_.state, first_ + i, e);
      }
    });
    find_busy();
  }
  void read(std::span<double> u, std::span<double> d) const noexcept override {
    for (std::size_t i = 0; i < view_.nodes; ++i) {
      u[i] = traffic_.sign * view_.now(at(i));
      d[i] = traffic_.sign * view_.increment(at(i));
    }
  }
  void read_contact(std::span<std::byte> states) const noexcept override {
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t i = 0; i < count_; ++i) {
        get_state(view_.state, first_ + i, e);
        std::memcpy(&states[i * sizeof e], &e, sizeof e);
      }
    });
  }
  void set_under_way(std::span<const std::int64_t> samples, std::span<const double> phi) noexcept override {
    for (std::size_t i = 0; i < count_; ++i) {
      if (samples[i] == 0 || phi[i] == 0) continue;
      const auto turn = StringView<Number>::clock_turn;
      view_.phi[first_ + i] = static_cast<Number>(phi[i]);
      view_.began[first_ + i] =
          static_cast<Number>((view_.clock % turn + turn - static_cast<std::uint64_t>(samples[i])) % turn);
      busy_[(first_ + i) / unit_] = 1;  // its end is noted
    }
    look_out();
  }
  void read_samples(std::span<std::int64_t> samples) const noexcept override {
    for (std::size_t i = 0; i < count_; ++i) samples[i] = view_.lasted(first_ + i);
  }
  void read_forces(std::span<double> phi) const noexcept override {
    std::copy_n(view_.phi + first_, count_, phi.begin());
  }
  void set_landing(std::span<const LandingPlace> place, double together, std::span<const double> landed_at,
                   double clock) noexcept override {
    if (!scheme_.absorbs()) return;
    view_.line[0] = {first_, count_, together, clock};
    view_.compares = together > 0 && count_ > 1;
    view_.set_landing_clock(0, clock);
    for (std::size_t i = 0; i < count_; ++i) {
      view_.landing.share[first_ + i] = static_cast<Number>(place[i].share);
      view_.landing.stretch[first_ + i] = static_cast<Number>(place[i].stretch);
      view_.landing.slaps[first_ + i] = 0;
      view_.set_landed_at(first_ + i, 0, landed_at[i]);
    }
  }
  void read_landing(std::span<double> landed_at, double& clock) const noexcept override {
    if (!scheme_.absorbs()) return;
    clock = view_.line[0].clock;
    for (std::size_t i = 0; i < count_; ++i) landed_at[i] = view_.landed_at(first_ + i, 0);
  }
  StringLook look(const StringGrid::Spread& at, std::span<const StringDrive> drives) const noexcept override {
    StringLook sum{0, 0, 0};
    for (std::size_t i = 0; i < at.count; ++i) {
      const std::size_t node = at.first + i;
      Number load = 0;
      for (const auto& drive : drives)
        if (node >= drive.at.first && node < drive.at.first + drive.at.count)
          load += static_cast<Number>(traffic_.sign * drive.at.weight[node - drive.at.first] * drive.force_N[0]);
      const double d = view_.increment(this->at(node));
      sum.w += at.weight[i] * view_.now(this->at(node));
      sum.d += at.weight[i] * d;
      sum.s_free += at.weight[i] * (2 * d + free_change(view_, node, static_cast<double>(load)));
    }
    return {traffic_.sign * sum.w, traffic_.sign * sum.d, traffic_.sign * sum.s_free};
  }
  Stored stored() const noexcept override {
    for (std::size_t i = 0; i < view_.nodes; ++i) {
      u_[i] = view_.now(at(i));
      d_[i] = view_.increment(at(i));
    }
    return grid_energy(grid_, u_, d_);
  }
  double contact_J() const noexcept override {
    double sum = 0;
    scheme_.visit([&](const auto& s) {
      for (std::size_t i = first_; i < first_ + count_; ++i) {
        typename std::remove_cvref_t<decltype(s)>::State e;
        get_state(view_.state, i, e);
        sum += s.energy(law_, e);
      }
    });
    return sum;
  }
  void open_books() noexcept override {
    traffic_.note(view_.touches);  // extremes stay, or every contact would be a record again
    traffic_.lost = traffic_.lost_in_contact = traffic_.landed = traffic_.given = traffic_.taken = {};
    ContactRecord& r = traffic_.record;
    r.impacts = r.touching_steps = r.solves = r.iterations = r.unsettled = 0;
  }
  void forget() noexcept override {
    traffic_.forget();
    view_.touches = {};
  }
  void keep_books(bool keep) noexcept override {
    traffic_.books = keep;
    gap_ |= !keep && view_.a.lossy();
  }
  double lost_J() const noexcept override {
    return gap_ ? std::numeric_limits<double>::quiet_NaN() : traffic_.lost.value();
  }
  double lost_in_contact_J() const noexcept override { return noted().lost_in_contact.value(); }
  double landed_J() const noexcept override { return noted().landed.value(); }
  double taken_J() const noexcept override { return noted().taken.value(); }
  double given_J() const noexcept override { return traffic_.given.value(); }
  ContactRecord record() const noexcept override {
    StringTraffic t = noted();
    if (t.fastest_m > 0)  // the faster, the shorter
      t.record.fewest_true_samples = true_samples_(t.fastest_m / (2 * dt_), view_.a.q);
    return t.record;
  }

 protected:
  static constexpr std::size_t columns = 10, columns_with_landing = 17;
  static constexpr double nowhere = -1e30;  ///< [m] no barrier here

  static std::ptrdiff_t at(std::size_t i) noexcept { return static_cast<std::ptrdiff_t>(i); }
  /// With what the lanes have counted and not handed in yet.
  StringTraffic noted() const noexcept {
    StringTraffic t = traffic_;
    StringTouches<Number> lanes = view_.touches;
    t.note(lanes);
    return t;
  }
  /// Units the contact must look at, as look() of a line decides.  Who arrives in the next step is found on the way.
  void find_busy() noexcept {
    std::fill(busy_.begin(), busy_.end(), std::uint8_t{0});
    look_out();
    scheme_.visit([&](const auto& s) {
      typename std::remove_cvref_t<decltype(s)>::State e;
      for (std::size_t i = first_; i < first_ + count_; ++i) {
        const double y = static_cast<double>(view_.offset[i]) + view_.now(at(i));
        get_state(view_.state, i, e);
        busy_[i / unit_] |= law_.touches(y) || law_.touches(y - view_.increment(at(i))) || s.holds(law_, e);
      }
    });
  }
  /// Something has changed: the barrier may be reached.
  void look_out() noexcept {
    calm_ = 0;
    view_.look_from = first_ / block_ * block_;
    view_.look_to = (first_ + count_ + block_ - 1) / block_ * block_;
  }
  /// Before so many steps.  Energy does not grow by itself: where it cannot carry the string to the barrier, nobody
  /// looks.
  void watch(std::size_t steps) noexcept {
    if (!traffic_.drives.empty() || !traffic_.forces.empty()) return look_out();
    constexpr std::size_t first_look = 512, again = 1 << 14;  // what a look costs must not be felt
    const std::size_t before = calm_;
    calm_ += steps;
    const bool due = (before < first_look && calm_ >= first_look) || before / again != calm_ / again;
    if (!due || count_ == 0 || std::any_of(busy_.begin(), busy_.end(), [](auto b) { return b != 0; })) return;
    if (1.02 * reach_m() < -*std::max_element(offset_ + first_, offset_ + first_ + count_))
      view_.look_from = view_.look_to = 0;
  }
  /// (N5): no node ever gets farther than this.
  double reach_m() const noexcept {
    const double energy = 2 * grid_.q0 * (stored().total() + contact_J());
    const double slack = 1 - (grid_.tension + 4 * grid_.bending + 4 * grid_.s1);
    if (!(grid_.tension > 0) || !(slack > 0)) return std::numeric_limits<double>::infinity();
    return std::sqrt(energy * static_cast<double>(view_.nodes + 1) / (4 * grid_.tension)) +
           std::sqrt(energy / slack) / 2;
  }
  static StringNumbers collect(const GridNumbers& g) {
    StringNumbers a{g.tension, g.bending, g.s0, g.s1, g.q0};
    a.share = 1 / (1 + g.s0);
    a.q = g.q0 * a.share;
    a.u0 = -(2 * g.tension + 6 * g.bending) * a.share;
    a.u1 = (g.tension + 4 * g.bending) * a.share;
    a.u2 = -g.bending * a.share;
    if constexpr (sizeof(Number) == 4) {  // a straight string must feel no force at all: numbers whose sum is exact
      a.u1 = std::round(a.u1 * 0x1p24) * 0x1p-24;
      a.u2 = std::round(a.u2 * 0x1p24) * 0x1p-24;
      a.u0 = -2 * (a.u1 + a.u2);
    }
    a.d0 = 1 - (2 * g.s0 + 4 * g.s1) * a.share;
    a.d1 = 2 * g.s1 * a.share;
    a.l0 = 1 + a.d0 + a.u0;
    a.l1 = a.u1 + a.d1;
    return a;
  }

  GridNumbers grid_;
  PowerLaw law_;
  SchemeBox scheme_;
  KernelScheme scheme_name_;
  ElasticSamples true_samples_;
  double dt_, mu_;
  std::size_t first_, count_, unit_ = 1, block_ = 1;
  std::size_t calm_ = 0;  // steps since somebody pushed
  std::vector<Number, Aligned<Number>> data_;
  Number* offset_;
  std::vector<Number> level_;
  std::vector<std::uint8_t> busy_;
  std::vector<std::uint32_t> list_;
  mutable std::vector<double> u_, d_;  // in double, for the books
  StringView<Number> view_;
  StringTraffic traffic_;
  bool gap_ = false;
};

/// string_single.cpp
std::unique_ptr<StringKernel> make_single(const GridNumbers& string, std::size_t nodes,
                                          const StringKernel::Barrier& barrier, double dt_s);

}  // namespace jawari::kernel
