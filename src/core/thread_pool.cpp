// SPDX-License-Identifier: MIT
#include "jawari/core/thread_pool.h"

#include <algorithm>
#include <atomic>
#include <cstdint>
#include <semaphore>
#include <thread>
#include <vector>

#include "jawari/core/denormals.h"

namespace jawari {
namespace {

struct alignas(64) Share {             // a cache line each
  std::atomic<std::uint64_t> left{0};  // jobs from..to, two numbers in one
  std::size_t first = 0, count = 0;

  bool take(bool from_the_end, std::uint64_t& job) noexcept {
    constexpr std::uint64_t low = 0xffffffff;
    std::uint64_t now = left.load(std::memory_order_relaxed), next;
    do {
      const std::uint64_t from = now >> 32, to = now & low;
      if (from >= to) return false;
      job = from_the_end ? to - 1 : from;
      next = from_the_end ? now - 1 : now + (low + 1);
    } while (!left.compare_exchange_weak(now, next, std::memory_order_relaxed));
    return true;
  }
};

}  // namespace

struct ThreadPool::Workers {
  explicit Workers(std::size_t threads)
      : shares(threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency())) {
    for (std::size_t i = 1; i < shares.size(); ++i)
      list.emplace_back([this, i] {
        for (;;) {
          go.acquire();
          if (over) return;
          work(i);
          done.release();
        }
      });
  }
  ~Workers() {
    over = true;
    go.release(static_cast<std::ptrdiff_t>(list.size()));
    for (auto& w : list) w.join();
  }
  void work(std::size_t thread) noexcept {
    const FlushDenormals flushed;
    for (std::size_t t = 0; t < shares.size(); ++t) {
      Share& share = shares[(thread + t) % shares.size()];
      for (std::uint64_t next; share.take(t > 0, next);) {
        const std::size_t stage = next / share.count, at = next % share.count;
        call(job, share.first + (stage % 2 == 0 ? at : share.count - 1 - at), stage);
      }
    }
  }

  Call call = nullptr;
  const void* job = nullptr;
  std::vector<Share> shares;  // per thread
  std::atomic<bool> over{false};
  std::counting_semaphore<> go{0}, done{0};
  std::vector<std::thread> list;
};

std::size_t ThreadPool::most_threads() noexcept { return 64; }

ThreadPool::ThreadPool(std::size_t threads) : workers_(std::make_unique<Workers>(threads)) {}
ThreadPool::~ThreadPool() = default;

std::size_t ThreadPool::threads() const noexcept { return workers_->list.size() + 1; }

void ThreadPool::start(std::size_t count, std::size_t stages, Call call, const void* job) noexcept {
  Workers& w = *workers_;
  w.call = call;
  w.job = job;
  for (std::size_t t = 0; t < w.shares.size(); ++t) {
    Share& s = w.shares[t];
    s.first = count * t / w.shares.size();
    s.count = count * (t + 1) / w.shares.size() - s.first;
    s.left.store(s.count * stages, std::memory_order_relaxed);
  }
  const auto helpers = static_cast<std::ptrdiff_t>(std::min(w.list.size(), count > 0 ? count - 1 : 0));
  if (helpers > 0) w.go.release(helpers);
  w.work(0);
  for (std::ptrdiff_t i = 0; i < helpers; ++i) w.done.acquire();
}

}  // namespace jawari
