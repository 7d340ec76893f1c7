// SPDX-License-Identifier: MIT
// A scene of one mass and one wall, moved by an integrator of impact/ instead of a scheme: the same readings and the
// same ledger.  These methods keep no energy by themselves, so the residual of the ledger is their energy error (the
// loss is summed by the trapezoid rule).
#pragma once
#include <memory>

#include "jawari/engine/scene.h"
#include "jawari/engine/system.h"

namespace jawari {

std::unique_ptr<System> compile_one_mass(const Scene& scene);

}  // namespace jawari
