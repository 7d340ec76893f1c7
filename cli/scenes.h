// SPDX-License-Identifier: MIT
// The scenes that come with jawari, inside the program (cmake/EmbedScenes.cmake).
#pragma once
#include <span>
#include <string>
#include <string_view>

namespace jawari::cli {

struct BuiltIn {
  std::string_view file, text;  ///< "tanpura.toml", or a score "etude.mid"
  bool scene() const { return file.ends_with(".toml"); }
  std::string_view name() const { return file.substr(0, file.rfind('.')); }
};
std::span<const BuiltIn> built_in_files();

/// The first comment or the title of a scene: what it is.
std::string_view first_line(std::string_view text);

}  // namespace jawari::cli
