// SPDX-License-Identifier: MIT
#pragma once
#include "kernel/contact_model.h"
#include "kernel/modal_arrays.h"

namespace jawari::kernel {

/// One step of independent points, from their free steps; says in `pushes` whether a force acts.  fused: multiply and
/// add round once.
void step_contact_points(ModalPoints& points, const ContactModel& contact, bool fused) noexcept;

}  // namespace jawari::kernel
