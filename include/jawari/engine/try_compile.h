// SPDX-License-Identifier: MIT
// compile() for callers without exceptions: what is rejected comes back as a value.
#pragma once
#include <memory>
#include <optional>

#include "jawari/core/param.h"
#include "jawari/engine/compile.h"

namespace jawari {

struct Compiled {
  std::unique_ptr<System> system;   ///< null where `error` is set
  std::optional<InputError> error;  ///< path, value, what is allowed, and the sentence
  explicit operator bool() const noexcept { return system != nullptr; }
};

/// As compile(), but throws nothing except std::bad_alloc.
Compiled try_compile(const Scene& scene, Kernels kernels = Kernels::exact);

}  // namespace jawari
