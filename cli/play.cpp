// SPDX-License-Identifier: MIT
// jawari play SCENE: through the sound card, by PortAudio.  Scenes with [voice] are played live, by keys and MIDI.
#include <fmt/format.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <cmath>
#include <functional>
#include <optional>
#include <thread>

#include "commands.h"
#include "jawari/engine/engine.h"
#include "jawari/instrument/stage.h"
#include "jawari/io/scene_file.h"
#include "keyboard.h"
#include "live_events.h"
#include "live_sound.h"
#include "midi_in.h"
#include "options.h"
#include "quality_option.h"
#include "scenes.h"
#include "tuning_option.h"
#ifdef JAWARI_PORTAUDIO
#include <fcntl.h>
#include <poll.h>
#include <portaudio.h>
#include <termios.h>
#include <unistd.h>
#endif

namespace jawari::cli {
namespace {

struct Options {
  std::string scene, midi, below, midi_in, device, input;
  TuningOptions tuning;
  std::optional<double> gain, rate;
  std::optional<Quality> quality;
  int buffer = 0, voices = 0;
  bool devices = false;
};

/// Options and scene, checked alike with and without a sound card.
SceneFile checked(const Options& o) {
  if (o.scene.empty())
    throw InputError("scene", "play needs a preset or a scene: a file (TOML), or the name of a built-in one");
  check_gain(o.gain);
  check_rate(o.rate);
  check_option("--buffer", o.buffer, at_least(0), at_most(65536));
  check_option("--voices", o.voices, at_least(0), at_most(256));
  SceneFile file = open_scene(o.scene, o.below, First::preset);
  tuning_of(o.tuning);
  if (!o.midi.empty()) play_midi(file, o.midi, o.below);
  if (o.rate) use_rate(file, *o.rate);
  use_quality(file.scene, quality_of(file.scene, o.quality, Quality::draft));
  if (file.scene.voices.empty()) compile(file);  // errors with their line
  return file;
}

#ifdef JAWARI_PORTAUDIO
/// Before it is heard, silently, for the level: a sound in newtons has no full scale.
template <class Process>
double level(double frames, Process&& process) {
  std::vector<double> left(512), right(512);
  double* out[] = {left.data(), right.data()};
  double peak = 0;
  for (double n = 0; n < frames && process(out); n += 512)
    for (const auto* c : {&left, &right})
      for (const double x : *c) peak = std::max(peak, std::abs(x));
  return peak > 0 ? 0.7 / peak : 1;
}
double level(const Scene& scene) {
  Engine engine(scene, {.channels = 2});
  return level(std::min(scene.duration_s, 10.0) * scene.rate_hz, [&](double* const* out) {
    engine.process(out, 512);
    return !engine.failed();
  });
}
/// Three of its notes, hard.
double level(Instrument& instrument) {
  const VoiceSpec& spec = instrument.voiced().sets[0].spec;
  std::vector<NoteEvent> chord(3);
  for (std::size_t i = 0; i < chord.size(); ++i) {
    chord[i].key = std::floor(spec.lowest + (spec.highest - spec.lowest) * (0.3 + 0.2 * static_cast<double>(i)));
    chord[i].channel = static_cast<std::int8_t>(spec.channels.empty() ? 0 : spec.channels[0] - 1);
    chord[i].value = 0.9;
  }
  const double gain = level(instrument.rate_hz(), [&](double* const* out) {
    instrument.process(out, 512, chord);
    chord.clear();
    return !instrument.failed();
  });
  instrument.reset();
  return gain;
}

int fill(const void* input, void* output, unsigned long frames, const PaStreamCallbackTimeInfo*,
         PaStreamCallbackFlags flags, void* user) {
  static_cast<LiveSound*>(user)->fill(static_cast<const float* const*>(input), static_cast<float**>(output), frames,
                                      (flags & paOutputUnderflow) != 0);
  return paContinue;
}
/// PortAudio lists sound systems on stderr; what matters is said by us.
class Sound {
 public:
  Sound() {
    const int kept = ::dup(STDERR_FILENO), nowhere = ::open("/dev/null", O_WRONLY);
    ::dup2(nowhere, STDERR_FILENO);
    error = Pa_Initialize();
    card = error == paNoError && Pa_GetDefaultOutputDevice() != paNoDevice;
    ::dup2(kept, STDERR_FILENO);
    ::close(kept);
    ::close(nowhere);
  }
  ~Sound() {
    if (error == paNoError) Pa_Terminate();
  }
  PaError error;
  bool card = false;
};

using Devices = std::vector<std::pair<PaDeviceIndex, std::string>>;
Devices devices(int PaDeviceInfo::*most, int channels) {
  Devices list;
  for (PaDeviceIndex i = 0; i < Pa_GetDeviceCount(); ++i)
    if (const PaDeviceInfo* info = Pa_GetDeviceInfo(i); info && info->*most >= channels)
      list.emplace_back(i, info->name);
  return list;
}
Devices outputs() { return devices(&PaDeviceInfo::maxOutputChannels, 2); }
Devices captures(int channels) { return devices(&PaDeviceInfo::maxInputChannels, channels); }
PaDeviceIndex find_device(const std::string& option, const std::string& wanted, const Devices& list) {
  std::vector<std::string> names;
  for (const auto& [index, name] : list) {
    if (std::to_string(index) == wanted || name.find(wanted) != std::string::npos) return index;
    names.push_back(fmt::format("{}: {}", index, name));
  }
  throw InputError(option,
                   fmt::format("--{} is \"{}\", but must be one of: {}", option, wanted, fmt::join(names, ", ")));
}
PaDeviceIndex find_output(const std::string& wanted) {
  return wanted.empty() ? Pa_GetDefaultOutputDevice() : find_device("device", wanted, outputs());
}
PaDeviceIndex find_capture(const std::string& wanted, int channels) {
  const PaDeviceIndex usual = Pa_GetDefaultInputDevice();
  if (wanted.empty() && usual == paNoDevice)
    throw InputError("input",
                     "there is no device to capture sound from; render a file: jawari render SCENE --input FILE.wav");
  return wanted.empty() ? usual : find_device("input", wanted, captures(channels));
}

/// The sound card, while it lives.
class Stream {
 public:
  Stream(LiveSound& playing, const Options& o, double rate_hz) {
    const PaDeviceIndex device = find_output(o.device);
    const double latency_s = o.buffer > 0 ? o.buffer / rate_hz : 0.05;
    const PaStreamParameters out{device, 2, paFloat32 | paNonInterleaved, latency_s, nullptr};
    PaStreamParameters in{paNoDevice, static_cast<int>(playing.inputs()), out.sampleFormat, latency_s, nullptr};
    if (playing.inputs() > 0) in.device = find_capture(o.input, in.channelCount);
    const auto frames = o.buffer > 0 ? static_cast<unsigned long>(o.buffer) : paFramesPerBufferUnspecified;
    PaError error =
        Pa_OpenStream(&stream_, playing.inputs() > 0 ? &in : nullptr, &out, rate_hz, frames, paNoFlag, fill, &playing);
    if (error == paNoError) error = Pa_StartStream(stream_);
    if (error != paNoError)
      throw InputError(
          "play", fmt::format("the sound card refuses {:g} Hz: {}; give another --rate, or render to a file", rate_hz,
                              Pa_GetErrorText(error)));
    latency_s_ = Pa_GetStreamInfo(stream_)->outputLatency;
  }
  ~Stream() {
    Pa_StopStream(stream_);
    Pa_CloseStream(stream_);
  }
  Stream(const Stream&) = delete;
  Stream& operator=(const Stream&) = delete;
  double latency_s() const { return latency_s_; }

 private:
  PaStream* stream_ = nullptr;
  double latency_s_ = 0;
};

/// Characters as they are typed, without Enter, while it lives.
class RawTerminal {
 public:
  RawTerminal() {
    there_ = ::isatty(STDIN_FILENO) && ::tcgetattr(STDIN_FILENO, &before_) == 0;
    if (!there_) return;
    termios raw = before_;
    raw.c_lflag &= ~static_cast<tcflag_t>(ICANON | ECHO);
    ::tcsetattr(STDIN_FILENO, TCSANOW, &raw);
  }
  ~RawTerminal() {
    if (there_) ::tcsetattr(STDIN_FILENO, TCSANOW, &before_);
  }
  RawTerminal(const RawTerminal&) = delete;
  RawTerminal& operator=(const RawTerminal&) = delete;
  bool there() const { return there_; }
  /// Waits for one so long; 0: none came.
  char read(int wait_ms) const {
    pollfd in{STDIN_FILENO, POLLIN, 0};
    char c = 0;
    if (::poll(&in, 1, wait_ms) > 0 && ::read(STDIN_FILENO, &c, 1) == 1) return c;
    return 0;
  }

 private:
  termios before_ = {};
  bool there_ = false;
};

void complain(const LiveSound& sound, Console& console) {
  for (const auto& sentence : sound.complaints()) console.complain(sentence);
}

/// An instrument that is exchanged for another preset while it plays.
class LiveInstrument {
 public:
  LiveInstrument(const Options& o, const SceneFile& file)
      : options_(o), rate_hz_(file.scene.rate_hz), tuning_(tuning_of(o.tuning)) {
    auto first = build(file);
    inputs_ = first->engine().input().channels();
    gain_ = o.gain ? *o.gain : level(*first);
    tune(*first);
    voices_ = first->voices();
    stage_ = std::make_unique<Stage>(std::move(first));
    for (std::size_t i = 0; i < built_in_presets().size(); ++i)
      if (built_in_presets()[i].title() == file.name) preset_ = static_cast<int>(i);
  }
  LiveEvents& events() { return events_; }
  std::size_t inputs() const { return inputs_; }
  std::size_t voices() const { return voices_; }
  double gain() const { return gain_; }
  bool failed() const { return failed_; }
  std::string failure_text() const { return stage_->playing().failure_text(); }  ///< once nothing plays any more

  /// By the thread that plays.
  void process(float* const* out, std::size_t frames, SoundIn<float> in) noexcept {
    stage_->process(out, frames, events_.take(LiveEvents::Clock::now(), frames, rate_hz_), in);
    if (stage_->playing().failed()) failed_ = true;
  }
  /// Another preset, by how many further it is; returns what it is called.
  std::string step(int by) {
    const int count = static_cast<int>(built_in_presets().size());
    return use((std::max(preset_, by > 0 ? -1 : 0) + by + count) % count);
  }
  std::string use(int preset) {
    preset_ = preset;
    SceneFile file = open_preset(static_cast<std::size_t>(preset));
    use_rate(file, rate_hz_);
    use_quality(file.scene, quality_of(file.scene, options_.quality, Quality::draft));
    auto next = build(file);
    if (!options_.gain) gain_ = level(*next);
    tune(*next);
    stage_->exchange(std::move(next));
    return fmt::format("preset {}: {}", preset + 1, file.name);
  }
  void collect() { stage_->collect(); }

 private:
  std::unique_ptr<Instrument> build(const SceneFile& file) const {
    InstrumentOptions options;
    options.range.voices = options_.voices;
    try {
      return std::make_unique<Instrument>(file.scene, options);
    } catch (const InputError& e) {
      throw file.located(e);
    }
  }
  void tune(Instrument& instrument) const {
    if (tuning_) instrument.set_tuning(*tuning_);
  }
  const Options& options_;
  double rate_hz_, gain_ = 1;
  std::optional<KeyTuning> tuning_;
  std::unique_ptr<Stage> stage_;
  LiveEvents events_;
  std::size_t inputs_ = 0, voices_ = 0;
  int preset_ = -1;
  std::atomic<bool> failed_{false};
};

/// Keys, until Ctrl-C.
int play_live(const Options& o, const SceneFile& file, Console& console) {
  LiveInstrument instrument(o, file);
  LiveSound sound(
      [&](float* const* out, std::size_t frames, SoundIn<float> in) { instrument.process(out, frames, in); },
      instrument.inputs(), instrument.gain());
  LiveMidi midi(instrument.events());
  std::unique_ptr<MidiIn> input;
  if (!o.midi_in.empty())
    input = std::make_unique<MidiIn>(o.midi_in, [&](double since_last_s, std::span<const std::uint8_t> message) {
      midi.receive(since_last_s, message, LiveEvents::Clock::now());
    });
  auto stream = std::make_unique<Stream>(sound, o, file.scene.rate_hz);
  {
    const RawTerminal terminal;
    console.say(fmt::format("{}: {} voices, {:.0f} ms to the sound card{}{}; Ctrl-C ends", file.name,
                            instrument.voices(), 1000 * stream->latency_s(),
                            input ? ", MIDI from " + input->name() : "",
                            terminal.there() ? ", z s x d c ... and q 2 w 3 e ... are keys, < and > change the octave, "
                                               "[ and ] the preset"
                                             : ""));
    Keyboard keyboard;
    while (!interrupted() && !instrument.failed()) {
      const char c = terminal.there() ? terminal.read(20) : 0;
      if (!terminal.there()) std::this_thread::sleep_for(std::chrono::milliseconds(20));
      const auto now = Keyboard::Clock::now();
      if (const auto e = keyboard.press(c, now)) instrument.events().push(*e, now);
      for (const auto& e : keyboard.release(now)) instrument.events().push(e, now);
      const int program = midi.take_program();
      try {
        if (program >= 0 && program < static_cast<int>(built_in_presets().size())) console.say(instrument.use(program));
        if (c == '[' || c == ']') console.say(instrument.step(c == ']' ? 1 : -1));
      } catch (const InputError& e) {  // what plays goes on
        console.complain(e.what());
      }
      sound.set_gain(instrument.gain());
      instrument.collect();
    }
  }
  input.reset();
  stream.reset();
  complain(sound, console);
  if (!instrument.failed()) return success;
  console.complain(instrument.failure_text());
  return wrong_result;
}

int play(const Options& o, Console& console) {
  const Sound sound;
  if (o.devices) {
    for (const auto& [index, name] : outputs()) fmt::print("sound {}: {}\n", index, name);
    for (const auto& [index, name] : captures(1)) fmt::print("input {}: {}\n", index, name);
    const auto names = midi_inputs();
    for (std::size_t i = 0; i < names.size(); ++i) fmt::print("midi {}: {}\n", i, names[i]);
    return success;
  }
  const SceneFile file = checked(o);
  if (!sound.card)
    throw InputError(
        "play",
        fmt::format("there is no sound card here; render to a file instead: jawari render {} -o out.wav", o.scene));
  if (!file.scene.voices.empty()) return play_live(o, file, console);
  Engine engine(file.scene, {.channels = 2});
  LiveSound playing([&](float* const* out, std::size_t frames, SoundIn<float> in) { engine.process(out, frames, in); },
                    engine.input().channels(), o.gain ? *o.gain : level(file.scene));
  {
    const Stream stream(playing, o, file.scene.rate_hz);
    console.say(fmt::format("{}: {}", o.scene, quality_text(file.scene)));
    const auto begun = std::chrono::steady_clock::now();
    const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
    while (passed() < file.scene.duration_s + 0.1 && !interrupted()) {
      console.progress(passed() / file.scene.duration_s, o.scene);
      std::this_thread::sleep_for(std::chrono::milliseconds(50));
    }
  }
  complain(playing, console);
  if (!engine.failed()) return success;
  console.complain(engine.world().failure_text());
  return wrong_result;
}
#else
int play(const Options& o, Console&) {
  checked(o);
  throw InputError("play", fmt::format("this jawari was built without PortAudio; render to a file instead: "
                                       "jawari render {} -o out.wav",
                                       o.scene));
}
#endif

}  // namespace

void add_play(Command& app, Job& job) {
  auto command = app.add_subcommand("play", "Play a scene through the sound card");
  auto o = std::make_shared<Options>();
  command->add_option("scene", o->scene, "Preset, scene file (TOML) or built-in scene; with [voice] it is played live");
  command->add_flag("--devices", o->devices, "List sound cards, devices to capture from and MIDI inputs");
  command->add_option("--midi", o->midi, "MIDI file to play on the scene's [voice]");
  command->add_option("--midi-in", o->midi_in, "MIDI input, part of its name or its number");
  command->add_option("--device", o->device, "Sound card, part of its name or its number");
  command->add_option(
      "--input", o->input,
      "Device to capture from, where the scene has an excitation of type \"input\"; part of its name or its number");
  command->add_option("--buffer", o->buffer, "Frames per buffer of the sound card; 0: as it likes");
  command->add_option("--rate", o->rate, "Sample rate [Hz]; without it that of the scene");
  command->add_option("--voices", o->voices, "Notes that sound at once; 0: as the scene says");
  add_tuning(*command, o->tuning);
  command->add_option("--gain", o->gain, "Factor for the sound; without it the first seconds decide");
  add_quality(*command, o->quality, Quality::draft);
  add_below(*command, o->below);
  command->callback([&job, o] { job = [o](Console& console) { return play(*o, console); }; });
}

}  // namespace jawari::cli
