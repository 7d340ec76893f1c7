// SPDX-License-Identifier: MIT
// Questions about the scheme of a contact by its name, which may be that of an integrator, a spring or friction.
#pragma once
#include <fmt/format.h>

#include <string>
#include <string_view>

#include "jawari/impact/corrections.h"
#include "jawari/registry.h"

namespace jawari {

/// The step is the root of a quadratic equation, which can be complex.
inline bool has_quadratic_root(std::string_view scheme) noexcept {
  const SchemeInfo* info = find_scheme(scheme);
  return info && info->quadratic;
}
/// Chooses stiffness and loss of each impact.
inline bool chooses_stiffness(std::string_view scheme) noexcept {
  const SchemeInfo* info = find_scheme(scheme);
  return info && info->own_stiffness;
}
/// Samples a contact needs before its timing is worth trusting: beyond.md's jitter of one sample for schemes that
/// switch their force on at a sample, a bias of c/N^2 for discrete gradients and secants.
inline double samples_wanted(std::string_view scheme) {
  const SchemeInfo* info = find_scheme(scheme);
  return info ? info->samples : integrator_samples(scheme);
}

/// What a scheme of this law may be, for errors: "be one of ...".
inline std::string allowed_schemes(const LawSpec& law) {
  std::string list;
  for (const auto name : schemes_for(law)) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", name);
  return "be one of " + list;
}

}  // namespace jawari
