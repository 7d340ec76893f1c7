// SPDX-License-Identifier: MIT
// The sine transform between modes and the points j L/(P+1):  out_j = sum_p x_p sin(p j pi/(P+1)),  its own inverse but
// for the factor 2/(P+1).  By Eigen's FFT of the odd continuation; allocates on the first call only, which is at set-up.
#pragma once
#include <complex>
#include <cstddef>
#include <span>
#include <vector>

#include <unsupported/Eigen/FFT>

namespace jawari {

class SineTransform {
 public:
  explicit SineTransform(std::size_t modes);
  void apply(std::span<const double> x, std::span<double> out) noexcept;
  /// Largest count <= `modes` whose transform is fast: count + 1 even and made of 2, 3 and 5.
  static std::size_t good_count(std::size_t modes);

 private:
  std::size_t n_;
  Eigen::FFT<double> fft_;
  std::vector<double> odd_;
  std::vector<std::complex<double>> spectrum_;
};

}  // namespace jawari
