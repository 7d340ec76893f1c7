// SPDX-License-Identifier: MIT
// Values of Python as values of scenes, and back: dictionaries, lists, numbers, words.
#pragma once
#include "bind.h"
#include "jawari/engine/value.h"

namespace jawari::python {

/// None in a dictionary is "not given".  Throws InputError for what a scene cannot hold.
Value value_of(py::handle object);
py::object object_of(const Value& value);

}  // namespace jawari::python
