// SPDX-License-Identifier: MIT
#include "jawari/couple/active_subset_line.h"

#include <memory>

#include "kernel/contact_model.h"
#include "kernel/modal_rows.h"

namespace jawari::kernel {
namespace {

using Line = std::unique_ptr<ActiveSubsetLine>;
using Maker = Line (*)(const ContactModel& contact, std::size_t points);

template <class Law, class Scheme>
Line make(const ContactModel& contact, std::size_t points) {
  if constexpr (is_built<Scheme>)
    return std::make_unique<jawari::Line<Law, Scheme, true>>(*static_cast<const Law*>(contact.law_address()),
                                                             *static_cast<const Scheme*>(contact.scheme_address()),
                                                             points, contact.dt_s());
  else
    return nullptr;
}
/// A table, not a visit: clang 14 emits no members of a class that a generic lambda is the first to need.
template <class Law, class... Scheme>
Maker maker(KernelScheme scheme, const SchemeList<Scheme...>&) {
  static constexpr Maker makers[] = {&make<Law, Scheme>...};
  return makers[static_cast<std::size_t>(scheme)];
}
template <class... Law>
Maker maker(const ContactModel& contact, const KernelLawList<Law...>&) {
  const Maker makers[] = {maker<Law>(contact.name(), KernelSchemes())...};
  return makers[contact.law().index()];
}

}  // namespace

std::unique_ptr<ActiveSubsetLine> make_active_subset_line(const ContactModel& contact, std::size_t points) {
  return maker(contact, KernelLaws())(contact, points);
}

}  // namespace jawari::kernel
