// SPDX-License-Identifier: MIT
// Scenes as TOML (docs/guide/scenes.md).  Whatever is refused is refused with file, line, field, value and what is
// allowed, in one sentence; nothing is guessed and no unknown key is passed over.
#pragma once
#include <map>
#include <memory>
#include <optional>
#include <string>
#include <string_view>

#include "jawari/engine/compile.h"
#include "jawari/engine/scene.h"
#include "jawari/engine/value.h"
#include "jawari/io/input_file.h"

namespace jawari {

struct SceneFile {
  Scene scene;
  std::string name;                                 ///< as given, for messages
  std::string text;                                 ///< as read
  std::map<std::string, int> lines;                 ///< "contact[0].law.exponent" -> line
  std::map<std::string, std::string> sources = {};  ///< the file of a field that was included
  std::optional<Scene> written = {};                ///< before its notes became events; none: it has no notes

  /// The same error with the file and line of its path, or of the nearest thing that holds it.
  InputError located(const InputError& error) const;
  /// "name:line: " of a path.
  [[deprecated("located()")]] std::string place(std::string path) const;
};

/// Throw InputError, and nothing else but std::bad_alloc.  `folder`: where files named in the scene lie.
/// `below`: no file outside of this folder is opened; empty: any.
SceneFile read_scene(const std::string& path, const std::string& below = {});
SceneFile parse_scene(std::string_view text, const std::string& name, const std::string& folder = ".");
SceneFile parse_scene(std::string_view text, const std::string& name, const Sources& sources);

/// The same from a table that no text says; errors name no place if `name` is empty.
SceneFile scene_file_from(const Value& table, const std::string& name, const Sources& sources);
/// The tables of a text with those that it includes.
Value scene_value(std::string_view text, const std::string& name, const Sources& sources);
/// A part, [[kind]], [note], [voice] or [midi], by itself; returns its name.  Throws InputError.
std::string check_part(std::string_view kind, const Value& table, const Sources& sources);

/// The scene as an instrument is built from it: with its voices and without its notes, at the rate of file.scene.
Scene instrument_of(const SceneFile& file);
/// At another sample rate; notes are played anew.
void use_rate(SceneFile& file, double rate_hz);
/// Plays a MIDI file on the scene's [voice], instead of its own notes.  Throws InputError.
void play_midi(SceneFile& file, const std::string& path, const std::string& below = {});

/// compile(), with the place in the file in front of every error.
std::unique_ptr<System> compile(const SceneFile& file, Kernels kernels = Kernels::exact);

}  // namespace jawari
