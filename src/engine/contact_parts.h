// SPDX-License-Identifier: MIT
// Every part of a scene that brings a contact law and a scheme, in one list: contacts, barriers and gestures.
#pragma once
#include "jawari/engine/scene.h"

namespace jawari {

/// Visits parts with the members `law` and `scheme`; S is Scene or const Scene.
template <class S, class Visit>
void each_contact_part(S& scene, Visit&& visit) {
  const auto all = [&](auto& parts) {
    for (auto& part : parts) visit(part);
  };
  all(scene.contacts);
  all(scene.barriers);
  all(scene.hammers);
  all(scene.plectrums);
  all(scene.fingers);
  all(scene.rattles);
  all(scene.frets);
  all(scene.threads);
  all(scene.snares);
}

}  // namespace jawari
