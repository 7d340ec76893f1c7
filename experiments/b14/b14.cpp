// SPDX-License-Identifier: MIT
#include "b14/b14.h"

namespace jawari::experiments {

std::span<const Experiment> b14() {
  static const Experiment list[] = {b14_fig1, b14_fig2, b14_fig3, b14_fig4, b14_fig5, b14_fig6, b14_kirchhoff};
  return list;
}

}  // namespace jawari::experiments
