// SPDX-License-Identifier: MIT
// Scenes of the command line: files, and those that come with jawari, inside the program (cmake/EmbedScenes.cmake).
#pragma once
#include <span>
#include <string>
#include <string_view>

#include "jawari/io/scene_file.h"

namespace jawari::cli {

struct BuiltIn {
  std::string_view file, text;  ///< "tanpura.toml", or a score "etude.mid"
  bool scene() const { return file.ends_with(".toml"); }
  std::string_view name() const { return file.substr(0, file.rfind('.')); }
};
std::span<const BuiltIn> built_in_files();

/// The scene file of that name; where there is no such file, the scene that comes with jawari.  Throws InputError.
/// `below`: no file outside of this folder is opened.
SceneFile open_scene(const std::string& name, const std::string& below = {});

/// The first comment or the title of a scene: what it is.
std::string_view first_line(std::string_view text);

}  // namespace jawari::cli
