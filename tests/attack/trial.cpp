// SPDX-License-Identifier: MIT
#include "trial.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "dice.h"
#include "jawari/engine/engine.h"
#include "jawari/engine/failure.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"
#include "work.h"

namespace jawari::attack {
namespace {

using Tracks = std::vector<std::vector<double>>;  // [pickup][step]
constexpr double allowed = 1e-9;                  // of the largest energy
constexpr double faint_J = 1e-13;                 // at least: 1e-9 of it, 1e-22 J, is what the engine takes for silence

std::string say(const char* format, auto... values) {
  char text[300];
  std::snprintf(text, sizeof text, format, values...);
  return text;
}

/// Throws nothing; the first fault found stays.
struct Finding {
  Verdict verdict;
  bool fine() const { return verdict.fault == Fault::none; }
  bool goes_on() const { return fine() && !verdict.ended; }
  void found(Fault fault, std::string detail) {
    if (fine()) verdict.fault = fault, verdict.detail = std::move(detail);
  }
};

/// A complex root is announced for one scheme (docs/theory): no fault.
void failure(Finding& f, const System& system, const char* how) {
  const Failure& why = system.failure();
  const auto contacts = system.contacts();
  const bool contact = why.part == Failure::Part::contact && why.index < contacts.size();
  f.verdict.ended = true;
  if (why.why == Failure::Why::complex_root && contact && contacts[why.index].scheme == "taylor-strict") return;
  std::string detail = how;
  detail += ": " + system.failure_text();
  if (contact) detail += " (" + contacts[why.index].law + ", " + contacts[why.index].scheme + ")";
  f.found(why.why == Failure::Why::not_finite ? Fault::not_finite : Fault::unsettled, detail);
}

void accounts(Finding& f, const System& system, const char* how) {
  const Ledger& l = system.ledger();
  double worst = l.largest_J > 0 ? l.imbalance() * (l.largest_J / std::max(l.largest_J, faint_J)) : l.imbalance();
  std::string who = "all";
  for (const auto& a : system.accounts())
    if (const double share = std::abs(a.residual_J) / std::max(l.largest_J, faint_J); !(share <= worst))
      worst = share, who = a.name;
  if (!(worst <= f.verdict.imbalance)) f.verdict.imbalance = worst;
  if (!(worst <= allowed)) f.found(Fault::account, say("%s: %.2g of %.3g J, ", how, worst, l.largest_J) + who);
}

/// Step by step; the ledger after every step.
void step_reference(Finding& f, System& system, long steps, Tracks& tracks, bool changes) {
  const auto* world = dynamic_cast<const World*>(&system);
  std::optional<Work> work;
  if (world && changes) work.emplace(*world);
  std::vector<double> heard(tracks.size());
  double most_lost = 0, most_gained = 0, most_back = 0;
  long when_gained = 0, when_back = 0;
  for (long n = 0; n < steps && f.fine(); ++n) {
    system.step();
    if (system.failed()) return failure(f, system, "readable");
    system.hear(heard);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      tracks[i].push_back(heard[i]);
      if (!std::isfinite(heard[i])) f.found(Fault::not_finite, say("readable, step %ld, pickup %zu", n, i));
    }
    if (work)
      if (const auto what = work->look(*world); !what.empty()) f.found(Fault::work, say("step %ld, ", n) + what);
    const Ledger& l = system.ledger();
    const double more = l.stored_J() - l.start_J - l.injected_J, back = most_lost - l.dissipated_J;
    if (!(more <= most_gained)) most_gained = more, when_gained = n;
    if (!(back <= most_back)) most_back = back, when_back = n;
    most_lost = std::max(most_lost, l.dissipated_J);
  }
  if (!f.fine()) return;
  const double scale = std::max(system.ledger().largest_J, faint_J);
  if (!(most_gained <= allowed * scale))
    f.found(Fault::gain, say("readable, step %ld: %.3g J of %.3g J", when_gained, most_gained, scale));
  if (!(most_back <= allowed * scale))
    f.found(Fault::loss, say("readable, step %ld: %.3g J of %.3g J come back", when_back, most_back, scale));
  accounts(f, system, "readable");
}

/// Bit for bit.
void compare(Finding& f, Fault fault, const Tracks& a, const Tracks& b, const char* how) {
  const auto bits = [](double x) { return std::bit_cast<std::uint64_t>(x); };
  for (std::size_t i = 0; i < a.size() && f.fine(); ++i)
    for (std::size_t n = 0; n < a[i].size() && f.fine(); ++n)
      if (n >= b[i].size() || bits(a[i][n]) != bits(b[i][n]))
        f.found(fault,
                say("%s: pickup %zu, step %zu: %.17g and %.17g", how, i, n, a[i][n], n < b[i].size() ? b[i][n] : 0.0));
}

/// In random blocks; `looks`: some steps are taken one by one, and readings are looked at in between.
Tracks play(Finding& f, System& system, long steps, Dice& dice, bool looks, const char* how) {
  Tracks tracks(system.tracks(), std::vector<double>(static_cast<std::size_t>(steps)));
  std::vector<double*> at(tracks.size());
  std::vector<double> row(system.channels().size()), heard(tracks.size());
  for (long n = 0; n < steps && f.fine();) {
    if (looks && dice.percent(30)) {
      system.step(), system.hear(heard);
      for (std::size_t i = 0; i < heard.size(); ++i) tracks[i][static_cast<std::size_t>(n)] = heard[i];
      ++n;
    } else {
      const long block = std::min<long>(steps - n, dice.percent(50) ? dice.between(1, 20) : dice.between(1, 300));
      for (std::size_t i = 0; i < at.size(); ++i) at[i] = tracks[i].data() + n;
      const long taken = system.play(block, at.data());
      n += taken;
      if (taken < block || system.failed()) return failure(f, system, how), tracks;
    }
    if (looks) system.read(row);
  }
  return tracks;
}

void as_engine(Finding& f, const Scene& scene, long steps, Dice& dice, const Tracks& tracks) {
  Engine engine(scene, {.channels = 0, .threads = 1, .kernels = Kernels::exact});
  const long frames = steps / static_cast<long>(steps_per_sample(scene));
  Tracks out(engine.channels(), std::vector<double>(static_cast<std::size_t>(frames)));
  std::vector<double*> at(out.size());
  for (long n = 0; n < frames && f.fine();) {
    const long block = std::min<long>(frames - n, dice.between(1, 200));
    for (std::size_t i = 0; i < at.size(); ++i) at[i] = out[i].data() + n;
    engine.process(at.data(), static_cast<std::size_t>(block));
    if (engine.failed()) return f.found(Fault::unsettled, say("engine, frame %ld", n));
    for (const auto& channel : out)
      for (long k = n; k < n + block; ++k)
        if (!std::isfinite(channel[static_cast<std::size_t>(k)]))
          f.found(Fault::not_finite, say("engine, frame %ld", k));
    n += block;
  }
  if (steps_per_sample(scene) == 1) compare(f, Fault::trace, tracks, out, "readable and engine");
}

bool is_world(const System& system) { return dynamic_cast<const World*>(&system) != nullptr; }

void try_out(Finding& f, const std::string& text, std::uint64_t seed) {
  Dice dice(seed ^ 0x5bd1e995u);
  SceneFile file = parse_scene(text, "attack");
  file.scene.limits = {.memory_MB = 200, .setup_s = 2};
  const long steps = std::min<long>(step_count(file.scene), 6000);
  Tracks readable;
  {
    const auto system = compile(file, Kernels::off);
    readable.resize(system->tracks());
    const auto happens = [&](const char* what) { return text.find(what) != std::string::npos; };
    const bool changes = happens("do = \"set\"") && !happens("do = \"strike\"");  // a hammer begins its contact anew
    step_reference(f, *system, steps, readable, changes);
  }
  if (!f.goes_on()) return;
  bool world = true;
  {
    const auto system = compile(file, Kernels::exact);
    world = is_world(*system);
    system->audit_every(dice.percent(50) ? 1 : 0);
    const Tracks tracks = play(f, *system, steps, dice, false, "kernels");
    compare(f, Fault::exact, readable, tracks, "readable and kernels");
    if (auto* w = dynamic_cast<World*>(system.get()); w && f.fine()) w->audit();
    if (f.fine()) accounts(f, *system, "kernels");
  }
  if (f.fine() && dice.percent(30)) {
    const auto system = compile(file, Kernels::exact);
    const Tracks tracks = play(f, *system, steps, dice, true, "looks");
    compare(f, Fault::trace, readable, tracks, "readable and looks");
  }
  if (f.fine() && world && dice.percent(30)) as_engine(f, file.scene, steps, dice, readable);
  if (f.fine() && dice.percent(10)) {
    const auto system = compile(file, dice.percent(50) ? Kernels::fused : Kernels::single);
    for (const auto& track : play(f, *system, steps, dice, false, "fused or single"))
      for (const double x : track)
        if (!std::isfinite(x)) f.found(Fault::not_finite, "fused or single");
  }
}

}  // namespace

Verdict judge(const std::string& text, std::uint64_t seed) {
  Finding f;
  const double start = thread_cpu_s();
  try {
    try_out(f, text, seed);
  } catch (const Refusal& r) {
    const std::string sentence = r.what();
    f.found(sentence.size() > 20 ? Fault::refused : Fault::exception, sentence);
  } catch (const std::exception& e) {
    f.found(Fault::exception, e.what());
  } catch (...) {
    f.found(Fault::exception, "not a std::exception");
  }
  f.verdict.cpu_s = thread_cpu_s() - start;
  return f.verdict;
}

}  // namespace jawari::attack
