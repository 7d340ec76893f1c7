// SPDX-License-Identifier: MIT
// Kernels of bodies that meet nothing but a contact line of their own: modes, and strings with an implicit operator, of
// which a kernel steps several, one per SIMD lane.
#include <algorithm>
#include <utility>
#include <vector>

#include "body_kernel.h"
#include "jawari/body/modal.h"
#include "jawari/kernel/kernel_factory.h"
#include "jawari/kernel/modal_kernel.h"
#include "kernel_rows.h"

namespace jawari {
namespace {

/// Totals that count from the last call, from zero on: the sums do not depend on what was played before.
class CountingKernel : public BodyKernel {
 public:
  KernelTotals take_totals(std::size_t member) noexcept final {
    const KernelTotals now = total(member);
    clear_totals(member);
    return now;
  }
  std::uint64_t unsettled(std::size_t member) const noexcept final { return total(member).record.unsettled; }
  void reset_totals(std::size_t member) noexcept final { clear_totals(member); }

 private:
  virtual KernelTotals total(std::size_t member) const noexcept = 0;
  virtual void clear_totals(std::size_t member) noexcept = 0;
};

class IsolatedModes final : public CountingKernel {
 public:
  IsolatedModes(std::unique_ptr<ModalKernel> kernel, ModalBody& body, const LinePlace& line)
      : kernel_(std::move(kernel)),
        body_(body),
        line_(line),
        w_m_(body.taps()),
        d_m_(body.taps()),
        phi_N_(line.offset_m.size()) {}
  void reserve(std::size_t drives, std::size_t probes) override {
    drives_.reserve(drives);
    probes_.reserve(probes);
  }
  void load(std::size_t, ContactLine* line, std::span<const double> offset_m) noexcept override {
    line_.offset_m = offset_m;
    kernel_->set_offset(offset_m);
    kernel::load_state(*kernel_, body_, *line);
  }
  void store(std::size_t, ContactLine* line) noexcept override { kernel::store_state(*kernel_, body_, *line); }
  bool retune(std::size_t) noexcept override { return kernel_->refresh(body_); }
  void scale_stiffness(std::size_t, double factor) noexcept override { kernel_->scale_stiffness(factor); }
  std::size_t run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
                  std::span<const KernelRowProbe> rows) noexcept override {
    if (rows.empty()) {
      run(steps, drives, probes, 0);
      return steps;
    }
    const KernelRowProbe& wanted = rows[0];
    run_in_stretches(
        steps, rows, true,
        [&](std::size_t last) {
          if (!wanted.channels) return;
          kernel_->read_taps(w_m_, d_m_);
          wanted.to[last].compression_m = line_.deepest(w_m_);
        },
        [&](std::size_t count, std::size_t from) { run(count, drives, probes, from); },
        [&](std::size_t last) {
          fill_row(*kernel_, wanted, last, true);
          if (wanted.largest_force_N.empty()) return;
          kernel_->read_forces(phi_N_);
          keep_largest(wanted.largest_force_N, phi_N_);
        });
    return steps;
  }

 private:
  void run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
           std::size_t from) noexcept {
    drives_.clear();
    probes_.clear();
    for (const auto& d : drives) drives_.push_back({d.tap, d.force_N + from});
    for (const auto& p : probes) probes_.push_back({p.tap, p.what, p.to + from});
    kernel_->run(steps, drives_, probes_);
  }
  KernelTotals total(std::size_t) const noexcept override { return totals_of(*kernel_); }
  void clear_totals(std::size_t) noexcept override { kernel_->forget(); }
  std::unique_ptr<ModalKernel> kernel_;
  ModalBody& body_;
  LinePlace line_;
  std::vector<double> w_m_, d_m_, phi_N_;  // of a row
  std::vector<ModalDrive> drives_;
  std::vector<ModalProbe> probes_;
};

class ImplicitStrings final : public CountingKernel {
 public:
  ImplicitStrings(std::unique_ptr<StringBatch> kernel, std::vector<StringGrid*> bodies, std::vector<LinePlace> lines)
      : kernel_(std::move(kernel)), bodies_(std::move(bodies)), lines_(std::move(lines)) {
    std::size_t points = 0;
    std::size_t nodes = 0;
    for (const auto* b : bodies_) nodes = std::max(nodes, b->nodes());
    for (const auto& l : lines_) points = std::max(points, l.offset_m.size());
    u_m_.resize(nodes);
    d_m_.resize(nodes);
    phi_N_.resize(points);
  }
  void reserve(std::size_t drives, std::size_t probes) override {
    drives_.reserve(drives);
    probes_.reserve(probes);
  }
  void load(std::size_t member, ContactLine* line, std::span<const double> offset_m) noexcept override {
    lines_[member].offset_m = offset_m;
    kernel_->set_offset(member, offset_m);
    kernel::load_state(*kernel_, *bodies_[member], line, member);
  }
  void store(std::size_t member, ContactLine* line) noexcept override {
    kernel::store_state(*kernel_, *bodies_[member], line, member);
  }
  bool retune(std::size_t member) noexcept override {
    kernel_->set_string(member, bodies_[member]->numbers());
    return true;
  }
  void scale_stiffness(std::size_t member, double factor) noexcept override {
    kernel_->scale_stiffness(member, factor);
  }
  void set_active(std::size_t member, bool active) noexcept override {
    if (bodies_.size() > 1) kernel_->set_active(member, active);
  }
  std::size_t run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
                  std::span<const KernelRowProbe> rows) noexcept override {
    if (rows.empty()) {
      run(steps, drives, probes, 0);
      return steps;
    }
    run_in_stretches(
        steps, rows, true,
        [&](std::size_t last) {
          for (const auto& r : rows) {
            if (!r.channels) continue;
            const std::size_t nodes = bodies_[r.member]->nodes();
            kernel_->read(std::span(u_m_).first(nodes), std::span(d_m_).first(nodes), r.member);
            r.to[last].compression_m = lines_[r.member].deepest(u_m_);
          }
        },
        [&](std::size_t count, std::size_t from) { run(count, drives, probes, from); },
        [&](std::size_t last) {
          for (const auto& r : rows) {
            fill_row(*kernel_, r, last, true, r.member);
            if (r.largest_force_N.empty()) continue;
            const auto phi = std::span(phi_N_).first(r.largest_force_N.size());
            kernel_->read_forces(phi, r.member);
            keep_largest(r.largest_force_N, phi);
          }
        });
    return steps;
  }

 private:
  void run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
           std::size_t from) noexcept {
    drives_.clear();
    probes_.clear();
    for (const auto& d : drives) drives_.push_back({{bodies_[d.member]->at(d.tap), d.force_N + from}, d.member});
    for (const auto& p : probes) {
      const auto at = p.what == StringProbe::force ? StringGrid::Spread{} : bodies_[p.member]->at(p.tap);
      probes_.push_back({{at, p.what, p.to + from}, p.member});
    }
    kernel_->run(steps, drives_, probes_);
  }
  KernelTotals total(std::size_t member) const noexcept override { return totals_of(*kernel_, member); }
  void clear_totals(std::size_t member) noexcept override { kernel_->forget(member); }
  std::unique_ptr<StringBatch> kernel_;
  std::vector<StringGrid*> bodies_;
  std::vector<LinePlace> lines_;
  std::vector<double> u_m_, d_m_, phi_N_;  // of a row
  std::vector<StringBatch::Drive> drives_;
  std::vector<StringBatch::Probe> probes_;
};

std::unique_ptr<BodyKernel> make_modal(std::span<const KernelMember> members, Kernels kernels) {
  const bool exact = kernels == Kernels::exact;
  const auto arithmetic = exact ? ModalKernel::Arithmetic::as_double : ModalKernel::Arithmetic::fused;
  if (members.size() != 1)
    return nullptr;  // several in one kernel are hardly faster, and three times slower where one sounds
  auto& body = static_cast<ModalBody&>(members[0].body);
  const ContactInfo& c = *members[0].contact;
  auto kernel = kernel::make_kernel(
      body, {c.law_spec, {c.scheme}, c.weight, c.sides[0].tap, c.sides[0].sign, members[0].offset_m}, arithmetic);
  if (!kernel || (exact && !kernel->detects_all_points())) return nullptr;
  return std::make_unique<IsolatedModes>(std::move(kernel), body,
                                         LinePlace{members[0].offset_m, c.sides[0].tap, c.sides[0].sign});
}

std::unique_ptr<BodyKernel> make_implicit(std::span<const KernelMember> members, Kernels kernels) {
  const bool exact = kernels == Kernels::exact;
  std::vector<StringGrid*> bodies;
  std::vector<LawSpec> schemes;
  std::vector<kernel::LineOptions> lines;
  schemes.reserve(members.size());
  lines.reserve(members.size());
  std::vector<LinePlace> places;
  std::vector<kernel::BatchOptions> choices;
  for (const auto& m : members) {
    auto* string = dynamic_cast<StringGrid*>(&m.body);
    const ContactInfo& c = *m.contact;
    if (!string || c.sides[0].tap + m.offset_m.size() > string->nodes()) return nullptr;
    if (exact && m.offset_m.size() == 1)
      return nullptr;  // solved as one port (islands.cpp), not by the band: other rounding
    schemes.push_back({c.scheme});
    lines.push_back({c.law_spec, schemes.back(), c.weight, c.sides[0].tap, c.sides[0].sign, m.offset_m});
    choices.push_back({*string, &lines.back()});
    bodies.push_back(string);
    places.push_back({m.offset_m, c.sides[0].tap, c.sides[0].sign});
  }
  auto kernel =
      kernel::make_kernel(choices, exact ? StringBatch::Arithmetic::as_double : StringBatch::Arithmetic::fused);
  if (!kernel) return nullptr;
  return std::make_unique<ImplicitStrings>(std::move(kernel), std::move(bodies), std::move(places));
}

}  // namespace

std::unique_ptr<BodyKernel> make_isolated_kernel(std::span<const KernelMember> members, Kernels kernels) {
  if (members.empty() || kernels == Kernels::off) return nullptr;
  if (members.size() == 1)
    if (auto mass = make_mass_kernel(members[0])) return mass;
  if (kernels == Kernels::single) return nullptr;
  for (const auto& m : members)
    if (!m.contact || !m.contact->fallback_scheme.empty()) return nullptr;
  if (dynamic_cast<ModalBody*>(&members[0].body)) return make_modal(members, kernels);
  return make_implicit(members, kernels);
}

}  // namespace jawari
