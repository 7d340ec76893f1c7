// SPDX-License-Identifier: MIT
// Memory that begins with a line of the cache.
#pragma once
#include <cstddef>
#include <new>

namespace jawari::kernel {

template <class Number>
struct Aligned {
  using value_type = Number;
  Aligned() = default;
  template <class Other>
  Aligned(const Aligned<Other>&) {}
  Number* allocate(std::size_t n) {
    return static_cast<Number*>(::operator new(n * sizeof(Number), std::align_val_t(64)));
  }
  void deallocate(Number* p, std::size_t) { ::operator delete(p, std::align_val_t(64)); }
  bool operator==(const Aligned&) const = default;
};

}  // namespace jawari::kernel
