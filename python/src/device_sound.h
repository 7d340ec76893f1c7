// SPDX-License-Identifier: MIT
// Sound in the memory of a device, for other libraries: DLPack and the CUDA array interface.
#pragma once
#include "bind.h"
#include "jawari/core/device_array.h"

namespace jawari::python {

/// Rows (runs, pickups) of samples that stay on a device.
struct DeviceSound {
  std::shared_ptr<DeviceArray> array;
  std::size_t runs = 0, pickups = 0;
};

void add_device_sound(py::module_& m);

}  // namespace jawari::python
