// SPDX-License-Identifier: MIT
// The energy account of a run: stored + dissipated - injected stays what it was at the start.  Stored is read off the
// state; dissipated and injected are sums with compensation, updated in every step.  Always on.
#pragma once
#include <algorithm>
#include <array>
#include <cmath>

namespace jawari {

struct Ledger {
  double kinetic_J = 0, elastic_J = 0, load_J = 0, contact_J = 0;  ///< stored now; elastic: springs and tension
  double bending_J = 0, modulation_J = 0;                          ///< stored now, in strings
  double dissipated_J = 0, injected_J = 0;                         ///< since the start
  double unresolved_J = 0;        ///< of dissipated_J: to unresolved waves (scheme/landing.h)
  double start_J = 0;             ///< stored at the start
  double largest_J = 0;           ///< largest energy in the run so far: the scale of the residual
  double tools_J = 0;             ///< of kinetic_J and elastic_J, in hammers and hands: not part of any sound
  double largest_sounding_J = 0;  ///< largest_J of what is stored, without the tools: the scale of what is heard
  double worst_residual_J = 0;    ///< largest |residual| so far

  double stored_J() const noexcept { return kinetic_J + elastic_J + bending_J + modulation_J + load_J + contact_J; }
  double residual_J() const noexcept { return stored_J() + dissipated_J - injected_J - start_J; }
  /// Worst residual relative to the largest energy in the run.  NaN stays NaN.
  double imbalance() const noexcept { return worst_residual_J == 0 ? 0 : worst_residual_J / largest_J; }

  /// As channels of a trace: "ledger." and these, values in the same order.
  static constexpr std::array names{"kinetic_J", "elastic_J",    "bending_J",  "modulation_J", "load_J",
                                    "contact_J", "dissipated_J", "injected_J", "residual_J"};
  std::array<double, names.size()> values() const noexcept {
    return {kinetic_J, elastic_J, bending_J, modulation_J, load_J, contact_J, dissipated_J, injected_J, residual_J()};
  }

  void begin() noexcept {
    start_J = stored_J();
    note();
  }
  void note() noexcept {
    largest_J =
        std::max({largest_J, kinetic_J + elastic_J + bending_J + modulation_J + std::abs(load_J) + std::abs(contact_J),
                  std::abs(dissipated_J), std::abs(injected_J)});
    largest_sounding_J =
        std::max(largest_sounding_J, kinetic_J + elastic_J - tools_J + bending_J + modulation_J + std::abs(contact_J));
    const double r = std::abs(residual_J());
    if (!(r <= worst_residual_J)) worst_residual_J = r;  // also when r is NaN
  }
};

}  // namespace jawari
