// SPDX-License-Identifier: MIT
// An instrument that can be exchanged for another one while it plays.  The new one is built on any thread; process()
// takes it up at the start of a block and fades from the old one to it, which is then handed back to be deleted.
//   exchange(), collect()      one thread, not that of process(); may free memory
//   process(), take_up()       the audio thread; no allocation, lock, exception or system call
//   playing()                  either; what the other thread sees is there until its next exchange() or collect()
#pragma once
#include <array>
#include <atomic>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jawari/instrument.h"

namespace jawari {

class Stage {
 public:
  static constexpr double fade_s = 0.02;
  explicit Stage(std::unique_ptr<Instrument> first);  ///< decides the rate and the number of channels
  ~Stage();

  /// The next one to play; one that waits already is dropped.  Throws InputError: other rate or channels.
  void exchange(std::unique_ptr<Instrument> next);
  void collect() noexcept;  ///< deletes what has faded out

  /// take_up(), then play().
  template <class T>
  void process(T* const* out, std::size_t frames, std::span<const NoteEvent> events = {}, SoundIn<T> in = {}) noexcept;
  /// The one that waits plays from now on, unless another one fades still; returns whether it does.
  bool take_up() noexcept;
  /// Of the one that was taken up last, whatever waits by now.
  template <class T>
  void play(T* const* out, std::size_t frames, std::span<const NoteEvent> events = {}, SoundIn<T> in = {}) noexcept;
  /// The one that gets the events, by the thread that plays; its controls and names, by either.
  Instrument& playing() noexcept { return *now_.load(std::memory_order_acquire); }
  const Instrument& playing() const noexcept { return *now_.load(std::memory_order_acquire); }
  bool fading() const noexcept { return old_ != nullptr; }
  std::size_t channels() const noexcept { return channels_; }
  double rate_hz() const noexcept { return rate_hz_; }

 private:
  static constexpr std::size_t piece = 256;  // frames that are faded at once
  template <class T>
  void fade(T* const* out, std::size_t frames) noexcept;

  std::size_t channels_;
  double rate_hz_;
  std::atomic<Instrument*> now_;
  Instrument* old_ = nullptr;
  std::size_t faded_ = 0;  // frames
  std::vector<double> rising_, falling_;
  std::array<std::vector<double>, 2> block_;
  std::atomic<Instrument*> next_{nullptr}, done_{nullptr};
};

}  // namespace jawari
