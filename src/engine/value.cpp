// SPDX-License-Identifier: MIT
#include "jawari/engine/value.h"

#include <fmt/format.h>

#include <limits>

namespace jawari {

bool Value::is_number() const noexcept {
  return std::holds_alternative<double>(is) || std::holds_alternative<std::int64_t>(is);
}
double Value::number() const noexcept {
  if (const auto* whole = std::get_if<std::int64_t>(&is)) return static_cast<double>(*whole);
  const auto* real = std::get_if<double>(&is);
  return real ? *real : std::numeric_limits<double>::quiet_NaN();
}
const std::vector<double>* Value::numbers() const noexcept {
  const auto* list = std::get_if<ValueNumbers>(&is);
  return list ? list->get() : nullptr;
}

bool Value::tables(std::vector<const ValueTable*>& out) const {
  out.clear();
  if (const auto* list = numbers()) return list->empty();
  const auto* list = std::get_if<ValueList>(&is);
  if (!list) return false;
  for (const Value& item : *list) {
    if (!item.table()) return false;
    out.push_back(item.table());
  }
  return true;
}

const char* Value::kind() const noexcept {
  static constexpr const char* kinds[] = {"a date or time", "a boolean", "a number", "a number",
                                          "a string",       "an array",  "an array", "a table"};
  return kinds[is.index()];
}

std::string Value::written() const {
  if (is_number()) return fmt::format("{:g}", number());
  if (const auto* words = text()) return fmt::format("\"{}\"", *words);
  if (const auto* yes = flag()) return *yes ? "true" : "false";
  return kind();
}

bool Value::operator==(const Value& other) const {
  if (numbers() && other.numbers()) return *numbers() == *other.numbers();
  return is == other.is;
}

}  // namespace jawari
