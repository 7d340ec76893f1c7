// SPDX-License-Identifier: MIT
// What a model is built from: bodies, contact lines wired to taps, signals, pickups, and the events of the scene.
// build_model() finds islands and groups, starts the contacts, makes the table of parameters, and refuses what cannot
// run.
#pragma once
#include <memory>
#include <vector>

#include "jawari/engine/instance.h"
#include "jawari/engine/model.h"

namespace jawari {

struct BodyPart : BodyInfo, BodyState {};
struct ContactPart : ContactInfo, ContactState {};
struct DrivePart : DriveInfo, DriveState {};

struct Parts {
  double dt_s = 0;
  double rate_hz = 0, steps_per_sample = 1;
  std::vector<BodyPart> bodies = {};
  std::vector<ContactPart> contacts = {};
  std::vector<DrivePart> drives = {};
  std::vector<Pickup> pickups = {};
  std::vector<Drawing> drawings = {};
  std::vector<DrawnBarrier> barriers = {};
  std::vector<EventSpec> events = {};
  Limits limits = {};
  Kernels kernels = Kernels::exact;
};

/// A model, and an instance of it at t = 0 that holds the bodies and lines of the parts themselves.
struct BuiltModel {
  std::shared_ptr<const Model> model;
  std::unique_ptr<Instance> instance;
};
/// Throws InputError: a scheme for independent points in an island, an event without target, numbers out of proportion.
BuiltModel build_model(Parts parts);

}  // namespace jawari
