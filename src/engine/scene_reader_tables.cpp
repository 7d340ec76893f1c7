// SPDX-License-Identifier: MIT
// Locations, laws and schemes.
#include <array>
#include <optional>
#include <string>

#include "jawari/registry.h"
#include "scene_reader.h"

namespace jawari {

std::optional<Location> SceneReader::read_location(std::string_view key) {
  const Value* node = find(key);
  if (!node) return std::nullopt;
  if (const auto* point = node->text()) return Location{0, 0, *point};
  if (node->is_number()) return Location{node->number(), 0, {}};
  if (const auto* pair = node->numbers(); pair && pair->size() == 2) return Location{(*pair)[0], (*pair)[1], {}};
  refuse_kind(key, *node, "be a place: x in metres, [x, y], or the name of a point");
}

void SceneReader::place(Location& at, const std::string&) {
  static constexpr Param along{"position_m", "x", "m", at_least(0), at_most(1e6), 0.0, ""};
  if (auto read = read_location(location_key.name))
    at = std::move(*read);
  else if (const auto x = read_number(along))
    at = Location{*x, 0, {}};
}
void SceneReader::places(std::array<Location, 2>& at, const std::array<std::string, 2>& bodies) {
  if (!reading_.patch || has(location_key.name) || has("position_m")) {
    place(at[0], bodies[0]);
    at[1] = at[0];
  }
  location(lower_location_key, at[0], bodies[0]);
  location(upper_location_key, at[1], bodies[1]);
}
void SceneReader::both_locations(const KeyInfo& key, std::array<std::optional<Location>, 2>& at) {
  if (auto read = read_location(key.name)) at = {*read, *read};
}

void SceneReader::read_choice(LawSpec& chosen, std::string_view what) {
  const bool again = reading_.patch && !has("type");  // its numbers alone change
  std::string type = chosen.type;
  read_text({"type", {}, !again}, fmt::format("the name of a {}", what), type);
  if (!again && !(reading_.patch && type == chosen.type)) chosen = {};
  chosen.type = type;
  const LawInfo* info = find_law(type);
  for (const auto& [key, node] : table_) {
    if (key == "type") continue;
    if (info && info->list && key == info->list->name) {
      read_list(info->list->name, chosen.force_N);
      continue;
    }
    if (!node.is_number()) refuse_kind(key, node, "be a number");
    asked_.push_back(key);
    chosen.values[key] = node.number();
  }
}

void SceneReader::law(const KeyInfo& key, LawSpec& law) {
  const Value* node = find(key.name);
  if (!node) {
    if (reading_.patch) return;
    throw missing(full(key.name), named(key.name),
                  "be a table such as { type = \"power\", stiffness = 5e9, exponent = 1.3 }");
  }
  if (!node->table()) refuse_kind(key.name, *node, "be a table");
  SceneReader table = inner(*node, full(key.name), "law");
  table.read_choice(law, "law");
  within(table.path_, [&] { resolve_restitution(law); });
}

void SceneReader::law_along(const KeyInfo& key, LawSpec& law_spec, bool& per_length) {
  const auto at = table_.find(key.name);
  const ValueTable* given = at == table_.end() ? nullptr : at->second.table();
  if (reading_.patch && given && given->contains("stiffness_per_m")) law_spec.values.erase("stiffness");
  law(key, law_spec);
  if (!given) return;
  const bool was = reading_.patch && per_length && !given->contains("stiffness");
  per_length = within(full(key.name), [&] { return resolve_stiffness_per_length(law_spec); }) || was;
}

void SceneReader::scheme(const KeyInfo& key, std::optional<SchemeSpec>& scheme) {
  const Value* node = find(key.name);
  if (!node) return;
  if (const auto* name = node->text()) {
    scheme = LawSpec{*name};
    return;
  }
  if (!node->table()) refuse_kind(key.name, *node, "be a name or a table");
  if (!scheme) scheme.emplace();
  inner(*node, full(key.name), "scheme").read_choice(*scheme, "scheme");
}

}  // namespace jawari
