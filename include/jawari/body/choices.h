// SPDX-License-Identifier: MIT
// What a scene says of modes and grids: how they are stepped (modal.h, string_grid.h), and a mode.
#pragma once
#include <string_view>

namespace jawari {

/// Of modes: what E, D and C are in (M1), body/modal.h.
enum class Stepping { exact, constant, leapfrog, midpoint };
inline constexpr std::string_view stepping_names[] = {"exact", "constant", "leapfrog", "midpoint"};

/// Of strings on grids: the operator A in (S4), body/string_grid.h.
enum class GridOperator { explicit_, gamma, optimal, unconditional };
inline constexpr std::string_view grid_operator_names[] = {"explicit", "gamma", "optimal", "unconditional"};

struct Mode {
  double mass_kg = 1, omega_rad_s = 0, decay_1_s = 0;  ///< decay: sigma of exp(-sigma t)
  double bending = 0;                                  ///< share of its elastic energy that is bending
};

}  // namespace jawari
