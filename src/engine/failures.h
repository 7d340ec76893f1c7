// SPDX-License-Identifier: MIT
// How the end of a motion is noticed.  Step by step a contact says that it did not settle or that its force is not
// finite; of a block stepped by kernels the samples and the records are checked before they are handed out, and the
// energies of all bodies at every audit.  A group that has failed is silent from its first wrong step on.
#pragma once
#include <cstdint>

#include "jawari/engine/failure.h"
#include "jawari/engine/instance.h"

namespace jawari {

class KernelSet;

/// Why a contact failed, from what it holds.
Failure contact_failure(const Model& model, const Instance& instance, std::size_t contact, std::int64_t first,
                        std::int64_t last) noexcept;
/// After the steps from..to of a block, whose first step was `began`: fills the tracks with silence from the failure
/// on.
void find_failures(const Model& model, Instance& instance, KernelSet& kernels, std::size_t group, std::int64_t from,
                   std::int64_t to, std::int64_t began, double* const* tracks) noexcept;

}  // namespace jawari
