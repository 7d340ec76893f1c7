// SPDX-License-Identifier: MIT
#include "jawari/contact/centre_limited.h"

#include "make.h"

namespace jawari::lines {

template std::unique_ptr<ContactLine> line_of<CentreLimited>(const LawValues&, const SchemeSpec&, std::size_t, double,
                                                             double);

}  // namespace jawari::lines
