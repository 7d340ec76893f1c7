// SPDX-License-Identifier: MIT
#include "device/strings.h"

#include <gtest/gtest.h>

#include <cmath>
#include <cstdlib>

#include "engine/open_device.h"
#include "engine/pack_strings.h"
#include "jawari/body/string_grid.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/world.h"

namespace jawari::test {

Scene curved_barrier(const std::string& scheme, double height_m) {
  Scene s;
  StringSpec string;
  string.name = "string";
  string.length_m = 1;
  string.tension_N = 500;
  string.radius_m = 5e-4;
  string.start.shape = StartShape::pluck;
  string.start.position_m = 0.3;
  string.start.height_m = height_m;
  s.strings.push_back(string);
  BarrierSpec b;
  b.string = "string";
  b.shape = BarrierShape::parabola;
  b.height_m = -1e-4;
  b.centre_m = 0.2;
  b.curvature_1_m = 2e-3;
  b.law = {"power", {{"stiffness", 5e6}, {"exponent", 1.4}}};
  b.per_length = true;
  b.points_per_cell = 1;
  b.scheme = SchemeSpec{scheme};
  s.barriers.push_back(b);
  s.pickups.push_back({"heard", "string", Quantity::velocity, 0.77});
  return s;
}

ReferenceRun play_reference(const Scene& scene, std::int64_t steps) {
  const auto world = compile_world(scene, Kernels::off);
  world->audit_every(0);
  ReferenceRun run;
  run.sound.resize(world->pickup_count());
  std::vector<double> values(run.sound.size());
  for (std::int64_t n = 0; n < steps; ++n) {
    world->step();
    world->read_pickups(values);
    for (std::size_t p = 0; p < values.size(); ++p) run.sound[p].push_back(values[p]);
  }
  EXPECT_FALSE(world->failed()) << world->failure_text();
  world->audit();
  run.drift = world->ledger().imbalance();
  const auto& first = static_cast<const StringGrid&>(*world->instance().bodies[0].body);
  run.nodes = first.nodes();
  run.u.assign(first.w.begin(), first.w.begin() + static_cast<std::ptrdiff_t>(run.nodes));
  run.lost_J = first.lost.value();
  for (const auto& c : world->instance().contacts) {
    const ContactRecord& r = c.line->record;
    run.lines.push_back({c.line->lost.value(), static_cast<double>(r.touching_steps), static_cast<double>(r.impacts),
                         r.largest_force_N});
  }
  return run;
}

namespace {

class Collect final : public warp::StringSink {
 public:
  Collect(std::size_t strings, std::size_t reads, PlayedStrings& to) : reads_(reads), to_(to) {
    to_.sound.assign(strings, std::vector<std::vector<double>>(reads));
    to_.u.resize(strings);
    to_.progress.resize(strings);
    to_.sums.resize(strings);
  }
  void sound(std::size_t first, std::size_t count, std::int64_t, int steps, const float* single,
             const double* samples) override {
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t r = 0; r < reads_; ++r)
        for (std::size_t n = 0; n < static_cast<std::size_t>(steps); ++n) {
          const std::size_t at = (i * reads_ + r) * static_cast<std::size_t>(steps) + n;
          to_.sound[first + i][r].push_back(samples ? samples[at] : static_cast<double>(single[at]));
        }
  }
  void snapshot(std::size_t string, std::int64_t row, const warp::StringSnapshot& s) override {
    EXPECT_EQ(static_cast<std::size_t>(row), to_.u[string].size());
    to_.u[string].emplace_back(s.u.begin(), s.u.end());
  }
  void end(std::size_t string, const warp::StringProgress& progress, const warp::LaneSums& sums) override {
    to_.progress[string] = progress;
    to_.sums[string] = sums;
  }

 private:
  std::size_t reads_;
  PlayedStrings& to_;
};

}  // namespace

PlayedStrings play_strings(warp::StringRunner& runner, const std::vector<Scene>& scenes, std::int64_t steps,
                           warp::Precision precision, int snapshot_stride, bool accounts) {
  std::vector<warp::PackedString> strings;
  for (const Scene& s : scenes) {
    PackedModel packed = pack_strings(*compile_model(s), precision == warp::Precision::single);
    EXPECT_EQ(packed.why, "");
    if (!packed.why.empty()) return {};
    strings.push_back(std::move(packed.strings.at(0)));
  }
  warp::StringJob job;
  job.strings = strings;
  job.shape = warp::shape_for(strings[0].numbers.nodes);
  job.precision = precision;
  job.scheme = strings[0].scheme;
  job.reads = static_cast<int>(strings[0].reads.size());
  job.dt_s = strings[0].dt_s;
  job.steps = steps;
  job.accounts = accounts;
  job.double_sound = true;
  job.snapshot_stride = snapshot_stride;
  PlayedStrings played;
  Collect sink(strings.size(), strings[0].reads.size(), played);
  EXPECT_EQ(runner.play(job, sink), "");
  for (const auto& p : played.progress) EXPECT_EQ(p.failed_step, warp::no_step);
  return played;
}

CudaForTest cuda_for_test() {
  CudaForTest found;
  found.runner = open_cuda(found.why);
  const bool built = std::getenv("JAWARI_CUDA") != nullptr;
  const bool no_device = found.why.find("there is no CUDA device") != std::string::npos ||
                         found.why.find("has compute capability") != std::string::npos;
  found.fails = !found.runner && built && !no_device;
  return found;
}

}  // namespace jawari::test
