// SPDX-License-Identifier: MIT
#include "sine.h"

#include <algorithm>
#include <cstdint>

#include "jawari/core/elementary.h"
#include "sums.h"

namespace jawari {
namespace {

bool is_good(std::size_t n) {
  if (n < 4 || n % 2 != 0) return false;
  for (const std::size_t prime : {2u, 3u, 5u})
    while (n % prime == 0) n /= prime;
  return n == 1;
}

}  // namespace

SineTransform::SineTransform(std::size_t modes, std::size_t copies) : n_(modes + 1), copies_(copies) {
  const auto add = [&](std::vector<double>& to, double x) { to.insert(to.end(), copies, x); };
  const auto add_turn = [&](std::vector<double>& to, std::size_t part, std::size_t of) {  // e^(-2 pi i part/of)
    const auto i = static_cast<std::int64_t>(2 * part), n = static_cast<std::int64_t>(of);
    add(to, elementary::cos_pi(i, n));
    add(to, -elementary::sin_pi(i, n));
  };
  if (!is_good(n_)) {
    sine_ = elementary::sine_table(n_);  // as ModalBody has it
    work_.assign(modes, 0);
    return;
  }
  for (std::size_t j = 0; j < n_ / 2; ++j)
    add(sine_, elementary::sin_pi(static_cast<std::int64_t>(j), static_cast<std::int64_t>(n_)) / 2);
  for (std::size_t k = 0; 4 * k <= n_; ++k) add_turn(turn_, k, n_);
  std::size_t rest = n_ / 2, stride = 1;
  for (const std::size_t radix : {8u, 4u, 2u, 3u, 5u})
    while (rest % radix == 0) {
      rest /= radix;
      stages_.push_back({radix, rest, stride, factors_.size()});
      for (std::size_t p = 0; p < rest; ++p)
        for (std::size_t t = 1; t < radix; ++t) add_turn(factors_, p * t, radix * rest);
      stride *= radix;
    }
  work_.assign(2 * n_ * copies, 0);
}

void SineTransform::apply(std::span<const double> x, std::span<double> out) noexcept {
  if (fast())
    run<double>(x.data(), out.data());
  else
    sum_up(x, out);
}

/// As a tap that is a row of a matrix would read it.
void SineTransform::sum_up(std::span<const double> x, std::span<double> out) noexcept {
  for (std::size_t j = 1; j < n_; ++j)
    work_[j - 1] = sum_of(n_ - 1, [&](std::size_t p) { return sine_[(p + 1) * j % (2 * n_)] * x[p]; });
  std::copy(work_.begin(), work_.end(), out.begin());
}

std::size_t SineTransform::good_count(std::size_t modes) {
  for (std::size_t n = modes + 1; n > 2; --n)
    if (is_good(n)) return n - 1;
  return modes;
}

}  // namespace jawari
