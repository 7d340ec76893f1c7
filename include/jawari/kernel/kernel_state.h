// SPDX-License-Identifier: MIT
// What kernels of strings and of modes have alike: a state that goes in and comes out, and accounts.  `string`: which
// of several, 0 for a kernel of one.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>

#include "jawari/body/body.h"
#include "jawari/couple/contact_record.h"
#include "jawari/scheme/landing.h"

namespace jawari {

class KernelState {
 public:
  virtual ~KernelState() = default;
  /// Displacement and last increment of every node or mode; taps follow, and the contact starts from them.
  virtual void place(std::span<const double> u_m, std::span<const double> d_m, std::size_t string = 0) noexcept = 0;
  /// States of the contact as ContactLine::states() has them, one per point of the barrier.  After place().
  virtual void set_contact(std::span<const std::byte> states, std::size_t string = 0) noexcept = 0;
  /// How long the contacts under way have lasted, as ContactLine::samples(), and their last forces.  After
  /// set_contact().
  virtual void set_under_way(std::span<const std::int64_t> samples, std::span<const double> phi_N,
                             std::size_t string = 0) noexcept = 0;
  /// What a landing line keeps beside its states, as ContactLine has it.  After set_contact(); nothing for other
  /// schemes.
  virtual void set_landing(std::span<const LandingPlace> place, double together, std::span<const double> landed_at,
                           double clock, std::size_t string = 0) noexcept = 0;

  virtual void read(std::span<double> u_m, std::span<double> d_m, std::size_t string = 0) const noexcept = 0;
  virtual void read_contact(std::span<std::byte> states, std::size_t string = 0) const noexcept = 0;
  virtual void read_samples(std::span<std::int64_t> samples, std::size_t string = 0) const noexcept = 0;
  /// Along +y, of the last step.
  virtual void read_forces(std::span<double> phi_N, std::size_t string = 0) const noexcept = 0;
  virtual void read_landing(std::span<double> landed_at, double& clock, std::size_t string = 0) const noexcept = 0;
};

class KernelAccounts {
 public:
  virtual ~KernelAccounts() = default;
  virtual Stored stored(std::size_t string = 0) const noexcept = 0;     ///< (S10), (M2)
  virtual double contact_J(std::size_t string = 0) const noexcept = 0;  ///< stored in the contact
  virtual double lost_J(std::size_t string = 0) const noexcept = 0;     ///< by string or modes
  virtual double lost_in_contact_J(std::size_t string = 0) const noexcept = 0;
  virtual double landed_J(std::size_t string = 0) const noexcept = 0;  ///< of it: to waves that the mesh does not carry
  virtual double given_J(std::size_t string = 0) const noexcept = 0;   ///< by drives
  virtual double taken_J(
      std::size_t string = 0) const noexcept = 0;  ///< by the contact from the string: -f s/2, summed
  /// As a line of the reference path counts it.  A contact under way when the state was placed counts from there.
  virtual ContactRecord record(std::size_t string = 0) const noexcept = 0;
  /// Accounts and record begin anew, as when it was made; the state stays.
  virtual void forget(std::size_t string = 0) noexcept = 0;
};

}  // namespace jawari
