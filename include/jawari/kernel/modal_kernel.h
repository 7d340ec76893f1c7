// SPDX-License-Identifier: MIT
// Modes over a barrier, (M1), in fused passes.  Two ways, chosen by the body:
//   points j L/(P+1) of a string   two sine transforms bring all of them to the modes and back; with the same gain for
//                                  every mode they are independent.  A SIMD lane is a string: many strings cost
//                                  per string what half of one does, or less
//   taps anywhere                  SIMD along the modes.  One point: a division.  Many points: only those that may
//                                  touch take part (found by a bound on how far a point can get), and Cholesky on
//                                  those that do
// The physics is that of contact/power_law.h and scheme/, run on SIMD lanes; islands are couple/island.h.
//   Arithmetic::as_double   the reference path (ModalBody, Line, Island) bit for bit; to rounding where points are left
//   out Arithmetic::fused       multiply and add round once; each step equals that of the reference path to 4 ulp of
//   its terms
// The kernel stands in for a ModalBody and its Line for any number of steps and can give the state back at any sample.
#pragma once
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <string_view>
#include <vector>

#include "jawari/body/modal.h"
#include "jawari/kernel/kernel_state.h"
#include "jawari/kernel/string_kernel.h"
#include "jawari/registry.h"

namespace jawari {

struct ModalDrive {  ///< a force on a tap, a value per step
  std::size_t tap;
  const double* force_N;
  std::size_t string = 0;
};
struct ModalProbe {  ///< what a tap reads in every step, as StringProbe
  std::size_t tap;
  StringProbe::What what;
  double* to;
  std::size_t string = 0;
};

class ModalKernel : public KernelState, public KernelAccounts {
 public:
  using Arithmetic = StringKernel::Arithmetic;
  struct Barrier {
    double sign = -1;  ///< y = offset + sign w
    std::size_t first_tap = 0;
    std::vector<double> offset_m;  ///< from first_tap on
    KernelLaw law;                 ///< of one point
    KernelScheme scheme = KernelScheme::plain;
  };
  /// Throws InputError for a body with tension modulation or constant load.  Allocates.
  static std::unique_ptr<ModalKernel> make(const ModalBody& body, const Barrier& barrier,
                                           Arithmetic arithmetic = Arithmetic::fused);
  /// Strings of as many modes and taps each, whose barriers lie on points j L/(P+1) and share time step, law and
  /// scheme. No string's samples depend on the others.
  static std::unique_ptr<ModalKernel> make(std::span<const ModalBody* const> bodies, std::span<const Barrier> barriers,
                                           Arithmetic arithmetic = Arithmetic::fused);
  virtual std::size_t strings() const noexcept = 0;
  virtual bool detects_all_points() const noexcept {
    return true;
  }  ///< false: points are left out, as_double is to rounding

  /// What tune() has changed in the body, a barrier at other heights, the same law so many times as stiff.  For a
  /// kernel whose state was stored; place() follows.  Allocates nothing.  False: the body does no longer fit the
  /// kernel.
  virtual bool refresh(const ModalBody& body, std::size_t string = 0) noexcept = 0;
  virtual void set_offset(std::span<const double> offset_m, std::size_t string = 0) noexcept = 0;
  virtual void scale_stiffness(double factor) noexcept = 0;  ///< all strings
  /// Of several strings: one that is not active is not stepped; totals and record stay, drives do nothing, probes
  /// are not written.  Its state is lost: read it before; once active again it is at rest, and place() follows.  Until
  /// then place() and what comes after it do nothing.  All are active at first, and a kernel along rows always is.
  /// Allocates nothing.
  virtual void set_active(std::size_t /*string*/, bool /*active*/) noexcept {}
  virtual bool active(std::size_t /*string*/) const noexcept { return true; }

  /// Of all taps; they are followed by increments and read again from the modes every 64 steps, so they are state.
  virtual void read_taps(std::span<double> w_m, std::span<double> d_m, std::size_t string = 0) noexcept = 0;
  virtual void set_taps(std::span<const double> w_m, std::span<const double> d_m, int steps_to_reading,
                        std::size_t string = 0) noexcept = 0;
  virtual int steps_to_reading(std::size_t string = 0) const noexcept = 0;

  /// Any one thread at a time; never allocates, locks or throws.
  virtual void run(std::size_t steps, std::span<const ModalDrive> drives = {},
                   std::span<const ModalProbe> probes = {}) noexcept = 0;
};

namespace kernel {

/// A contact line on consecutive taps of one modal body, as a scene has it: y = offset + sign w.
struct ModalLineOptions {
  const LawSpec& law;
  const SchemeSpec& scheme;
  double weight;  ///< factor on the stiffness of every point, as for make_line()
  std::size_t first_tap;
  double sign;
  std::span<const double> offset_m;
};
/// Null where no kernel fits: tension modulation, a constant load, a law or scheme without one.  Throws InputError for
/// values out of range, as make_line().
std::unique_ptr<ModalKernel> make_kernel(const ModalBody& body, const ModalLineOptions& line,
                                         ModalKernel::Arithmetic arithmetic);
/// A body of a batch with its line.
struct ModalBatchOptions {
  const ModalBody& body;
  const ModalLineOptions& line;
};
/// Null where no batch fits: no kernel as above, points elsewhere than at j L/(P+1), another number of modes or taps,
/// another time step, law (its weight included) or scheme.
std::unique_ptr<ModalKernel> make_kernel(std::span<const ModalBatchOptions> strings,
                                         ModalKernel::Arithmetic arithmetic);

/// Loads the state of body and line into the kernel.
void load_state(ModalKernel& kernel, const ModalBody& body, const ContactLine& line, std::size_t string = 0) noexcept;
/// Stores the state of the kernel in body and line: modes, taps, state of the contact, forces of the last step. Account
/// sums and records stay with the kernel.
void store_state(ModalKernel& kernel, ModalBody& body, ContactLine& line, std::size_t string = 0) noexcept;

}  // namespace kernel
}  // namespace jawari
