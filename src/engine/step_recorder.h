// SPDX-License-Identifier: MIT
// What probes read in every step of a block: channels of a trace, largest forces of barriers, and the energies from
// which the ledger of every step is summed.  Bodies of the reference path are read after their step; kernels write rows
// of their own (KernelRow), so that their state stays where it is.
//   begin                   a block; the first call allocates
//   record, repeat          after a step of a group, and while it sleeps
//   request, finish         before and after a kernel has taken some steps
//   end                     the ledger of every step
#pragma once
#include <cstdint>
#include <span>
#include <vector>

#include "accounts.h"
#include "kernel_set.h"

namespace jawari {

class StepRecorder {
 public:
  static constexpr std::int64_t most_steps = 64;  ///< of a block

  StepRecorder(const Model& model, Instance& instance, KernelSet& kernels, Accounts& accounts);

  bool active() const noexcept { return active_; }
  /// The ledger is updated after every step whose number is a multiple of `audit_every`; 0: never.
  void begin(const ProbeBuffers& to, std::int64_t done, std::int64_t first_step, std::int64_t audit_every);
  /// Groups in any order.  beside: bodies and contacts of kernels are left to finish().
  void record(std::size_t group, std::int64_t at, bool beside, bool asleep) noexcept;
  /// A group that slept in the steps from..to - 1, the first of which was recorded.
  void repeat(std::size_t group, std::int64_t from, std::int64_t to) noexcept;
  void request(const KernelSet::Binding& binding, std::int64_t at) noexcept;
  void finish(const KernelSet::Binding& binding, std::int64_t at, std::int64_t steps) noexcept;
  void end(std::int64_t steps) noexcept;

 private:
  void allocate();
  bool due(std::int64_t at) const noexcept { return audit_every_ > 0 && (first_step_ + at + 1) % audit_every_ == 0; }
  double* column(std::size_t channel, std::int64_t at) const noexcept;
  BodyEnergy& body_row(std::size_t body, std::int64_t at) noexcept;
  ContactEnergy& contact_row(std::size_t contact, std::int64_t at) noexcept;
  void record_body(std::size_t body, std::int64_t at, bool energy) noexcept;
  void record_contact(std::size_t contact, std::int64_t at, bool energy) noexcept;
  void find_failure(std::int64_t at) noexcept;
  std::int64_t good_steps(std::int64_t steps) const noexcept;

  const Model& model_;
  Instance& instance_;
  KernelSet& kernels_;
  Accounts& accounts_;
  std::vector<std::size_t> first_channel_;                // per body
  std::size_t contact_channel_ = 0, ledger_channel_ = 0;  // of the first contact; of the ledger
  std::vector<std::size_t> barrier_of_contact_;           // no_index: not drawn
  bool active_ = false;
  ProbeBuffers to_;
  std::int64_t done_ = 0, first_step_ = 0, audit_every_ = 0;
  std::vector<BodyEnergy> body_rows_;        // [step][body]
  std::vector<ContactEnergy> contact_rows_;  // [step][contact]
  std::vector<KernelRow> kernel_rows_;       // [body][step]
};

}  // namespace jawari
