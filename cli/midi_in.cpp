// SPDX-License-Identifier: MIT
#include "midi_in.h"

#include <fmt/format.h>

#include <algorithm>
#include <charconv>

#include "jawari/core/param.h"
#ifdef JAWARI_RTMIDI
#include <RtMidi.h>
#endif

namespace jawari::cli {

#ifdef JAWARI_RTMIDI
namespace {

void silent(RtMidiError::Type, const std::string&, void*) {}  // what matters is said by us

}  // namespace

struct MidiIn::Device {
  RtMidiIn in{RtMidi::UNSPECIFIED, "jawari"};
  MidiIn::Receive receive;
};

std::vector<std::string> midi_inputs() {
  std::vector<std::string> names;
  try {
    RtMidiIn in(RtMidi::UNSPECIFIED, "jawari");
    in.setErrorCallback(silent);
    for (unsigned i = 0; i < in.getPortCount(); ++i) names.push_back(in.getPortName(i));
  } catch (const RtMidiError&) {  // there is no sequencer
  }
  return names;
}

MidiIn::MidiIn(const std::string& port, Receive receive) {
  const auto names = midi_inputs();
  std::size_t index = names.size();
  unsigned number = 0;
  const auto [end, error] = std::from_chars(port.data(), port.data() + port.size(), number);
  if (error == std::errc{} && end == port.data() + port.size()) index = std::min<std::size_t>(number, names.size());
  for (std::size_t i = names.size(); i-- > 0 && index == names.size();)
    if (names[i].find(port) != std::string::npos) index = i;
  if (index == names.size())
    throw InputError("midi-in",
                     names.empty()
                         ? fmt::format("--midi-in is \"{}\", but there is no MIDI input here", port)
                         : fmt::format("--midi-in is \"{}\", but must be one of: {}", port, fmt::join(names, ", ")));
  name_ = names[index];
  device_ = std::make_unique<Device>();
  device_->receive = std::move(receive);
  try {
    device_->in.setErrorCallback(silent);
    device_->in.setCallback(
        [](double since_last_s, std::vector<unsigned char>* message, void* user) {
          static_cast<Device*>(user)->receive(since_last_s, {message->data(), message->size()});
        },
        device_.get());
    device_->in.openPort(static_cast<unsigned>(index), "keys");
  } catch (const RtMidiError& e) {
    throw InputError("midi-in", fmt::format("--midi-in {}: {}", name_, e.getMessage()));
  }
}
#else
struct MidiIn::Device {};
std::vector<std::string> midi_inputs() { return {}; }
MidiIn::MidiIn(const std::string& port, Receive) {
  throw InputError("midi-in", fmt::format("--midi-in is \"{}\", but this jawari was built without RtMidi", port));
}
#endif

MidiIn::~MidiIn() = default;

}  // namespace jawari::cli
