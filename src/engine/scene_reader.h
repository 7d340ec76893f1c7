// SPDX-License-Identifier: MIT
// Reads the values of a part from a table, and refuses what it does not know.  A visitor (schema.h): it names no key.
#pragma once
#include <fmt/format.h>

#include <algorithm>
#include <cmath>
#include <optional>
#include <string>
#include <vector>

#include "jawari/engine/scene_fields.h"

namespace jawari {

/// What all tables of a scene share while they are read.
struct Reading {
  const NamedFiles& files;
  const NotePlace& note;
  double step_rate_hz = 0;  ///< at which lists of samples are read
  bool patch = false;       ///< an absent key leaves the value as it is, and none is required
};

class SceneReader : public FieldVisitor<SceneReader> {
 public:
  static constexpr bool reads = true;

  /// `title` stands in front of keys in sentences.
  SceneReader(Reading& reading, const Value& value, std::string path, std::string title);

  bool has(std::string_view key) const { return table_.contains(key); }
  const Value* value(std::string_view key) { return find(key); }  ///< null: not there
  /// Reads a part as `how` describes it, then what its keys mean together; nothing else may be there.
  template <class Spec, class How = VisitPart>
  void whole(Spec& spec, How how = {}) {
    how(*this, spec);
    complete_part(spec);
    no_more();
  }
  template <class Spec>
  void complete_part(Spec& spec) {
    if constexpr (requires(Given given) { complete(spec, given); })
      within(path_, [&] { complete(spec, [&](std::string_view key) { return has(key); }); });
  }
  template <class Action>
  void assign(Action&& action) {
    try {
      action();
    } catch (const InputError& r) {
      throw InputError(full(r.path()), named(r.sentence()), r.value(), r.allowed());
    }
  }
  /// Calls action(value, index) for every [[key]].
  template <class Action>
  void for_each_table(std::string_view key, Action&& action);
  /// Calls action(value) for the table under `key`, if it is there.
  template <class Action>
  void with_table(std::string_view key, Action&& action) {
    if (const Value* node = find(key)) action(as_table(*node, key));
  }
  SceneReader inner(const Value& value, std::string path, std::string title) const {
    return {reading_, value, std::move(path), std::move(title)};
  }
  void no_more() const;
  [[noreturn]] void refuse(std::string_view key, const std::string& sentence, std::string value,
                           std::string allowed) const {
    throw InputError(full(key), sentence, std::move(value), std::move(allowed));
  }
  std::string full(std::string_view key) const { return fmt::format("{}{}{}", path_, path_.empty() ? "" : ".", key); }

  // Keys by their kind.
  void text(const KeyInfo& key, std::string& value) { read_text(key, "a text", value); }
  void name(const KeyInfo& key, std::string& value) { read_text(key, "a name of its own", value); }
  void reference(const KeyInfo& key, Refers kind, std::string& value) { read_text(key, refers_text(kind), value); }
  void pair(const KeyInfo& key, std::array<std::string, 2>& names);
  void number(const Param& key, double& value);
  void integer(const Param& key, int& value);
  template <class Enum>
  void word(const WordInfo& key, Enum& value) {
    if (const auto index = read_word(key)) value = static_cast<Enum>(*index);
  }
  template <class Enum>
  void word(const WordInfo& key, std::optional<Enum>& value) {
    if (const auto index = read_word(key)) value = static_cast<Enum>(*index);
  }
  void flag(const KeyInfo& key, bool& value);
  void list(const ListInfo& key, std::vector<double>& values) { read_list(key.name, values); }
  void samples(const ListInfo& key, const KeyInfo& file, std::vector<double>& values);
  void curve_file(const KeyInfo& key, bool active, std::vector<double>& x, std::vector<double>& y);
  void only_position(const Param& key, bool active, std::vector<double>& list, const std::string& body);
  void shapes(const KeyInfo& key, std::vector<std::pair<std::string, std::vector<double>>>& points);
  template <class At>  // Location, or none
  void location(const KeyInfo& key, At& at, const std::string&) {
    if (auto read = read_location(key.name)) at = std::move(*read);
  }
  void place(Location& at, const std::string& body);
  void places(std::array<Location, 2>& at, const std::array<std::string, 2>& bodies);
  void both_locations(const KeyInfo& key, std::array<std::optional<Location>, 2>& at);
  void law(const KeyInfo& key, LawSpec& law);
  void law_along(const KeyInfo& key, LawSpec& law, bool& per_length);
  void scheme(const KeyInfo& key, std::optional<SchemeSpec>& scheme);
  void pitch(const KeyInfo& key, double& pitch);
  void event_value(EventSpec& event);
  template <class Spec>
  void table(const KeyInfo& key, Spec& spec, bool) {
    with_table(key.name, [&](const Value& value) { inner(value, full(key.name), std::string(key.name)).whole(spec); });
  }
  template <class Spec>
  void tables(const KeyInfo& key, std::vector<Spec>& list) {
    const Value* node = find(key.name);
    if (!node) {
      if (key.required && !reading_.patch)
        throw missing(full(key.name), named(key.name), "be a list of tables", misspelt(key.name));
      return;
    }
    const auto* values = std::get_if<ValueList>(&node->is);
    std::vector<const ValueTable*> tables;
    if (!values || !node->tables(tables)) refuse_kind(key.name, *node, "be a list of tables");
    list.clear();
    for (std::size_t i = 0; i < values->size(); ++i) {
      const std::string path = fmt::format("{}[{}]", full(key.name), i);
      inner((*values)[i], path, named(key.name)).whole(list.emplace_back());
    }
  }
  template <class Spec>
  void optional_table(const KeyInfo& key, std::optional<Spec>& spec) {
    if (!find(key.name)) return;
    if (!spec) spec.emplace();
    table(key, *spec, true);
  }

 private:
  const Value* find(std::string_view key);
  const Value& as_table(const Value& node, std::string_view key) const;
  std::string named(std::string_view key) const {
    return fmt::format("{}{}{}", title_, title_.empty() ? "" : ".", key);
  }
  void read_text(const KeyInfo& key, std::string_view what, std::string& value);
  std::optional<double> read_number(const Param& key);
  std::optional<std::size_t> read_word(const WordInfo& key);
  void read_list(std::string_view key, std::vector<double>& values);
  std::optional<Location> read_location(std::string_view key);
  /// A law or scheme with its numbers; `what` it is, for messages.
  void read_choice(LawSpec& chosen, std::string_view what);
  template <class Read>
  auto from_file(std::string_view key, Read&& read) const;
  /// What is written in place of a missing key, if anything looks like it.
  std::string misspelt(std::string_view missing) const;
  [[noreturn]] void refuse_kind(std::string_view key, const Value& node, const std::string& allowed) const {
    throw not_allowed(full(key), named(key), node.kind(), allowed);
  }

  Reading& reading_;
  const ValueTable& table_;
  std::string path_, title_;
  std::vector<std::string_view> asked_;
};

template <class Action>
void SceneReader::for_each_table(std::string_view key, Action&& action) {
  const Value* node = find(key);
  if (!node) return;
  std::vector<const ValueTable*> tables;
  if (!node->tables(tables)) throw not_allowed(full(key), key, node->kind(), fmt::format("be written as [[{}]]", key));
  const auto* list = std::get_if<ValueList>(&node->is);
  for (std::size_t i = 0; list && i < list->size(); ++i) action((*list)[i], i);
}

}  // namespace jawari
