// SPDX-License-Identifier: MIT
// The experiments of CW17 (Chatziioannou and van Walstijn, ISMA 2017), one per figure; Figures 1 and 2 are sketches.
#pragma once
#include "experiment.h"

namespace jawari::experiments::paper_cw17 {

extern const Experiment fig3, fig4, fig5, fig6;

}  // namespace jawari::experiments::paper_cw17
