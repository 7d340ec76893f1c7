// SPDX-License-Identifier: MIT
// Scenes from values, and single values of scenes by their path: "rate_hz", "string.pa.length_m", "string[0].length_m",
// "pa.law.stiffness", "voice.soft".  A part goes by its kind and name, its kind and number, or its name alone.
#pragma once
#include <functional>
#include <string>
#include <string_view>
#include <utility>
#include <vector>

#include "jawari/engine/scene.h"
#include "jawari/engine/value.h"

namespace jawari {

/// Sets one value, as a scene file would: of its type, in its range.  Tables change what they give and leave the rest.
/// Throws InputError, and changes nothing then.
void set_field(Scene& scene, std::string_view path, const Value& value);
/// A value, also where it is the default.  Throws InputError where there is none.
Value get_field(const Scene& scene, std::string_view path);

/// Files that a scene names.  Throw InputError with a sentence that begins with the path.
class NamedFiles {
 public:
  virtual ~NamedFiles() = default;
  virtual std::pair<std::vector<double>, std::vector<double>> curve(const std::string& path) const;
  virtual std::vector<double> samples(const std::string& path, double rate_hz) const;
  virtual std::vector<ScoreEvent> score(const std::string& path) const;
};
/// Told every value that is read, by its path: for the lines of messages.
using NotePlace = std::function<void(const std::string& path, const Value& value)>;

/// A scene from the table that a file holds; its notes are not performed yet.  Throws InputError.
Scene scene_from(const Value& table, const NamedFiles& files, const NotePlace& note = {});
/// The same for one part, [[kind]], [note], [voice] or [midi], alone, or for the scene itself (""): what can be said of
/// it by itself.  Returns the name by which others refer to it, if there is one.
std::string check_part_table(std::string_view kind, const Value& table, const NamedFiles& files);

}  // namespace jawari
