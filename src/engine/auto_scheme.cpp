// SPDX-License-Identifier: MIT
#include "auto_scheme.h"

#include <fmt/format.h>

#include <algorithm>

#include "jawari/impact/closed_form.h"

namespace jawari {

AutoOptions choose_scheme(const LawSpec& law, const ContactPart& c, const Parts& parts, double weight, double speed) {
  const LawInfo& info = jawari::law(law.type);
  if (info.sides != Sides::one) return {"two-point", "two-point, because the law pushes on both sides", {}, {}};
  if (!info.power_form) return {"two-point", "two-point, because the law is a table", {}, {}};
  double q = 0;  // of the point that yields most: the shortest contact
  for (std::size_t p = 0; p < c.offset_m.size(); ++p) {
    double here = 0;
    for (const auto& s : c.sides) here += parts.bodies[s.body].body->receptance(s.at(p), s.at(p));
    q = std::max(q, here);
  }
  const double dt = parts.dt_s;
  const exact::Impact impact{.mass_kg = dt * dt / q,
                             .stiffness = weight * law.values.at("stiffness"),
                             .exponent = law.values.at("exponent"),
                             .mu = 0,
                             .speed_m_s = speed};
  const double samples = exact::elastic_contact_time(impact) / dt;
  const bool light = c.on_string || c.offset_m.size() > 1;
  const auto facts = fmt::format("a contact at {:.2g} m/s lasts {:.2g} samples at {} point{}", speed, samples,
                                 c.offset_m.size(), c.offset_m.size() == 1 ? "" : "s");
  const std::string precise = light ? "two-point" : "guarded-two-point";
  if (samples >= 10)
    return {"secant-2", fmt::format("secant-2, because {}: well resolved, so a fixed cost is enough", facts), precise,
            fmt::format("{}, because contacts turned out shorter than 6 samples", precise)};
  return {precise, fmt::format("{}, because {}: too short for a scheme without iteration", precise, facts), {}, {}};
}

}  // namespace jawari
