// SPDX-License-Identifier: MIT
// Many runs of one scene with other values: on the cores of this machine, or on a CUDA device.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <vector>

#include "jawari/core/device_array.h"
#include "jawari/engine/kernels.h"
#include "jawari/engine/readings.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/value.h"

namespace jawari {

enum class BatchDevice { cpu, cuda };
inline constexpr std::string_view batch_device_names[] = {"cpu", "cuda"};

/// Values of one field, by its path (scene_fields.h): one per run.
struct BatchValues {
  std::string path;
  std::vector<Value> values;
};

struct BatchOptions {
  BatchDevice device = BatchDevice::cpu;
  Kernels kernels = Kernels::exact;  ///< of the device: "off" and "exact" give the same samples
  std::size_t threads = 0;           ///< of this machine; 0: as many as it has
  std::int64_t every = 0;            ///< readings after every so many time steps; 0: none
  std::vector<std::string> shapes;   ///< names of what is read with them
  bool accounts = true;              ///< ledger and contacts at the end; a device is faster without
  bool single_sound = false;         ///< a device hands sound on as float where it can, whatever it computes with
  bool sound_stays = false;          ///< in the memory of the device: BatchSink::sound_on_device()
};

/// What all runs of a batch have in common.
struct BatchLayout {
  std::vector<std::string> pickups, contacts;
  std::vector<ShapeInfo> shapes;         ///< of BatchOptions::shapes
  std::int64_t steps = 0, readings = 0;  ///< of a run
  std::int64_t samples = 0;              ///< of a pickup, at the rate of the scene
  int steps_per_sample = 1;
  double rate_hz = 0, dt_s = 0;
};

struct BatchContact {
  double impacts = 0, touching_steps = 0, largest_force_N = 0, lost_J = 0, deepest_m = 0;
};

/// What a run leaves at its end.
struct BatchEnd {
  std::string failure;                    ///< why there is nothing, or less than asked for; empty: played to its end
  std::int64_t steps = 0;                 ///< taken
  BatchDevice device = BatchDevice::cpu;  ///< where it was played
  std::string why;                        ///< not on the device that was asked for: the reason, without a full stop
  Ledger ledger;
  std::vector<BatchContact> contacts;
};

/// Receives what is played.  Runs come in any order and from any thread, one thread at a time for a run.  A run that a
/// device gives up comes again from its first sample on.
class BatchSink {
 public:
  virtual ~BatchSink() = default;
  /// Samples of a pickup at the rate of the scene.
  virtual void sound(std::size_t run, std::size_t pickup, std::int64_t first, std::span<const double> samples);
  virtual void sound(std::size_t run, std::size_t pickup, std::int64_t first, std::span<const float> samples);
  /// Instead of both, where it stays: a row per run, in the order of play(), and pickup.  Before the first end(); rows
  /// of runs are complete with their end(), those that fail are NaN.
  virtual void sound_on_device(std::shared_ptr<DeviceArray> sound);
  /// After (number + 1) * every time steps; shapes one after the other, as the layout has them.
  virtual void reading(std::size_t run, std::int64_t number, const Ledger& ledger, std::span<const double> shapes_m);
  virtual void end(std::size_t run, const BatchEnd& end) = 0;
  /// Asked now and then, from any thread, with the share that is done; false ends the batch.
  virtual bool go_on(double share);
};

class Batch {
 public:
  /// Throws InputError: lists of different lengths, a path the scene does not have.  quality: as for use_quality().
  explicit Batch(Scene scene, std::vector<BatchValues> values = {}, std::optional<Quality> quality = {});

  std::size_t runs() const noexcept { return runs_; }
  /// A run's scene.  Throws InputError where a value is refused.
  Scene scene(std::size_t run) const;
  /// Of the first run that compiles.  Throws InputError: there is none, or no such shape.
  BatchLayout layout(const BatchOptions& options = {}) const;
  /// Plays runs, by default all of them.  A run that is refused, fails, or has another layout than the first ends with
  /// a failure.  Throws InputError where the device cannot be used.
  void play(const BatchOptions& options, BatchSink& sink, std::span<const std::size_t> runs = {}) const;

 private:
  Scene scene_;
  std::vector<BatchValues> values_;
  std::optional<Quality> quality_;
  std::size_t runs_ = 1;
};

}  // namespace jawari
