// SPDX-License-Identifier: MIT
// jawari._core: the library as Python sees it.  Translation only; what people type is in python/jawari/*.py.
#include "bind.h"
#include "jawari/core/param.h"
#include "jawari/engine/kernels.h"

namespace {

namespace py = pybind11;
PyObject* input_error_type = nullptr;

void translate(std::exception_ptr p) {
  try {
    if (p) std::rethrow_exception(p);
  } catch (const jawari::InputError& r) {
    py::object error = py::handle(input_error_type)(r.what());
    error.attr("path") = r.path();
    error.attr("value") = r.value();
    error.attr("allowed") = r.allowed();
    error.attr("file") = r.file();
    error.attr("line") = r.line();
    error.attr("sentence") = r.sentence();
    error.attr("field") = r.path();  // until version 0.3
    PyErr_SetObject(input_error_type, error.ptr());
  }
}

}  // namespace

PYBIND11_MODULE(_core, m) {
  m.attr("__version__") = JAWARI_VERSION;
  py::list kernels;
  for (const std::string_view name : jawari::kernel_names) kernels.append(py::str(name.data(), name.size()));
  m.attr("kernel_names") = py::tuple(kernels);
  static py::exception<jawari::InputError> input_error(m, "InputError", PyExc_ValueError);
  input_error.attr("__doc__") =
      "Input that is refused: one sentence with the argument, its value and what is allowed.\n\n"
      "``path`` is the full path of the argument, such as ``contact[0].law.exponent``, ``value`` what was given and\n"
      "``allowed`` what may be, as text; ``file`` and ``line`` say where it was written, ``sentence`` is the text "
      "without\n"
      "them. ``field`` is the old name of ``path``.";
  input_error.attr("__module__") = "jawari";
  for (const char* name : {"path", "value", "allowed", "file", "sentence", "field"}) input_error.attr(name) = "";
  input_error.attr("line") = 0;
  input_error_type = input_error.ptr();
  py::register_exception_translator(translate);
  using namespace jawari::python;
  add_keys(m);
  add_scenes(m);
  add_runs(m);
  add_batches(m);
  add_engines(m);
  add_instruments(m);
  add_compare(m);
  add_laws(m);
  add_exact(m);
}
