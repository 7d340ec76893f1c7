// SPDX-License-Identifier: MIT
// [[bar]], [[membrane]], [[plate]], [[modal]], [[hand]] of a scene file.
#include "jawari/io/number_files.h"
#include "reader.h"

namespace jawari {

std::vector<DecayTime> read_decay(Reader& r) {
  const auto times = r.list("decay_s"), frequencies = r.list("decay_hz");
  const auto key = [&](const char* name) { return r.named(name); };
  if (times.size() != frequencies.size() || (!times.empty() && times.size() != 2))
    r.refuse("decay_s", fmt::format("{} has {} values and decay_hz {}, but both must have two", key("decay_s"),
                                    times.size(), frequencies.size()));
  std::vector<DecayTime> decay;
  for (std::size_t i = 0; i < times.size(); ++i) {
    if (!(times[i] > 0))
      r.refuse("decay_s", fmt::format("{} holds {:g}, but times must lie above 0 s", key("decay_s"), times[i]));
    if (!(frequencies[i] > 0))
      r.refuse("decay_hz",
               fmt::format("{} holds {:g}, but frequencies must lie above 0 Hz", key("decay_hz"), frequencies[i]));
    decay.push_back({frequencies[i], times[i]});
  }
  if (decay.size() == 2 && !(frequencies[0] < frequencies[1]))
    r.refuse("decay_hz", fmt::format("{} must rise", key("decay_hz")));
  return decay;
}

std::optional<Location> read_spot(Reader& r, std::string_view key) {
  const auto* node = r.find(key);
  if (!node) return std::nullopt;
  if (node->is_string()) return Location{0, 0, **node->as_string()};
  if (const auto x = node->value<double>(); x && !node->is_boolean()) return Location{*x, 0, {}};
  const auto* pair = node->as_array();
  if (pair && pair->size() == 2 && pair->get(0)->is_number() && pair->get(1)->is_number())
    return Location{*pair->get(0)->value<double>(), *pair->get(1)->value<double>(), {}};
  r.refuse(key, fmt::format("{} is {}, but must be a place: x in metres, [x, y], or the name of a point", r.named(key),
                            kind_of(*node)));
}

namespace {

template <class Spec>
void read_modes(Reader& scene, const char* key, std::vector<Spec>& list, std::span<const Field<Spec>> fields) {
  each(scene, key, [&](Reader& r) {
    Spec s;
    s.name = r.needed("name", "a name of its own");
    r.numbers<Spec>(fields, s);
    s.decay = read_decay(r);
    if constexpr (requires { s.ends; }) s.ends = r.one_of("ends", ends_names, Ends::free);
    list.push_back(std::move(s));
  });
}

void read_modal(Reader& r, Scene& scene) {
  ModalSpec s;
  s.name = r.needed("name", "a name of its own");
  s.frequencies_hz = r.list("frequencies_hz");
  s.decay_s = r.list("decay_s");
  s.masses_kg = r.list("masses_kg");
  const auto* node = r.find("points");
  const auto* points = node ? node->as_table() : nullptr;
  if (!points) r.refuse("points", "modal.points must be a table of named points, { bridge = [1.0, 0.5], ... }");
  r.table("points", [&](Reader& p) {
    for (const auto& [name, value] : *points) s.points.emplace_back(std::string(name.str()), p.list(name.str()));
  });
  scene.modals.push_back(std::move(s));
}

}  // namespace

void read_bodies(Reader& r, const Sources& sources) {
  Scene& scene = r.file().scene;
  read_modes<BarSpec>(r, "bar", scene.bars, bar_fields);
  read_modes<MembraneSpec>(r, "membrane", scene.membranes, membrane_fields);
  read_modes<PlateSpec>(r, "plate", scene.plates, plate_fields);
  each(r, "modal", [&](Reader& m) { read_modal(m, scene); });
  each(r, "hand", [&](Reader& h) {
    HandSpec s;
    s.name = h.needed("name", "a name of its own");
    h.numbers<HandSpec>(hand_fields, s);
    s.samples_m = h.list("samples_m");  // in place of a file
    if (const auto path = h.text("file")) {
      try {
        s.samples_m = read_samples(sources.path(*path), step_rate_hz(scene), sources.below);
      } catch (const InputError& refusal) {
        h.refuse("file", fmt::format("hand.file {}", refusal.what()));
      }
    }
    scene.hands.push_back(std::move(s));
  });
}

}  // namespace jawari
