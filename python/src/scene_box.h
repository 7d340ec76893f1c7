// SPDX-License-Identifier: MIT
// A scene that Python holds and never changes.
#pragma once
#include <optional>

#include "jawari/engine/scene.h"

namespace jawari::python {

struct SceneBox {
  Scene scene;
  std::optional<Scene> written = {};  ///< before its notes became events
};

}  // namespace jawari::python
