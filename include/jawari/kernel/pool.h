// SPDX-License-Identifier: MIT
// A few threads that wait asleep and share a list of independent jobs: strings of a chord, points of a sweep.
// Who does which job is chance; what a job computes is not, so results do not depend on the number of threads.
// Denormals are flushed for the jobs, on the caller's thread too, and only there.
#pragma once
#include <atomic>
#include <cstddef>
#include <semaphore>
#include <thread>
#include <vector>

namespace jawari {

class Pool {
 public:
  /// As many threads as asked for, the caller's among them; 0: as many as the machine has.  Allocates.
  explicit Pool(std::size_t threads = 0);
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  std::size_t threads() const noexcept { return workers_.size() + 1; }

  /// job(0) ... job(count - 1), each once, on any of the threads; returns when all are done.  job must not throw.
  /// One caller at a time.  Allocates nothing and takes no lock; waking and being woken are system calls.
  template <class Job>
  void run(std::size_t count, const Job& job) noexcept {
    start(count, [](const void* what, std::size_t i) noexcept { (*static_cast<const Job*>(what))(i); }, &job);
  }

 private:
  using Call = void (*)(const void*, std::size_t) noexcept;
  void start(std::size_t count, Call call, const void* job) noexcept;
  void work() noexcept;

  Call call_ = nullptr;
  const void* job_ = nullptr;
  std::size_t count_ = 0;
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> over_{false};
  std::counting_semaphore<> go_{0}, done_{0};
  std::vector<std::thread> workers_;
};

}  // namespace jawari
