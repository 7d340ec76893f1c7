// SPDX-License-Identifier: MIT
#include "values.h"

#include "jawari/core/param.h"

namespace jawari::python {
namespace {

bool is_number(py::handle o) {
  return !py::isinstance<py::bool_>(o) && (py::isinstance<py::float_>(o) || py::isinstance<py::int_>(o));
}

Value list_of(py::handle object) {
  const auto items = py::reinterpret_borrow<py::sequence>(object);
  std::vector<double> numbers;
  numbers.reserve(items.size());
  for (const auto& item : items) {
    if (!is_number(item)) break;
    numbers.push_back(item.cast<double>());
  }
  if (numbers.size() == items.size()) return numbers;
  ValueList list;
  for (const auto& item : items) list.push_back(value_of(item));
  return list;
}

}  // namespace

Value value_of(py::handle object) {
  if (py::isinstance<py::bool_>(object)) return object.cast<bool>();
  if (py::isinstance<py::float_>(object)) return object.cast<double>();
  if (py::isinstance<py::int_>(object)) {
    int beyond = 0;
    const long long whole = PyLong_AsLongLongAndOverflow(object.ptr(), &beyond);
    return beyond ? Value(object.cast<double>()) : Value(static_cast<std::int64_t>(whole));
  }
  if (py::isinstance<py::str>(object)) return object.cast<std::string>();
  if (py::isinstance<py::dict>(object)) {
    ValueTable table;
    for (const auto& [key, item] : py::reinterpret_borrow<py::dict>(object))
      if (!item.is_none()) table.insert_or_assign(py::str(key).cast<std::string>(), value_of(item));
    return table;
  }
  if (py::isinstance<py::tuple>(object) || py::isinstance<py::list>(object)) return list_of(object);
  const auto text = py::repr(object).cast<std::string>();
  throw InputError("scene", "a scene cannot hold " + text, text, "hold numbers, texts, lists and tables");
}

py::object object_of(const Value& value) {
  if (const bool* yes = value.flag()) return py::bool_(*yes);
  if (const auto* whole = std::get_if<std::int64_t>(&value.is)) return py::int_(*whole);
  if (value.is_number()) return py::float_(value.number());
  if (const auto* words = value.text()) return py::str(*words);
  if (const auto* numbers = value.numbers()) return py::cast(*numbers);
  if (const auto* list = std::get_if<ValueList>(&value.is)) {
    py::list out;
    for (const Value& item : *list) out.append(object_of(item));
    return out;
  }
  if (const auto* table = value.table()) {
    py::dict out;
    for (const auto& [key, item] : *table) out[py::str(key)] = object_of(item);
    return out;
  }
  return py::none();
}

}  // namespace jawari::python
