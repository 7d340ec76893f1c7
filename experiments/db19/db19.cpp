// SPDX-License-Identifier: MIT
#include "db19/db19.h"

namespace jawari::experiments {

std::span<const Experiment> db19() {
  using namespace paper_db19;
  static const Experiment list[] = {fig1, fig2, fig3, fig4, fig5, fig6, fig7, fig8};
  return list;
}

}  // namespace jawari::experiments
