// SPDX-License-Identifier: MIT
#include "jawari/contact/odd_power.h"

#include "make.h"

namespace jawari::lines {

template std::unique_ptr<ContactLine> line_of<OddPower>(const LawValues&, const SchemeSpec&, std::size_t, double,
                                                        double);

}  // namespace jawari::lines
