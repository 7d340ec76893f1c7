// SPDX-License-Identifier: MIT
#include "jawari/engine/pool.h"

#include "jawari/core/realtime.h"

namespace jawari {

Pool::Pool(std::size_t threads) {
  for (std::size_t i = 1; i < threads; ++i) threads_.emplace_back([this] { serve(); });
}

Pool::~Pool() {
  stop_ = true, ++round_;
  round_.notify_all();
  for (auto& t : threads_) t.join();
}

void Pool::run(Work work, void* context, std::size_t count) noexcept {
  if (threads_.empty() || count < 2) {
    for (std::size_t i = 0; i < count; ++i) work(context, i);
    return;
  }
  work_ = work, context_ = context, count_ = count;
  next_ = 0, busy_ = static_cast<unsigned>(threads_.size());
  ++round_, round_.notify_all();
  take();
  for (unsigned left = busy_; left != 0; left = busy_) busy_.wait(left);  // nobody may still look at the job
}

void Pool::take() noexcept {
  for (std::size_t i = next_++; i < count_; i = next_++) work_(context_, i);
}

void Pool::serve() noexcept {
  const FlushTiny flush;
  for (unsigned seen = 0;; ++seen) {
    round_.wait(seen);
    if (stop_) return;
    take();
    if (--busy_ == 0) busy_.notify_one();
  }
}

}  // namespace jawari
