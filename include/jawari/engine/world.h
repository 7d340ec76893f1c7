// SPDX-License-Identifier: MIT
// A model that runs: its instance, and what steps, changes, accounts for and reads it.
//   Stepper    steps units of groups: reference path and kernels            src/engine/stepper.h
//   Control    events, parameters on their way, sleep                       src/engine/control.h
//   Accounts   ledger and the balance of every body and contact             src/engine/accounts.h
//   Probes     pickups, channels, shapes, forces of points                  src/engine/probes.h
//   KernelSet  which bodies kernels step, and which side owns the state          src/engine/kernel_set.h
// step() is the reference path; play() uses kernels where there are any (engine/kernels.h).  A group that is silent
// sleeps until an event wakes it.  Readers read the state of the last sync(), which step() and play() end with.
// Built by compile_world(); step() and play() allocate nothing, lock nothing and throw nothing.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jawari/core/archive.h"
#include "jawari/engine/model.h"
#include "jawari/engine/parts.h"
#include "jawari/engine/state.h"
#include "jawari/engine/system.h"

namespace jawari {

class World final : public System {
 public:
  explicit World(std::shared_ptr<const Model> model);  ///< an instance of its own, at t = 0
  explicit World(BuiltModel built);                    ///< with the instance that was built
  ~World() override;

  const Model& model() const noexcept { return *model_; }
  const std::shared_ptr<const Model>& shared_model() const noexcept { return model_; }
  const Instance& instance() const noexcept { return *instance_; }
  double parameter(std::size_t index) const noexcept;  ///< its value now
  std::size_t kernel_bodies() const noexcept;          ///< bodies that a kernel steps

  void step() noexcept override;
  std::int64_t play(std::int64_t steps, double* const* tracks, const ProbeBuffers& probes = {}) noexcept override;
  // The same by units of groups: announce(), then play_unit() for all units, in any order or at once, then
  // block_done().
  std::size_t units() const noexcept;
  void announce(std::int64_t frames) noexcept;  ///< gives the groups the events of the block that comes
  /// The steps from..to of a block of so many frames; to == frames: the readings afterwards are those of its last step.
  void play_unit(std::size_t unit, std::int64_t from, std::int64_t to, std::int64_t frames,
                 double* const* tracks) noexcept;
  void measure_unit(std::size_t unit) noexcept;  ///< syncs it, and measures its energies for the next audit()
  void block_done(std::int64_t frames) noexcept;
  void sync() noexcept;                                                             ///< all that is read is of now
  void audit() noexcept;                                                            ///< the ledger is noted
  void audit_every(std::int64_t steps) noexcept override { audit_every_ = steps; }  ///< 1 by default; 0: only audit()

  // Events, between blocks, by the thread that plays.
  bool post(std::int64_t steps_from_now, const Event& event) noexcept;  ///< false: see Control::post()
  std::size_t waiting() const noexcept;                                 ///< posted, and later than the block announced
  void forget() noexcept;                                               ///< drops all that wait

  // State, between blocks: plain bytes that fit every run of a model of the same fingerprint.
  State state();  ///< of now; allocates
  /// Anything but none: refused, and the run is what it was; reset where damaged bytes look whole.
  StateError load(const State& state) noexcept;
  void reset() noexcept { load(first_state_); }  ///< as it began, bit for bit

  /// Counts, writes or reads all that steps change, between blocks.  Kernels release their state first, and load it in
  /// the next block.  Allocates nothing.  After a refused reading the state is of no use until another one is read.
  void archive(Archive& a) noexcept;

  const Ledger& ledger() const noexcept override;
  std::vector<ContactReport> contacts() const override;
  std::vector<Account> accounts() const override;
  std::vector<BandReport> bands() const override;
  void read_accounts(std::span<double> residual_then_stored) const noexcept;  ///< without allocating; 2 per account
  void watch_rounding();  ///< accounts say from now on what rounding can have moved; costs time
  double sound() const noexcept override;
  std::size_t pickup_count() const noexcept override { return model_->pickups.size(); }
  void read_pickups(std::span<double> per_pickup) const noexcept override;
  std::vector<PickupInfo> pickups() const override;
  void read(std::span<double> row) const noexcept override;
  void read_shape(std::size_t string, std::span<double> u_m) const noexcept override;
  std::span<const double> point_forces(std::size_t barrier) const noexcept override;

 private:
  struct Run;  // the classes above, of this instance
  void gather_failures() noexcept;
  std::int64_t steps_to_audit() const noexcept;
  std::shared_ptr<const Model> model_;
  std::unique_ptr<Instance> instance_;
  std::unique_ptr<Run> run_;
  std::vector<double*> tracks_;  // per pickup, while play() runs
  std::int64_t audit_every_ = 1;
  State first_state_;
};

}  // namespace jawari
