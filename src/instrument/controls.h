// SPDX-License-Identifier: MIT
// The controls of an instrument while it plays: their values, what is added to them for single notes, and where they
// go.
#pragma once
#include <atomic>
#include <memory>
#include <optional>
#include <utility>
#include <vector>

#include "jawari/instrument/control_info.h"
#include "voice_output.h"
#include "wiring.h"

namespace jawari {

class Controls {
 public:
  /// Throws InputError: a target is no parameter, or one that may not go that far.
  Controls(const Model& model, const VoicedScene& voiced, Wiring& wiring);

  const std::vector<ControlInfo>& list() const noexcept { return list_; }
  double value(std::size_t control) const noexcept { return values_[control].load(std::memory_order_relaxed); }
  double level() const noexcept { return level_; }  ///< factor of the whole

  struct Reached {  ///< what the player has to tell its voices
    bool damping = false, gains = false, follows = false;
  };
  // Told to the engine by tell().  False: there is no such control.
  bool set(std::size_t control, double value) noexcept;
  bool modulate(std::size_t control, double amount) noexcept;
  bool modulate(std::size_t control, std::size_t voice, double amount) noexcept;  ///< beside what all get
  void forget(std::size_t voice) noexcept;                                        ///< nothing is added any more
  Reached tell(VoiceOutput& output) noexcept;
  /// Where controls put a parameter of a voice; none: no control reaches it.
  std::optional<double> value_of(std::size_t voice, std::size_t parameter) const noexcept;
  void reset() noexcept;  ///< to the usual values

 private:
  enum class Reaches { parameter, soft, loud, damping, bend, level };
  struct Follower {
    std::size_t voice, parameter;
    double told;
    double factor = 1;  // what the voice was built with, over what the scene says
  };
  struct Target {
    Reaches reaches;
    std::vector<std::size_t> shared;  // parameters
    std::vector<Follower> voice;
    double from, to, curve;
  };
  struct Control {
    double glide_s;
    std::vector<Target> targets;
    bool changed = true;
    double added = 0;
  };
  static double value_at(const Target& target, double x) noexcept;
  double share(std::size_t control, double added) const noexcept;
  Target find(const Model& model, const VoicedScene& voiced, const ControlTarget& target) const;
  void tell(VoiceOutput& output, std::size_t control, Reached& reached) noexcept;
  double& added(std::size_t control, std::size_t voice) noexcept { return added_[voice * list_.size() + control]; }
  double added(std::size_t control, std::size_t voice) const noexcept { return added_[voice * list_.size() + control]; }

  const Model& model_;
  Wiring& wiring_;
  std::vector<ControlInfo> list_;
  std::vector<Control> controls_;
  std::unique_ptr<std::atomic<double>[]> values_;
  std::vector<double> added_;     // per voice and control
  std::vector<VoiceSpec> built_;  // per set
  double level_ = 1;
  bool changed_ = true, first_ = true;
};

}  // namespace jawari
