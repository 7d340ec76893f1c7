// SPDX-License-Identifier: MIT
#include "jawari/contact/tabulated.h"

#include "make.h"

namespace jawari::lines {

std::unique_ptr<ContactLine> tabulated(const LawValues& law, const SchemeSpec& scheme, std::size_t points, double dt_s,
                                       double weight) {
  const auto v = law.numbers;
  return make(Tabulated(law.list, v[0], v[1]).weighted(weight), scheme, points, dt_s);
}

}  // namespace jawari::lines
