// SPDX-License-Identifier: MIT
// Kernels of bodies that meet nothing but a contact line of their own: modes, and strings with an implicit operator, of
// which a kernel steps several, one per SIMD lane.
#include <utility>
#include <vector>

#include "body_kernel.h"
#include "jawari/body/modal.h"
#include "jawari/kernel/kernel_factory.h"
#include "jawari/kernel/modal_kernel.h"

namespace jawari {
namespace {

/// What a total has gained since the last call; extremes stay.
KernelTotals difference(const KernelTotals& now, const KernelTotals& before) noexcept {
  KernelTotals t = now;
  t.lost_J -= before.lost_J;
  t.given_J -= before.given_J;
  t.lost_in_contact_J -= before.lost_in_contact_J;
  t.landed_J -= before.landed_J;
  t.taken_J -= before.taken_J;
  const ContactRecord& o = before.record;
  t.record.impacts -= o.impacts;
  t.record.touching_steps -= o.touching_steps;
  t.record.solves -= o.solves;
  t.record.iterations -= o.iterations;
  t.record.unsettled -= o.unsettled;
  return t;
}

/// Totals that count from the last call.
class CountingKernel : public BodyKernel {
 public:
  explicit CountingKernel(std::size_t members) : before_(members) {}
  KernelTotals take_totals(std::size_t member) noexcept final {
    const KernelTotals now = total(member);
    const KernelTotals before = std::exchange(before_[member], now);
    return difference(now, before);
  }
  std::uint64_t unsettled(std::size_t member) const noexcept final {
    return total(member).record.unsettled - before_[member].record.unsettled;
  }
  void forget(std::size_t member) noexcept final {
    forget_totals(member);
    before_[member] = {};
  }

 private:
  virtual KernelTotals total(std::size_t member) const noexcept = 0;
  virtual void forget_totals(std::size_t member) noexcept = 0;
  std::vector<KernelTotals> before_;
};

class IsolatedModes final : public CountingKernel {
 public:
  IsolatedModes(std::unique_ptr<ModalKernel> kernel, ModalBody& body)
      : CountingKernel(1), kernel_(std::move(kernel)), body_(body) {}
  void reserve(std::size_t drives, std::size_t probes) override {
    drives_.reserve(drives);
    probes_.reserve(probes);
  }
  void load(std::size_t, ContactLine* line, std::span<const double> offset_m) noexcept override {
    kernel_->set_offset(offset_m);
    kernel::load_state(*kernel_, body_, *line);
  }
  void store(std::size_t, ContactLine* line) noexcept override { kernel::store_state(*kernel_, body_, *line); }
  bool retune(std::size_t) noexcept override { return kernel_->refresh(body_); }
  void scale_stiffness(std::size_t, double factor) noexcept override { kernel_->scale_stiffness(factor); }
  void run(std::size_t steps, std::span<const KernelDrive> drives,
           std::span<const KernelProbe> probes) noexcept override {
    drives_.clear();
    probes_.clear();
    for (const auto& d : drives) drives_.push_back({d.tap, d.force_N});
    for (const auto& p : probes) probes_.push_back({p.tap, p.what, p.to});
    kernel_->run(steps, drives_, probes_);
  }

 private:
  KernelTotals total(std::size_t) const noexcept override {
    return {kernel_->lost_J(),   kernel_->given_J(), kernel_->lost_in_contact_J(),
            kernel_->landed_J(), kernel_->taken_J(), kernel_->record()};
  }
  void forget_totals(std::size_t) noexcept override { kernel_->forget(); }
  std::unique_ptr<ModalKernel> kernel_;
  ModalBody& body_;
  std::vector<ModalDrive> drives_;
  std::vector<ModalProbe> probes_;
};

class ImplicitStrings final : public CountingKernel {
 public:
  ImplicitStrings(std::unique_ptr<StringBatch> kernel, std::vector<StringGrid*> bodies)
      : CountingKernel(bodies.size()), kernel_(std::move(kernel)), bodies_(std::move(bodies)) {}
  void reserve(std::size_t drives, std::size_t probes) override {
    drives_.reserve(drives);
    probes_.reserve(probes);
  }
  void load(std::size_t member, ContactLine* line, std::span<const double> offset_m) noexcept override {
    kernel_->set_offset(member, offset_m);
    kernel::load_state(*kernel_, member, *bodies_[member], line);
  }
  void store(std::size_t member, ContactLine* line) noexcept override {
    kernel::store_state(*kernel_, member, *bodies_[member], line);
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
  void run(std::size_t steps, std::span<const KernelDrive> drives,
           std::span<const KernelProbe> probes) noexcept override {
    drives_.clear();
    probes_.clear();
    for (const auto& d : drives) drives_.push_back({{bodies_[d.member]->at(d.tap), d.force_N}, d.member});
    for (const auto& p : probes) {
      const auto at = p.what == StringProbe::force ? StringGrid::Spread{} : bodies_[p.member]->at(p.tap);
      probes_.push_back({{at, p.what, p.to}, p.member});
    }
    kernel_->run(steps, drives_, probes_);
  }

 private:
  KernelTotals total(std::size_t m) const noexcept override {
    return {kernel_->lost_J(m),   kernel_->given_J(m), kernel_->lost_in_contact_J(m),
            kernel_->landed_J(m), kernel_->taken_J(m), kernel_->record(m)};
  }
  void forget_totals(std::size_t member) noexcept override { kernel_->forget(member); }
  std::unique_ptr<StringBatch> kernel_;
  std::vector<StringGrid*> bodies_;
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
      body, {c.choice, {c.scheme}, c.weight, c.sides[0].tap, c.sides[0].sign, members[0].offset_m}, arithmetic);
  if (!kernel || (exact && !kernel->detects_all_points())) return nullptr;
  return std::make_unique<IsolatedModes>(std::move(kernel), body);
}

std::unique_ptr<BodyKernel> make_implicit(std::span<const KernelMember> members, Kernels kernels) {
  const bool exact = kernels == Kernels::exact;
  std::vector<StringGrid*> bodies;
  std::vector<LawSpec> schemes;
  std::vector<kernel::LineOptions> lines;
  schemes.reserve(members.size());
  lines.reserve(members.size());
  std::vector<kernel::BatchOptions> choices;
  for (const auto& m : members) {
    auto* string = dynamic_cast<StringGrid*>(&m.body);
    const ContactInfo& c = *m.contact;
    if (!string || c.sides[0].tap + m.offset_m.size() > string->nodes()) return nullptr;
    if (exact && m.offset_m.size() == 1)
      return nullptr;  // solved as one port (islands.cpp), not by the band: other rounding
    schemes.push_back({c.scheme});
    lines.push_back({c.choice, schemes.back(), c.weight, c.sides[0].tap, c.sides[0].sign, m.offset_m});
    choices.push_back({*string, &lines.back()});
    bodies.push_back(string);
  }
  auto kernel =
      kernel::make_kernel(choices, exact ? StringBatch::Arithmetic::as_double : StringBatch::Arithmetic::fused);
  if (!kernel) return nullptr;
  return std::make_unique<ImplicitStrings>(std::move(kernel), std::move(bodies));
}

}  // namespace

std::unique_ptr<BodyKernel> make_isolated_kernel(std::span<const KernelMember> members, Kernels kernels) {
  if (members.empty() || kernels == Kernels::off || kernels == Kernels::single) return nullptr;
  for (const auto& m : members)
    if (!m.contact || !m.contact->fallback_scheme.empty()) return nullptr;
  if (dynamic_cast<ModalBody*>(&members[0].body)) return make_modal(members, kernels);
  return make_implicit(members, kernels);
}

}  // namespace jawari
