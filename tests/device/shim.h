// SPDX-License-Identifier: MIT
// The part of the CUDA headers that tests/device/*.cu need: for clang without a CUDA toolkit.
#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
#define __shared__ __attribute__((shared))
#define __forceinline__ __attribute__((always_inline)) inline
#define __grid_constant__
#define __align__(bytes) __attribute__((aligned(bytes)))
#define __launch_bounds__(...) __attribute__((launch_bounds(__VA_ARGS__)))
#define __CUDACC__
// Functions of the C library that core/number.h calls have device versions in CUDA.
__device__ double sqrt(double) noexcept;
__device__ double fabs(double) noexcept;
__device__ double copysign(double, double) noexcept;
__device__ float sqrt(float) noexcept;
__device__ float fabs(float) noexcept;
__device__ float copysign(float, float) noexcept;
// What src/cuda/device_warp.h calls.
struct jawari_index {
  unsigned x, y, z;
};
extern __device__ const jawari_index threadIdx, blockIdx;
__device__ void __syncwarp(unsigned lanes = 0xffffffffu) noexcept;
__device__ void __syncthreads() noexcept;
__device__ unsigned __shfl_up_sync(unsigned lanes, unsigned x, unsigned by, int width = 32) noexcept;
__device__ unsigned __shfl_down_sync(unsigned lanes, unsigned x, unsigned by, int width = 32) noexcept;
__device__ unsigned __shfl_xor_sync(unsigned lanes, unsigned x, int mask, int width = 32) noexcept;
__device__ unsigned __ballot_sync(unsigned lanes, int which) noexcept;
__device__ int __any_sync(unsigned lanes, int which) noexcept;
__device__ int __popc(unsigned) noexcept;
__device__ int __ffs(int) noexcept;
__device__ unsigned atomicOr(unsigned*, unsigned) noexcept;
__device__ int atomicMin(int*, int) noexcept;
#include <cstdlib>
#include <cstring>
