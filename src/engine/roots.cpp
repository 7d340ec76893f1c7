// SPDX-License-Identifier: MIT
#include "jawari/engine/roots.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>

#include "jawari/core/elementary.h"
#include "jawari/impact/real_roots.h"
#include "scheme_facts.h"

namespace jawari {
namespace {

/// 1/M of one side: a mass, or the wall.  Negative: something else.
double lightness(const Scene& scene, const std::string& body) {
  if (body == wall) return 0;
  const auto it = std::find_if(scene.masses.begin(), scene.masses.end(), [&](auto& m) { return m.name == body; });
  return it == scene.masses.end() ? -1 : 1 / it->mass_kg;
}

std::string percent(double share) { return fmt::format("{:.2g} %", 100 * share); }

/// The rate at which an impact of this kappa has another one: kappa goes with k^(alpha+1).
double rate_for(double rate_hz, double kappa, double wanted, double exponent) {
  return rate_hz * elementary::pow(kappa / wanted, 1 / (exponent + 1));
}

std::string sentence(double share, double kappa, double largest, double s, double exponent, double v, double rate_hz,
                     bool raises) {
  const std::string where =
      fmt::format("s = {:.4g}, impacts at up to {:.3g} m/s, k^2 K (v k)^(alpha-1)/M = {:.3g}", s, v, kappa);
  if (share == 0 && std::isinf(largest)) return fmt::format("roots real at every time step ({})", where);
  if (share == 0) return fmt::format("roots real ({}; up to {:.3g})", where, largest);
  std::string text = fmt::format("roots complex for {} of the phases of entry ({})", percent(share), where);
  text += raises ? ": s is raised there" : ": the run would end there";
  if (largest > 0)
    text += fmt::format("; real from {:.6g} Hz on", std::ceil(rate_for(rate_hz, kappa, largest, exponent)));
  return text + fmt::format("; never complex with s = {:.4g}", safe_weight(exponent));
}

}  // namespace

std::vector<RootCheck> check_roots(const Scene& scene, const System& system) {
  std::vector<RootCheck> list;
  const double energy_J = std::max(system.ledger().start_J, 0.0), dt_s = system.dt_s();
  for (const auto& c : scene.contacts) {
    const SchemeInfo* info = c.scheme ? find_scheme(c.scheme->type) : nullptr;
    if (!info || !info->quadratic || !law(c.law.type).power_form) continue;
    const double a = lightness(scene, c.bodies[0]), b = lightness(scene, c.bodies[1]);
    if (a < 0 || b < 0 || energy_J == 0) continue;
    const auto values = resolve(law(c.law.type).params, c.law, "law");
    const double K = values[0], exponent = values[1], v = std::sqrt(2 * energy_J * (a + b)),
                 kappa = taylor_stiffness(K, exponent, 1 / (a + b), v, dt_s);
    const auto weight = c.scheme->values.find("s");
    const double s = info->weight ? info->weight(exponent) : weight == c.scheme->values.end() ? 0.5 : weight->second;
    RootCheck check{part_name(c), "", complex_share(exponent, kappa, s), info->complex_root_ends};
    check.sentence =
        sentence(check.share, kappa, largest_real_kappa(exponent, s), s, exponent, v, 1 / dt_s, !check.ends);
    list.push_back(std::move(check));
  }
  return list;
}

}  // namespace jawari
