// SPDX-License-Identifier: MIT
// How a unit of kernels is made.
#pragma once
#include <algorithm>
#include <new>
#include <type_traits>

#include "cuda/kernel_table.h"
#include "cuda/string_kernel.h"
#include "warp/schemes.h"
#include "warp/string_arrays.h"

namespace jawari::warp {

/// Threads of a block, and blocks that a multiprocessor must hold: what a kernel may use of registers.
/// Found by measuring (docs/guide/many.md).
template <class T, class Scheme, int n>
struct Residence {
  static constexpr bool iterates = Scheme::passes == 0;
  static constexpr bool is_double = std::is_same_v<T, double>;
  static constexpr int block = 128;
#if defined(JAWARI_CUDA_BLOCKS)
  static constexpr int blocks = JAWARI_CUDA_BLOCKS;
#else
  static constexpr int blocks = is_double ? (n == 14 ? 3 : 4) : (n == 14 ? 5 : 7);
#endif
};

template <class T, class Scheme, int n, bool full>
struct KernelOf {
  using Program = StringProgram<DeviceWarp, T, Scheme, n, full>;
  using Memory = StringMemory<T, Scheme, n>;
  using Slot = LawSlot<T, Scheme>;
  using Launch = StringLaunch<T>;
  static constexpr int block = Residence<T, Scheme, n>::block;
  static_assert(std::is_trivially_copyable_v<Slot>);

  static std::size_t shared_bytes(const Launch& l) {
    const std::size_t law = l.common_law != 0 ? (sizeof(Slot) + 15) / 16 * 16 : 0;
    return law + block / lanes * (sizeof(Memory) + Program::ring_bytes(l.width, l.reads, l.keep));
  }
  static auto kernel() { return &play_strings<T, Scheme, n, full, block, Residence<T, Scheme, n>::blocks>; }
  static cudaError_t prepare(const Launch& l) {
    return cudaFuncSetAttribute(kernel(), cudaFuncAttributeMaxDynamicSharedMemorySize,
                                static_cast<int>(shared_bytes(l)));
  }

  static void fill(void* slot, const LawNumbers& law, double dt_s) { fill_slot(*new (slot) Slot, law, dt_s); }
  static cudaError_t launch(const void* what, cudaStream_t stream) {
    const Launch& l = *static_cast<const Launch*>(what);
    if (const cudaError_t e = prepare(l); e != cudaSuccess) return e;
    const int per_block = block / l.width;
    const auto grid = static_cast<unsigned>((l.problems + per_block - 1) / per_block);
    kernel()<<<grid, block, shared_bytes(l), stream>>>(l);
    return cudaGetLastError();
  }
  static cudaError_t use(const void* what, KernelEntry::Use& use) {
    const Launch& l = *static_cast<const Launch*>(what);
    if (const cudaError_t e = prepare(l); e != cudaSuccess) return e;
    cudaFuncAttributes a{};
    if (const cudaError_t e = cudaFuncGetAttributes(&a, kernel()); e != cudaSuccess) return e;
    int blocks = 0;
    const cudaError_t e = cudaOccupancyMaxActiveBlocksPerMultiprocessor(&blocks, kernel(), block, shared_bytes(l));
    use = {a.numRegs, static_cast<int>(a.localSizeBytes), block, blocks, static_cast<int>(shared_bytes(l))};
    return e;
  }
  static KernelEntry entry() { return {sizeof(Slot), sizeof(typename Memory::State), &fill, &launch, &use}; }
};

template <int scheme, Precision precision>
KernelSetOf make_kernels() {
  using T = std::conditional_t<precision == Precision::single, Single, double>;
  using Scheme = WarpScheme<scheme, T>;
  return {{KernelOf<T, Scheme, 7, false>::entry(), KernelOf<T, Scheme, 7, true>::entry()},
          {KernelOf<T, Scheme, 14, false>::entry(), KernelOf<T, Scheme, 14, true>::entry()}};
}

}  // namespace jawari::warp
