// SPDX-License-Identifier: MIT
#include "jawari/impact/entry_table.h"

#include "jawari/core/elementary.h"
#include "jawari/impact/closed_form.h"
#include "quadrature.h"

namespace jawari {

EntryTable entry_table(double exponent) {
  EntryTable t;
  for (std::size_t j = 0; j < EntryTable::knots; ++j) {
    const exact::Impact unit{
        .mass_kg = 1, .stiffness = 1, .exponent = exponent, .mu = EntryTable::knot(j), .speed_m_s = 1};
    const double elastic = exact::elastic_contact_time(unit);
    t.longer[j] = exact::contact_time_within(unit, 1e-6) / elastic;
    const double damping = unit.mu * elementary::pow(exact::max_compression(unit), exponent);  // [1/s], m = K = 1
    t.needed[j] = std::fmax(EntryTable::samples(exponent, unit.mu), damping * elastic / EntryTable::rate);
  }
  return t;
}

}  // namespace jawari
