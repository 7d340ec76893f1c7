// SPDX-License-Identifier: MIT
// What the runs of a batch give, and whether they can share arrays.
#include <fmt/format.h>

#include <algorithm>

#include "batch_player.h"
#include "jawari/core/param.h"
#include "jawari/engine/compile.h"

namespace jawari {

std::vector<std::size_t> drawings_of(const Catalogue& catalogue, const BatchOptions& options) {
  std::vector<std::size_t> found;
  for (const std::string& name : options.shapes) {
    const auto& all = catalogue.shapes();
    const auto at = std::find_if(all.begin(), all.end(), [&](const ShapeInfo& s) { return s.name == name; });
    if (at == all.end()) {
      std::string names;
      for (const ShapeInfo& s : all) names += (names.empty() ? "\"" : ", \"") + s.name + "\"";
      if (names.empty()) names = "the scene has nothing";
      throw InputError("shapes", fmt::format("shapes names \"{}\", but must name what can be drawn: {}", name, names),
                       fmt::format("\"{}\"", name), "name what can be drawn: " + names);
    }
    found.push_back(static_cast<std::size_t>(at - all.begin()));
  }
  return found;
}

BatchLayout layout_of(const Catalogue& catalogue, const Scene& scene, const BatchOptions& options,
                      std::vector<std::string> contacts) {
  if (options.every < 0) throw not_allowed("every", "every", std::to_string(options.every), "be at least 0 time steps");
  BatchLayout l;
  for (const PickupInfo& p : catalogue.pickups()) l.pickups.push_back(p.name);
  l.contacts = std::move(contacts);
  for (const std::size_t i : drawings_of(catalogue, options)) l.shapes.push_back(catalogue.shapes()[i]);
  l.steps = step_count(scene);
  l.readings = options.every > 0 ? l.steps / options.every : 0;
  l.rate_hz = scene.rate_hz;
  l.dt_s = catalogue.dt_s();
  l.steps_per_sample = steps_per_sample(scene);
  l.samples = l.steps / l.steps_per_sample;
  return l;
}

std::string difference(const BatchLayout& first, const BatchLayout& other) {
  if (other.steps != first.steps || other.dt_s != first.dt_s)
    return fmt::format("it takes {} steps of {:g} s, the first run {} of {:g} s", other.steps, other.dt_s, first.steps,
                       first.dt_s);
  if (other.pickups != first.pickups)
    return fmt::format("it has {} pickups, the first run {}, or they have other names", other.pickups.size(),
                       first.pickups.size());
  if (other.contacts != first.contacts) return "its contacts are not those of the first run";
  for (std::size_t i = 0; i < first.shapes.size(); ++i)
    if (other.shapes[i].x_m.size() != first.shapes[i].x_m.size())
      return fmt::format("its \"{}\" has {} points, that of the first run {}", first.shapes[i].name,
                         other.shapes[i].x_m.size(), first.shapes[i].x_m.size());
  return {};
}

}  // namespace jawari
