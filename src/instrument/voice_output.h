// SPDX-License-Identifier: MIT
// Where a player sends what it has decided: to an engine that plays, or into a list.
#pragma once
#include <cstdint>

#include "jawari/engine/engine.h"

namespace jawari {

class VoiceOutput {
 public:
  virtual ~VoiceOutput() = default;
  virtual void apply(const Event& event) noexcept = 0;  ///< at the next frame
  virtual void set_pan(std::size_t pickup, double pan, std::int64_t frames) noexcept = 0;
  /// Energy of an account at the last multiple of 256 frames.
  virtual double stored_J(std::size_t account) noexcept = 0;
};

class EngineOutput final : public VoiceOutput {
 public:
  explicit EngineOutput(Engine& engine) : engine_(engine) {}
  void apply(const Event& event) noexcept override { engine_.apply(event); }
  void set_pan(std::size_t pickup, double pan, std::int64_t frames) noexcept override {
    engine_.set_pan(pickup, pan, frames);
  }
  double stored_J(std::size_t account) noexcept override { return engine_.stored_J(account); }

 private:
  Engine& engine_;
};

}  // namespace jawari
