// SPDX-License-Identifier: MIT
// What changes while a model runs: the bodies, contact lines and signals of one run, its parameters, clocks and account
// sums. Arrays are parallel to the tables of the model.  One thread at a time; groups may be run by different threads,
// since each group owns its bodies, contacts, drives, pickups and parameters.  Saved and loaded as bytes
// (src/engine/instance_archive.h).
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <vector>

#include "jawari/body/body.h"
#include "jawari/core/archive.h"
#include "jawari/couple/line.h"
#include "jawari/engine/event_queue.h"
#include "jawari/engine/failure.h"
#include "jawari/engine/model.h"
#include "jawari/engine/signal.h"

namespace jawari {

struct Tuning {  ///< factors of what was built, and added decay
  double tension = 1, bending = 1, added_1_s = 0;
  bool operator==(const Tuning&) const = default;
};

struct BodyState {
  std::unique_ptr<Body> body;
  double held_N = 0, held_origin_m = 0;  ///< hammer that waits: the load that acts on it from its first strike on
  double blow_N = 0;                     ///< mass: a strike, pushed in the step that comes
  Tuning tuning = {};
  double pressed_N = 0;  ///< finger that a force presses: that force
  void hold() noexcept;  ///< a mass at rest, without its load until it is struck
};

/// What moving along a body does to a contact point in the step that comes: added to y, d and s_free.
struct PointShift {
  double y = 0, d = 0, s = 0;
  double moved = 0;   ///< what y gains in this step because its place on the body changes
  double raised = 0;  ///< because the shape of a barrier moves: offset_m gains it
  bool operator==(const PointShift&) const = default;
};

struct ContactState {
  std::unique_ptr<ContactLine> line;
  std::unique_ptr<ContactLine> fallback = {};  ///< "auto": with the scheme it changes to
  bool fallback_used = false;                  ///< the two have changed places
  std::vector<double> offset_m = {};           ///< per point: y at zero displacement
  double stiffness = 0;                        ///< of one point, for the penetration bound; 0: none
  double factor = 1;                           ///< of the stiffness it was built with
  double height_m = 0;
  double rise_m = 0;                     ///< of a height that glides: what offset_m gained in the last step
  double next_rise_m = 0;                ///< what it gains in this one
  double coefficient = 0, normal_N = 0;  ///< friction
  double position_m = 0;                 ///< of a contact that moves: the value of its parameter
  std::vector<PointShift> shift = {};    ///< per point of one that may move
  bool shifts = false;                   ///< one of these is not zero
};

struct DriveState {
  Signal signal;
  double amplitude = 1;
  double before = 1;   ///< amplitude of the step before
  bool begun = false;  ///< an amplitude that is set before the first step is no jump
  /// Force of this step.  Where the amplitude jumps, the mean of both: the jump then happens at its step, to second
  /// order.
  double next() noexcept;
  bool silent() const noexcept { return (amplitude == 0 && (!begun || before == 0)) || signal.silent(); }
};

/// A parameter, and where it is going.
struct ParameterState {
  double value = 0;
  double from = 0, to = 0;
  std::int64_t steps = 0, done = 0;  ///< steps 0: at rest
};

struct GroupState {
  std::size_t next_event = 0;                       ///< of the scene
  std::size_t due = no_index, last_due = no_index;  ///< its events among those of the block that comes
  std::int64_t step = 0;
  std::int64_t reference_until = 0;  ///< before this step a height moves or a mass is struck: the reference path alone
  bool asleep = false;
  Failure failure = {};            ///< none: it goes on
  std::int64_t measured_step = 0;  ///< when its energies were last measured
  std::int64_t next_band = 0;      ///< when the bands of its bodies are measured next
  bool measured = false;           ///< body_stored and contact_stored are those of now
};

/// Sums of the account of one body or contact.
struct AccountSums {
  Sum received, changed;
  double start = 0;
};

struct Instance {
  explicit Instance(double dt_s) noexcept : dt_s(dt_s) {}
  /// The bodies, contacts, signals and all numbers of another one.  Allocates.
  Instance(const Instance& other);
  Instance(Instance&&) = default;
  Instance& operator=(Instance&&) = default;

  /// y, d and s_free of the points of a contact, from its bodies.
  void fill_ports(const ContactInfo& info, ContactState& contact) noexcept;
  double stored(std::size_t account) const noexcept;  ///< of a body, or after the bodies of a contact [J]
  double lost_in(const ContactState& contact) const noexcept;
  double residual(std::size_t account, double stored_J) const noexcept;

  double dt_s;
  std::vector<BodyState> bodies;
  std::vector<ContactState> contacts;
  std::vector<DriveState> drives;
  std::vector<double> gains;  ///< per pickup
  std::vector<ParameterState> parameters;
  std::vector<GroupState> groups;
  std::vector<AccountSums> accounts;  ///< bodies, then contacts
  EventQueue queue;                   ///< posted, not yet due
};

}  // namespace jawari
