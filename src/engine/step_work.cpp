// SPDX-License-Identifier: MIT
#include "step_work.h"

#include <algorithm>
#include <map>

#include "build_string.h"

namespace jawari {
namespace {

/// A body as far as its work goes.
struct Load {
  double numbers = 1;   ///< nodes or modes
  double touched = 1;   ///< of these, by a tap
  double taps = 1;      ///< contact points and pickups
  double contacts = 0;  ///< contact points coupled through all modes
};

}  // namespace

double step_work(const LoweredScene& lowered) {
  const Scene& s = lowered.scene();
  const double dt = 1 / step_rate_hz(s);
  std::map<std::string, Load> loads;
  for (const auto& spec : s.strings) {
    const bool along = std::any_of(s.barriers.begin(), s.barriers.end(), [&](const BarrierSpec& b) {
      return b.string == spec.name && !b.pointwise() && b.points == 0;
    });
    const StringBuilder builder(spec, dt, along);
    const auto n = static_cast<double>(builder.count());
    loads[spec.name] = {n, builder.local_taps() ? 4 : n, 1, 0};
  }
  const auto modal = [&](const std::string& name, double modes) { loads[name] = {modes, modes, 1, 0}; };
  for_each_body(s, [&](auto, const auto& list, auto) {
    for (const auto& body : list) {
      if constexpr (requires { body.frequencies_hz; })
        modal(body.name, static_cast<double>(body.frequencies_hz.size()));
      else if constexpr (
          requires { body.modes; } && !requires { body.intervals; })
        modal(body.name, body.modes);
    }
  });
  const auto meet = [&](const std::string& body, double points) {
    const auto it = loads.find(body);
    if (it == loads.end()) return;
    it->second.taps += points;
    if (it->second.touched == it->second.numbers) it->second.contacts += points;
  };
  for (const auto& c : s.contacts)
    for (const auto& body : c.bodies) meet(body, static_cast<double>(std::max<std::size_t>(c.line.size(), 1)));
  for (const auto& b : s.barriers) meet(b.string, b.pointwise() ? static_cast<double>(b.x_m.size()) : b.points);
  for (const auto& c : s.connections)
    for (const auto& body : c.bodies) meet(body, 1);
  for (const auto& f : s.frictions)
    for (const auto& body : f.bodies) meet(body, 1);
  for (const auto& p : s.pickups) meet(p.of, 1);
  double work = 4 + static_cast<double>(s.masses.size());
  for (const auto& [name, load] : loads) {
    work += load.numbers + load.taps * load.touched;
    work += load.contacts * load.contacts * (4 + load.contacts / 3);
  }
  return work;
}

}  // namespace jawari
