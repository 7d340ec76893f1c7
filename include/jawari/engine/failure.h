// SPDX-License-Identifier: MIT
// Where, when and why a motion ended: which contact or body, which step, and whether a solve did not settle, its root
// was complex, a number was not finite, or a correction never let the mass go.  From that step on there is silence, and
// no step is taken any more.
#pragma once
#include <cstddef>
#include <cstdint>
#include <string>
#include <string_view>

namespace jawari {

struct Failure {
  enum class Why : unsigned char { none, not_settled, complex_root, not_finite, holds_on };
  enum class Part : unsigned char { contact, body, sound };
  Why why = Why::none;
  Part part = Part::sound;                     ///< sound: what the pickups add up to
  std::size_t index = 0;                       ///< of the contact or body
  std::int64_t first_step = 0, last_step = 0;  ///< one step; where a kernel played several at once, one of these
  explicit operator bool() const noexcept { return why != Why::none; }
};

/// One sentence without its full stop; empty if nothing failed.  `name`: of the contact or body.
std::string failure_sentence(const Failure& failure, std::string_view name, double dt_s);

}  // namespace jawari
