// SPDX-License-Identifier: MIT
// Gestures and preparations spelled out: hammers become masses with a contact, fingers hands with a contact, frets and
// threads barriers of one point, snares strings along a membrane.  Bodies, contacts and their like remember which part
// of the scene they came from.
#pragma once
#include <string>
#include <string_view>
#include <vector>

#include "check.h"
#include "jawari/engine/scene.h"

namespace jawari {

/// What a hammer, plectrum or finger goes for: the body's name, the contact's name, which way it presses.
struct GestureTarget {
  std::string body, contact;
  double toward = 1, away_m = 0;
  bool waits = false;  ///< a hammer that is not thrown at the start: gravity acts on it from its first strike on
};

/// A body, contact, barrier, connection or friction of a lowered scene: its kind, its place in the list of that kind,
/// and the part it came from (itself, if it was spelled out already).
struct Made {
  Role role;
  std::string_view kind;
  std::size_t index;
  std::string name;
  std::string_view from_kind;
  std::size_t from_index;
};

class LoweredScene {
 public:
  const Scene& scene() const noexcept { return scene_; }
  const std::vector<GestureTarget>& targets() const noexcept { return targets_; }
  const std::vector<Made>& made() const noexcept { return made_; }  ///< in the order of a scene file
  /// Where in the scene file a part of the lowered scene came from: "hammer[0]".
  std::string origin(std::string_view kind, std::size_t index) const;

 private:
  LoweredScene() = default;
  friend class SpellOut;
  friend LoweredScene lower(const CheckedScene& scene);
  Scene scene_;
  std::vector<GestureTarget> targets_;
  std::vector<Made> made_;
};

/// Spells out, chooses the methods of strings and what pickups hear, and checks what parts say of one another.  Throws
/// InputError.
LoweredScene lower(const CheckedScene& scene);
inline LoweredScene lower_scene(const Scene& scene) { return lower(check(scene)); }

/// The events of a finger that slides along its path; `toward`: which way it presses.  `again`: it may be where another
/// path has left it.  Throws InputError.
std::vector<EventSpec> path_events(const TouchSpec& finger, double toward, const std::vector<TempoSpec>& tempos,
                                   bool again = false);

/// The names of what every part makes, in the order of a scene file, without any check.  Gestures may look up bodies in
/// `context` too.
std::vector<Made> names_made(const Scene& scene, const Scene& context);
/// The force of a contact, the bridge force of a string heard nowhere in particular, else velocity: for pickups that do
/// not say it.  In a scene as it is written.
void choose_quantities(Scene& scene);

}  // namespace jawari
