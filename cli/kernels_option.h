// SPDX-License-Identifier: MIT
// --kernels, for the commands that play blocks.
#pragma once
#include <algorithm>
#include <string>
#include <vector>

#include "command_line.h"
#include "jawari/engine/kernels.h"

namespace jawari::cli {

inline void add_kernels(Command& command, Kernels& kernels) {
  const std::vector<std::string> names(std::begin(kernel_names), std::end(kernel_names));
  command
      .add_word(
          "--kernels",
          [&kernels](const std::string& word) {
            kernels = static_cast<Kernels>(std::find(std::begin(kernel_names), std::end(kernel_names), word) -
                                           std::begin(kernel_names));
          },
          "Strings by fused loops: exact (default, the same samples), fused (faster, other rounding), single "
          "(float32), off")
      ->one_of(names);
}

}  // namespace jawari::cli
