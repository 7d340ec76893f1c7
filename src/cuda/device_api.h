// SPDX-License-Identifier: MIT
// What the shared object of a device exports.  It is built from the same tree as the library that loads it, and refuses
// another one.
#pragma once
#include <cstddef>
#include <cstdint>

#include "warp/string_job.h"

namespace jawari::warp {

/// Changes with what passes through the interface.
inline constexpr std::uint32_t device_interface =
    5 + static_cast<std::uint32_t>(sizeof(StringJob) * 64 + sizeof(PackedString) * 8 + sizeof(StringProblem<double>));

/// Null, with a sentence in `why`, where there is no device to play on.  The caller deletes it.
using OpenDevice = StringRunner* (*)(std::uint32_t interface, char* why, std::size_t room);
inline constexpr const char* open_device_name = "jawari_open_cuda";

}  // namespace jawari::warp
