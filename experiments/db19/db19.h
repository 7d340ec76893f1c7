// SPDX-License-Identifier: MIT
// The experiments of DB19 (Ducceschi and Bilbao, DAFx 2019), one per figure.
#pragma once
#include "experiment.h"

namespace jawari::experiments::paper_db19 {

extern const Experiment fig1, fig2, fig3, fig4, fig5, fig6, fig7, fig8;

}  // namespace jawari::experiments::paper_db19
