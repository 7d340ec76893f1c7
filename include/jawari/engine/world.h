// SPDX-License-Identifier: MIT
// A model that runs: its instance, and what steps, changes, accounts for and reads it.
//   Stepper       steps units of groups: reference path and kernels         src/engine/stepper.h
//   Control       events, parameters on their way, sleep                    src/engine/control.h
//   Accounts      ledger and the balance of every body and contact          src/engine/accounts.h
//   Probes        pickups, channels, shapes, forces of points               src/engine/probes.h
//   StepRecorder  what probes read in every step of a block                 src/engine/step_recorder.h
//   KernelSet     which bodies kernels step, and which side owns the state  src/engine/kernel_set.h
// step() is the reference path; play() uses kernels where there are any (engine/kernels.h).  A group that is silent
// sleeps until an event wakes it.  Readers read the state of the last sync(), which step() and play() end with.
// Built by compile_world(); step() and play() allocate nothing, lock nothing and throw nothing.
#pragma once
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jawari/core/archive.h"
#include "jawari/engine/parts.h"
#include "jawari/engine/state.h"
#include "jawari/engine/world_parts.h"

namespace jawari {

class World final : public WorldReadings {
 public:
  /// An instance of its own, at t = 0.  threads: that will play its units; strings share kernels so that all have some.
  explicit World(std::shared_ptr<const Model> model, std::size_t threads = 1);
  explicit World(BuiltModel built, std::size_t threads = 1);  ///< with the instance that was built
  ~World() override;

  void step() noexcept override;
  std::int64_t play(std::int64_t steps, double* const* tracks, const ProbeBuffers& probes = {}) noexcept override;
  void sync() noexcept;                         ///< all that is read is of now
  void audit() noexcept;                        ///< the ledger is noted
  void watch_rounding();                        ///< accounts say from now on what rounding can have moved; costs time
  std::size_t waiting_events() const noexcept;  ///< posted, and later than the block announced
  bool silent(std::size_t pickup) const noexcept;  ///< it has read zero in all of the last block, for certain
  bool asleep() const noexcept;                    ///< all groups are
  WorldEvents events();                            ///< between blocks, by the thread that plays
  /// What excitations of type "input" hear in the steps that come: channels of so many values, which stay where they
  /// are.
  void take_input(std::span<const double* const> channels, std::int64_t steps) noexcept;
  WorldUnits units();  ///< play() by units of groups

  // State, between blocks: plain bytes that fit every run of a model of the same fingerprint.
  State state();  ///< of now; allocates
  /// Anything but none: refused, and the run is what it was; reset where damaged bytes look whole.
  StateError load(const State& state) noexcept;
  void reset() noexcept { load(first_state_); }  ///< as it began, bit for bit

  /// Counts, writes or reads all that steps change, between blocks.  Kernels release their state first, and load it in
  /// the next block.  Allocates nothing.  After a refused reading the state is of no use until another one is read.
  void archive(Archive& a) noexcept;

 private:
  friend class WorldUnits;
  void gather_failures() noexcept;
  void begin_block(std::int64_t steps) noexcept;
  void end_block(std::int64_t steps) noexcept;
  std::int64_t steps_to_audit() const noexcept;
  std::vector<double*> tracks_;  // per pickup, while play() runs
  std::vector<std::size_t> group_of_pickup_;
  State first_state_;
};

}  // namespace jawari
