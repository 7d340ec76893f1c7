// SPDX-License-Identifier: MIT
// The core by itself: a scene made in C++ is checked, compiled and run, as a whole and in blocks; what the parts that
// were left out would do is refused with a sentence.
#include <algorithm>
#include <cmath>
#include <cstdio>
#include <optional>
#include <string>
#include <vector>

#include "jawari/core/thread_pool.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/engine.h"
#include "jawari/engine/run.h"
#include "jawari/engine/try_compile.h"
#include "jawari/io/input_file.h"

namespace {

int failures = 0;

void expect(bool holds, const char* what) {
  if (!holds) std::printf("does not hold: %s\n", what);
  failures += holds ? 0 : 1;
}

template <class Action>
std::string refused(Action&& action) {
  try {
    action();
  } catch (const jawari::InputError& error) {
    return error.what();
  }
  return "";
}

jawari::Scene ball() {
  jawari::Scene scene;
  scene.rate_hz = 48000;
  scene.duration_s = 0.01;
  scene.masses = {{.name = "ball", .mass_kg = 0.01, .position_m = -1e-3, .velocity_m_s = 2}};
  scene.contacts = {{.bodies = {"ball", "wall"}, .law = {"power", {{"stiffness", 1e8}, {"exponent", 1.5}}}}};
  return scene;
}

/// A plucked string over a barrier: kernels.
jawari::Scene string() {
  jawari::Scene scene;
  scene.duration_s = 0.05;
  jawari::StringSpec spec;
  spec.name = "string";
  spec.length_m = 1;
  spec.tension_N = 100;
  spec.density_kg_m = 1e-3;
  spec.start.shape = jawari::StartShape::pluck;
  spec.start.height_m = 0.002;
  spec.start.position_m = 0.3;
  scene.strings = {spec};
  jawari::BarrierSpec barrier;
  barrier.string = "string";
  barrier.height_m = -0.001;
  barrier.law = {"power", {{"stiffness", 1e9}, {"exponent", 1.5}}};
  scene.barriers = {barrier};
  return scene;
}

}  // namespace

int main() {
  const auto system = jawari::compile(ball());
  jawari::run(*system, jawari::step_count(ball()));
  std::vector<double> row(system->channels().size());
  system->read(row);
  expect(std::abs(row[1] + 2) < 1e-9, "a mass comes back from a wall with its speed");
  expect(system->ledger().imbalance() < 1e-12, "its energy account closes");
  std::vector<double> left(2400);
  double* out = left.data();
  jawari::Engine engine(string());
  engine.process(&out, 1000);
  out += 1000;
  engine.process(&out, left.size() - 1000);
  double loudest = 0;
  for (const double x : left) loudest = std::max(loudest, std::abs(x));
  expect(std::isfinite(loudest) && loudest > 0 && !engine.failed(), "a string over a barrier sounds");
  engine.sync();
  expect(engine.world().ledger().imbalance() < 1e-9, "the energy account of the string closes");
  expect(refused([] {
           auto scene = ball();
           scene.masses[0].mass_kg = -1;
           jawari::compile(scene);
         }).find("mass_kg") != std::string::npos,
         "a negative mass is refused by its name");
  auto wrong = ball();
  wrong.masses[0].mass_kg = -1;
  const auto rejected = jawari::try_compile(wrong);
  expect(!rejected && rejected.error && rejected.error->path().find("mass_kg") != std::string::npos,
         "try_compile returns what is rejected");
  expect(static_cast<bool>(jawari::try_compile(ball())), "try_compile returns a system");
  expect(!refused([] { jawari::read_input("/etc/hostname", 100); }).empty() || jawari::ThreadPool::most_threads() > 1,
         "a file is refused in a library without files");
  if (jawari::ThreadPool::most_threads() == 1)
    expect(refused([] { jawari::Engine(ball(), {.threads = 2}); }).find("lie in [1, 1]") != std::string::npos,
           "two threads are refused in a library without threads");
  jawari::Sources sources;
  sources.built_in = [](const std::string& name) { return std::optional<std::string>(name + "!"); };
  expect(sources.read("anything", 100) == "anything!", "a callback gives the bytes of files");
  std::printf(failures ? "%d checks failed\n" : "the core works by itself\n", failures);
  return failures ? 1 : 0;
}
