// SPDX-License-Identifier: MIT
// What a scene must hold before anything is built: every error names the value and what is allowed.
//   check(scene)          every value by itself, and those of one part together
//   lower(check(scene))   gestures spelled out; names, and what parts say of one another (lower.h)
#pragma once
#include <string>

#include "jawari/engine/scene.h"

namespace jawari {

/// A scene whose values have been checked; it must outlive this.
class CheckedScene {
 public:
  const Scene& scene() const noexcept { return *scene_; }

 private:
  explicit CheckedScene(const Scene& scene) : scene_(&scene) {}
  friend CheckedScene check(const Scene& scene);
  const Scene* scene_;
};
CheckedScene check(const Scene& scene);  ///< throws InputError

// Values of one part together: overloads for the parts that need it, with paths relative to the part.
void check_together(const StringSpec& spec);
void check_together(const BarrierSpec& spec);
void check_together(const ContactSpec& spec);
void check_together(const ExcitationSpec& spec);
void check_together(const EventSpec& spec);
void check_together(const PatternSpec& spec);
void check_together(const HammerSpec& spec);
void check_together(const TouchSpec& spec);
void check_together(const FretSpec& spec);
void check_together(const PickupSpec& spec);
void check_tempos(const std::vector<TempoSpec>& tempos);  ///< beats rise

/// The law of the contact that a part brings: that of a rattle with play has two sides.
template <class Spec>
LawSpec contact_law(const Spec& spec) {
  return spec.law;
}
LawSpec contact_law(const RattleSpec& spec);
LawSpec contact_law(const SnareSpec& spec);

}  // namespace jawari
