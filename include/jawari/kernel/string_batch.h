// SPDX-License-Identifier: MIT
// Strings on implicit grids (gamma, optimal, unconditional, centred sigma_1; (S4) without tension modulation), each
// over a barrier of its own or none: one string per SIMD lane, so that the banded solves of several strings run side by
// side. A step that touches nothing is the free solve, refined once; a vector of strings of which one touches goes
// through Newton (K2), (S9) as Island and GridCompliance have it.  One exponent, loss factor and scheme for all, a
// stiffness for each. The physics is that of contact/power_law.h and scheme/, run on SIMD lanes; here and in src/kernel
// only data are moved.
//   Arithmetic::as_double   the reference path (StringGrid, Line, GridCompliance, Island) bit for bit
//   Arithmetic::fused       multiply and add round once; each step equals that of the reference path to 4 ulp of its
//   terms
// No string's arithmetic depends on the others: strings may differ in length and in all numbers but the time step.
// A string that is not active costs nothing where all strings of its vector are not, else its part of the vector.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jawari/couple/contact_record.h"
#include "jawari/kernel/string_kernel.h"

namespace jawari {

class StringBatch {
 public:
  enum class Arithmetic { as_double, fused };
  struct Barrier {
    double sign = -1;  ///< y = offset + sign u
    std::size_t first_node = 0;
    std::vector<double> offset_m;  ///< from first_node on; empty: none
    double stiffness = 0;          ///< of one point, instead of the law's; 0: the law's
  };
  struct String {
    GridNumbers numbers;
    std::size_t nodes = 0;
    Barrier barrier = {};
  };
  struct Contact {
    KernelLaw law;  ///< of one point
    KernelScheme scheme = KernelScheme::plain;
  };
  struct Drive : StringDrive {
    std::size_t string = 0;
  };
  struct Probe : StringProbe {
    std::size_t string = 0;
  };

  /// Throws InputError where a string steps explicitly (StringKernel is for those) or has nodes without sense.
  /// Allocates.
  static std::unique_ptr<StringBatch> make(std::span<const String> strings, const Contact& contact, double dt_s,
                                           Arithmetic arithmetic = Arithmetic::fused);
  virtual ~StringBatch() = default;

  virtual std::size_t size() const noexcept = 0;
  virtual std::size_t nodes(std::size_t string) const noexcept = 0;

  /// Another tension or decay, a barrier at other heights; place() follows.  The law that the string was made with, so
  /// many times as stiff.  Allocates nothing.
  virtual void set_string(std::size_t string, const GridNumbers& numbers) noexcept = 0;
  virtual void set_offset(std::size_t string, std::span<const double> offset_m) noexcept = 0;
  virtual void scale_stiffness(std::size_t string, double factor) noexcept = 0;
  virtual void scale_stiffness(double factor) noexcept = 0;  ///< all strings
  /// A string that is not active is not stepped: totals and record stay, drives do nothing, probes are not written.
  /// Its state is lost: read it before; once active again it is at rest, and place() follows.  Until then place() and
  /// what comes after it do nothing.  All are active at first.  Allocates nothing.
  virtual void set_active(std::size_t string, bool active) noexcept = 0;
  virtual bool active(std::size_t string) const noexcept = 0;

  /// As StringKernel has them, string by string.
  virtual void place(std::size_t string, std::span<const double> u_m, std::span<const double> d_m) noexcept = 0;
  virtual void set_contact(std::size_t string, std::span<const std::byte> states) noexcept = 0;
  virtual void set_under_way(std::size_t string, std::span<const std::int64_t> samples,
                             std::span<const double> phi_N) noexcept = 0;
  virtual void set_landing(std::size_t string, std::span<const LandingPlace> place, double together,
                           std::span<const double> landed_at, double clock) noexcept = 0;
  virtual void read_landing(std::size_t string, std::span<double> landed_at, double& clock) const noexcept = 0;
  virtual void read(std::size_t string, std::span<double> u_m, std::span<double> d_m) const noexcept = 0;
  virtual void read_contact(std::size_t string, std::span<std::byte> states) const noexcept = 0;
  virtual void read_forces(std::size_t string, std::span<double> phi_N) const noexcept = 0;
  virtual void read_samples(std::size_t string, std::span<std::int64_t> samples) const noexcept = 0;

  /// Any one thread at a time; never allocates, locks or throws.
  virtual void run(std::size_t steps, std::span<const Drive> drives = {},
                   std::span<const Probe> probes = {}) noexcept = 0;

  virtual Stored stored(std::size_t string) const noexcept = 0;  ///< (S10)
  virtual double contact_J(std::size_t string) const noexcept = 0;
  virtual double lost_J(std::size_t string) const noexcept = 0;
  virtual double lost_in_contact_J(std::size_t string) const noexcept = 0;
  virtual double landed_J(std::size_t string) const noexcept = 0;  ///< of it: to waves that the mesh does not carry
  virtual double given_J(std::size_t string) const noexcept = 0;   ///< by drives
  virtual double taken_J(std::size_t string) const noexcept = 0;   ///< from the string by its contact: -sum of f s/2
  /// As a line of the reference path counts it.  A contact under way when the state was placed counts from there.
  /// Solves are those of vectors in which the string had something to solve.
  virtual ContactRecord record(std::size_t string) const noexcept = 0;
  virtual void forget(
      std::size_t string) noexcept = 0;  ///< totals and record begin anew, as when it was made; the state stays
  virtual void forget() noexcept = 0;    ///< all strings
};

}  // namespace jawari
