// SPDX-License-Identifier: MIT
#include "jawari/contact/power_law.h"
#include "make.h"

namespace jawari::lines {

template std::unique_ptr<ContactLine> line_of<PowerLaw>(const LawValues&, const SchemeSpec&, std::size_t, double,
                                                        double);

}  // namespace jawari::lines
