// SPDX-License-Identifier: MIT
// The experiments of D17 (Ducceschi, DAFx 2017), one per figure.
#pragma once
#include "experiment.h"

namespace jawari::experiments::paper_d17 {

extern const Experiment fig1, fig2, fig3, fig4, fig5, fig6;

}  // namespace jawari::experiments::paper_d17
