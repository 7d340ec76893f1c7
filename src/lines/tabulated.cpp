// SPDX-License-Identifier: MIT
#include "jawari/contact/tabulated.h"

#include "make.h"

namespace jawari::lines {

template std::unique_ptr<ContactLine> line_of<Tabulated>(const LawValues&, const SchemeSpec&, std::size_t, double,
                                                         double);

}  // namespace jawari::lines
