// SPDX-License-Identifier: MIT
#pragma once
#include "experiments/support/spectrum.h"

namespace jawari::test {
using namespace rigs;
}
