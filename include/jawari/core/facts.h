// SPDX-License-Identifier: MIT
// Facts about a scheme or a law: shown by every front end, checked by the tests (order and cost are measured there).
#pragma once
#include <string_view>

namespace jawari {

/// Where a law has a force: on one side, on both with a gap between, or everywhere but in one point.
enum class Sides { one, gap, both };

struct Facts {
  std::string_view name;
  std::string_view text;             ///< one line
  std::string_view source;           ///< paper and equation
  double (*order)(double exponent);  ///< of the trajectory through one impact, measured (tests/analytic/facts.cpp)
  double powers;                     ///< power functions per step in contact at 10 samples per contact, measured
};

inline double order_one(double) { return 1; }
inline double order_two(double) { return 2; }
/// Quadratised schemes: the slope of psi switches on at a sample, an error of relative size (dt/tau)^((alpha+1)/2).
inline double order_of_psi(double exponent) { return exponent < 3 ? (exponent + 1) / 2 : 2; }

}  // namespace jawari
