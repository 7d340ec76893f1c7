// SPDX-License-Identifier: MIT
// jawari render SCENE... [-o out.wav] [--midi song.mid] [--trace out.csv|.npy|.json] [--report out.html]
#include "jawari/io/render.h"

#include <fmt/format.h>

#include <atomic>
#include <filesystem>
#include <map>
#include <mutex>
#include <optional>
#include <thread>

#include "commands.h"
#include "converge_option.h"
#include "jawari/engine/doubts.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/run.h"
#include "jawari/engine/sound_input.h"
#include "jawari/engine/work.h"
#include "jawari/io/atomic_file.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/trace.h"
#include "kernels_option.h"
#include "options.h"
#include "quality_option.h"
#include "scenes.h"

namespace jawari::cli {
namespace {

struct Options {
  std::vector<std::string> scenes;
  std::string output, trace, report, scheme, midi, input, below;
  std::optional<double> rate, duration, gain;
  std::string channels = "auto", format = "24";
  int jobs = 0;
  bool converge = false;
  Kernels kernels = Kernels::exact;
  std::optional<Quality> quality;
  RecorderOptions film;
};

template <class Enum>
Enum choice(const std::string& word, std::span<const std::string_view> names) {
  return static_cast<Enum>(std::find(names.begin(), names.end(), word) - names.begin());
}
AudioOptions audio_options(const Options& o) { return {o.gain, choice<SampleFormat>(o.format, sample_format_names)}; }

void check_numbers(const Options& o) {
  check_rate(o.rate);
  check_duration(o.duration);
  check_gain(o.gain);
  if (o.film.from_s != RecorderOptions{}.from_s)
    check_option("--film-from", o.film.from_s, at_least(0), at_most(86400), "s");
  check_option("--film-length", o.film.length_s, above(0), at_most(86400), "s");
}

/// What an option brought is the option's fault, not that of a line in the scene.
InputError blamed(const SceneFile& file, const Options& o, const InputError& r) {
  const std::string& path = r.path();
  const auto about = [&](std::string_view key) {
    return path == key ||
           (path.size() > key.size() && path.ends_with(key) && path[path.size() - key.size() - 1] == '.');
  };
  const auto option = [&](const std::string& said) {
    return InputError(path, fmt::format("{}: {}", said, r.sentence()), r.value(), r.allowed());
  };
  if (o.rate && about("rate_hz")) return option(fmt::format("--rate {:g}", *o.rate));
  if (o.duration && path == "duration_s") return option(fmt::format("--duration {:g}", *o.duration));
  if (!o.scheme.empty() && (about("scheme") || about("scheme.type")))
    return option(fmt::format("--scheme {}", o.scheme));
  return file.located(r);
}

/// A scene about to be played.
struct Prepared {
  SceneFile file;
  std::unique_ptr<System> system;
};

/// Two outputs may not be one file, and none may be the scene.
void check_distinct(const std::string& scene, const Options& o) {
  std::map<std::string, std::string> names;
  std::error_code error;
  const auto real = [&](const std::string& path) { return std::filesystem::weakly_canonical(path, error).string(); };
  if (std::filesystem::exists(scene, error)) names[real(scene)] = "the scene";
  for (const auto& [path, what] : {std::pair{&o.output, "output"}, {&o.trace, "trace"}, {&o.report, "report"}}) {
    if (path->empty() || *path == "-") continue;
    const auto [it, fresh] = names.emplace(real(*path), what);
    if (!fresh) throw InputError(what, fmt::format("{} is \"{}\", which is {} already", what, *path, it->second));
  }
}

void check_outputs(const std::string& scene, const Options& o, const Prepared& p) {
  check_distinct(scene, o);
  const double rate_hz = p.file.scene.rate_hz;
  if (!o.output.empty()) {
    const auto channels = channel_count(p.system->pickups(), choice<ChannelChoice>(o.channels, channel_names));
    const double frames = static_cast<double>(step_count(p.file.scene)) / steps_per_sample(p.file.scene);
    check_audio(o.output, channels, frames, rate_hz, audio_options(o));
  }
  if (!o.trace.empty()) check_trace(o.trace);
  if (!o.report.empty()) check_output(o.report);
}

/// All that can be refused is refused here, before the first step and the first file.
Prepared prepare(const std::string& scene, const Options& o) {
  Prepared p{open_scene(scene, o.below), nullptr};
  if (!o.midi.empty() && p.file.scene.voices.empty())  // the preset of that name, where there is one
    p.file = open_scene(scene, o.below, First::preset);
  Scene& s = p.file.scene;
  if (!o.midi.empty()) play_midi(p.file, o.midi, o.below);
  if (o.rate) use_rate(p.file, *o.rate);
  if (o.duration) s.duration_s = *o.duration;
  if (!o.scheme.empty()) use_scheme(s, {o.scheme});
  use_quality(s, quality_of(s, o.quality, Quality::standard));
  if (!o.input.empty()) set_input(s, at_rate(read_audio(o.input), s.rate_hz).channels);
  try {
    p.system = compile(s, o.kernels);
    check_length(s, *p.system);
    check_outputs(scene, o, p);
  } catch (const InputError& r) {
    throw blamed(p.file, o, r);
  }
  return p;
}

int render(const std::string& scene, const Options& o, Console& console) {
  const auto [file, system] = prepare(scene, o);
  for (const auto& sentence : doubts(file.scene, *system)) console.complain(fmt::format("warning: {}", sentence));
  const std::int64_t steps = step_count(file.scene);
  Rendering result = jawari::render(*system, file.scene, {o.trace, !o.report.empty(), o.film}, [&](std::int64_t done) {
    console.progress(static_cast<double>(done) / static_cast<double>(steps), scene);
    return !interrupted();
  });
  const Run& run = result.run;
  console.done();
  std::optional<Convergence> measured;
  if (o.converge && !run.stopped && !system->failed()) measured = measure(file.scene, console);
  const Convergence* known = measured ? &*measured : nullptr;
  const double seconds = result.played_s;
  if (system->failed()) result.fill(steps);  // the sound up to there, then silence
  if (!o.output.empty()) {
    const auto channels = result.channels(system->pickups(), choice<ChannelChoice>(o.channels, channel_names));
    const AudioFacts a = write_audio(o.output, channels, file.scene.rate_hz, audio_options(o));
    console.say(fmt::format("{}: {:.3g} s of sound, {} channel{}, {}, peak {:.3g} before a gain of {:.3g}",
                            o.output == "-" ? "stdout" : o.output, seconds, channels.size(),
                            channels.size() == 1 ? "" : "s", quality_text(file.scene), a.peak, a.gain));
    if (a.clipped > 0)
      console.complain(fmt::format("{}: {} samples {}; lower --gain", o.output, a.clipped,
                                   o.format == "float" ? "lie beyond full scale" : "are clipped"));
  }
  if (!o.trace.empty()) console.say(fmt::format("{}: {} rows", o.trace, run.steps));
  if (!o.report.empty()) {
    write_report(o.report, file, *system, result, {choice<ChannelChoice>(o.channels, channel_names), o.gain}, known);
    console.say(fmt::format("{}: report", o.report));
  }
  if (run.stopped) console.complain(fmt::format("interrupted after {:.3g} s; what was written is valid", seconds));
  const Ledger& l = system->ledger();
  const std::string unresolved =
      l.unresolved_J > 0 ? fmt::format(" ({:.3g} J of it to unresolved waves)", l.unresolved_J) : "";
  console.say(fmt::format(
      "energy: start {:.6g} J, dissipated {:.6g} J{}, injected {:.6g} J, account closes to {:.1e}; {:.3g} "
      "times real time",
      l.start_J, l.dissipated_J, unresolved, l.injected_J, l.imbalance(), seconds / std::max(run.cpu_s, 1e-9)));
  int status = run.stopped ? trouble : success;
  static constexpr const char* words[] = {"note", "warning", "wrong"};
  for (const auto& v : judge(file.scene, *system, known)) {  // worst first
    if (v.severity == Severity::failure) status = wrong_result;
    if (v.severity != Severity::failure && status == wrong_result) break;  // consequences of the failure
    const auto sentence = fmt::format("{}: {}", words[static_cast<int>(v.severity)], v.sentence);
    if (v.severity == Severity::note)
      console.say(sentence);
    else
      console.complain(sentence);
  }
  return status;
}

/// Several scenes: outputs are folders, and every scene leaves files of its own name there.
int render_all(const Options& o, Console& console) {
  check_numbers(o);
  if (o.scenes.size() == 1) return render(o.scenes[0], o, console);
  if (!o.trace.empty())
    throw InputError("trace",
                     fmt::format("trace is \"{}\", but it goes with one scene, not {}", o.trace, o.scenes.size()));
  const auto inside = [](const std::string& folder, const std::string& scene, const char* ending) {
    if (folder.empty()) return std::string();
    if (!std::filesystem::is_directory(folder))
      throw InputError("output",
                       fmt::format("{}: must be a folder that exists where several scenes are rendered", folder));
    return (std::filesystem::path(folder) / std::filesystem::path(scene).stem()).string() + ending;
  };
  std::vector<Options> each;
  std::map<std::string, std::string> stems;
  for (const auto& scene : o.scenes) {
    each.push_back(o);
    each.back().output = inside(o.output, scene, ".wav");
    each.back().report = inside(o.report, scene, ".html");
    const auto [first, fresh] = stems.emplace(std::filesystem::path(scene).stem().string(), scene);
    if (!fresh && !(o.output.empty() && o.report.empty()))
      throw InputError("output", fmt::format("{} and {} would be written to the same files; render them one by one",
                                             first->second, scene));
  }
  for (std::size_t i = 0; i < o.scenes.size(); ++i)
    prepare(o.scenes[i], each[i]);  // nothing is written if one is refused
  const unsigned cores = std::max(1u, std::thread::hardware_concurrency());
  const std::size_t jobs =
      std::min<std::size_t>(o.jobs > 0 ? static_cast<std::size_t>(o.jobs) : cores, o.scenes.size());
  std::atomic<std::size_t> next{0};
  std::atomic<int> worst{success};
  std::mutex talking;
  const auto work = [&] {
    for (std::size_t i = next++; i < o.scenes.size(); i = next++) {
      Console own = console;
      own.prefix(o.scenes[i] + ": ", &talking);
      int status = trouble;
      try {
        status = render(o.scenes[i], each[i], own);
      } catch (const InputError& r) {
        own.complain(r.what());
        status = refused;
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

void add_render(Command& app, Job& job) {
  auto command = app.add_subcommand("render", "Run scenes: sound, time series, report");
  auto o = std::make_shared<Options>();
  command->add_option("scene", o->scenes, "Scene files (TOML), or names of built-in scenes")->required();
  command->add_option("-o,--output", o->output, "Sound file, .wav or .flac; - for a pipe; a folder for several scenes");
  command->add_option("--midi", o->midi, "MIDI file to play on the scene's [voice]");
  command->add_option("--input", o->input,
                      "Sound file that pushes bodies where the scene has an excitation of type \"input\"");
  command
      ->add_option("--channels", o->channels, "mono, stereo (panned pickups), split (one per pickup); auto by default")
      ->one_of({"auto", "mono", "stereo", "split"});
  command->add_option("--format", o->format, "Bits per sample: 16, 24 (default) or float")
      ->one_of({"16", "24", "float"});
  command->add_option("--trace", o->trace,
                      "Time series of every quantity and of the energy account, .csv, .npy or .json");
  command->add_option("--report", o->report, "Self-contained HTML page; a folder for several scenes");
  command->add_option("--rate", o->rate, "Sample rate instead of the scene's [Hz]");
  command->add_option("--duration", o->duration, "Length instead of the scene's [s]");
  command->add_option("--scheme", o->scheme, "Scheme for every contact instead of the scene's");
  command->add_option("--jobs", o->jobs, "Scenes rendered at once; by default one per core")->positive();
  command->add_option("--film-from", o->film.from_s,
                      "Start of the close-up in the film of the report [s]; by itself at the first hard touch");
  command->add_option("--film-length", o->film.length_s, "Length of that close-up [s]; 0.06 by default");
  add_converge(*command, o->converge);
  add_kernels(*command, o->kernels);
  add_quality(*command, o->quality, Quality::standard);
  add_below(*command, o->below);
  command->add_option("--gain", o->gain,
                      "Factor for the sound; without it loudness is brought to -23 LUFS, the peak to -1 dB at most");
  command->callback([&job, o] { job = [o](Console& console) { return render_all(*o, console); }; });
}

}  // namespace jawari::cli
