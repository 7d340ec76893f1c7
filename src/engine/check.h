// SPDX-License-Identifier: MIT
// What a scene must hold before anything is built: every refusal names the field, its value and what is allowed.
#pragma once
#include <string>

#include "jawari/engine/scene.h"

namespace jawari {

void check_scene(const Scene& scene);  ///< throws InputError
void check_lists(const Scene& scene);  ///< the part of it that looks at lists

/// Runs a check and says where in the scene its value stands.
template <class Check>
void at(const std::string& path, Check&& check_it) {
  try {
    check_it();
  } catch (const InputError& r) {
    throw InputError(path + "." + r.field(), r.what());
  }
}

}  // namespace jawari
