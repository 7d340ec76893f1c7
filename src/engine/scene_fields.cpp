// SPDX-License-Identifier: MIT
// Single values of a scene by their path.
#include "jawari/engine/scene_fields.h"

#include <fmt/format.h>

#include "scene_reader.h"

namespace jawari {
namespace {

/// All values of a part, also those that are the default.
class ValueMaker : public FieldVisitor<ValueMaker> {
 public:
  ValueTable values;
  static constexpr bool lists = true;

  void text(const KeyInfo& key, const std::string& value) { put(key.name, value); }
  void pair(const KeyInfo& key, const std::array<std::string, 2>& names) {
    put(key.name, ValueList{Value(names[0]), Value(names[1])});
  }
  void number(const Param& key, double value) { put(key.name, value); }
  void integer(const Param& key, int value) { put(key.name, value); }
  template <class Enum>
  void word(const WordInfo& key, const Enum& value) {
    const auto index = static_cast<std::size_t>(value);
    if (index < key.words.size()) put(key.name, key.words[index]);
  }
  template <class Enum>
  void word(const WordInfo& key, const std::optional<Enum>& value) {
    if (value) word(key, *value);
  }
  void flag(const KeyInfo& key, bool value) { put(key.name, value); }
  void list(const ListInfo& key, const std::vector<double>& values) { put(key.name, values); }
  template <class Spec>
  void tables(const KeyInfo& key, const std::vector<Spec>& list) {
    ValueList values;
    for (const Spec& spec : list) {
      ValueMaker inner;
      visit(inner, spec);
      values.push_back(Value(std::move(inner.values)));
    }
    put(key.name, std::move(values));
  }
  void shapes(const KeyInfo& key, const auto& points) {
    ValueTable shapes;
    for (const auto& [name, shape] : points) shapes.emplace(name, Value(shape));
    put(key.name, std::move(shapes));
  }
  void location(const KeyInfo& key, const Location& at, const std::string&) {
    put(key.name, !at.point.empty() ? Value(at.point)
                  : at.y_m == 0     ? Value(at.x_m)
                                    : Value(std::vector{at.x_m, at.y_m}));
  }
  void location(const KeyInfo& key, const std::optional<Location>& at, const std::string& body) {
    if (at) location(key, *at, body);
  }
  void place(const Location& at, const std::string& body) {
    put("position_m", at.x_m);
    location(location_key, at, body);
  }
  void law(const KeyInfo& key, const LawSpec& law) { put(key.name, choice(law, false)); }
  void law_along(const KeyInfo& key, const LawSpec& law, bool per_length) { put(key.name, choice(law, per_length)); }
  void scheme(const KeyInfo& key, const std::optional<SchemeSpec>& scheme) {
    if (scheme) put(key.name, choice(*scheme, false));
  }
  void pitch(const KeyInfo& key, double pitch) {
    if (pitch >= 0) put(key.name, pitch);
  }
  void event_value(const EventSpec& event) {
    if (const auto key = jawari::event_value(event.type).name; !key.empty()) put(key, event.value);
  }
  template <class Spec>
  void table(const KeyInfo& key, const Spec& spec, bool) {
    ValueMaker inner;
    visit(inner, spec);
    put(key.name, std::move(inner.values));
  }

 private:
  void put(std::string_view key, Value value) { values.insert_or_assign(std::string(key), std::move(value)); }
  static ValueTable choice(const LawSpec& law, bool per_length) {
    ValueTable numbers{{"type", Value(law.type)}};
    for (const auto& [key, value] : law.values)
      numbers.emplace(per_length && key == "stiffness" ? "stiffness_per_m" : key, Value(value));
    if (!law.force_N.empty()) numbers.emplace("force_N", Value(law.force_N));
    return numbers;
  }
};

/// What stands before the key of a path: a part, by "kind[0]", "kind.name" or "name".
struct Owner {
  std::string kind, prefix;  ///< no kind: the scene itself
  std::size_t index = 0;
};

Owner owner_of(const Scene& scene, std::string_view path) {
  Owner owner;
  for_each_part(scene, [&](auto part, const auto& list, auto) {
    for (std::size_t i = 0; i < list.size(); ++i) {
      const std::string name = part_name(list[i]);
      for (const std::string& prefix :
           {fmt::format("{}[{}].", part.name, i), fmt::format("{}.{}.", part.name, name), fmt::format("{}.", name)})
        if (prefix.size() > owner.prefix.size() && prefix.size() > 1 && path.starts_with(prefix))
          owner = {std::string(part.name), prefix, i};  // the longest: names may have dots
    }
  });
  for (std::size_t i = 0; i < scene.voices.size() && owner.prefix.empty(); ++i)
    for (const std::string& prefix : {fmt::format("voice[{}].", i), std::string("voice.")})
      if (path.starts_with(prefix) && (i == 0 || prefix != "voice.")) owner = {"voice", prefix, i};
  return owner;
}

[[noreturn]] void refuse_path(std::string_view path, std::string_view what) {
  throw InputError(std::string(path), fmt::format("there is no \"{}\" in the scene{}", path, what),
                   fmt::format("\"{}\"", path), "be the path of a value, \"kind[0].key\" or \"name.key\"");
}

/// { a = { b = value } } for "a.b"; the rest of a path after "points." is a name.
Value nested(std::string_view path, const Value& value) {
  const auto dot = path.find('.');
  if (dot == std::string_view::npos) return ValueTable{{std::string(path), value}};
  const auto head = path.substr(0, dot), tail = path.substr(dot + 1);
  if (head == "points") return ValueTable{{std::string(head), Value(ValueTable{{std::string(tail), value}})}};
  return ValueTable{{std::string(head), nested(tail, value)}};
}

template <class Spec, class How>
void patch(Spec& spec, How how, const Owner& owner, std::string_view rest, const Value& value) {
  const NamedFiles none;
  const NotePlace nowhere;
  Reading reading{none, nowhere, 0, true};
  const Value table = nested(rest, value);
  Spec changed = spec;
  std::string path(owner.prefix.substr(0, owner.prefix.empty() ? 0 : owner.prefix.size() - 1));
  SceneReader(reading, table, std::move(path), owner.kind).whole(changed, how);
  spec = std::move(changed);
}

template <class Spec, class How>
Value value_at(const Spec& spec, How how, std::string_view path, std::string_view rest) {
  ValueMaker maker;
  how(maker, spec);
  const ValueTable* table = &maker.values;
  for (;;) {
    if (const auto at = table->find(rest); at != table->end()) return at->second;
    const auto dot = rest.find('.');
    const auto at = dot == std::string_view::npos ? table->end() : table->find(rest.substr(0, dot));
    if (at == table->end() || !at->second.table()) refuse_path(path, "");
    table = at->second.table();
    rest.remove_prefix(dot + 1);
  }
}

/// Calls action(spec, how, the rest of the path) for what owns the value.
template <class S, class Action>
void at_owner(S& scene, std::string_view path, Action&& action) {
  const Owner owner = owner_of(scene, path);
  const std::string_view rest = path.substr(owner.prefix.size());
  if (owner.kind == "voice") return action(scene.voices[owner.index], VisitPart{}, owner, rest);
  if (owner.kind.empty()) {
    if (rest.find('.') != std::string_view::npos) refuse_path(path, "");
    return action(scene, VisitPart{}, owner, rest);
  }
  for_each_part(scene, [&](auto part, auto& list, auto how) {
    if (part.name == owner.kind) action(list[owner.index], how, owner, rest);
  });
}

}  // namespace

void set_field(Scene& scene, std::string_view path, const Value& value) {
  at_owner(scene, path, [&](auto& spec, auto how, const Owner& owner, std::string_view rest) {
    patch(spec, how, owner, rest, value);
  });
}

Value get_field(const Scene& scene, std::string_view path) {
  Value value;
  at_owner(scene, path, [&](const auto& spec, auto how, const Owner&, std::string_view rest) {
    value = value_at(spec, how, path, rest);
  });
  return value;
}

}  // namespace jawari
