// SPDX-License-Identifier: MIT
// Arithmetic used for block processing.  Not part of the scene: the physics is the same code.
#pragma once
#include <string_view>

namespace jawari {

enum class Kernels {
  off,    ///< the reference path alone
  exact,  ///< fused passes where there are any, rounded as the reference path: the same samples on every machine
  fused,  ///< multiply and add round once: faster, samples differ in rounding
  single  ///< strings in float32: energy accounts hold to about 1e-4 only
};
inline constexpr std::string_view kernel_names[] = {"off", "exact", "fused", "single"};

}  // namespace jawari
