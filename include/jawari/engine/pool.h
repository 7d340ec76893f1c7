// SPDX-License-Identifier: MIT
// Threads that wait for work without burning a core: run() hands out the numbers 0..count-1 and takes part itself.
// Waiting and waking are the system's futex; a pool of one thread makes no system call.
#pragma once
#include <atomic>
#include <cstddef>
#include <thread>
#include <vector>

namespace jawari {

class Pool {
 public:
  explicit Pool(std::size_t threads);  ///< 1: everything happens in run()
  ~Pool();
  Pool(const Pool&) = delete;
  Pool& operator=(const Pool&) = delete;

  using Work = void (*)(void* context, std::size_t index) noexcept;
  void run(Work work, void* context, std::size_t count) noexcept;  ///< returns when all is done

 private:
  void serve() noexcept;
  void take() noexcept;

  std::atomic<unsigned> round_{0}, busy_{0};
  std::atomic<std::size_t> next_{0};
  std::atomic<bool> stop_{false};
  Work work_ = nullptr;
  void* context_ = nullptr;
  std::size_t count_ = 0;
  std::vector<std::thread> threads_;
};

}  // namespace jawari
