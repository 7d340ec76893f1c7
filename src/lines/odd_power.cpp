// SPDX-License-Identifier: MIT
#include "jawari/contact/odd_power.h"

#include "make.h"

namespace jawari::lines {

std::unique_ptr<ContactLine> odd_power(const LawValues& law, const SchemeSpec& scheme, std::size_t points, double dt_s,
                                       double weight) {
  const auto v = law.numbers;
  return make(OddPower({v[0], v[1]}).weighted(weight), scheme, points, dt_s);
}

}  // namespace jawari::lines
