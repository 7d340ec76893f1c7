// SPDX-License-Identifier: MIT
#include "jawari/core/thread_pool.h"

#include <atomic>
#include <cmath>
#include <limits>
#include <memory>
#include <numbers>
#include <thread>
#include <vector>

#include "jawari/core/denormals.h"
#include "jawari/kernel/match.h"
#include "support/golden.h"

namespace jawari {
namespace {

TEST(ThreadPool, DoesEveryJobOnceAndCanBeUsedAgain) {
  for (const std::size_t threads : {1u, 2u, 5u}) {
    ThreadPool pool(threads);
    EXPECT_EQ(pool.threads(), threads);
    for (const std::size_t count : {0u, 1u, 2u, 3u, 100u, 1000u}) {
      std::vector<std::atomic<int>> times(count);
      pool.run(count, [&](std::size_t i) { ++times[i]; });
      for (const auto& t : times) ASSERT_EQ(t, 1);
    }
  }
}

TEST(ThreadPool, DoesEveryStageOfEveryJobOnceAlsoWhereOneThreadDoesItAll) {
  for (const std::size_t threads : {1u, 2u, 3u, 5u}) {
    ThreadPool pool(threads);
    for (const std::size_t count : {0u, 1u, 2u, 3u, 4u, 7u, 100u}) {
      std::vector<std::atomic<int>> times(3 * count);
      pool.run(count, 3, [&](std::size_t i, std::size_t stage) { ++times[3 * i + stage]; });
      for (const auto& t : times) ASSERT_EQ(t, 1);
    }
    // A thread that is held up keeps what it has begun; the others take the rest of its share.
    std::atomic<int> done = 0;
    pool.run(50, 2, [&](std::size_t i, std::size_t stage) {
      if (i == 0 && stage == 0 && threads > 1)
        while (done < 99) std::this_thread::yield();
      ++done;
    });
    EXPECT_EQ(done, 100);
  }
}

bool denormals_live() {
  volatile double tiny = std::numeric_limits<double>::min();
  return tiny / 4 > 0;
}

TEST(ThreadPool, FlushesDenormalsInJobsAndNowhereElse) {
  ASSERT_TRUE(denormals_live());
  ThreadPool pool(3);
  std::atomic<int> flushed = 0;
  pool.run(50, [&](std::size_t) { flushed += !denormals_live(); });
#if defined(__aarch64__) || defined(__SSE2__)
  EXPECT_EQ(flushed, 50);
#endif
  EXPECT_TRUE(denormals_live());
  {
    const FlushDenormals outer;
    { const FlushDenormals inner; }
#if defined(__aarch64__) || defined(__SSE2__)
    EXPECT_FALSE(denormals_live()) << "the inner one puts back what it found";
#endif
  }
  EXPECT_TRUE(denormals_live());
}

/// Six buzzing strings, 64 samples at a time, until contacts would have amplified a difference of one bit audibly.
std::vector<double> play(std::size_t threads, StringKernel::Arithmetic arithmetic) {
  const double dt_s = 1 / 44100.0;
  std::vector<std::unique_ptr<StringKernel>> strings;
  std::vector<double> end;
  for (int i = 0; i < 6; ++i) {
    const StringData data{.length_m = 0.65,
                          .tension_N = 40.0 + 10 * i,
                          .density_kg_m = 2e-3,
                          .bending_N_m2 = 1e-3,
                          .stretching_N = 0,
                          .sigma0_1_s = 1,
                          .sigma1_m2_s = 1e-3};
    const StringGrid body(data, {}, dt_s);
    const std::vector<double> offset(body.nodes(), -3e-4);
    const LawSpec law{"power", {{"stiffness", 1e9}, {"exponent", 1.5}}}, scheme{"bounded"};
    strings.push_back(kernel::match(body, {law, scheme, body.spacing_m(), 0, -1, offset}, arithmetic));
    std::vector<double> u(body.nodes()), d(body.nodes());
    for (std::size_t n = 0; n < u.size(); ++n) u[n] = 1e-3 * std::sin(std::numbers::pi * body.position_m(n) / 0.65);
    strings.back()->place(u, d);
  }
  ThreadPool pool(threads);
  for (int block = 0; block < 50; ++block) pool.run(strings.size(), [&](std::size_t i) { strings[i]->run(64); });
  for (const auto& s : strings) {
    EXPECT_GT(s->record().touching_steps, 100u);
    std::vector<double> u(200), d(200);
    s->read(u, d);
    end.insert(end.end(), u.begin(), u.end());
  }
  return end;
}

TEST(ThreadPool, SamplesDoNotDependOnTheNumberOfThreads) {
  for (const auto arithmetic :
       {StringKernel::Arithmetic::as_double, StringKernel::Arithmetic::fused, StringKernel::Arithmetic::single}) {
    const auto one = play(1, arithmetic);
    for (const std::size_t threads : {2u, 4u}) EXPECT_EQ(play(threads, arithmetic), one);
  }
}

}  // namespace
}  // namespace jawari
