// SPDX-License-Identifier: MIT
// The memory of one StringKernel: columns in one aligned block, set and read; a derived class has run().
#pragma once
#include <algorithm>
#include <cstddef>
#include <limits>
#include <memory>
#include <vector>

#include "jawari/kernel/string_kernel.h"
#include "kernel/aligned.h"
#include "kernel/contact_model.h"
#include "kernel/string_arrays.h"
#include "kernel/string_form.h"
#include "kernel/string_io.h"

namespace jawari::kernel {

template <class Number>
class StringKernelBase : public StringKernel {
 public:
  StringKernelBase(const GridNumbers& a, std::size_t nodes, const Barrier& b, double dt_s, std::size_t width,
                   StepForm form)
      : grid_(a),
        contact_(b.law, b.scheme, dt_s),
        true_samples_(b.law, dt_s),
        dt_(dt_s),
        first_(b.first_node),
        count_(b.offset_m.size()) {
    const std::size_t block = block_size(width), unit = unit_rows * width;
    const std::size_t padded = (nodes + block - 1) / block * block, length = padded + 3 * front;
    data_.assign((contact_.lands() ? columns_with_landing : columns) * length, 0);
    active_units_.assign(padded / unit, 0);
    const auto column = [&](std::size_t i) { return data_.data() + i * length + front; };
    offset_ = column(8);
    std::fill_n(offset_, padded, Number(no_barrier_m));
    list_.assign(padded / block + padded / unit + 1, 0);
    level_.assign(padded / block, Number(-no_barrier_m));
    arrays_ = {{column(0),
                column(1),
                column(2),
                column(3),
                {column(4), column(5)},
                column(6),
                column(9),
                offset_,
                column(7),
                {}},
               contact_.law_address(),
               contact_.scheme_address(),
               StringNumbers(a, sizeof(Number) == 4),
               nodes,
               padded,
               level_.data(),
               active_units_.data(),
               false,
               b.law.loss_factor() != 0 || contact_.lands(),
               list_.data(),
               list_.data() + padded / block,
               nullptr,
               {}};
    if (contact_.lands()) {
      arrays_.state[2] = column(10);
      arrays_.state[3] = column(11);
      arrays_.landing = {column(12), column(13), column(14), column(15), column(16)};
      for (Number* one : {arrays_.landing.share, arrays_.landing.stretch}) std::fill_n(one, padded, Number(1));
    }
    io_.passes = contact_.passes();
    io_.sign = b.sign;
    io_.width = width;
    u_.resize(nodes);
    d_.resize(nodes);
    unit_ = unit;
    block_ = block;
    arrays_.phase = form == StepForm::levels ? 0 : -1;
    arrays_.form = form;
    set_offset(b.offset_m);
  }
  void set_string(const GridNumbers& a) noexcept override {
    grid_ = a;
    arrays_.a = StringNumbers(a, sizeof(Number) == 4);
    accounts_incomplete_ |= !io_.accounting && arrays_.a.lossy();
    detect_everywhere();
  }
  void set_offset(std::span<const double> offset) noexcept override {
    for (std::size_t i = 0; i < count_; ++i) offset_[first_ + i] = static_cast<Number>(offset[i]);
    for (std::size_t b = 0; b < level_.size(); ++b)
      level_[b] = -*std::max_element(offset_ + b * block_, offset_ + (b + 1) * block_);
    detect_everywhere();
    for (auto& unit : active_units_) unit = unit != 0;  // depths are compared again
  }
  void set_law(const KernelLaw& law) noexcept override {
    contact_.set_law(law);
    law_changed();
  }
  void scale_stiffness(double factor) noexcept override {
    contact_.scale_stiffness(factor);
    law_changed();
  }
  void place(std::span<const double> u, std::span<const double> d, std::size_t = 0) noexcept override {
    for (std::size_t i = 0; i < arrays_.nodes; ++i) {
      arrays_.u[i] = static_cast<Number>(io_.sign * u[i]);
      arrays_.d[i] = static_cast<Number>(io_.sign * d[i]);
      if (arrays_.in_levels()) arrays_.d[i] -= arrays_.u[i];  // the level before, with its sign
      arrays_.phi[i] = 0;
      for (Number* column : arrays_.state)
        if (column) column[i] = 0;
    }
    if (arrays_.in_levels()) {
      arrays_.phase = 0;
      arrays_.d[arrays_.nodes + 1] = static_cast<Number>(arrays_.a.right_ghost) * arrays_.d[arrays_.nodes - 1];
    }
    arrays_.set_ghosts(arrays_.u);
    contact_.start(
        arrays_.state, count_, entry(),
        [&](std::size_t i) { return static_cast<double>(arrays_.offset[first_ + i] + arrays_.u[first_ + i]); },
        [&](std::size_t i) { return arrays_.increment(at(first_ + i)); });
    find_active_units();
  }
  void set_contact(std::span<const std::byte> states, std::size_t = 0) noexcept override {
    contact_.load(arrays_.state, states, count_, entry());
    find_active_units();
  }
  void read(std::span<double> u, std::span<double> d, std::size_t = 0) const noexcept override {
    for (std::size_t i = 0; i < arrays_.nodes; ++i) {
      u[i] = io_.sign * arrays_.now(at(i));
      d[i] = io_.sign * arrays_.increment(at(i));
    }
  }
  void read_contact(std::span<std::byte> states, std::size_t = 0) const noexcept override {
    contact_.store(arrays_.state, states, count_, entry());
  }
  void set_under_way(std::span<const std::int64_t> samples, std::span<const double> phi,
                     std::size_t = 0) noexcept override {
    for (std::size_t i = 0; i < count_; ++i) {
      if (samples[i] == 0 || phi[i] == 0) continue;
      const auto turn = StringArrays<Number>::clock_period;
      arrays_.phi[first_ + i] = static_cast<Number>(phi[i]);
      arrays_.began[first_ + i] =
          static_cast<Number>((arrays_.clock % turn + turn - static_cast<std::uint64_t>(samples[i])) % turn);
      active_units_[(first_ + i) / unit_] = 1;  // its end is counted
    }
    detect_everywhere();
  }
  void read_samples(std::span<std::int64_t> samples, std::size_t = 0) const noexcept override {
    for (std::size_t i = 0; i < count_; ++i) samples[i] = arrays_.lasted(first_ + i);
  }
  void read_forces(std::span<double> phi, std::size_t = 0) const noexcept override {
    std::copy_n(arrays_.phi + first_, count_, phi.begin());
  }
  void set_landing(std::span<const LandingPlace> place, double together, std::span<const double> landed_at,
                   double clock, std::size_t = 0) noexcept override {
    if (!contact_.lands()) return;
    arrays_.line[0] = {first_, count_, together, clock};
    arrays_.compares = together > 0 && count_ > 1;
    arrays_.set_landing_clock(0, clock);
    for (std::size_t i = 0; i < count_; ++i) {
      arrays_.landing.share[first_ + i] = static_cast<Number>(place[i].share);
      arrays_.landing.stretch[first_ + i] = static_cast<Number>(place[i].stretch);
      arrays_.landing.slaps[first_ + i] = 0;
      arrays_.set_landed_at(first_ + i, 0, landed_at[i]);
    }
  }
  void read_landing(std::span<double> landed_at, double& clock, std::size_t = 0) const noexcept override {
    if (!contact_.lands()) return;
    clock = arrays_.line[0].clock;
    for (std::size_t i = 0; i < count_; ++i) landed_at[i] = arrays_.landed_at(first_ + i, 0);
  }
  void predict_nodes(std::size_t first, std::span<const StringDrive> drives, std::span<double> w, std::span<double> d,
                     std::span<double> s_free) const noexcept override {
    for (std::size_t i = 0; i < w.size(); ++i) {
      const std::size_t node = first + i;
      Number load = 0;
      for (const auto& drive : drives)
        if (node >= drive.at.first && node < drive.at.first + drive.at.count)
          load += static_cast<Number>(io_.sign * drive.at.weight[node - drive.at.first] * drive.force_N[0]);
      const double step = arrays_.increment(at(node));
      w[i] = io_.sign * arrays_.now(at(node));
      d[i] = io_.sign * step;
      s_free[i] = io_.sign * (2 * step + free_change(arrays_, node, static_cast<double>(load)));
    }
  }
  Stored stored(std::size_t = 0) const noexcept override {
    for (std::size_t i = 0; i < arrays_.nodes; ++i) {
      u_[i] = arrays_.now(at(i));
      d_[i] = arrays_.increment(at(i));
    }
    return grid_energy(grid_, u_, d_);
  }
  double contact_J(std::size_t = 0) const noexcept override {
    return contact_.energy_J(arrays_.state, count_, entry());
  }
  void reset_accounts() noexcept override {
    io_.note(arrays_.counts);  // extremes stay, or every contact would exceed them again
    io_.lost = io_.lost_in_contact = io_.landed = io_.given = io_.taken = {};
    ContactRecord& r = io_.record;
    r.impacts = r.touching_steps = r.solves = r.iterations = r.unsettled = 0;
  }
  void forget(std::size_t = 0) noexcept override {
    io_.forget();
    arrays_.counts = {};
  }
  void set_accounting(bool keep) noexcept override {
    io_.accounting = keep;
    accounts_incomplete_ |= !keep && arrays_.a.lossy();
  }
  double lost_J(std::size_t = 0) const noexcept override {
    return accounts_incomplete_ ? std::numeric_limits<double>::quiet_NaN() : io_.lost.value();
  }
  double lost_in_contact_J(std::size_t = 0) const noexcept override { return noted().lost_in_contact.value(); }
  double landed_J(std::size_t = 0) const noexcept override { return noted().landed.value(); }
  double taken_J(std::size_t = 0) const noexcept override { return noted().taken.value(); }
  double given_J(std::size_t = 0) const noexcept override { return io_.given.value(); }
  ContactRecord record(std::size_t = 0) const noexcept override {
    StepIo t = noted();
    if (t.fastest_m > 0)  // the faster, the shorter
      t.record.fewest_true_samples = true_samples_(t.fastest_m / (2 * dt_), arrays_.a.q);
    return t.record;
  }

 protected:
  static constexpr std::size_t columns = 10, columns_with_landing = 17;
  static constexpr double no_barrier_m = -1e30;  ///< [m] no barrier here

  static std::ptrdiff_t at(std::size_t i) noexcept { return static_cast<std::ptrdiff_t>(i); }
  /// With what the lanes have counted since the last note().
  StepIo noted() const noexcept {
    StepIo t = io_;
    ContactCounts<Number> lanes = arrays_.counts;
    t.note(lanes);
    return t;
  }
  /// Units with points that take part, as Line::detect() decides.  Those that arrive in the next step are found by the
  /// free pass.
  void find_active_units() noexcept {
    std::fill(active_units_.begin(), active_units_.end(), std::uint8_t{0});
    detect_everywhere();
    contact_.each_point(arrays_.state, count_, entry(), [&](std::size_t i, const auto& law, bool holds) {
      const std::size_t n = first_ + i;
      const double y = static_cast<double>(arrays_.offset[n]) + arrays_.now(at(n));
      active_units_[n / unit_] |= law.touches(y) || law.touches(y - arrays_.increment(at(n))) || holds;
    });
  }
  /// After a change: the barrier may be reached.
  void detect_everywhere() noexcept {
    idle_steps_ = 0;
    arrays_.detect_from = first_ / block_ * block_;
    arrays_.detect_to = (first_ + count_ + block_ - 1) / block_ * block_;
  }
  /// Before so many steps.  If the total energy cannot reach the barrier (N5), contact detection is skipped.
  void update_detection(std::size_t steps) noexcept {
    if (!io_.drives.empty() || !io_.forces.empty()) return detect_everywhere();
    constexpr std::size_t first_look = 512, again = 1 << 14;  // so that this test costs nothing to speak of
    const std::size_t before = idle_steps_;
    idle_steps_ += steps;
    const bool due = (before < first_look && idle_steps_ >= first_look) || before / again != idle_steps_ / again;
    if (!due || count_ == 0 || std::any_of(active_units_.begin(), active_units_.end(), [](auto b) { return b != 0; }))
      return;
    const double energy_J = stored().total() + contact_J();
    if (1.02 * largest_travel_m(grid_, arrays_.nodes, energy_J) <
        -*std::max_element(offset_ + first_, offset_ + first_ + count_))
      arrays_.detect_from = arrays_.detect_to = 0;
  }
  auto entry() const noexcept {
    return [this](std::size_t i) { return first_ + i; };
  }
  void law_changed() noexcept {
    true_samples_ = KernelSamples(contact_.law(), dt_);
    arrays_.lossy_contact = contact_.law().loss_factor() != 0 || contact_.lands();
    detect_everywhere();
  }

  GridNumbers grid_;
  ContactModel contact_;
  KernelSamples true_samples_;
  double dt_;
  std::size_t first_, count_, unit_ = 1, block_ = 1;
  std::size_t idle_steps_ = 0;  // steps since the last drive or force
  std::vector<Number, Aligned<Number>> data_;
  Number* offset_;
  std::vector<Number> level_;
  std::vector<std::uint8_t> active_units_;
  std::vector<std::uint32_t> list_;
  mutable std::vector<double> u_, d_;  // in double, for the energies
  StringArrays<Number> arrays_;
  StepIo io_;
  bool accounts_incomplete_ = false;
};

/// string_single.cpp
std::unique_ptr<StringKernel> make_single(const GridNumbers& string, std::size_t nodes,
                                          const StringKernel::Barrier& barrier, double dt_s);

}  // namespace jawari::kernel
