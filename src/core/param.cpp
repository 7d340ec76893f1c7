// SPDX-License-Identifier: MIT
#include "jawari/core/param.h"

#include <fmt/format.h>

namespace jawari {

std::string Param::range() const {
  return fmt::format("{}{:g}, {:g}{}", from.included ? '[' : '(', from.value, to.value, to.included ? ']' : ')');
}

void check(const Param& param, double value, std::string_view where) {
  if (param.allows(value)) return;
  std::string field = fmt::format("{}{}{}", where, where.empty() ? "" : ".", param.name);
  std::string sentence = fmt::format("{} is {:g}, but must lie in {}{}{}", field, value, param.range(),
                                     param.unit.empty() ? "" : " ", param.unit);
  throw Refusal(std::move(field), sentence);
}

}  // namespace jawari
