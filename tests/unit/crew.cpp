// SPDX-License-Identifier: MIT
// Threads that share the bodies of one group: every share once per loop, whichever thread takes it.
#include "engine/crew.h"

#include <gtest/gtest.h>

#include <thread>
#include <vector>

namespace jawari {
namespace {

TEST(Crew, DoesEveryShareOnceInEveryLoop) {
  for (const std::size_t threads : {1u, 2u, 3u, 5u}) {
    Crew crew(threads);
    ThreadPool pool(threads);
    for (const int loops : {0, 1, 2, 500}) {
      std::vector<int> times(threads, 0);  // plain numbers: a share is one thread's at a time
      std::vector<int> sums(threads, 0);
      crew.open();
      pool.run(threads, [&](std::size_t thread) noexcept {
        if (thread > 0) return crew.help(thread);
        for (int n = 0; n < loops; ++n) {
          crew.each([&](std::size_t share) { ++times[share]; });
          crew.each([&](std::size_t share) {  // what others have left in the loop before is there
            for (const int t : times) sums[share] += t == n + 1;
          });
        }
        crew.close();
      });
      for (std::size_t i = 0; i < threads; ++i) {
        EXPECT_EQ(times[i], loops);
        EXPECT_EQ(sums[i], loops * static_cast<int>(threads));
      }
    }
  }
}

TEST(Crew, RunsAloneWhereNoThreadHelps) {
  Crew crew(4);
  std::vector<int> times(4, 0);
  crew.open();
  for (int n = 0; n < 100; ++n) crew.each([&](std::size_t share) { ++times[share]; });
  crew.close();
  EXPECT_EQ(times, std::vector<int>(4, 100));
  crew.help(1);  // too late: returns
}

TEST(Crew, LetsThreadsJoinLate) {
  Crew crew(2);
  crew.open();
  std::vector<int> times(2, 0);
  std::vector<std::thread::id> id(2);
  for (int n = 0; n < 10; ++n) crew.each([&](std::size_t share) { ++times[share]; });
  std::thread late([&] { crew.help(1); });
  for (int n = 0; id[1] == std::thread::id() && n < 1000000; ++n) {
    crew.each([&](std::size_t share) {
      ++times[share];
      if (share == 1 && std::this_thread::get_id() != id[0]) id[1] = std::this_thread::get_id();
      if (share == 0) id[0] = std::this_thread::get_id();
    });
    if (id[1] == id[0]) id[1] = {};
    ThreadPool::yield();
  }
  crew.close();
  late.join();
  EXPECT_EQ(times[0], times[1]);
  EXPECT_NE(id[1], std::thread::id());
}

}  // namespace
}  // namespace jawari
