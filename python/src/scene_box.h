// SPDX-License-Identifier: MIT
// A scene that Python holds and never changes.
#pragma once
#include "jawari/engine/scene.h"

namespace jawari::python {

struct SceneBox {
  Scene scene;
};

}  // namespace jawari::python
