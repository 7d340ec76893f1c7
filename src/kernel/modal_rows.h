// SPDX-License-Identifier: MIT
// Modes with taps anywhere: the arrays of one body, set and read; a derived class has run().
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <functional>
#include <limits>
#include <memory>
#include <vector>

#include "body/sums.h"
#include "jawari/couple/active_subset_line.h"
#include "jawari/couple/dense.h"
#include "jawari/couple/island.h"
#include "jawari/kernel/modal_kernel.h"
#include "kernel/modal_rows_view.h"
#include "kernel/modal_sines.h"

namespace jawari::kernel {

/// active_subset_line.cpp
std::unique_ptr<ActiveSubsetLine> make_active_subset_line(const ContactModel& contact, std::size_t points);

class ModalRows : public ModalKernel {
 public:
  JAWARI_SETUP ModalRows(const ModalBody& body, const Barrier& b, std::size_t width)
      : contact_(b.law, b.scheme, body.dt_s()), true_samples_(b.law, body.dt_s()), dt_(body.dt_s()) {
    const std::size_t n = body.modes(), taps = body.taps(), points = b.offset_m.size(), count = (n + 15) / 16 * 16;
    const std::size_t unit = unit_rows * width, block = units_together * unit,
                      cells = (points + block - 1) / block * block;
    data_.assign(19 * count + taps * count + 5 * (taps + 8) + 21 * (cells + 8) + points * points + points * (taps + 8) +
                     3 * (points + 8) + 64,
                 0);
    double* at = data_.data();
    const auto column = [&](std::size_t length) { return std::exchange(at, at + (length + 7) / 8 * 8); };
    double *lag = column(count), *D = column(count), *C = column(count), *loss = column(count), *reach = column(count),
           *ratio = column(count), *impulse_gain = column(count), *share = column(count);
    r_.at_sines = b.first_tap + points <= body.sines();
    together_ = body.tap_rules().together;
    fast_ = r_.at_sines && SineTransform::good_count(n) == n;
    n_ = {lag, D, C, loss, share, ratio, impulse_gain};
    r_.modes = n;
    r_.taps = taps;
    r_.first = b.first_tap;
    r_.points = points;
    r_.m = {count,
            lag,
            D,
            C,
            loss,
            share,
            column(count),
            column(count),
            column(count),
            column(count),
            column(count),
            column(count),
            column(count),
            false};
    double* shape = column(taps * count);
    kinetic_.resize(n);
    elastic_.resize(n);
    for (std::size_t i = 0; i < n; ++i) {
      for (std::size_t t = 0; t < taps; ++t) shape[t * count + i] = body.shape(t, i);
      for (std::size_t k = 0; k < points; ++k)
        reach[i] = std::max(reach[i], std::abs(shape[(b.first_tap + k) * count + i]));
      bending_.push_back(body.bending_share(i));
    }
    r_.shape = n_.shape = shape;
    r_.reach = reach;
    r_.ratio = ratio;
    r_.impulse_gain = impulse_gain;
    r_.follows = body.tap_rules().incremental;
    put_modes(body);
    r_.w = column(taps);
    r_.d = column(taps);
    r_.s_free = column(taps);
    r_.s = column(taps);
    r_.force = column(taps);
    r_.activate_at_m = column(points);
    r_.last_N = column(points);
    double *Q = column(points * points), *offset = column(cells), *q = column(cells);
    n_.Q = Q;
    if (body.tap_rules().by_columns) r_.column = n_.column = column(points * taps);
    n_.offset = offset;
    n_.q = q;
    std::fill_n(offset, cells, no_barrier_m);
    std::copy(b.offset_m.begin(), b.offset_m.end(), offset);
    r_.Q = Q;
    r_.offset = offset;
    put_columns(body);
    r_.independent = true;
    for (std::size_t i = 0; i < points; ++i)
      for (std::size_t j = 0; j <= i; ++j) {
        Q[i * points + j] = Q[j * points + i] = body.receptance(b.first_tap + i, b.first_tap + j);
        if (i == j)
          q[i] = Q[i * points + i];
        else
          r_.independent &= !body.coupled(b.first_tap + i, b.first_tap + j);
      }
    r_.may_deactivate = !r_.independent && points > 16 && r_.follows;
    if (r_.may_deactivate && make_mirrored(shape)) put_receptances(body);
    lists_.assign(2 * taps + points + 1, 0);
    r_.active = lists_.data();
    r_.reads = r_.active + taps;
    r_.selected = r_.reads + taps;
    std::fill_n(r_.activate_at_m, points, std::numeric_limits<double>::infinity());
    probed_.assign(points, 0);
    r_.probed = probed_.data();
    active_units_.assign(cells / unit, 1);
    units_.assign(cells / unit + 1, 0);
    double *u = column(cells), *d = column(cells), *u_next = column(cells), *d_next = column(cells),
           *phi = column(cells), *began = column(cells), *s_free = column(cells);
    r_.p.v = {{u,
               d,
               u_next,
               d_next,
               {column(cells), column(cells), column(cells), column(cells)},
               phi,
               began,
               offset,
               nullptr,
               {}},
              contact_.law_address(),
              contact_.scheme_address(),
              {},
              cells,
              cells,
              nullptr,
              active_units_.data(),
              false,
              true,
              nullptr,
              units_.data(),
              nullptr,
              {}};
    if (contact_.lands()) r_.p.v.landing = {column(cells), column(cells), column(cells), column(cells), column(8)};
    for (double* one : {r_.p.v.landing.share, r_.p.v.landing.stretch})
      if (one) std::fill_n(one, cells, 1.0);
    r_.contact = &contact_;
    r_.io.width = width;
    r_.p.s_free = s_free;
    r_.p.q = q;
    r_.p.pushes = false;
    r_.io.sign = b.sign;
    r_.io.passes = contact_.passes();
    if (!r_.independent) {
      line_ = make_active_subset_line(contact_, points);
      dense_ = std::make_unique<DenseCompliance>(points);
      line_->around = {r_.offset, r_.w + r_.first, r_.d + r_.first, r_.s_free + r_.first};
      put_dense();
      island_ = std::make_unique<Island>(*dense_, std::vector<ContactLine*>{line_.get()});
    }
    r_.line = line_.get();
    r_.dense = dense_.get();
    r_.island = island_.get();
    list_active(r_);
  }
  std::size_t strings() const noexcept override { return 1; }
  /// A body whose sines are summed by a fast transform, or whose taps are summed up together, rounds otherwise than
  /// these rows.
  bool detects_all_points() const noexcept override { return !r_.may_deactivate && !fast_ && !together_; }
  bool refresh(const ModalBody& body, std::size_t) noexcept override {
    if (body.modes() != r_.modes || body.taps() != r_.taps) return false;
    for (std::size_t t = 0; t < r_.taps; ++t) {  // supports read the tension; points read shapes, which stay
      if (t >= r_.first && t < r_.first + r_.points) continue;
      for (std::size_t i = 0; i < r_.modes; ++i) n_.shape[t * r_.m.count + i] = body.shape(t, i);
    }
    put_modes(body);
    put_receptances(body);
    put_columns(body);
    if (dense_) put_dense();
    return true;
  }
  void set_offset(std::span<const double> offset_m, std::size_t) noexcept override {
    std::copy_n(offset_m.begin(), r_.points, n_.offset);
  }
  void scale_stiffness(double factor) noexcept override {
    contact_.scale_stiffness(factor);
    true_samples_.scale_stiffness(factor);
    if (line_) line_->scale_stiffness(factor);
  }
  JAWARI_SETUP void place(std::span<const double> u, std::span<const double> d, std::size_t) noexcept override {
    for (std::size_t i = 0; i < r_.modes; ++i) {
      r_.m.u[i] = sign() * u[i];
      r_.m.d[i] = sign() * d[i];
    }
    for (std::size_t t = 0; t < r_.taps; ++t) {
      r_.w[t] = tap(t, r_.m.u);
      r_.d[t] = tap(t, r_.m.d);
    }
    activate_all();
    r_.until = 63;
    for (double* column : r_.p.v.state) std::fill_n(column, r_.points, 0.0);
    std::fill_n(r_.p.v.phi, r_.points, 0.0);
    std::fill(active_units_.begin(), active_units_.end(), std::uint8_t{1});
    std::fill_n(r_.force, r_.taps, 0.0);
    const auto y = [&](std::size_t i) { return r_.offset[i] + r_.w[r_.first + i]; };
    const auto increment = [&](std::size_t i) { return r_.d[r_.first + i]; };
    r_.selected_count = 0;
    if (line_)
      for (std::size_t i = 0; i < r_.points; ++i) line_->start(i, y(i), increment(i));
    else
      contact_.start(r_.p.v.state, r_.points, std::identity(), y, increment);
  }
  void set_contact(std::span<const std::byte> states, std::size_t) noexcept override {
    if (line_) {
      std::copy(states.begin(), states.end(), line_->states().begin());
      line_->refresh_active();
      return;
    }
    contact_.load(r_.p.v.state, states, r_.points, std::identity());
  }
  void set_under_way(std::span<const std::int64_t> samples, std::span<const double> phi,
                     std::size_t) noexcept override {
    for (std::size_t i = 0; i < r_.points; ++i) {
      if (line_)
        line_->samples()[i] = samples[i];
      else
        r_.p.v.resume(i, samples[i], phi[i]);
    }
    if (!line_) return;
    line_->refresh_active();
    r_.selected_count = 0;
    for (std::size_t i = 0; i < r_.points; ++i) {
      if (phi[i] == 0) continue;
      r_.force[r_.first + i] = phi[i];
      r_.selected[r_.selected_count++] = static_cast<std::uint32_t>(i);
    }
  }
  void read(std::span<double> u, std::span<double> d, std::size_t) const noexcept override {
    for (std::size_t i = 0; i < r_.modes; ++i) {
      u[i] = sign() * r_.m.u[i];
      d[i] = sign() * r_.m.d[i];
    }
  }
  void read_contact(std::span<std::byte> states, std::size_t) const noexcept override {
    if (line_) {
      const auto from = std::as_const(*line_).states();
      std::copy(from.begin(), from.end(), states.begin());
      return;
    }
    contact_.store(r_.p.v.state, states, r_.points, std::identity());
  }
  void read_forces(std::span<double> phi, std::size_t) const noexcept override {
    std::copy_n(r_.force + r_.first, r_.points, phi.begin());
  }
  void read_samples(std::span<std::int64_t> samples, std::size_t) const noexcept override {
    for (std::size_t i = 0; i < r_.points; ++i) samples[i] = line_ ? line_->samples()[i] : r_.p.v.lasted(i);
  }
  void set_landing(std::span<const LandingPlace> place, double together, std::span<const double> landed_at,
                   double clock, std::size_t) noexcept override {
    if (!contact_.lands()) return;
    if (line_) {
      std::copy(place.begin(), place.end(), line_->place.begin());
      std::copy(landed_at.begin(), landed_at.end(), line_->landed_at.begin());
      line_->together = together;
      line_->clock = clock;
      return;
    }
    auto& v = r_.p.v;
    v.line[0] = {0, r_.points, together, clock};
    v.compares = together > 0 && r_.points > 1;
    v.set_landing_clock(0, clock);
    for (std::size_t i = 0; i < r_.points; ++i) {
      v.landing.share[i] = place[i].share;
      v.landing.stretch[i] = place[i].stretch;
      v.landing.slaps[i] = 0;
      v.set_landed_at(i, 0, landed_at[i]);
    }
  }
  void read_landing(std::span<double> landed_at, double& clock, std::size_t) const noexcept override {
    if (!contact_.lands()) return;
    clock = line_ ? line_->clock : r_.p.v.line[0].clock;
    for (std::size_t i = 0; i < r_.points; ++i) landed_at[i] = line_ ? line_->landed_at[i] : r_.p.v.landed_at(i, 0);
  }
  void read_taps(std::span<double> w, std::span<double> d, std::size_t) noexcept override {
    activate_all();
    for (std::size_t t = 0; t < r_.taps; ++t) {
      w[t] = sign() * r_.w[t];
      d[t] = sign() * r_.d[t];
    }
  }
  void set_taps(std::span<const double> w, std::span<const double> d, int until, std::size_t) noexcept override {
    activate_all();
    for (std::size_t t = 0; t < r_.taps; ++t) {
      r_.w[t] = sign() * w[t];
      r_.d[t] = sign() * d[t];
    }
    r_.until = until;
  }
  int steps_to_reading(std::size_t) const noexcept override { return r_.until; }
  Stored stored(std::size_t) const noexcept override {
    return modal_energy(r_.modes, r_.m.u, r_.m.d, kinetic_.data(), elastic_.data(), bending_.data());
  }
  double contact_J(std::size_t) const noexcept override {
    if (line_) return line_->stored();
    return contact_.energy_J(r_.p.v.state, r_.points, std::identity());
  }
  double lost_J(std::size_t) const noexcept override { return r_.io.lost.value(); }
  double lost_in_contact_J(std::size_t) const noexcept override {
    return line_ ? line_->lost.value() : r_.io.lost_in_contact.value();
  }
  double landed_J(std::size_t) const noexcept override { return line_ ? line_->landed.value() : r_.io.landed.value(); }
  double given_J(std::size_t) const noexcept override { return r_.io.given.value(); }
  double taken_J(std::size_t) const noexcept override { return r_.io.taken.value(); }
  ContactRecord record(std::size_t) const noexcept override {
    if (line_) return line_->record;
    ContactRecord r = r_.io.record;
    if (r_.io.fastest_m > 0) r.fewest_true_samples = true_samples_(r_.io.fastest_m / (2 * dt_), r_.p.q[0]);
    return r;
  }
  void forget(std::size_t) noexcept override {
    r_.io.forget();
    if (!line_) return;
    line_->record = {};
    line_->lost = line_->landed = {};
  }

 protected:
  /// (M1), (M2), (N4) of every mode.
  void put_modes(const ModalBody& body) noexcept {
    for (std::size_t i = 0; i < r_.modes; ++i) {
      const auto c = body.coeffs(i);
      n_.lag[i] = c.lag;
      n_.D[i] = c.D;
      n_.C[i] = c.C;
      n_.loss[i] = c.loss;
      r_.m.lossy |= c.lag != 0;
      n_.share[i] = c.share;
      n_.ratio[i] = c.elastic / c.kinetic;
      n_.impulse_gain[i] = r_.reach[i] * c.C * std::sqrt(1 + n_.ratio[i] / 4);
      kinetic_[i] = c.kinetic;
      elastic_[i] = c.elastic;
    }
  }
  /// Mirrored points: the pairs' own.
  void put_receptances(const ModalBody& body) noexcept {
    const std::size_t points = r_.points;
    for (std::size_t i = 0; i < points; ++i)
      for (std::size_t j = r_.independent ? i : 0; j <= i; ++j) {
        const double *x = r_.shape + (r_.first + i) * r_.m.count, *y = r_.shape + (r_.first + j) * r_.m.count;
        const double q = r_.mirrored ? sum_of(r_.modes, [&](std::size_t k) { return n_.C[k] * (x[k] * y[k]); })
                                     : body.receptance(r_.first + i, r_.first + j);
        n_.Q[i * points + j] = n_.Q[j * points + i] = q;
        if (i == j && !r_.mirrored) n_.q[i] = q;
      }
  }
  void put_columns(const ModalBody& body) noexcept {
    for (std::size_t i = 0; i < r_.points && n_.column; ++i)
      for (std::size_t t = 0; t < r_.taps; ++t) n_.column[i * r_.taps + t] = body.receptance(r_.first + i, t);
  }
  void put_dense() noexcept {
    if (r_.may_deactivate) return;  // filled in every step
    for (std::size_t i = 0; i < r_.points; ++i)
      for (std::size_t j = 0; j < r_.points; ++j) dense_->at(i, j) = n_.Q[i * r_.points + j];
  }
  double sign() const noexcept { return r_.io.sign; }
  double tap(std::size_t t, const double* modal) const noexcept {
    const double* row = r_.shape + t * r_.m.count;
    return sum_of(r_.modes, [&](std::size_t i) { return row[i] * modal[i]; });
  }
  /// Whether the points lie in pairs, to the rounding of their rows; then makes the rows alike.
  bool make_mirrored(double* shape) noexcept {
    const auto each_pair = [&](auto visit) {
      for (std::size_t t = r_.first; t < mirror(r_, t); ++t)
        for (std::size_t i = 0; i < r_.modes; ++i)
          visit(shape[t * r_.m.count + i] * (i % 2 == 0 ? 1 : -1), shape[mirror(r_, t) * r_.m.count + i], i);
    };
    bool alike = true;
    each_pair(
        [&](double x, double y, std::size_t i) { alike &= std::abs(x - y) <= 1e-15 * static_cast<double>(i + 1); });
    if (alike) each_pair([&](double x, double& y, std::size_t) { y = x; });
    return r_.mirrored = alike;
  }
  void activate_all() noexcept {
    for (std::size_t i = 0; i < r_.points; ++i) {
      if (!inactive(r_, i)) continue;
      const std::size_t t = r_.first + i;
      r_.w[t] = tap(t, r_.m.u);
      r_.d[t] = tap(t, r_.m.d);
      r_.activate_at_m[i] = std::numeric_limits<double>::infinity();
    }
    list_active(r_);
    r_.travel_bound_m = 0;
    r_.max_step_stale = true;
    r_.since_deactivation = 0;
  }
  ContactModel contact_;
  KernelSamples true_samples_;
  double dt_;
  bool fast_ = false, together_ = false;
  Column data_;
  std::vector<double> kinetic_, elastic_, bending_;
  std::vector<char> probed_;
  std::vector<std::uint8_t> active_units_;
  std::vector<std::uint32_t> units_, lists_;
  std::unique_ptr<ActiveSubsetLine> line_;
  std::unique_ptr<DenseCompliance> dense_;
  std::unique_ptr<Island> island_;
  struct {
    double *lag, *D, *C, *loss, *share, *ratio, *impulse_gain, *shape = nullptr, *Q = nullptr, *offset = nullptr,
                                                               *q = nullptr, *column = nullptr;
  } n_ = {};  // what r_ reads
  RowsView r_;
};

/// modal_rows.cpp
std::unique_ptr<ModalKernel> make_rows(const ModalBody& body, const ModalKernel::Barrier& barrier, bool fused);

}  // namespace jawari::kernel
