// SPDX-License-Identifier: MIT
// How loud a sound is, in LUFS: integrated loudness by ITU-R BS.1770-4 (K weighting, blocks of 0.4 s, two gates).
#pragma once
#include <optional>
#include <span>
#include <vector>

namespace jawari {

/// Of channels at full scale 1, each with weight 1.  None: shorter than one block, or silent (below -70 LUFS
/// throughout).
std::optional<double> loudness_LUFS(std::span<const std::vector<double>> channels, double rate_hz);

}  // namespace jawari
