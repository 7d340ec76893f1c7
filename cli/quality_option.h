// SPDX-License-Identifier: MIT
// --quality, for the commands that run a scene.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <optional>
#include <string>
#include <vector>

#include "command_line.h"
#include "jawari/engine/quality.h"

namespace jawari::cli {

inline void add_quality(Command& command, std::optional<Quality>& quality, Quality usual) {
  const std::vector<std::string> names(std::begin(quality_names), std::end(quality_names));
  command
      .add_word(
          "--quality",
          [&quality](const std::string& word) {
            quality = static_cast<Quality>(std::find(std::begin(quality_names), std::end(quality_names), word) -
                                           std::begin(quality_names));
          },
          fmt::format(
              "draft (one time step per sample), standard (at least 88.2 kHz) or high (176.4 kHz); without it what the "
              "scene says, else {}",
              quality_names[static_cast<std::size_t>(usual)]))
      ->one_of(names);
}

}  // namespace jawari::cli
