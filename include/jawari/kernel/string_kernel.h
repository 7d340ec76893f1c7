// SPDX-License-Identifier: MIT
// A string on an explicit grid over a barrier along it, in one fused pass per step: (S4) with A = 1 + s0, every node
// its own contact.  SIMD along the string; blocks that nothing touches cost the stencil and the detection. The physics
// is that of contact/power_law.h and scheme/, run on SIMD lanes; here and in src/kernel only data are moved.
//   Arithmetic::as_double   the reference path (StringGrid, Line) bit for bit
//   Arithmetic::fused       multiply and add round once; each step equals that of the reference path to 4 ulp of its
//   terms.  Slow
//                           strings (below 35 Hz at 44.1 kHz), whose energy that would move, are played as_double
//   Arithmetic::single      float32 in increments: for listening, not for energy accounts (energy to about 1e-4).  Slow
//                           strings by differences, as as_double does it
// The kernel stands in for a StringGrid and its Line for any number of steps and can give the state back at any sample.
#pragma once
#include <array>
#include <cstddef>
#include <cstdint>
#include <memory>
#include <span>
#include <vector>

#include "jawari/body/string_grid.h"
#include "jawari/body/tap_reading.h"
#include "jawari/kernel/kernel_law.h"
#include "jawari/kernel/kernel_state.h"

namespace jawari {

enum class KernelScheme { plain, sign, returning, reset, bounded, secant_1, secant_2, two_point, three_point, landing };

struct StringDrive {  ///< a force on some nodes, a value per step
  StringGrid::Spread at;
  const double* force_N;
};
struct StringProbe {  ///< what a tap reads in every step; of the contact forces: no place
  using What = TapReading;
  static constexpr What displacement = What::displacement, double_step = What::double_step,
                        second_difference = What::second_difference, force = What::force;
  StringGrid::Spread at;
  What what;
  double* to;
};

/// What a contact that is solved elsewhere adds to the increment of a node: (q0 F) (1/(1 + s0)), in this order for the
/// bits of advance().
struct StringForce {
  std::size_t node;
  double push_m;
};

/// Solves of the record are those with a force; Newton also counts the others that took part.
class StringKernel : public KernelState, public KernelAccounts {
 public:
  enum class Arithmetic { as_double, fused, single };
  struct Barrier {
    double sign = -1;  ///< y = offset + sign u
    std::size_t first_node = 0;
    std::vector<double> offset_m;  ///< from first_node on; none: a string without barrier
    KernelLaw law;                 ///< of one point
    KernelScheme scheme = KernelScheme::plain;
  };
  /// The string must step explicitly and without tension modulation.  Allocates.
  static std::unique_ptr<StringKernel> make(const GridNumbers& string, std::size_t nodes, const Barrier& barrier,
                                            double dt_s, Arithmetic arithmetic = Arithmetic::fused);

  /// New constants, between store_state() and load_state() (kernel/kernel_factory.h), when a parameter changes.
  /// Allocates nothing.  The string must still step explicitly, the offsets must be as many; set_law() fits tables (0.1
  /// ms).
  virtual void set_string(const GridNumbers& string) noexcept = 0;
  virtual void set_offset(std::span<const double> offset_m) noexcept = 0;
  virtual void set_law(const KernelLaw& law) noexcept = 0;
  virtual void scale_stiffness(double factor) noexcept = 0;  ///< the law as made, so many times as stiff

  /// For contacts that are solved elsewhere: displacement and last increment of the nodes from `first` on, and their
  /// double step if nothing more pushed, with the first force of each drive, which run() must then be given.
  virtual void predict_nodes(std::size_t first, std::span<const StringDrive> drives, std::span<double> w_m,
                             std::span<double> d_m, std::span<double> s_free_m) const noexcept = 0;

  /// Any one thread at a time; never allocates, locks or throws.
  /// forces: with steps == 1 only, at nodes that the barrier does not push in this step.  Entries for one node are
  /// added up in their order.  No account of the kernel has them: the solver of the contact accounts for them.
  virtual void run(std::size_t steps, std::span<const StringDrive> drives = {},
                   std::span<const StringProbe> probes = {}, std::span<const StringForce> forces = {}) noexcept = 0;

  /// Without accounting a lossy string is up to one third faster; lost_J() is NaN afterwards.
  virtual void set_accounting(bool keep) noexcept = 0;
  virtual void reset_accounts() noexcept = 0;  ///< all that follows counts from here; extremes stay
};

}  // namespace jawari
