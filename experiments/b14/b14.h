// SPDX-License-Identifier: MIT
// The experiments of B14: S. Bilbao, Numerical Modeling of String/Barrier Collisions, ISMA 2014.
#pragma once
#include "experiment.h"

namespace jawari::experiments {

extern const Experiment b14_fig1, b14_fig2, b14_fig3, b14_fig4, b14_fig5, b14_fig6, b14_kirchhoff;

}  // namespace jawari::experiments
