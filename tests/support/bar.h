// SPDX-License-Identifier: MIT
// A wooden bar of 30 cm, as scenes of several tests have it; what differs (decay, modes, ends) follows its keys.
#pragma once
#include <string>

namespace jawari::test {

inline const std::string wooden_bar =
    "[[bar]]\nname = \"bar\"\nlength_m = 0.3\nwidth_m = 0.03\nthickness_m = 0.01\ndensity_kg_m3 = 800\nyoung_Pa = "
    "1.2e10\n";

}  // namespace jawari::test
