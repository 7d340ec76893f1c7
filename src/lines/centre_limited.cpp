// SPDX-License-Identifier: MIT
#include "jawari/contact/centre_limited.h"

#include "make.h"

namespace jawari::lines {

std::unique_ptr<ContactLine> centre_limited(const LawValues& law, const SchemeSpec& scheme, std::size_t points,
                                            double dt_s, double weight) {
  const auto v = law.numbers;
  return make(CentreLimited({v[0], v[1], v[2]}).weighted(weight), scheme, points, dt_s);
}

}  // namespace jawari::lines
