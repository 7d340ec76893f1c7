// SPDX-License-Identifier: MIT
// Batches: the runs of a batch are single runs, wherever they are played.
#include "jawari/engine/batch.h"

#include <gtest/gtest.h>

#include <cmath>
#include <mutex>
#include <thread>

#include "device/batches.h"
#include "device/emulated_warp.h"
#include "device/strings.h"
#include "engine/batch_player.h"
#include "jawari/core/param.h"
#include "jawari/engine/compile.h"
#include "jawari/engine/decimate.h"
#include "jawari/engine/quality.h"
#include "jawari/engine/run.h"

namespace jawari {
namespace {

using namespace test;

TEST(ABatch, PlaysWhatSingleRunsPlay) {
  const Batch batch(note(), heights({1e-3, 2e-3, 3e-3}));
  for (const std::size_t threads : {1u, 3u}) {
    BatchOptions options;
    options.threads = threads;
    const Collect played = play(batch, options);
    for (std::size_t i = 0; i < batch.runs(); ++i) {
      const auto system = compile(batch.scene(i));
      system->audit_every(64);
      const jawari::Run one = run(*system, step_count(batch.scene(i)));
      EXPECT_EQ(played.runs[i].end.failure, "");
      EXPECT_EQ(played.runs[i].sound[0], one.sound);
      EXPECT_EQ(played.runs[i].end.ledger.values(), system->ledger().values());
      EXPECT_EQ(played.runs[i].end.contacts[0].impacts, static_cast<double>(system->contacts()[0].record.impacts));
      EXPECT_GT(played.runs[i].end.contacts[0].impacts, 0);
    }
    EXPECT_NE(played.runs[0].sound[0], played.runs[1].sound[0]);
  }
}

TEST(ABatch, OnADeviceHasTheSoundReadingsAndCountsOfTheProcessor) {
  Scene s = note();
  s.strings[0].sigma0_1_s = 2;
  s.barriers[0].law = {"hunt-crossley", {{"stiffness", 1e8}, {"exponent", 1.7}, {"mu", 1.0}}};
  const Batch batch(s, heights({1e-3, 2e-3, 1.5e-3, 3e-3}));
  BatchOptions options;
  options.every = 60;
  options.shapes = {"string"};
  const Collect here = play(batch, options);
  const Collect there = play(batch, options, emulated_runner().get());
  for (std::size_t i = 0; i < batch.runs(); ++i) {
    const Kept &a = there.runs[i], &b = here.runs[i];
    EXPECT_EQ(a.end.failure, "");
    EXPECT_EQ(a.end.device, BatchDevice::cuda) << a.end.why;
    EXPECT_EQ(b.end.device, BatchDevice::cpu);
    EXPECT_EQ(a.sound, b.sound);
    EXPECT_EQ(a.shapes, b.shapes);
    ASSERT_EQ(a.ledgers.size(), b.ledgers.size());
    ASSERT_EQ(a.ledgers.size(), static_cast<std::size_t>(batch.layout(options).readings));
    ASSERT_GT(a.ledgers.size(), 10u);
    for (std::size_t r = 0; r < a.ledgers.size(); ++r) expect_same(a.ledgers[r], b.ledgers[r]);
    EXPECT_GT(b.ledgers.back().dissipated_J, 0);
    const BatchContact &c = a.end.contacts[0], &d = b.end.contacts[0];
    EXPECT_EQ(c.impacts, d.impacts);
    EXPECT_EQ(c.touching_steps, d.touching_steps);
    EXPECT_EQ(c.largest_force_N, d.largest_force_N);
    EXPECT_NEAR(c.lost_J, d.lost_J, 1e-12 * d.lost_J);
    EXPECT_GT(d.lost_J, 0);
    EXPECT_EQ(c.deepest_m, d.deepest_m);
    EXPECT_GT(d.deepest_m, 0);
  }
}

TEST(ABatch, OnADeviceHasTheLedgerAtItsEndWithoutReadings) {
  const Batch batch(note(), heights({1e-3, 2e-3}));
  const Collect played = play(batch, {}, emulated_runner().get());
  for (const Kept& k : played.runs) {
    EXPECT_GT(k.end.ledger.stored_J(), 0);
    EXPECT_LT(k.end.ledger.imbalance(), 1e-11);
  }
}

TEST(ABatch, IsFilteredDownToTheRateOfTheScene) {
  const Batch batch(note(), heights({1e-3, 2e-3}), Quality::standard);
  ASSERT_GT(batch.layout().steps_per_sample, 1);
  const Collect here = play(batch, {});
  const Collect there = play(batch, {}, emulated_runner().get());
  for (std::size_t i = 0; i < batch.runs(); ++i) {
    const auto system = compile(batch.scene(i));
    const jawari::Run one = run(*system, step_count(batch.scene(i)));
    const auto factor = static_cast<std::size_t>(batch.layout().steps_per_sample);
    EXPECT_EQ(here.runs[i].sound[0], decimated(one.sound, factor));
    EXPECT_EQ(there.runs[i].sound[0], here.runs[i].sound[0]);
    EXPECT_EQ(static_cast<std::int64_t>(there.runs[i].sound[0].size()), batch.layout().samples);
  }
}

TEST(ABatch, KeepsTheSoundOnTheDevice) {
  BatchValues lengths = heights({1e-3, 2e-3, 1.5e-3, 2.5e-3})[0];
  BatchValues schemes{"barrier[0].scheme", {"bounded", "landing-two-point", "two-point", "bounded"}};
  BatchValues rates{"duration_s", {0.02, 0.02, 0.02, 0.01}};
  const Batch batch(note(), {lengths, schemes, rates});
  const Collect here = play(batch, {});
  for (const Kernels kernels : {Kernels::exact, Kernels::single}) {
    struct Stays final : BatchSink {
      void sound(std::size_t, std::size_t, std::int64_t, std::span<const double>) override { ADD_FAILURE(); }
      void sound_on_device(std::shared_ptr<DeviceArray> to) override { array = std::move(to); }
      void end(std::size_t, const BatchEnd& e) override { (e.failure.empty() ? played : failed) += 1; }
      std::shared_ptr<DeviceArray> array;
      int played = 0, failed = 0;
    } sink;
    BatchOptions options;
    options.sound_stays = true;
    options.kernels = kernels;
    const auto device = emulated_runner();
    BatchPlayer(batch, options, sink, {}).play(device.get());
    EXPECT_EQ(sink.played, 3);
    EXPECT_EQ(sink.failed, 1);
    ASSERT_EQ(sink.array->rows(), 4u);
    ASSERT_EQ(sink.array->is_double(), kernels == Kernels::exact);
    for (std::size_t i = 0; i < 4; ++i) {
      const std::vector<double>& sound = here.runs[i].sound[0];
      std::vector<double> row(sink.array->columns());
      std::vector<float> singles(row.size());
      sink.array->read(i, sink.array->is_double() ? static_cast<void*>(row.data()) : singles.data());
      if (!sink.array->is_double()) row.assign(singles.begin(), singles.end());
      double largest = 0;
      for (const double x : sound) largest = std::max(largest, std::abs(x));
      for (std::size_t n = 0; n < row.size(); ++n) {
        if (i == 3)
          EXPECT_TRUE(std::isnan(row[n]));
        else if (kernels == Kernels::exact)
          ASSERT_EQ(row[n], sound[n]) << "run " << i << ", sample " << n;
        else
          ASSERT_NEAR(row[n], sound[n], 1e-2 * largest) << "run " << i << ", sample " << n;
      }
    }
  }
  BatchOptions options;
  options.sound_stays = true;
  Collect sink(1, 1);
  EXPECT_THROW(batch.play(options, sink), InputError);
}

TEST(ABatch, OfSeveralStringsGoesToTheDeviceStringByString) {
  Scene s = note();
  Scene other = curved_barrier("two-point", 2e-3);
  other.strings[0].name = "other";
  other.strings[0].intervals = 60;
  other.barriers[0].string = "other";
  other.pickups[0] = {"elsewhere", "other", Quantity::displacement, 0.4};
  s.strings.push_back(other.strings[0]);
  s.barriers.push_back(other.barriers[0]);
  s.pickups.push_back(other.pickups[0]);
  const Batch batch(s, heights({1e-3, 2e-3, 2.5e-3}));
  BatchOptions options;
  options.every = 100;
  options.shapes = {"other", "string"};
  const Collect here = play(batch, options);
  const Collect there = play(batch, options, emulated_runner().get());
  for (std::size_t i = 0; i < batch.runs(); ++i) {
    EXPECT_EQ(there.runs[i].end.device, BatchDevice::cuda) << there.runs[i].end.why;
    EXPECT_EQ(there.runs[i].sound, here.runs[i].sound);
    EXPECT_EQ(there.runs[i].shapes, here.runs[i].shapes);
    ASSERT_EQ(there.runs[i].ledgers.size(), here.runs[i].ledgers.size());
    for (std::size_t r = 0; r < here.runs[i].ledgers.size(); ++r)
      expect_same(there.runs[i].ledgers[r], here.runs[i].ledgers[r]);
  }
}

TEST(ABatch, PlaysHereWhatADeviceDoesNotServeAndSaysWhy) {
  BatchValues schemes{"barrier[0].scheme", {"bounded", "landing-two-point", "bounded"}};
  const Batch batch(note(), {schemes});
  const Collect there = play(batch, {}, emulated_runner().get());
  const Collect here = play(batch, {});
  EXPECT_EQ(there.runs[0].end.device, BatchDevice::cuda);
  EXPECT_EQ(there.runs[0].end.why, "");
  EXPECT_EQ(there.runs[1].end.device, BatchDevice::cpu);
  EXPECT_NE(there.runs[1].end.why.find("landing-two-point"), std::string::npos) << there.runs[1].end.why;
  for (std::size_t i = 0; i < batch.runs(); ++i) EXPECT_EQ(there.runs[i].sound, here.runs[i].sound);
}

TEST(ABatch, EndsRunsThatCannotBePlayedWithASentence) {
  BatchValues lengths{"duration_s", {0.02, 0.01, -1.0}};
  const Batch batch(note(), {lengths});
  for (warp::StringRunner* device : {static_cast<warp::StringRunner*>(nullptr), emulated_runner().release()}) {
    const std::unique_ptr<warp::StringRunner> own(device);
    const Collect played = play(batch, {}, device);
    EXPECT_EQ(played.runs[0].end.failure, "");
    EXPECT_NE(played.runs[1].end.failure.find("the first run"), std::string::npos) << played.runs[1].end.failure;
    EXPECT_NE(played.runs[2].end.failure.find("duration_s"), std::string::npos) << played.runs[2].end.failure;
  }
}

/// A device on which the second string fails.
class Fails final : public warp::StringRunner {
 public:
  std::string name() const override { return "fails"; }
  bool serves(int scheme, warp::Precision p) const override { return own_->serves(scheme, p); }
  std::shared_ptr<DeviceArray> allocate(std::size_t rows, std::size_t columns, bool is_double) override {
    return own_->allocate(rows, columns, is_double);
  }
  std::string play(const warp::StringJob& job, warp::StringSink& sink) override {
    struct Second final : warp::StringSink {
      explicit Second(warp::StringSink& to) : to(to) {}
      void sound(std::size_t first, std::size_t count, std::int64_t step, int steps, const float* s,
                 const double* d) override {
        to.sound(first, count, step, steps, s, d);
      }
      void snapshot(std::size_t i, std::int64_t row, const warp::StringSnapshot& s) override {
        warp::StringSnapshot bad = s;
        if (i == 1 && row > 2) bad.lost_J = NAN;
        to.snapshot(i, row, bad);
      }
      void end(std::size_t i, const warp::StringProgress& p, const warp::LaneSums& sums) override {
        warp::StringProgress bad = p;
        if (i == 1) bad.failed_step = 100;
        to.end(i, bad, sums);
      }
      warp::StringSink& to;
    } second(sink);
    return own_->play(job, second);
  }

 private:
  std::unique_ptr<warp::StringRunner> own_ = emulated_runner();
};

TEST(ABatch, PlaysHereAgainWhatFailsOnADevice) {
  const Batch batch(note(), heights({1e-3, 2e-3, 3e-3}));
  Fails device;
  const Collect played = play(batch, {}, &device);
  const Collect here = play(batch, {});
  EXPECT_EQ(played.runs[1].end.device, BatchDevice::cpu);
  EXPECT_EQ(played.runs[1].end.why, "it failed on the device");
  EXPECT_EQ(played.runs[0].end.device, BatchDevice::cuda);
  for (std::size_t i = 0; i < 3; ++i) EXPECT_EQ(played.runs[i].sound, here.runs[i].sound);
}

TEST(ABatch, EndsWhenItIsTold) {
  for (warp::StringRunner* device : {static_cast<warp::StringRunner*>(nullptr), emulated_runner().release()}) {
    const std::unique_ptr<warp::StringRunner> own(device);
    const Batch batch(note(), heights({1e-3, 2e-3, 3e-3}));
    Collect sink(3, 1);
    sink.ends_early = true;
    BatchPlayer(batch, {}, sink, {}).play(device);
    for (const Kept& k : sink.runs) EXPECT_EQ(k.ends, 0);
  }
}

TEST(ABatch, RefusesWhatItCannotMean) {
  const auto sentence = [](auto&& action) -> std::string {
    try {
      action();
    } catch (const InputError& e) {
      return e.what();
    }
    return "";
  };
  std::vector<BatchValues> two = heights({1e-3, 2e-3});
  two.push_back({"rate_hz", {44100.0}});
  EXPECT_NE(sentence([&] { Batch(note(), two); }).find("rate_hz has 1 values"), std::string::npos);
  EXPECT_NE(sentence([&] { Batch(note(), {{"string.none.length_m", {1.0}}}); }), "");
  const Batch batch(note(), heights({1e-3}));
  BatchOptions options;
  options.shapes = {"plate"};
  EXPECT_NE(sentence([&] { (void)batch.layout(options); }).find("\"string\""), std::string::npos);
  options = {};
  options.every = -1;
  EXPECT_NE(sentence([&] { (void)batch.layout(options); }).find("every"), std::string::npos);
  Collect sink(1, 1);
  const std::size_t beyond[] = {1};
  EXPECT_NE(sentence([&] { batch.play({}, sink, beyond); }).find("runs is 1"), std::string::npos);
  EXPECT_NE(sentence([&] {
              (void)Batch(note(), {{"string.string.intervals", {100000}}}).layout();
            }).find("none of the 1 runs"),
            std::string::npos);
  EXPECT_NE(sentence([&] { Batch(note(), {{"duration_s", {-1.0, -2.0}}}); }).find("duration_s"), std::string::npos);
}

}  // namespace
}  // namespace jawari
