// SPDX-License-Identifier: MIT
// Events that wait for their time step, the earliest first and in the order of arrival where steps are equal: a binary
// heap of fixed capacity.  Push and pop take O(log n); nothing is allocated after the constructor.
#pragma once
#include <algorithm>
#include <cstddef>
#include <cstdint>
#include <vector>

#include "jawari/core/archive.h"
#include "jawari/engine/event.h"

namespace jawari {

struct TimedEvent {
  std::int64_t step = 0;
  Event event = {};
};

class EventQueue {
 public:
  static constexpr std::size_t capacity = 1024;
  EventQueue() { heap_.reserve(capacity); }
  EventQueue(const EventQueue& other) : arrived_(other.arrived_) {  // with the room of its own that push() counts on
    heap_.reserve(capacity);
    heap_.assign(other.heap_.begin(), other.heap_.end());
  }
  EventQueue(EventQueue&&) = default;
  EventQueue& operator=(EventQueue&&) = default;

  std::size_t size() const noexcept { return heap_.size(); }
  bool push(std::int64_t step, const Event& event) noexcept {  ///< false: full
    if (heap_.size() == capacity) return false;
    heap_.push_back({{step, event}, arrived_++});
    std::push_heap(heap_.begin(), heap_.end(), later);
    return true;
  }
  bool before(std::int64_t step) const noexcept { return !heap_.empty() && heap_.front().timed.step < step; }
  TimedEvent pop() noexcept {  ///< there must be one
    std::pop_heap(heap_.begin(), heap_.end(), later);
    const TimedEvent first = heap_.back().timed;
    heap_.pop_back();
    return first;
  }
  void clear() noexcept { heap_.clear(); }
  void archive(Archive& a) noexcept {
    std::size_t count = heap_.size();
    a.index(count, capacity);
    a(arrived_);
    if (a.counts()) return a.skip(capacity * sizeof(Entry));  // the most there can be
    heap_.resize(count);
    a(heap_);
  }
  /// Whether all that wait pass a test.
  template <class Test>
  bool all_of(Test&& test) const {
    return std::all_of(heap_.begin(), heap_.end(), [&](const Entry& e) { return test(e.timed.event); });
  }

 private:
  struct Entry {
    TimedEvent timed;
    std::uint64_t number;
  };
  static bool later(const Entry& a, const Entry& b) noexcept {
    return a.timed.step != b.timed.step ? a.timed.step > b.timed.step : a.number > b.number;
  }
  std::vector<Entry> heap_;
  std::uint64_t arrived_ = 0;
};

}  // namespace jawari
