// SPDX-License-Identifier: MIT
// What the parts of the module share: how arrays leave without being copied, and which part adds what.
#pragma once
#include <pybind11/numpy.h>
#include <pybind11/pybind11.h>
#include <pybind11/stl.h>

#include <memory>
#include <string_view>
#include <vector>

namespace jawari::python {

namespace py = pybind11;

/// A view of memory that `owner` keeps alive: the array holds a share of it, whatever becomes of everything else.
template <class T, class Owner>
py::array view(const T* data, std::vector<py::ssize_t> shape, std::vector<py::ssize_t> strides,
               std::shared_ptr<Owner> owner) {
  py::capsule base(new std::shared_ptr<Owner>(std::move(owner)),
                   [](void* p) { delete static_cast<std::shared_ptr<Owner>*>(p); });
  return py::array_t<T>(std::move(shape), std::move(strides), data, base);
}
template <class T>
py::array own(std::vector<T> values) {
  auto owner = std::make_shared<std::vector<T>>(std::move(values));
  const auto n = static_cast<py::ssize_t>(owner->size());
  return view(owner->data(), {n}, {static_cast<py::ssize_t>(sizeof(T))}, owner);
}
inline py::str text(std::string_view s) { return py::str(s.data(), s.size()); }

// Every file adds its nouns to the module.
void add_keys(py::module_& m);
void add_scenes(py::module_& m);
void add_runs(py::module_& m);
void add_batches(py::module_& m);
void add_engines(py::module_& m);
void add_instruments(py::module_& m);
void add_compare(py::module_& m);
void add_laws(py::module_& m);
void add_exact(py::module_& m);

}  // namespace jawari::python
