// SPDX-License-Identifier: MIT
// Scenes of the command line: files, and those that come with jawari, inside the program (cmake/EmbedScenes.cmake).
// Presets are scenes with [voice]: the instruments of the plug-ins.
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
  std::string_view title() const;  ///< of a preset, "Sitar bridge"
};
std::span<const BuiltIn> built_in_files();
std::span<const BuiltIn> built_in_presets();  ///< in the order of program changes

/// What a name means of which there are a scene and a preset.
enum class First { scene, preset };
/// The scene file of that name; where there is no such file, the scene or preset that comes with jawari: "sitar",
/// "sitar.toml", "sitar-bridge", "Sitar bridge", "preset 22".  Throws InputError.
/// `below`: no file outside of this folder is opened.
SceneFile open_scene(const std::string& name, const std::string& below = {}, First first = First::scene);
SceneFile open_preset(std::size_t index, const std::string& below = {});

/// The first comment or the title of a scene: what it is.
std::string_view first_line(std::string_view text);

}  // namespace jawari::cli
