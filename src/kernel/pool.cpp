// SPDX-License-Identifier: MIT
#include "jawari/kernel/pool.h"

#include <algorithm>

#include "jawari/core/denormals.h"

namespace jawari {

Pool::Pool(std::size_t threads) {
  if (threads == 0) threads = std::max(1u, std::thread::hardware_concurrency());
  for (std::size_t i = 1; i < threads; ++i)
    workers_.emplace_back([this] {
      for (;;) {
        go_.acquire();
        if (over_) return;
        work(), done_.release();
      }
    });
}

Pool::~Pool() {
  over_ = true, go_.release(static_cast<std::ptrdiff_t>(workers_.size()));
  for (auto& w : workers_) w.join();
}

void Pool::work() noexcept {
  const FlushDenormals flushed;
  for (std::size_t i = next_++; i < count_; i = next_++) call_(job_, i);
}

void Pool::start(std::size_t count, Call call, const void* job) noexcept {
  call_ = call, job_ = job, count_ = count, next_ = 0;
  const auto helpers = static_cast<std::ptrdiff_t>(std::min(workers_.size(), count > 0 ? count - 1 : 0));
  if (helpers > 0) go_.release(helpers);
  work();
  for (std::ptrdiff_t i = 0; i < helpers; ++i) done_.acquire();
}

}  // namespace jawari
