// SPDX-License-Identifier: MIT
#pragma once
#include "experiments/support/string_rig.h"

namespace jawari::test {
using namespace rigs;
}
