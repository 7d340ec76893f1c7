// SPDX-License-Identifier: MIT
#include "jawari/contact/power_law.h"
#include "make.h"

namespace jawari::lines {

std::unique_ptr<ContactLine> power(const LawValues& law, const SchemeSpec& scheme, std::size_t points, double dt_s,
                                   double weight) {
  const auto v = law.numbers;
  return make(PowerLaw({v[0], v[1]}).weighted(weight), scheme, points, dt_s);
}

}  // namespace jawari::lines
