// SPDX-License-Identifier: MIT
// The HTML page of a comparison: error over rate, error over cost, the table.
#pragma once
#include <string>

#include "jawari/engine/compare.h"
#include "jawari/io/scene_file.h"

namespace jawari {

void write_comparison(const std::string& path, const SceneFile& file,
                      const Comparison& comparison);  ///< throws InputError

}  // namespace jawari
