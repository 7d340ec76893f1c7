// SPDX-License-Identifier: MIT
// The tables of a model that are made from its bodies and contacts.
#pragma once
#include <cstdint>
#include <vector>

#include "jawari/engine/instance.h"

namespace jawari {

/// Parameters of the model, and their values of the instance.
void make_parameters(Model& model, Instance& instance);
/// The events of the scene, sorted into groups by time.  Throws InputError: no such target, a value out of range.
void schedule_events(Model& model, const std::vector<EventSpec>& events);
/// Of all that a state depends on and does not hold.
std::uint64_t fingerprint(const Model& model, const Instance& instance);

}  // namespace jawari
