// SPDX-License-Identifier: MIT
// Sound that comes in as an array, (channels, frames).
#pragma once
#include <vector>

#include "bind.h"
#include "jawari/engine/sound_input.h"

namespace jawari::python {

using SoundArray = py::array_t<double, py::array::c_style | py::array::forcecast>;

/// Its channels, while the array lives.
struct SoundOfArray {
  std::vector<const double*> channels;
  explicit SoundOfArray(const SoundArray& array) {
    for (py::ssize_t c = 0; c < array.shape(0); ++c) channels.push_back(array.data(c, 0));
  }
};

}  // namespace jawari::python
