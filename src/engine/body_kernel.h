// SPDX-License-Identifier: MIT
// What steps one body or several like ones, and the contact line along each, in the place of the reference path.  One
// interface for all kernels; a member is a body with its line.  While a member is loaded the kernel owns its state.
//   load, store        the state of a member, to and fro
//   predict            of kernels that step beside other bodies: where the taps are and how they would move
//   run                any number of steps of all active members, with drives and probes; one step beside other bodies
//   take_totals        what members have lost and gained since the last call
// Called by the thread that plays the members; run() and the like allocate nothing, lock nothing and throw nothing.
#pragma once
#include <algorithm>
#include <cmath>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>

#include "jawari/body/body.h"
#include "jawari/couple/line.h"
#include "jawari/engine/kernels.h"
#include "jawari/engine/model.h"
#include "jawari/kernel/string_kernel.h"

namespace jawari {

struct KernelDrive {  ///< a force on a tap, a value per step
  std::size_t member, tap;
  const double* force_N;
};
struct KernelProbe {  ///< what a tap reads in every step; of StringProbe::force: the contact line of the member
  std::size_t member, tap;
  StringProbe::What what;
  double* to;
};
/// What a member holds after a step; sums count from the last take_totals().
struct KernelRow {
  Stored stored = {};
  double contact_J = 0, compression_m = 0;  ///< compression: the largest of all points, at the step's middle
  double lost_J = 0, given_J = 0, lost_in_contact_J = 0, landed_J = 0;
};
/// Which of them are wanted: the step of a string costs less than its energy.
struct KernelRowProbe {
  std::size_t member;
  KernelRow* to;                      ///< a row per step
  std::span<double> largest_force_N;  ///< per point of the line: raised to |force| of every step; may be empty
  bool channels = true;               ///< compression_m and contact_J of every step; else contact_J where due
  std::size_t every = 1;              ///< stored and sums are due once in so many steps; 0: never
  std::size_t first_due = 0;          ///< below `every`
  bool due(std::size_t step) const noexcept { return every > 0 && step % every == first_due; }
  /// From step `from` on: up to the next that is due or, where something of every step is wanted, one.
  std::size_t steps_to_reading(std::size_t from, std::size_t to, bool each) const noexcept {
    if (each) return 1;
    const std::size_t most = to - from;
    return every == 0 ? most : std::min(most, (every + first_due - from % every) % every + 1);
  }
};
struct KernelTotals {
  double lost_J = 0, given_J = 0, lost_in_contact_J = 0;
  double landed_J = 0;  ///< of lost_in_contact_J: to waves that the mesh does not carry
  double taken_J = 0;   ///< by the contact from the body
  ContactRecord record = {};
};

class BodyKernel {
 public:
  virtual ~BodyKernel() = default;
  virtual void reserve(std::size_t drives, std::size_t probes) = 0;  ///< the most that run() gets; allocates
  virtual void load(std::size_t member, ContactLine* line, std::span<const double> offset_m) noexcept = 0;
  virtual void store(std::size_t member, ContactLine* line) noexcept = 0;
  /// Of several members: one that is not active is not stepped.  Its state is lost: store it before, load it after.
  virtual void set_active(std::size_t /*member*/, bool /*active*/) noexcept {}
  /// After the body was tuned, while the state is the body's.  False: the kernel does not serve it any more.
  virtual bool retune(std::size_t member) noexcept = 0;
  virtual void scale_stiffness(std::size_t member, double factor) noexcept = 0;  ///< of the law as built
  /// Scheme "auto" has changed.  False: there is no kernel for the scheme that is used now.
  virtual bool switch_scheme() noexcept { return false; }

  /// Of kernels that step beside other bodies, which meet its body at taps: fills w, d and s_free there.
  virtual void predict(std::span<const KernelDrive> /*drives*/) noexcept {}
  /// Returns the number of steps: fewer where the kernel stopped in the step after these because it failed.
  virtual std::size_t run(std::size_t steps, std::span<const KernelDrive> drives, std::span<const KernelProbe> probes,
                          std::span<const KernelRowProbe> rows) noexcept = 0;

  virtual KernelTotals take_totals(std::size_t member) noexcept = 0;
  virtual std::uint64_t unsettled(std::size_t member) const noexcept = 0;  ///< since the last totals
  virtual void reset_totals(std::size_t member) noexcept = 0;
};

/// Where the points of a line are at zero displacement: y = offset + sign w[first_tap + point].
struct LinePlace {
  std::span<const double> offset_m = {};
  std::size_t first_tap = 0;
  double sign = 1;
  double deepest(std::span<const double> w) const noexcept {
    double y = offset_m.empty() ? 0 : offset_m[0] + sign * w[first_tap];
    for (std::size_t i = 1; i < offset_m.size(); ++i) y = std::max(y, offset_m[i] + sign * w[first_tap + i]);
    return y;
  }
};
inline void keep_largest(std::span<double> largest, std::span<const double> force) noexcept {
  for (std::size_t i = 0; i < largest.size(); ++i) {
    const double size = std::abs(force[i]);
    largest[i] = size > largest[i] ? size : largest[i];
  }
}

/// A body with its contact line, for which a kernel is wanted.
struct KernelMember {
  Body& body;
  const ContactInfo* contact = nullptr;  ///< null: the body alone
  std::span<const double> offset_m = {};
};

/// For a string on an explicit grid, beside whatever meets it at `taps`.  Null where none fits.
std::unique_ptr<BodyKernel> make_grid_kernel(const KernelMember& member, std::vector<std::size_t> taps,
                                             Kernels kernels);
/// For a mass and its contact point on a wall.  Null where it is something else.
std::unique_ptr<BodyKernel> make_mass_kernel(const KernelMember& member);
/// For bodies that meet nothing but their line: modes, implicit strings.  Null where none fits all of them.
std::unique_ptr<BodyKernel> make_isolated_kernel(std::span<const KernelMember> members, Kernels kernels);

}  // namespace jawari
