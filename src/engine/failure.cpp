// SPDX-License-Identifier: MIT
#include "jawari/engine/failure.h"

#include <fmt/format.h>

namespace jawari {

std::string failure_sentence(const Failure& f, std::string_view name, double dt_s) {
  if (!f) return {};
  const std::string when =
      f.first_step == f.last_step
          ? fmt::format("in step {} (at {:.6g} s)", f.first_step, static_cast<double>(f.first_step) * dt_s)
          : fmt::format("in one of the steps {} to {} (from {:.6g} s on)", f.first_step, f.last_step,
                        static_cast<double>(f.first_step) * dt_s);
  if (f.part == Failure::Part::sound) return fmt::format("the sum of the pickups is not finite {}", when);
  if (f.part == Failure::Part::body) return fmt::format("the motion of \"{}\" is not finite {}", name, when);
  if (f.why == Failure::Why::not_settled) return fmt::format("the contact \"{}\" did not settle {}", name, when);
  if (f.why == Failure::Why::complex_root)
    return fmt::format("the root of the contact \"{}\" is complex {}", name, when);
  if (f.why == Failure::Why::holds_on)
    return fmt::format(
        "the contact \"{}\" does not end: the correction of its integrator holds the mass at the wall {}; raise the "
        "rate, or use a scheme that is no integrator",
        name, when);
  return fmt::format("the force of the contact \"{}\" is not finite {}", name, when);
}

}  // namespace jawari
