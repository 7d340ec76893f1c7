// SPDX-License-Identifier: MIT
// jawari list laws|schemes|integrators|scene|scenes|presets
#include <fmt/format.h>

#include <nlohmann/json.hpp>

#include "commands.h"
#include "jawari/engine/scene.h"
#include "jawari/impact/corrections.h"
#include "jawari/io/scene_keys.h"
#include "jawari/registry.h"
#include "scenes.h"

namespace jawari::cli {
namespace {

using nlohmann::ordered_json;

ordered_json param_json(const Param& p) {
  ordered_json j{{"name", p.name}, {"symbol", p.symbol}, {"unit", p.unit}, {"range", p.range()}, {"text", p.text}};
  j["default"] = p.fallback ? ordered_json(*p.fallback) : ordered_json();
  return j;
}
void print_param(const Param& p) {
  fmt::print("      {:<14} {:<10} {:<16} {:<10} {}\n", p.name, p.unit, p.range(),
             p.fallback ? fmt::format("{:g}", *p.fallback) : "required", p.text);
}

int list_laws(bool json) {
  ordered_json out = ordered_json::array();
  for (const auto& l : laws()) {
    ordered_json params = ordered_json::array();
    for (const auto& p : l.params) params.push_back(param_json(p));
    if (l.list)
      params.push_back({{"name", l.list->name},
                        {"symbol", l.list->symbol},
                        {"unit", l.list->unit},
                        {"range", "list"},
                        {"text", l.list->text},
                        {"default", nullptr}});
    out.push_back({{"name", l.name},
                   {"text", l.text},
                   {"source", l.source},
                   {"one_sided", l.sides == Sides::one},
                   {"params", params}});
    if (json) continue;
    fmt::print("{:<18} {} ({})\n", l.name, l.text, l.source);
    for (const auto& p : l.params) print_param(p);
    if (l.list)
      fmt::print("      {:<14} {:<10} {:<16} {:<10} {}\n", l.list->name, l.list->unit, "list", "required",
                 l.list->text);
  }
  if (json) fmt::print("{}\n", out.dump(2));
  return success;
}
int list_schemes(bool json) {
  ordered_json out = ordered_json::array();
  if (!json) fmt::print("{:<20} {:<10} {:>6} {:>8}  {}\n", "name", "solves", "order", "powers", "what");
  for (const auto& s : schemes()) {
    ordered_json params = ordered_json::array();
    for (const auto& p : s.params) params.push_back(param_json(p));
    const auto& f = s.facts;
    out.push_back({{"name", f.name},
                   {"text", f.text},
                   {"source", f.source},
                   {"iterative", s.iterative},
                   {"couples", s.couples},
                   {"order_at_1.5", f.order(1.5)},
                   {"powers_per_step", f.powers},
                   {"params", params}});
    if (json) continue;
    fmt::print("{:<20} {:<10} {:>6g} {:>8.1f}  {} ({})\n", f.name, s.iterative ? "iterative" : "fixed", f.order(1.5),
               f.powers, f.text, f.source);
    for (const auto& p : s.params) print_param(p);
  }
  if (json)
    fmt::print("{}\n", out.dump(2));
  else
    fmt::print("\norder: measured, at exponent 1.5; powers: power functions per step in contact, the main cost\n");
  return success;
}
int list_integrators(bool json) {
  ordered_json out = ordered_json::array();
  for (const auto name : integrator_base_names()) {
    out.push_back(name);
    if (!json) fmt::print("{}\n", name);
  }
  if (json)
    fmt::print("{}\n", out.dump(2));
  else
    fmt::print(
        "\neach also with +position, +rebound, +hybrid (both), +rebound+approximate, +hybrid+approximate or "
        "+projected; they move "
        "one mass against one wall\n");
  return success;
}
bool is_number(const Key& k) { return k.type == Key::number || k.type == Key::integer; }
/// What a key is, for people: its range, its words, or its kind.
std::string kind_of(const Key& k) {
  if (is_number(k)) return k.param.range();
  if (k.type != Key::word) return std::string(key_type_names[k.type]);
  std::string words;
  for (const auto w : k.words) words += fmt::format("{}{}", words.empty() ? "" : "|", w);
  return words;
}
void list_table(std::string_view title, std::string_view text, std::span<const Key> keys, bool json,
                ordered_json& out) {
  ordered_json list = ordered_json::array();
  for (const auto& k : keys) {
    ordered_json j =
        is_number(k) ? param_json(k.param) : ordered_json{{"name", k.name}, {"range", kind_of(k)}, {"text", k.says}};
    j["required"] = k.required;
    j["type"] = key_type_names[k.type];
    if (!k.usual.empty()) j["default"] = k.usual;
    list.push_back(std::move(j));
  }
  out[std::string(title)] = {{"text", text}, {"keys", list}};
  if (json) return;
  fmt::print("{}  {}\n", title, text);
  for (const auto& k : keys) {
    if (is_number(k))
      print_param(k.param);
    else
      fmt::print("      {:<14} {:<10} {:<16} {:<10} {}\n", k.name, "", kind_of(k),
                 k.required ? "required" : std::string(k.usual), k.says);
  }
}
int list_scene(bool json) {
  ordered_json out;
  for (const auto& t : scene_keys())
    list_table(t.name.empty() ? "scene"
               : t.repeated   ? fmt::format("[[{}]]", t.name)
                              : std::string(t.name),
               t.text, t.keys, json, out);
  for (const auto& t : score_keys())
    if (t.name == "voice" || t.name == "note" || t.name == "midi")
      list_table(t.repeated ? fmt::format("[[{}]]", t.name) : fmt::format("[{}]", t.name), t.text, t.keys, json, out);
  const Key other[] = {{.type = Key::names,
                        .name = "include",
                        .says = "scene files whose entries come first; entries of the same name change them"},
                       {.type = Key::names, .name = "remove", .says = "names of included entries to leave out"}};
  list_table("include", "Other scene files.", other, json, out);
  if (json) fmt::print("{}\n", out.dump(2));
  return success;
}
int list_scenes(bool json) {
  ordered_json out = ordered_json::array();
  for (const auto& s : built_in_files()) {
    if (!s.scene()) continue;
    out.push_back({{"name", s.name()}, {"text", first_line(s.text)}});
    if (!json) fmt::print("{:<20} {}\n", s.name(), first_line(s.text));
  }
  if (json) fmt::print("{}\n", out.dump(2));
  return success;
}

int list_presets(bool json) {
  ordered_json out = ordered_json::array();
  int program = 0;
  for (const auto& p : built_in_presets()) {
    out.push_back({{"name", p.title()}, {"program", program++}, {"text", first_line(p.text)}});
    if (!json) fmt::print("{:3} {:<20} {}\n", program, p.title(), first_line(p.text));
  }
  if (json) fmt::print("{}\n", out.dump(2));
  return success;
}

}  // namespace

std::string_view first_line(std::string_view text) {
  const auto line = text.substr(0, text.find('\n'));
  const auto words = line.find_first_not_of("# ");
  return words == std::string_view::npos ? line : line.substr(words);
}

void add_list(Command& app, Job& job) {
  auto command = app.add_subcommand(
      "list", "List laws, schemes, integrators, the keys of a scene, or built-in scenes and presets");
  auto what = std::make_shared<std::string>();
  auto json = std::make_shared<bool>(false);
  command
      ->add_option("what", *what,
                   "laws, schemes, integrators, scene (its keys), scenes or presets (that come with jawari)")
      ->required()
      ->one_of({"laws", "schemes", "integrators", "scene", "scenes", "presets"});
  command->add_flag("--json", *json, "Machine-readable");
  command->callback([&job, what, json] {
    job = [what, json](Console&) {
      if (*what == "laws") return list_laws(*json);
      if (*what == "schemes") return list_schemes(*json);
      if (*what == "integrators") return list_integrators(*json);
      if (*what == "scenes") return list_scenes(*json);
      if (*what == "presets") return list_presets(*json);
      return list_scene(*json);
    };
  });
}

}  // namespace jawari::cli
