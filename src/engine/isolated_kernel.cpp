// SPDX-License-Identifier: MIT
// Kernels of bodies that meet nothing but a contact line of their own: modes, strings with an implicit operator.  A kernel steps
// several of them, one per SIMD lane.
#include <utility>
#include <vector>

#include "body_kernel.h"
#include "jawari/body/modal.h"
#include "jawari/kernel/match.h"
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

class ModalBodies final : public CountingKernel {
 public:
  ModalBodies(std::unique_ptr<ModalKernel> kernel, std::vector<ModalBody*> bodies)
      : CountingKernel(bodies.size()), kernel_(std::move(kernel)), bodies_(std::move(bodies)) {}
  void reserve(std::size_t drives, std::size_t probes) override {
    drives_.reserve(drives);
    listeners_.reserve(probes);
  }
  void load(std::size_t member, ContactLine* line, std::span<const double> offset_m) noexcept override {
    kernel_->set_offset(offset_m, member);
    kernel::take(*kernel_, *bodies_[member], *line, member);
  }
  void store(std::size_t member, ContactLine* line) noexcept override { kernel::give(*kernel_, *bodies_[member], *line, member); }
  bool retune(std::size_t member) noexcept override { return kernel_->refresh(*bodies_[member], member); }
  /// All members share one law: a member of its own stiffness is left to the reference path.
  bool scale_stiffness(std::size_t, double factor) noexcept override {
    if (bodies_.size() > 1) return factor == 1;
    kernel_->weigh(factor);
    return true;
  }
  void set_active(std::size_t member, bool active) noexcept override {
    if (bodies_.size() > 1) kernel_->set_active(member, active);
  }
  void run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes) noexcept override {
    drives_.clear();
    listeners_.clear();
    for (const auto& d : drives) drives_.push_back({d.tap, d.force_N, d.member});
    for (const auto& p : probes) listeners_.push_back({p.tap, p.what, p.to, p.member});
    kernel_->run(steps, drives_, listeners_);
  }

 private:
  KernelTotals total(std::size_t m) const noexcept override {
    return {kernel_->lost_J(m),   kernel_->given_J(m), kernel_->lost_in_contact_J(m),
            kernel_->landed_J(m), kernel_->taken_J(m), kernel_->record(m)};
  }
  void forget_totals(std::size_t member) noexcept override { kernel_->forget(member); }
  std::unique_ptr<ModalKernel> kernel_;
  std::vector<ModalBody*> bodies_;
  std::vector<ModalDrive> drives_;
  std::vector<ModalListener> listeners_;
};

class ImplicitStrings final : public CountingKernel {
 public:
  ImplicitStrings(std::unique_ptr<StringBatch> kernel, std::vector<StringGrid*> bodies)
      : CountingKernel(bodies.size()), kernel_(std::move(kernel)), bodies_(std::move(bodies)) {}
  void reserve(std::size_t drives, std::size_t probes) override {
    drives_.reserve(drives);
    listeners_.reserve(probes);
  }
  void load(std::size_t member, ContactLine* line, std::span<const double> offset_m) noexcept override {
    kernel_->set_offset(member, offset_m);
    kernel::take(*kernel_, member, *bodies_[member], line);
  }
  void store(std::size_t member, ContactLine* line) noexcept override { kernel::give(*kernel_, member, *bodies_[member], line); }
  bool retune(std::size_t member) noexcept override {
    kernel_->set_string(member, bodies_[member]->numbers());
    return true;
  }
  bool scale_stiffness(std::size_t member, double factor) noexcept override {
    kernel_->weigh(member, factor);
    return true;
  }
  void set_active(std::size_t member, bool active) noexcept override {
    if (bodies_.size() > 1) kernel_->set_active(member, active);
  }
  void run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes) noexcept override {
    drives_.clear();
    listeners_.clear();
    for (const auto& d : drives) drives_.push_back({{bodies_[d.member]->at(d.tap), d.force_N}, d.member});
    for (const auto& p : probes) {
      const auto at = p.what == StringListener::force ? StringGrid::Spread{} : bodies_[p.member]->at(p.tap);
      listeners_.push_back({{at, p.what, p.to}, p.member});
    }
    kernel_->run(steps, drives_, listeners_);
  }

 private:
  KernelTotals total(std::size_t m) const noexcept override {
    return {kernel_->lost_J(m), kernel_->given_J(m), kernel_->lost_in_contact_J(m), 0, kernel_->taken_J(m), kernel_->record(m)};
  }
  void forget_totals(std::size_t member) noexcept override { kernel_->forget(member); }
  std::unique_ptr<StringBatch> kernel_;
  std::vector<StringGrid*> bodies_;
  std::vector<StringBatch::Drive> drives_;
  std::vector<StringBatch::Listener> listeners_;
};

std::unique_ptr<BodyKernel> make_modal(std::span<const KernelMember> members, Kernels kernels) {
  const bool exact = kernels == Kernels::exact;
  const auto arithmetic = exact ? ModalKernel::Arithmetic::as_double : ModalKernel::Arithmetic::fused;
  std::vector<ModalBody*> bodies;
  std::vector<Choice> schemes;
  std::vector<kernel::ModalLineChoice> lines;
  std::vector<kernel::ModalBatchChoice> choices;
  schemes.reserve(members.size());
  lines.reserve(members.size());
  for (const auto& m : members) {
    auto* body = dynamic_cast<ModalBody*>(&m.body);
    const ContactInfo& c = *m.contact;
    if (!body) return nullptr;
    schemes.push_back({c.scheme});
    lines.push_back({c.choice, schemes.back(), c.weight, c.sides[0].tap, c.sides[0].sign, m.offset_m});
    choices.push_back({*body, lines.back()});
    bodies.push_back(body);
  }
  auto kernel = members.size() == 1 ? kernel::match(*bodies[0], lines[0], arithmetic) : kernel::match(choices, arithmetic);
  if (!kernel || (exact && !kernel->looks_at_all())) return nullptr;
  return std::make_unique<ModalBodies>(std::move(kernel), std::move(bodies));
}

std::unique_ptr<BodyKernel> make_implicit(std::span<const KernelMember> members, Kernels kernels) {
  const bool exact = kernels == Kernels::exact;
  std::vector<StringGrid*> bodies;
  std::vector<Choice> schemes;
  std::vector<kernel::LineChoice> lines;
  schemes.reserve(members.size());
  lines.reserve(members.size());
  std::vector<kernel::BatchChoice> choices;
  for (const auto& m : members) {
    auto* string = dynamic_cast<StringGrid*>(&m.body);
    const ContactInfo& c = *m.contact;
    if (!string || c.sides[0].tap + m.offset_m.size() > string->nodes()) return nullptr;
    if (exact && m.offset_m.size() == 1) return nullptr;  // solved as one port (islands.cpp), not by the band: other rounding
    schemes.push_back({c.scheme});
    lines.push_back({c.choice, schemes.back(), c.weight, c.sides[0].tap, c.sides[0].sign, m.offset_m});
    choices.push_back({*string, &lines.back()});
    bodies.push_back(string);
  }
  auto kernel = kernel::match(choices, exact ? StringBatch::Arithmetic::as_double : StringBatch::Arithmetic::fused);
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
