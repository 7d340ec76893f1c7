// SPDX-License-Identifier: MIT
// Which body a string gets where the scene does not say: method = "auto".
#pragma once
#include "jawari/engine/scene.h"

namespace jawari {

/// Grid, unless the grid would put partials near 2 kHz more than 20 cents too low and modes are the same problem:
/// strings without a barrier, and barriers whose stiffness is given per length or at points.  Strings that events tune
/// and strings whose tension is modulated keep their grid, which is cheaper there.  A string that meets single points
/// gets modes up to 2/pi of Nyquist, where a contact excites all of them alike.
void choose_methods(Scene& scene);

}  // namespace jawari
