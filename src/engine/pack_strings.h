// SPDX-License-Identifier: MIT
// A model as strings for warps (src/warp): every group that is one string on an explicit grid, with contact lines along
// its nodes and pickups.
#pragma once
#include <string>
#include <vector>

#include "jawari/engine/model.h"
#include "warp/string_job.h"

namespace jawari {

struct PackedModel {
  std::vector<warp::PackedString> strings;         ///< per group
  std::vector<std::vector<std::size_t>> pickups;   ///< of a group, in the order of its reads
  std::vector<std::vector<std::size_t>> contacts;  ///< of a group, in the order of its lines
  std::string why = {};                            ///< a warp does not serve the model: the reason, without a full stop
};

/// Of the instance at t = 0.  single: whether laws must have tables for floats.
PackedModel pack_strings(const Model& model, bool single);

}  // namespace jawari
