// SPDX-License-Identifier: MIT
#include "jawari/contact/odd_power.h"

#include "make.h"

namespace jawari::lines {

std::unique_ptr<ContactLine> odd_power(std::span<const double> v, const Choice& scheme, std::size_t points, double dt_s,
                                double weight) {
  return make(OddPower({v[0], v[1]}).weighted(weight), scheme, points, dt_s);
}

}  // namespace jawari::lines
