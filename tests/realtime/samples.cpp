// SPDX-License-Identifier: MIT
// The same samples for every block size, number of threads, run and front end; accounts can be read during a run.
#include <gtest/gtest.h>

#include <atomic>
#include <chrono>
#include <cmath>
#include <cstring>
#include <thread>

#include "jawari/c_api.h"
#include "realtime/scenes.h"

namespace jawari {
namespace {

constexpr std::size_t length = 1024 + 4096;  // frames
constexpr std::size_t acts[] = {0, 1024};    // everything happens here

struct Heard {
  std::vector<double> left = std::vector<double>(length), right = std::vector<double>(length);
  bool operator==(const Heard& o) const {  // as bits: -0 differs from 0
    return std::memcmp(left.data(), o.left.data(), length * sizeof(double)) == 0 &&
           std::memcmp(right.data(), o.right.data(), length * sizeof(double)) == 0;
  }
};

Heard through_cpp(const Scene& scene, std::size_t block, int threads) {
  Engine engine(scene, {2, threads});
  Heard h;
  for (std::size_t at = 0; at < length;) {
    for (int round = 0; round < 2; ++round) {
      if (acts[round] != at) continue;
      for (const auto& [event, offset] : test::everything(engine.world(), round)) {
        EXPECT_TRUE(engine.send(event, offset));
      }
    }
    const std::size_t next = at < acts[1] ? acts[1] : length, n = std::min(block, next - at);
    double* out[] = {&h.left[at], &h.right[at]};
    engine.process(out, n);
    at += n;
  }
  EXPECT_FALSE(engine.failed());
  return h;
}

/// The same through the C interface; the events are those the C++ world would get.
Heard through_c(const std::string& text, const Scene& scene, std::size_t block) {
  jawari_options options;
  jawari_options_init(&options);
  options.channels = 2;
  jawari_engine* engine = nullptr;
  char error[200];
  Heard h;
  if (jawari_open(text.data(), text.size(), &options, &engine, error, sizeof error) != JAWARI_OK) {
    ADD_FAILURE() << error;
    return h;
  }
  Engine twin(scene, {2, 1});  // for the list of events; plays along, because their values depend on the state
  std::vector<double> twin_left(length), twin_right(length);
  for (std::size_t at = 0; at < length;) {
    for (int round = 0; round < 2; ++round) {
      if (acts[round] != at) continue;
      for (const auto& [e, offset] : test::everything(twin.world(), round)) {
        twin.send(e, offset);
        const int target = static_cast<int>(e.target), type = static_cast<int>(e.type);
        EXPECT_EQ(e.type == EventType::set ? jawari_set(engine, target, e.value, e.duration_s, offset)
                                           : jawari_send(engine, type, target, e.value, e.duration_s, offset),
                  JAWARI_OK);
      }
    }
    const std::size_t next = at < acts[1] ? acts[1] : length, n = std::min(block, next - at);
    double *out[] = {&h.left[at], &h.right[at]}, *twin_out[] = {&twin_left[at], &twin_right[at]};
    EXPECT_EQ(jawari_process_f64(engine, out, n), JAWARI_OK);
    twin.process(twin_out, n);
    at += n;
  }
  jawari_close(engine);
  return h;
}

TEST(Samples, DoNotDependOnBlocksThreadsRunsOrFrontEnd) {
  for (const auto& [name, text] : test::every_feature()) {
    const Scene scene = parse_scene(text, name).scene;
    const Heard first = through_cpp(scene, 4096, 1);
    double loudest = 0;
    for (const double x : first.left)
      if (!(std::abs(x) <= loudest)) loudest = std::abs(x);
    EXPECT_GT(loudest, 0) << name;
    EXPECT_TRUE(std::isfinite(loudest)) << name;
    EXPECT_TRUE(through_cpp(scene, 4096, 1) == first) << name << ", again";
    for (const std::size_t block : {1, 7, 64})
      EXPECT_TRUE(through_cpp(scene, block, 1) == first) << name << ", " << block;
    EXPECT_TRUE(through_cpp(scene, 64, 2) == first) << name << ", two threads";
    EXPECT_TRUE(through_cpp(scene, 4096, 2) == first) << name << ", two threads";
    EXPECT_TRUE(through_c(text, scene, 7) == first) << name << ", C";
  }
}

TEST(Samples, AreThoseOfFloatToo) {
  const auto scenes = test::every_feature();
  const Scene scene = parse_scene(scenes[0].text, "scene").scene;
  Engine wide(scene), narrow(scene);
  std::vector<double> a(1000);
  std::vector<float> b(1000);
  double* out_a[] = {a.data()};
  float* out_b[] = {b.data()};
  wide.process(out_a, 1000);
  narrow.process(out_b, 1000);
  for (std::size_t i = 0; i < a.size(); ++i) ASSERT_EQ(static_cast<float>(a[i]), b[i]);
}

/// Until a reading has begun and ended, whatever else the machine does.
void wait_for_readings(const std::atomic<long>& reads) {
  for (const long before = reads; reads < before + 2;) std::this_thread::yield();
}

/// A snapshot is of one moment: its parts fit one another although another thread plays.
TEST(Accounts, CanBeReadWhileItPlays) {
  const auto scenes = test::every_feature();
  for (const auto& [name, text] : {scenes[0], scenes[10]}) {
    Engine engine(parse_scene(text, name).scene, {1, 1});
    std::atomic<bool> stop{false};
    std::atomic<long> reads{0};
    long blocks = 0;
    std::thread player([&] {
      std::vector<double> block(64);
      double* out[] = {block.data()};
      for (; blocks < 1000; ++blocks) {
        engine.process(out, 64);
        if (blocks % 10 == 0) wait_for_readings(reads);
      }
      stop = true;
    });
    Snapshot s = engine.make_snapshot();
    double before = -1;
    long moments = 0;
    bool fits = true, forwards = true, last = false, read = true;
    do {
      last = stop;
      read = read && engine.snapshot(s);
      double sum = 0;
      for (const double x : s.stored_J) sum += x;
      // Accounts and ledger sum the same energies in another order.
      fits = fits && std::abs(sum - s.ledger.stored_J()) <= 1e-12 * s.ledger.largest_J;
      forwards = forwards && s.time_s >= before;
      moments += s.time_s > before;
      before = s.time_s;
      ++reads;
    } while (!last);
    player.join();
    EXPECT_TRUE(read && fits && forwards) << name;
    EXPECT_GT(reads, 100) << name;
    EXPECT_GT(moments, 20) << name;
    EXPECT_EQ(s.time_s, static_cast<double>(blocks * 64) / engine.rate_hz()) << name;
    EXPECT_LE(s.ledger.imbalance(), 1e-10) << name;
  }
}

/// What [audio], [control] and [reader] may do at the same time; the thread sanitizer watches this one (script/soak).
TEST(Threads, MayPlaySendAndReadAtOnce) {
  const auto scenes = test::every_feature();
  for (const auto& [name, text] : {scenes[0], scenes[9], scenes[10]}) {
    Engine engine(parse_scene(text, name).scene, {2, 2});
    const auto events = test::everything(engine.world(), 0);
    std::atomic<bool> stop{false};
    std::atomic<long> reads{0};
    std::thread player([&] {
      std::vector<double> left(256), right(256);
      double* out[] = {left.data(), right.data()};
      for (int i = 0; i < 40; ++i) {
        engine.process(out, i < 30 ? 256 : 100);
        if (i % 4 == 0) wait_for_readings(reads);
      }
      stop = true;
    });
    long sent = 0;
    std::thread hand([&] {
      do {
        for (const auto& [event, offset] : events) sent += engine.send(event, offset);
        std::this_thread::sleep_for(std::chrono::milliseconds(2));
      } while (!stop);
    });
    Snapshot s = engine.make_snapshot();
    long moments = 0;
    double before = -1;
    bool read = true;
    while (!stop) {
      read = read && engine.snapshot(s);
      moments += s.time_s > before;
      before = s.time_s;
      ++reads;
      std::this_thread::sleep_for(std::chrono::microseconds(100));
    }
    player.join();
    hand.join();
    EXPECT_TRUE(read) << name;
    EXPECT_GE(sent, static_cast<long>(events.size())) << name;
    EXPECT_GT(moments, 2) << name;
    EXPECT_FALSE(engine.failed()) << name;
  }
}

TEST(Accounts, OfAnotherEngineAreRefused) {
  const auto scenes = test::every_feature();
  Engine a(parse_scene(scenes[0].text, "a").scene), b(parse_scene(scenes[10].text, "b").scene);
  Snapshot s = a.make_snapshot();
  EXPECT_FALSE(b.snapshot(s));
}

}  // namespace
}  // namespace jawari
