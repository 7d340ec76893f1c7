// SPDX-License-Identifier: MIT
// Records what a report draws of a run: every displacement, once over the whole run in few frames and once over a short
// stretch in many frames (close-up); the contact forces of barriers over time; the energies.
#pragma once
#include <cstdint>

#include "jawari/engine/energy_track.h"
#include "jawari/engine/run.h"

namespace jawari {

struct RecorderOptions {
  static constexpr double by_itself = -1;
  /// Where the close-up begins.  By itself: with the first contact, and again with every later one that is more than
  /// twice as hard as all that the close-up shows.
  double from_s = by_itself;
  double length_s = 0.06;
  int frames = 480;  ///< at most
};

class MotionRecorder final : public RowSink {
 public:
  explicit MotionRecorder(const RecorderOptions& options = {}) : options_(options) {}
  void begin(const std::vector<std::string>& channels, double rate_hz, std::int64_t steps) override;
  void rows(const RowBlock& block) override;
  void after_step(const System& system) override;
  std::int64_t next_reading(std::int64_t done) const noexcept override;
  bool wants_forces() const noexcept override { return true; }
  void end() override { energy.end(); }

  using Frames = std::vector<std::vector<float>>;
  struct Recording {
    double start_s = 0, step_s = 0;                ///< of the frames
    std::vector<Frames> shapes = {};               ///< per string, bar or surface
    std::vector<Frames> forces = {};               ///< per barrier and point: largest since the frame before [N]
    std::vector<std::vector<float>> heights = {};  ///< per point: where it is [m]
    std::vector<std::vector<float>> pushes = {};   ///< per contact: largest force since the frame before [N]
  };
  /// Largest force of every point in every bucket of time.
  struct ContactForceMap {
    double step_s = 0;
    Frames columns = {};  ///< [bucket][point], pushing apart [N]
  };
  using Reel [[deprecated("Recording")]] = Recording;  // removed in 0.3, as below
  using TouchMap [[deprecated("ContactForceMap")]] = ContactForceMap;
  Recording close, whole;
  std::vector<std::string> points, contacts;  ///< names: channels with a displacement; contacts
  std::vector<ContactForceMap> touches;       ///< per barrier, the whole run
  EnergyTrack energy;

 private:
  struct Since {
    Frames forces;              // per barrier
    std::vector<float> pushes;  // per contact
  };
  void open(Recording& reel, Since& since) const;
  void keep(Recording& reel, Since& since, const System* system);
  void begin(const System& system);
  void read_points(const RowBlock& block, std::int64_t n);
  void film(std::int64_t step, double push, const System* system);
  void keep_forces(std::span<const std::vector<double>> forces, bool fresh);

  RecorderOptions options_;
  std::int64_t steps_ = 0, first_ = 0, last_ = 0, length_ = 1, every_ = 1, whole_every_ = 1, bucket_ = 1, step_ = 0;
  double dt_s_ = 0;
  double push_ = 0, block_push_ = 0, hardest_ = 0;  // sum of all contact forces: now, in this block, in the close-up
  std::vector<std::size_t> point_channel_, push_channel_;
  std::vector<float> height_;  // now
  Since close_since_, whole_since_;
  std::size_t shapes_ = 0;
  std::vector<std::size_t> barrier_points_;
  std::span<const std::vector<double>> block_forces_;  // of the block that was handed over last
  std::vector<double> scratch_;
};

}  // namespace jawari
