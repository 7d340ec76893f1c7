// SPDX-License-Identifier: MIT
// A scene that plays in blocks, for an audio thread.
//   Engine(scene)   compiles; may allocate and refuse                                        any thread, before playing
//   process()       any number of frames; no allocation, lock, exception or, with one thread, system call   audio
//   thread send()          an event for the next process(); wait-free                                     one control
//   thread snapshot()      ledger, accounts, contacts as of the last multiple of 256 frames          any thread,
//   no lock reset()         back to the state after opening                                   any thread, while nothing
//   else runs save(), load()  the whole state as bytes, also in the middle of a contact         any thread, while
//   nothing else runs
//                   these three allocate, lock and throw nothing
// Samples are the same for every block size and every number of threads.  They are finite: the call of process() in
// which the motion fails writes silence from its first sample on, and so do all later ones until reset().
#pragma once
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jawari/core/thread_pool.h"
#include "jawari/engine/decimate.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/sound_input.h"
#include "jawari/engine/state.h"
#include "jawari/engine/world.h"

namespace jawari {

struct EngineOptions {
  int channels = 1;  ///< 1: sum of the pickups, 2: panned, 0: a channel per pickup; others are refused
  int threads = 1;   ///< 1 to 64; others are refused
  Kernels kernels = Kernels::exact;
};

/// What a contact has done so far.
struct ContactCount {
  double impacts = 0, touching_steps = 0, largest_force_N = 0, fewest_samples = 0;
};
struct Snapshot {
  double time_s = 0;
  Ledger ledger = {};
  bool failed = false;
  Failure failure = {};
  std::vector<double> residual_J, stored_J;  ///< per account: bodies, then contacts
  std::vector<ContactCount> contacts;
  std::vector<double> parameters;  ///< value of every parameter that may change
};

class Engine {
 public:
  explicit Engine(const Scene& scene, const EngineOptions& options = {});  ///< throws InputError
  /// Of a model that engines share, each with a state of its own, on any threads; options.kernels are those of the
  /// model.
  explicit Engine(std::shared_ptr<const Model> model, const EngineOptions& options = {});

  std::size_t channels() const noexcept { return channels_; }
  double rate_hz() const noexcept { return rate_; }
  std::size_t latency() const noexcept { return latency_; }  ///< in frames: of the oversampling filter
  /// Its channels and delay; by the thread that plays how many samples were not taken as they came.
  const SoundInput& input() const noexcept { return input_; }
  /// Its model: names, parameters; its accounts and readings after sync(), while it does not play.
  const World& world() const noexcept { return *world_; }
  void sync() noexcept { world_->sync(); }

  /// `in` may be `out`.
  void process(float* const* out, std::size_t frames, SoundIn<float> in = {}) noexcept;
  void process(double* const* out, std::size_t frames, SoundIn<double> in = {}) noexcept;
  /// The output is silence since the call in which this happened.  Any thread may ask; world().failure_text() says why.
  bool failed() const noexcept { return failed_.load(std::memory_order_relaxed); }

  /// As after opening, bit for bit: state, parameters, time, energy account; events that wait are forgotten.
  void reset() noexcept;
  std::size_t state_bytes() const noexcept { return state_bytes_; }  ///< the most that save() writes
  /// Motion, contacts, parameters on their way, events sent and not yet happened, accounts.  Returns the bytes written;
  /// 0: there is too little room.  An engine that loads them goes on with the samples with which this one goes on.
  std::size_t save(std::span<std::byte> to) noexcept;
  /// Anything but none: refused, and the engine is what it was; damaged bytes that look whole: it is reset.
  StateError load(std::span<const std::byte> state) noexcept;

  /// `offset`: frames after the start of the next process().  False: EventQueue::capacity events wait for their time,
  /// or the event makes no sense.  What is accepted happens, unless the run fails before its time.
  bool send(const Event& event, std::uint32_t offset = 0) noexcept;

  // By the thread that plays, between calls of process(), for what plays an engine (instrument.h).
  /// At the next frame, before what was sent for it.  False: the event makes no sense.
  bool apply(const Event& event) noexcept { return !failed_ && world_->events().apply(event); }
  /// Of a pickup, reached in so many frames; -1 left, 1 right.
  void set_pan(std::size_t pickup, double pan, std::int64_t frames) noexcept;
  /// Energy stored in an account, at the last multiple of 256 frames.
  double stored_J(std::size_t account) const noexcept { return account_values_[2 * account + 1]; }
  /// Nothing moves, and the filter has run out: what comes is silence until something happens.
  bool silent() const noexcept { return world_->asleep() && silent_frames_ > 2 * latency_ && input_.silent(); }

  Snapshot make_snapshot() const;                ///< sized for this engine
  bool snapshot(Snapshot& into) const noexcept;  ///< false: sized for another engine

 private:
  struct Posted {
    Event event;
    std::uint32_t offset;
  };
  template <class T>
  void process_any(T* const* out, std::size_t frames, SoundIn<T> in) noexcept;
  template <class T>
  void be_silent(T* const* out, std::size_t frames) noexcept;
  void chunk(std::size_t frames) noexcept;  // fills mix_
  void play_units(bool measure) noexcept;
  void settle_events(std::size_t count) noexcept;
  void publish() noexcept;

  static constexpr std::size_t chunk_frames = 256;
  static constexpr std::int64_t shortest_visit = 64;  // steps; less does not pay
  void post_all() noexcept;                           // hands what send() has queued to the world
  void archive(Archive& a) noexcept;
  bool read(std::span<const std::byte> state) noexcept;
  double rate_;
  std::size_t channels_, oversample_, latency_ = 0;
  std::unique_ptr<World> world_;
  SoundInput input_;
  ThreadPool pool_;
  struct Panned {  // on its way from one place in stereo to another
    double step[2], goal[2];
    std::int64_t steps = 0;
  };
  void mix(std::size_t channel, std::size_t pickup, std::size_t steps) noexcept;
  std::vector<Panned> pan_;                        // per pickup
  std::vector<std::vector<double>> tracks_, mix_;  // per pickup; per channel
  std::vector<double*> track_;
  std::vector<double> sum_;            // of one channel
  std::vector<Decimator> decimators_;  // per channel
  std::size_t position_ = 0;           // frames since the last audit
  std::size_t silent_frames_ = 0;      // since anything was heard
  std::int64_t chunk_steps_ = 0, chunk_middle_ = 0;
  bool measure_ = false;
  std::vector<std::atomic<bool>> met_;  // per unit: begun and to be ended have met
  std::atomic<bool> failed_{false};
  bool separate_ = false;

  std::vector<Posted> queue_;  // from send() to the next process()
  std::atomic<std::size_t> written_{0}, read_{0};
  std::atomic<std::size_t> accepted_{0};  // by send() and not yet happened: at most EventQueue::capacity
  std::size_t state_bytes_ = 0;
  std::uint64_t fingerprint_ = 0;
  std::vector<std::byte> first_state_;  // after opening
  std::vector<double> account_values_;
  std::vector<std::atomic<double>> shown_;
  std::atomic<unsigned> turn_{0};  // odd while being written
};

}  // namespace jawari
