// SPDX-License-Identifier: MIT
// Batches on a device, emulated or real: sound, energies and counts of the processor, strings that fall silent, waves,
// sound as float.
#include <gtest/gtest.h>

#include <algorithm>
#include <cstdlib>
#include <map>
#include <memory>
#include <optional>
#include <string>

#include "device/batches.h"
#include "device/emulated_warp.h"
#include "device/strings.h"
#include "engine/control.h"
#include "engine/pack_strings.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/run.h"

namespace jawari {
namespace {

using namespace test;

enum class On { emulated, cuda };

class ABatchOnADevice : public ::testing::TestWithParam<On> {
 protected:
  void SetUp() override {
    if (GetParam() == On::emulated) {
      runner_ = emulated_runner();
      return;
    }
    CudaForTest found = cuda_for_test();
    ASSERT_FALSE(found.fails) << found.why;
    if (!found.runner) GTEST_SKIP() << found.why;
    runner_ = std::move(found.runner);
  }
  std::unique_ptr<warp::StringRunner> runner_;
};
INSTANTIATE_TEST_SUITE_P(Warp, ABatchOnADevice, ::testing::Values(On::emulated, On::cuda),
                         [](const auto& test) { return test.param == On::emulated ? "Emulated" : "Cuda"; });

TEST_P(ABatchOnADevice, HasSoundReadingsAndCountsOfTheProcessor) {
  Scene s = note();
  s.strings[0].sigma0_1_s = 2;
  s.barriers[0].to_m = 0.5;
  BarrierSpec above = s.barriers[0];
  above.name = "above";
  above.above = true;
  above.height_m = 3e-4;
  above.curvature_1_m = 0.01;
  above.from_m = 0.55;
  above.to_m = 1;
  for (BarrierSpec* b : {&s.barriers[0], &above})
    b->law = {"hunt-crossley", {{"stiffness", 1e8}, {"exponent", 1.7}, {"mu", 1.0}}};
  s.barriers.push_back(above);
  const Batch batch(s, heights({1.5e-3, 2e-3, 1.8e-3}));
  BatchOptions options;
  options.every = 60;
  options.shapes = {"string"};
  const Collect here = play(batch, options), there = play(batch, options, runner_.get());
  for (std::size_t i = 0; i < batch.runs(); ++i) {
    const Kept &a = there.runs[i], &b = here.runs[i];
    EXPECT_EQ(a.end.device, BatchDevice::cuda) << a.end.why;
    EXPECT_EQ(a.sound, b.sound);
    EXPECT_EQ(a.shapes, b.shapes);
    ASSERT_EQ(a.ledgers.size(), b.ledgers.size());
    ASSERT_GT(a.ledgers.size(), 10u);
    for (std::size_t r = 0; r < a.ledgers.size(); ++r) expect_same(a.ledgers[r], b.ledgers[r]);
    ASSERT_EQ(a.end.contacts.size(), 2u);
    for (std::size_t c = 0; c < 2; ++c) {
      const BatchContact &x = a.end.contacts[c], &y = b.end.contacts[c];
      EXPECT_GT(y.impacts, 0) << c;
      EXPECT_EQ(x.impacts, y.impacts);
      EXPECT_EQ(x.touching_steps, y.touching_steps);
      EXPECT_EQ(x.largest_force_N, y.largest_force_N);
      EXPECT_EQ(x.deepest_m, y.deepest_m);
      EXPECT_GT(y.deepest_m, 0);
      EXPECT_NEAR(x.lost_J, y.lost_J, 1e-12 * y.lost_J);
      EXPECT_GT(y.lost_J, 0);
    }
  }
}

/// A string that is silent after some thousand steps: the pick-ups of the processor read zero from there on.
Scene damped(const std::string& scheme) {
  Scene s = curved_barrier(scheme, 1e-3);
  s.duration_s = 0.12;
  s.quality = Quality::draft;
  s.strings[0].intervals = 60;
  s.strings[0].sigma0_1_s = 300;
  s.pickups.push_back({"where", "string", Quantity::displacement, 0.31});
  s.pickups.push_back({"push", "string-barrier", Quantity::force});
  return s;
}

/// The number of samples after the last one that is not zero.
std::size_t silent_at_the_end(const std::vector<double>& sound) {
  std::size_t count = 0;
  while (count < sound.size() && sound[sound.size() - 1 - count] == 0) ++count;
  return count;
}

TEST_P(ABatchOnADevice, FallsSilentWithTheProcessor) {
  for (const char* scheme : {"bounded", "two-point", "quadratised"}) {
    // Below the string, at it, above it: at rest the last one pushes, and such a string never falls silent.
    BatchValues barriers{"barrier[0].height_m", {-1e-4, 0.0, 2e-4}};
    const Batch batch(damped(scheme), {barriers});
    for (const std::int64_t every : {0, 500}) {
      BatchOptions options;
      options.every = every;
      const Collect here = play(batch, options), there = play(batch, options, runner_.get());
      for (std::size_t i = 0; i < batch.runs(); ++i) {
        const Kept &a = there.runs[i], &b = here.runs[i];
        EXPECT_EQ(a.end.device, BatchDevice::cuda) << a.end.why;
        EXPECT_EQ(a.end.failure, "");
        for (std::size_t p = 0; p < 3; ++p) EXPECT_EQ(a.sound[p], b.sound[p]) << scheme << ", run " << i << ", " << p;
        EXPECT_EQ(a.end.contacts[0].impacts, b.end.contacts[0].impacts) << scheme << ", run " << i;
        EXPECT_EQ(a.end.contacts[0].touching_steps, b.end.contacts[0].touching_steps);
        ASSERT_EQ(a.ledgers.size(), b.ledgers.size());
        for (std::size_t r = 0; r < a.ledgers.size(); ++r) expect_same(a.ledgers[r], b.ledgers[r]);
      }
      const std::vector<double>& first = here.runs[0].sound[0];
      const std::size_t silent = silent_at_the_end(first);
      EXPECT_NE(here.runs[2].sound[1].back(), 0) << scheme;
      if (scheme == std::string("quadratised")) {  // its contact keeps energy for ever: it is not silent
        EXPECT_EQ(silent, 0u);
        continue;
      }
      EXPECT_GT(silent, 300u) << scheme;
      EXPECT_LT(silent, first.size() / 2) << scheme;
      EXPECT_EQ((first.size() - silent) % static_cast<std::size_t>(sleep_steps), 0u) << scheme;
    }
  }
}

/// Counts how strings come: sound of which first string, of how many.
class Counts final : public warp::StringSink {
 public:
  Counts(std::size_t strings, int reads) : sound_(strings), reads_(static_cast<std::size_t>(reads)) {}
  void sound(std::size_t first, std::size_t count, std::int64_t, int steps, const float* single,
             const double* samples) override {
    most_ = std::max(most_, count);
    for (std::size_t i = 0; i < count; ++i)
      for (std::size_t k = 0; k < reads_ * static_cast<std::size_t>(steps); ++k) {
        const std::size_t at = i * reads_ * static_cast<std::size_t>(steps) + k;
        sound_[first + i].push_back(samples ? samples[at] : static_cast<double>(single[at]));
      }
  }
  void snapshot(std::size_t string, std::int64_t, const warp::StringSnapshot& s) override {
    lost_[string] = s.lost_in_contact_J[1];
  }
  void end(std::size_t string, const warp::StringProgress&, const warp::LaneSums& sums) override {
    EXPECT_NEAR(lost_[string], sums.line[1].lost_J, 1e-12 * sums.line[1].lost_J) << "of the last row, and at the end";
    ++ends_;
  }
  std::vector<std::vector<double>> sound_;
  std::map<std::size_t, double> lost_;
  std::size_t reads_, most_ = 0, ends_ = 0;
};

TEST_P(ABatchOnADevice, PlaysMoreStringsThanItsMemoryHasRoomForInWaves) {
  std::vector<warp::PackedString> strings;
  for (int i = 0; i < 7; ++i) {
    Scene s = curved_barrier("bounded", 1e-3 + 2e-4 * i);
    s.strings[0].intervals = 90;
    s.barriers[0].to_m = 0.5;
    BarrierSpec other = s.barriers[0];
    other.name = "other";
    other.from_m = 0.6;
    other.to_m = 1;
    s.barriers.push_back(other);
    for (BarrierSpec& b : s.barriers) b.law = {"hunt-crossley", {{"stiffness", 1e8}, {"exponent", 1.7}, {"mu", 1.0}}};
    strings.push_back(pack_strings(*compile_model(s), false).strings.at(0));
  }
  warp::StringJob job;
  job.strings = strings;
  job.shape = warp::shape_for(strings[0].numbers.nodes);
  job.scheme = strings[0].scheme;
  job.reads = 1;
  job.dt_s = strings[0].dt_s;
  job.steps = 300;
  job.accounts = job.double_sound = true;
  job.snapshot_stride = 100;
  Counts at_once(7, 1), in_waves(7, 1);
  EXPECT_EQ(runner_->play(job, at_once), "");
  job.memory_bytes = 60000;
  EXPECT_EQ(runner_->play(job, in_waves), "");
  EXPECT_EQ(at_once.most_, 7u);
  EXPECT_LT(in_waves.most_, 4u);
  EXPECT_EQ(in_waves.ends_, 7u);
  EXPECT_GT(in_waves.lost_[6], 0);
  EXPECT_EQ(in_waves.sound_, at_once.sound_);
}

/// Takes floats alone.
class Singles final : public BatchSink {
 public:
  explicit Singles(std::size_t runs) : sound_(runs) {}
  void sound(std::size_t, std::size_t, std::int64_t, std::span<const double>) override { ++doubles_; }
  void sound(std::size_t run, std::size_t, std::int64_t first, std::span<const float> samples) override {
    ASSERT_EQ(static_cast<std::size_t>(first), sound_[run].size());
    sound_[run].insert(sound_[run].end(), samples.begin(), samples.end());
  }
  void end(std::size_t, const BatchEnd&) override {}
  std::vector<std::vector<float>> sound_;
  int doubles_ = 0;
};

TEST_P(ABatchOnADevice, HandsSoundOfDoublesOnAsFloat) {
  const Batch batch(note(), heights({1e-3, 2e-3}));
  BatchOptions options;
  options.single_sound = true;
  Singles sink(2);
  BatchPlayer(batch, options, sink, {}).play(runner_.get());
  EXPECT_EQ(sink.doubles_, 0);
  const Collect here = play(batch, {});
  for (std::size_t i = 0; i < 2; ++i) {
    const std::vector<double>& sound = here.runs[i].sound[0];
    EXPECT_EQ(sink.sound_[i], std::vector<float>(sound.begin(), sound.end()));
  }
}

TEST(ACudaDeviceForTests, IsAnErrorWhereItsComponentWasBuiltAndCannotBeLoaded) {
  const char* const before = std::getenv("JAWARI_CUDA");
  const std::optional<std::string> kept = before ? std::optional<std::string>(before) : std::nullopt;
  setenv("JAWARI_CUDA", "/nowhere/libjawari-cuda.so", 1);
  const CudaForTest built = cuda_for_test();
  EXPECT_TRUE(built.fails);
  EXPECT_NE(built.why.find("/nowhere"), std::string::npos) << built.why;
  unsetenv("JAWARI_CUDA");
  if (kept) setenv("JAWARI_CUDA", kept->c_str(), 1);
}

}  // namespace
}  // namespace jawari
