// SPDX-License-Identifier: MIT
// Many masses on springs, each against a barrier of its own and independent of the others: e.g. parameter sweeps.
// One power law and the plain quadratised scheme (DB19 (28)) for all; per mass
//   d+ = d - D u + C f,   u+ = u + d+        (M1) with E = 1;   y = u - barrier                               (N1)
// Another stiffness for one mass is another C: only K C counts.
// The physics is that of contact/power_law.h and scheme/quadratised.h, run on SIMD lanes; here and in src/kernel only
// data are moved.  Masses that cannot reach their barrier within the next steps are stepped without detection, the
// others are packed side by side.  That changes no mass's arithmetic: the result does not depend on the batch, and with
// Rounding::as_double it is the reference path's bit for bit.
// Rounding::single is twice as fast again, for sweeps and sounds rather than for energy accounts: energy to about 1e-4,
// and an increment below 6e-8 |u| does not move u.
#pragma once
#include <cstddef>
#include <cstdint>
#include <span>
#include <vector>

#include "jawari/contact/power_law.h"

namespace jawari {
namespace kernel {
template <class Number>
struct MassView;
}

class MassBatch {
 public:
  struct Mass {
    double D = 0;          ///< (N1) [-], 0 <= D < 4: 4 sin^2(omega dt/2), or (omega dt)^2 for leapfrog
    double C = 0;          ///< (N1) [m/N], > 0: dt^2/m for leapfrog
    double barrier_m = 0;  ///< touched where u > barrier_m
  };
  struct State {
    double u_m = 0, d_m = 0;  ///< u^n and u^n - u^{n-1}
    double psi = 0;           ///< [sqrt(J)], psi^{n-1/2}
  };
  /// fused: multiply and add round once (about a tenth faster); where the machine cannot, as as_double.
  /// single: float32, fused.
  enum class Rounding { as_double, fused, single };

  /// Allocates.  Throws InputError if a value of a mass is out of its range.
  MassBatch(const PowerLaw& law, std::span<const Mass> masses, Rounding rounding = Rounding::fused);

  std::size_t size() const noexcept { return size_; }
  /// Also inside a contact: psi follows from u and d.
  void place(std::size_t mass, double u_m, double d_m) noexcept;
  void set(std::size_t mass, const State& state) noexcept;
  State state(std::size_t mass) const noexcept;
  double energy_J(std::size_t mass) const noexcept;  ///< (M2) and psi^2/2

  /// Any one thread at a time; never allocates, locks or throws.
  void run(std::size_t steps) noexcept;

 private:
  enum Column { u, d, psi, D, C, barrier, curving, columns };
  template <class Number>
  struct Columns {
    std::size_t count = 0;  // padded
    std::vector<Number> data, pack;
    Number& at(Column c, std::size_t i) noexcept;
  };
  template <class Number>
  void fill(Columns<Number>& to, std::span<const Mass> masses);
  template <class Number>
  void run_on(Columns<Number>& all, void (*kernel)(const kernel::MassView<Number>&, std::size_t),
              std::size_t steps) noexcept;
  double get(Column c, std::size_t i) const noexcept;
  void put(Column c, std::size_t i, double value) noexcept;

  PowerLaw law_;
  std::size_t size_, chunk_;
  Rounding rounding_;
  Columns<double> double_;  // one of the two is empty
  Columns<float> single_;
  std::vector<std::uint32_t> packed_;
};

}  // namespace jawari
