// SPDX-License-Identifier: MIT
#include "jawari/core/param.h"

#include <fmt/format.h>

namespace jawari {

std::string Param::range() const {
  return fmt::format("{}{:g}, {:g}{}", from.included ? '[' : '(', from.value, to.value, to.included ? ']' : ')');
}

void check(const Param& param, double value, std::string_view where, std::string field) {
  if (param.allows(value)) return;
  const std::string name = fmt::format("{}{}{}", where, where.empty() ? "" : ".", param.name);
  const std::string sentence = fmt::format("{} is {:g}, but must lie in {}{}{}", name, value, param.range(),
                                           param.unit.empty() ? "" : " ", param.unit);
  throw InputError(field.empty() ? name : std::move(field), sentence);
}

}  // namespace jawari
