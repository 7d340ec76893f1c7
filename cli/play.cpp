// SPDX-License-Identifier: MIT
// jawari play SCENE: through the sound card, by PortAudio.
#include <fmt/format.h>

#include <algorithm>
#include <chrono>
#include <cmath>
#include <thread>

#include "commands.h"
#include "jawari/engine/engine.h"
#include "jawari/io/scene_file.h"
#include "options.h"
#include "quality_option.h"
#include "scenes.h"
#ifdef JAWARI_PORTAUDIO
#include <fcntl.h>
#include <portaudio.h>
#include <unistd.h>
#endif

namespace jawari::cli {
namespace {

struct Options {
  std::string scene, midi, below;
  std::optional<double> gain;
  std::optional<Quality> quality;
};

/// Options and scene, checked alike with and without a sound card.
SceneFile checked(const Options& o) {
  check_gain(o.gain);
  SceneFile file = open_scene(o.scene, o.below);
  if (!o.midi.empty()) play_midi(file, o.midi, o.below);
  use_quality(file.scene, quality_of(file.scene, o.quality, Quality::draft));
  compile(file);  // refusals with their line
  return file;
}

#ifdef JAWARI_PORTAUDIO
/// A short look ahead, silently, for the level: a sound in newtons has no full scale.
double level(const Scene& scene) {
  Engine engine(scene, {.channels = 2});
  std::vector<double> left(512), right(512);
  double* out[] = {left.data(), right.data()};
  double peak = 0;
  const double frames = std::min(scene.duration_s, 10.0) * scene.rate_hz;
  for (double n = 0; n < frames && !engine.failed(); n += 512) {
    engine.process(out, 512);
    for (const auto* c : {&left, &right})
      for (const double x : *c) peak = std::max(peak, std::abs(x));
  }
  return peak > 0 ? 0.7 / peak : 1;
}

struct Playing {
  Engine engine;
  float gain;
};
int fill(const void*, void* output, unsigned long frames, const PaStreamCallbackTimeInfo*, PaStreamCallbackFlags,
         void* user) {
  auto* playing = static_cast<Playing*>(user);
  auto** out = static_cast<float**>(output);
  playing->engine.process(out, frames);
  for (int c = 0; c < 2; ++c)
    for (unsigned long i = 0; i < frames; ++i) out[c][i] = std::clamp(playing->gain * out[c][i], -1.0f, 1.0f);
  return paContinue;
}
/// PortAudio looks for sound systems aloud, on stderr; what matters is said by us.
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

int play(const Options& o, Console& console) {
  const std::string& path = o.scene;
  const SceneFile file = checked(o);
  const Sound sound;
  if (!sound.card)
    throw InputError(
        "play",
        fmt::format("there is no sound card here; render to a file instead: jawari render {} -o out.wav", path));
  Playing playing{Engine(file.scene, {.channels = 2}), static_cast<float>(o.gain.value_or(level(file.scene)))};
  PaStream* stream = nullptr;
  PaStreamParameters out{Pa_GetDefaultOutputDevice(), 2, paFloat32 | paNonInterleaved, 0.05, nullptr};
  PaError error =
      Pa_OpenStream(&stream, nullptr, &out, file.scene.rate_hz, paFramesPerBufferUnspecified, paNoFlag, fill, &playing);
  if (error == paNoError) error = Pa_StartStream(stream);
  if (error != paNoError)
    throw InputError("play", fmt::format("the sound card refuses {:g} Hz: {}; render to a file instead",
                                         file.scene.rate_hz, Pa_GetErrorText(error)));
  console.say(fmt::format("{}: {}", path, quality_text(file.scene)));
  const auto begun = std::chrono::steady_clock::now();
  const auto passed = [&] { return std::chrono::duration<double>(std::chrono::steady_clock::now() - begun).count(); };
  while (passed() < file.scene.duration_s + 0.1 && !interrupted()) {
    console.progress(passed() / file.scene.duration_s, path);
    std::this_thread::sleep_for(std::chrono::milliseconds(50));
  }
  Pa_StopStream(stream);
  Pa_CloseStream(stream);
  if (!playing.engine.failed()) return success;
  console.complain(playing.engine.world().failure_text());
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
  command->add_option("scene", o->scene, "Scene file (TOML), or the name of a built-in scene")->required();
  command->add_option("--midi", o->midi, "MIDI file to play on the scene's [voice]");
  command->add_option("--gain", o->gain, "Factor for the sound; without it the first seconds decide");
  add_quality(*command, o->quality, Quality::draft);
  add_below(*command, o->below);
  command->callback([&job, o] { job = [o](Console& console) { return play(*o, console); }; });
}

}  // namespace jawari::cli
