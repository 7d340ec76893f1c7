// SPDX-License-Identifier: MIT
// How the runs of a batch are played: by the processor, each by itself, or by a device, as strings for warps.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <exception>
#include <map>
#include <memory>
#include <mutex>
#include <span>
#include <string>
#include <vector>

#include "jawari/core/thread_pool.h"
#include "jawari/engine/batch.h"
#include "jawari/engine/decimate.h"
#include "jawari/engine/model.h"
#include "warp/string_job.h"

namespace jawari {

/// What a catalogue offers, as a layout.  Throws InputError: no such shape.
BatchLayout layout_of(const Catalogue& catalogue, const Scene& scene, const BatchOptions& options,
                      std::vector<std::string> contacts);
/// A sentence where runs of these two cannot share arrays, else empty.
std::string difference(const BatchLayout& first, const BatchLayout& other);
/// Where the shapes of a layout are among those of a catalogue.
std::vector<std::size_t> drawings_of(const Catalogue& catalogue, const BatchOptions& options);

class BatchPlayer {
 public:
  BatchPlayer(const Batch& batch, const BatchOptions& options, BatchSink& sink, std::span<const std::size_t> runs);
  /// Null: the processor alone.
  void play(warp::StringRunner* device);

 private:
  friend class DeviceWave;
  struct Waiting {  ///< a run for the processor
    std::size_t run;
    std::string why;  ///< not on the device
  };
  void play_here(std::span<const Waiting> runs);
  void play_run(const Waiting& what);
  void play_on(warp::StringRunner& device);
  bool go_on();
  void keep_on(warp::StringRunner& device);
  void hand_on_sound(std::size_t run, std::size_t pickup, std::span<const double> samples);
  void refuse(std::size_t run, std::string failure);

  const Batch& batch_;
  const BatchOptions& options_;
  BatchSink& sink_;
  std::vector<std::size_t> runs_;
  BatchLayout layout_;
  ThreadPool pool_;
  std::shared_ptr<DeviceArray> stays_;         // sound in the memory of the device
  std::map<std::size_t, std::size_t> row_of_;  // of it, per run
  std::atomic<std::int64_t> done_steps_{0};
  std::atomic<bool> stopped_{false};
  std::mutex failing_;
  std::exception_ptr error_;
};

}  // namespace jawari
