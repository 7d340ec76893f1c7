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

/// Solves of the record are those of vectors in which the string had something to solve.
class StringBatch : public KernelState, public KernelAccounts {
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

  /// Any one thread at a time; never allocates, locks or throws.
  virtual void run(std::size_t steps, std::span<const Drive> drives = {},
                   std::span<const Probe> probes = {}) noexcept = 0;
};

}  // namespace jawari
