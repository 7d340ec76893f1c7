// SPDX-License-Identifier: MIT
// What tests of batches share: a note over a barrier, and a sink that keeps everything.
#pragma once
#include <gtest/gtest.h>

#include <cstdint>
#include <initializer_list>
#include <span>
#include <vector>

#include "device/strings.h"
#include "engine/batch_player.h"
#include "jawari/engine/batch.h"

namespace jawari::test {

struct Kept {
  std::vector<std::vector<double>> sound;  // per pickup
  std::vector<Ledger> ledgers;
  std::vector<std::vector<double>> shapes;
  BatchEnd end;
  int ends = 0;
};

class Collect final : public BatchSink {
 public:
  Collect(std::size_t runs, std::size_t pickups) : runs(runs) {
    for (Kept& k : this->runs) k.sound.resize(pickups);
  }
  void sound(std::size_t run, std::size_t pickup, std::int64_t first, std::span<const double> samples) override {
    auto& to = runs[run].sound.at(pickup);
    ASSERT_LE(static_cast<std::size_t>(first), to.size());
    to.resize(static_cast<std::size_t>(first));
    to.insert(to.end(), samples.begin(), samples.end());
  }
  void reading(std::size_t run, std::int64_t number, const Ledger& ledger, std::span<const double> shapes) override {
    ASSERT_EQ(static_cast<std::size_t>(number), runs[run].ledgers.size());
    runs[run].ledgers.push_back(ledger);
    runs[run].shapes.emplace_back(shapes.begin(), shapes.end());
  }
  void end(std::size_t run, const BatchEnd& end) override {
    runs[run].end = end;
    ++runs[run].ends;
  }
  bool go_on(double share) override {
    EXPECT_GE(share, 0);
    EXPECT_LE(share, 1);
    return !ends_early;
  }
  std::vector<Kept> runs;
  bool ends_early = false;
};

inline Scene note() {
  Scene s = curved_barrier("bounded", 1e-3);
  s.duration_s = 0.02;
  s.quality = Quality::draft;
  return s;
}
inline std::vector<BatchValues> heights(std::initializer_list<double> values) {
  BatchValues v{"string.string.start.height_m", {}};
  for (const double h : values) v.values.emplace_back(h);
  return {v};
}
inline Collect play(const Batch& batch, const BatchOptions& options, warp::StringRunner* device = nullptr) {
  Collect sink(batch.runs(), batch.layout(options).pickups.size());
  BatchPlayer(batch, options, sink, {}).play(device);
  for (const Kept& k : sink.runs) EXPECT_EQ(k.ends, 1);
  return sink;
}

inline void expect_same(const Ledger& a, const Ledger& b) {
  const auto x = a.values(), y = b.values();
  for (std::size_t i = 0; i < x.size(); ++i) EXPECT_NEAR(x[i], y[i], 1e-12 * b.largest_J) << Ledger::names[i];
  EXPECT_LT(a.imbalance(), 1e-11);
}

}  // namespace jawari::test
