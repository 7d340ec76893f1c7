// SPDX-License-Identifier: MIT
// When an instance changes: events of the scene and those sent, parameters on their way, sleep.
//   post      an event for a later step, between blocks, by the thread that plays
//   announce  gives each group the events of the block that comes
//   begin     of every step of a group: what is due happens; false: the group sleeps
// Slow things (parameters on their way, the fallback of scheme "auto", sleep) are checked every so many steps,
// counted from the start of the run, so that blocks of any size give the same samples.
#pragma once
#include <cstdint>
#include <vector>

#include "changes.h"

namespace jawari {

/// Below this a group is silent [J]: 180 dB under a softly plucked string.
inline constexpr double silent_J = 1e-22;
/// Steps between two tests for silence; the first one is before the first step.
inline constexpr std::int64_t sleep_steps = 512;

class Control {
 public:
  Control(const Model& model, Instance& instance, Islands& islands, KernelSet& kernels);

  /// In `steps_from_now` time steps after `now`; false: the model does not take it, or EventQueue::capacity of them
  /// wait.
  bool post(std::int64_t now, std::int64_t steps_from_now, const Event& event) noexcept;
  std::size_t waiting() const noexcept {
    return instance_.queue.size();
  }  ///< posted, and later than the block announced
  void clear_waiting() noexcept { instance_.queue.clear(); }
  void announce(std::int64_t now, std::int64_t frames) noexcept;
  /// Between blocks: in the next step, before what was posted for it.  False: the model does not take it.
  bool apply_now(const Event& event) noexcept;
  void block_done() noexcept;

  bool begin(std::size_t group) noexcept;
  bool needs_reference(std::size_t group) const noexcept {
    return instance_.groups[group].step < instance_.groups[group].reference_until;
  }
  /// Steps, at most so many, that a group sleeps through without anything to do; 0: it is awake, or has something to
  /// do.
  std::int64_t sleeps(std::size_t group, std::int64_t most) const noexcept;
  /// Steps that nothing interrupts, the one that begins included.
  std::int64_t quiet_steps(std::size_t group, std::int64_t most) const noexcept;
  Changes& changes() noexcept { return changes_; }

 private:
  struct Due {
    TimedEvent timed;
    std::size_t next;  // of the same group; no_index: the last
  };
  void apply_due_events(std::size_t group) noexcept;
  void apply(const Event& event) noexcept;
  bool wakes(const Event& event) const noexcept;
  void move_parameters(std::size_t group) noexcept;
  void set_parameter(std::size_t parameter, double value, double duration_s) noexcept;
  void move_parameter(std::size_t parameter) noexcept;
  std::int64_t period(std::size_t parameter) const noexcept;
  bool silent(std::size_t contact) const noexcept;
  bool may_sleep(std::size_t group) noexcept;
  void sleep_if_silent(std::size_t group) noexcept;

  const Model& model_;
  Instance& instance_;
  KernelSet& kernels_;
  Changes changes_;
  std::vector<Due> due_;     // of the block announced; groups read their own
  std::vector<char> bound_;  // per body: a spring joins it to another one or the wall
};

}  // namespace jawari
