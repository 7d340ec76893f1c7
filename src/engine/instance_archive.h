// SPDX-License-Identifier: MIT
// The state of an instance as bytes: bodies, contacts, parameters on their way, events that wait, account sums.  What
// belongs to the model (matrices, laws, tables) is not part of it; where a parameter has changed these, reading sets
// them anew first.
#pragma once
#include "changes.h"
#include "jawari/core/archive.h"

namespace jawari {

void archive_failure(Archive& a, const Model& model, Failure& failure) noexcept;
void archive_instance(Archive& a, const Model& model, Instance& instance, Changes& changes) noexcept;

}  // namespace jawari
