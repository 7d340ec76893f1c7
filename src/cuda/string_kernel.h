// SPDX-License-Identifier: MIT
// The kernel of warp/string_program.h: warps of a block share the tables of a law where all problems have the same.
#pragma once
#include "cuda/device_warp.h"
#include "warp/string_program.h"

namespace jawari::warp {

template <class T, class Scheme, int n, bool full, int block, int blocks>
__global__ void __launch_bounds__(block, blocks) play_strings(const __grid_constant__ StringLaunch<T> launch) {
  using Program = StringProgram<DeviceWarp, T, Scheme, n, full>;
  using Memory = StringMemory<T, Scheme, n>;
  using Slot = LawSlot<T, Scheme>;
  extern __shared__ __align__(16) unsigned char shared[];
  const Slot* laws = static_cast<const Slot*>(launch.laws);
  unsigned char* free = shared;
  if (launch.common_law != 0) {
    static_assert(sizeof(Slot) % 4 == 0);
    auto* const to = reinterpret_cast<std::uint32_t*>(shared);
    const auto* const from = reinterpret_cast<const std::uint32_t*>(laws);
    for (int i = static_cast<int>(threadIdx.x); i < static_cast<int>(sizeof(Slot) / 4); i += block) to[i] = from[i];
    __syncthreads();
    laws = reinterpret_cast<const Slot*>(shared);
    free += (sizeof(Slot) + 15) / 16 * 16;
  }
  const int in_block = static_cast<int>(threadIdx.x) / lanes;
  free += static_cast<std::size_t>(in_block) *
          (sizeof(Memory) + Program::ring_bytes(launch.width, launch.reads, launch.keep));
  const int first = (static_cast<int>(blockIdx.x) * (block / lanes) + in_block) * (lanes / launch.width);
  if (first >= launch.problems) return;
  Program::run(DeviceWarp(), launch, *reinterpret_cast<Memory*>(free), free + sizeof(Memory), laws, first);
}

}  // namespace jawari::warp
