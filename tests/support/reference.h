// SPDX-License-Identifier: MIT
#pragma once
#include "experiments/support/reference.h"

namespace jawari::test {
using namespace rigs;
}
