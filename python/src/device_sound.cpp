// SPDX-License-Identifier: MIT
#include "device_sound.h"

#include <array>
#include <cstring>

namespace jawari::python {
namespace {

// The structures of DLPack (dmlc.github.io/dlpack), version 0: three numbers, pointers and a function that frees.
struct DlDevice {
  std::int32_t type, id;
};
struct DlType {
  std::uint8_t code, bits;
  std::uint16_t lanes;
};
struct DlTensor {
  void* data;
  DlDevice device;
  std::int32_t dimensions;
  DlType type;
  std::int64_t* shape;
  std::int64_t* strides;
  std::uint64_t byte_offset;
};
struct DlManaged {
  DlTensor tensor;
  void* own;
  void (*free)(DlManaged*);
};
constexpr std::int32_t on_cpu = 1, on_cuda = 2;
constexpr std::uint8_t real = 2;

struct Kept {
  std::shared_ptr<DeviceArray> array;
  std::array<std::int64_t, 3> shape, strides;
  DlManaged managed;
};

DlDevice place(const DeviceArray& a) { return a.device() < 0 ? DlDevice{on_cpu, 0} : DlDevice{on_cuda, a.device()}; }
std::array<std::int64_t, 3> shape_of(const DeviceSound& s) {
  return {static_cast<std::int64_t>(s.runs), static_cast<std::int64_t>(s.pickups),
          static_cast<std::int64_t>(s.array->columns())};
}

/// A capsule: what takes the tensor frees it; else it goes with the capsule.
py::capsule dlpack(const DeviceSound& s) {
  auto kept = std::make_unique<Kept>();
  kept->array = s.array;
  kept->shape = shape_of(s);
  kept->strides = {kept->shape[1] * kept->shape[2], kept->shape[2], 1};
  const auto bits = static_cast<std::uint8_t>(8 * s.array->number_bytes());
  kept->managed = {{s.array->data(), place(*s.array), 3, {real, bits, 1}, kept->shape.data(), kept->strides.data(), 0},
                   kept.get(),
                   [](DlManaged* m) { delete static_cast<Kept*>(m->own); }};
  return py::reinterpret_steal<py::capsule>(PyCapsule_New(&kept.release()->managed, "dltensor", [](PyObject* capsule) {
    if (PyCapsule_IsValid(capsule, "dltensor") == 0) return;  // taken
    auto* m = static_cast<DlManaged*>(PyCapsule_GetPointer(capsule, "dltensor"));
    m->free(m);
  }));
}

py::dict cuda_interface(const DeviceSound& s) {
  if (s.array->device() < 0) throw py::attribute_error("the sound is not in the memory of a CUDA device");
  py::dict d;
  const auto shape = shape_of(s);
  d["shape"] = py::make_tuple(shape[0], shape[1], shape[2]);
  d["typestr"] = s.array->is_double() ? "<f8" : "<f4";
  d["data"] = py::make_tuple(reinterpret_cast<std::uintptr_t>(s.array->data()), false);
  d["strides"] = py::none();
  d["version"] = 3;
  return d;
}

template <class T>
py::array to_host_as(const DeviceSound& s) {
  auto numbers = std::make_shared<std::vector<T>>(s.array->rows() * s.array->columns());
  {
    const py::gil_scoped_release free;
    for (std::size_t row = 0; row < s.array->rows(); ++row)
      s.array->read(row, numbers->data() + row * s.array->columns());
  }
  const auto n = shape_of(s);
  const auto bytes = static_cast<py::ssize_t>(sizeof(T));
  return view(numbers->data(), {n[0], n[1], n[2]}, {n[1] * n[2] * bytes, n[2] * bytes, bytes}, numbers);
}
py::array to_host(const DeviceSound& s) { return s.array->is_double() ? to_host_as<double>(s) : to_host_as<float>(s); }

/// A NumPy array as what a device would hand out, for programs and tests without one.
class HostSound final : public DeviceArray {
 public:
  HostSound(py::array array, std::size_t rows, std::size_t columns, bool is_double)
      : DeviceArray(rows, columns, is_double, -1), array_(std::move(array)) {
    data_ = array_.mutable_data();
  }
  ~HostSound() override {
    const py::gil_scoped_acquire held;
    array_ = {};
  }
  void write(std::size_t row, const void* numbers) override {
    std::memcpy(at(row), numbers, columns() * number_bytes());
  }
  void read(std::size_t row, void* numbers) const override {
    std::memcpy(numbers, at(row), columns() * number_bytes());
  }

 private:
  py::array array_;
};

DeviceSound on_host(const py::array& array) {
  const bool is_double = py::isinstance<py::array_t<double>>(array);
  if (array.ndim() != 3 || (array.flags() & py::array::c_style) == 0 ||
      !(is_double || py::isinstance<py::array_t<float>>(array)))
    throw py::type_error("sound must be an array (runs, pickups, samples) of float or double");
  const auto n = [&](py::ssize_t axis) { return static_cast<std::size_t>(array.shape(axis)); };
  return {std::make_shared<HostSound>(array, n(0) * n(1), n(2), is_double), n(0), n(1)};
}

}  // namespace

void add_device_sound(py::module_& m) {
  m.def("sound_on_host", &on_host);
  py::class_<DeviceSound>(m, "DeviceSound",
                          "Sound that stays in the memory of a device, (runs, pickups, samples).\n\n"
                          "PyTorch, JAX and CuPy take it without a copy: ``torch.from_dlpack(sound)``, "
                          "``cupy.asarray(sound)``.")
      .def_property_readonly("shape",
                             [](const DeviceSound& s) {
                               const auto n = shape_of(s);
                               return py::make_tuple(n[0], n[1], n[2]);
                             })
      .def_property_readonly(
          "dtype",
          [](const DeviceSound& s) { return s.array->is_double() ? py::dtype::of<double>() : py::dtype::of<float>(); })
      .def("numpy", &to_host, "A copy in the memory of the host.")
      .def(
          // max_version, dl_device and copy are asked for by later versions of the protocol
          "__dlpack__", [](const DeviceSound& s, const py::object&, const py::kwargs&) { return dlpack(s); },
          py::arg("stream") = py::none())
      .def("__dlpack_device__",
           [](const DeviceSound& s) { return py::make_tuple(place(*s.array).type, place(*s.array).id); })
      .def_property_readonly("__cuda_array_interface__", &cuda_interface);
}

}  // namespace jawari::python
