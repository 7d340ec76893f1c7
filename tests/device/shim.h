// SPDX-License-Identifier: MIT
// The part of the CUDA headers that tests/device/laws_schemes.cu needs: for clang without a CUDA toolkit.
#pragma once
#define __host__ __attribute__((host))
#define __device__ __attribute__((device))
#define __global__ __attribute__((global))
// Functions of the C library that core/number.h calls have device versions in CUDA.
__device__ double sqrt(double) noexcept;
__device__ double fabs(double) noexcept;
__device__ double copysign(double, double) noexcept;
#include <cstdlib>
