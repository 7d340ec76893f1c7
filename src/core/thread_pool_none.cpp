// SPDX-License-Identifier: MIT
// The pool of a library that was built without JAWARI_THREADS: the caller does all jobs, in the order of a pool of one.
#include "jawari/core/denormals.h"
#include "jawari/core/thread_pool.h"

namespace jawari {

struct ThreadPool::Workers {};

std::size_t ThreadPool::most_threads() noexcept { return 1; }

ThreadPool::ThreadPool(std::size_t) {}
ThreadPool::~ThreadPool() = default;

std::size_t ThreadPool::threads() const noexcept { return 1; }

void ThreadPool::start(std::size_t count, std::size_t stages, Call call, const void* job) noexcept {
  const FlushDenormals flushed;
  for (std::size_t stage = 0; stage < stages; ++stage)
    for (std::size_t i = 0; i < count; ++i) call(job, stage % 2 == 0 ? i : count - 1 - i, stage);
}

}  // namespace jawari
