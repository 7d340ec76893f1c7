// SPDX-License-Identifier: MIT
#include "jawari/contact/hunt_crossley.h"

#include "make.h"

namespace jawari::lines {

std::unique_ptr<ContactLine> hunt_crossley(const LawValues& law, const SchemeSpec& scheme, std::size_t points,
                                           double dt_s, double weight) {
  const auto v = law.numbers;
  return make(HuntCrossley({v[0], v[1], v[2]}).weighted(weight), scheme, points, dt_s);
}

}  // namespace jawari::lines
