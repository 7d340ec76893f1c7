// SPDX-License-Identifier: MIT
#include "par11/par11.h"

namespace jawari::experiments {

std::span<const Experiment> par11() {
  using namespace par11_items;
  static const Experiment list[] = {fig1,    fig2, fig3,  fig4,  fig5,    fig6,    table1, fig7,    table2a, fig8,
                                    table2b, fig9, fig10, fig11, table3a, table3b, fig12,  table4a, table4b};
  return list;
}

}  // namespace jawari::experiments
