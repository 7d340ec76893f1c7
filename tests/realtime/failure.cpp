// SPDX-License-Identifier: MIT
// A motion that fails: the block is silence from its first sample and is reported at once, every sample is finite, the
// failed part is named with step and reason, and reset() brings the engine back.
#include <gtest/gtest.h>

#include <algorithm>
#include <atomic>
#include <cmath>
#include <cstring>
#include <thread>

#include "jawari/c_api.h"
#include "jawari/engine/engine.h"
#include "jawari/engine/monitor.h"
#include "jawari/engine/run.h"
#include "jawari/io/scene_file.h"

namespace jawari {
namespace {

/// D17 Fig. 4 with a root that may be complex: fails in the impact at 0.03 s.  Beside it a string, in another group.
const std::string complex_root =
    "duration_s = 0.1\n[[mass]]\nname = \"ball\"\nmass_kg = 1.0\nposition_m = -0.5\nvelocity_m_s = 20.0\n"
    "[[contact]]\nname = \"hit\"\nbodies = [\"ball\", \"wall\"]\nheight_m = 0.1\nscheme = \"taylor-strict\"\n"
    "law = { type = \"power\", stiffness = 5e9, exponent = 1.3 }\n"
    "[[string]]\nname = \"s\"\nlength_m = 0.65\nfrequency_hz = 110.0\nradius_m = 0.0004\n"
    "start = { shape = \"pluck\", position_m = 0.2, height_m = 0.001 }\n"
    "[[pickup]]\nof = \"ball\"\nquantity = \"velocity\"\n[[pickup]]\nof = \"s\"\nposition_m = 0.1\n";

Scene failing() { return parse_scene(complex_root, "scene").scene; }

/// A string so far out that its velocity is too large for float32, or its energy for double.
Scene huge(double height_m) {
  Scene s;
  StringSpec t;
  t.name = "s";
  t.length_m = 0.65;
  t.frequency_hz = 110;
  t.radius_m = 4e-4;
  t.highest_hz = 500;
  t.start.shape = StartShape::function;
  t.start.displacement = [height_m](double x) { return height_m * x * (0.65 - x); };
  s.strings.push_back(t);
  s.pickups.push_back({.of = "s", .position_m = 0.3});
  return s;
}

struct Story {
  std::vector<double> sound;  ///< before the failure
  std::size_t failed_at = 0;  ///< first frame of the failing block
  std::vector<double> failing_block;
};
Story play(Engine& engine, std::size_t block) {
  Story story;
  std::vector<double> left(block);
  double* out[] = {left.data()};
  for (std::size_t n = 0; n < 8000; n += block) {
    std::fill(left.begin(), left.end(), 7.0);
    engine.process(out, block);
    if (engine.failed()) {
      story.failed_at = n;
      story.failing_block = left;
      break;
    }
    story.sound.insert(story.sound.end(), left.begin(), left.end());
  }
  return story;
}

TEST(Failing, BlocksAreSilentFromTheirFirstSampleAndSayWhere) {
  for (const std::size_t block : {std::size_t{1}, std::size_t{64}, std::size_t{100}, std::size_t{1000}})
    for (const int threads : {1, 2}) {
      SCOPED_TRACE(std::to_string(block) + " frames, threads " + std::to_string(threads));
      Engine engine(failing(), {.threads = threads});
      const Story story = play(engine, block);
      ASSERT_FALSE(story.failing_block.empty());
      for (const double x : story.sound) ASSERT_TRUE(std::isfinite(x));
      for (const double x : story.failing_block) EXPECT_EQ(x, 0.0);
      EXPECT_GE(story.sound.size(), 1000u);
      const Failure& f = engine.failure();
      EXPECT_EQ(f.why, Failure::Why::complex_root);
      EXPECT_EQ(f.part, Failure::Part::contact);
      EXPECT_EQ(f.first_step, f.last_step);
      EXPECT_GE(f.first_step, static_cast<std::int64_t>(story.failed_at));  // in this block, not in one before
      EXPECT_LT(f.first_step, static_cast<std::int64_t>(story.failed_at + block));
      const std::string text = engine.failure_text();
      EXPECT_NE(text.find("\"hit\""), std::string::npos) << text;
      EXPECT_NE(text.find("in step " + std::to_string(f.first_step)), std::string::npos) << text;
      Snapshot s = engine.make_snapshot();  // readers get it too
      ASSERT_TRUE(engine.snapshot(s));
      EXPECT_TRUE(s.failed);
      EXPECT_EQ(s.failure.first_step, f.first_step);
      EXPECT_TRUE(std::isfinite(s.ledger.stored_J()));
      for (const double x : play(engine, block).failing_block) EXPECT_EQ(x, 0.0);
    }
}

TEST(Failing, RunsEndWithTheLastGoodStep) {
  const auto by_blocks = compile_world(failing()), by_steps = compile_world(failing());
  struct Rows final : RowSink {
    long count = 0;
    void begin(const std::vector<std::string>&, double, std::int64_t) override {}
    void row(double, std::span<const double> values) override {
      for (const double x : values) EXPECT_TRUE(std::isfinite(x));
      ++count;
    }
  } rows;
  RowSink* sinks[] = {&rows};
  const jawari::Run blocks = run(*by_blocks, 4410), steps = run(*by_steps, 4410, sinks);
  ASSERT_TRUE(by_blocks->failed());
  ASSERT_TRUE(by_steps->failed());
  EXPECT_EQ(by_blocks->failure().first_step, by_steps->failure().first_step);
  EXPECT_EQ(blocks.steps, by_blocks->failure().first_step);
  EXPECT_EQ(steps.steps, blocks.steps);
  EXPECT_EQ(rows.count, steps.steps);
  EXPECT_EQ(blocks.sound, steps.sound);
  EXPECT_EQ(static_cast<long>(blocks.sound.size()), blocks.steps);
  for (const double x : blocks.sound) ASSERT_TRUE(std::isfinite(x));
  const auto verdicts = judge(*by_blocks);
  ASSERT_FALSE(verdicts.empty());
  EXPECT_EQ(verdicts[0].severity, Severity::failure);
  const std::string& said = verdicts[0].sentence;
  EXPECT_NE(said.find("in step " + std::to_string(blocks.steps)), std::string::npos) << said;
}

TEST(Failing, NumbersBeyondTheSampleFormatAreSilence) {
  Engine wide(huge(1e60)), narrow(huge(1e60));
  double sixty_four[64], *out64[] = {sixty_four};
  float thirty_two[64], *out32[] = {thirty_two};
  wide.process(out64, 64);
  narrow.process(out32, 64);
  EXPECT_FALSE(wide.failed());
  EXPECT_GT(std::abs(sixty_four[63]), 1e40);
  EXPECT_TRUE(narrow.failed());
  for (const float x : thirty_two) EXPECT_EQ(x, 0.0f);
  EXPECT_EQ(narrow.failure().part, Failure::Part::sound);
  EXPECT_NE(narrow.failure_text().find("not finite"), std::string::npos);
}

TEST(Failing, EnergiesBeyondAllNumbersNameTheBody) {
  for (const Kernels kernels : {Kernels::off, Kernels::exact, Kernels::fused}) {
    Engine engine(huge(2.5e153), {.kernels = kernels});  // finite, until the string is tuned up
    const World& world = engine.world();
    ASSERT_FALSE(engine.failed());
    ASSERT_TRUE(
        engine.send({EventType::retune, static_cast<std::uint32_t>(world.model().find_body("s")), 499, 0}, 600));
    const Story story = play(engine, 64);
    ASSERT_FALSE(story.failing_block.empty());
    for (const double x : story.failing_block) EXPECT_EQ(x, 0.0);
    EXPECT_GE(story.failed_at + 64, 600u);
    EXPECT_EQ(engine.failure().why, Failure::Why::not_finite);
    EXPECT_NE(engine.failure_text().find("\"s\" is not finite"), std::string::npos) << engine.failure_text();
  }
  Engine from_the_start(huge(1e200));
  EXPECT_TRUE(from_the_start.failed());
  EXPECT_EQ(from_the_start.failure().part, Failure::Part::body);
}

TEST(Failing, ResetBringsTheEngineBack) {
  Engine engine(failing()), fresh(failing());
  const Story first = play(engine, 64);
  ASSERT_TRUE(engine.failed());
  const auto parameter = static_cast<std::uint32_t>(engine.world().model().find_parameter("s.frequency_hz"));
  const double tuned = fresh.world().parameter(parameter);
  EXPECT_TRUE(engine.send({EventType::set, parameter, tuned * 0.9, 0}));
  engine.reset();
  EXPECT_FALSE(engine.failed());
  EXPECT_EQ(engine.failure_text(), "");
  Snapshot s = engine.make_snapshot();
  ASSERT_TRUE(engine.snapshot(s));
  EXPECT_FALSE(s.failed);
  EXPECT_EQ(s.time_s, 0.0);
  EXPECT_EQ(s.parameters[parameter], tuned);
  const Story again = play(engine, 64), reference = play(fresh, 64);
  EXPECT_EQ(again.sound, first.sound);  // the event that waited is forgotten
  EXPECT_EQ(again.sound, reference.sound);
  EXPECT_EQ(again.failed_at, first.failed_at);
}

TEST(Failing, ResetRestoresWhatWasTurned) {
  Scene scene = failing();
  scene.contacts[0].scheme = LawSpec{"two-point"};
  scene.oversample = 2;
  Engine engine(scene), fresh(scene);
  const auto parameter = static_cast<std::uint32_t>(engine.world().model().find_parameter("s.frequency_hz"));
  std::vector<double> a(300), b(300);
  double *out_a[] = {a.data()}, *out_b[] = {b.data()};
  EXPECT_TRUE(engine.send({EventType::set, parameter, 100, 0.01}, 10));
  engine.process(out_a, 300);
  engine.reset();
  for (int i = 0; i < 5; ++i) {
    engine.process(out_a, 300);
    fresh.process(out_b, 300);
    ASSERT_EQ(a, b);
  }
  EXPECT_EQ(engine.world().parameter(parameter), fresh.world().parameter(parameter));
}

/// One thread plays, one sends, one reads: the reader gets the failure with its complete sentence.
TEST(Threads, ReadersLearnOfAFailure) {
  jawari_engine* engine = nullptr;
  ASSERT_EQ(jawari_open(complex_root.data(), complex_root.size(), nullptr, &engine, nullptr, 0), JAWARI_OK);
  std::atomic<bool> done{false};
  std::string heard;
  std::thread reader([&] {
    char text[200];
    jawari_ledger ledger;
    for (int after = 0; heard.empty() && after < 100; after += done) {
      ledger.size = sizeof ledger;
      EXPECT_EQ(jawari_read_ledger(engine, &ledger), JAWARI_OK);
      const bool failed = jawari_failed(engine) == 1;
      const std::int64_t needed = jawari_failure(engine, text, sizeof text);
      EXPECT_EQ(needed, static_cast<std::int64_t>(std::strlen(text)) + 1);
      if (failed) heard = text;
    }
  });
  std::thread control([&] {
    const int parameter = jawari_find_parameter(engine, "s.frequency_hz");
    for (int i = 0; !done && i < 200; ++i) {
      const int sent = jawari_set(engine, parameter, 100 + i % 10, 0, 7);
      EXPECT_TRUE(sent == JAWARI_OK || sent == JAWARI_FULL || sent == JAWARI_FAILED);
      std::this_thread::yield();
    }
  });
  float block[64], *out[] = {block};
  int status = JAWARI_OK;
  for (int i = 0; i < 200 && status == JAWARI_OK; ++i) {
    status = jawari_process_f32(engine, out, 64);
    for (const float x : block) ASSERT_TRUE(std::isfinite(x));
  }
  EXPECT_EQ(status, JAWARI_FAILED);
  done = true;
  reader.join();
  control.join();
  EXPECT_NE(heard.find("\"hit\""), std::string::npos) << heard;
  EXPECT_EQ(jawari_reset(engine), JAWARI_OK);
  EXPECT_EQ(jawari_process_f32(engine, out, 64), JAWARI_OK);
  jawari_close(engine);
}

}  // namespace
}  // namespace jawari
