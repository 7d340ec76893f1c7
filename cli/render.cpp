// SPDX-License-Identifier: MIT
// jawari render SCENE... [-o out.wav] [--midi song.mid] [--trace out.csv|.npy|.json] [--report out.html]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <atomic>
#include <filesystem>
#include <mutex>
#include <optional>
#include <thread>

#include "commands.h"
#include "kernels_option.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/run.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/report.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/trace.h"

namespace jawari::cli {
namespace {

struct Options {
  std::vector<std::string> scenes;
  std::string output, trace, report, scheme, midi;
  std::optional<double> rate, duration, gain;
  std::string channels = "auto", format = "24";
  int jobs = 0;
  Kernels kernels = Kernels::exact;
  FilmChoice film;
};

template <class Enum>
Enum choice(const std::string& word, std::span<const std::string_view> names) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), word) - names.begin());
}

int render(const std::string& scene, const Options& o, Face& face) {
  SceneFile file = read_scene(scene);
  if (!o.midi.empty()) play_midi(file, o.midi);
  if (o.rate) file.scene.rate_hz = *o.rate;
  if (o.duration) file.scene.duration_s = *o.duration;
  if (!o.scheme.empty()) use_scheme(file.scene, {o.scheme});
  auto system = compile(file, o.kernels);
  if (o.trace.empty() && o.report.empty()) system->audit_every(64);
  Envelope envelope;
  StringFilm film(o.film);
  std::vector<RowSink*> sinks;
  std::unique_ptr<RowSink> trace;
  if (!o.trace.empty()) trace = make_trace(o.trace), sinks.push_back(trace.get());
  if (!o.report.empty()) sinks.push_back(&envelope), sinks.push_back(&film);
  const std::int64_t steps = step_count(file.scene);
  Run result = run(*system, steps, sinks, [&](std::int64_t done) {
    face.progress(static_cast<double>(done) / static_cast<double>(steps), scene);
    return !interrupted();
  });
  face.done();
  const double seconds = static_cast<double>(result.steps) * system->dt_s();
  if (system->failed()) {  // the sound up to there, then silence
    result.sound.resize(static_cast<std::size_t>(steps), 0.0);
    for (auto& t : result.tracks) t.resize(static_cast<std::size_t>(steps), 0.0);
  }
  if (!o.output.empty()) {
    const auto channels = mix(result, system->track_list(), choice<ChannelChoice>(o.channels, channel_names),
                              static_cast<std::size_t>(file.scene.oversample));
    const AudioFacts a = write_audio(o.output, channels, file.scene.rate_hz,
                                     {o.gain, choice<SampleFormat>(o.format, sample_format_names)});
    face.say(fmt::format("{}: {:.3g} s of sound, {} channel{}, peak {:.3g} before a gain of {:.3g}",
                         o.output == "-" ? "stdout" : o.output, seconds, channels.size(), channels.size() == 1 ? "" : "s",
                         a.peak, a.gain));
    if (a.clipped > 0)
      face.complain(fmt::format("{}: {} samples {}; lower --gain", o.output, a.clipped,
                                o.format == "float" ? "lie beyond full scale" : "are clipped"));
  }
  if (!o.trace.empty()) face.say(fmt::format("{}: {} rows", o.trace, result.steps));
  if (!o.report.empty()) {
    write_report(o.report, file, *system, result, envelope, film,
                 {choice<ChannelChoice>(o.channels, channel_names), o.gain});
    face.say(fmt::format("{}: report", o.report));
  }
  if (result.stopped) face.complain(fmt::format("interrupted after {:.3g} s; what was written is valid", seconds));
  const Ledger& l = system->ledger();
  face.say(
      fmt::format("energy: start {:.6g} J, dissipated {:.6g} J, injected {:.6g} J, account closes to {:.1e}; {:.3g} "
                  "times real time",
                  l.start_J, l.dissipated_J, l.injected_J, l.imbalance(), seconds / std::max(result.cpu_s, 1e-9)));
  int status = result.stopped ? trouble : success;
  static constexpr const char* words[] = {"note", "warning", "wrong"};
  for (const auto& v : judge(*system)) {
    if (v.severity == Severity::failure) status = wrong_result;
    const auto sentence = fmt::format("{}: {}", words[static_cast<int>(v.severity)], v.sentence);
    if (v.severity == Severity::note)
      face.say(sentence);
    else
      face.complain(sentence);
  }
  return status;
}

/// Several scenes: outputs are folders, and every scene leaves files of its own name there.
int render_all(const Options& o, Face& face) {
  if (o.scenes.size() == 1) return render(o.scenes[0], o, face);
  if (!o.trace.empty())
    throw Refusal("trace", fmt::format("trace is \"{}\", but it goes with one scene, not {}", o.trace, o.scenes.size()));
  const auto inside = [](const std::string& folder, const std::string& scene, const char* ending) {
    if (folder.empty()) return std::string();
    if (!std::filesystem::is_directory(folder))
      throw Refusal("output", fmt::format("{}: must be a folder that exists where several scenes are rendered", folder));
    return (std::filesystem::path(folder) / std::filesystem::path(scene).stem()).string() + ending;
  };
  std::vector<Options> each;
  for (const auto& scene : o.scenes) {
    each.push_back(o);
    each.back().output = inside(o.output, scene, ".wav"), each.back().report = inside(o.report, scene, ".html");
  }
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t jobs = std::min<std::size_t>(o.jobs > 0 ? static_cast<std::size_t>(o.jobs) : cores, o.scenes.size());
  std::atomic<std::size_t> next{0};
  std::atomic<int> worst{success};
  std::mutex talking;
  const auto work = [&] {
    for (std::size_t i = next++; i < o.scenes.size(); i = next++) {
      Face own = face;
      own.prefix(o.scenes[i] + ": ", &talking);
      int status = trouble;
      try {
        status = render(o.scenes[i], each[i], own);
      } catch (const Refusal& r) {
        own.complain(r.what()), status = refused;
      } catch (const std::exception& e) {
        own.complain(e.what());
      }
      for (int seen = worst; status > seen && !worst.compare_exchange_weak(seen, status);) {
      }
    }
  };
  std::vector<std::thread> threads;
  for (std::size_t i = 1; i < jobs; ++i) threads.emplace_back(work);
  work();
  for (auto& t : threads) t.join();
  return worst;
}

}  // namespace

void add_render(CLI::App& app, Job& job) {
  auto* command = app.add_subcommand("render", "Run scenes: sound, time series, report");
  auto o = std::make_shared<Options>();
  command->add_option("scene", o->scenes, "Scene files (TOML)")->required();
  command->add_option("-o,--output", o->output, "Sound file, .wav or .flac; - for a pipe; a folder for several scenes");
  command->add_option("--midi", o->midi, "MIDI file to play on the scene's [voice]");
  command->add_option("--channels", o->channels, "mono, stereo (panned pickups), split (one per pickup); auto by default")
      ->check(CLI::IsMember({"auto", "mono", "stereo", "split"}));
  command->add_option("--format", o->format, "Bits per sample: 16, 24 (default) or float")
      ->check(CLI::IsMember({"16", "24", "float"}));
  command->add_option("--trace", o->trace,
                      "Time series of every quantity and of the energy account, .csv, .npy or .json");
  command->add_option("--report", o->report, "Self-contained HTML page; a folder for several scenes");
  command->add_option("--rate", o->rate, "Sample rate instead of the scene's [Hz]");
  command->add_option("--duration", o->duration, "Length instead of the scene's [s]");
  command->add_option("--scheme", o->scheme, "Scheme for every contact instead of the scene's");
  command->add_option("--jobs", o->jobs, "Scenes rendered at once; by default one per core")->check(CLI::PositiveNumber);
  command->add_option("--film-from", o->film.from_s,
                      "Start of the close-up in the film of the report [s]; by itself at the first hard touch")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--film-length", o->film.length_s, "Length of that close-up [s]; 0.06 by default")
      ->check(CLI::PositiveNumber);
  add_kernels(*command, o->kernels);
  command->add_option("--gain", o->gain, "Factor for the sound; without it the peak is brought to -1 dB");
  command->callback([&job, o] { job = [o](Face& face) { return render_all(*o, face); }; });
}

}  // namespace jawari::cli
