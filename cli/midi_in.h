// SPDX-License-Identifier: MIT
// MIDI that comes in while it plays, through RtMidi (ALSA sequencer, JACK).
#pragma once
#include <cstdint>
#include <functional>
#include <memory>
#include <span>
#include <string>
#include <vector>

namespace jawari::cli {

std::vector<std::string> midi_inputs();  ///< names; none where there is no MIDI, or jawari was built without RtMidi

class MidiIn {
 public:
  /// Seconds since the message before, as the driver says, and the message.
  using Receive = std::function<void(double since_last_s, std::span<const std::uint8_t> message)>;
  /// `port`: part of a name, or a number.  Throws InputError.  `receive` is called by a thread of its own.
  MidiIn(const std::string& port, Receive receive);
  ~MidiIn();
  const std::string& name() const { return name_; }

 private:
  struct Device;
  std::unique_ptr<Device> device_;
  std::string name_;
};

}  // namespace jawari::cli
