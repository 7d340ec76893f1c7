// SPDX-License-Identifier: MIT
// One table of a scene file.  Remembers lines, checks what it hands out, and refuses what nobody asked for.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <vector>

#include "jawari/io/scene_file.h"
#include "toml.h"

namespace jawari {

inline const char* kind_of(const toml::node& node) {
  switch (node.type()) {
    case toml::node_type::string:
      return "a string";
    case toml::node_type::integer:
    case toml::node_type::floating_point:
      return "a number";
    case toml::node_type::boolean:
      return "a boolean";
    case toml::node_type::array:
      return "an array";
    case toml::node_type::table:
      return "a table";
    default:
      return "a date or time";
  }
}

class Reader {
 public:
  Reader(SceneFile& file, const toml::table& table, std::string path, std::string title)
      : file_(file), table_(table), path_(std::move(path)), title_(std::move(title)) {
    for (const auto& [key, node] : table) note(full(key.str()), node);
    if (!path_.empty()) note(path_, table);
  }

  const toml::node* find(std::string_view key) {
    asked_.emplace_back(key);
    return table_.get(key);
  }
  double number(const Param& p) {
    const auto* node = find(p.name);
    if (!node) {
      if (p.fallback) return *p.fallback;
      refuse(p.name, fmt::format("{} is missing; it must lie in {}{}{}{}", named(p.name), p.range(),
                                 p.unit.empty() ? "" : " ", p.unit, misspelt(p.name)));
    }
    const auto value = node->value<double>();
    if (!value || node->is_boolean())
      refuse(p.name, fmt::format("{} is {}, but must be a number in {}", named(p.name), kind_of(*node), p.range()));
    if (!p.allows(*value)) {
      try {
        check(p, *value, title_, full(p.name));
      } catch (const InputError& r) {
        refuse(p.name, r.what());
      }
    }
    return *value;
  }
  template <class Spec>
  void numbers(std::span<const Field<Spec>> fields, Spec& spec) {
    for (const auto& f : fields) spec.*f.member = number(f.param);
  }
  bool has(std::string_view key) const { return table_.contains(key); }
  /// A list of numbers; absent: empty.
  std::vector<double> list(std::string_view key) {
    const auto* node = find(key);
    std::vector<double> values;
    if (!node) return values;
    const auto* array = node->as_array();
    if (!array)
      refuse(key, fmt::format("{} is {}, but must be a list of numbers, [1.0, 2.0]", named(key), kind_of(*node)));
    for (const auto& item : *array) {
      const auto value = item.value<double>();
      if (!value || item.is_boolean() || !std::isfinite(*value))
        refuse(key, fmt::format("{} holds {}, but must hold finite numbers only", named(key),
                                value ? "a number that is not finite" : kind_of(item)));
      values.push_back(*value);
    }
    return values;
  }
  bool flag(std::string_view key) {
    const auto* node = find(key);
    if (!node) return false;
    if (!node->is_boolean())
      refuse(key, fmt::format("{} is {}, but must be true or false", named(key), kind_of(*node)));
    return **node->as_boolean();
  }
  /// Reads { ... } under `key`, if it is there.
  template <class Visit>
  void table(std::string_view key, Visit&& visit) {
    const auto* node = find(key);
    if (!node) return;
    if (!node->is_table())
      refuse(key, fmt::format("{} is {}, but must be a table, {{ ... }}", named(key), kind_of(*node)));
    Reader inner(file_, *node->as_table(), full(key), std::string(key));
    visit(inner);
    inner.no_more();
  }
  std::optional<std::string> text(std::string_view key) {
    const auto* node = find(key);
    if (!node) return std::nullopt;
    if (!node->is_string()) refuse(key, fmt::format("{} is {}, but must be a string", named(key), kind_of(*node)));
    return **node->as_string();
  }
  std::string needed(std::string_view key, std::string_view what) {
    const auto value = text(key);
    if (!value) refuse(key, fmt::format("{} is missing; it must be {}{}", named(key), what, misspelt(key)));
    return *value;
  }
  template <class Enum>
  Enum one_of(std::string_view key, std::span<const std::string_view> names, Enum otherwise) {
    const auto value = text(key);
    if (!value) return otherwise;
    for (std::size_t i = 0; i < names.size(); ++i)
      if (names[i] == *value) return static_cast<Enum>(i);
    std::string list;
    for (const auto n : names) list += fmt::format("{}\"{}\"", list.empty() ? "" : ", ", n);
    const auto near = nearest(*value, names);
    refuse(key, fmt::format("{} is \"{}\", but must be one of {}{}", named(key), *value, list,
                            near.empty() ? "" : fmt::format(" (did you mean \"{}\"?)", near)));
  }
  /// Every value that is a number, as a law or a scheme takes them; `type` is the word that names it.
  LawSpec choice(std::string_view what) {
    LawSpec c{needed("type", fmt::format("the name of a {}", what))};
    for (const auto& [key, node] : table_) {
      if (key == "type") continue;
      if (const LawInfo* law = find_law(c.type); law && law->list && key == law->list->name) {
        c.force_N = list(law->list->name);
        continue;
      }
      const auto value = node.value<double>();
      if (!value || node.is_boolean())
        refuse(key.str(), fmt::format("{} is {}, but must be a number", named(key.str()), kind_of(node)));
      asked_.emplace_back(key.str());
      c.values[std::string(key.str())] = *value;
    }
    return c;
  }
  void no_more() {
    for (const auto& [key, node] : table_) {
      if (std::find(asked_.begin(), asked_.end(), key.str()) != asked_.end()) continue;
      std::vector<std::string_view> names(asked_.begin(), asked_.end());
      const auto near = nearest(key.str(), names);
      std::string list;
      for (const auto n : names) list += fmt::format("{}{}", list.empty() ? "" : ", ", n);
      refuse(key.str(),
             fmt::format("{} is not known here; {} takes {}{}", named(key.str()), title_.empty() ? "a scene" : title_,
                         list, near.empty() ? "" : fmt::format(" (did you mean {}?)", near)));
    }
  }
  /// What is written in place of a missing key, if anything looks like it.
  std::string misspelt(std::string_view missing) const {
    std::vector<std::string_view> others;
    for (const auto& [key, node] : table_)
      if (std::find(asked_.begin(), asked_.end(), key.str()) == asked_.end()) others.push_back(key.str());
    const auto near = nearest(missing, others);
    return near.empty() ? "" : fmt::format(" (did you mean {} where {} is written?)", missing, near);
  }
  [[noreturn]] void refuse(std::string_view key, const std::string& sentence) const {
    const std::string field = full(key);
    throw InputError(field, file_.place(field) + sentence);
  }
  std::string full(std::string_view key) const { return fmt::format("{}{}{}", path_, path_.empty() ? "" : ".", key); }
  SceneFile& file() { return file_; }
  std::string named(std::string_view key) const {
    return fmt::format("{}{}{}", title_, title_.empty() ? "" : ".", key);
  }

 private:
  void note(const std::string& field, const toml::node& node) {
    const auto& source = node.source();
    file_.lines.emplace(field, static_cast<int>(source.begin.line));
    if (source.path) file_.sources.emplace(field, *source.path);  // from an included file
  }

  SceneFile& file_;
  const toml::table& table_;
  std::string path_, title_;
  std::vector<std::string> asked_;
};

/// Calls visit for every [[key]] of the scene.
template <class Visit>
void each(Reader& scene, std::string_view key, Visit&& visit) {
  const auto* node = scene.find(key);
  if (!node) return;
  const auto* array = node->as_array();
  if (!array || !std::all_of(array->begin(), array->end(), [](const toml::node& n) { return n.is_table(); }))
    scene.refuse(key, fmt::format("{} is {}, but must be written as [[{}]]", key, kind_of(*node), key));
  for (std::size_t i = 0; i < array->size(); ++i) {
    Reader item(scene.file(), *array->get(i)->as_table(), fmt::format("{}[{}]", key, i), std::string(key));
    visit(item);
    item.no_more();
  }
}

LawSpec read_law(Reader& owner);  ///< of a contact or barrier
std::optional<SchemeSpec> read_scheme(Reader& owner);
void read_strings(Reader& scene, const Sources& sources);  ///< [[string]] and [[barrier]]
void read_bodies(Reader& scene, const Sources& sources);   ///< [[bar]], [[membrane]], [[plate]], [[modal]], [[hand]]
void read_contact(Reader& owner, Scene& scene);
void read_gestures(Reader& scene);                       ///< the rest: hammers, fingers, connections, events
void read_score(Reader& scene, const Sources& sources);  ///< [voice], [[note]], [midi]
toml::table parse_toml(std::string_view text, const std::string& name,
                       bool included = false);  ///< throws InputError alone
/// The tables of included files under those of this one; `remove` leaves out what it names.
toml::table with_includes(toml::table&& own, const Sources& sources, const std::string& name);
std::vector<DecayTime> read_decay(Reader& owner);  ///< decay_s and decay_hz
std::optional<Location> read_spot(Reader& owner, std::string_view key);

}  // namespace jawari
