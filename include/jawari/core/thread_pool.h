// SPDX-License-Identifier: MIT
// A pool of waiting threads for a list of independent jobs: strings of a chord, points of a sweep.
// Each thread begins with a share of its own, the same in every run, so that its data are still in its cache.  A thread
// without jobs takes some from the end of another share.  The assignment of jobs to threads is not deterministic; the
// results are, because jobs are independent.
// Denormals are flushed for the jobs, on the caller's thread too, and only there.
// A library built without JAWARI_THREADS has the caller's thread alone (most_threads is 1).
#pragma once
#include <cstddef>
#include <memory>

namespace jawari {

class ThreadPool {
 public:
  static std::size_t most_threads() noexcept;  ///< 64, or 1 without threads
  /// Number of threads, the caller's included; 0: as many as the machine has.  Allocates.
  explicit ThreadPool(std::size_t threads = 0);
  ~ThreadPool();
  ThreadPool(const ThreadPool&) = delete;
  ThreadPool& operator=(const ThreadPool&) = delete;

  std::size_t threads() const noexcept;

  /// job(0) ... job(count - 1), each once, on any of the threads; returns when all are done.  job must not throw.
  /// One caller at a time.  Allocates nothing and takes no lock; waking and being woken are system calls.
  template <class Job>
  void run(std::size_t count, const Job& job) noexcept {
    start(
        count, 1, [](const void* what, std::size_t i, std::size_t) noexcept { (*static_cast<const Job*>(what))(i); },
        &job);
  }
  /// job(i, stage), the stages of an i in any order or at once; in a share all first stages come before the second
  /// ones, and these run backwards: the data of the last job are still in the cache, and other threads take the jobs
  /// that began first.
  template <class Job>
  void run(std::size_t count, std::size_t stages, const Job& job) noexcept {
    start(
        count, stages,
        [](const void* what, std::size_t i, std::size_t stage) noexcept { (*static_cast<const Job*>(what))(i, stage); },
        &job);
  }

 private:
  using Call = void (*)(const void*, std::size_t, std::size_t) noexcept;
  void start(std::size_t count, std::size_t stages, Call call, const void* job) noexcept;

  struct Workers;
  std::unique_ptr<Workers> workers_;
};

}  // namespace jawari
