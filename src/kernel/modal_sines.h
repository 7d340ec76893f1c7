// SPDX-License-Identifier: MIT
// Strings over barriers at j L/(P+1), one per lane, or one along the lanes: the arrays of a group, set and read; a
// derived class has run().
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <cstring>
#include <memory>
#include <vector>

#include "body/modal_lanes.h"
#include "body/sine.h"
#include "body/sums.h"
#include "jawari/core/elementary.h"
#include "jawari/kernel/modal_kernel.h"
#include "kernel/modal_arrays.h"
#include "kernel/setup.h"
#include "kernel/string_kernel_base.h"

namespace jawari::kernel {

inline constexpr std::size_t most_lanes = 8;
inline constexpr double no_barrier_m = -1e30;  ///< no barrier here
inline constexpr int never = 1 << 30;          ///< steps to a reading that is never needed

using Column = std::vector<double, Aligned<double>>;

/// As many strings as a vector has lanes, or one: number of a mode or point times lanes, plus lane.
struct SineGroup {
  std::size_t lanes, modes, rows;
  double *lag, *D, *C, *loss, *share, *q, *offset, *shapes;  ///< what `m`, `p` and `shape` read
  ModalColumns m;
  ModalPoints p;
  SineTransform* transform;
  double *s_free, *spare;                     ///< of the points
  const double* shape;                        ///< [row][mode][lane]
  double *row_w, *row_d, *row_s, *row_spare;  ///< [row][lane]
  int until[most_lanes] = {};                 ///< steps to the next reading of the taps
  bool active[most_lanes] = {};               ///< lanes with a string that is stepped
  bool any_active = false;
  double lost[most_lanes], given[most_lanes];  ///< of one step
  StepIo io[most_lanes];
  Column data;
  std::vector<std::uint8_t> active_units;
  std::vector<std::uint32_t> units;
  double sine(std::size_t tap, std::size_t mode) const { return (*sines)[(tap + 1) * (mode + 1) % sines->size()]; }
  const std::vector<double>* sines;
};

struct SineIo {
  std::span<const ModalDrive> drives;
  std::span<const ModalProbe> probes;
  std::size_t first = 0, strings = 0;  ///< of this group
  bool mine(std::size_t string) const { return string >= first && string < first + strings; }
};

/// Loads of step n.  True: there are some.
inline bool push(SineGroup& g, const SineIo& t, std::size_t n) noexcept {
  bool any = false;
  for (const ModalDrive& drive : t.drives) {
    if (!t.mine(drive.string) || !g.active[drive.string - t.first]) continue;
    if (!any) std::fill_n(g.m.push, g.m.count, 0.0);
    any = true;
    const std::size_t lane = drive.string - t.first;
    const double force = g.io[lane].sign * drive.force_N[n];
    for (std::size_t i = 0; i < g.modes; ++i)
      g.m.push[i * g.lanes + lane] +=
          (drive.tap < g.modes ? g.sine(drive.tap, i)
                               : g.shape[((drive.tap - g.modes) * g.modes + i) * g.lanes + lane]) *
          (g.m.share[i * g.lanes + lane] * force);
  }
  return any;
}
/// What the taps show after the step.
inline void read_probes(const SineGroup& g, const SineIo& t, std::size_t n) noexcept {
  for (const ModalProbe& l : t.probes) {
    if (!t.mine(l.string) || !g.active[l.string - t.first]) continue;
    const std::size_t lane = l.string - t.first;
    if (l.what == StringProbe::force) {
      double sum = 0;
      for (std::size_t i = 0; i < g.modes; ++i) sum += g.p.v.phi[i * g.lanes + lane];
      l.to[n] = sum;
      continue;
    }
    const bool point = l.tap < g.modes;
    const std::size_t at = (point ? l.tap : l.tap - g.modes) * g.lanes + lane;
    const double w = point ? g.p.v.u[at] : g.row_w[at], d = point ? g.p.v.d[at] : g.row_d[at];
    const double s = point ? g.s_free[at] + g.p.q[at] * g.p.v.phi[at] : g.row_s[at];
    l.to[n] = g.io[lane].sign * read_tap(l.what, w, d, s);
  }
}

class SineStrings : public ModalKernel {
  /// Entries of the contact points of a string.
  struct Entry {
    std::size_t first, lanes, lane;
    std::size_t operator()(std::size_t i) const { return (first + i) * lanes + lane; }
  };

 public:
  /// lanes: strings of a group, `width` or 1.
  JAWARI_SETUP SineStrings(std::span<const ModalBody* const> bodies, std::span<const Barrier> barriers,
                           std::size_t lanes, std::size_t width)
      : lanes_(lanes),
        width_(width),
        modes_(bodies[0]->modes()),
        taps_(bodies[0]->taps()),
        contact_(barriers[0].law, barriers[0].scheme, bodies[0]->dt_s()),
        true_samples_(barriers[0].law, bodies[0]->dt_s()),
        dt_(bodies[0]->dt_s()),
        transform_(modes_, lanes),
        one_(modes_),
        zero_(modes_),
        scratch_(modes_),
        scratch2_(modes_) {
    sines_ = elementary::sine_table(modes_ + 1);
    for (std::size_t i = 0; i < bodies.size(); ++i) {
      StringTable b{{},
                    {},
                    {},
                    barriers[i].first_tap,
                    barriers[i].offset_m.size(),
                    bodies[i]->receptance(0, 0),
                    barriers[i].offset_m};
      for (std::size_t p = 0; p < modes_; ++p) {
        const auto c = bodies[i]->coeffs(p);
        b.kinetic.push_back(c.kinetic);
        b.elastic.push_back(c.elastic);
        b.bending.push_back(bodies[i]->bending_share(p));
      }
      tables_.push_back(std::move(b));
    }
    groups_.resize((bodies.size() + lanes - 1) / lanes);
    for (std::size_t i = 0; i < groups_.size(); ++i) fill(i, bodies, barriers);
  }
  std::size_t strings() const noexcept override { return tables_.size(); }
  bool refresh(const ModalBody& body, std::size_t string) noexcept override {
    if (!body.same_gain() || body.modes() != modes_ || body.taps() != taps_) return false;
    put(group(string), string % lanes_, body);
    StringTable& b = tables_[string];
    b.q = body.receptance(0, 0);
    for (std::size_t p = 0; p < modes_; ++p) {
      b.kinetic[p] = body.coeffs(p).kinetic;
      b.elastic[p] = body.coeffs(p).elastic;
    }
    return true;
  }
  void set_offset(std::span<const double> offset_m, std::size_t string) noexcept override {
    std::copy_n(offset_m.begin(), tables_[string].count, tables_[string].offset_m.begin());
    if (is_active(string)) put_offset(string);
  }
  void scale_stiffness(double factor) noexcept override {
    contact_.scale_stiffness(factor);
    true_samples_.scale_stiffness(factor);
  }

  void set_active(std::size_t string, bool active) noexcept override {
    if (is_active(string) == active) return;
    SineGroup& g = group(string);
    const std::size_t lane = string % lanes_;
    if (!active) {  // at rest, no barrier
      each_point(string, [&](std::size_t, std::size_t at) { g.offset[at] = no_barrier_m; });
      place(zero_, zero_, string);
      g.until[lane] = never;
    }
    g.active[lane] = active;
    g.any_active = std::any_of(g.active, g.active + lanes_, [](bool one) { return one; });
    if (active) put_offset(string);
  }
  bool active(std::size_t string) const noexcept override { return is_active(string); }
  void forget(std::size_t string) noexcept override { group(string).io[string % lanes_].forget(); }

  JAWARI_SETUP void place(std::span<const double> u, std::span<const double> d, std::size_t string) noexcept override {
    if (!is_active(string)) return;
    SineGroup& g = group(string);
    const std::size_t lane = string % lanes_;
    const double sign = g.io[lane].sign;
    for (std::size_t i = 0; i < modes_; ++i) {
      g.m.u[i * lanes_ + lane] = sign * u[i];
      g.m.d[i * lanes_ + lane] = sign * d[i];
    }
    const auto project = [&](std::span<const double> modal, double* points, double* rows) {
      one_.apply(modal, scratch2_);
      for (std::size_t i = 0; i < modes_; ++i) points[i * lanes_ + lane] = scratch2_[i];
      for (std::size_t r = 0; r < g.rows; ++r)
        rows[r * lanes_ + lane] = sum_of(modes_, [&](std::size_t i) { return shape(g, r, i, lane) * modal[i]; });
    };
    for (std::size_t i = 0; i < modes_; ++i) scratch_[i] = sign * u[i];
    project(scratch_, g.p.v.u, g.row_w);
    for (std::size_t i = 0; i < modes_; ++i) scratch_[i] = sign * d[i];
    project(scratch_, g.p.v.d, g.row_d);
    g.until[lane] = 63;
    for (std::size_t i = 0; i < modes_; ++i) {
      g.p.v.phi[i * lanes_ + lane] = 0;
      for (double* column : g.p.v.state) column[i * lanes_ + lane] = 0;
    }
    std::fill(g.active_units.begin(), g.active_units.end(), std::uint8_t{1});
    const auto at = entry(string);
    contact_.start(
        g.p.v.state, tables_[string].count, at, [&](std::size_t i) { return g.p.v.offset[at(i)] + g.p.v.u[at(i)]; },
        [&](std::size_t i) { return g.p.v.d[at(i)]; });
  }
  void set_contact(std::span<const std::byte> states, std::size_t string) noexcept override {
    if (!is_active(string)) return;
    contact_.load(group(string).p.v.state, states, tables_[string].count, entry(string));
  }
  void set_under_way(std::span<const std::int64_t> samples, std::span<const double> phi,
                     std::size_t string) noexcept override {
    if (!is_active(string)) return;
    each_point(string, [&](std::size_t i, std::size_t at) { group(string).p.v.resume(at, samples[i], phi[i]); });
  }
  void read(std::span<double> u, std::span<double> d, std::size_t string) const noexcept override {
    const SineGroup& g = group(string);
    const std::size_t lane = string % lanes_;
    const double sign = g.io[lane].sign;
    for (std::size_t i = 0; i < modes_; ++i) {
      u[i] = sign * g.m.u[i * lanes_ + lane];
      d[i] = sign * g.m.d[i * lanes_ + lane];
    }
  }
  void read_contact(std::span<std::byte> states, std::size_t string) const noexcept override {
    contact_.store(group(string).p.v.state, states, tables_[string].count, entry(string));
  }
  void read_forces(std::span<double> phi, std::size_t string) const noexcept override {
    each_point(string, [&](std::size_t i, std::size_t at) { phi[i] = group(string).p.v.phi[at]; });
  }
  void read_samples(std::span<std::int64_t> samples, std::size_t string) const noexcept override {
    each_point(string, [&](std::size_t i, std::size_t at) { samples[i] = group(string).p.v.lasted(at); });
  }
  void set_landing(std::span<const LandingPlace> place, double together, std::span<const double> landed_at,
                   double clock, std::size_t string) noexcept override {
    if (!contact_.lands()) return;
    auto& v = group(string).p.v;
    const std::size_t lane = string % lanes_;
    const StringTable& b = tables_[string];
    v.line[lane] = {b.first, b.count, together, clock};
    v.compares |= together > 0 && b.count > 1;
    v.set_landing_clock(lane, clock);
    each_point(string, [&](std::size_t i, std::size_t at) {
      v.landing.share[at] = place[i].share;
      v.landing.stretch[at] = place[i].stretch;
      v.landing.slaps[at] = 0;
      v.set_landed_at(at, lane, landed_at[i]);
    });
  }
  void read_landing(std::span<double> landed_at, double& clock, std::size_t string) const noexcept override {
    if (!contact_.lands()) return;
    const auto& v = group(string).p.v;
    const std::size_t lane = string % lanes_;
    clock = v.line[lane].clock;
    each_point(string, [&](std::size_t i, std::size_t at) { landed_at[i] = v.landed_at(at, lane); });
  }
  void read_taps(std::span<double> w, std::span<double> d, std::size_t string) noexcept override {
    each_tap(string, [&](std::size_t tap, double sign, double& its_w, double& its_d) {
      w[tap] = sign * its_w;
      d[tap] = sign * its_d;
    });
  }
  void set_taps(std::span<const double> w, std::span<const double> d, int until, std::size_t string) noexcept override {
    if (!is_active(string)) return;
    each_tap(string, [&](std::size_t tap, double sign, double& its_w, double& its_d) {
      its_w = sign * w[tap];
      its_d = sign * d[tap];
    });
    group(string).until[string % lanes_] = until;
  }
  int steps_to_reading(std::size_t string) const noexcept override { return group(string).until[string % lanes_]; }

  Stored stored(std::size_t string) const noexcept override {
    const SineGroup& g = group(string);
    const StringTable& b = tables_[string];
    for (std::size_t i = 0; i < modes_; ++i) {
      scratch_[i] = g.m.u[i * lanes_ + string % lanes_];
      scratch2_[i] = g.m.d[i * lanes_ + string % lanes_];
    }
    return modal_energy(modes_, scratch_.data(), scratch2_.data(), b.kinetic.data(), b.elastic.data(),
                        b.bending.data());
  }
  double contact_J(std::size_t string) const noexcept override {
    return contact_.energy_J(group(string).p.v.state, tables_[string].count, entry(string));
  }
  double lost_J(std::size_t string) const noexcept override { return io(string).lost.value(); }
  double lost_in_contact_J(std::size_t string) const noexcept override { return io(string).lost_in_contact.value(); }
  double landed_J(std::size_t string) const noexcept override { return io(string).landed.value(); }
  double given_J(std::size_t string) const noexcept override { return io(string).given.value(); }
  double taken_J(std::size_t string) const noexcept override { return io(string).taken.value(); }
  ContactRecord record(std::size_t string) const noexcept override {
    ContactRecord r = io(string).record;
    if (io(string).fastest_m > 0)  // the faster, the shorter
      r.fewest_true_samples = true_samples_(io(string).fastest_m / (2 * dt_), tables_[string].q);
    return r;
  }

 protected:
  struct StringTable {
    std::vector<double> kinetic, elastic, bending;
    std::size_t first, count;  // of the barrier
    double q;
    std::vector<double> offset_m;
  };
  bool is_active(std::size_t string) const noexcept { return group(string).active[string % lanes_]; }
  void put_offset(std::size_t string) noexcept {
    each_point(string, [&](std::size_t i, std::size_t at) { group(string).offset[at] = tables_[string].offset_m[i]; });
  }
  SineGroup& group(std::size_t string) noexcept { return groups_[string / lanes_]; }
  const SineGroup& group(std::size_t string) const noexcept { return groups_[string / lanes_]; }
  const StepIo& io(std::size_t string) const noexcept { return group(string).io[string % lanes_]; }
  static double shape(const SineGroup& g, std::size_t row, std::size_t mode, std::size_t lane) noexcept {
    return g.shape[(row * g.modes + mode) * g.lanes + lane];
  }
  Entry entry(std::size_t string) const noexcept { return {tables_[string].first, lanes_, string % lanes_}; }
  template <class Visit>
  void each_point(std::size_t string, Visit visit) const noexcept {
    const StringTable& b = tables_[string];
    for (std::size_t i = 0; i < b.count; ++i) visit(i, (b.first + i) * lanes_ + string % lanes_);
  }
  template <class Visit>
  void each_tap(std::size_t string, Visit visit) noexcept {
    SineGroup& g = group(string);
    const std::size_t lane = string % lanes_;
    for (std::size_t t = 0; t < taps_; ++t) {
      const std::size_t at = (t < modes_ ? t : t - modes_) * lanes_ + lane;
      visit(t, g.io[lane].sign, t < modes_ ? g.p.v.u[at] : g.row_w[at], t < modes_ ? g.p.v.d[at] : g.row_d[at]);
    }
  }
  /// The numbers of a body, as one lane of a group.
  void put(SineGroup& g, std::size_t lane, const ModalBody& body) noexcept {
    const double q = body.receptance(0, 0);
    for (std::size_t i = 0; i < modes_; ++i) {
      const auto c = body.coeffs(i);
      const std::size_t at = i * lanes_ + lane;
      g.lag[at] = c.lag;
      g.D[at] = c.D;
      g.C[at] = c.C;
      g.loss[at] = c.loss;
      g.share[at] = c.share;
      g.q[at] = q;
      g.m.lossy |= c.lag != 0;
      for (std::size_t r = 0; r < g.rows; ++r) g.shapes[(r * modes_ + i) * lanes_ + lane] = body.shape(modes_ + r, i);
    }
  }
  void fill(std::size_t index, std::span<const ModalBody* const> bodies, std::span<const Barrier> barriers) {
    SineGroup& g = groups_[index];
    g.lanes = lanes_;
    g.modes = modes_;
    g.rows = taps_ - modes_;
    g.transform = &transform_;
    g.sines = &sines_;
    const std::size_t unit = unit_rows * width_, block = units_together * unit;
    const std::size_t cells = (modes_ * lanes_ + block - 1) / block * block, length = cells + 8;
    const std::size_t rows = g.rows * lanes_;
    g.data.assign(33 * length + rows * (modes_ + 4) + 8, 0);
    std::size_t used = 0;
    const auto column = [&] { return g.data.data() + length * used++; };
    g.lag = column();
    g.D = column();
    g.C = column();
    g.loss = column();
    g.share = column();
    g.offset = column();
    g.q = column();
    g.m = {(modes_ * lanes_ + 2 * width_ - 1) / (2 * width_) * (2 * width_),
           g.lag,
           g.D,
           g.C,
           g.loss,
           g.share,
           column(),
           column(),
           column(),
           column(),
           column(),
           column(),
           column(),
           false};
    g.active_units.assign(cells / unit, 1);
    g.units.assign(cells / unit + 1, 0);
    g.s_free = column();
    g.spare = column();
    double *u = column(), *d = column(), *u_next = column(), *d_next = column(), *phi = column(), *began = column();
    double* const kept[] = {column(), column(), column(), column()};
    LandingColumns<double> landing;
    if (contact_.lands()) landing = {column(), column(), column(), column(), column()};
    for (double* one : {landing.share, landing.stretch})
      if (one) std::fill_n(one, cells, 1.0);
    std::fill_n(g.offset, cells, no_barrier_m);
    g.shapes = g.data.data() + length * used;
    g.shape = g.shapes;
    g.row_w = g.shapes + rows * modes_;
    g.row_d = g.row_w + rows;
    g.row_s = g.row_d + rows;
    g.row_spare = g.row_s + rows;
    const int passes = contact_.passes();
    for (std::size_t lane = 0; lane < lanes_; ++lane) {
      const std::size_t string =
          std::min(index * lanes_ + lane, bodies.size() - 1);  // unused lanes: a copy at rest, no barrier
      put(g, lane, *bodies[string]);
      g.until[lane] = 63;
      g.io[lane].passes = passes;
      g.io[lane].width = lanes_ == 1 ? width_ : 1;
      g.io[lane].sign = barriers[string].sign;
      if (index * lanes_ + lane >= bodies.size()) {
        g.until[lane] = never;
        continue;
      }
      g.active[lane] = g.any_active = true;
      for (std::size_t i = 0; i < barriers[string].offset_m.size(); ++i)
        g.offset[(barriers[string].first_tap + i) * lanes_ + lane] = barriers[string].offset_m[i];
    }
    g.p.v = {{u, d, u_next, d_next, {kept[0], kept[1], kept[2], kept[3]}, phi, began, g.offset, nullptr, landing},
             contact_.law_address(),
             contact_.scheme_address(),
             {},
             cells,
             cells,
             nullptr,
             g.active_units.data(),
             false,
             true,
             nullptr,
             g.units.data(),
             nullptr,
             {}};
    g.p.v.strings = lanes_;
    g.p.s_free = g.s_free;
    g.p.q = g.q;
    g.p.pushes = false;
  }

  std::size_t lanes_, width_, modes_, taps_;
  ContactModel contact_;
  KernelSamples true_samples_;
  double dt_;
  SineTransform transform_, one_;
  std::vector<double> sines_, zero_;
  mutable std::vector<double> scratch_, scratch2_;
  std::vector<StringTable> tables_;
  std::vector<SineGroup> groups_;
};

/// modal_sines.cpp
std::unique_ptr<ModalKernel> make_sines(std::span<const ModalBody* const> bodies,
                                        std::span<const ModalKernel::Barrier> barriers, bool fused);

}  // namespace jawari::kernel
