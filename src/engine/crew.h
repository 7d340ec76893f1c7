// SPDX-License-Identifier: MIT
// Threads that share the bodies of one group: loops over bodies that do not depend on each other, some ten thousand
// times a second.  Waking a thread takes longer than such a loop, so between open() and close(), a block
// of sound, helpers wait in a loop of their own; after some microseconds without work they offer their core at every
// turn.  Every thread has a share of its own, the same in every loop: its data stay in its cache.  A share that its
// thread has not begun when the leader is through with its own is taken by the leader.
// Allocates nothing after the constructor, takes no lock.
#pragma once
#include <atomic>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "jawari/core/thread_pool.h"

namespace jawari {

class Crew {
 public:
#ifdef __wasm__
  static constexpr bool possible = false;  ///< there is one thread
#else
  static constexpr bool possible = true;
#endif
  explicit Crew(std::size_t threads) : shares_(threads) {}
  std::size_t threads() const noexcept { return shares_.size(); }

  void open() noexcept { open_.store(true, std::memory_order_release); }  ///< by the leader, before others help
  void close() noexcept { open_.store(false, std::memory_order_release); }
  bool is_open() const noexcept { return open_.load(std::memory_order_relaxed); }

  /// f(0) ... f(threads - 1), each once; returns when all are done.  By the leader.
  template <class F>
  void each(const F& f) noexcept {
    call_ = [](const void* what, std::size_t share) noexcept { (*static_cast<const F*>(what))(share); };
    what_ = &f;
    const std::uint64_t turn = turn_.load(std::memory_order_relaxed) + 1;
    turn_.store(turn, std::memory_order_release);
    f(0);
    for (std::size_t i = 1; i < shares_.size(); ++i)
      if (take(i, turn)) {
        f(i);
        shares_[i].done.store(turn, std::memory_order_relaxed);
      }
    for (std::size_t i = 1; i < shares_.size(); ++i)
      wait([&] { return shares_[i].done.load(std::memory_order_acquire) == turn; });
  }

  /// Until close(): does share `thread` of every loop.
  void help(std::size_t thread) noexcept {
    std::uint64_t seen = 0;
    while (open_.load(std::memory_order_acquire)) {
      std::uint64_t turn = seen;
      wait([&] {
        turn = turn_.load(std::memory_order_acquire);
        return turn != seen || !open_.load(std::memory_order_relaxed);
      });
      if (turn != seen && take(thread, turn)) {
        call_(what_, thread);
        shares_[thread].done.store(turn, std::memory_order_release);
      }
      seen = turn;
    }
  }

 private:
  struct alignas(64) Share {  // a cache line each
    std::atomic<std::uint64_t> taken{0}, done{0};
  };
  /// Of the loop of this turn; false: another thread has it.
  bool take(std::size_t share, std::uint64_t turn) noexcept {
    std::uint64_t before = turn - 1;
    return shares_[share].taken.compare_exchange_strong(before, turn, std::memory_order_acq_rel);
  }
  template <class Ready>
  static void wait(const Ready& ready) noexcept {
    constexpr int patience = 4000;
    for (int i = 0; !ready(); ++i)
      if (i < patience)
        pause();
      else
        ThreadPool::yield();
  }
  static void pause() noexcept {
#if defined(__x86_64__) || defined(__i386__)
    __builtin_ia32_pause();
#elif defined(__aarch64__)
    asm volatile("yield");
#endif
  }

  alignas(64) std::atomic<std::uint64_t> turn_{0};
  std::atomic<bool> open_{false};
  void (*call_)(const void*, std::size_t) noexcept = nullptr;
  const void* what_ = nullptr;
  std::vector<Share> shares_;  // share 0 is the leader's
};

}  // namespace jawari
