// SPDX-License-Identifier: MIT
#include "trial.h"

#include <bit>
#include <cmath>
#include <cstdio>
#include <optional>
#include <vector>

#include "crew.h"
#include "dice.h"
#include "jawari/engine/engine.h"
#include "jawari/engine/failure.h"
#include "jawari/engine/run.h"
#include "jawari/engine/work.h"
#include "jawari/io/scene_file.h"
#include "work.h"

namespace jawari::attack {
namespace {

using Tracks = std::vector<std::vector<double>>;  // [pickup][step]
constexpr double allowed = 1e-9;                  // of the largest energy
// Energies are read off a state of doubles.  A double step s that is the sum of large terms is known to eps times
// these, and the force that a response of slope b has there to |b| times that: in each step an account may move by
// eps terms (|f| + |b s|)/2 (ContactLine::note_rounding), and where a load acts by eps |load u| in all.  A sum of n
// terms rounds by about sqrt(n) eps, and points and modes that meet in one sum are some 64.  Of 200,000 random scenes
// 75 were off by more than 1e-9 of the largest energy: a mass held still by friction under a force (largest energy
// 1e-22 J, work kept from being done 1e-8 J a step), or a string of a gram metres deep in a barrier of 1e10 N/m,
// where f(s) has lost six digits.  All but two had moved by less than the plain sum of these bounds, most by a tenth
// of it.  Where bodies get forces wrong by 1e-6, 166 of 231 scenes are found.
constexpr double rounding_share = 8;

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
    if (fine()) {
      verdict.fault = fault;
      verdict.detail = std::move(detail);
    }
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

/// What residuals are measured by: energies of the whole run on the reference path.
struct Scale {
  double largest_J = faint_J, rounding_J = 0;
  double most_J() const { return allowed * largest_J + rounding_share * rounding_J; }
};

void accounts(Finding& f, const System& system, const Scale& scale, const char* how) {
  double worst = system.ledger().worst_residual_J;
  std::string part = "all";
  for (const auto& a : system.accounts())
    if (!(std::abs(a.residual_J) <= worst)) {
      worst = std::abs(a.residual_J);
      part = a.name;
    }
  if (!(worst / scale.largest_J <= f.verdict.imbalance)) f.verdict.imbalance = worst / scale.largest_J;
  if (!(worst <= allowed * scale.largest_J)) f.verdict.rounded = true;
  if (!(worst <= scale.most_J()))
    f.found(Fault::account, say("%s: %.2g of %.3g J, rounding %.2g J, ", how, worst / scale.largest_J, scale.largest_J,
                                scale.rounding_J) +
                                part);
}

/// Step by step; the ledger after every step.
Scale step_reference(Finding& f, System& system, long steps, Tracks& tracks, bool changes) {
  auto* world = dynamic_cast<World*>(&system);
  if (world) world->watch_rounding();
  std::optional<Work> work;
  if (world && changes) work.emplace(*world);
  std::vector<double> heard(tracks.size());
  double most_lost = 0, most_gained = 0, most_back = 0;
  long when_gained = 0, when_back = 0;
  for (long n = 0; n < steps && f.fine(); ++n) {
    system.step();
    if (system.failed()) {
      failure(f, system, "readable");
      return Scale{};
    }
    system.read_pickups(heard);
    for (std::size_t i = 0; i < heard.size(); ++i) {
      tracks[i].push_back(heard[i]);
      if (!std::isfinite(heard[i])) f.found(Fault::not_finite, say("readable, step %ld, pickup %zu", n, i));
    }
    if (work)
      if (const auto what = work->look(*world); !what.empty()) f.found(Fault::work, say("step %ld, ", n) + what);
    const Ledger& l = system.ledger();
    const double more = l.stored_J() - l.start_J - l.injected_J, back = most_lost - l.dissipated_J;
    if (!(more <= most_gained)) {
      most_gained = more;
      when_gained = n;
    }
    if (!(back <= most_back)) {
      most_back = back;
      when_back = n;
    }
    most_lost = std::max(most_lost, l.dissipated_J);
  }
  Scale scale{std::max(system.ledger().largest_J, faint_J), 0};
  for (const auto& a : system.accounts()) scale.rounding_J += a.rounding_J;
  if (!f.fine()) return scale;
  if (!(most_gained <= scale.most_J()))
    f.found(Fault::gain, say("readable, step %ld: %.3g J of %.3g J, rounding %.2g J", when_gained, most_gained,
                             scale.largest_J, scale.rounding_J));
  if (!(most_back <= scale.most_J()))
    f.found(Fault::loss, say("readable, step %ld: %.3g J of %.3g J come back, rounding %.2g J", when_back, most_back,
                             scale.largest_J, scale.rounding_J));
  accounts(f, system, scale, "readable");
  return scale;
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

/// In random blocks; `looks`: some steps are taken one by one, and readings are taken in between.
Tracks play(Finding& f, System& system, long steps, Dice& dice, bool looks, const char* how) {
  begin_play();
  Tracks tracks(system.pickup_count(), std::vector<double>(static_cast<std::size_t>(steps)));
  std::vector<double*> at(tracks.size());
  std::vector<double> row(system.channels().size()), heard(tracks.size());
  for (long n = 0; n < steps && f.fine();) {
    if (looks && dice.percent(30)) {
      system.step();
      system.read_pickups(heard);
      for (std::size_t i = 0; i < heard.size(); ++i) tracks[i][static_cast<std::size_t>(n)] = heard[i];
      ++n;
    } else {
      const long block = std::min<long>(steps - n, dice.percent(50) ? dice.between(1, 20) : dice.between(1, 300));
      for (std::size_t i = 0; i < at.size(); ++i) at[i] = tracks[i].data() + n;
      const long taken = system.play(block, at.data());
      n += taken;
      if (taken < block || system.failed()) {
        failure(f, system, how);
        return tracks;
      }
    }
    if (looks) system.read(row);
  }
  return tracks;
}

void as_engine(Finding& f, const Scene& scene, long steps, Dice& dice, const Tracks& tracks) {
  begin_play();
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
  // Of scenes whose length the checker announces, the beginning is judged.
  constexpr double shorter_s = 2;
  const double step_s = dense_step_s(dense_points(file.scene));
  long steps = std::min<long>(step_count(file.scene), 6000);
  if (step_s * static_cast<double>(steps) > announced_s) steps = static_cast<long>(std::max(2.0, shorter_s / step_s));
  Tracks readable;
  Scale scale;
  {
    const auto system = compile(file, Kernels::off);
    readable.resize(system->pickup_count());
    const auto happens = [&](const char* what) { return text.find(what) != std::string::npos; };
    const bool strikes = happens("do = \"strike\"") || happens("[voice]");  // a hammer begins its contact anew
    const bool changes = happens("do = \"set\"") && !strikes;
    scale = step_reference(f, *system, steps, readable, changes);
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
    if (f.fine()) accounts(f, *system, scale, "kernels");
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
  } catch (const InputError& r) {
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
