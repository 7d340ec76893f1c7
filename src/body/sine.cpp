// SPDX-License-Identifier: MIT
#include "sine.h"

namespace jawari {

SineTransform::SineTransform(std::size_t modes) : n_(modes), odd_(2 * (modes + 1)), spectrum_(2 * (modes + 1)) {
  fft_.SetFlag(Eigen::FFT<double>::HalfSpectrum);
  std::vector<double> once(modes);
  apply(once, once);  // makes the plan
}

void SineTransform::apply(std::span<const double> x, std::span<double> out) noexcept {
  odd_[0] = odd_[n_ + 1] = 0;
  for (std::size_t p = 1; p <= n_; ++p) odd_[p] = x[p - 1], odd_[2 * (n_ + 1) - p] = -x[p - 1];
  fft_.fwd(spectrum_.data(), odd_.data(), static_cast<Eigen::Index>(odd_.size()));
  for (std::size_t j = 1; j <= n_; ++j) out[j - 1] = -spectrum_[j].imag() / 2;
}

std::size_t SineTransform::good_count(std::size_t modes) {
  for (std::size_t n = modes + 1; n > 2; --n) {
    std::size_t rest = n;
    for (const std::size_t prime : {2u, 3u, 5u})
      while (rest % prime == 0) rest /= prime;
    if (rest == 1 && n % 2 == 0) return n - 1;
  }
  return modes;
}

}  // namespace jawari
