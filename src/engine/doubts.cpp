// SPDX-License-Identifier: MIT
// A string held at both ends by the tension T that is displaced by h in its middle stores at least 2 T h^2 / L,
// elsewhere more: with energy E in all, no point of it goes farther than sqrt(E L / (2 T)).
#include "jawari/engine/doubts.h"

#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <numeric>

#include "jawari/engine/compile.h"
#include "jawari/engine/work.h"

namespace jawari {
namespace {

/// A slope of one half is far outside of what a linear string means.
constexpr double steepest = 0.5;
/// Nothing that sounds swings a quarter of its length.
constexpr double farthest = 0.25;

const StringSpec* string_named(const Scene& scene, const std::string& name) {
  const auto it = std::find_if(scene.strings.begin(), scene.strings.end(), [&](auto& s) { return s.name == name; });
  return it == scene.strings.end() ? nullptr : &*it;
}

void doubt_starts(const Scene& scene, std::vector<std::string>& list) {
  for (const auto& s : scene.strings) {
    const StartSpec& start = s.start;
    double run = s.length_m;  // over which the string rises by its height
    if (start.shape == StartShape::pluck)
      run = std::min(start.position_m, s.length_m - start.position_m);
    else if (start.shape == StartShape::bump)
      run = start.width_m / 2;
    else if (start.shape == StartShape::mode)
      run = s.length_m / (2 * start.number);
    else
      continue;
    if (std::abs(start.height_m) > steepest * run)
      list.push_back(fmt::format("string \"{}\" starts {:g} m high within {:.3g} m: is start.height_m meant in metres?",
                                 s.name, start.height_m, run));
  }
  for (const auto& e : played_events(scene)) {
    if (e.type != EventType::pluck && e.type != EventType::press) continue;
    for (const auto* hands : {&scene.plectrums, &scene.fingers})
      for (const auto& h : *hands) {
        const StringSpec* s = h.name == e.target ? string_named(scene, h.target) : nullptr;
        if (s && e.value > farthest * s->length_m)
          list.push_back(
              fmt::format("an event moves \"{}\" by {:g} m on a string of {:g} m: is depth_m meant in metres?", h.name,
                          e.value, s->length_m));
      }
  }
}

/// All energy there will ever be, if nothing drives the scene.
double energy_J(const Scene& scene, const System& system) {
  double sum = std::max(system.ledger().start_J, 0.0);
  for (const auto& e : played_events(scene))
    for (const auto& h : scene.hammers)
      if (e.type == EventType::strike && e.target == h.name) sum += h.mass_kg * e.value * e.value / 2;
  return sum;
}
bool driven(const Scene& scene) {
  const bool forced =
      !scene.excitations.empty() || !scene.hands.empty() || !scene.plectrums.empty() || !scene.fingers.empty();
  const bool heavy = scene.gravity_m_s2 != 0 || !scene.rattles.empty() ||
                     std::any_of(scene.masses.begin(), scene.masses.end(), [](auto& m) { return m.load_N != 0; });
  const std::vector<EventSpec> events = played_events(scene);
  const bool changed = std::any_of(events.begin(), events.end(),
                                   [](auto& e) { return e.type != EventType::strike && e.type != EventType::damp; });
  return forced || heavy || changed || !scene.voices.empty();
}

void doubt_barriers(const Scene& scene, const System& system, std::vector<std::string>& list) {
  const double energy = energy_J(scene, system);
  const bool free = !driven(scene);
  for (const auto& b : system.barriers()) {
    const StringSpec* s =
        b.string < system.shapes().size() ? string_named(scene, system.shapes()[b.string].name) : nullptr;
    const bool carried = std::any_of(scene.barriers.begin(), scene.barriers.end(),
                                     [&](auto& x) { return part_name(x) == b.name && !x.on.empty(); });
    if (!s || carried || b.height_m.empty()) continue;
    const double nearest = b.above ? *std::min_element(b.height_m.begin(), b.height_m.end())
                                   : -*std::max_element(b.height_m.begin(), b.height_m.end());
    const double reach = std::sqrt(energy * s->length_m / (2 * string_data(*s).tension_N));
    if (nearest > farthest * s->length_m)
      list.push_back(
          fmt::format("barrier \"{}\" is {:.3g} m away from a string of {:g} m: are heights meant in metres?", b.name,
                      nearest, s->length_m));
    else if (free && energy > 0 && nearest > 1.01 * reach)
      list.push_back(fmt::format(
          "barrier \"{}\" is out of reach: {:.3g} m away, but the {:.3g} J of this scene move the string by "
          "{:.3g} m at most",
          b.name, nearest, energy, reach));
  }
}

void doubt_work(const Scene& scene, std::vector<std::string>& list) {
  const double points = dense_points(scene);
  const double step_s = dense_step_s(points);
  const double run_s = step_s * static_cast<double>(step_count(scene));
  if (run_s > announced_s && points > 50)
    list.push_back(
        fmt::format("{:g} contact points are coupled: a step may take up to {:.2g} s and the whole {:.2g} s; use fewer "
                    "points, or a grid string",
                    points, step_s, run_s));
}

}  // namespace

std::vector<std::string> doubts(const Scene& scene, const System& system) {
  std::vector<std::string> list;
  doubt_starts(scene, list);
  doubt_barriers(scene, system, list);
  doubt_work(scene, list);
  if (!scene.voices.empty() && scene.notes.empty())
    list.push_back("the scene has a [voice], but no notes: add [[note]] or [midi], or render it with --midi");
  return list;
}

}  // namespace jawari
