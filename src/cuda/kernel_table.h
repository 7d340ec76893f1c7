// SPDX-License-Identifier: MIT
// Kernels by scheme and precision.  Every unit of src/cuda/kernels.cu.in is compiled by itself and adds its own; what
// is not built is not served.
#pragma once
#include <cuda_runtime.h>

#include <cstddef>

#include "warp/string_job.h"

namespace jawari::warp {

struct KernelEntry {
  std::size_t slot_bytes = 0, state_bytes = 0;  ///< of a law slot; of the state of a node
  void (*fill_slot)(void* slot, const LawNumbers& law, double dt_s) = nullptr;
  /// launch: StringLaunch<T>.
  cudaError_t (*launch)(const void* launch, cudaStream_t stream) = nullptr;
  struct Use {
    int registers, local_bytes, block, blocks_per_processor, shared_bytes;
  };
  cudaError_t (*use)(const void* launch, Use& use) = nullptr;
};

/// By number of nodes per lane, 7 and 14, and whether all is wanted that a launch can make.
struct KernelSetOf {
  KernelEntry seven[2], fourteen[2];
  const KernelEntry& of(const StringShape& shape, bool full) const noexcept {
    return (shape.per_lane == 7 ? seven : fourteen)[full ? 1 : 0];
  }
};

/// Null: not built.
const KernelSetOf* kernels(int scheme, Precision precision);

}  // namespace jawari::warp
