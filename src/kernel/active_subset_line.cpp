// SPDX-License-Identifier: MIT
#include "jawari/couple/active_subset_line.h"

#include <memory>

#include "kernel/contact_model.h"
#include "kernel/modal_rows.h"

namespace jawari::kernel {

std::unique_ptr<ActiveSubsetLine> make_active_subset_line(const ContactModel& contact, std::size_t points) {
  return contact.visit([&](const auto& law, const auto& scheme) -> std::unique_ptr<ActiveSubsetLine> {
    using Law = std::remove_cvref_t<decltype(law)>;
    using Scheme = std::remove_cvref_t<decltype(scheme)>;
    return std::make_unique<Line<Law, Scheme, true>>(law, scheme, points, contact.dt_s());
  });
}

}  // namespace jawari::kernel
