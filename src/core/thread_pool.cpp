// SPDX-License-Identifier: MIT
#include "jawari/core/thread_pool.h"

#include <algorithm>

#include "jawari/core/denormals.h"

namespace jawari {

ThreadPool::ThreadPool(std::size_t threads)
    : shares_(threads > 0 ? threads : std::max(1u, std::thread::hardware_concurrency())) {
  for (std::size_t i = 1; i < shares_.size(); ++i)
    workers_.emplace_back([this, i] {
      for (;;) {
        go_.acquire();
        if (over_) return;
        work(i);
        done_.release();
      }
    });
}

ThreadPool::~ThreadPool() {
  over_ = true;
  go_.release(static_cast<std::ptrdiff_t>(workers_.size()));
  for (auto& w : workers_) w.join();
}

bool ThreadPool::Share::take(bool from_the_end, std::uint64_t& job) noexcept {
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

void ThreadPool::work(std::size_t thread) noexcept {
  const FlushDenormals flushed;
  for (std::size_t t = 0; t < shares_.size(); ++t) {
    Share& share = shares_[(thread + t) % shares_.size()];
    for (std::uint64_t job; share.take(t > 0, job);) {
      const std::size_t stage = job / share.count, at = job % share.count;
      call_(job_, share.first + (stage % 2 == 0 ? at : share.count - 1 - at), stage);
    }
  }
}

void ThreadPool::start(std::size_t count, std::size_t stages, Call call, const void* job) noexcept {
  call_ = call;
  job_ = job;
  for (std::size_t t = 0; t < shares_.size(); ++t) {
    Share& s = shares_[t];
    s.first = count * t / shares_.size();
    s.count = count * (t + 1) / shares_.size() - s.first;
    s.left.store(s.count * stages, std::memory_order_relaxed);
  }
  const auto helpers = static_cast<std::ptrdiff_t>(std::min(workers_.size(), count > 0 ? count - 1 : 0));
  if (helpers > 0) go_.release(helpers);
  work(0);
  for (std::ptrdiff_t i = 0; i < helpers; ++i) done_.acquire();
}

}  // namespace jawari
