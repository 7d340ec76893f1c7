// SPDX-License-Identifier: MIT
// Steps an instance, unit by unit.  One loop for all ways: a group sleeps, is stepped by the reference path, by kernels
// beside other bodies, or by kernels alone for as many steps as nothing interrupts.
//   reference step: signals -> bodies.predict -> islands.solve -> bodies.advance -> accounts
// step() is the reference path alone and stays the reference.  Nothing here allocates, locks or throws after the
// constructor.
#pragma once
#include <cstdint>
#include <vector>

#include "control.h"
#include "probes.h"
#include "step_recorder.h"
#include "step_times.h"

namespace jawari {

class Stepper {
 public:
  Stepper(const Model& model, Instance& instance, Islands& islands, KernelSet& kernels, Control& control,
          const Probes& probes, StepRecorder& recorder);

  std::size_t units() const noexcept { return kernels_.units().size(); }
  /// One step of a group by the reference path.
  void step(std::size_t group) noexcept;
  /// The steps from..to of a block of so many frames; to == frames: the readings afterwards are those of its last step.
  /// Units in any order, on any threads.
  void play(std::size_t unit, std::int64_t from, std::int64_t to, std::int64_t frames, double* const* tracks) noexcept;
  void set_times(StepTimes* times) noexcept { times_ = times; }  ///< null: none are taken
  /// Its pickups have read zero in all of the last block.
  bool silent(std::size_t group) const noexcept { return members_[group].silent; }

 private:
  struct Member {                   // a group of the unit that is played
    std::int64_t at = 0;            // frame of the block that it has reached
    std::int64_t began = 0;         // its step then
    std::int64_t ready = 0;         // steps that kernels alone may take now; 0: it has reached the end
    std::int64_t asleep_from = -1;  // where its sleep began; -1: it is awake
    bool silent = false;            // its pickups have read zero so far
  };
  struct Block {
    std::int64_t to, frames;
    double* const* tracks;
  };
  void move(std::size_t group) noexcept;
  bool account(std::size_t contact) noexcept;
  void note_failure(std::size_t group, std::size_t contact) noexcept;
  void note_failures(std::size_t kernel, std::int64_t good) noexcept;
  void advance(std::size_t group, Member& member, const Block& block) noexcept;
  void sleep(std::size_t group, Member& member, std::int64_t steps, const Block& block) noexcept;
  void step_beside(std::size_t group, std::int64_t at, const Block& block) noexcept;
  void prepare(std::size_t group, const Member& member, std::int64_t steps, const Block& block) noexcept;
  void prepare(KernelSet::Binding& binding, std::int64_t at, std::int64_t steps, const Block& block,
               bool last) noexcept;
  void finish(const KernelSet::Binding& binding, std::int64_t at, std::int64_t steps, const Block& block) noexcept;
  void record(std::size_t group, Member& member, bool awake, bool beside) noexcept;
  void end_sleep(std::size_t group, Member& member) noexcept;
  void read(const std::vector<std::size_t>& pickups, std::int64_t at, double* const* tracks) const noexcept;

  const Model& model_;
  Instance& instance_;
  Islands& islands_;
  KernelSet& kernels_;
  Control& control_;
  const Probes& probes_;
  StepRecorder& recorder_;
  std::vector<Member> members_;  // per group
  StepTimes* times_ = nullptr;
};

}  // namespace jawari
