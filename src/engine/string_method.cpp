// SPDX-License-Identifier: MIT
#include "string_method.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "jawari/body/string_grid.h"
#include "jawari/core/elementary.h"
#include "jawari/core/param.h"

namespace jawari {
namespace {

constexpr double listened_hz = 2000, most_cents = 20;

/// How far below its true frequency the grid puts the first partial from 2 kHz on, in cents; 0 where it has none.
double detuned(const StringSpec& spec, double dt_s) {
  const StringData data = string_data(spec);
  const GridOptions options{spec.op, spec.gamma, spec.centred_loss, static_cast<int>(spec.intervals)};
  const GridPlan plan = plan_grid(data, options, dt_s);
  const auto hz = [&](int p) { return data.omega(p) / (2 * std::numbers::pi); };
  int p = 1;
  while (p < plan.intervals - 1 && hz(p) < listened_hz) ++p;
  if (hz(p) < listened_hz || !(2 * hz(p) * dt_s < 0.9)) return 0;
  return -1200 / std::numbers::ln2 * elementary::log(grid_frequency_hz(data, options, plan, dt_s, p) / hz(p));
}
/// Whether grid and modes are the same problem.
bool same_in_modes(const Scene& scene, const std::string& string) {
  return std::all_of(scene.barriers.begin(), scene.barriers.end(),
                     [&](const BarrierSpec& b) { return b.string != string || b.per_length || b.pointwise(); });
}

}  // namespace

void choose_methods(Scene& scene) {
  const double dt_s = 1 / step_rate_hz(scene);
  for (StringSpec& s : scene.strings) {
    if (s.method != StringMethod::automatic) continue;
    s.method = StringMethod::grid;
    if (!same_in_modes(scene, s.name) || s.tension_modulation || s.highest_hz > 0) continue;
    const bool exact = scene.quality && *scene.quality != Quality::draft;
    try {
      if (!(detuned(s, dt_s) > (exact ? 0 : most_cents))) continue;
    } catch (const InputError&) {
      continue;  // the grid says what is wrong when it is built
    }
    s.method = StringMethod::modes;
    const auto meets = [&](const BarrierSpec& b) { return b.string == s.name; };
    const bool points = std::any_of(scene.barriers.begin(), scene.barriers.end(), meets) &&
                        std::none_of(scene.barriers.begin(), scene.barriers.end(),
                                     [&](const BarrierSpec& b) { return meets(b) && !b.pointwise(); });
    if (points) s.bandwidth = 2 / std::numbers::pi;
  }
}

}  // namespace jawari
