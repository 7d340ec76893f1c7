// SPDX-License-Identifier: MIT
#pragma once
#include "experiments/support/rig.h"

namespace jawari::test {
using namespace rigs;
}
