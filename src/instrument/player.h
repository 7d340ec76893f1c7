// SPDX-License-Identifier: MIT
// What notes do to voices.  Keeps channels, zones, pedals and the notes that voices play, decides which voice a note
// gets, and tells the engine.  Events of one frame are gathered: the engine hears what they come to, once per voice, so
// that any number of them costs no more than the voices they reach.
//   handle()   an event at this frame
//   send_changes()   tells the engine; before frames are played
//   advance()  frames have been played, at most until_due() of them
#pragma once
#include <array>
#include <cstdint>
#include <limits>
#include <span>
#include <vector>

#include "controls.h"
#include "jawari/instrument/key_tuning.h"
#include "jawari/instrument/note_event.h"
#include "midi_channels.h"
#include "shared_bodies.h"
#include "slides.h"
#include "voice.h"
#include "voice_choice.h"
#include "voice_teller.h"

namespace jawari {

class Player {
 public:
  /// Throws InputError.  The model and the output must outlive it.
  Player(const Model& model, const VoicedScene& voiced, VoiceOutput& output);

  void handle(const NoteEvent& event) noexcept;
  void set_tuning(const KeyTuning& tuning) noexcept;
  void send_changes() noexcept;
  std::int64_t until_due()
      const noexcept;  ///< frames until something happens by itself; at least 1 after send_changes()
  void advance(std::int64_t frames) noexcept { now_ += frames; }
  void reset() noexcept;
  void find_ended() noexcept;  ///< notes that have faded
  std::span<const NoteEvent> ended() const noexcept { return ended_; }
  void clear_ended() noexcept { ended_.clear(); }

  std::size_t voices() const noexcept { return wiring_.voices.size(); }
  std::size_t sounding() const noexcept;
  bool waiting() const noexcept { return next_start_ != never; }  ///< notes wait for their voice to fade
  std::uint64_t ignored() const noexcept { return ignored_; }
  const Controls& controls() const noexcept { return controls_; }

 private:
  static constexpr std::int64_t never = std::numeric_limits<std::int64_t>::max();
  struct Pressed {  // a key of a channel that plays legato
    double key;
    std::int32_t note_id;
  };

  template <class Action>
  void each_voice(const NoteEvent& e, Action&& action) noexcept {
    for (std::size_t i = 0; i < voices_.size(); ++i)
      if (voices_[i].plays(e)) action(i, voices_[i]);
  }
  template <class Action>
  void each_of_channel(int channel, Action&& action) noexcept {
    for (std::size_t i = 0; i < voices_.size(); ++i)
      if (voices_[i].used && channels_.hears(voices_[i].channel, channel)) action(i, voices_[i]);
  }
  void change(std::size_t voice, unsigned what) noexcept;

  void note_on(const NoteEvent& e) noexcept;
  void note_on(std::size_t set, const NoteEvent& e) noexcept;
  bool take_over(std::size_t set, const NoteEvent& e) noexcept;
  void play_instead(std::size_t voice, double key, std::int32_t note_id) noexcept;
  void note_off(const NoteEvent& e) noexcept;
  void cut(std::size_t voice) noexcept;
  void express(const NoteEvent& e) noexcept;
  void handle_channel(const NoteEvent& e) noexcept;
  void panic() noexcept;

  void end(std::size_t voice) noexcept;
  void add_ended(int channel, std::int32_t note_id, double key) noexcept;
  void begin_due() noexcept;
  void vibrate() noexcept;

  const Model& model_;
  VoiceOutput& output_;
  double rate_hz_;
  Wiring wiring_;
  Controls controls_;
  MidiChannels channels_;
  KeyTuning tuning_ = equal_tuning(), first_tuning_ = equal_tuning();
  std::vector<Voice> voices_;
  VoiceChoice choice_;
  VoiceTeller teller_;
  SharedBodies shared_;
  Slides slides_;
  std::vector<NoteEvent> ended_;
  std::size_t open_ = 0;              // notes whose end has not been told
  std::vector<std::size_t> changed_;  // voices with something to tell
  std::array<std::vector<Pressed>, MidiChannels::count> pressed_;
  std::int64_t now_ = 0, next_start_ = never;
  std::int64_t fade_frames_ = 0;
  std::size_t vibrating_ = 0;
  std::uint64_t ignored_ = 0;
};

}  // namespace jawari
