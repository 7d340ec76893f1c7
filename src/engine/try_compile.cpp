// SPDX-License-Identifier: MIT
#include "jawari/engine/try_compile.h"

namespace jawari {

Compiled try_compile(const Scene& scene, Kernels kernels) {
  try {
    return {compile(scene, kernels), std::nullopt};
  } catch (const InputError& error) {
    return {nullptr, error};
  }
}

}  // namespace jawari
