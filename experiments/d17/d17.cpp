// SPDX-License-Identifier: MIT
#include "d17/d17.h"

namespace jawari::experiments {

std::span<const Experiment> d17() {
  using namespace paper_d17;
  static const Experiment list[] = {fig1, fig2, fig3, fig4, fig5, fig6};
  return list;
}

}  // namespace jawari::experiments
