// SPDX-License-Identifier: MIT
// Bodies that belong to no voice and ring with all of them: a bridge, sympathetic strings, a soundboard.  Notes do not
// damp them; a panic does, until the next note.
#pragma once
#include <utility>
#include <vector>

#include "controls.h"

namespace jawari {

class SharedBodies {
 public:
  /// All must outlive it.
  SharedBodies(const Model& model, const VoicedScene& voiced, const Controls& controls, VoiceOutput& output);

  void silence() noexcept { silenced_ = true; }  ///< within 4 ms
  /// As controls and scene say; returns whether they were silenced.
  bool let_ring() noexcept { return std::exchange(silenced_, false); }
  void tell() noexcept;  ///< the engine, where that has changed
  void reset() noexcept { silenced_ = told_ = false; }

 private:
  void set(std::size_t parameter, double value) noexcept;

  const Model& model_;
  const Controls& controls_;
  VoiceOutput& output_;
  std::vector<std::size_t> dampings_;  // parameters
  bool silenced_ = false, told_ = false;
};

}  // namespace jawari
