// SPDX-License-Identifier: MIT
// From TOML tables to values.
#include <algorithm>

#include "scene_text.h"

namespace jawari {
namespace {

Value list_of(const toml::array& array) {
  if (std::all_of(array.begin(), array.end(), [](const toml::node& n) { return n.is_number(); })) {
    std::vector<double> numbers;
    numbers.reserve(array.size());
    for (const auto& item : array)
      numbers.push_back(item.is_integer() ? static_cast<double>(**item.as_integer()) : **item.as_floating_point());
    return numbers;
  }
  ValueList list;
  list.reserve(array.size());
  for (const auto& item : array) list.push_back(value_of(item));
  return list;
}

Value bare(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return **node.as_string();
    case toml::node_type::integer:
      return **node.as_integer();
    case toml::node_type::floating_point:
      return **node.as_floating_point();
    case toml::node_type::boolean:
      return **node.as_boolean();
    case toml::node_type::array:
      return list_of(*node.as_array());
    case toml::node_type::table: {
      ValueTable table;
      for (const auto& [key, item] : *node.as_table()) table.emplace(std::string(key.str()), value_of(item));
      return table;
    }
    default:
      return {};
  }
}

}  // namespace

Value value_of(const toml::node& node) {
  Value value = bare(node);
  const auto& source = node.source();
  value.line = static_cast<int>(source.begin.line);
  value.source = source.path;
  return value;
}

}  // namespace jawari
