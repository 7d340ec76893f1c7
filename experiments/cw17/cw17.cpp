// SPDX-License-Identifier: MIT
#include "cw17/cw17.h"

namespace jawari::experiments {

std::span<const Experiment> cw17() {
  using namespace paper_cw17;
  static const Experiment list[] = {fig3, fig4, fig5, fig6};
  return list;
}

}  // namespace jawari::experiments
