// SPDX-License-Identifier: MIT
// A mass that meets nothing but one contact point on a wall: any law, any scheme, without what the engine does for
// islands of many points and bodies of many modes.  Rounds as the reference path does; state, losses and records are
// those of body and line, which run() leaves as a step of the reference path would.
#include <cmath>
#include <utility>
#include <vector>

#include "body_kernel.h"
#include "jawari/body/single_mode.h"

namespace jawari {
namespace {

class MassKernel final : public BodyKernel {
 public:
  MassKernel(ModalBody& body, std::size_t tap, double sign) : body_(body), mass_(body, tap), sign_(sign) {}
  void reserve(std::size_t, std::size_t) override {}

  void load(std::size_t, ContactLine* line, std::span<const double> offset_m) noexcept override {
    line_ = line;
    offset_m_ = offset_m[0];
  }
  void store(std::size_t, ContactLine*) noexcept override {}
  bool retune(std::size_t) noexcept override { return true; }
  void scale_stiffness(std::size_t, double) noexcept override {}  // the line has changed
  bool switch_scheme() noexcept override { return true; }         // load() brings the other line

  std::size_t run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
                  std::span<const KernelRowProbe> rows) noexcept override {
    mass_.load();
    std::size_t n = 0;
    if (drives.empty() && probes.empty() && rows.empty())
      while (n < steps && step()) ++n;
    else
      n = run_with(steps, drives, probes, rows);
    mass_.store();
    return n;
  }

  KernelTotals take_totals(std::size_t) noexcept override {
    KernelTotals t;
    t.taken_J = std::exchange(taken_, Sum()).value();
    return t;
  }
  std::uint64_t unsettled(std::size_t) const noexcept override { return failed_ || line_->record.unsettled > 0; }
  void reset_totals(std::size_t) noexcept override {
    taken_ = {};
    failed_ = false;
  }

 private:
  /// False: the solve did not settle, or the work of the contact is not finite.
  bool step() noexcept {
    Port& port = line_->port[0];
    const double s_free = mass_.predict();
    port.y = offset_m_ + sign_ * mass_.w();
    port.d = 0 + sign_ * mass_.d();
    port.s_free = 0 + sign_ * s_free;
    const double phi = line_->step_independent();
    mass_.advance(0 + sign_ * phi);
    if (phi == 0 && line_->record.unsettled == 0) return true;
    const double taken = -phi * line_->s[0] / 2;
    taken_.add(taken);
    failed_ = !std::isfinite(taken) || line_->record.unsettled > 0;
    return !failed_;
  }
  std::size_t run_with(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
                       std::span<const KernelRowProbe> rows) noexcept {
    std::size_t n = 0;
    for (bool good = true; n < steps && good; n += good ? 1 : 0) {
      for (const auto& d : drives) mass_.add_force(d.tap, d.force_N[n]);
      good = step();
      for (const auto& p : probes) p.to[n] = read(p);
      for (const auto& r : rows) measure(r, r.to[n], r.due(n));
    }
    for (const auto& r : rows)
      for (std::size_t i = 0; i < n; ++i)
        if (r.due(i)) count_from_end(r.to[i]);
    return n;
  }
  double read(const KernelProbe& p) const noexcept {
    if (p.what == TapReading::force) return 0 + line_->phi[0];
    return read_tap(p.what, mass_.w_at(p.tap), mass_.d_at(p.tap), mass_.s_at(p.tap));
  }
  void measure(const KernelRowProbe& r, KernelRow& row, bool due) noexcept {
    if (due || r.channels) row.contact_J = line_->stored();
    row.compression_m = line_->port[0].y;
    keep_largest(r.largest_force_N, line_->phi);
    if (!due) return;
    row.stored = mass_.stored();
    row.lost_J = body_.lost.value();
    row.given_J = body_.given.value();
    row.lost_in_contact_J = line_->lost.value();
    row.landed_J = line_->landed.value();
  }
  /// Rows count from the sums of body and line, which are now those of the last step.
  void count_from_end(KernelRow& row) const noexcept {
    row.lost_J -= body_.lost.value();
    row.given_J -= body_.given.value();
    row.lost_in_contact_J -= line_->lost.value();
    row.landed_J -= line_->landed.value();
  }

  ModalBody& body_;
  SingleMode mass_;
  double sign_;
  ContactLine* line_ = nullptr;
  double offset_m_ = 0;
  Sum taken_;
  bool failed_ = false;
};

}  // namespace

std::unique_ptr<BodyKernel> make_mass_kernel(const KernelMember& member) {
  auto* body = dynamic_cast<ModalBody*>(&member.body);
  if (!body || !member.contact || member.offset_m.size() != 1 || !SingleMode::serves(*body)) return nullptr;
  const Side& side = member.contact->sides[0];
  return std::make_unique<MassKernel>(*body, side.tap, side.sign);
}

}  // namespace jawari
