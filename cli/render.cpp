// SPDX-License-Identifier: MIT
// jawari render SCENE [-o out.wav] [--trace out.csv|.npy|.json] [--report out.html]
#include <fmt/format.h>

#include <CLI/CLI.hpp>
#include <optional>

#include "commands.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/run.h"
#include "jawari/io/audio_file.h"
#include "jawari/io/report.h"
#include "jawari/io/scene_file.h"
#include "jawari/io/trace.h"

namespace jawari::cli {
namespace {

struct Options {
  std::string scene, output, trace, report, scheme;
  std::optional<double> rate, duration, gain;
  FilmChoice film;
};

int render(const Options& o, Face& face) {
  SceneFile file = read_scene(o.scene);
  if (o.rate) file.scene.rate_hz = *o.rate;
  if (o.duration) file.scene.duration_s = *o.duration;
  if (!o.scheme.empty()) use_scheme(file.scene, {o.scheme});
  auto system = compile(file);
  Envelope envelope;
  StringFilm film(o.film);
  std::vector<RowSink*> sinks;
  std::unique_ptr<RowSink> trace;
  if (!o.trace.empty()) trace = make_trace(o.trace), sinks.push_back(trace.get());
  if (!o.report.empty()) sinks.push_back(&envelope), sinks.push_back(&film);
  const long steps = step_count(file.scene);
  const Run result = run(*system, steps, sinks, [&](long done) {
    face.progress(static_cast<double>(done) / static_cast<double>(steps), o.scene);
    return !interrupted();
  });
  face.done();
  if (!o.output.empty()) {
    const AudioFacts a = write_audio(o.output, result.sound, file.scene.rate_hz, {o.gain});
    face.say(fmt::format("{}: {:.3g} s of sound, peak {:.3g} before a gain of {:.3g}", o.output,
                         static_cast<double>(result.steps) / file.scene.rate_hz, a.peak, a.gain));
    if (a.clipped > 0) face.complain(fmt::format("{}: {} samples are clipped; lower --gain", o.output, a.clipped));
  }
  if (!o.trace.empty()) face.say(fmt::format("{}: {} rows", o.trace, result.steps));
  if (!o.report.empty())
    write_report(o.report, file, *system, result, envelope, film), face.say(fmt::format("{}: report", o.report));
  if (result.stopped)
    face.complain(fmt::format("interrupted after {:.3g} s; what was written is valid", system->time_s()));
  const Ledger& l = system->ledger();
  face.say(
      fmt::format("energy: start {:.6g} J, dissipated {:.6g} J, injected {:.6g} J, account closes to {:.1e}; {:.3g} "
                  "times real time",
                  l.start_J, l.dissipated_J, l.injected_J, l.imbalance(),
                  static_cast<double>(result.steps) / file.scene.rate_hz / std::max(result.cpu_s, 1e-9)));
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

}  // namespace

void add_render(CLI::App& app, Job& job) {
  auto* command = app.add_subcommand("render", "Run a scene: sound, time series, report");
  auto o = std::make_shared<Options>();
  command->add_option("scene", o->scene, "Scene file (TOML)")->required();
  command->add_option("-o,--output", o->output, "Sound file, .wav or .flac");
  command->add_option("--trace", o->trace,
                      "Time series of every quantity and of the energy account, .csv, .npy or .json");
  command->add_option("--report", o->report, "Self-contained HTML page");
  command->add_option("--rate", o->rate, "Sample rate instead of the scene's [Hz]");
  command->add_option("--duration", o->duration, "Length instead of the scene's [s]");
  command->add_option("--scheme", o->scheme, "Scheme for every contact instead of the scene's");
  command->add_option("--film-from", o->film.from_s, "Start of the close-up in the films of the report [s]; by itself at the hardest touch")
      ->check(CLI::NonNegativeNumber);
  command->add_option("--film-length", o->film.length_s, "Length of that close-up [s]; 0.06 by default")
      ->check(CLI::PositiveNumber);
  command->add_option("--gain", o->gain, "Factor for the sound; without it the peak is brought to -1 dB");
  command->callback([&job, o] { job = [o](Face& face) { return render(*o, face); }; });
}

}  // namespace jawari::cli
