// SPDX-License-Identifier: MIT
// A scene with [voice] that is played: keys pressed now, bent, retuned and released.
//   Instrument(scene)  builds as many voices as notes can sound at once; may allocate and refuse
//   process()          any number of frames, with the events that happen in them; no allocation, lock, exception or,
//                      with one thread, system call                                                            audio
//                      thread
//   send()             an event for the start of the next process(); wait-free                          one other
//   thread set_tuning()       other frequencies for all keys, also of notes that sound; wait-free         the same
//   other thread reset()            as after opening, bit for bit                                              while
//   nothing else runs
// Causal: an event at frame n changes nothing before frame n.  Samples depend on the events, their order and their
// frames, never on how frames are cut into blocks.  Voices that have faded sleep and cost nothing.
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <string>
#include <vector>

#include "jawari/engine/engine.h"
#include "jawari/instrument/control_info.h"
#include "jawari/instrument/key_tuning.h"
#include "jawari/instrument/note_event.h"
#include "jawari/instrument/voices.h"

namespace jawari {

class Player;
class EngineOutput;

struct InstrumentOptions {
  int channels = 2;  ///< 1: sum of the pickups, 2: panned
  int threads = 1;
  Kernels kernels = Kernels::exact;
  VoiceRange range = {};
};

class Instrument {
 public:
  explicit Instrument(const Scene& scene, const InstrumentOptions& options = {});  ///< throws InputError
  ~Instrument();

  std::size_t channels() const noexcept { return engine_.channels(); }
  double rate_hz() const noexcept { return engine_.rate_hz(); }
  std::size_t latency() const noexcept { return engine_.latency(); }  ///< in frames
  std::size_t voices() const noexcept;                                ///< notes that can sound at once
  double tail_s() const noexcept { return tail_s_; }                  ///< after the last note, as the scene says

  /// Events in the order of their frames; one that comes too early or too late happens at the nearest frame.  `in`: as
  /// Engine::process() takes it, two channels at most.
  void process(float* const* out, std::size_t frames, std::span<const NoteEvent> events = {},
               SoundIn<float> in = {}) noexcept;
  void process(double* const* out, std::size_t frames, std::span<const NoteEvent> events = {},
               SoundIn<double> in = {}) noexcept;
  bool send(const NoteEvent& event) noexcept;  ///< false: 1024 events wait
  /// Notes that sound glide there.
  void set_tuning(const KeyTuning& tuning) noexcept;
  void retune(const KeyTuning& tuning) noexcept;  ///< the same by the thread that plays

  const std::vector<ControlInfo>& controls() const noexcept;
  double control(std::size_t index) const noexcept;  ///< its value; any thread

  /// Nothing sounds, and nothing will until an event comes.  By the thread that plays.
  bool silent() const noexcept;
  /// Notes whose voices have faded, or play another note, or that no voice took, since clear_ended(); likewise.
  std::span<const NoteEvent> ended() const noexcept;
  void clear_ended() noexcept;
  std::size_t sounding() const noexcept;                     ///< voices that have not faded; likewise
  std::uint64_t ignored() const noexcept;                    ///< events that made no sense; likewise
  bool failed() const noexcept { return engine_.failed(); }  ///< the output is silence until reset()
  std::string failure_text() const { return engine_.world().failure_text(); }
  void reset() noexcept;

  const Engine& engine() const noexcept { return engine_; }
  Engine& engine() noexcept { return engine_; }  ///< to read accounts and shapes; what is sent to it is played, too
  const VoicedScene& voiced() const noexcept { return voiced_; }

 private:
  template <class T>
  void process_any(T* const* out, std::size_t frames, std::span<const NoteEvent> events, SoundIn<T> in) noexcept;
  template <class T>
  void play(T* const* out, SoundIn<T> in, std::size_t& at, std::size_t to) noexcept;
  void receive() noexcept;

  VoicedScene voiced_;
  Engine engine_;
  double tail_s_ = 0;
  std::unique_ptr<EngineOutput> output_;
  std::unique_ptr<Player> player_;
  static constexpr std::size_t queue_events = 1024;
  std::vector<NoteEvent> queue_;
  std::atomic<std::size_t> written_{0}, read_{0};
  std::array<KeyTuning, 3> tunings_;  // one that is written, one that waits, one that was read last
  unsigned tuning_write_ = 0, tuning_read_ = 2;
  std::atomic<unsigned> tuning_waits_{1};  // + 4: new
};

}  // namespace jawari
