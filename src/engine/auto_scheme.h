// SPDX-License-Identifier: MIT
// scheme = "auto": what a contact gets, and why, in a sentence.
//   hard against a light point (a string on a barrier, below 3 samples): two-point, the only one that is right there
//   well resolved (10 samples and more): secant-2, fixed cost and second order; two-point waits in case contacts get
//   short in between, or both sides push: two-point; a lumped impact gets it guarded, with the stiffness matched to the
//   time
#pragma once
#include <string>

#include "jawari/engine/parts.h"

namespace jawari {

struct AutoOptions {
  std::string scheme, why;
  std::string fallback_scheme, fallback_why;  ///< what it changes to when contacts turn out shorter; may be empty
};
AutoOptions choose_scheme(const LawSpec& law, const ContactPart& contact, const Parts& parts, double weight,
                          double speed_m_s);

}  // namespace jawari
