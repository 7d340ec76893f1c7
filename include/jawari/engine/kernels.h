// SPDX-License-Identifier: MIT
// By what arithmetic blocks are played.  A choice of who plays, not of the scene: the physics is the same text.
#pragma once
#include <string_view>

namespace jawari {

enum class Kernels {
  off,    ///< the readable path alone
  exact,  ///< fused passes where there are any, rounded as the readable path: the same samples on every machine
  fused,  ///< multiply and add round once: faster, samples differ in rounding
  single  ///< strings in float32: for the ear, not for the books
};
inline constexpr std::string_view kernel_names[] = {"off", "exact", "fused", "single"};

}  // namespace jawari
