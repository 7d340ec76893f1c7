// SPDX-License-Identifier: MIT
#include "lone_kernel.h"

#include <array>
#include <utility>

#include "jawari/body/modal.h"

namespace jawari {
namespace {

constexpr std::size_t most = 64;  ///< drives, and listeners, of one body

class LoneModes final : public LoneKernel {
 public:
  LoneModes(std::unique_ptr<ModalKernel> kernel, ModalBody& body) : kernel_(std::move(kernel)), body_(body) {}
  bool refresh() noexcept override { return kernel_->refresh(body_); }
  void weigh(double factor) noexcept override { kernel_->weigh(factor); }
  void take(ContactLine& line, std::span<const double> offset_m) noexcept override {
    kernel_->set_offset(offset_m);
    kernel::take(*kernel_, body_, line);
  }
  void give(ContactLine& line) noexcept override { kernel::give(*kernel_, body_, line); }
  void run(std::size_t steps, std::span<const Drive> drives, std::span<const Listener> listeners) noexcept override {
    for (std::size_t i = 0; i < drives.size(); ++i) drives_[i] = {drives[i].tap, drives[i].force_N};
    for (std::size_t i = 0; i < listeners.size(); ++i) listeners_[i] = {listeners[i].tap, listeners[i].what, listeners[i].to};
    kernel_->run(steps, {drives_.data(), drives.size()}, {listeners_.data(), listeners.size()});
  }

 private:
  Tally total() const noexcept override {
    return {kernel_->lost_J(), kernel_->given_J(), kernel_->lost_in_contact_J(), kernel_->landed_J(), kernel_->taken_J(), kernel_->record()};
  }
  void forget_totals() noexcept override { kernel_->forget(); }
  std::unique_ptr<ModalKernel> kernel_;
  ModalBody& body_;
  std::array<ModalDrive, most> drives_{};
  std::array<ModalListener, most> listeners_{};
};

class LoneBand final : public LoneKernel {
 public:
  LoneBand(std::unique_ptr<StringBatch> kernel, StringGrid& body) : kernel_(std::move(kernel)), body_(body) {}
  bool refresh() noexcept override {
    kernel_->set_string(0, body_.numbers());
    return true;
  }
  void weigh(double factor) noexcept override { kernel_->weigh(factor); }
  void take(ContactLine& line, std::span<const double> offset_m) noexcept override {
    kernel_->set_offset(0, offset_m);
    kernel::take(*kernel_, 0, body_, &line);
  }
  void give(ContactLine& line) noexcept override { kernel::give(*kernel_, 0, body_, &line); }
  void run(std::size_t steps, std::span<const Drive> drives, std::span<const Listener> listeners) noexcept override {
    for (std::size_t i = 0; i < drives.size(); ++i) drives_[i] = {{body_.at(drives[i].tap), drives[i].force_N}};
    for (std::size_t i = 0; i < listeners.size(); ++i) {
      const bool force = listeners[i].what == StringListener::force;
      listeners_[i] = {{force ? StringGrid::Spread{} : body_.at(listeners[i].tap), listeners[i].what, listeners[i].to}};
    }
    kernel_->run(steps, {drives_.data(), drives.size()}, {listeners_.data(), listeners.size()});
  }

 private:
  Tally total() const noexcept override {
    return {kernel_->lost_J(0), kernel_->given_J(0), kernel_->lost_in_contact_J(0), 0, kernel_->taken_J(0), kernel_->record(0)};
  }
  void forget_totals() noexcept override { kernel_->forget(); }
  std::unique_ptr<StringBatch> kernel_;
  StringGrid& body_;
  std::array<StringBatch::Drive, most> drives_{};
  std::array<StringBatch::Listener, most> listeners_{};
};

}  // namespace

LoneKernel::Tally LoneKernel::tally() noexcept {
  const Tally now = total(), old = std::exchange(before_, now);
  Tally t = now;
  t.lost_J -= old.lost_J, t.given_J -= old.given_J, t.lost_in_contact_J -= old.lost_in_contact_J, t.taken_J -= old.taken_J;
  t.landed_J -= old.landed_J;
  ContactRecord &r = t.record;
  const ContactRecord& o = old.record;  // extremes stay
  r.impacts -= o.impacts, r.touching_steps -= o.touching_steps, r.solves -= o.solves, r.iterations -= o.iterations;
  r.unsettled -= o.unsettled;
  return t;
}

std::unique_ptr<LoneKernel> LoneKernel::make(Body& body, const Choice& law, const Choice& scheme, double weight,
                                             std::size_t first_tap, double sign, std::span<const double> offset_m, bool exact) {
  if (auto* modes = dynamic_cast<ModalBody*>(&body)) {
    auto kernel = kernel::match(*modes, {law, scheme, weight, first_tap, sign, offset_m},
                                exact ? ModalKernel::Arithmetic::as_double : ModalKernel::Arithmetic::fused);
    if (!kernel || (exact && !kernel->looks_at_all())) return nullptr;
    return std::make_unique<LoneModes>(std::move(kernel), *modes);
  }
  if (auto* string = dynamic_cast<StringGrid*>(&body); string && first_tap + offset_m.size() <= string->nodes()) {
    if (exact && offset_m.size() == 1) return nullptr;  // solved as one port (islands.cpp), not by the band: other rounding
    const kernel::LineChoice line{law, scheme, weight, first_tap, sign, offset_m};
    const kernel::BatchChoice choice{*string, &line};
    auto kernel = kernel::match(std::span(&choice, 1), exact ? StringBatch::Arithmetic::as_double : StringBatch::Arithmetic::fused);
    if (kernel) return std::make_unique<LoneBand>(std::move(kernel), *string);
  }
  return nullptr;
}

}  // namespace jawari
